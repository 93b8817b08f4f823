"""Label of the re-bake button, with the changed frames."""

from __future__ import annotations

import bpy
from bpy.app.translations import contexts, pgettext_iface

from ..rig.record.bake_record import rebake_problem
from ..rig.watch.change_watch import known_change


def rebaking_text(armature: bpy.types.Object) -> str:
    """The button's text: with the changed frames, if they are known."""
    change = known_change(armature)
    if change is None or change.first is None or rebake_problem(armature):
        label = bpy.ops.bioik.rebake.get_rna_type().name
        return pgettext_iface(label, contexts.operator_default)
    return pgettext_iface("Re-Bake {} - {}").format(change.first, change.last)
