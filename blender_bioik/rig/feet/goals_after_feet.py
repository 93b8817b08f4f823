"""Goals of the user's own where feet are placed: solved on the body as the feet have put it.

They are solved as any bake solves them, with the placed clip as their source: an arm that cannot
reach stretches out, and body and feet stay where they are. Goals about legs are met with the feet,
see `goal_stages.py`. Reading belongs to Blender's main thread; solving touches only arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...motion.solve.loops import Loop
from ...motion.solve.placement import Placed
from ...motion.solve.tuning import WEIGHTS
from ...solver import Clip as JointClip
from ...solver import Displacement, Goal, Orientation, Position, Track
from ...solver.clips.open_clip import clip_errors
from ...solver.errors import SolverError
from ..bake.bake import BakePlan, solve_bake, widened_notes
from ..bake.bake_keys import channel_source
from ..clip.bone_frames import bone_orientation
from ..clip.sampling import Clip
from ..clip.skeleton import replaced_pose
from ..errors import RigError
from ..goals.goal_copies import copied_goal
from ..goals.solve_setup import SolveSetup, setup_model, staying
from ..goals.tracks import PlannedGoal, solver_tracks
from ..joints.joint_model import JointModel, TipPlace, Vector
from ..keys.keys import BoneTracks
from ..legs.goal_stages import GoalStages
from ..legs.leg_joints import LegSetup, turn_axes
from ..legs.upper_body import Arm, hand_tip
from ..reading import Cancel, Progress
from ..report.report import GoalReport, goal_report
from ..transforms import Floats

# What a loop's correction may be off between its ends before these are left as they are, radians.
SEAM = 0.02


@dataclass(frozen=True, eq=False)
class OwnGoals:
    """The armature's goals where its feet are placed.

    Attributes:
        planned: All of them; copies that may be looked at anywhere.
        with_feet: Numbers of those that take part in placing the feet.
        above: Numbers of those that are solved afterwards; some may be among both.
        setup: What is solved then.
        arms: Arms whose hands stay in the world meanwhile.
        arm_axes: Axes that the bones of these turn about.
        displacement: How much the wish to stay as placed counts.
        scale: Size of the character relative to one of 1.6 m.
    """

    planned: tuple[PlannedGoal, ...]
    with_feet: tuple[int, ...]
    above: tuple[int, ...]
    setup: SolveSetup
    arms: tuple[Arm, ...]
    arm_axes: dict[str, tuple[Vector, ...]]
    displacement: float
    scale: float


class GoalErrors(NamedTuple):
    """How far a goal is off.

    Attributes:
        planned: The goal.
        errors: In the result, metres or degrees; (f,).
        within: Whether these are within its tolerance; (f,).
        before: In the source, metres or degrees; (f,).
    """

    planned: PlannedGoal
    errors: Floats
    within: NDArray[np.bool_]
    before: Floats


class PlacedGoals(NamedTuple):
    """Channels of all bones after goals were solved on placed feet, their errors, and notes."""

    tracks: BoneTracks
    errors: dict[int, GoalErrors]
    notes: tuple[str, ...]


def own_goals(bake: BakePlan, legs: LegSetup, scale: float) -> OwnGoals:
    """What is to be solved of an armature's goals, and when."""
    stages = GoalStages(bake.setup, bake.skeleton, legs)
    planned = tuple(copied_goal(goal) for goal in bake.goals)
    arms = stages.staying_arms
    axes = turn_axes(legs, bake.skeleton, bake.clip) if arms else {}
    return OwnGoals(
        planned,
        stages.with_feet,
        stages.above,
        stages.above_setup([planned[number].goal for number in stages.above]),
        arms,
        {bone: axes[bone] for arm in arms for bone in (arm.upper, arm.lower)},
        float(bake.armature.bioik.solver.displacement),
        scale,
    )


