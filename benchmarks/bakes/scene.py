"""The scene that is baked: a humanoid of 65 bones with keys on every frame, and what it shall do.

Everything is made by formulas, so that a clip of any length is the same motion, only longer. The
feet have targets that stay 2 to 6 cm away from where they are animated, and turned against them;
the head has something to look at. The same wishes can be given to our bake as goals and to Blender
as constraints. Metres; the humanoid faces -Y, its left is +X.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from benchmarks.bakes.quality import Floats, world_matrices
from blender_bioik.rig.blender import fcurves

FPS = 30
BONES = 65
SIDES = {"L": 1.0, "R": -1.0}
FOOT, SHIN, HEAD = "Foot", "Shin", "Head"
NAME, GAZE = "Humanoid", "Gaze"
MOVED = (*(f"{bone}.{side}" for side in SIDES for bone in ("Thigh", SHIN, FOOT)), HEAD)
"""The bones that Blender's constraints move, and our goals where they have these chains."""

Point = tuple[float, float, float]
FORWARD, UP = (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)
_GOLDEN = 0.5 * (np.sqrt(5.0) - 1.0)  # its multiples give phases that never repeat


@dataclass(frozen=True)
class BakeScene:
    """A scene of its own with the animated humanoid, and the targets by name."""

    scene: bpy.types.Scene
    armature: bpy.types.Object
    frames: int
    targets: dict[str, bpy.types.Object]


@dataclass(frozen=True)
class _Bone:
    name: str
    parent: str
    head: Point
    tail: Point
    z_axis: Point = FORWARD


def build(scene: bpy.types.Scene, frames: int) -> BakeScene:
    """Fill an empty scene, which must be the window's, with a clip of frames 1 to `frames`."""
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = 1, frames
    armature = _armature(scene)
    seconds = np.arange(frames) / FPS
    _animate(armature, seconds)
    feet = [f"{FOOT}.{side}" for side in SIDES]
    places = world_matrices(scene, armature, feet, frames)
    targets = {foot: _empty(scene, f"{foot} target") for foot in feet}
    for number, target in enumerate(targets.values()):
        _follow_beside(target, places[:, number], seconds, phase=2.0 * number)
    targets[GAZE] = _empty(scene, GAZE)
    _fly(targets[GAZE], seconds)
    return BakeScene(scene, armature, frames, targets)


def found(scene: bpy.types.Scene) -> BakeScene:
    """The humanoid and its targets in a scene that was built and saved."""
    feet = {f"{FOOT}.{side}": scene.objects[f"{FOOT}.{side} target"] for side in SIDES}
    targets = feet | {GAZE: scene.objects[GAZE]}
    return BakeScene(scene, scene.objects[NAME], scene.frame_end, targets)


def add_goals(stage: BakeScene, *, to_the_root: bool) -> None:
    """Ask our bake for both foot poses and the look.

    Args:
        stage: The scene.
        to_the_root: Whether all bones up to the root may move, or only `MOVED`.
    """
    goals = stage.armature.bioik.goals
    goals.clear()
    for name, target in stage.targets.items():
        kinds = ("LOOK_AT",) if name == GAZE else ("POSITION", "ORIENTATION")
        for kind in kinds:
            goal = goals.add()
            goal.name, goal.type, goal.target = f"{name} {kind}", kind, target
            goal.bone = HEAD if name == GAZE else name
            if name == GAZE:
                goal.axis = (0.0, 0.0, 1.0)
            length = 1 if name == GAZE else 3
            goal.chain_length = 0 if to_the_root else length


def add_constraints(stage: BakeScene) -> None:
    """Ask Blender for the same: IK of thigh and shin, Copy Rotation and Damped Track."""
    bones = stage.armature.pose.bones
    for side in SIDES:
        target = stage.targets[f"{FOOT}.{side}"]
        reach = bones[f"{SHIN}.{side}"].constraints.new("IK")
        reach.target, reach.chain_count = target, 2
        bones[f"{FOOT}.{side}"].constraints.new("COPY_ROTATION").target = target
    look = bones[HEAD].constraints.new("DAMPED_TRACK")
    look.target, look.track_axis = stage.targets[GAZE], "TRACK_Z"


# The skeleton


