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
        self.exit(BAD_ARGUMENTS, f"{self.prog}: {message} (see --help)\n")


def parsed(words: Sequence[str], name: str) -> argparse.Namespace | int:
    """The parsed arguments, or an exit code for help and invalid arguments."""
    try:
        return _parser(name).parse_args(words)
    except SystemExit as end:
        return int(end.code or DONE)


def _parser(name: str) -> argparse.ArgumentParser:
    parser = Parser(prog=name, description="Bio-IK for Blender on the command line.")
    commands = parser.add_subparsers(metavar="bake", required=True)
    bake = commands.add_parser(
        "bake",
        help="place a character's feet on the ground, or bake its goals",
        description="Place a character's feet on the ground and save the result as a .blend file. "
        "Without --ground, the ground stored on the armature is used; if it has none, its goals "
        "are baked.",
        epilog="Exit code: 0 success, 1 bake failed, 2 invalid arguments. "
        "The last line of the output is the summary.",
    )
    bake.add_argument(
        "scene",
        metavar="SCENE",
        type=Path,
        help=".blend file, or a clip: .bvh, .fbx, .glb, .gltf, .vrm",
    )
    bake.add_argument(
        "-o", dest="out", metavar="OUT", type=Path, required=True, help="output .blend file"
    )
    bake.add_argument(
        "--armature", metavar="NAME", help="armature to bake (default: the only one in the scene)"
    )
    bake.add_argument(
        "--ground",
        metavar="NAME",
        nargs="+",
        action="extend",
        default=[],
        help="ground: objects or collections of the scene, or mesh files (.obj, .stl, .glb, .gltf)",
    )
    bake.add_argument(
        "--action",
        metavar="NAME",
        help="action to bake (default: the armature's own, or the only one of a clip)",
    )
    frames = bake.add_mutually_exclusive_group()
    frames.add_argument(
        "--frames",
        metavar=("A", "B"),
        nargs=2,
        type=int,
        help="first and last frame (default: the range stored on the armature, which is the clip's "
        "own unless it was changed)",
    )
    frames.add_argument(
        "--scene-frames",
        action="store_true",
        help="the frames of the scene, or of its preview range if that is enabled",
    )
    bake.add_argument(
        "--output",
        choices=OUTPUTS,
        default="new",
        help="write to a copy of the action (default), over its keyframes, or to an NLA layer",
    )
    bake.add_argument(
        "--few-keys",
        metavar="MM",
        nargs="?",
        type=float,
        default=False,
        help="few Bezier keyframes that stay within a tolerance at feet and hands (default: 0.5 mm "
        "for a person), instead of a keyframe on every frame",
    )
    bake.add_argument(
        "--preset",
        dest="presets",
        metavar="NAME_OR_FILE",
        nargs="+",
        action="extend",
        default=[],
        help="presets by name or .json file, applied in order and before --set; "
        "an unknown NAME lists them",
    )
    bake.add_argument(
        "--target",
        dest="targets",
        metavar="NAME=OBJECT",
        nargs="+",
        action="extend",
        default=[],
        help="target objects for the goals of a preset, by the preset's names for them",
    )
    bake.add_argument(
        "--map",
        dest="parts",
        metavar="SLOT=BONE",
        nargs="+",
        action="extend",
        default=[],
        help="bones of body parts where detection is wrong or unsure: thigh.L=BONE, "
        "front.L=BONE,BONE,BONE for a leg from hip to foot, several also for spine, neck, tail, "
        "SLOT= for none; an unknown SLOT lists them with the detected bones",
    )
    bake.add_argument("--seed", metavar="N", help="seed of the random numbers")
    bake.add_argument(
        "--set",
        dest="settings",
        metavar="KEY=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="settings of the armature, as feet.KEY or solver.KEY; an unknown KEY lists them",
    )
    bake.add_argument(
        "--scale",
        metavar="S",
        type=float,
        help="metres per unit of a .bvh clip (default: scaled to the size of a person), "
        "or scale factor of a clip of another format",
    )
    bake.add_argument(
        "--character",
        metavar="FILE",
        type=Path,
        help="file with the character that plays a clip without a skin; "
        "both have the same skeleton",
    )
    bake.add_argument("--report", metavar="JSON", type=Path, help="output file for the report")
    return parser
