"""What is recorded: scenes, and what is done in them step by step.

Part of record_keys.py. A case begins in an empty file, does its steps with the product's operators,
and yields a name after each one of which the result shall be recorded. The armature is the one that
is picked for the scene. Scenes come from the demo and the benchmarks; these imports are the only
ones of the project's own modules.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any, TypeAlias

import bpy
import numpy as np
from mathutils import Vector

from benchmarks.bakes import scene as bake_scene
from benchmarks.bakes.scene import BakeScene
from benchmarks.feet import scenes as feet_scenes
from benchmarks.feet.clips import SHARED
from demo import character, course, gait, goals, ground, skeleton, stage, walk

Steps: TypeAlias = Iterator[str]
Case: TypeAlias = Callable[[], Steps]

# Clips and grounds of the benchmark, as they are placed without any setting.
FEET = (
    *("walk.flat", "walk.slope", "walk.hills", "walk.stairs", "walk.short_stairs", "walk.rocks"),
    *("walk.lift", "walk.slide", "run.hills", "run.short_stairs", "trot.rocks", "trot.platform"),
    *("02_01.platform", "02_01@30.stairs", "35_01@30.other_rocks", "16_17.hills", "09_01@30.rocks"),
    *("83_27.slope_down", "03_01.flat", "robot_walk.hills", "robot_run.stairs"),
)
# Characters of the shared data folder that are no clips of the benchmark, and what they play.
CHARACTERS = {
    "KayKit_Mage": "Walking_A",
    "Quaternius_Character": "CharacterArmature|Run",
    "Quaternius_Husky": "AnimalArmature|Walk",
    "Quaternius_Velociraptor": "Armature|Velociraptor_Walk",
}
CLIP_FRAMES = 60  # of the humanoid whose goals are baked
SOLUTIONS = 5


def cases() -> dict[str, Case]:
    """All cases that can be made here, by name."""
    return {
        "demo.course": demo_course,
        "demo.stage": demo_stage,
        **{name: partial(feet, name) for name in FEET if feet_scenes.available(name)},
        **{name: partial(imported, name) for name in CHARACTERS if _file(name).exists()},
        **FEET_CASES,
        **GOAL_CASES,
        **OTHER_CASES,
    }


def _of_scene(options: dict[str, Any]) -> dict[str, Any]:
    """Options with the scene's range, unless they have another one."""
    own = options.keys() & {"range", "frame_start", "frame_end"}
    return options if own else {"range": "SCENE"} | options


def demo_course() -> Steps:
    """Feet placed on hills and stairs."""
    built = course.build()
    _choose(built.armature)
    _stand_on(built.armature, *built.grounds)
    bpy.ops.bioik.place_feet(range="SCENE")
    yield "placed"


def demo_stage() -> Steps:
    """A look, a hold and something to avoid."""
    built = stage.build()
    _choose(built.armature)
    goals.add_goals(built)
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


# Feet


def feet(scene: str, **settings: Any) -> Steps:
    """A scene of the benchmark, with settings of foot placement."""
    armature = _feet_scene(scene)
    for name, value in settings.items():
        setattr(armature.bioik.feet, name, value)
    bpy.ops.bioik.place_feet(range="SCENE")
    yield "placed"


def imported(name: str) -> Steps:
    """A character from a file on a slope across its way."""
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_scene.gltf(filepath=str(_file(name)))
    armature = next(made for made in bpy.data.objects if made.type == "ARMATURE")
    _play(armature, bpy.data.actions[CHARACTERS[name]])
    made = ground.grid("Slope", (-8.0, 8.0), 16.0, 0.5, lambda x, y: 0.1 * x - 0.05 * y)
    bpy.context.scene.collection.objects.link(made)
    _choose(armature)
    _stand_on(armature, made)
    bpy.ops.bioik.place_feet(range="ACTION")
    yield "placed"


def feet_keyed(scene: str, **options: Any) -> Steps:
    """A scene of the benchmark, with options of what is keyed."""
    _feet_scene(scene)
    bpy.ops.bioik.place_feet(**_of_scene(options))
    yield "placed"


def feet_preset(scene: str, preset: str) -> Steps:
    """A scene of the benchmark, with a preset."""
    _feet_scene(scene)
    bpy.ops.bioik.apply_preset(kind="FEET", name=preset)
    bpy.ops.bioik.place_feet(range="SCENE")
    yield "placed"


