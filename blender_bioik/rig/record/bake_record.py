"""The record of a bake, stored on the armature: digests of its inputs for each frame.

Light to import, because panels use it; `bake_inputs` makes it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache

import bpy
import numpy as np
from numpy.typing import NDArray

from ..keys.few_keys import Tolerance
from ..keys.outputs import Output
from ..keys.played_source import played_layers
from ..source.options import BakeOptions
from ..transforms import Floats
from .digests import SUMS, Digests, is_another

VERSION = 1
# Storage types of the arrays.
ARRAYS = {"choices": "<u8", "places": "<f8", "ground": "<f8"}


@dataclass(frozen=True, eq=False)
class BakeInputs:
    """What a bake was made from.

    Attributes:
        feet: Whether feet were placed, or only goals baked.
        first: First frame.
        last: Last frame.
        step: Frames from one to the next.
        output: Where the keys went.
        blend_in: Frames over which the correction grows at the start.
        blend_out: Frames over which it shrinks at the end.
        mute_constraints: Whether constraints were muted.
        has_source: Whether there was an action to bake.
        bones: Bones whose source counts.
        moving: Those of them that were solved for.
        held: Values of these bones' properties that have no keys in the source, by data path.
        muted: Constraints that the bake muted, each with its bone.
        settings: Digest of the inputs that all frames share.
        choices: Digest of the goals and contacts that act in each frame; (f,).
        places: Sketch of the source and the targets in each frame; (f, SUMS).
        ground: Sketch of the ground in each frame; (f, SUMS), or none (0, SUMS).
        few_keys: How far few keyframes may be off; None for one on every frame.
    """

    feet: bool
    first: int
    last: int
    step: int
    output: Output
    blend_in: int
    blend_out: int
    mute_constraints: bool
    has_source: bool
    bones: tuple[str, ...]
    moving: tuple[str, ...]
    held: Mapping[str, Sequence[float]]
    muted: tuple[tuple[str, str], ...]
    settings: int
    choices: Digests
    places: Floats
    ground: Floats
    few_keys: Tolerance | None = None

    @property
    def frames(self) -> Floats:
        """The frames that were baked; (f,)."""
        return np.arange(self.first, self.last + 1, self.step, dtype=float)

    @property
    def options(self) -> BakeOptions:
        """The options of the bake."""
        return BakeOptions(
            self.first,
            self.last,
            self.step,
            self.output,
            self.blend_in,
            self.blend_out,
            self.mute_constraints,
            self.few_keys,
        )

    def changed(self, now: BakeInputs) -> NDArray[np.bool_]:
        """Which frames have changed; (f,)."""
        if self.settings != now.settings or len(self.choices) != len(now.choices):
            return np.ones(len(self.choices), bool)
        changed = (self.choices != now.choices) | is_another(self.places, now.places)
        if len(self.ground) == len(now.ground) == len(changed):
            changed = changed | is_another(self.ground, now.ground)
        return np.asarray(changed)

    def to_text(self) -> str:
        """All of it as JSON."""
        content = asdict(self) | {"version": VERSION, "settings": f"{self.settings:x}"}
        for name, kind in ARRAYS.items():
            content[name] = base64.b64encode(getattr(self, name).astype(kind).tobytes()).decode()
        return json.dumps(content, separators=(",", ":"))


@lru_cache(maxsize=8)
def inputs_of_text(text: str) -> BakeInputs | None:
    """The inputs stored by `BakeInputs.to_text`, None if the text is foreign, broken or newer."""
    try:
        content = json.loads(text)
        if content.pop("version") != VERSION:
            return None
        for name, kind in ARRAYS.items():
            values = np.frombuffer(base64.b64decode(content[name]), kind)
            content[name] = values.reshape(-1, SUMS) if kind == "<f8" else values
        content["settings"] = int(content["settings"], 16)
        for name in ("bones", "moving"):
            content[name] = tuple(content[name])
        few = content.get("few_keys")
        content["few_keys"] = None if few is None else Tolerance(*few)
        content["muted"] = tuple((bone, name) for bone, name in content["muted"])
        found = BakeInputs(**content)
        count = len(found.frames)
        return found if len(found.choices) == len(found.places) == count else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def stored_inputs(armature_object: bpy.types.Object) -> BakeInputs | None:
    """The inputs of the armature's last bake, None if unknown."""
    return inputs_of_text(armature_object.bioik.baked.inputs)


def forget_frames(armature_object: bpy.types.Object, start: int, end: int) -> None:
    """Mark frames whose result was deleted as changed."""
    inputs = stored_inputs(armature_object)
    if inputs is None or armature_object.bioik.baked.result is None:
        return
    gone = (inputs.frames >= start) & (inputs.frames <= end)
    choices = np.where(gone, ~inputs.choices, inputs.choices)
    armature_object.bioik.baked.inputs = replace(inputs, choices=choices).to_text()


def rebake_problem(armature_object: bpy.types.Object) -> str:
    """Why the last bake cannot be updated, and what to do; empty if it can."""
    baked, data = armature_object.bioik.baked, armature_object.animation_data
    if baked.result is None or data is None:
        return "Bake goals or place feet first"
    if data.action != baked.result and not played_layers(armature_object):
        return "The action of the last bake is not active: assign it, or bake everything"
    inputs = stored_inputs(armature_object)
    if inputs is None:
        return "The last bake cannot be updated in part: bake everything"
    if inputs.output == "NEW_ACTION" and inputs.has_source and baked.source is None:
        return "The source of the last bake no longer exists: bake everything"
    if baked.result.library is not None:
        return "The action of the last bake is linked: bake everything"
    return ""
