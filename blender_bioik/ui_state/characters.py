"""The characters that operators act on: the one in the sidebar, and others that are selected."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from .chosen_armature import chosen_armature, picked_armature


def chosen_characters(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The armature in the sidebar and, if it is selected, all others that are selected with it.

    A mesh that an armature deforms stands for it. While an armature is pinned, it is the only one.
    """
    chosen = chosen_armature(context)
    if chosen is None:
        return []
    selected = [_character(found) for found in context.selected_objects]
    if picked_armature(context) is not None or chosen not in selected:
        return [chosen]
    others = {found.name_full: found for found in selected if found not in (None, chosen)}
    return [chosen, *(others[name] for name in sorted(others))]


def problem_of_all(
    context: bpy.types.Context, problem_of: Callable[[bpy.types.Object | None], str]
) -> str:
    """Why nothing can be done for any of the characters; empty if it can for one of them."""
    problems = [problem_of(found) for found in chosen_characters(context)]
    if not problems:
        return problem_of(None)
    return problems[0] if all(problems) else ""


def _character(selected: bpy.types.Object) -> bpy.types.Object | None:
    return selected if selected.type == "ARMATURE" else selected.find_armature()
