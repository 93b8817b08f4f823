"""The lists of grounds: those of characters, and that of the scene."""

# No `from __future__ import annotations`: Blender reads the annotations as properties.
from typing import Any

import bpy
from bpy.props import BoolProperty

from ...rig.blender.ground_items import shares_ground
from ...ui_state.characters import chosen_characters
from ...ui_state.chosen_armature import chosen_armature, poll_armature, poll_problem
from ...ui_state.problems import NO_GROUND
from ..library_items import poll_own


class BIOIK_OT_add_ground(bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Add the selected meshes to the ground, or an empty slot if none is selected"""  # noqa: D415

    bl_idname = "bioik.add_ground"
    bl_label = "Add Ground"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    bodies: BoolProperty(
        name="Include Bodies",
        description="Add selected meshes that another armature deforms, too",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Append them to the lists of all selected characters, and make the last one active."""
        armatures = chosen_characters(context)
        owners = [_owner(context, armature) for armature in armatures]
        done: list[Any] = []
        for armature, owner in zip(armatures, owners, strict=True):
            if owner not in done:  # several may stand on the scene's
                done.append(owner)
                _add(owner, self._chosen(context, armature, owner))
        return {"FINISHED"}

    def _chosen(
        self, context: bpy.types.Context, armature: bpy.types.Object, owner: Any
    ) -> list[bpy.types.Object]:
        there = {ground.object for ground in owner.grounds}
        return [
            selected
            for selected in context.selected_objects
            if selected.type == "MESH"
            and selected.find_armature() != armature
            and (self.bodies or selected.find_armature() is None)
            and selected not in there
        ]


class BIOIK_OT_remove_ground(bpy.types.Operator):  # noqa: N801
    """Remove the active ground from the lists of the selected characters"""  # noqa: D415

    bl_idname = "bioik.remove_ground"
    bl_label = "Remove Ground"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an active ground."""
        if not poll_armature(cls, context):
            return False
        owner = _shown(context)
        if not 0 <= owner.active_ground < len(owner.grounds):
            return poll_problem(cls, "Select a ground in the list")
        if owner == context.scene.bioik:
            return True
        way_out = "The ground comes from the library: choose another object for it instead"
        return poll_own(cls, owner.grounds[owner.active_ground], "bioik.feet.grounds", way_out)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Remove it, and make the previous one active."""
        shown = _shown(context)
        item = shown.grounds[shown.active_ground]
        gone = item.object, item.collection
        owners = [_owner(context, armature) for armature in chosen_characters(context)]
        _remove(shown, shown.active_ground)
        for owner in owners if any(gone) else ():
            for number in reversed(range(len(owner.grounds))):
                if (owner.grounds[number].object, owner.grounds[number].collection) == gone:
                    _remove(owner, number)
        return {"FINISHED"}


class BIOIK_OT_share_ground(bpy.types.Operator):  # noqa: N801
    """Use this ground for all characters of the scene that have none of their own"""  # noqa: D415

    bl_idname = "bioik.share_ground"
    bl_label = "Set Scene Ground"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the character has a ground of its own."""
        if not poll_armature(cls, context):
            return False
        armature = chosen_armature(context)
        assert armature is not None
        own = armature.bioik.feet.grounds
        return poll_problem(cls, "" if any(g.object or g.collection for g in own) else NO_GROUND)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Make it the scene's; the lists of the selected characters are emptied."""
        armature = chosen_armature(context)
        assert armature is not None
        scene = context.scene.bioik
        scene.grounds.clear()
        _copy(armature.bioik.feet.grounds, scene.grounds)
        for each in chosen_characters(context):
            each.bioik.feet.grounds.clear()
        return {"FINISHED"}


class BIOIK_OT_own_ground(bpy.types.Operator):  # noqa: N801
    """Give the selected characters a ground of their own, which begins as that of the scene"""  # noqa: D415

    bl_idname = "bioik.own_ground"
    bl_label = "Use Own Ground"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether the character stands on the scene's ground."""
        if not poll_armature(cls, context):
            return False
        armature = chosen_armature(context)
        assert armature is not None
        shared = shares_ground(armature, context.scene)
        return poll_problem(cls, "" if shared else "The character has a ground of its own already")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Copy the list."""
        for armature in chosen_characters(context):
            if shares_ground(armature, context.scene):
                armature.bioik.feet.grounds.clear()
                _copy(context.scene.bioik.grounds, armature.bioik.feet.grounds)
        return {"FINISHED"}


def _owner(context: bpy.types.Context, armature: bpy.types.Object) -> Any:
    """What has the list of grounds that an armature stands on: its settings, or the scene's."""
    shared = shares_ground(armature, context.scene)
    return context.scene.bioik if shared else armature.bioik.feet


def _shown(context: bpy.types.Context) -> Any:
    armature = chosen_armature(context)
    assert armature is not None
    return _owner(context, armature)


def _add(owner: Any, chosen: list[bpy.types.Object]) -> None:
    for ground in chosen or [None]:
        added = owner.grounds.add()
        added.object = ground
        # Library overrides identify it by its name.
        added.name = _free_name(owner.grounds, ground.name if ground else "Ground")
    owner.active_ground = len(owner.grounds) - 1


def _remove(owner: Any, number: int) -> None:
    owner.grounds.remove(number)
    owner.active_ground = max(0, min(owner.active_ground, len(owner.grounds) - 1))


def _copy(grounds: Any, wanted: Any) -> None:
    for ground in grounds:
        if ground.object or ground.collection:
            added = wanted.add()
            added.object, added.collection = ground.object, ground.collection
            added.name = _free_name(wanted, ground.name)


def _free_name(grounds: Any, name: str) -> str:
    """The name, with a numeric suffix if another ground has it."""
    taken = {ground.name for ground in grounds}
    numbered = (f"{name}.{number:03}" for number in range(1, len(taken) + 2))
    return name if name not in taken else next(n for n in numbered if n not in taken)
