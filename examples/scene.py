"""What the Blender examples share: the walking character of `make demo`, grounds, and saving.

It makes them run from a clone of the repository without an installation; in a script of your own
`import blender_bioik` and `blender_bioik.register()` are enough, and in Blender with the extension
enabled not even these.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent.parent))

import blender_bioik  # after the path is known
from demo import character, ground, walk
from demo.gait import CYCLE_FRAMES, FPS, STRIDE

__all__ = ["CYCLE_FRAMES", "STRIDE", "add_hills", "add_walker", "extension", "folder", "save"]


@contextmanager
def extension() -> Iterator[None]:
    """An empty file with the extension registered; taken away again at the end."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.register()
    try:
        yield
    finally:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        blender_bioik.unregister()


def add_walker(strides: int = 3) -> bpy.types.Object:
    """A character that walks along -Y on the floor z = 0; its armature, which is active."""
    scene = bpy.context.scene
    armature = character.build(scene.collection)
    action = walk.animate(armature, strides=strides)
    scene.render.fps = FPS
    scene.frame_start, scene.frame_end = (int(frame) for frame in action.frame_range)
    return armature


def add_hills() -> bpy.types.Object:
    """Hills of 0.15 m along the way; the walk knows nothing of them."""
    hills = ground.hills(ground.Hills(height=0.15))
    bpy.context.scene.collection.objects.link(hills)
    return hills


def folder() -> Path:
    """Where results go: the folder after the script's name, or a new temporary one."""
    if len(sys.argv) < 2:
        return Path(tempfile.mkdtemp(prefix="bioik_"))
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    return Path(sys.argv[1])


def save(name: str) -> None:
    """Save the file into that folder and say so."""
    path = folder() / name
    bpy.ops.wm.save_as_mainfile(filepath=str(path), check_existing=False)
    print(f"Saved {path}")
