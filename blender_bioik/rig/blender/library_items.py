"""Items of lists that an override has from its library."""

from __future__ import annotations

from typing import Any


def is_from_library(item: Any, path: str) -> bool:
    """Whether an override has an item of a list from its library.

    Args:
        item: Item of a list of an armature object.
        path: Where the list is, from the object.
    """
    override = item.id_data.override_library
    if override is None or override.reference is None:
        return False
    # Overrides know items by their names.
    return item.name in override.reference.path_resolve(path)