def feet_contacts() -> Steps:
    """Contacts found, some edited."""
    armature = _feet_scene("walk.hills")
    bpy.ops.bioik.find_contacts()
    yield "found"
    settings = armature.bioik.feet
    balls = [number for number, contact in enumerate(settings.contacts) if contact.point == "BALL"]
    settings.contacts[balls[2]].slides = True
    settings.active_contact = balls[3]
    bpy.ops.bioik.move_contact(frames=-2, end="END")
    settings.active_contact = balls[1]
    bpy.ops.bioik.remove_contact()
    bpy.ops.bioik.place_feet(range="SCENE")
    yield "placed"


def feet_turned() -> Steps:
    """An armature object that is turned, larger and elsewhere, on a collection of grounds."""
    armature = _feet_scene("walk.lift")
    holder = bpy.data.objects.new("Holder", None)
    bpy.context.scene.collection.objects.link(holder)
    grounds = bpy.data.collections.new("Grounds")
    bpy.context.scene.collection.children.link(grounds)
    settings = armature.bioik.feet
    for each in settings.grounds:
        each.object.parent = holder
        grounds.objects.link(each.object)
    settings.grounds.clear()
    settings.grounds.add().collection = grounds
    for thing in (holder, armature):
        thing.location, thing.rotation_euler = (1.0, -2.0, 0.3), (0.0, 0.0, 0.7)
        thing.scale = (1.25, 1.25, 1.25)
    bpy.context.view_layer.update()
    bpy.ops.bioik.place_feet(range="SCENE")
    yield "placed"


def feet_loop() -> Steps:
    """An idle on a slope: a loop whose feet are locked."""
    frames = 33
    armature = character.build(bpy.context.scene.collection)
    made = ground.grid("Slope", (-4.0, 4.0), 4.0, 0.5, lambda x, y: -0.2 * y)
    bpy.context.scene.collection.objects.link(made)
    turn = 2.0 * np.pi * np.arange(frames) / (frames - 1)
    rest = skeleton.bones()
    turns = {bone.name: np.tile(np.eye(3), (frames, 1, 1)) for bone in rest}
    turns["chest"] = gait.about_x(0.1 * np.sin(turn))
    hips = np.tile(np.array(next(bone.head for bone in rest if not bone.parent)), (frames, 1))
    hips[:, :2] += 0.01 * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    walk.key_turns(armature, rest, turns, hips, "Idle")
    _choose(armature)
    _stand_on(armature, made)
    bpy.ops.bioik.place_feet(range="ACTION")
    yield "placed"


def feet_and_goals() -> Steps:
    """Feet placed with goals of head, hands and a foot."""
    armature = _feet_scene("walk.hills")
    scene = bpy.context.scene
    look, grip, kick = (_empty(name) for name in ("Look", "Grip", "Kick"))
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        hips = armature.pose.bones["hips"].head
        _key_place(look, hips + Vector((0.4, -2.5, 0.9)), frame)
        _key_place(grip, hips + Vector((0.35, -0.3, 0.3)), frame)
    kick.location = (0.15, -2.6, 0.5)
    scene.frame_set(scene.frame_start)
    _goal(armature, "LOOK_AT", "head", look, axis=(0.0, 0.0, 1.0), chain_length=2)
    _goal(armature, "POSITION", "hand.L", grip, head_tail=1.0, chain_length=3)
    _goal(armature, "DISTANCE", "hand.R", other_bone="thigh.R", distance=0.25, chain_length=3)
    window = {"use_frame_range": True, "frame_start": 60, "frame_end": 66}
    _goal(armature, "POSITION", "foot.L", kick, **window, blend_in=5, blend_out=5)
    bpy.ops.bioik.place_feet(range="SCENE")
    yield "placed"


