"""Files baked on the command line can be re-baked in part in Blender."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import pytest

import blender_bioik
from blender_bioik import cli
from demo import character, ground, walk
from demo.gait import CYCLE_FRAMES, FPS, STRIDE

from .builders.bakes import add_goal
from .builders.rebakes import FIRST, LAST, frames_changed, key_bytes, move_target, reaching

BLEND = 3
pytestmark = pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender the extension is registered once already"
)


@pytest.fixture
def in_blender() -> Iterator[None]:
    """A registered extension and an empty file, for work before and after the command."""
    # Blender's own add-ons leave handlers behind that fail loudly once they are disabled.
    for handler in list(bpy.app.handlers.load_post):
        if handler.__module__.startswith(("pose_library", "rigify")):
            bpy.app.handlers.load_post.remove(handler)
    blender_bioik.register()
    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield
    blender_bioik.unregister()
    # What was opened has been saved with properties that are now unknown.
    bpy.ops.wm.read_factory_settings(use_empty=True)


def baked(scene: Path, out: Path, *words: object, name: str) -> bpy.types.Object:
    """Bake a file by the command, and open the result as an animator does."""
    blender_bioik.unregister()  # the command registers it for itself
    code = cli.main([str(word) for word in ("bake", scene, "-o", out, *words)])
    blender_bioik.register()
    assert code == 0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    rig = bpy.data.objects[name]
    bpy.context.view_layer.objects.active = rig
    rig.bioik.bake.rebake_blend = BLEND
    assert_nothing_to_bake()
    return rig


def assert_nothing_to_bake() -> None:
    with pytest.raises(RuntimeError, match="Nothing has changed since the last bake"):
        bpy.ops.bioik.rebake()


def rebaked_frames(rig: bpy.types.Object) -> list[float]:
    """Frames whose keys change when changed frames are baked again."""
    before = key_bytes(rig)
    assert bpy.ops.bioik.rebake() == {"FINISHED"}
    changed = frames_changed(before, key_bytes(rig))
    assert_nothing_to_bake()
    return changed


# Goals


def target_moved(_rig: bpy.types.Object) -> tuple[int, int]:
    move_target()
    return 22, 40


def goal_added(rig: bpy.types.Object) -> tuple[int, int]:
    goal = add_goal(rig, name="foot", bone="shin.R", point=(-0.1, -0.2, 0.3), chain_length=2)
    goal.use_frame_range, goal.frame_start, goal.frame_end = True, 30, 36
    return 30, 36


@pytest.mark.parametrize("edit", [target_moved, goal_added])
@pytest.mark.parametrize("output", ["new", "in-place", "additive"])
def test_goals_that_the_command_has_baked_are_baked_again_in_part(
    in_blender: None,
    tmp_path: Path,
    output: str,
    edit: Callable[[bpy.types.Object], tuple[int, int]],
) -> None:
    rig = reaching()
    rig.animation_data.action = rig.bioik.baked.source
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = FIRST, LAST
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "reach.blend"))
    rig = baked(tmp_path / "reach.blend", tmp_path / "out.blend", "--output", output, name=rig.name)
    first, last = edit(rig)
    changed = rebaked_frames(rig)
    assert changed
    # A bone that had no keys gets one on each side that holds it.
    assert first - BLEND - 1 <= changed[0]
    assert changed[-1] <= last + BLEND + 1


# Feet


def a_walk(folder: Path) -> Path:
    """The demo's character walking three strides on a flat floor, over hills."""
    scene = bpy.context.scene
    scene.render.fps = FPS
    action = walk.animate(character.build(scene.collection), strides=3)
    scene.frame_start, scene.frame_end = map(int, action.frame_range)
    scene.collection.objects.link(ground.hills(ground.Hills()))
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "walk.blend"))
    return folder / "walk.blend"


def ground_of_the_scene(folder: Path) -> tuple[Path, str, str]:
    return a_walk(folder), "Hills", character.NAME


