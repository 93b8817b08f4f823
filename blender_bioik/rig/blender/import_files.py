"""Clips and grounds from files of other programs, through Blender's own importers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import addon_utils
import bpy
import numpy as np

from ..errors import RigError
from ..transforms import Floats
from . import fcurves
from .character_files import give_clip
from .file_operators import open_empty, run_file_operator
from .gltf_files import GltfFile, add_skin, read_gltf, take_animations, write_glb

# An action and the slot of it that the armature uses: None before Blender 4.4, which has no slots.
ActionAndSlot = tuple[Any, Any]

# Metres per unit of BVH files, which do not define it: metres, the unit of the CMU motion capture
# database, centimetres, millimetres.
BVH_UNITS = (1.0, 0.056444, 0.01, 0.001)
# Height, in metres, of the person that decides which of them is meant.
PERSON_HEIGHT = 1.7
# A rest pose whose Y extent is at most this share of its Z extent is Z-up, as in Blender's files;
# the format's convention is Y-up.
LYING = 0.5
# Frame rates, per second, that a glTF file may have been made with: it holds only seconds.
FRAME_RATES = (24, 25, 30, 48, 50, 60, 90, 100, 120, 240)
# How far, in frames, rounded seconds may be from whole frames.
WHOLE_FRAME = 0.02


@dataclass(frozen=True)
class Importer:
    """One of Blender's importers.

    Attributes:
        operator: Its operator, such as "wm.obj_import".
        add_on: The add-on that has it; empty where it is built in.
        scales: Whether it takes a scale.
    """

    operator: str
    add_on: str = ""
    scales: bool = True

    def is_there(self) -> bool:
        """Whether this Blender has it, with its add-on enabled."""
        try:
            self._function().get_rna_type()
        except KeyError:
            return False
        return True

    def read(self, path: Path, scale: float = 1.0, **options: Any) -> None:
        """Import a file.

        Raises:
            RigError: It cannot be read.
        """
        if self.scales:
            options["global_scale"] = scale
        run_file_operator(self._function(), path, **options)

    def _function(self) -> Any:
        group, name = self.operator.split(".")
        return getattr(getattr(bpy.ops, group), name)


BVH = (Importer("import_anim.bvh", "io_anim_bvh"),)
# The first that Blender has. The built-in one came with 4.5; the add-on of 5.0 fails on lights.
FBX = (Importer("wm.fbx_import"), Importer("import_scene.fbx", "io_scene_fbx"))
GLTF = (Importer("import_scene.gltf", "io_scene_gltf2", scales=False),)
CLIPS = {".bvh": BVH, ".fbx": FBX, ".glb": GLTF, ".gltf": GLTF, ".vrm": GLTF}
GROUNDS = {
    ".obj": (Importer("wm.obj_import"),),
    ".stl": (Importer("wm.stl_import"),),
    ".glb": GLTF,
    ".gltf": GLTF,
}


def import_clip(path: Path, scale: float | None = None, character: Path | None = None) -> str:
    """Import a clip into an empty scene that has its frame rate and its frames.

    Args:
        path: A file with one of the endings in `CLIPS`.
        scale: Metres per unit of the file; None for the unit of its format or, if it has none,
            for a scale that gives the figure the size of a person.
        character: A file with the character that plays the clip, which has the same skeleton; None
            for what is in the clip's own file.

    Returns:
        Notes about assumptions on missing information, or an empty string.

    Raises:
        RigError: A file cannot be read, there is no armature in it, or the skeletons differ.
    """
    for file in (path, *([character] if character else [])):
        _refuse_missing(file)
    open_empty()
    if character is None:
        note = _import_figure(path, scale)
    elif _is_gltf(path) and _is_gltf(character):
        played = read_gltf(character)
        take_animations(played, read_gltf(path))
        note = _import_gltf(played, scale)
    else:
        note = _import_onto(path, character, scale)
    _armature_of(character or path)
    return note.strip()


def _import_figure(path: Path, scale: float | None) -> str:
    """Import what is in a file into the open scene; returns notes."""
    importer = _importer(CLIPS[path.suffix.lower()], path)
    if importer in BVH:
        return _import_bvh(importer, path, scale)
    if _is_gltf(path):
        return _import_gltf(read_gltf(path), scale)
    importer.read(path, 1.0 if scale is None else scale)
    return ""


def _import_bvh(importer: Importer, path: Path, scale: float | None) -> str:
    """Import a BVH file with the axes and the unit that it most likely has; returns notes."""
    note, axes, size = "", {}, bvh_size(path)
    if size[1] <= LYING * size[2]:
        axes = {"axis_forward": "Y", "axis_up": "Z"}
        note = f"Z is used as the up axis of {path.name}, because its figure stands along it. "
    if scale is None:
        height = float(size.max())
        scale = bvh_scale(height)
        note += (
            f"Imported {path.name} with units of {scale:g} m, which makes its figure "
            f"{height * scale:.2f} m in size: use --scale to change it."
        )
    importer.read(path, scale, update_scene_fps=True, **axes)
    return note


def _import_gltf(file: GltfFile, scale: float | None, *, at_its_rate: bool = True) -> str:
    """Import a glTF file, whose animated nodes become bones if it has no skin; returns notes."""
    note = ""
    if not file.is_skinned:
        add_skin(file)
        note = f"The animated nodes of {file.path.name} were imported as bones: it has no skin."
    importer = _importer(GLTF, file.path)
    with TemporaryDirectory() as folder:
        # The importer gives unnamed things the name of the file.
        copy = Path(folder) / f"{file.path.stem}.glb"
        write_glb(file, copy)
        importer.read(copy)
        if at_its_rate:
            _read_again_at_its_rate(importer, copy)
    if scale is not None and scale != 1.0:
        _scale_all(scale)
    return note


def _import_onto(path: Path, character: Path, scale: float | None) -> str:
    """Import a clip and the character that plays it, from files of other formats; returns notes."""
    note = _import_figure(path, scale)
    clip = _armature_of(path)
    known, clips = set(bpy.data.objects), set(bpy.data.actions)
    if _is_gltf(character):
        note += _import_gltf(read_gltf(character), None, at_its_rate=False)
    else:
        note += _import_figure(character, scale)
    figures = [o for o in bpy.data.objects if o not in known and o.type == "ARMATURE"]
    if not figures:
        raise RigError(f'"{character}" contains no armature: choose a file with a character.')
    give_clip(clip, figures[0], set(bpy.data.actions) - clips)
    return note


def _armature_of(path: Path) -> bpy.types.Object:
    """The first armature of the scene, which was imported from a file."""
    for object_ in bpy.context.scene.objects:
        if object_.type == "ARMATURE":
            return object_
    raise RigError(f'"{path}" contains no armature: choose a file with a character.')


def _scale_all(scale: float) -> None:
    """Scale the whole scene about its origin, by an empty object above everything."""
    scene = bpy.context.scene
    above = bpy.data.objects.new("Scale", None)
    roots = [thing for thing in scene.objects if thing.parent is None]
    scene.collection.objects.link(above)
    for root in roots:
        root.parent = above
    above.scale = (scale, scale, scale)
    bpy.context.view_layer.update()


def _is_gltf(path: Path) -> bool:
    return CLIPS.get(path.suffix.lower()) is GLTF


def import_ground(path: Path) -> list[bpy.types.Object]:
    """Import the mesh objects of a file with one of the endings in `GROUNDS` into the scene.

    Raises:
        RigError: The file cannot be read, or there is no mesh in it.
    """
    _refuse_missing(path)
    known = set(bpy.data.objects)
    active = bpy.context.view_layer.objects.active
    _importer(GROUNDS[path.suffix.lower()], path).read(path)
    bpy.context.view_layer.objects.active = active
    meshes = [o for o in bpy.data.objects if o not in known and o.type == "MESH"]
    if not meshes:
        raise RigError(f'"{path}" contains no mesh to use as ground: choose another file.')
    return meshes


def take_frames_of_action(scene: bpy.types.Scene, armature_object: bpy.types.Object) -> None:
    """Let the scene play the frames of an armature's action.

    Raises:
        RigError: There is no action.
    """
    data = armature_object.animation_data
    if data is None or data.action is None:
        raise RigError(
            f'"{armature_object.name}" contains no animation: choose a file with a clip.'
        )
    start, end = data.action.frame_range
    scene.frame_start, scene.frame_end = math.floor(start), math.ceil(end)
    scene.frame_set(scene.frame_start)


def clip_names(armature_object: bpy.types.Object) -> list[str]:
    """Names by which `choose_clip` knows the clips of an armature."""
    return list(_clips(armature_object))


def choose_clip(armature_object: bpy.types.Object, name: str) -> None:
    """Make one of an armature's clips its action.

    Raises:
        RigError: It has no such clip.
    """
    clips = _clips(armature_object)
    if name not in clips:
        known = f"only {', '.join(clips)}" if clips else "and no other"
        raise RigError(f'"{armature_object.name}" has no action "{name}", {known}.')
    fcurves.assign_action(armature_object, *clips[name])


def bvh_size(path: Path) -> Floats:
    """Size of the resting figure of a BVH file along its axes, in the file's units; (3,).

    Raises:
        RigError: It is no BVH file.
    """
    places: list[Floats] = []
    above: list[Floats] = [np.zeros(3)]
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                words = line.split()
                if words[:1] == ["OFFSET"]:
                    above[-1] = above[-1] + np.array([float(word) for word in words[1:4]])
                    places.append(above[-1])
                elif words[:1] == ["{"]:
                    above.append(above[-1])
                elif words[:1] == ["}"]:
                    above.pop()
                elif words[:1] == ["MOTION"]:
                    break
        size = np.ptp(np.array(places), axis=0)
    except (ValueError, IndexError):
        size = np.zeros(3)
    if not 0.0 < size.max() < math.inf:
        raise RigError(f'"{path}" is not a BVH file with a skeleton.')
    return np.asarray(size)


def bvh_scale(extent: float) -> float:
    """Metres per unit of a BVH file whose figure has this size in units."""
    return min(BVH_UNITS, key=lambda unit: abs(math.log(extent * unit / PERSON_HEIGHT)))


def frame_rate(seconds: Floats) -> int:
    """The lowest usual frame rate at which all of some times are whole frames, or the first."""
    for rate in FRAME_RATES:
        frames = seconds * rate
        if np.abs(frames - frames.round()).max(initial=0.0) < WHOLE_FRAME:
            return rate
    return FRAME_RATES[0]


def _refuse_missing(path: Path) -> None:
    if not path.is_file():
        raise RigError(f'There is no file "{path}".')


def _importer(choices: tuple[Importer, ...], path: Path) -> Importer:
    """The first importer that this Blender has, with its add-on enabled for this session."""
    for importer in choices:
        if importer.is_there():
            return importer
        if importer.add_on and addon_utils.enable(importer.add_on) and importer.is_there():
            return importer
    raise RigError(
        f'"{path}" cannot be imported: this Blender has no importer for {path.suffix} files.'
    )


def _read_again_at_its_rate(importer: Importer, path: Path) -> None:
    """Read a glTF file at the frame rate it was made with, so that its keys are whole frames."""
    render = bpy.context.scene.render
    rate = frame_rate(_key_frames() / render.fps)
    if rate != render.fps:
        open_empty()
        bpy.context.scene.render.fps = rate
        importer.read(path)


def _key_frames() -> Floats:
    """Frames of all keys of the scene's armatures."""
    frames = [
        fcurves.key_frames(curve)
        for object_ in bpy.context.scene.objects
        if object_.type == "ARMATURE"
        for clip in _clips(object_).values()
        for curve in _curves(*clip)
    ]
    return np.unique(np.concatenate(frames)) if frames else np.empty(0)


