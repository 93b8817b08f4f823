"""The demo character with legs and arms that IK controls move, walking by keys on these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from blender_bioik.rig.blender import fcurves

from .walkers import FIRST, LAST, SIDES, walker

LEG, ARM = ("thigh", "shin", "foot"), ("upper_arm", "forearm", "hand")
FORWARD = Vector((0.0, -0.6, 0.0))
# How much the animator has rolled the feet about the ball, radians.
ROLLED = 0.3


def controlled_walker(
    *,
    pole: bool = True,
    stretch: float = 0.0,
    roll: bool = False,
    held: bool = False,
    arms: bool = False,
    toes: bool = False,
    rolled_toes: bool = False,
    copied: bool = False,
    from_rest: bool = False,
    on: str = "hills",
) -> bpy.types.Object:
    """The walker of `walkers`, whose feet follow controls.

    Args:
        pole: Whether knees point to poles.
        stretch: IK Stretch of the legs' bones.
        roll: Whether there are pivots at the ball that the animator has turned.
        held: Whether the controls of the feet have a Child Of.
        arms: Whether hands follow controls, too.
        toes: Whether toes copy controls of their own.
        rolled_toes: Whether toes copy the foot's control, above the pivot at the ball.
        copied: Whether the legs copy IK chains of their own.
        from_rest: Whether feet copy what level controls have turned since the rest pose.
        on: Its ground, as of `walker`.
    """
    rig = walker(on=on)
    limbs = [LEG, ARM] if arms else [LEG]
    wanted = _poses(rig)
    roll = roll or rolled_toes
    _add_controls(rig, limbs, pole=pole, roll=roll)
    if copied:
        _copy_chains(rig)
    if from_rest:
        _lay_level(rig)
    if held:
        _hold(rig)
    for side in SIDES:
        for bones in limbs:
            _constrain(rig, bones, side, pole=pole)
        for part in LEG[:2]:
            rig.pose.bones[f"{part}.{side}"].ik_stretch = stretch
        if toes:
            _copy(rig, f"toe.{side}", _added_toe(rig, side), "COPY_TRANSFORMS")
        if rolled_toes:
            _copy(rig, f"toe.{side}", _added_toe(rig, side, "foot_ik"), "COPY_ROTATION")
    _forget(rig, [f"{part}.{side}" for side in SIDES for limb in limbs for part in limb])
    if toes or rolled_toes:
        _forget(rig, [f"toe.{side}" for side in SIDES])
    for frame, matrices in wanted.items():
        _key(rig, frame, matrices, limbs, pole=pole, roll=roll)
    bpy.context.scene.frame_set(FIRST)
    return rig


def _poses(rig: bpy.types.Object) -> dict[int, dict[str, Matrix]]:
    found = {}
    for frame in range(FIRST, LAST + 1):
        bpy.context.scene.frame_set(frame)
        found[frame] = {bone.name: bone.matrix.copy() for bone in rig.pose.bones}
    return found


def _add_controls(
    rig: bpy.types.Object, limbs: Sequence[Sequence[str]], *, pole: bool, roll: bool
) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for side in SIDES:
        for _upper, lower, end in limbs:
            parent = _add(bones, f"{end}_ik.{side}", bones[f"{end}.{side}"], None)
            if roll and end == "foot":
                parent = _add(bones, f"ball_pivot.{side}", bones[f"toe.{side}"], parent)
            _add(bones, f"{end}_target.{side}", bones[f"{end}.{side}"], parent)
            if pole:
                made = bones.new(f"{lower}_pole.{side}")
                made.head = bones[f"{lower}.{side}"].head + (FORWARD if end == "foot" else -FORWARD)
                made.tail = made.head + Vector((0.0, 0.0, 0.1))
                made.use_deform = False
    bpy.ops.object.mode_set(mode="OBJECT")


def _add(bones: Any, name: str, at: Any, parent: Any) -> Any:
    made = bones.new(name)
    made.head, made.tail, made.roll = at.head, at.tail, at.roll
    made.parent, made.use_deform = parent, False
    return made


def _copy_chains(rig: bpy.types.Object) -> None:
    """Let IK move bones beside those of the legs, which copy them, or FK controls by a switch."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    for side in SIDES:
        for kind in ("fk", "chain"):
            parent = bones["hips"]
            for part in LEG if kind == "fk" else LEG[:2]:
                parent = _add(bones, f"{part}_{kind}.{side}", bones[f"{part}.{side}"], parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.bones["hips"]["fk"] = 0.0
    for side in SIDES:
        for part in LEG:
            _copy(rig, f"{part}.{side}", f"{part}_fk.{side}", "COPY_TRANSFORMS")
            _switched(_copies(rig, part, side))


def _lay_level(rig: bpy.types.Object) -> None:
    """Lay targets and controls of feet level, and let the feet copy how far these have turned."""
    bpy.ops.object.mode_set(mode="EDIT")
    for side in SIDES:
        for name in ("foot_ik", "foot_target"):
            bone = rig.data.edit_bones[f"{name}.{side}"]
            bone.tail = bone.head + Vector((0.05, -0.1, 0.0))
            bone.roll = 0.4
    bpy.ops.object.mode_set(mode="OBJECT")
    for side in SIDES:
        turn = _copy(rig, f"foot.{side}", f"foot_target.{side}", "COPY_ROTATION")
        turn.owner_space = turn.target_space = "LOCAL_WITH_PARENT"


def _copies(rig: bpy.types.Object, part: str, side: str) -> bpy.types.Constraint:
    """The constraint that lets a bone of a leg copy what IK moves."""
    source = f"foot_target.{side}" if part == "foot" else f"{part}_chain.{side}"
    kind = "COPY_ROTATION" if part == "foot" else "COPY_TRANSFORMS"
    return _copy(rig, f"{part}.{side}", source, kind)


def _switched(constraint: bpy.types.Constraint) -> None:
    """Let the property "fk" of the hips take a constraint's influence away."""
    driver = constraint.driver_add("influence").driver
    variable = driver.variables.new()
    variable.targets[0].id = constraint.id_data
    variable.targets[0].data_path = 'pose.bones["hips"]["fk"]'
    driver.expression = "1 - var"


def _copy(rig: bpy.types.Object, bone: str, source: str, kind: str) -> bpy.types.Constraint:
    made = rig.pose.bones[bone].constraints.new(kind)
    made.target, made.subtarget = rig, source
    return made


def _added_toe(rig: bpy.types.Object, side: str, parent: str = "foot_target") -> str:
    """A control of a toe."""
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    name = f"toe_control.{side}" if parent == "foot_target" else f"toe_follows.{side}"
    _add(bones, name, bones[f"toe.{side}"], bones[f"{parent}.{side}"])
    bpy.ops.object.mode_set(mode="OBJECT")
    return name


def _hold(rig: bpy.types.Object) -> None:
    """Let the controls of the feet follow an object that moves."""
    mount = bpy.data.objects.new("Mount", None)
    bpy.context.scene.collection.objects.link(mount)
    for frame, x in ((FIRST, 0.3), (LAST, -0.4)):
        mount.location, mount.rotation_euler = (x, 0.1, 0.2), (0.1, x, 0.5)
        mount.keyframe_insert("location", frame=frame)
        mount.keyframe_insert("rotation_euler", frame=frame)
    for side in SIDES:
        rig.pose.bones[f"foot_ik.{side}"].constraints.new("CHILD_OF").target = mount


def _constrain(rig: bpy.types.Object, bones: Sequence[str], side: str, *, pole: bool) -> None:
    _, lower, end = bones
    tip = f"{lower}_chain.{side}"
    tip = tip if tip in rig.pose.bones else f"{lower}.{side}"
    ik = rig.pose.bones[tip].constraints.new("IK")
    ik.target, ik.subtarget, ik.chain_count = rig, f"{end}_target.{side}", 2
    if pole:
        ik.pole_target, ik.pole_subtarget = rig, f"{lower}_pole.{side}"
        ik.pole_angle = pole_angle(rig, bones, side)
    if not rig.pose.bones[f"{end}.{side}"].constraints:
        _copy(rig, f"{end}.{side}", f"{end}_target.{side}", "COPY_ROTATION")


def pole_angle(rig: bpy.types.Object, bones: Sequence[str], side: str) -> float:
    """The angle from the upper bone's X to the pole in the rest pose, about its Y."""
    upper, lower, _ = (rig.data.bones[f"{part}.{side}"] for part in bones)
    out = rig.data.bones[f"{bones[1]}_pole.{side}"].head_local - upper.head_local
    along = lower.tail_local - upper.head_local
    x, z = (upper.matrix_local.col[k].to_3d() for k in (0, 2))
    out -= along * (out @ along) / along.length_squared
    return float(np.arctan2(out @ z, out @ x))


def _forget(rig: bpy.types.Object, bones: Sequence[str]) -> None:
    container = fcurves.assigned_container(rig)
    assert container is not None
    for curve in list(container.fcurves):
        if any(f'"{bone}"' in curve.data_path for bone in bones):
            container.fcurves.remove(curve)
    for bone in bones:
        rig.pose.bones[bone].matrix_basis = Matrix()


def _key(
    rig: bpy.types.Object,
    frame: int,
    wanted: dict[str, Matrix],
    limbs: Sequence[Sequence[str]],
    *,
    pole: bool,
    roll: bool,
) -> None:
    bpy.context.scene.frame_set(frame)
    for side in SIDES:
        if roll:
            pivot = rig.pose.bones[f"ball_pivot.{side}"]
            pivot.rotation_mode, pivot.rotation_euler = "XYZ", (ROLLED, 0.0, 0.0)
            pivot.keyframe_insert("rotation_euler", frame=frame)
    for _ in range(2):
        bpy.context.view_layer.update()
        for side in SIDES:
            for _upper, lower, end in limbs:
                control, target = (rig.pose.bones[f"{end}_{n}.{side}"] for n in ("ik", "target"))
                offset = target.matrix.inverted() @ control.matrix
                rest = rig.data.bones[f"{end}.{side}"].matrix_local
                level = target.bone.matrix_local.to_3x3() @ rest.to_3x3().inverted()
                foot = wanted[f"{end}.{side}"]
                turned = level @ foot.to_3x3()
                aim = Matrix.Translation(foot.to_translation()) @ turned.to_4x4()
                _put(rig, control, aim @ offset)
                if pole:
                    bone = rig.pose.bones[f"{lower}_pole.{side}"]
                    out = FORWARD if end == "foot" else -FORWARD
                    knee = wanted[f"{lower}.{side}"].to_translation()
                    _put(rig, bone, Matrix.Translation(knee + out))
    for side in SIDES:
        for _upper, lower, end in limbs:
            rig.pose.bones[f"{end}_ik.{side}"].keyframe_insert("location", frame=frame)
            rig.pose.bones[f"{end}_ik.{side}"].keyframe_insert("rotation_quaternion", frame=frame)
            if pole:
                rig.pose.bones[f"{lower}_pole.{side}"].keyframe_insert("location", frame=frame)


def _put(rig: bpy.types.Object, bone: bpy.types.PoseBone, matrix: Matrix) -> None:
    spaces = {"from_space": "LOCAL", "to_space": "POSE"}
    own = rig.convert_space(pose_bone=bone, matrix=bone.matrix_basis, **spaces)
    bare = (bone.matrix @ own.inverted()).inverted() @ matrix
    spaces = {"from_space": "POSE", "to_space": "LOCAL"}
    bone.matrix_basis = rig.convert_space(pose_bone=bone, matrix=bare, **spaces)
