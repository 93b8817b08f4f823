"""Characters of the zoo in Blender's current scene: armature, skin, keys, and the truth about them.

A role's pose matrix is its turn and place of the motion applied to its rest matrix, whatever the
rig's parents, tails and rolls are. So all variants of a body move alike.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from blender_bioik.rig.blender import fcurves
from demo import character
from demo.skeleton import Bone

from .body import Body, Floats, Limb
from .characters import CHARACTERS
from .clips import CLIPS
from .controls import add_controls, control_keys
from .posing import Motion, Touch
from .skin import shell

FIRST_FRAME = 1
ORIGIN = "origin"  # what an extra bone follows that never moves
SOLE_SHARE = 0.02  # of the leg's length: vertices of a foot so near its lowest one are its sole


@dataclass(frozen=True)
class TrueLeg:
    """A leg as it is: bones from hip to foot, and where its sole is.

    Attributes:
        name: "leg.L", "front.L", "hind.L", "leg1.L" and so on.
        bones: From hip to foot, names in Blender.
        foot: The bone of the foot.
        toe: The bone after it, None if there is none.
        flat: Whether the foot bone stands on the ground; a dog's does not, its toes do.
        sole: Vertices of the sole by mesh object; none for bare bones.
    """

    name: str
    bones: tuple[str, str, str]
    foot: str
    toe: str | None
    flat: bool
    sole: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Truth:
    """What is known about a character.

    Attributes:
        slots: Bone of each slot of a mapping, names in Blender; spine and neck are lists.
        spine: Bones from pelvis to chest.
        neck: Bones between chest and head.
        legs: In order from the front, left before right.
        height: Metres.
        up: In the armature's rest pose.
        forward: In the armature's rest pose.
        touches: What touches the floor or a prop in the clip, and in which rows.
    """

    slots: Mapping[str, str]
    spine: tuple[str, ...]
    neck: tuple[str, ...]
    legs: tuple[TrueLeg, ...]
    height: float
    up: tuple[float, float, float]
    forward: tuple[float, float, float]
    touches: tuple[Touch, ...] = ()


@dataclass(frozen=True, eq=False)
class Built:
    """A character in the scene.

    Attributes:
        armature: Its action is the clip.
        meshes: The skin and separate parts.
        truth: What is known about it.
        body: What it was made of.
        motion: The clip; None in the rest pose.
        first: First frame.
        last: Last frame.
    """

    armature: bpy.types.Object
    meshes: tuple[bpy.types.Object, ...]
    truth: Truth
    body: Body
    motion: Motion | None
    first: int
    last: int


def build_character(name: str, clip: str | None = None) -> Built:
    """Make a character of the zoo in the current scene; with a clip, it is assigned."""
    body = CHARACTERS[name]()
    motion = CLIPS[clip](body) if clip else None
    return build_body(body, motion, name)


def build_body(body: Body, motion: Motion | None, name: str = "Character") -> Built:
    """Make any body in the current scene, with a clip if there is one."""
    scene = bpy.context.scene
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    scene.collection.objects.link(armature)
    character.add_bones(armature, rig_bones(body))
    meshes = add_skin(armature, body, scene.collection)
    if body.controls:
        add_controls(armature, body)
    last = FIRST_FRAME
    if motion is not None:
        scene.render.fps, scene.render.fps_base = motion.fps, 1.0
        last = _animate(armature, body, motion)
        scene.frame_start, scene.frame_end = FIRST_FRAME, last
    bpy.context.view_layer.update()
    truth = _truth(armature, body, meshes, motion)
    return Built(armature, tuple(meshes), truth, body, motion, FIRST_FRAME, last)


def rig_bones(body: Body) -> list[Bone]:
    """The rest pose as Blender gets it: names, parents, tails, and lying down if it does."""
    made = {bone.name: _rig_bone(body, bone, bone.name) for bone in body.bones}
    extra = {bone.name: _rig_bone(body, bone, bone.name) for bone, _ in body.extra}
    return _parents_first([*made.values(), *extra.values()])


def _rig_bone(body: Body, bone: Bone, role: str) -> Bone:
    turn = np.eye(3) if body.lying is None else body.lying
    parent = body.parents.get(role, bone.parent)
    tail = body.tails.get(role, bone.tail)
    head, tail, z_axis = (
        (turn @ np.array(vector)).tolist() for vector in (bone.head, tail, bone.z_axis)
    )
    return Bone(
        body.named(role),
        body.named(parent) if parent else "",
        tuple(head),
        tuple(tail),
        tuple(z_axis),
    )


def _parents_first(bones: list[Bone]) -> list[Bone]:
    done: list[Bone] = []
    waiting = bones
    while waiting:
        known = {bone.name for bone in done}
        ready = [bone for bone in waiting if not bone.parent or bone.parent in known]
        assert ready, f"No parent for {[bone.name for bone in waiting]}"
        done += ready
        waiting = [bone for bone in waiting if bone not in ready]
    return done


def add_skin(
    armature: bpy.types.Object, body: Body, collection: bpy.types.Collection
) -> list[bpy.types.Object]:
    """A mesh with vertex groups, and one for each part that is an object parented to a bone."""
    made = []
    for name in dict.fromkeys(part.object for part in body.parts):
        parts = [part for part in body.parts if part.object == name]
        surface = shell(parts)
        turn = np.eye(3) if body.lying is None else body.lying
        mesh = bpy.data.meshes.new(name or f"{armature.name} skin")
        mesh.from_pydata((surface.vertices @ turn.T).tolist(), [], surface.faces)
        thing = bpy.data.objects.new(mesh.name, mesh)
        collection.objects.link(thing)
        thing.parent = armature
        if name:
            _parent_to_bone(thing, armature, body.named(parts[0].bone))
        else:
            for role in dict.fromkeys(surface.bones):
                group = thing.vertex_groups.new(name=body.named(role))
                group.add([i for i, own in enumerate(surface.bones) if own == role], 1.0, "REPLACE")
            thing.modifiers.new("Armature", "ARMATURE").object = armature
        made.append(thing)
    return made


def _parent_to_bone(thing: bpy.types.Object, armature: bpy.types.Object, bone: str) -> None:
    """Parent an object to a bone so that it stays where it is in the rest pose."""
    thing.parent_type, thing.parent_bone = "BONE", bone
    rest = armature.data.bones[bone]
    at_tail = np.array(rest.matrix_local)
    at_tail[:3, 3] = rest.tail_local
    thing.matrix_parent_inverse = Matrix(at_tail.tolist()).inverted()


def _animate(armature: bpy.types.Object, body: Body, motion: Motion) -> int:
    """Write a motion as the armature's action; returns its last frame."""
    poses = pose_matrices(armature, body, motion)
    poses |= control_keys(armature, body, poses)
    action = fcurves.new_action(motion.name, armature)
    slot = fcurves.ensure_slot(action, armature)
    container = fcurves.ensure_container(action, slot)
    count = len(next(iter(poses.values())))
    frames = np.arange(FIRST_FRAME, FIRST_FRAME + count)
    for bone in armature.pose.bones:
        if bone.name in poses:
            _key(container, bone, poses, frames)
    fcurves.assign_action(armature, action, slot)
    return int(frames[-1])


