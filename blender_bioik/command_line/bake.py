"""The command line's `bake`: open or import, bake, save, report."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import bpy

from ..presets import Preset, PresetError
from ..rig.bake.bake import BakeOptions, Output, Tolerance
from ..rig.blender.file_operators import open_blend, save_blend
from ..rig.blender.import_files import (
    CLIPS,
    GROUNDS,
    choose_clip,
    clip_names,
    import_clip,
    import_ground,
    take_frames_of_action,
)
from ..rig.blender.silence import STDOUT, silenced
from ..rig.errors import RigError
from ..rig.presets.apply_preset import ApplyOptions, apply_preset
from ..rig.presets.named_settings import change_setting
from ..ui_state.preset_folder import preset_store
from .bake_frames import bake_frames
from .chosen_bake import chosen_bake
from .map_parts import map_parts
from .progress import shown_progress, tell_beforehand
from .report_file import write_report

OUTPUTS: dict[str, Output] = {"new": "NEW_ACTION", "in-place": "IN_PLACE", "additive": "LAYER"}
# Maximum number of names listed in an error.
LISTED = 20


class BadArguments(Exception):  # noqa: N818 (what they are, and no fault of the program)
    """Invalid arguments, described in a sentence."""


def bake_file(arguments: argparse.Namespace) -> list[str]:
    """Bake and save; returns the output lines, the summary last.

    Nothing is written before the bake is complete.

    Raises:
        BadArguments: The arguments do not fit the files.
        RigError: It could not be baked or saved.
    """
    _check_paths(arguments)
    try:
        note = _open(arguments)
        scene = bpy.context.scene
        armature = _armature(scene, arguments.armature)
        _choose_action(scene, armature, arguments)
        _choose_grounds(scene, armature, arguments.ground)
        start, end = bake_frames(scene, armature, arguments)
        map_parts(armature, arguments.parts)
        notes = _apply_presets(scene, armature, arguments, (start, end))
        _change_settings(armature, arguments)
        bake_all = chosen_bake(armature)
    except (PresetError, RigError) as error:
        raise BadArguments(str(error)) from error
    tell_beforehand(scene, armature)
    output, few = OUTPUTS[arguments.output], _few_keys(arguments)
    options = BakeOptions(start, end, output=output, few_keys=few)
    with silenced(STDOUT), shown_progress() as progress:
        report = bake_all(scene, armature, options, progress=progress)
    save_blend(arguments.out.absolute())
    if arguments.report:
        write_report(report, arguments.report)
    return [*([note] if note else []), *notes, *report.lines(), report.summary()]


def _few_keys(arguments: argparse.Namespace) -> Tolerance | None:
    """How far few keyframes may be off; None for a keyframe on every frame."""
    if arguments.few_keys is False:
        return None
    return Tolerance(None if arguments.few_keys is None else arguments.few_keys / 1000.0)


def _check_paths(arguments: argparse.Namespace) -> None:
    """Refuse invalid paths before any work is done."""
    scene, out, scale = arguments.scene, arguments.out, arguments.scale
    suffix = scene.suffix.lower()
    if suffix != ".blend" and suffix not in CLIPS:
        raise BadArguments(f'"{scene}" is not a supported file ({", ".join([".blend", *CLIPS])}).')
    if not scene.is_file():
        raise BadArguments(f'There is no file "{scene}".')
    _check_character(arguments)
    if scale is not None and suffix == ".blend":
        raise BadArguments("--scale is only for clip files, not for .blend files.")
    if scale is not None and not 0.0 < scale < float("inf"):
        raise BadArguments(f"--scale must be greater than 0, not {scale:g}.")
    if arguments.few_keys not in (False, None) and not 0.0 < arguments.few_keys < float("inf"):
        raise BadArguments(f"--few-keys must be greater than 0, not {arguments.few_keys:g}.")
    if out.suffix.lower() != ".blend":
        raise BadArguments(f'"{out}" does not end in .blend.')
    for path in filter(None, (out, arguments.report)):
        if not path.parent.is_dir():
            raise BadArguments(f'The folder "{path.parent}" for {path.name} does not exist.')
        if path.is_dir() or not os.access(path.parent, os.W_OK):
            raise BadArguments(f'"{path}" cannot be written: choose another path.')
    _check_report(arguments)


def _check_character(arguments: argparse.Namespace) -> None:
    """Refuse a character for a .blend file, and one of an unknown kind."""
    character = arguments.character
    if character is None:
        return
    if arguments.scene.suffix.lower() == ".blend":
        raise BadArguments("--character is only for clip files, not for .blend files.")
    if character.suffix.lower() not in CLIPS:
        raise BadArguments(f'"{character}" is not a supported file ({", ".join(CLIPS)}).')
    if not character.is_file():
        raise BadArguments(f'There is no file "{character}".')


def _check_report(arguments: argparse.Namespace) -> None:
    """Refuse a report that would overwrite a file of the bake."""
    report = arguments.report
    if report is None:
        return
    taken = [arguments.scene, arguments.out, *map(Path, (*arguments.ground, *arguments.presets))]
    taken += [arguments.character] if arguments.character else []
    for path in taken:
        if path.resolve() == report.resolve() and (path == arguments.out or path.is_file()):
            raise BadArguments(f'--report would overwrite "{path}": choose another file.')


def _open(arguments: argparse.Namespace) -> str:
    """Open a .blend file or import a clip and its character; returns a note about it."""
    path, character = arguments.scene.absolute(), arguments.character
    if path.suffix.lower() != ".blend":
        return import_clip(path, arguments.scale, character and character.absolute())
    open_blend(path)
    return ""


def _armature(scene: bpy.types.Scene, name: str | None) -> bpy.types.Object:
    """The armature object with a name, or the only one."""
    armatures = {o.name: o for o in scene.objects if o.type == "ARMATURE"}
    if not armatures:
        raise BadArguments("There is no armature in the scene.")
    if name is None and len(armatures) == 1:
        return next(iter(armatures.values()))
    if name in armatures:
        return armatures[name]
    problem = "Set --armature" if name is None else f'There is no armature "{name}"'
    raise BadArguments(f"{problem}: choose one of {_listed(armatures)}.")


def _choose_action(
    scene: bpy.types.Scene, armature: bpy.types.Object, arguments: argparse.Namespace
) -> None:
    is_clip = arguments.scene.suffix.lower() != ".blend"
    if arguments.action is not None:
        choose_clip(armature, arguments.action)
    elif is_clip and len(names := clip_names(armature)) > 1:
        raise BadArguments(f"Set --action: choose one of {_listed(names)}.")
    if is_clip:
        take_frames_of_action(scene, armature)


def _choose_grounds(
    scene: bpy.types.Scene, armature: bpy.types.Object, words: Sequence[str]
) -> None:
    """Store the grounds on the armature; without arguments, keep its own."""
    kept = armature.bioik.feet.grounds
    if words:
        chosen = [ground for word in words for ground in _grounds(scene, word)]
        kept.clear()
        for ground in chosen:
            kind = "collection" if isinstance(ground, bpy.types.Collection) else "object"
            setattr(kept.add(), kind, ground)


def _grounds(scene: bpy.types.Scene, word: str) -> list[Any]:
    """The object, collection or imported objects that an argument of --ground names."""
    collections = {c.name: c for c in scene.collection.children_recursive}
    if word in scene.objects:
        return [scene.objects[word]]
    if word in collections:
        return [collections[word]]
    if Path(word).suffix.lower() in GROUNDS:
        return list(import_ground(Path(word).absolute()))
    meshes = [o.name for o in scene.objects if o.type == "MESH"]
    known = f"choose one of {_listed([*meshes, *collections])}" if meshes else "there is none"
    raise BadArguments(f'There is no object, collection or mesh file "{word}": {known}.')


def _apply_presets(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    arguments: argparse.Namespace,
    frames: tuple[int, int],
) -> list[str]:
    """Apply the presets to the armature; returns notes about them."""
    store = preset_store()
    presets = [store.find(word) for word in arguments.presets]
    options = ApplyOptions(targets=_targets(scene, presets, arguments.targets), frames=frames)
    told, current = [], scene.frame_current
    for preset in presets:
        surfaces = [t.name for t in preset.targets.values() if t.use == "ON_SURFACE"]
        _refuse_missing(preset, [name for name in surfaces if name not in options.targets])
        scene.frame_set(frames[0])  # presets may keep bones where they are on the first frame
        applied = apply_preset(bpy.context, armature, preset, options)
        _refuse_missing(preset, applied.made)
        told += [applied.skipped, *applied.notes]
        scene.frame_set(current)
    return [line for line in told if line]


def _refuse_missing(preset: Preset, targets: Sequence[str]) -> None:
    if targets:
        raise BadArguments(
            f'The preset "{preset.name}" needs targets for {_listed(targets)}: set them '
            f'as --target "{targets[0]}=OBJECT".'
        )


def _targets(
    scene: bpy.types.Scene, presets: Sequence[Preset], words: Sequence[str]
) -> dict[str, bpy.types.Object]:
    """Target objects, by the presets' names for them."""
    known = {target.name for preset in presets for target in preset.targets.values()}
    found = {}
    for word in words:
        name, equals, wanted = (part.strip() for part in word.partition("="))
        if not equals:
            raise BadArguments(f'--target must be NAME=OBJECT, not "{word}".')
        if name not in known:
            listed = f"choose one of {_listed(sorted(known))}" if known else "they have none"
            raise BadArguments(f'The presets have no target "{name}": {listed}.')
        if wanted not in scene.objects:
            raise BadArguments(f'There is no object "{wanted}" for --target.')
        found[name] = scene.objects[wanted]
    return found


def _change_settings(armature: bpy.types.Object, arguments: argparse.Namespace) -> None:
    for word in arguments.settings:
        key, equals, value = word.partition("=")
        if not equals:
            raise BadArguments(f'--set must be KEY=VALUE, not "{word}".')
        change_setting(armature, key.strip(), value.strip())
    if arguments.seed is not None:
        change_setting(armature, "solver.seed", arguments.seed)


def _listed(names: Iterable[str]) -> str:
    """Names on one line."""
    names = list(names)
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more