def _armature(scene: bpy.types.Scene) -> bpy.types.Object:
    armature = bpy.data.objects.new(NAME, bpy.data.armatures.new(NAME))
    scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit_bones = armature.data.edit_bones
    for bone in _bones():
        edit_bone = edit_bones.new(bone.name)
        edit_bone.head, edit_bone.tail = bone.head, bone.tail
        edit_bone.align_roll(Vector(bone.z_axis))
        if bone.parent:
            parent = edit_bones[bone.parent]
            edit_bone.parent = parent
            edit_bone.use_connect = (edit_bone.head - parent.tail).length < 1e-6
    bpy.ops.object.mode_set(mode="OBJECT")
    if len(armature.data.bones) != BONES:
        raise RuntimeError(f"The humanoid has {len(armature.data.bones)} bones, not {BONES}.")
    return armature


def _bones() -> list[_Bone]:
    trunk = _chain(
        "",
        ("Hips", "Spine", "Spine1", "Spine2", "Neck", HEAD, "HeadTop"),
        [(0.0, 0.0, z) for z in (0.96, 1.06, 1.18, 1.31, 1.46, 1.56, 1.76, 1.80)],
    )
    return [*trunk, *(bone for side in SIDES for bone in (*_leg(side), *_arm(side)))]


def _leg(side: str) -> list[_Bone]:
    x = 0.1 * SIDES[side]
    hip, knee, ankle = (x, 0.0, 0.93), (x, -0.01, 0.51), (x, 0.0, 0.09)
    ball, toe, end = (x, -0.13, 0.02), (x, -0.19, 0.02), (x, -0.21, 0.02)
    leg = _chain("Hips", (f"Thigh.{side}", f"{SHIN}.{side}"), [hip, knee, ankle])
    names = [f"{name}.{side}" for name in (FOOT, "Toe", "ToeEnd")]
    return leg + _chain(leg[-1].name, names, [ankle, ball, toe, end], UP)


def _arm(side: str) -> list[_Bone]:
    def at(x: float, y: float = 0.0, z: float = 1.42) -> Point:
        return (SIDES[side] * x, y, z)

    names = [f"{name}.{side}" for name in ("Shoulder", "Arm", "ForeArm", "Hand")]
    arm = _chain("Spine2", names, [at(0.03), at(0.17), at(0.45), at(0.71), at(0.79)])
    for finger, y in (("Thumb", -5), ("Index", -3), ("Middle", -1), ("Ring", 1), ("Pinky", 3)):
        phalanges = [f"{finger}{number}.{side}" for number in (1, 2, 3, 4)]
        knuckle = 0.74 if finger == "Thumb" else 0.80
        joints = [at(knuckle + length, 0.01 * y) for length in (0.0, 0.035, 0.06, 0.08, 0.09)]
        arm += _chain(names[-1], phalanges, joints)
    return arm


def _chain(
    parent: str, names: Sequence[str], joints: Sequence[Point], z_axis: Point = FORWARD
) -> list[_Bone]:
    parents = [parent, *names]
    return [
        _Bone(name, parents[i], joints[i], joints[i + 1], z_axis) for i, name in enumerate(names)
    ]


# The motion


def _animate(armature: bpy.types.Object, seconds: Floats) -> None:
    """Key every bone's rotation on every frame, and the place of the hips."""
    channels: dict[tuple[str, str], Floats] = {}
    for number, bone in enumerate(armature.pose.bones):
        turn = quaternions(_turn(bone.name, number, seconds))
        channels[f'pose.bones["{bone.name}"].rotation_quaternion', bone.name] = turn
    channels['pose.bones["Hips"].location', "Hips"] = _path_of_hips(seconds)
    _key(armature, channels)