def pose_matrices(armature: bpy.types.Object, body: Body, motion: Motion) -> dict[str, Floats]:
    """Pose matrix (f, 4, 4) of each bone in the armature's axes, by name in Blender."""
    turn_back = np.eye(3) if body.lying is None else body.lying.T
    follows = {bone.name: role for bone, role in body.extra}
    roles = [*(bone.name for bone in body.bones), *follows]
    found = {}
    for role in roles:
        leader = follows.get(role, role)
        rest = np.array(armature.data.bones[body.named(role)].matrix_local)
        standing = np.eye(4)
        standing[:3, :3] = turn_back @ rest[:3, :3]
        standing[:3, 3] = turn_back @ rest[:3, 3]
        if leader == ORIGIN:  # a root that stays where it is
            found[body.named(role)] = np.tile(rest, (len(motion.heads[body.root]), 1, 1))
            continue
        turns, heads = motion.turns[leader], motion.heads[leader]
        pose = np.tile(np.eye(4), (len(turns), 1, 1))
        pose[:, :3, :3] = turns @ standing[:3, :3]
        pose[:, :3, 3] = heads + turns @ (standing[:3, 3] - body.head(leader))
        found[body.named(role)] = pose
    return found


def _key(
    container: bpy.types.ID,
    bone: bpy.types.PoseBone,
    poses: Mapping[str, Floats],
    frames: Floats | np.ndarray,
) -> None:
    """Key a bone's rotation, and its location where it moves against its parent."""
    rest = np.array(bone.bone.matrix_local)
    before = poses[bone.name]
    if bone.parent:
        parent_rest = np.array(bone.parent.bone.matrix_local)
        carried = poses.get(bone.parent.name, np.tile(parent_rest, (len(before), 1, 1)))
        rest = carried @ np.linalg.inv(parent_rest) @ rest
    basis = np.linalg.solve(np.broadcast_to(rest, before.shape), before)
    bone.rotation_mode = "QUATERNION"
    _write(container, bone, "rotation_quaternion", quaternions(basis[:, :3, :3]), frames)
    if not bone.parent or abs(basis[:, :3, 3]).max() > 1e-5 * bone.bone.length:
        _write(container, bone, "location", basis[:, :3, 3], frames)


