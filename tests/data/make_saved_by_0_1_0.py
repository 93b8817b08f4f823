"""How saved_by_0.1.0.blend was made: run on version 0.1.0 of the extension, with bpy 4.2.

    python -m tests.data.make_saved_by_0_1_0

It is kept to say what the file holds, and its tables are what test_older_files.py looks for. Do not
run it on a newer version: the file is there because an older one saved it.

There is a walker with its feet placed on hills, goals of every type, contacts that were edited, a
body part and settings other than the defaults; and an arm whose goal was baked.
"""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from demo import character, ground, skeleton, walk
from demo.gait import FPS, WALK

FILE = Path(__file__).with_name("saved_by_0.1.0.blend")
WALKER, ARM, HILLS, LOOK, GRIP, REACH = "Walker", "Arm", "Hills", "Look", "Grip", "Reach"
FIRST, LAST = 1, 31
ARM_LAST = 24
ARM_BONES = ("upper", "lower", "hand")

SOLVER = {
    "scope": "CHAINS",
    "move_root": False,
    "use_limits": False,
    "read_constraints": True,
    "strategy": "LOCAL",
    "population": 20,
    "elites": 5,
    "evaluations": 3000,
    "seed": 7,
    "displacement": 0.02,
    "smoothness": 1.5,
}
FEET = {
    "active_ground": 0,
    "contacts_edited": True,
    "floor": "HEIGHT",
    "floor_height": 0.001,
    "planting": "LOCKED",
    "slope": 0.75,
    "step_up": 0.4,
    "ease": 0.05,
    "swing": 0.7,
    "pelvis_sideways": 0.03,
    "pelvis_tilt": 0.1,
    "spine_share": True,
    "hands": "BODY",
    "loop": "OFF",
    "plot": True,
    "markers": True,
}
BAKE = {
    "range": "CUSTOM",
    "frame_start": FIRST,
    "frame_end": LAST,
    "step": 2,
    "output": "NEW_ACTION",
    "blend_in": 0,
    "blend_out": 2,
    "mute_constraints": False,
    "rebake_blend": 3,
}
OVERLAY = {
    "show": False,
    "goals": False,
    "soles": False,
    "footprints": True,
    "spans": False,
    "pelvis": True,
    "ghost": False,
    "ghost_opacity": 0.25,
    "line_width": 2.5,
}
# Goals that are solved; their targets are objects of these names.
SOLVED: dict[str, dict[str, Any]] = {
    "Look there": {
        "type": "LOOK_AT", "bone": "head", "axis": (0.0, 0.0, 1.0), "target": LOOK,
        "chain_length": 2, "weight": 0.5, "tolerance_angle": 0.01,
    },
    "Hold it": {
        "type": "POSITION", "bone": "hand.L", "head_tail": 1.0, "offset": (0.0, 0.0, 0.02),
        "target": GRIP, "chain_length": 3, "tolerance": 0.002, "use_frame_range": True,
        "frame_start": 5, "frame_end": 27, "blend_in": 4, "blend_out": 3,
    },
    "Off the hip": {
        "type": "DISTANCE", "bone": "hand.R", "other_bone": "thigh.R", "distance": 0.3,
        "activation": 0.05, "chain_length": 3, "is_preference": True,
    },
}  # fmt: skip
# Goals that are switched off, with what their type has of its own.
UNSOLVED: dict[str, dict[str, Any]] = {
    "Turn": {"type": "ORIENTATION", "bone": "hand.R", "target": GRIP, "rotation": (0.1, 0.2, 0.3)},
    "Lock": {"type": "LOCKED_LOOK_AT", "bone": "neck", "lock_axis": (0.0, 1.0, 0.0)},
    "Direct": {"type": "DIRECTION", "bone": "spine", "direction": (0.0, -1.0, 0.5)},
    "Cone": {"type": "CONE", "bone": "chest", "angle": 0.25},
    "Plane": {"type": "PLANE", "bone": "hand.L", "point": (0.1, 0.2, 0.3)},
    "Line": {"type": "LINE", "bone": "hand.R", "direction": (1.0, 0.0, 0.0)},
    "Touch": {"type": "TOUCH", "bone": "foot.L", "radius": 0.04},
    "Above": {"type": "ABOVE", "bone": "toe.R", "use_target_rotation": False},
    "Near": {"type": "MAX_DISTANCE", "bone": "hand.L", "other_bone": "hand.R", "distance": 0.8},
    "Knee": {"type": "POLE", "bone": "shin.L", "target": WALKER, "subtarget": "head"},
    "Balance": {"type": "BALANCE", "influence": 0.5},
    "Elbow": {"type": "JOINT_VALUE", "bone": "forearm.R", "joint_axis": "Z", "angle_value": 0.5},
    "Couple": {
        "type": "JOINT_FUNCTION", "bone": "forearm.L", "joint_axis": "Y",
        "other_bone": "upper_arm.L", "other_axis": "Z", "ratio": -0.5,
    },
    "Stay": {"type": "DISPLACEMENT", "reference": "PREVIOUS", "weight": 0.02},
    "Centre": {"type": "CENTRE_JOINTS", "weight": 0.03},
    "Limits": {"type": "AVOID_LIMITS", "weight": 0.04},
}  # fmt: skip
# Keys of the influence of "Hold it": frames and values.
INFLUENCE = {6: 0.0, 12: 1.0, 22: 1.0, 28: 0.25}
BODY_PARTS = (("neck", "neck"), ("hand.R", "hand.R"))


