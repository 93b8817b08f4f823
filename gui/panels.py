"""The extension's panels, opened and hidden as a story needs them. Used inside Blender."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import bpy

from .acts.setup import MODULE

Panels = dict[str, list[type[Any]]]


def opened_panels() -> Panels:
    """The panels of the sidebar by name, each with those inside it; all are made to be open.

    The extension must not have been enabled yet.
    """
    groups: Panels = {}
    for panel in sidebar_panels():
        panel.bl_options = set(getattr(panel, "bl_options", ())) - {"DEFAULT_CLOSED"}
        parent = getattr(panel, "bl_parent_id", panel.__name__)
        groups.setdefault(parent.removeprefix("BIOIK_PT_"), []).append(panel)
    return groups


def sidebar_panels() -> list[type[Any]]:
    """All panels of the extension's tab, in their order."""
    classes = importlib.import_module(f"{MODULE}.panels").CLASSES
    return [panel for panel in classes if getattr(panel, "bl_category", "")]


@contextmanager
def only_panels(group: list[type[Any]]) -> Iterator[None]:
    """No other panels in the extension's tab."""
    others = [panel for panel in sidebar_panels() if panel not in group]
    for panel in reversed(others):
        bpy.utils.unregister_class(panel)
    yield
    for panel in others:
        bpy.utils.register_class(panel)