FEET_CASES: dict[str, Case] = {
    "feet.follow": partial(feet, "walk.hills", planting="FOLLOW", slope=0.5),
    "feet.body": partial(
        feet, "walk.stairs", pelvis_tilt=0.3, spine_share=True, hands="WORLD", pelvis_sideways=0.05
    ),
    "feet.swing": partial(
        feet, "walk.other_hills", floor="HEIGHT", swing=1.0, ease=0.1, step_up=0.1
    ),
    "feet.no curves": partial(feet, "walk.rocks", plot=False, markers=False, loop="OFF"),
    "feet.layer": partial(
        feet_keyed, "walk.stairs", output="LAYER", blend_in=8, blend_out=8, step=2
    ),
    "feet.in place": partial(
        feet_keyed, "run.hills", output="IN_PLACE", frame_start=20, frame_end=90, blend_in=6
    ),
    "feet.step": partial(feet_keyed, "trot.hills", step=3),
    "feet.preset": partial(feet_preset, "trot.slope", "Quadruped on Terrain"),
    "feet.preset stairs": partial(feet_preset, "walk.short_stairs", "Stairs"),
    "feet.contacts": feet_contacts,
    "feet.turned": feet_turned,
    "feet.loop": feet_loop,
    "feet.and goals": feet_and_goals,
}


# Goals


def goals_reach(*, to_the_root: bool = False, **options: Any) -> Steps:
    """Places and turns of both feet, and a look."""
    built = _humanoid()
    bake_scene.add_goals(built, to_the_root=to_the_root)
    built.armature.bioik.solver.move_root = to_the_root
    bpy.ops.bioik.bake(**_of_scene(options))
    yield "baked"


def goals_solver(**settings: Any) -> Steps:
    """The same with settings of the solver; one hand has something far away to reach, too."""
    built = _humanoid()
    bake_scene.add_goals(built, to_the_root=False)
    _goal(built.armature, "POSITION", "Hand.L", point=(0.9, -0.9, 1.9), chain_length=4)
    for name, value in settings.items():
        setattr(built.armature.bioik.solver, name, value)
    bpy.ops.bioik.bake(frame_end=30)
    yield "baked"


