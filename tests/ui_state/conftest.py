"""Every test of the shared UI state starts in an empty file, with the extension registered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

bpy = pytest.importorskip("bpy", reason="bpy is not importable", exc_type=ImportError)


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    import blender_bioik

    blender_bioik.register()
    yield
    blender_bioik.unregister()


@pytest.fixture(autouse=True)
def empty_file(registered: None) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