def main() -> None:
    """Build both armatures, work on them, and save."""
    import blender_bioik

    if bpy.app.version[:2] != (4, 2):
        raise SystemExit("Make it with bpy 4.2: newer files cannot be opened by all Blenders.")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.register()
    scene = bpy.context.scene
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = FIRST, LAST
    bake_arm(scene)
    place_walker(scene)
    fill(bpy.context.workspace.bioik_overlay, OVERLAY)
    scene.frame_set(FIRST)
    bpy.data.batch_remove([w for w in bpy.data.workspaces if w != bpy.context.workspace])
    bpy.ops.wm.save_as_mainfile(
        filepath=str(FILE), check_existing=False, compress=True, relative_remap=False
    )
    sys.stdout.flush()
    os._exit(0)  # bpy 4.2 crashes on the way out


def bake_arm(scene: bpy.types.Scene) -> None:
    """An arm that reaches for something that moves."""
    arm = bpy.data.objects.new(ARM, bpy.data.armatures.new(ARM))
    scene.collection.objects.link(arm)
    joints = [(-1.5, -0.3 * i, 1.0 + 0.04 * (i == 1)) for i in range(4)]
    rest = [
        skeleton.Bone(name, ARM_BONES[i - 1] if i else "", joints[i], joints[i + 1], (0, 0, 1))
        for i, name in enumerate(ARM_BONES)
    ]
    character.add_bones(arm, rest)
    for frame in range(FIRST, ARM_LAST + 1):
        for number, bone in enumerate(arm.pose.bones):
            bone.rotation_mode = "XYZ"
            bone.rotation_euler = (0.3 * math.sin(0.2 * frame + number), 0.0, 0.1)
            bone.keyframe_insert("rotation_euler", frame=frame)
    target = empty(scene, REACH)
    for frame in range(FIRST, ARM_LAST + 1, 4):
        target.location = (-1.4 + 0.005 * frame, -0.65, 1.1)
        target.keyframe_insert("location", frame=frame)
    goal = arm.bioik.goals.add()
    fill(goal, {"name": "Reach it", "type": "POSITION", "bone": "hand", "head_tail": 1.0})
    goal.target = target
    choose(arm)
    bpy.ops.bioik.bake(frame_start=FIRST, frame_end=ARM_LAST)


