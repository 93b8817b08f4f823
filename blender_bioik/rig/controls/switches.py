"""Properties that switch limbs between IK and FK."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import bpy
import numpy as np

from ..blender.scene_state import set_property
from ..keys.keys import ChannelKeys
from ..keys.outputs import Output, animated_channels
from ..transforms import Floats
from .posed_by import Rigging, influence_path

# Influence of an IK chain up to which a limb counts as switched to FK.
SWITCHED = 1e-4


class Switch(NamedTuple):
    """A property that decides how much a bone follows its IK chain.

    Attributes:
        path: Its data path on the armature.
        influence: Data path of the influence that it has to bring to zero.
        bone: The bone that has the property.
    """

    path: str
    influence: str
    bone: str


class Switched(NamedTuple):
    """A switch in a clip.

    Attributes:
        switch: The switch.
        value: Its value for FK.
        before: Its values in the source; (f,).
        default: The property's default.
    """

    switch: Switch
    value: float
    before: Floats
    default: float

    def keys(self, output: Output) -> ChannelKeys:
        """Keyframes that switch to FK in all frames; layers add to what is below them."""
        values = np.full(len(self.before), self.value)
        if output == "LAYER":
            values = values - self.before + self.default
        return ChannelKeys(self.switch.path, 0, self.switch.bone, values)


def read_switches(
    armature_object: bpy.types.Object, rigging: Rigging, bones: Sequence[str]
) -> list[Switch]:
    """The switches of bones that copy an IK chain or FK controls, one for each property."""
    found: dict[str, Switch] = {}
    for bone in bones:
        for copy in rigging.copies[bone]:
            if not copy.counts or not rigging.moves_by_ik(copy.source):
                continue
            influence = influence_path(bone, copy.constraint)
            path = _driving_property(armature_object, influence) or influence
            owner = path.split('"')[1] if path.startswith('pose.bones["') else bone
            found.setdefault(path, Switch(path, influence, owner))
    return list(found.values())


class Switching:
    """Switches properties of an armature for a while."""

    def __init__(
        self, armature_object: bpy.types.Object, switches: Sequence[Switch], count: int
    ) -> None:
        """Begin.

        Args:
            armature_object: The armature.
            switches: Its switches.
            count: Number of frames.
        """
        self._rig, self._switches = armature_object, switches
        self._before = np.zeros((len(switches), count))
        self._animated = {path for path, _ in animated_channels(armature_object)}
        self._kept = [armature_object.path_resolve(switch.path) for switch in switches]
        self._values: list[float] = []

    def __enter__(self) -> Switching:
        """Nothing is switched yet."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Switch back."""
        for switch, value in zip(self._switches, self._kept, strict=True):
            set_property(self._rig, switch.path, value)
        if self._switches:
            # At once: later it would discard unkeyed changes of the pose.
            self._rig.update_tag()
            bpy.context.view_layer.update()

    def find_fk(self) -> None:
        """Find the value of each switch that stands for FK."""
        self._values = [self._fk_value(switch) for switch in self._switches]

    def switch(self, row: int) -> None:
        """Switch to FK in the frame that is shown."""
        for k, switch in enumerate(self._switches):
            self._before[k, row] = self._rig.path_resolve(switch.path)
            self._set(switch, self._values[k])
        if self._switches:
            # At once, because it evaluates animation too.
            bpy.context.view_layer.update()

    @property
    def switched(self) -> tuple[Switched, ...]:
        """What was switched."""
        return tuple(
            Switched(switch, value, self._below(k, switch), self._default(switch))
            for k, (switch, value) in enumerate(zip(self._switches, self._values, strict=True))
        )

    def _below(self, k: int, switch: Switch) -> Floats:
        """Values of a property without the keyframes: the default if nothing animates it."""
        animated = switch.path in self._animated
        return self._before[k] if animated else np.full_like(self._before[k], self._default(switch))

    def _fk_value(self, switch: Switch) -> float:
        """The value, of 0 and 1, at which a limb follows its IK chain less."""
        found = {}
        for value in (0.0, 1.0):
            self._set(switch, value)
            bpy.context.view_layer.update()
            found[value] = float(self._rig.path_resolve(switch.influence))
        return min(found, key=found.__getitem__)

    def _set(self, switch: Switch, value: float) -> None:
        kind = type(self._rig.path_resolve(switch.path))
        set_property(self._rig, switch.path, kind(value))
        self._rig.update_tag()

    def _default(self, switch: Switch) -> float:
        path = switch.path
        if not path.endswith('"]'):
            return 1.0  # the default of an influence
        start = path.rfind('["')
        owner = self._rig.path_resolve(path[:start])
        return float(owner.id_properties_ui(path[start + 2 : -2]).as_dict().get("default", 0.0))


def _driving_property(armature_object: bpy.types.Object, influence: str) -> str:
    """The armature's property that drives an influence; empty if there is none."""
    data = armature_object.animation_data
    for curve in data.drivers if data else ():
        if curve.data_path != influence or curve.mute:
            continue
        for variable in curve.driver.variables:
            for target in variable.targets:
                if variable.type == "SINGLE_PROP" and target.id == armature_object:
                    return str(target.data_path)
    return ""