def _write(
    container: bpy.types.ID, bone: bpy.types.PoseBone, channel: str, values: Floats,
    frames: Floats | np.ndarray,
) -> None:  # fmt: skip
    path = bone.path_from_id(channel)
    for index, column in enumerate(values.T):
        group = fcurves.ensure_curve(container, path, index, bone.name)
        fcurves.write_keys(group, frames, column, key_type="KEYFRAME")


def quaternions(turns: Floats) -> Floats:
    """Unit quaternions (n, 4) w, x, y, z of rotations (n, 3, 3), each near the one before."""
    found = np.array([Matrix(turn.tolist()).to_quaternion() for turn in turns])
    for row in range(1, len(found)):
        if found[row] @ found[row - 1] < 0:
            found[row] *= -1
    return found


def _truth(
    armature: bpy.types.Object,
    body: Body,
    meshes: list[bpy.types.Object],
    motion: Motion | None,
) -> Truth:
    turn = np.eye(3) if body.lying is None else body.lying
    named = body.named
    touches = tuple(
        Touch(named(touch.bone), touch.first, touch.stop)
        for touch in (motion.touches if motion else ())
    )
    return Truth(
        _slots(body),
        tuple(named(role) for role in body.spine),
        tuple(named(role) for role in body.neck),
        tuple(true_leg(body, leg, meshes) for leg in body.legs),
        body.height,
        tuple(turn[:, 2].tolist()),
        tuple((-turn[:, 1]).tolist()),
        touches,
    )


def true_leg(body: Body, leg: Limb, meshes: list[bpy.types.Object]) -> TrueLeg:
    """A leg by its names in Blender, with the vertices of its sole."""
    assert leg.sole is not None
    hip, knee, ankle = leg.bones
    bones = body.named(hip), body.named(knee), body.named(ankle)
    # The heel of a foot that stands on the ground is behind the ankle.
    flat = leg.sole[0][1] > body.head(ankle)[1]
    toe = body.named(leg.toe) if leg.toe else None
    return TrueLeg(leg.name, bones, bones[2], toe, flat, _sole(body, meshes, ankle, leg.toe))


def _slots(body: Body) -> dict[str, str]:
    """Slots of a mapping that the body has."""
    found = {"pelvis": body.root, "head": "head"}
    for limb in body.limbs:
        name, _, side = limb.name.partition(".")
        if name == "arm":
            found[f"shoulder.{side}"] = f"shoulder.{side}"
            parts: tuple[str, ...] = ("upper_arm", "forearm", "hand")
        elif name in ("leg", "hind"):
            parts = ("thigh", "shin", "foot")
            if limb.toe:
                found[f"toe.{side}"] = limb.toe
        else:
            continue
        found |= {f"{part}.{side}": role for part, role in zip(parts, limb.bones, strict=True)}
    roles = {bone.name for bone in body.bones}
    return {slot: body.named(role) for slot, role in found.items() if role in roles}


def _sole(
    body: Body, meshes: list[bpy.types.Object], foot: str, toe: str | None
) -> dict[str, tuple[int, ...]]:
    """Vertices of a foot that are near the floor in the rest pose, by mesh."""
    roles = {foot, toe} - {None}
    found = {}
    for thing in meshes:
        name = thing.name if any(part.object == thing.name for part in body.parts) else ""
        surface = shell([part for part in body.parts if part.object == name])
        low = surface.vertices[:, 2] < SOLE_SHARE * body.leg_length
        own = [i for i, bone in enumerate(surface.bones) if bone in roles and low[i]]
        if own:
            found[thing.name] = tuple(own)
    return found