def ground_of_a_file(folder: Path) -> tuple[Path, str, str]:
    scene, path = a_walk(folder), folder / "hills.obj"
    for object_ in bpy.context.scene.objects:
        object_.select_set(object_.name == "Hills")
    bpy.ops.wm.obj_export(filepath=str(path), export_selected_objects=True)
    bpy.data.objects.remove(bpy.data.objects["Hills"])
    bpy.ops.wm.save_as_mainfile(filepath=str(scene))
    return scene, str(path), character.NAME


def clip_and_ground_of_files(folder: Path) -> tuple[Path, str, str]:
    _, hills, _ = ground_of_a_file(folder)
    bpy.context.view_layer.objects.active = bpy.data.objects[character.NAME]
    scene = bpy.context.scene
    bpy.ops.export_anim.bvh(
        filepath=str(folder / "walk.bvh"), frame_start=scene.frame_start, frame_end=scene.frame_end
    )
    return folder / "walk.bvh", hills, "walk"


def contact_slides(rig: bpy.types.Object) -> int:
    """Let the last contact of a foot slide; returns the first frame that it is about."""
    balls = [c for c in rig.bioik.feet.contacts if c.point == "BALL" and c.foot == "leg.L"]
    contact = max(balls, key=lambda contact: contact.frame_start)
    contact.slides = True
    return int(contact.frame_start)


def ground_raised_ahead(rig: bpy.types.Object) -> int:
    """Raise the ground under the last stride; returns the first frame near it."""
    scene = bpy.context.scene
    scene.frame_set(scene.frame_end)
    hips = (rig.matrix_world @ rig.pose.bones[0].matrix).translation
    scene.frame_set(scene.frame_start)
    begin = (rig.matrix_world @ rig.pose.bones[0].matrix).translation
    ahead = (hips - begin).normalized()
    (raised,) = (kept.object for kept in rig.bioik.feet.grounds)
    for vertex in raised.data.vertices:
        behind = (hips - raised.matrix_world @ vertex.co).dot(ahead)
        vertex.co.z += 0.05 * (behind < STRIDE)
    raised.data.update()
    return scene.frame_start + CYCLE_FRAMES


@pytest.mark.parametrize(
    ("scene", "output", "edit"),
    [
        (ground_of_the_scene, "new", contact_slides),
        (ground_of_the_scene, "additive", contact_slides),
        (ground_of_the_scene, "new", ground_raised_ahead),
        (ground_of_a_file, "new", ground_raised_ahead),
        (clip_and_ground_of_files, "new", contact_slides),
    ],
)
def test_feet_that_the_command_has_placed_are_placed_again_in_part(
    in_blender: None, tmp_path: Path, scene: Any, output: str, edit: Any
) -> None:
    path, hills, name = scene(tmp_path)
    words = "--ground", hills, "--output", output, "--set", "feet.plot=off"
    rig = baked(path, tmp_path / "out.blend", *words, name=name)
    first = edit(rig)
    changed = rebaked_frames(rig)
    assert changed
    # A clip is solved as a whole: up to a second around the edit changes too.
    assert changed[0] >= first - FPS - BLEND - 1
    assert changed[0] > bpy.context.scene.frame_start


def test_on_ground_in_place_nothing_is_placed_again_in_part(
    in_blender: None, tmp_path: Path
) -> None:
    path, hills, name = ground_of_the_scene(tmp_path)
    blender_bioik.unregister()
    out = tmp_path / "out.blend"
    words = ["bake", str(path), "--ground", hills, "-o", str(out), "--output", "in-place"]
    assert cli.main(words) == 0
    blender_bioik.register()
    bpy.ops.wm.open_mainfile(filepath=str(out))
    bpy.context.view_layer.objects.active = bpy.data.objects[name]
    with pytest.raises(RuntimeError, match="cannot be updated in part"):
        bpy.ops.bioik.rebake()
