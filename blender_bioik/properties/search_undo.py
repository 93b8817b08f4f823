"""An undo step for values typed into a search field, which Blender does not push.

This holds for every string drawn with `prop_search`, including the bone of a constraint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy


def typed_step(name: str) -> Callable[[Any, bpy.types.Context], None]:
    """An update callback that pushes an undo step if the property was edited in its field.

    Operators and scripts set the same property without a second step, because then no field of it
    is active.
    """

    def update(self: Any, context: bpy.types.Context) -> None:
        used = None if bpy.app.background else context.property
        if used is not None and used[:2] == (self.id_data, self.path_from_id(name)):
            bpy.ops.ed.undo_push(message=self.bl_rna.properties[name].name)

    return update
