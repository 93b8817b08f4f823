"""Labels of the interface in the user's language."""

from __future__ import annotations

from bpy.app.translations import pgettext_iface

OWN = "Bio-IK"
"""Context of words whose translation by Blender does not fit, since Blender's own comes first."""


def interface_label(label: str) -> str:
    """A label of ours or of Blender, ours first."""
    own = pgettext_iface(label, OWN)
    return pgettext_iface(label) if own == label else own
