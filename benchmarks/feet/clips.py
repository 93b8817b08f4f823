"""Clips for foot placement: what moves, and what is known about its feet.

Generated ones come with their exact contacts. Those of the shared data folder have none: they are
found by `feet_measure.find_contacts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import bpy
import numpy as np
from numpy.typing import NDArray

from benchmarks.feet import quadruped as feet_quadruped
from blender_bioik.rig.blender import fcurves
from demo import character, gait, walk
from demo.skeleton import sole_points

Floats = NDArray[np.float64]
T = TypeVar("T")

SHARED = Path(__file__).parents[3] / "shared" / "data"
CMU_CLIPS = ("02_01", "03_01", "09_01", "16_17", "35_01", "83_27")
CMU_SCALE = 0.056444
CMU_FPS, CMU_SLOW_FPS = 120, 30
ROBOT_CLIPS = {"robot_walk": "Walking", "robot_run": "Running"}


@dataclass(frozen=True, eq=False)
class SolePoint:
    """A point fixed to a bone: its place in the bone's own axes, in the armature's units."""

    bone: str
    at: Floats


@dataclass(frozen=True, eq=False)
class Foot:
    """A leg and its foot.

    Attributes:
        name: Of the leg.
        bones: Those that begin at hip, knee and ankle.
        points: Heel, ball and tip of the sole.
        clearance: Their heights over the floor in a flat stand; None if they must be found.
    """

    name: str
    bones: tuple[str, str, str]
    points: tuple[SolePoint, SolePoint, SolePoint]
    clearance: tuple[float, float, float] | None = None

    @property
    def thigh(self) -> str:
        """The bone from hip to knee."""
        return self.bones[0]

    @property
    def shin(self) -> str:
        """The bone from knee to ankle."""
        return self.bones[1]

    @property
    def foot(self) -> str:
        """The bone that begins at the ankle."""
        return self.bones[2]


@dataclass(frozen=True)
class Stand:
    """A ball that is planted: index of its foot, first row, and the row after its last."""

    foot: int
    first: int
    stop: int


@dataclass(frozen=True, eq=False)
class Clip:
    """An animated armature.

    Attributes:
        armature: The object; its action is the source.
        first: First frame.
        last: Last frame.
        pelvis: The bone that carries the body.
        feet: All feet.
        stands: Where the balls are planted; None if it must be found.
        height: The character's size relative to a person's: scale of grounds and thresholds.
        in_place: Whether the character walks without getting anywhere.
    """

    armature: bpy.types.Object
    first: int
    last: int
    pelvis: str
    feet: tuple[Foot, ...]
    stands: tuple[Stand, ...] | None = None
    height: float = 1.0
    in_place: bool = False


Maker = Callable[[bpy.types.Scene], Clip]


def clips() -> dict[str, Maker]:
    """Every clip that can be made here, by name."""
    made: dict[str, Maker] = {
        "walk": partial(person, moves=gait.WALK, strides=walk.STRIDES),
        "run": partial(person, moves=gait.RUN, strides=4),
        "trot": quadruped,
    }
    for name in CMU_CLIPS:
        if (SHARED / "mocap" / f"{name}.bvh").exists():
            made[name] = partial(cmu, name=name, fps=CMU_FPS)
            made[f"{name}@30"] = partial(cmu, name=name, fps=CMU_SLOW_FPS)
    if (SHARED / "characters" / "RobotExpressive.glb").exists():
        for name, action in ROBOT_CLIPS.items():
            made[name] = partial(robot, action=action)
    return made


def person(scene: bpy.types.Scene, moves: gait.Gait, strides: int) -> Clip:
    """The demo character, walking or running."""
    scene.render.fps = moves.fps
    armature = character.build(scene.collection)
    walk.animate(armature, moves, strides)
    stands = [
        Stand("LR".index(contact.side), contact.first - walk.FIRST_FRAME,
              contact.last + 1 - walk.FIRST_FRAME)
        for contact in walk.contacts(moves, strides)
        if contact.point == "ball"
    ]  # fmt: skip
    feet = []
    for side in "LR":
        places = sole_points(side)
        points = [_on_bone(armature, bone, rest) for bone, rest in places.values()]
        bones = f"thigh.{side}", f"shin.{side}", f"foot.{side}"
        feet.append(Foot(f"leg.{side}", bones, _three(points), (0.0, 0.0, 0.0)))
    last = walk.FIRST_FRAME + strides * moves.cycle_frames
    return Clip(armature, walk.FIRST_FRAME, last, "hips", tuple(feet), tuple(stands))


def quadruped(scene: bpy.types.Scene) -> Clip:
    """Four legs, trotting."""
    scene.render.fps = feet_quadruped.FPS
    armature = feet_quadruped.build(scene.collection)
    legs = feet_quadruped.legs()
    feet = []
    for leg, side in legs:
        *bones, toe = (f"{leg}_{part}.{side}" for part in feet_quadruped.PARTS)
        points = _joint_points(armature, bones[2], toe)
        feet.append(Foot(f"{leg}.{side}", _three(bones), points, feet_quadruped.CLEARANCE))
    stands = [
        Stand(legs.index((leg, side)), first, stop)
        for leg, side, first, stop in feet_quadruped.contacts()
    ]
    last = int(armature.animation_data.action.frame_range[1])
    return Clip(armature, walk.FIRST_FRAME, last, "pelvis", tuple(feet), tuple(stands), height=0.5)


def cmu(scene: bpy.types.Scene, name: str, fps: int) -> Clip:
    """A recorded person, without the T-pose that the file begins with."""
    bpy.ops.import_anim.bvh(
        filepath=str(SHARED / "mocap" / f"{name}.bvh"), global_scale=CMU_SCALE, frame_start=0
    )
    armature = bpy.context.object
    scene.render.fps, scene.render.fps_base = fps, 1.0
    step = CMU_FPS // fps
    last = 0
    for curve in fcurves.curves_by_channel(fcurves.assigned_container(armature)).values():
        keys = fcurves.read_keys(curve)["co"].reshape(-1, 2)[1::step, 1]
        last = len(keys)
        fcurves.write_keys(curve, np.arange(1, last + 1), keys, key_type="KEYFRAME")
    feet = []
    for side, mark in (("Left", "L"), ("Right", "R")):
        bones = f"{side}UpLeg", f"{side}Leg", f"{side}Foot"
        points = _joint_points(armature, f"{side}Foot", f"{side}ToeBase")
        feet.append(Foot(f"leg.{mark}", bones, points))
    return Clip(armature, 1, last, "Hips", tuple(feet))


def robot(scene: bpy.types.Scene, action: str) -> Clip:
    """A character of more than four metres that walks in place, with feet beside its legs."""
    bpy.ops.import_scene.gltf(filepath=str(SHARED / "characters" / "RobotExpressive.glb"))
    armature = bpy.data.objects["RobotArmature"]
    scene.render.fps, scene.render.fps_base = 24, 1.0
    for track in list(armature.animation_data.nla_tracks):
        armature.animation_data.nla_tracks.remove(track)
    chosen = bpy.data.actions[action]
    fcurves.assign_action(armature, chosen, fcurves.ensure_slot(chosen, armature))
    feet = []
    for side in "LR":
        mesh = bpy.data.objects[f"Foot.{side}"]
        bones = f"UpperLeg.{side}", f"LowerLeg.{side}", f"Foot.{side}"
        points = _mesh_points(armature, mesh, f"Foot.{side}")
        feet.append(Foot(f"leg.{side}", bones, points, (0.0, 0.0, 0.0)))
    first, last = (int(frame) for frame in chosen.frame_range)
    return Clip(armature, first, last, "Body", tuple(feet), height=1.8, in_place=True)


def _on_bone(armature: bpy.types.Object, bone: str, rest: Sequence[float]) -> SolePoint:
    """A point given by its place in the rest pose."""
    local = np.linalg.inv(np.array(armature.data.bones[bone].matrix_local)) @ (*rest, 1.0)
    return SolePoint(bone, local[:3])


def _joint_points(
    armature: bpy.types.Object, foot: str, toe: str
) -> tuple[SolePoint, SolePoint, SolePoint]:
    """Ankle, ball and tip of a foot without a mesh."""
    length = armature.data.bones[toe].length
    return (
        SolePoint(foot, np.zeros(3)),
        SolePoint(toe, np.zeros(3)),
        SolePoint(toe, np.array([0.0, length, 0.0])),
    )


def _mesh_points(
    armature: bpy.types.Object, mesh: bpy.types.Object, bone: str
) -> tuple[SolePoint, SolePoint, SolePoint]:
    """Points amid the sole of a rigid foot in the rest pose: at its back, in front, and between."""
    armature.data.pose_position = "REST"
    bpy.context.view_layer.update()
    world = np.array(mesh.matrix_world)
    corners = np.array([vertex.co for vertex in mesh.data.vertices]) @ world[:3, :3].T
    corners += world[:3, 3]
    inverse = np.linalg.inv(np.array(armature.matrix_world))
    armature.data.pose_position = "POSE"
    bpy.context.view_layer.update()
    low = corners[corners[:, 2] < corners[:, 2].min() + 0.02]
    back, front = (_amid(low, end) for end in (low[:, 1].max(), low[:, 1].min()))
    between = 0.3 * back + 0.7 * front
    rest = [inverse @ (*point, 1.0) for point in (back, between, front)]
    return _three([_on_bone(armature, bone, point[:3]) for point in rest])


def _amid(corners: Floats, y: float) -> Floats:
    """Amid the corners at one end of a sole."""
    end = corners[abs(corners[:, 1] - y) < 0.02]
    return np.asarray((end.min(axis=0) + end.max(axis=0)) / 2.0)


def _three(things: Sequence[T]) -> tuple[T, T, T]:
    first, second, third = things
    return first, second, third
