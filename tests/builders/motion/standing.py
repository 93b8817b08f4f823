"""A foot of three points that slides as one along three axes, over a ground."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from blender_bioik.motion.feet import BALL, Contact, Floats, Foot
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.solve.sole_ground import GroundGoals, SoleGround
from blender_bioik.solver import Clip, Joint, KinematicTree, Tip
from blender_bioik.solver.clips.goal_list import GoalList
from blender_bioik.solver.clips.open_clip import OpenClip, open_clip
from blender_bioik.solver.clips.whole_clip import Inertia
from blender_bioik.solver.goals.ground import Above

from .gaits import foot_along
from .grounds import plan_on

FRAMES = 5
PLANTED = Contact(0, BALL, 0, FRAMES)
TIPS = ("heel", "ball", "tip")
AWAY = np.array([[0.0, 0.18, 0.0], [0.0, 0.0, 0.0], [0.0, -0.07, 0.0]])
# Points at the sides, 4 cm from those.
RIM = tuple(f"{name} {side}" for name in (*TIPS, "arch") for side in "LR")
ASIDE = np.array([[0.04, 0.0, 0.0], [-0.04, 0.0, 0.0]])
RIM_AWAY = (np.vstack([AWAY, AWAY[:2].mean(axis=0)])[:, None] + ASIDE).reshape(-1, 3)


@contextmanager
def standing_on(
    surfaces: list[Surface],
    contacts: tuple[Contact, ...] = (),
    clearance: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    rim: bool = False,
) -> Iterator[tuple[SoleGround, OpenClip]]:
    joints = [
        Joint(axis, parent, "prismatic", tuple(np.eye(3)[i]))
        for i, (axis, parent) in enumerate(zip("xyz", (None, "x", "y"), strict=True))
    ]
    names, places = (*TIPS, *RIM), np.concatenate([AWAY, RIM_AWAY])
    tree = KinematicTree(
        joints, [Tip(n, "z", tuple(a)) for n, a in zip(names, places, strict=True)]
    )
    base = foot_along("leg", np.zeros((FRAMES, 3)))
    foot = Foot("leg", base.points, np.array(clearance), base.knee, base.hip)
    plan = plan_on(surfaces, [foot], list(contacts))
    beside = RIM if rim else ()
    goals = GoalList()
    handles = GroundGoals(
        *(
            goals.add_all(Above(name, (0.0, 0.0, 0.0), weight=weight) for name in tips)
            for tips, weight in (((*TIPS, *beside), 4.0), (TIPS, 1.0))
        )
    )
    inertia = Inertia(np.ones(3), np.ones(3))
    with open_clip(tree, goals.goals, Clip(np.zeros((FRAMES, 3))), inertia) as opened:
        soles, rims = ([opened.tip_numbers[name] for name in each] for each in (TIPS, beside))
        yield SoleGround(opened, handles, plan, [foot], soles, [rims], 1.0), opened


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Floats:
    return np.tile([x, y, z], (FRAMES, 1))