def goals_selected() -> Steps:
    """Only the selected bones move."""
    built = _humanoid()
    bake_scene.add_goals(built, to_the_root=True)
    built.armature.bioik.solver.scope = "SELECTED"
    for bone in built.armature.pose.bones:
        owner = bone if hasattr(bone, "select") else bone.bone  # up to Blender 4.5
        owner.select = bone.name in bake_scene.MOVED
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_constraints() -> Steps:
    """The rig's own constraints solved as goals."""
    built = _humanoid()
    bake_scene.add_constraints(built)
    built.armature.bioik.solver.read_constraints = True
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_from_constraints() -> Steps:
    """Goals made from the rig's constraints, which stay as they are."""
    built = _humanoid()
    bake_scene.add_constraints(built)
    bpy.ops.bioik.goals_from_constraints()
    yield "made"
    bpy.ops.bioik.bake(range="SCENE", mute_constraints=False)
    yield "unmuted"
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_limits() -> Steps:
    """IK limits and limiting constraints; goals about joints."""
    built = _humanoid()
    armature = built.armature
    bake_scene.add_goals(built, to_the_root=False)
    knee = armature.pose.bones["Shin.L"]
    knee.use_ik_limit_x = True
    knee.ik_min_x, knee.ik_max_x, knee.lock_ik_z = -1.1, 0.0, True
    limit = armature.pose.bones["Head"].constraints.new("LIMIT_ROTATION")
    limit.use_limit_x = limit.use_limit_z = True
    limit.min_x, limit.max_x, limit.min_z, limit.max_z = -0.3, 0.3, -0.4, 0.4
    limit.owner_space = "LOCAL"
    _goal(armature, "JOINT_VALUE", "ForeArm.R", joint_axis="X", angle_value=0.4, chain_length=2)
    _goal(
        armature, "JOINT_FUNCTION", "Toe.R", other_bone="Foot.R", ratio=-0.5, angle_value=0.1,
        chain_length=1,
    )  # fmt: skip
    _goal(armature, "CENTRE_JOINTS", weight=0.01)
    _goal(armature, "AVOID_LIMITS", weight=0.01)
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_balance() -> Steps:
    """The centre of mass over a place while the feet stay with their targets."""
    built = _humanoid()
    armature = built.armature
    bake_scene.add_goals(built, to_the_root=True)
    over = _empty("Over")
    for frame in (1, 30, CLIP_FRAMES):
        _key_place(over, Vector((0.1 - 0.003 * frame, 0.45 + 0.001 * frame, 0.0)), frame)
    _goal(armature, "BALANCE", target=over)
    _goal(armature, "DISPLACEMENT", reference="PREVIOUS", weight=0.02)
    armature.bioik.solver.move_root = True
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_distance() -> Steps:
    """Hands kept away from things and near each other."""
    built = _humanoid()
    armature = built.armature
    ball = _empty("Ball")
    for frame in (1, 20, 40, CLIP_FRAMES):
        _key_place(ball, Vector((0.6, 0.3 + 0.01 * frame, 1.2 + 0.005 * frame)), frame)
    for side in bake_scene.SIDES:
        at_hand = {"head_tail": 1.0, "chain_length": 4}
        _goal(armature, "DISTANCE", f"Hand.{side}", ball, distance=0.5, **at_hand)
    _goal(
        armature, "MAX_DISTANCE", "Hand.L", other_bone="Hand.R", distance=0.9, chain_length=4,
        offset=(0.0, 0.02, 0.01),
    )  # fmt: skip
    _goal(armature, "DISTANCE", "Hand.R", other_bone="Head", distance=0.6, activation=0.1)
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_aim() -> Steps:
    """Directions, cones, planes, lines, touching and poles."""
    built = _humanoid()
    armature, gaze = built.armature, built.targets[bake_scene.GAZE]
    z_axis, arm = (0.0, 0.0, 1.0), {"chain_length": 3}
    _goal(armature, "LOCKED_LOOK_AT", "Neck", gaze, axis=z_axis, lock_axis=(0.0, 1.0, 0.0))
    _goal(armature, "DIRECTION", "Hand.L", direction=(0.3, -1.0, 0.2), **arm)
    _goal(armature, "CONE", "Hand.R", gaze, direction=z_axis, angle=0.4, **arm)
    _goal(armature, "PLANE", "ForeArm.L", point=(0.0, -0.2, 1.3), direction=(0.0, 1.0, 0.3), **arm)
    _goal(armature, "LINE", "ForeArm.R", point=(-0.4, 0.4, 1.2), direction=(0.2, 1.0, 0.1), **arm)
    _goal(armature, "TOUCH", "Foot.L", radius=0.02, point=(0.0, 0.0, 0.05), chain_length=3)
    _goal(armature, "ABOVE", "Foot.R", point=(0.0, 0.0, 0.2), chain_length=3)
    _goal(armature, "POLE", "Shin.R", point=(-0.8, -1.5, 0.6), chain_length=3)
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_influence() -> Steps:
    """Animated influence, ranges that blend, weights and preferences."""
    built = _humanoid()
    armature = built.armature
    bake_scene.add_goals(built, to_the_root=False)
    first, second, third, *_ = armature.bioik.goals
    for frame, influence in ((5, 0.0), (20, 1.0), (35, 0.4), (50, 0.0)):
        first.influence = influence
        first.keyframe_insert("influence", frame=frame)
    second.influence, second.tolerance_angle = 0.6, 0.1
    third.use_frame_range, third.frame_start, third.frame_end = True, 20, 35
    third.blend_in, third.blend_out, third.weight = 8, 4, 2.5
    _goal(armature, "POSITION", "Hand.R", point=(-0.4, -0.6, 1.5), is_preference=True)
    bpy.ops.bioik.bake(range="SCENE", blend_in=5, blend_out=10)
    yield "baked"


def goals_modes() -> Steps:
    """Bones of all rotation modes, locked channels and a turned armature object."""
    built = _humanoid()
    armature = built.armature
    modes = cycle(("XYZ", "ZYX", "AXIS_ANGLE", "QUATERNION", "YXZ"))
    for bone, mode in zip(armature.pose.bones, modes, strict=False):
        bone.rotation_mode = mode
    for frame in (1, 25, CLIP_FRAMES):
        for number, bone in enumerate(armature.pose.bones):
            bone.rotation_euler = (0.2 * math.sin(frame + number), 0.1, 0.05)
            bone.keyframe_insert("rotation_euler", frame=frame)
    armature.pose.bones["Thigh.L"].lock_rotation[1] = True
    armature.location, armature.rotation_euler = (0.1, 0.2, 0.0), (0.0, 0.1, 0.3)
    bake_scene.add_goals(built, to_the_root=True)
    _goal(
        armature, "ORIENTATION", "Hand.L", built.targets[bake_scene.GAZE], rotation=(0.5, 0.0, 0.2)
    )
    bpy.ops.bioik.bake(range="SCENE")
    yield "baked"