def _turn(bone: str, number: int, seconds: Floats) -> Floats:
    """Rotation vectors (f, 3) of a bone: a march on bent knees, or a sway of the bone's own."""
    name, _, side = bone.partition(".")
    stride = 2.0 * np.pi * 0.9 * seconds + (np.pi if side == "R" else 0.0)
    lively = 1.0 + 0.25 * np.sin(0.37 * seconds + number)
    phases = 2.0 * np.pi * _GOLDEN * (3 * number + np.arange(3))
    speeds = 1.1 + 1.7 * np.mod(_GOLDEN * (3 * number + np.arange(3)), 1.0)
    turn = 0.06 * np.sin(seconds[:, None] * speeds + phases)
    if name == "Thigh":
        turn[:, 0] += 0.55 + 0.28 * lively * np.sin(stride)
    elif name == SHIN:
        turn[:, 0] -= 1.2 + 0.24 * lively * np.sin(stride + 1.2)
    elif name == FOOT:
        turn[:, 0] += 0.6 + 0.12 * lively * np.sin(stride + 0.6)
    elif name == "Arm":
        turn[:, 0] += 0.3 * lively * np.sin(stride)
    return turn


def _path_of_hips(seconds: Floats) -> Floats:
    """Place in the bone's own axes: bobbing, on a slow circle of half a metre."""
    stride, way = 2.0 * np.pi * 0.9 * seconds, 0.3 * seconds
    bob = 0.03 * np.sin(2.0 * stride) - 0.1
    return np.stack([0.5 * np.sin(way), bob, 0.5 * np.cos(way)], axis=1)


def _follow_beside(target: bpy.types.Object, places: Floats, seconds: Floats, phase: float) -> None:
    """Key a foot's target 2 to 6 cm beside the foot, turned by up to ten degrees."""
    apart = 0.04 + 0.02 * np.sin(1.3 * seconds + phase)
    around, up = 0.9 * seconds + phase, 0.5 * np.sin(0.7 * seconds)
    away = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)], axis=1)
    speeds = np.array([0.8, 1.1, 0.6])
    turn = quaternions(0.1 * np.sin(seconds[:, None] * speeds + phase + np.arange(3)))
    turned = _product(turn, _of_matrices(places[:, :3, :3]))
    _key(
        target,
        {
            ("location", ""): places[:, :3, 3] + apart[:, None] * away,
            ("rotation_quaternion", ""): _continuous(turned),
        },
    )


def _fly(gaze: bpy.types.Object, seconds: Floats) -> None:
    """Key something that flies to and fro in front of the face."""
    path = np.stack(
        [
            0.9 * np.sin(0.8 * seconds),
            np.full_like(seconds, -2.5),
            1.5 + 0.4 * np.sin(1.3 * seconds),
        ],
        axis=1,
    )
    _key(gaze, {("location", ""): path})


def _empty(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    empty = bpy.data.objects.new(name, None)
    empty.rotation_mode = "QUATERNION"
    scene.collection.objects.link(empty)
    return empty


def _key(owner: bpy.types.Object, channels: dict[tuple[str, str], Floats]) -> None:
    """Give an object an action with a key on every frame; columns (f, k) by path and group."""
    action = fcurves.new_action(f"{owner.name} source", owner)
    action.use_fake_user = True
    slot = fcurves.ensure_slot(action, owner)
    container = fcurves.ensure_container(action, slot)
    for (path, group), columns in channels.items():
        for index, values in enumerate(columns.T):
            curve = fcurves.ensure_curve(container, path, index, group)
            frames = np.arange(1, len(values) + 1)
            fcurves.write_keys(curve, frames, values, key_type="KEYFRAME")
    fcurves.assign_action(owner, action, slot)


# Quaternions w, x, y, z


def quaternions(turn: Floats) -> Floats:
    """Unit quaternions (f, 4) of rotation vectors (f, 3)."""
    half = 0.5 * np.linalg.norm(turn, axis=1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * turn], axis=1)


def _product(a: Floats, b: Floats) -> Floats:
    w = a[:, :1] * b[:, :1] - np.sum(a[:, 1:] * b[:, 1:], axis=1, keepdims=True)
    xyz = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.concatenate([w, xyz], axis=1)


def _of_matrices(rotations: Floats) -> Floats:
    from mathutils import Matrix

    return np.array([Matrix(rotation).to_quaternion() for rotation in rotations])


def _continuous(values: Floats) -> Floats:
    """The same rotations without changes of sign from frame to frame."""
    turns_over = np.sum(values[1:] * values[:-1], axis=1) < 0.0
    signs = np.where(np.cumsum(turns_over) % 2, -1.0, 1.0)
    return np.concatenate([values[:1], signs[:, None] * values[1:]])
