"""The arguments of the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

DONE, NOTHING_BAKED, BAD_ARGUMENTS, STOPPED = 0, 1, 2, 130
OUTPUTS = ("new", "in-place", "additive")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with the code of bad arguments."""
        self.exit(BAD_ARGUMENTS, f"{self.prog}: {message} (--help explains)\n")


def parsed(words: Sequence[str], name: str) -> argparse.Namespace | int:
    """The parsed arguments, or an exit code for help and invalid arguments."""
    try:
        return _parser(name).parse_args(words)
    except SystemExit as end:
        return int(end.code or DONE)


def _parser(name: str) -> argparse.ArgumentParser:
    parser = Parser(prog=name, description="Bio-IK for Blender, without a window.")
    commands = parser.add_subparsers(metavar="bake", required=True)
    bake = commands.add_parser(
        "bake",
        help="put a character's feet on a ground, or bake its goals",
        description="Put a character's feet on a ground and save the result as a .blend file. "
        "Without --ground, feet are put on the ground that the armature has in the file; where it "
        "has none, its goals are baked.",
        epilog="Exit code: 0 done, 1 nothing could be baked, 2 bad arguments. "
        "The last line of the output is the summary.",
    )
    bake.add_argument(
        "scene",
        metavar="SCENE",
        type=Path,
        help=".blend file, or a clip: .bvh, .fbx, .glb, .gltf",
    )
    bake.add_argument(
        "-o", dest="out", metavar="OUT", type=Path, required=True, help=".blend file to write"
    )
    bake.add_argument("--armature", metavar="NAME", help="default: the only one in the scene")
    bake.add_argument(
        "--ground",
        metavar="NAME",
        nargs="+",
        action="extend",
        default=[],
        help="objects or collections of the scene, or mesh files: .obj, .stl, .glb, .gltf",
    )
    bake.add_argument(
        "--action", metavar="NAME", help="default: the armature's own, the only one of a clip file"
    )
    bake.add_argument(
        "--frames",
        metavar=("A", "B"),
        nargs=2,
        type=int,
        help="first and last; default: those of the scene, or of the clip",
    )
    bake.add_argument(
        "--output",
        choices=OUTPUTS,
        default="new",
        help="into a copy of the action (default), over its own keys, or into an NLA layer",
    )
    bake.add_argument(
        "--preset",
        dest="presets",
        metavar="NAME_OR_FILE",
        nargs="+",
        action="extend",
        default=[],
        help="presets by name, or as .json files, in order and before --set; "
        "a wrong NAME lists them",
    )
    bake.add_argument(
        "--target",
        dest="targets",
        metavar="NAME=OBJECT",
        nargs="+",
        action="extend",
        default=[],
        help="objects of the scene that the goals of a preset follow, by the preset's names",
    )
    bake.add_argument("--seed", metavar="N", help="start of the random numbers")
    bake.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="settings of the armature, as feet.KEY or solver.KEY; a wrong KEY lists them",
    )
    bake.add_argument(
        "--scale",
        metavar="S",
        type=float,
        help="metres per unit of a .bvh clip (default: so that the figure has a person's size), "
        "or a factor for an .fbx clip",
    )
    bake.add_argument("--report", metavar="JSON", type=Path, help="file for the report")
    return parser
