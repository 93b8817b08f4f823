"""Every test of the rig starts in an empty Blender file."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy", reason="bpy is not importable", exc_type=ImportError)


@pytest.fixture(autouse=True)
def empty_file() -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