def place_walker(scene: bpy.types.Scene) -> None:
    """A person without fingers who walks over hills."""
    walker = bpy.data.objects.new(WALKER, bpy.data.armatures.new(WALKER))
    scene.collection.objects.link(walker)
    rest = [bone for bone in skeleton.bones() if ".0" not in bone.name]
    character.add_bones(walker, rest)
    turns, hips = walk.body_turns(WALK)
    cycles, rows = np.divmod(np.arange(LAST), WALK.cycle_frames)
    path = hips[rows] - cycles[:, None] * np.array([0.0, WALK.stride, 0.0])
    turned = {bone.name: turns[bone.name][rows] for bone in rest if bone.name in turns}
    thin_out(walk.key_turns(walker, rest, turned, path, "Walk"))
    choose(walker)
    rig = walker.bioik
    hills = ground.Hills(height=0.2, wavelength=2.0, begin=0.7)
    made = ground.grid(HILLS, (-4.2, 0.8), 1.6, 0.2, hills.at)
    scene.collection.objects.link(made)
    rig.feet.grounds.add().object = made
    rig.feet.grounds[0].name = HILLS
    for name, bone in BODY_PARTS:
        part = rig.slots.add()
        part.name, part.bone = name, bone
    add_goals(scene, walker)
    for group, values in ((rig.solver, SOLVER), (rig.bake, BAKE), (rig.feet, FEET)):
        fill(group, values)
    bpy.ops.bioik.find_contacts()
    edit_contacts(rig.feet)
    bpy.ops.bioik.place_feet()


def thin_out(action: bpy.types.Action) -> None:
    """Leave every second key, for a smaller file."""
    for curve in action.fcurves:
        for point in reversed(curve.keyframe_points):
            if point.co.x % 2 == 0:
                curve.keyframe_points.remove(point, fast=True)
        curve.update()


def add_goals(scene: bpy.types.Scene, walker: bpy.types.Object) -> None:
    """Goals of every type; the first ones are solved."""
    for name, places in (
        (LOOK, ((0.3, -2.5, 1.7), (-0.4, -4.0, 1.6))),
        (GRIP, ((0.4, 0.05, 1.25), (0.4, -1.75, 1.35))),
    ):
        target = empty(scene, name)
        for frame, place in zip((FIRST, LAST), places, strict=True):
            target.location = place
            target.keyframe_insert("location", frame=frame)
    for solved, goals in ((True, SOLVED), (False, UNSOLVED)):
        for name, values in goals.items():
            goal = walker.bioik.goals.add()
            goal.name, goal.enabled = name, solved
            fill(goal, values)
    hold = walker.bioik.goals["Hold it"]
    for frame, influence in INFLUENCE.items():
        hold.influence = influence
        hold.keyframe_insert("influence", frame=frame)
    walker.bioik.active_goal = 1


def edit_contacts(settings: Any) -> None:
    """Let the last ball of the left foot slide, and the first of the right one begin later."""
    left, right = (
        [number for number, contact in enumerate(settings.contacts)
         if (contact.foot, contact.point) == (f"leg.{side}", "BALL")]
        for side in "LR"
    )  # fmt: skip
    settings.contacts[left[-1]].slides = True
    settings.active_contact = right[0]
    bpy.ops.bioik.move_contact(frames=2, end="START")


def fill(group: Any, values: dict[str, Any]) -> None:
    """Set properties; of pointers, objects by their names."""
    for name, value in values.items():
        pointer = group.bl_rna.properties[name].type == "POINTER"
        setattr(group, name, bpy.data.objects[value] if pointer else value)


def empty(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """An empty in the scene."""
    made = bpy.data.objects.new(name, None)
    made.location = Vector()
    scene.collection.objects.link(made)
    return made


def choose(armature: bpy.types.Object) -> None:
    """Make an armature the one that operators work on."""
    bpy.context.scene.bioik.armature = armature
    bpy.context.view_layer.objects.active = armature


if __name__ == "__main__":
    main()
