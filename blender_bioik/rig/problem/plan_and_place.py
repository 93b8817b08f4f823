"""Planning footsteps and solving for them, also for loops."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...motion.contacts.levels import find_levels
from ...motion.feet import BALL, PUT, Contact, Floats, Foot
from ...motion.ground.terrain import Terrain
from ...motion.ground.underfoot import Underfoot
from ...motion.plan.plan import Plan, PlanSettings
from ...motion.plan.planner import make_plan
from ...motion.rests.rest_plan import Support, plan_rests
from ...motion.rests.resting import NOTHING, Resting
from ...motion.solve.body import Body
from ...motion.solve.loops import Loop, place_loop
from ...motion.solve.mesh_lifts import lifted
from ...motion.solve.placement import Placed, place
from ...solver.errors import SolverError
from ..errors import Cancelled, RigError
from ..reading import Cancel, Progress


def planned_feet(
    name: str,
    feet: Sequence[Foot],
    contacts: Sequence[Contact],
    floor: Floats,
    pelvis: Floats,
    terrain: Terrain,
    rate: float,
    scale: float,
    settings: PlanSettings,
    loop: Loop | None,
    hands: NDArray[np.bool_] | None = None,
    resting: Resting = NOTHING,
    lifts: Floats | None = None,
) -> tuple[Plan, Support | None]:
    """Plan the footsteps; a loop is planned repeated.

    Args:
        name: Name of the character.
        feet: The feet in the source.
        contacts: Their contacts.
        floor: Height of the source's floor under each foot; (f, feet).
        pelvis: Where the pelvis is in the source; (f, 3).
        terrain: The ground.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        settings: Foot placement settings.
        loop: How the clip repeats, None if it does not.
        hands: In which rows hands bear, None if that is not known; (f,).
        resting: What rests besides feet.
        lifts: How much higher feet are than their soles require, metres; (f, feet).

    Raises:
        RigError: There is no ground under them.
    """
    parts, rests = resting
    if loop is not None:
        feet, contacts = tuple(loop.repeated_feet(feet)), tuple(loop.repeated_contacts(contacts))
        floor, pelvis, terrain = floor[loop.rows], pelvis[loop.rows], terrain.repeated(loop.period)
        hands = None if hands is None else hands[loop.rows]
        parts = tuple(loop.repeated_parts(parts))
        rests = tuple(loop.repeated_contacts(rests))
    knee = float(np.mean([foot.knee[:, 2] - floor[:, i] for i, foot in enumerate(feet)]))
    # A knee on the ground does not say what is overhead.
    if any(rest.held is None and parts[rest.foot].bears for rest in rests):
        knee = float(np.mean([np.linalg.norm(f.knee - f.points[:, BALL], axis=-1) for f in feet]))
    climb = find_levels(feet, contacts, scale).climb(len(pelvis))
    if settings.levels == PUT:
        climb[:] = 0.0
    bottom = float(floor[0].mean() - climb[0])
    underfoot = Underfoot(terrain, pelvis[:, :2], bottom, knee, rate, climb)
    if underfoot.is_empty:
        raise RigError(
            f'There is no ground under "{name}" in any frame: '
            "move the ground under its path, or choose another one."
        )
    plan = make_plan(feet, contacts, floor, pelvis, underfoot, rate, scale, settings, hands)
    support = None
    if rests:
        lowest = floor.min(axis=1)
        plan, support = plan_rests(parts, rests, feet, plan, lowest, pelvis, rate, scale)
    if loop is not None:
        plan = loop.own_plan(plan, feet, settings)
        support = None if support is None else loop.own_support(support)
    return plan if lifts is None else lifted(plan, lifts), support


def placed_feet(
    body: Body,
    feet: Sequence[Foot],
    plan: Plan,
    rate: float,
    scale: float,
    loop: Loop | None,
    progress: Progress | None,
    cancelled: Cancel | None,
    support: Support | None = None,
) -> Placed:
    """The poses that follow a plan.

    Args:
        body: The character.
        feet: Its feet in the source.
        plan: Where they go.
        rate: Frames per second.
        scale: Size of the character relative to one of 1.6 m.
        loop: How the clip repeats, None if it does not.
        progress: Called with the work done and the total work.
        cancelled: Called regularly; true to stop.
        support: How other parts of the body rest; None if none does.

    Raises:
        RigError: The solver cannot solve it.
        Cancelled: `cancelled` returned true.
    """
    try:
        if loop is None:
            placed = place(body, feet, plan, rate, scale, progress, cancelled, support)
        else:
            placed = place_loop(loop, body, feet, plan, rate, scale, progress, cancelled, support)
    except SolverError as error:
        raise RigError(str(error)) from error
    if placed.cancelled:
        raise Cancelled
    return placed