def feet_tracks(bake: BakePlan, goals: OwnGoals) -> list[tuple[int, Goal | Track]]:
    """Goals that take part in placing feet, with their numbers.

    That bones stay as animated is part of placing feet anyway.
    """
    tracks = bake.tracks[: len(goals.with_feet)]
    return [
        (number, track)
        for number, track in zip(goals.with_feet, tracks, strict=True)
        if not isinstance(_goal_of(track), Displacement)
    ]


def solve_own_goals(
    bake: BakePlan,
    goals: OwnGoals,
    placed: Placed,
    loop: Loop | None,
    progress: Progress | None,
    cancelled: Cancel | None,
) -> PlacedGoals:
    """Solve goals on placed feet, and measure all of them. Touches nothing of Blender.

    Args:
        bake: What was read.
        goals: Its goals.
        placed: The feet's own solve.
        loop: How the clip repeats, None if it does not.
        progress: Called with the work done and all work.
        cancelled: Asked now and then.

    Raises:
        RigError: The solver cannot work with what was read.
        Cancelled: `cancelled` returned true.
    """
    tracks = bake.model.tracks(placed.values)
    errors = dict(_feet_errors(bake, goals, placed.errors))
    if not goals.above:
        return PlacedGoals(tracks, errors, ())
    above = _solve_above(bake, goals, tracks, loop, progress, cancelled)
    return above._replace(errors=errors | above.errors)


def _solve_above(
    bake: BakePlan,
    goals: OwnGoals,
    placed: BoneTracks,
    loop: Loop | None,
    progress: Progress | None,
    cancelled: Cancel | None,
) -> PlacedGoals:
    """Solve goals above, on the channels that placing feet has given all bones."""
    clip = _placed_clip(bake, placed)
    plan = _plan(bake, goals, clip, np.arange(len(clip.frames)))
    try:
        if not plan.model.bones:
            values = np.asarray(plan.model.clip.values)
        elif loop is None:
            values = solve_bake(plan, progress=progress, cancelled=cancelled).values
        else:
            again = _plan(bake, goals, clip, loop.rows)
            solved = solve_bake(again, progress=progress, cancelled=cancelled).values
            values = _around(loop, plan.model, solved - np.asarray(again.model.clip.values))
        errors = dict(_errors(bake, goals, plan, values))
    except SolverError as error:
        raise RigError(str(error)) from error
    return PlacedGoals(plan.model.tracks(values), errors, tuple(widened_notes(plan.model)))


def _placed_clip(bake: BakePlan, placed: BoneTracks) -> Clip:
    """The clip after feet were placed, as the source of what is solved on it."""
    source, moved = channel_source(bake), [bone.index for bone in bake.model.bones]
    channels = (track[:, moved] for track in placed)
    pose = replaced_pose(bake.skeleton, source.pose, moved, channels)
    location, rotation, scale = placed
    return replace(source, location=location, rotation=rotation, scale=scale, pose=pose)


def goal_reports(errors: Sequence[GoalErrors], frames: Floats) -> Iterator[GoalReport]:
    """How well goals were met."""
    for planned, after, within, before in errors:
        yield goal_report(planned, frames, after, within, before)


def _feet_errors(
    bake: BakePlan, goals: OwnGoals, errors: Floats
) -> Iterator[tuple[int, GoalErrors]]:
    """How far goals that took part in placing feet are off, by errors in metres or radians."""
    asked = feet_tracks(bake, goals)
    if not asked:
        return
    before = clip_errors(bake.model.tree, [track for _, track in asked], bake.model.clip)
    for k, (number, track) in enumerate(asked):
        goal = _goal_of(track)
        shown = np.degrees(errors[:, k]) if _is_angle(goal, bake.model) else errors[:, k]
        within = errors[:, k] <= _tolerance(goal)
        yield number, GoalErrors(goals.planned[number], shown, within, before[:, k])