def goals_preset() -> Steps:
    """Goals of a preset, and one of them mirrored."""
    built = stage.build()
    armature = built.armature
    _choose(armature)
    built.lantern.select_set(True)
    bpy.ops.bioik.apply_preset(kind="GOALS", name="Head Look-At")
    bpy.ops.bioik.apply_preset(kind="GOALS", name="Two-Hand Reach")
    bpy.ops.bioik.apply_preset(kind="SOLVER", name="Fast Preview")
    yield "applied"
    armature.bioik.goals.clear()
    _goal(armature, "POSITION", "hand.L", built.lantern, chain_length=3)
    armature.bioik.active_goal = 0
    bpy.ops.bioik.mirror_goal()
    yield "mirrored"
    bpy.ops.bioik.bake(frame_end=60)
    yield "baked"


GOAL_CASES: dict[str, Case] = {
    "goals.reach": goals_reach,
    "goals.root": partial(goals_reach, to_the_root=True),
    "goals.in place": partial(
        goals_reach, output="IN_PLACE", frame_start=10, frame_end=45, blend_in=6, blend_out=4
    ),
    "goals.layer": partial(goals_reach, to_the_root=True, output="LAYER", step=3, blend_in=6),
    "goals.local": partial(goals_solver, strategy="LOCAL", displacement=0.1),
    "goals.evolution": partial(goals_solver, strategy="EVOLUTION", evaluations=500, seed=3),
    "goals.each frame": partial(goals_solver, smoothness=0.0, use_limits=False),
    "goals.selected": goals_selected,
    "goals.constraints": goals_constraints,
    "goals.from constraints": goals_from_constraints,
    "goals.limits": goals_limits,
    "goals.balance": goals_balance,
    "goals.distance": goals_distance,
    "goals.aim": goals_aim,
    "goals.influence": goals_influence,
    "goals.modes": goals_modes,
    "goals.preset": goals_preset,
}


# Live solving, other solutions, and what is done again


