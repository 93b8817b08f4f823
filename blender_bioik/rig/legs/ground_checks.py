"""Objects that cannot be ground: parts of the character, and objects that carry it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

import bpy
import numpy as np

from ..errors import RigError
from ..mapping.chosen import rig_mapping
from ..soles.tuning import SOLE_BONES
from ..transforms import Floats

# Constraints that take an object along with their target.
CARRYING = {"CHILD_OF", "COPY_LOCATION", "COPY_TRANSFORMS", "ARMATURE"}
# Properties by which drivers take an object along.
DRIVEN = {"location", "delta_location"}
# Scales this much smaller than the largest are zero, up to the rounding of 32-bit numbers.
ZERO_SCALE = 1e-7
# Changes of a matrix that are more than rounding.
MOVED = 1e-5


def refuse_parts_of_character(
    members: Mapping[bpy.types.Object, bpy.types.ID], armature_object: bpy.types.Object
) -> None:
    """Refuse ground that moves or deforms with the armature.

    Args:
        members: The ground's objects, each with the object or collection that was chosen.
        armature_object: The character.

    Raises:
        RigError: Names the object.
    """
    for object_, chosen in members.items():
        if armature_object not in _hangs_on(object_, _leaders):
            continue
        where = "" if chosen == object_ else f' in collection "{chosen.name}"'
        raise RigError(
            f'"{object_.name}"{where} belongs to the armature "{armature_object.name}": '
            "choose ground that the character does not move."
        )


def without_bodies(
    objects: Iterable[bpy.types.Object], armature_object: bpy.types.Object
) -> list[bpy.types.Object]:
    """Objects of a collection without the bodies of other characters than an armature."""
    owners = {object_: object_.find_armature() for object_ in objects}
    others = set(owners.values()) - {None, armature_object}
    characters = {other for other in others if _has_legs(other)}
    return [object_ for object_, owner in owners.items() if owner not in characters]


def _has_legs(armature_object: bpy.types.Object) -> bool:
    try:
        return any(leg.foot for leg in rig_mapping(armature_object).legs)
    except RigError:
        return False


def shared_carriers(
    members: Mapping[bpy.types.Object, bpy.types.ID], armature_object: bpy.types.Object
) -> dict[bpy.types.Object, bpy.types.Object]:
    """Objects that carry both the armature and ground, each with an object of that ground."""
    above = _hangs_on(armature_object, _carriers)
    return {
        carrier: object_ for object_ in members for carrier in above & _hangs_on(object_, _carriers)
    }


def refuse_carrier(
    carrier: bpy.types.Object, ground: bpy.types.Object, armature_object: bpy.types.Object
) -> None:
    """Refuse moving ground that takes the character along already.

    Raises:
        RigError: Always.
    """
    what = f'"{carrier.name}"' if carrier != ground else "it"
    raise RigError(
        f'The ground "{ground.name}" carries the character along, because the armature '
        f'"{armature_object.name}" depends on {what} by a parent, constraint or driver: clear '
        "this while keeping the transformation, or choose ground that does not move."
    )


def refuse_singular(object_: bpy.types.Object, matrix: Floats) -> None:
    """Refuse an object of the ground whose place is no number, or whose scale is zero.

    Raises:
        RigError: Names the object.
    """
    if not np.isfinite(matrix).all():
        raise RigError(
            f'The ground "{object_.name}" has an invalid transformation (NaN/inf): fix it.'
        )
    if is_singular(matrix):
        raise RigError(f'The ground "{object_.name}" has zero scale: set its scale, or apply it.')


def is_singular(matrix: Floats) -> bool:
    """Whether a matrix is singular."""
    sizes = np.linalg.svd(matrix[:3, :3], compute_uv=False)
    return bool(sizes[-1] <= ZERO_SCALE * sizes[0])


def has_moved(before: Floats, now: Floats) -> bool:
    """Whether matrices of two frames differ by more than rounding."""
    return bool(np.abs(before - now).max() > MOVED * max(1.0, np.abs(before).max()))


def _hangs_on(
    object_: bpy.types.Object,
    above: Callable[[bpy.types.Object], Iterator[bpy.types.Object | None]],
) -> set[bpy.types.Object]:
    """The object and everything it depends on, directly or indirectly."""
    found, waiting = set(), [object_]
    while waiting:
        here = waiting.pop()
        if here is not None and here not in found:
            found.add(here)
            waiting.extend(above(here))
    return found


def _carriers(object_: bpy.types.Object) -> Iterator[bpy.types.Object | None]:
    """The objects that carry an object along."""
    yield object_.parent
    for constraint in (*object_.constraints, *_constraints_of_roots(object_)):
        if constraint.type in CARRYING and not constraint.mute:
            yield from _targets(constraint)
    for driver in object_.animation_data.drivers if object_.animation_data else ():
        if driver.data_path in DRIVEN:
            for variable in driver.driver.variables:
                yield from (t.id for t in variable.targets if isinstance(t.id, bpy.types.Object))


def _constraints_of_roots(object_: bpy.types.Object) -> Iterator[bpy.types.Constraint]:
    """Constraints of bones that carry most of an armature."""
    bones = object_.pose.bones if object_.pose else ()
    # `children_recursive` compares a bone with all others: seconds for a rig of 700 bones.
    carried = Counter(parent.name for bone in bones for parent in bone.parent_recursive)
    for bone in bones:
        if carried[bone.name] > SOLE_BONES.carried_bones * len(bones):
            yield from bone.constraints


def _leaders(object_: bpy.types.Object) -> Iterator[bpy.types.Object | None]:
    """The objects that move or deform an object."""
    yield object_.parent
    for constraint in object_.constraints:
        if not constraint.mute:
            yield from _targets(constraint)
    for modifier in object_.modifiers:
        if modifier.show_viewport:
            yield getattr(modifier, "object", None)


def _targets(constraint: bpy.types.Constraint) -> Iterator[bpy.types.Object | None]:
    if hasattr(constraint, "targets"):
        yield from (target.target for target in constraint.targets)
    else:
        yield getattr(constraint, "target", None)
