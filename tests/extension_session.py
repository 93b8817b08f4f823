"""An extension's life in one Blender: installed, enabled, used, disabled, enabled, uninstalled.

Run by test_extension.py in a Blender of its own, with an empty user folder: as a script of a
Python that has bpy, or of a Blender executable after `--`. Takes the zip and the file to write
what it saw to, as JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import bpy

REPOSITORY = "user_default"
MODULE = f"bl_ext.{REPOSITORY}.blender_bioik"


def main(zip_path: str, report_path: str) -> None:
    """Go through the life and write what was seen at each station."""
    # As an extension the package has another name; whoever imports it by this one shall fail.
    sys.modules["blender_bioik"] = None  # type: ignore[assignment]
    seen: dict[str, Any] = {"before": traces()}

    bpy.ops.extensions.package_install_files(
        filepath=zip_path, repo=REPOSITORY, enable_on_install=True
    )
    seen["enabled"] = traces()
    seen["used"] = use()
    bpy.ops.preferences.addon_disable(module=MODULE)
    seen["disabled"] = traces()
    bpy.ops.preferences.addon_enable(module=MODULE)
    seen["enabled again"] = traces()
    index = [repo.module for repo in bpy.context.preferences.extensions.repos].index(REPOSITORY)
    bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="blender_bioik")
    seen["uninstalled"] = traces()
    Path(report_path).write_text(json.dumps(seen), encoding="utf-8")


def use() -> dict[str, Any]:
    """Do with the enabled extension what a user does with it; returns what came out.

    Every operator of the extension must be listed in test_extension.py's OPERATORS, and used here.
    """
    solver = importlib.import_module(f"{MODULE}.solver")
    arm = solver.KinematicTree(
        [
            solver.Joint("upper", lower=-3, upper=3),
            solver.Joint("lower", "upper", position=(1, 0, 0), lower=-3, upper=3),
        ],
        [solver.Tip("hand", "lower", (1, 0, 0))],
    )
    solution = solver.solve_pose(arm, [solver.Position("hand", (1.2, 0.7, 0.0))], (0.0, 0.1))
    return {
        "operators": sorted(dir(bpy.ops.bioik)),
        "solved": bool(solution.success),
        "cache": os.environ.get("BLENDER_BIOIK_CACHE"),
    }


def traces() -> dict[str, list[str]]:
    """Everything in Blender and Python by which an extension can be noticed."""
    types = ("Object", "Armature", "Scene", "WindowManager", "PoseBone", "Bone", "Action")
    handlers = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    keyconfig = bpy.context.window_manager.keyconfigs.addon  # None in the background
    keymaps = keyconfig.keymaps if keyconfig else []
    return {
        "classes": sorted(name for name in dir(bpy.types)),
        "operators": sorted(dir(bpy.ops.bioik)),
        "properties": [f"{name}.{key}" for name in types for key in dir(getattr(bpy.types, name))],
        "handlers": [
            f"{name}: {function.__module__}.{function.__name__}"
            for name, functions in handlers.items()
            if isinstance(functions, list)
            for function in functions
        ],
        "keys": [
            f"{keymap.name}: {item.idname}" for keymap in keymaps for item in keymap.keymap_items
        ],
        "status bar": [
            function.__module__
            for function in getattr(bpy.types.STATUSBAR_HT_header.draw, "_draw_funcs", [])
        ],
        "modules": sorted(name for name in sys.modules if "blender_bioik" in name),
        "environment": sorted(name for name in os.environ if "BIOIK" in name),
        "add-ons": sorted(bpy.context.preferences.addons.keys()),
        "files": sorted(
            str(path.relative_to(Path(bpy.utils.resource_path("USER"))))
            for path in Path(bpy.utils.resource_path("USER")).rglob("*bioik*")
        ),
    }


if __name__ == "__main__":
    # A Blender executable does not by itself look where scripts/test_blender.py puts packages.
    if bpy.app.binary_path and (user := os.environ.get("PYTHONUSERBASE")):
        version = "{}.{}".format(*sys.version_info)
        sys.path.append(str(Path(user, "lib", f"python{version}", "site-packages")))
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    main(*words)
