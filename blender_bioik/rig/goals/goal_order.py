"""Goals in their list: moved, removed and copied together with their animation.

F-curves and drivers refer to a goal by its index in the list, so they are renumbered with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import bpy

from ..blender import fcurves
from ..errors import RigError

_GOAL = re.compile(r"^bioik\.goals\[(\d+)\]")


def remove_goal(armature_object: bpy.types.Object, number: int) -> None:
    """Remove a goal, with the F-curves and drivers that animate it.

    Raises:
        RigError: The animation of the goals is not editable; nothing is changed.
    """

    def place(old: int) -> int | None:
        if old == number:
            return None
        return old - 1 if old > number else old

    _renumber(armature_object, place)
    armature_object.bioik.goals.remove(number)


def move_goal(armature_object: bpy.types.Object, number: int, place: int) -> None:
    """Move a goal to another place in the list.

    Raises:
        RigError: The animation of the goals is not editable; nothing is changed.
    """

    def moved(old: int) -> int:
        if old == number:
            return place
        between = number < old <= place or place <= old < number
        return old + ((-1 if place > number else 1) if between else 0)

    _renumber(armature_object, moved)
    armature_object.bioik.goals.move(number, place)


def copy_goal(armature_object: bpy.types.Object, number: int, *, but: Iterable[str] = ()) -> Any:
    """A copy of a goal below it, with most of its properties and without animation.

    Raises:
        RigError: The animation of the goals is not editable; nothing is changed.
    """
    goals = armature_object.bioik.goals
    _renumber(armature_object, lambda old: old + 1 if old > number else old)
    goals.add()
    copy_properties(goals[number], goals[-1], but=but)
    goals.move(len(goals) - 1, number + 1)
    return goals[number + 1]


def copy_properties(goal: Any, copy: Any, *, but: Iterable[str] = ()) -> None:
    """Copy the properties of another goal, except for some."""
    skipped = {"rna_type", *but}
    for name in (prop.identifier for prop in goal.bl_rna.properties):
        if name in skipped:
            continue
        if goal.is_property_set(name):
            setattr(copy, name, getattr(goal, name))
        else:
            copy.property_unset(name)


def _renumber(armature_object: bpy.types.Object, place: Callable[[int], int | None]) -> None:
    """Renumber F-curves and drivers to the goals' new indices, or delete them (None)."""
    changed = [
        (owner, curves, curve, found)
        for owner, curves in _animation(armature_object)
        for curve in curves
        if (found := _GOAL.match(curve.data_path)) and place(int(found[1])) != int(found[1])
    ]
    for owner, *_ in changed:
        if owner.library is not None or owner.override_library is not None:
            raise RigError(
                f'Goals are animated by their index in "{owner.name}", which is linked: make it '
                "local first."
            )
    for _, curves, curve, found in changed:
        new = place(int(found[1]))
        if new is None:
            curves.remove(curve)
        else:
            curve.data_path = f"bioik.goals[{new}]" + curve.data_path[found.end() :]


def _animation(armature_object: bpy.types.Object) -> Iterator[tuple[bpy.types.ID, Any]]:
    """All F-curves and drivers of an armature object, with the data-block that holds them."""
    data = armature_object.animation_data
    if data is None:
        return
    played = [(data.action, fcurves.assigned_container(armature_object))]
    for track in data.nla_tracks:
        played += [(strip.action, fcurves.strip_container(strip)) for strip in _flat(track.strips)]
    done = set()
    for action, container in played:
        if container is not None and container.as_pointer() not in done:
            done.add(container.as_pointer())
            yield action, container.fcurves
    # Drivers of an override belong to its library.
    library = armature_object.override_library
    yield (library.reference if library else armature_object), data.drivers


def _flat(strips: Iterable[bpy.types.NlaStrip]) -> Iterator[bpy.types.NlaStrip]:
    for strip in strips:
        yield strip
        yield from _flat(strip.strips)
