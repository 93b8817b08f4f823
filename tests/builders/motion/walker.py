"""A generated biped as a tree of the solver: the demo's gaits on legs with toes, without bpy.

Joints are corrections of the animation: all zero is the source. The pelvis slides; a leg has a hip
of three axes, a knee, a foot of three axes and toes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from blender_bioik.motion.feet import Contact, Floats, Foot, Ints
from blender_bioik.motion.solve.body import Body, LegTips
from blender_bioik.motion.solve.body_goals import Pelvis
from blender_bioik.solver import (
    Clip,
    Goal,
    Joint,
    KinematicTree,
    Rest,
    Tip,
    Track,
    forward_kinematics,
)
from blender_bioik.solver.clips.whole_clip import Inertia
from demo.gait import WALK, Gait, about_x, hip_position, pelvis_position, stride, turn_out
from demo.skeleton import SOLE, bones

from .gaits import SCALE, STRIDES, gait_contacts

# Sigmas of corrections and of their accelerations, by the kind of a joint.
STAY = {"slide": 10.0, "hip": 0.3, "twist": 0.07, "knee": 0.3, "foot": 2.0, "toe": 0.2}
BEND = {"slide": 0.5, "hip": 20.0, "twist": 20.0, "knee": 20.0, "foot": 30.0, "toe": 30.0}
SIDES = ("L", "R")
AXES = {"X": (1.0, 0.0, 0.0), "Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}
Limits = dict[str, tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Walker:
    """A body, its feet and contacts, and how much its knees are bent in the source; (f, legs)."""

    body: Body
    feet: list[Foot]
    contacts: list[Contact]
    rate: float
    scale: float
    flexion: Floats

    def joint(self, name: str) -> int:
        return self.body.tree.joint_index(name)

    def knees(self, values: Floats) -> Floats:
        """Flexion of the knees (f, legs), radians."""
        return np.asarray(self.flexion + values[:, [self.joint(f"knee.{side}X") for side in SIDES]])


@dataclass(frozen=True, eq=False)
class _Segment:
    """Places (f, 3) and rotations (f, 3, 3) of a bone, and its joints' axes."""

    name: str
    parent: str
    place: Floats
    turn: Floats
    axes: str


def walker(
    gait: Gait = WALK,
    *,
    frames: int | None = None,
    hooves: bool = False,
    times: float = 1.0,
    limits: Limits | None = None,
    goals: tuple[Goal | Track, ...] = (),
) -> Walker:
    """A walk or run of five strides, or its first frames.

    Args:
        gait: What it does.
        frames: Of how many frames.
        hooves: Whether heel, ball and tip are one point.
        times: How many times as large as a person of 1.8 m.
        limits: Of corrections of joints, by name.
        goals: Goals of the user's own.
    """
    count = STRIDES * gait.cycle_frames + 1 if frames is None else frames
    rows = np.arange(count)
    segments = [
        _Segment("pelvis", "", pelvis_position(gait, rows), np.tile(np.eye(3), (count, 1, 1)), "")
    ]
    tips, flexion = [("pelvis", "pelvis", np.zeros(3))], []
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        leg, soles, bend = _leg(gait, rows, side, sign)
        segments += leg
        if hooves:
            soles = [(name, soles[1][1], soles[1][2]) for name, *_ in soles]
        tips += [*soles, (f"foot.{side}", f"foot.{side}", np.zeros(3))]
        flexion.append(bend)
    segments = [replace(segment, place=times * segment.place) for segment in segments]
    tips = [(name, on, times * at) for name, on, at in tips]
    tree, clip = _tree(segments, tips, limits or {})
    return _assembled(tree, clip, gait, np.stack(flexion, axis=1), goals, times)


def with_goals(walker_: Walker, *goals: Goal | Track) -> Walker:
    return replace(walker_, body=replace(walker_.body, goals=goals))


