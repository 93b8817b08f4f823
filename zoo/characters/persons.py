"""Persons with more bones than the plain one: fingers and twist bones, a tail, a skirt, a sword."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from demo.skeleton import Bone, Vector

from ..body import Body

UP: Vector = (0.0, 0.0, 1.0)
FINGERS = (
    ("thumb", -0.035),
    ("index", -0.025),
    ("middle", -0.008),
    ("ring", 0.01),
    ("pinky", 0.027),
)
STRANDS = ((0.12, -0.1), (-0.12, -0.1), (0.12, 0.12), (-0.12, 0.12))


def fingers(body: Body) -> Body:
    """Five fingers of three bones on each hand, and a twist bone in each segment of a limb."""
    extra = list(body.extra)
    for side in "LR":
        hand = body.bone(f"hand.{side}")
        wrist, tip = np.array(hand.head), np.array(hand.tail)
        for name, across in FINGERS:
            parent = hand.name
            for joint in range(3):
                head, tail = (
                    wrist + (0.5 + 0.18 * (joint + end)) * (tip - wrist) + [0.0, across, 0.0]
                    for end in (0, 1)
                )
                bone = Bone(f"{name}{joint + 1}.{side}", parent, _at(head), _at(tail), UP)
                extra.append((bone, hand.name))
                parent = bone.name
        for segment in ("upper_arm", "forearm", "thigh", "shin"):
            carrier = body.bone(f"{segment}.{side}")
            head, tail = np.array(carrier.head), np.array(carrier.tail)
            twist = Bone(
                f"{segment}_twist.{side}", carrier.name, _at((head + tail) / 2), carrier.tail, UP
            )
            extra.append((twist, carrier.name))
    return replace(body, extra=tuple(extra))


def costume(body: Body) -> Body:
    """A tail, four strands of a skirt that reach the knees, and a sword that reaches the floor."""
    knee = body.head("shin.L")[2]
    hips = np.array(body.bone("hips").head)
    made: list[tuple[Bone, str]] = []
    for number, (x, y) in enumerate(STRANDS, 1):
        top, middle, end = (
            (spread * x, spread * y, z)
            for spread, z in ((1.0, hips[2] - 0.05), (1.2, (hips[2] + knee) / 2), (1.4, knee))
        )
        made += [
            (Bone(f"skirt{number}a", "hips", top, middle, UP), "hips"),
            (Bone(f"skirt{number}b", f"skirt{number}a", middle, end, UP), "hips"),
        ]
    parent = "hips"
    for joint in range(5):
        head, tail = (
            (0.0, 0.1 + 0.12 * step, hips[2] - 0.02 - 0.1 * step) for step in (joint, joint + 1)
        )
        made.append((Bone(f"tail{joint + 1}", parent, head, tail, UP), "hips"))
        parent = f"tail{joint + 1}"
    grip = body.head("hand.R")
    made.append((Bone("sword", "hand.R", _at(grip), _at(grip - [0.0, 1.1, 0.0]), UP), "hand.R"))
    return replace(body, extra=(*body.extra, *made))


def _at(point: np.ndarray) -> Vector:
    return (float(point[0]), float(point[1]), float(point[2]))
