"""Range and output are settings on the armature; arguments of a script replace them."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

from ...builders.bakes import generated_frames, waving
from ...builders.files import new_file
from ...builders.placements import FEW_FRAMES, stepping
from ...builders.snapshots import differences, file_data
from ...builders.walkers import FIRST, LAST, walker


def settings(rig: bpy.types.Object, **values: Any) -> Any:
    for name, value in values.items():
        setattr(rig.bioik.bake, name, value)
    return rig.bioik.bake


CHOSEN: list[dict[str, Any]] = [
    {"range": "CUSTOM", "frame_start": 5, "frame_end": 14, "step": 3},
    {"range": "CUSTOM", "frame_start": 5, "frame_end": 14, "output": "IN_PLACE", "blend_in": 4},
    {"range": "ACTION", "output": "LAYER", "blend_out": 6, "mute_constraints": False},
]


@pytest.mark.parametrize("chosen", CHOSEN, ids=lambda chosen: chosen.get("output", "steps"))
def test_settings_equal_arguments(chosen: dict[str, Any]) -> None:
    written = []
    for way in ("settings", "arguments"):
        new_file()
        rig = waving()
        rig.pose.bones["shin.L"].constraints.new("COPY_SCALE").target = rig
        settings(rig, **chosen)
        if way == "settings":
            assert bpy.ops.bioik.bake() == {"FINISHED"}
        else:
            for name in chosen:
                rig.bioik.bake.property_unset(name)
            assert bpy.ops.bioik.bake(**chosen) == {"FINISHED"}
            settings(rig, **chosen)
        written.append(file_data())
    assert differences(written[0], written[1]) == []


def test_a_script_overrules_the_settings() -> None:
    rig = waving()
    settings(rig, range="ACTION", output="LAYER", step=5)
    bpy.ops.bioik.bake(frame_start=3, frame_end=6, step=1, output="NEW_ACTION")
    assert generated_frames(rig) == [3, 4, 5, 6]


def test_placing_feet_has_the_same_settings() -> None:
    rig = stepping()
    settings(rig, range="CUSTOM", frame_start=2, frame_end=8, output="IN_PLACE")
    source = rig.animation_data.action
    bpy.ops.bioik.place_feet()
    assert rig.animation_data.action == source
    assert generated_frames(rig) == [2, 3, 4, 5, 6, 7, 8]


def test_keys_are_deleted_in_the_same_range() -> None:
    rig = waving()
    bpy.ops.bioik.bake(frame_start=1, frame_end=20)
    settings(rig, range="CUSTOM", frame_start=4, frame_end=18)
    bpy.ops.bioik.delete_generated_keys()
    assert generated_frames(rig) == [1, 2, 3, 19, 20]


def test_contacts_are_found_in_the_same_range() -> None:
    rig = walker()
    first, last = FIRST + 5, LAST - 7
    settings(rig, range="CUSTOM", frame_start=first, frame_end=last)
    bpy.ops.bioik.find_contacts()
    ends = {(c.frame_start, c.frame_end) for c in rig.bioik.feet.contacts}
    assert ends
    assert min(start for start, _ in ends) == first
    assert max(end for _, end in ends) == last


def test_arguments_of_an_operator_are_not_remembered() -> None:
    for name in ("bake", "place_feet", "find_contacts", "delete_generated_keys"):
        properties = getattr(bpy.ops.bioik, name).get_rna_type().properties
        assert all(p.is_skip_save for p in properties if p.identifier != "rna_type")


def test_a_placing_of_given_frames_ignores_the_range() -> None:
    rig = stepping()
    settings(rig, range="CUSTOM", frame_start=4, frame_end=6)
    bpy.ops.bioik.place_feet(**FEW_FRAMES)
    assert generated_frames(rig) == list(range(1, 11))