def _clips(armature_object: bpy.types.Object) -> dict[str, ActionAndSlot]:
    """The clips of an armature by name: that of its NLA track, otherwise that of the action.

    The glTF importer gives tracks the names in the file, actions longer ones in some versions.
    """
    data = armature_object.animation_data
    strips = [(t.name, strip) for t in (data.nla_tracks if data else ()) for strip in t.strips]
    clips: dict[str, ActionAndSlot] = {
        name: (strip.action, strip.action_slot if fcurves.LAYERED_ACTIONS else None)
        for name, strip in strips
        if strip.action is not None
    }
    in_tracks = {action for action, _ in clips.values()}
    clips |= {
        action.name: (action, _slot_for(action, armature_object))
        for action in bpy.data.actions
        if action not in in_tracks
    }
    return {name: clip for name, clip in sorted(clips.items()) if _moves_bones(*clip)}


def _slot_for(
    action: bpy.types.Action, armature_object: bpy.types.Object
) -> bpy.types.ActionSlot | None:
    """The slot of an action that an armature would use."""
    if not fcurves.LAYERED_ACTIONS:
        return None
    slots = [slot for slot in action.slots if slot.target_id_type in ("OBJECT", "UNSPECIFIED")]
    named = [slot for slot in slots if slot.name_display == armature_object.name]
    return next(iter(named or slots), None)


def _moves_bones(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> bool:
    return any(curve.data_path.startswith("pose.bones[") for curve in _curves(action, slot))


def _curves(action: bpy.types.Action, slot: bpy.types.ActionSlot | None) -> Iterable[Any]:
    container = fcurves.container_of(action, slot)
    return container.fcurves if container is not None else ()
