"""Characters of the zoo in Blender's current scene: armature, skin and clip."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from demo import character
from demo.skeleton import Bone

from .body import Body
from .characters import CHARACTERS
from .clips import CLIPS
from .controls import add_controls
from .keys import FIRST_FRAME, animate
from .posing import Motion
from .skin import shell, skin_weights
from .truth import Truth, truth_of


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
    _stand(armature, body)
    character.add_bones(armature, rig_bones(body))
    meshes = add_skin(armature, body, scene.collection)
    if body.controls:
        add_controls(armature, body)
    last = FIRST_FRAME
    if motion is not None:
        scene.render.fps, scene.render.fps_base = motion.fps, 1.0
        last = animate(armature, body, motion)
        scene.frame_start, scene.frame_end = FIRST_FRAME, last
    bpy.context.view_layer.update()
    truth = truth_of(body, meshes, motion)
    return Built(armature, tuple(meshes), truth, body, motion, FIRST_FRAME, last)


def _stand(armature: bpy.types.Object, body: Body) -> None:
    """Turn and scale the object, or an empty that it hangs on."""
    carrier = armature
    if body.under_empty:
        carrier = bpy.data.objects.new("Root", None)
        bpy.context.scene.collection.objects.link(carrier)
        armature.parent = carrier
    place = np.eye(4)
    place[:3, :3] = body.unit * body.object_turn
    carrier.matrix_world = Matrix(place.tolist())


def rig_bones(body: Body) -> list[Bone]:
    """The rest pose as Blender gets it: names, parents, tails, and lying down if it does."""
    made = {bone.name: _rig_bone(body, bone, bone.name) for bone in body.bones}
    extra = {bone.name: _rig_bone(body, bone, bone.name) for bone, _ in body.extra}
    return _parents_first([*made.values(), *extra.values()])


def _rig_bone(body: Body, bone: Bone, role: str) -> Bone:
    parent = body.parents.get(role, bone.parent)
    tail = body.tails.get(role, bone.tail)
    return Bone(
        body.named(role),
        body.named(parent) if parent else "",
        body.rig_point(bone.head),
        body.rig_point(tail),
        body.rig_point(bone.z_axis),
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
        mesh = bpy.data.meshes.new(name or f"{armature.name} skin")
        mesh.from_pydata([body.rig_point(place) for place in surface.vertices], [], surface.faces)
        thing = bpy.data.objects.new(mesh.name, mesh)
        collection.objects.link(thing)
        thing.parent = armature
        if name:
            _parent_to_bone(thing, armature, body.named(parts[0].bone))
        else:
            for role, weights in skin_weights(body, surface).items():
                group = thing.vertex_groups.new(name=body.named(role))
                for vertex, weight in weights.items():
                    group.add([vertex], weight, "REPLACE")
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
