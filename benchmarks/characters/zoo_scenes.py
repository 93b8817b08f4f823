"""Characters of the zoo as subjects of the benchmark."""

from __future__ import annotations

import bpy

import zoo
from benchmarks.characters.subject import Contact, Leg, Subject
from zoo.body import Body


def build(name: str, clip: str) -> tuple[Subject, zoo.Built]:
    """Make a character with a clip in the open, empty file."""
    built = zoo.build(name, clip)
    return subject_of(built), built


def subject_of(built: zoo.Built) -> Subject:
    """What the zoo knows about a character."""
    body, named = built.body, built.body.named
    legs = tuple(
        Leg(leg.name, leg.bones, leg.toe, tuple(bone for bone in (leg.foot, leg.toe) if bone))
        for leg in built.truth.legs
    )
    # Seats and backs roll: they are no contacts that one could lock.
    trunk = {named(role) for role in (body.root, *body.spine)}
    contacts = tuple(
        Contact(touch.bone, touch.first, touch.stop)
        for touch in built.truth.touches
        if touch.bone not in trunk
    )
    # Who rolls over the back turns with the ground, as crawlers do.
    rolling = {touch.bone for touch in built.truth.touches} & {named(role) for role in body.spine}
    links = tuple((named(bone.parent), named(bone.name)) for bone in body.bones if bone.parent)
    return Subject(
        built.armature,
        built.meshes,
        built.first,
        built.last,
        named(body.root),
        legs,
        links,
        upper_bones(body, {contact.bone for contact in contacts} | rolling),
        body.height,
        contacts=contacts,
        in_place=not contacts,
    )


def upper_bones(body: Body, touching: set[str]) -> tuple[str, ...]:
    """Bones that belong to no leg and to no chain with a contact; none of crawlers."""
    legs = {role for leg in body.legs for role in (*leg.bones, leg.toe)}
    if any(body.named(bone.name) in touching for bone in body.bones if bone.name not in legs):
        return ()
    # Trunks on more than two legs follow the slope on purpose.
    if len(body.legs) > 2:
        return ()
    return tuple(
        body.named(bone.name) for bone in body.bones if bone.name not in {*legs, body.root}
    )


def facing() -> tuple[float, float]:
    """Which way the zoo faces: its scenes need no turn."""
    return (0.0, -1.0)


def scene() -> bpy.types.Scene:
    """An empty file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return bpy.context.scene