def _leg(
    gait: Gait, rows: Ints, side: str, sign: float
) -> tuple[list[_Segment], list[tuple[str, str, Floats]], Floats]:
    rest = {bone.name: np.array(bone.head) for bone in bones()}
    mirror = np.array([sign, 1.0, 1.0])
    lengths = [
        float(np.linalg.norm(rest[b] - rest[a]))
        for a, b in (("thigh.L", "shin.L"), ("shin.L", "foot.L"))
    ]
    cycle, row = stride(gait), rows % gait.cycle_frames
    passed = (rows // gait.cycle_frames)[:, None] * np.array([0.0, -gait.stride, 0.0])
    out = turn_out(sign)
    foot, toe = (out @ about_x(p[side][row]) for p in (cycle.foot_pitch, cycle.toe_pitch))
    hip, ankle = hip_position(gait, rows, side), cycle.ankle[side][row] + passed
    knee, bend = _knee(hip, ankle, *lengths)
    ball = ankle + foot @ (mirror * (rest["toe.L"] - rest["foot.L"]))
    across = np.cross(knee - hip, ankle - knee)
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    leg = [
        _Segment(f"hip.{side}", "pelvis", hip, _along(across, hip - knee), "XYZ"),
        _Segment(f"knee.{side}", f"hip.{side}", knee, _along(across, knee - ankle), "X"),
        _Segment(f"foot.{side}", f"knee.{side}", ankle, foot, "XYZ"),
        _Segment(f"toe.{side}", f"foot.{side}", ball, toe, "X"),
    ]
    sole = {point: np.array(at) for point, (_, at) in SOLE.items()}
    soles = [
        (f"heel.{side}", f"foot.{side}", mirror * (sole["heel"] - rest["foot.L"])),
        (f"ball.{side}", f"toe.{side}", mirror * (sole["ball"] - rest["toe.L"])),
        (f"tip.{side}", f"toe.{side}", mirror * (sole["toe"] - rest["toe.L"])),
    ]
    return leg, soles, bend


def _knee(hip: Floats, ankle: Floats, thigh: float, shin: float) -> tuple[Floats, Floats]:
    """Places of a knee that points to -Y, and how much it is bent."""
    way = ankle - hip
    length = np.linalg.norm(way, axis=-1)
    cosine = (length**2 + thigh**2 - shin**2) / (2 * length * thigh)
    along = way / length[:, None]
    forward = np.array([0.0, -1.0, 0.0]) - along * -along[:, [1]]
    forward /= np.linalg.norm(forward, axis=-1, keepdims=True)
    angle = np.arccos(np.clip(cosine, -1.0, 1.0))
    knee = hip + thigh * (np.cos(angle)[:, None] * along + np.sin(angle)[:, None] * forward)
    bend = np.arccos(np.clip((length**2 - thigh**2 - shin**2) / (2 * thigh * shin), -1.0, 1.0))
    return knee, bend


def _along(across: Floats, up: Floats) -> Floats:
    """Rotations (f, 3, 3) with X across a leg and Z up along a bone."""
    z = up / np.linalg.norm(up, axis=-1, keepdims=True)
    return np.stack([across, np.cross(z, across), z], axis=-1)


def _tree(
    segments: list[_Segment], tips: list[tuple[str, str, Floats]], limits: Limits
) -> tuple[KinematicTree, Clip]:
    count = len(segments[0].place)
    joints: list[Joint] = []
    last: dict[str, str] = {}
    where: dict[str, tuple[Floats, Floats]] = {}
    known = {segment.name: segment for segment in segments}

    def add(
        name: str, parent: str | None, kind: str, axis: str, place: Floats, turn: Floats
    ) -> None:
        lower, upper = limits.get(name, (-math.inf, math.inf))
        joints.append(
            Joint(
                name,
                parent,
                "prismatic" if kind == "slide" else "revolute",
                AXES[axis],
                lower=lower,
                upper=upper,
            )
        )
        where[name] = place, turn

    still = np.zeros((count, 3)), np.tile(np.eye(3), (count, 1, 1))
    for segment in segments:
        parent = last.get(segment.parent)
        above = known.get(segment.parent)
        place, turn = segment.place, segment.turn
        if above is not None:
            back = above.turn.transpose(0, 2, 1)
            place = (back @ (segment.place - above.place)[..., None])[..., 0]
            turn = back @ segment.turn
        kind = segment.name.split(".")[0] if segment.axes else "slide"
        for axis in segment.axes or "XYZ":
            name = f"{segment.name}{axis}"
            add(name, parent, kind, axis, place, turn)
            place, turn = still
            parent = name
        last[segment.name] = str(parent)
    tree = KinematicTree(joints, [Tip(name, last[on], tuple(at)) for name, on, at in tips])
    rotation = np.stack([_quaternions(where[name][1]) for name in tree.names], axis=1)
    position = np.stack([where[name][0] for name in tree.names], axis=1)
    return tree, Clip(np.zeros((count, tree.size)), Rest(rotation, position))


def _quaternions(turn: Floats) -> Floats:
    return np.asarray(Rotation.from_matrix(turn).as_quat()[:, [3, 0, 1, 2]])


def _assembled(
    tree: KinematicTree,
    clip: Clip,
    gait: Gait,
    flexion: Floats,
    goals: tuple[Goal | Track, ...],
    times: float,
) -> Walker:
    count, scale = len(flexion), times * SCALE
    kinds = [_kind(name) for name in tree.names]
    stay, bend = (np.array([table[kind] for kind in kinds]) for table in (STAY, BEND))
    size = np.array([scale if kind == "slide" else 1.0 for kind in kinds])
    share = 30.0 / gait.fps
    inertia = Inertia(share / (size * stay) ** 2, share * gait.fps**4 / (size * bend) ** 2)
    rest_only = Body(tree, clip, inertia, Pelvis("pelvis", np.zeros((count, 3)), 1.0), ())
    places = rest_only.tip_places(np.zeros((count, tree.size)))
    rotations = _turns(tree, clip)
    legs, feet = [], []
    for k, side in enumerate(SIDES):
        soles = (f"heel.{side}", f"ball.{side}", f"tip.{side}")
        turn = rotations[:, tree.tip_index(f"foot.{side}")]
        legs.append(LegTips(soles, f"foot.{side}", turn, ((f"knee.{side}X", flexion[:, k]),)))
        points = np.stack([places[name] for name in soles], axis=1)
        hip = times * hip_position(gait, np.arange(count), side)
        knee = 0.5 * (hip + places[f"foot.{side}"])
        feet.append(Foot(f"leg.{side}", points, np.zeros(3), knee, hip))
    directions = [np.broadcast_to(AXES[axis], (count, 3)) for axis in "XYZ"]
    body = replace(
        rest_only,
        pelvis=Pelvis("pelvis", places["pelvis"], 0.02 * scale),
        legs=tuple(legs),
        goals=goals,
        slides=tuple(
            (tree.joint_index(f"pelvis{a}"), d) for a, d in zip("XYZ", directions, strict=True)
        ),
    )
    contacts = [
        contact._replace(stop=min(contact.stop, count))
        for contact in gait_contacts(gait)
        if contact.first < count
    ]
    return Walker(body, feet, contacts, float(gait.fps), scale, flexion)


def _kind(joint: str) -> str:
    if joint.startswith("pelvis"):
        return "slide"
    if joint.startswith("hip") and joint.endswith("Z"):
        return "twist"
    return joint.split(".")[0]


def _turns(tree: KinematicTree, clip: Clip) -> Floats:
    return forward_kinematics(tree, np.asarray(clip.values), clip.rest).tip_quaternions
