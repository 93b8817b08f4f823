"""Presets: set-ups of goals, of feet and of the solver, as JSON files that fit any mapped rig.

Blender's own presets are Python files that are executed when they are chosen, and its menus show
only those. A preset that comes from another studio must not be able to run anything, and must fit
a rig with other bone names. So these are data, read and checked by this package, which needs no
Blender; `rig.apply_preset` and `rig.make_preset` are the way to an armature and back.
"""

from .errors import PresetError
from .preset import KINDS, VERSION, Preset, PresetGoal, PresetTarget
from .read import preset_from_file, preset_from_text
from .store import Entry, Store, bundled_presets

__all__ = [
    "KINDS",
    "VERSION",
    "Entry",
    "Preset",
    "PresetError",
    "PresetGoal",
    "PresetTarget",
    "Store",
    "bundled_presets",
    "preset_from_file",
    "preset_from_text",
]