def _plan(bake: BakePlan, goals: OwnGoals, clip: Clip, rows: NDArray[np.intp]) -> BakePlan:
    """What is solved above, over rows of the placed clip."""
    placed, source = _rows_of(clip, rows), _rows_of(bake.clip, rows)
    model = _model(bake, goals, placed)
    planned = [
        replace(goal, influence=goal.influence[rows], target=goal.target[rows])
        for goal in (goals.planned[number] for number in goals.above)
    ]
    tracks = solver_tracks(model, placed, planned)
    again = [k for k, number in enumerate(goals.above) if number in goals.with_feet]
    if again:
        # What part of the way they ask for was said by the source, and has been gone.
        on_source = solver_tracks(model, source, planned)
        tracks = [on_source[k] if k in again else track for k, track in enumerate(tracks)]
    return replace(
        bake,
        clip=placed,
        model=model,
        goals=tuple(planned),
        tracks=(
            *tracks,
            *(hold for arm in goals.arms for hold in _hand_holds(bake, arm, placed, goals.scale)),
            *staying(goals.displacement, model),
        ),
    )


def _model(bake: BakePlan, goals: OwnGoals, clip: Clip) -> JointModel:
    """The joints that goals above move; the clip's channels give its poses."""
    return setup_model(
        goals.setup,
        bake.skeleton,
        clip,
        frozenset(),
        tips=[TipPlace(hand_tip(arm), arm.hand) for arm in goals.arms],
        turn_axes=goals.arm_axes,
    )


def _hand_holds(bake: BakePlan, arm: Arm, clip: Clip, scale: float) -> Iterator[Track]:
    """A hand stays where feet have left it."""
    matrix = clip.world @ clip.pose[:, bake.skeleton.index[arm.hand]]
    place = Position(hand_tip(arm), (0.0, 0.0, 0.0), tolerance=WEIGHTS.firm * scale)
    turn = Orientation(hand_tip(arm), (1.0, 0.0, 0.0, 0.0), tolerance=WEIGHTS.hand_turn)
    yield Track(place, {"point": matrix[:, :3, 3]})
    yield Track(turn, {"quaternion_wxyz": bone_orientation(matrix)})


def _around(loop: Loop, model: JointModel, correction: Floats) -> Floats:
    """Joint values (f, joints) of a loop from the correction of the repeated clip.

    What is left of a difference between the ends, which were solved apart, is spread over all rows.
    """
    first, period = loop.before, loop.period
    seam = correction[first + period] - correction[first]
    seam = np.where(np.abs(seam) < SEAM, seam, 0.0)
    share = np.arange(period)[:, None] / period - 0.5
    once = correction[first : first + period] - share * seam
    values = np.asarray(model.clip.values) + once[np.arange(loop.frames) % period]
    return np.clip(values, model.tree.lower, model.tree.upper)


def _errors(
    bake: BakePlan, goals: OwnGoals, plan: BakePlan, values: Floats
) -> Iterator[tuple[int, GoalErrors]]:
    """How far the goals above are off at joint values (f, joints), and were in the source."""
    model, tracks = plan.model, plan.tracks[: len(goals.above)]
    source = _model(bake, goals, channel_source(bake))
    before = clip_errors(source.tree, tracks, source.clip)
    after = clip_errors(model.tree, tracks, JointClip(values, model.settled(values).rest))
    for k, number in enumerate(goals.above):
        goal = _goal_of(tracks[k])
        if isinstance(goal, Displacement):
            continue
        tolerance = _tolerance(goal)
        if _is_angle(goal, model):
            tolerance = np.degrees(tolerance)
        within = after[:, k] <= tolerance
        yield number, GoalErrors(goals.planned[number], after[:, k], within, before[:, k])


def _rows_of(clip: Clip, rows: NDArray[np.intp]) -> Clip:
    return Clip(*(getattr(clip, field.name)[rows] for field in fields(clip)))


def _goal_of(track: Goal | Track) -> Goal:
    return track.goal if isinstance(track, Track) else track


def _tolerance(goal: Goal) -> float:
    """Up to which error a goal is met, metres or radians."""
    return np.inf if goal.tolerance is None else float(goal.tolerance)


def _is_angle(goal: Goal, model: JointModel) -> bool:
    return goal.unit_on(model.tree) == "rad"