def live() -> Steps:
    """The pose follows a moved target, a posed bone and the current frame."""
    armature, targets = _with_targets()
    bpy.ops.bioik.toggle_live()
    yield "on"
    for number in range(3):
        targets[number].location = targets[number].location + Vector((0.05, -0.04, 0.03))
        bpy.context.view_layer.update()
        yield f"target moved {number}"
    armature.pose.bones["Spine1"].rotation_quaternion = (0.99, 0.08, 0.02, 0.0)
    bpy.context.view_layer.update()
    yield "bone posed"
    for frame in (21, 22, 40):
        bpy.context.scene.frame_set(frame)
        yield f"frame {frame}"
    targets[2].location = (3.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    yield "target away"
    bpy.ops.bioik.key_live_pose()
    yield "keyed"
    bpy.ops.bioik.toggle_live()
    bpy.context.view_layer.update()
    yield "off"


def solutions() -> Steps:
    """Other poses of an arm, and one of them keyed."""
    armature, targets = _with_targets()
    for goal in armature.bioik.goals:
        goal.enabled, goal.chain_length = goal.bone == "Hand.L", 4
    bones = armature.pose.bones
    targets[2].location = bones["Arm.L"].head.lerp(bones["Hand.L"].head, 0.6)
    for number in range(SOLUTIONS):
        bpy.context.scene.frame_set(20)
        bpy.ops.bioik.browse_solutions(index=number, count=SOLUTIONS, key=False)
        yield f"{number}"
    bpy.context.scene.frame_set(20)
    bpy.ops.bioik.browse_solutions(index=1, count=2)
    yield "keyed"


def rebake_goals(output: str) -> Steps:
    """Goals baked again after changes of a target, a goal and keys in a part of the frames."""
    built = _humanoid()
    armature = built.armature
    bake_scene.add_goals(built, to_the_root=False)
    armature.bioik.bake.rebake_blend = 4
    bpy.ops.bioik.bake(range="SCENE", output=output, blend_in=3)
    yield "baked"
    target = built.targets["Foot.L"]
    for frame in range(28, 34):
        bpy.context.scene.frame_set(frame)
        _key_place(target, target.location + Vector((0.04, 0.0, 0.05)), frame)
    bpy.ops.bioik.rebake()
    yield "target moved"
    goal = armature.bioik.goals[2]
    goal.use_frame_range, goal.frame_start, goal.frame_end = True, 1, 50
    bpy.ops.bioik.rebake()
    yield "goal ended"
    if output == "NEW_ACTION":
        bpy.ops.bioik.delete_generated_keys(frame_start=10, frame_end=14)
        yield "keys deleted"
        bpy.ops.bioik.rebake()
        yield "keys again"


def rebake_feet(output: str) -> Steps:
    """Feet placed again after changes of a contact and of the ground."""
    armature = _feet_scene("walk.hills")
    armature.bioik.bake.rebake_blend = 5
    bpy.ops.bioik.place_feet(range="SCENE", output=output)
    yield "placed"
    balls = [contact for contact in armature.bioik.feet.contacts if contact.point == "BALL"]
    balls[3].slides = True
    bpy.ops.bioik.rebake()
    yield "contact edited"
    hills = armature.bioik.feet.grounds[0].object
    for vertex in hills.data.vertices:
        if vertex.co.y < -5.0:
            vertex.co.z += 0.03
    hills.data.update()
    bpy.context.view_layer.update()
    bpy.ops.bioik.rebake()
    yield "ground raised"


OTHER_CASES: dict[str, Case] = {
    "live": live,
    "solutions": solutions,
    "rebake.goals": partial(rebake_goals, "NEW_ACTION"),
    "rebake.goals layer": partial(rebake_goals, "LAYER"),
    "rebake.feet": partial(rebake_feet, "NEW_ACTION"),
    "rebake.feet layer": partial(rebake_feet, "LAYER"),
}


# Scenes and what is in them


def _feet_scene(name: str) -> bpy.types.Object:
    """A scene of the benchmark with its grounds chosen; its armature."""
    with contextlib.redirect_stdout(io.StringIO()):  # importers print what nobody asked for
        built = feet_scenes.build(name)
    _choose(built.clip.armature)
    _stand_on(built.clip.armature, *built.grounds)
    return built.clip.armature


def _file(character: str) -> Path:
    return SHARED / "characters" / f"{character}.glb"


def _play(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Play an action alone; the importer puts all of them into NLA tracks."""
    data = armature.animation_data
    for track in list(data.nla_tracks):
        data.nla_tracks.remove(track)
    data.action = action
    if hasattr(data, "action_slot"):  # from Blender 4.4 on
        data.action_slot = action.slots[0]


def _humanoid() -> BakeScene:
    built = bake_scene.build(bpy.context.scene, CLIP_FRAMES)
    _choose(built.armature)
    bpy.context.scene.frame_set(1)
    return built


def _with_targets() -> tuple[bpy.types.Object, Sequence[bpy.types.Object]]:
    """The humanoid in frame 20 with targets near its hands, feet and before its face."""
    armature = _humanoid().armature
    bpy.context.scene.frame_set(20)
    targets = []
    for bone in ("Foot.L", "Foot.R", "Hand.L", "Hand.R", "Head"):
        target = _empty(f"{bone} place")
        look = bone == "Head"
        away = Vector((0.0, -2.0, 0.0)) if look else Vector((0.03, -0.03, 0.05))
        target.location = armature.pose.bones[bone].head + away
        axis = (0.0, 0.0, 1.0) if look else (0.0, 1.0, 0.0)
        _goal(armature, "LOOK_AT" if look else "POSITION", bone, target, axis=axis)
        targets.append(target)
    bpy.context.view_layer.update()
    return armature, targets


def _choose(armature: bpy.types.Object) -> None:
    """Make an armature the one that operators work on."""
    bpy.context.scene.bioik.armature = armature
    for other in bpy.context.view_layer.objects:
        other.select_set(other == armature)
    bpy.context.view_layer.objects.active = armature


def _stand_on(armature: bpy.types.Object, *grounds: bpy.types.Object) -> None:
    for thing in grounds:
        armature.bioik.feet.grounds.add().object = thing


def _goal(
    armature: bpy.types.Object,
    kind: str,
    bone: str = "",
    target: bpy.types.Object | None = None,
    **settings: Any,
) -> None:
    goal = armature.bioik.goals.add()
    goal.name, goal.type, goal.bone, goal.target = f"{kind} {bone}", kind, bone, target
    for name, value in settings.items():
        setattr(goal, name, value)


def _empty(name: str) -> bpy.types.Object:
    made = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(made)
    return made


def _key_place(thing: bpy.types.Object, place: Any, frame: int) -> None:
    thing.location = place
    thing.keyframe_insert("location", frame=frame)
