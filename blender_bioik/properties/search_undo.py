"""A step of undo for what is typed into a search field, which Blender leaves out.

It does so for every string that is drawn with `prop_search`: for the bone of a constraint, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy


def typed_step(name: str) -> Callable[[Any, bpy.types.Context], None]:
    """What is called when a property changes, and notes a step if that was done in its field.

    Operators and scripts set the same property: their steps are not doubled, because then no field
    of it is in use.
    """

    def update(self: Any, context: bpy.types.Context) -> None:
        used = None if bpy.app.background else context.property
        if used is not None and used[:2] == (self.id_data, self.path_from_id(name)):
            bpy.ops.ed.undo_push(message=self.bl_rna.properties[name].name)

    return update
