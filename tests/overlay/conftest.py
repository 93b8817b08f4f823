"""The overlay's tests need Blender, but for those of its shapes."""

from __future__ import annotations

import pytest

pytest.importorskip("bpy", reason="bpy is not importable", exc_type=ImportError)
