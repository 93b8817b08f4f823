"""Files in formats of other programs, written by Blender."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import bpy

from blender_bioik.rig.blender.gltf_files import read_gltf, write_glb

EXPORT_GLTF = """
import os, sys
import bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1])
bpy.ops.export_scene.gltf(filepath=sys.argv[2])
os._exit(0)
"""


def export_gltf(path: Path) -> None:
    """Write the open file as glTF, from a process of its own.

    The exporter sets the window's scene, which bpy 4.2 now and then does not survive in a process
    in which much else was tested.
    """
    if bpy.app.binary_path:  # a Blender whose Python has no bpy to import
        bpy.ops.export_scene.gltf(filepath=str(path))
        return
    scene = path.with_suffix(".blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(scene), copy=True)
    subprocess.run(
        [sys.executable, "-c", EXPORT_GLTF, scene, path], check=True, capture_output=True
    )


def without_skin(path: Path, stripped: Path) -> None:
    """Write a glTF file again with its bones and animations only, as exporters of clips do."""
    file = read_gltf(path)
    for node in file.tree["nodes"]:
        node.pop("skin", None)
        node.pop("mesh", None)
    for kind in ("skins", "meshes", "materials", "textures", "images", "samplers"):
        file.tree.pop(kind, None)
    write_glb(file, stripped)


def without_animation(path: Path, still: Path) -> None:
    """Write a glTF file again without its animations."""
    file = read_gltf(path)
    file.tree.pop("animations")
    write_glb(file, still)
