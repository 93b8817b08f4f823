"""Whole clips of a generated biped solved over grounds; measured by forward kinematics.

Tests of: body, descent, placement_goals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.plan import Plan, PlanSettings
from blender_bioik.motion.solve.placement import Placed, place, solve_goals
from blender_bioik.motion.solve.placement_goals import add_placement_goals
from blender_bioik.solver import Position, Track
from blender_bioik.solver.clips.goal_list import GoalList
from blender_bioik.solver.goals.ground import Hold
from demo.gait import RUN, WALK

from ...builders.motion.grounds import hills, moving, plan_on, plate, stairs, turned
from ...builders.motion.walker import SIDES, Limits, Walker, walker, with_goals

MILLIMETRE = 1e-3
POINTS = ("heel", "ball", "tip")


@cache
def walking() -> Walker:
    return walker(WALK)


@cache
def short_walk() -> Walker:
    return walker(WALK, frames=53)


def rocks(seed: int = 3) -> list[Surface]:
    """Blocks of up to 12 cm on a floor."""
    random = np.random.default_rng(seed)
    blocks = [plate()]
    for _ in range(60):
        x, y = random.uniform(-0.4, 0.4), random.uniform(-7.5, 0.5)
        w, h = random.uniform(0.08, 0.3, 2)
        blocks.append(plate(random.uniform(0.02, 0.12), x=(x - w, x + w), y=(y - h, y + h)))
    return blocks


GROUNDS = {
    "flat": [plate(0.7)],
    "slope up": [plate(slope=(0.0, -0.21))],
    "slope down": [plate(slope=(0.0, 0.21))],
    "slope across": [plate(slope=(0.18, 0.05))],
    "hills": [hills(120, 12.0, 0.15)],
    "stairs": stairs(12),
    "rocks": rocks(),
    "hole": [plate(0.0, y=(-3.0, 9.0)), plate(0.1, y=(-20.0, -3.6))],
}


def solve(
    who: Walker,
    surfaces: Sequence[Surface],
    contacts: list[Contact] | None = None,
    settings: PlanSettings | None = None,
) -> tuple[Plan, Placed]:
    plan = plan_on(
        surfaces,
        who.feet,
        who.contacts if contacts is None else contacts,
        settings or PlanSettings(),
        rate=who.rate,
        scale=who.scale,
    )
    return plan, place(who.body, who.feet, plan, who.rate, who.scale)


def soles(who: Walker, values: Floats) -> Floats:
    """Places (f, feet, 3, 3) of all sole points."""
    tips = who.body.tip_places(values)
    return np.stack(
        [np.stack([tips[f"{point}.{side}"] for point in POINTS], axis=1) for side in SIDES], axis=1
    )


def missed(who: Walker, plan: Plan, values: Floats) -> float:
    """The largest distance of a locked ball from its target, metres."""
    points = soles(who, values)
    return max(
        float(np.linalg.norm(points[:, i, BALL] - foot.target[:, BALL], axis=-1)[locked].max())
        for i, foot in enumerate(plan.feet)
        if (locked := foot.plan_lock[:, BALL] == 1.0).any()
    )


def depth(who: Walker, plan: Plan, values: Floats) -> float:
    """How deep the deepest sole point is in the ground, metres."""
    points = soles(who, values)
    rows = np.arange(len(points))[:, None, None]
    return float((plan.underfoot.at(points, rows).height - points[..., 2]).max())


@pytest.mark.parametrize("ground", GROUNDS)
def test_planted_feet_stand_where_planned_and_nothing_sinks_in(ground: str) -> None:
    who = walking()
    plan, placed = solve(who, GROUNDS[ground])
    assert not placed.cancelled
    assert missed(who, plan, placed.values) < MILLIMETRE
    assert depth(who, plan, placed.values) < MILLIMETRE
    assert who.knees(placed.values).min() > 0.0


@pytest.mark.parametrize("ground", ["flat", "hills"])
def test_running_feet_stand_where_planned(ground: str) -> None:
    who = walker(RUN)
    plan, placed = solve(who, GROUNDS[ground])
    assert missed(who, plan, placed.values) < MILLIMETRE
    assert depth(who, plan, placed.values) < MILLIMETRE
    assert who.knees(placed.values).min() > 0.0


def test_a_clip_that_stands_correctly_is_returned_unchanged() -> None:
    who = walking()
    _, placed = solve(who, [plate()])
    slides = [who.joint(f"pelvis{axis}") for axis in "XYZ"]
    turns = np.delete(placed.values, slides, axis=1)
    assert np.abs(turns).max() < np.radians(0.01)
    assert np.abs(placed.values[:, slides]).max() < MILLIMETRE
    assert placed.steps < 10


def test_clip_on_a_floor_of_another_height_is_only_raised() -> None:
    who = walking()
    _, placed = solve(who, [plate(5.0)])
    height = placed.values[:, who.joint("pelvisZ")]
    assert np.abs(height - 5.0).max() < MILLIMETRE
    others = np.delete(placed.values, who.joint("pelvisZ"), axis=1)
    assert np.abs(others).max() < np.radians(0.05)


def test_same_bits_every_time() -> None:
    results = [solve(walker(WALK, frames=53), stairs(12))[1] for _ in range(2)]
    assert results[0].values.tobytes() == results[1].values.tobytes()
    assert results[0].steps == results[1].steps


def test_a_goal_that_is_inserted_first_changes_no_bit() -> None:
    """With a goal of the user's own, which is made stiffer, on stairs, where edges are found."""
    who = walker(WALK, frames=53)
    point = who.feet[0].points[30, TIP] + np.array([0.0, 0.0, 0.1])
    weight = (np.arange(53) == 30).astype(float)
    kick = Track(Position("tip.L", tuple(point), tolerance=0.002), {"weight": weight})
    who = with_goals(who, kick)
    plan = plan_on(stairs(12), who.feet, who.contacts, rate=who.rate, scale=who.scale)
    expected = place(who.body, who.feet, plan, who.rate, who.scale)
    goals = GoalList()
    goals.add(Hold("pelvis", (0.0, 0.0, 0.0), weight=0.0))
    asked = add_placement_goals(goals, who.body, who.feet, plan, who.rate, who.scale)
    goals.add(Hold("pelvis", (0.0, 0.0, 0.0), weight=0.0))
    found = solve_goals(asked, who.body, who.feet, plan, who.rate, who.scale)
    assert found.steps == expected.steps
    assert found.values.tobytes() == expected.values.tobytes()
    assert found.errors.tobytes() == expected.errors.tobytes()


def test_source_and_plan_are_left_as_they_are() -> None:
    who = walker(WALK, frames=40)
    plan = plan_on(stairs(12), who.feet, who.contacts)
    before = [np.array(a) for foot in plan.feet for a in (foot.target, foot.plan_lock, foot.swing)]
    points = [foot.points.copy() for foot in who.feet]
    place(who.body, who.feet, plan, who.rate, who.scale)
    after = [a for foot in plan.feet for a in (foot.target, foot.plan_lock, foot.swing)]
    assert all((a == b).all() for a, b in zip(after, before, strict=True))
    assert all((f.points == p).all() for f, p in zip(who.feet, points, strict=True))
    assert not np.asarray(who.body.clip.values).any()


@pytest.mark.parametrize("after", [0, 1, 4])
def test_cancelled_solve_returns_at_once(after: int) -> None:
    who = short_walk()
    plan = plan_on(stairs(12), who.feet, who.contacts)
    done: list[tuple[int, int]] = []
    placed = place(
        who.body,
        who.feet,
        plan,
        who.rate,
        who.scale,
        progress=lambda step, most: done.append((step, most)),
        stopped=lambda: len(done) > after,
    )
    assert placed.cancelled
    assert placed.steps == after
    assert np.isfinite(placed.values).all()
    assert [step for step, _ in done] == list(range(after + 1))
    # The next solve is not stopped by it.
    again = place(who.body, who.feet, plan, who.rate, who.scale)
    assert not again.cancelled
    assert missed(who, plan, again.values) < MILLIMETRE


def test_user_goal_is_met_while_feet_stand() -> None:
    """A kick: the tip of the swinging foot passes a point."""
    frames = len(walking().feet[0].points)
    row = WALK.cycle_frames + WALK.toe_off + 5
    point = walking().feet[0].points[row, 2] + np.array([0.05, -0.05, 0.30])
    weight = np.zeros(frames)
    weight[row] = 1.0
    kick = Track(
        Position("tip.L", (0.0, 0.0, 0.0), tolerance=0.002),
        {"point": np.tile(point, (frames, 1)), "weight": weight},
    )
    who = with_goals(walking(), kick)
    plan, placed = solve(who, [hills(120, 12.0, 0.1)])
    reached = soles(who, placed.values)[row, 0, 2]
    assert np.linalg.norm(reached - point) < 0.002
    assert placed.errors.shape == (frames, 1)
    assert placed.errors[row, 0] < 0.002
    assert missed(who, plan, placed.values) < MILLIMETRE


PARTS = ((HEEL, BALL), (BALL, TIP))


@pytest.mark.parametrize("width", [0.01, 0.06])
def test_a_swing_clears_obstacles_narrower_than_a_foot(width: float) -> None:
    who, height = walking(), 0.1
    stands = [c for c in who.contacts if c.foot == 0 and c.point == BALL and c.first > 20]
    y = np.mean([who.feet[0].points[c.first + 3, BALL, 1] for c in stands[:2]])
    kerb = plate(height, x=(0.0, 1.0), y=(y - width / 2.0, y + width / 2.0))
    plan, placed = solve(who, [plate(), kerb])
    points = soles(who, placed.values)[:, 0]
    share = np.linspace(0.0, 1.0, 30)[:, None, None]
    parts = (points[:, one] + share * (points[:, other] - points[:, one]) for one, other in PARTS)
    line = np.concatenate(list(parts))
    above = np.abs(line[..., 1] - y) < width / 2.0
    assert above.any()
    assert line[above, 2].min() > height - MILLIMETRE
    assert missed(who, plan, placed.values) < MILLIMETRE


# Of a pit, metres: the body does not sway so far aside, which would make a hole of it.
EDGE = 0.03


def test_contact_out_of_reach_is_approached_and_nothing_breaks() -> None:
    """A lift that goes down from under one foot, with ground under the body and the other foot."""
    who = walking()
    step = next(c for c in who.contacts if c.foot == 0 and c.point == BALL and c.first > 40)
    x, y = who.feet[0].points[step.first : step.stop, BALL, :2].mean(axis=0)
    way = np.zeros((len(who.feet[0].points), 3))
    way[step.first + 3 :, 2] = -0.7
    pit = [
        *[plate(0.0, x=(-10.0, EDGE))],
        *[plate(0.0, x=(EDGE, 10.0), y=side) for side in ((-20.0, y - 0.3), (y + 0.3, 10.0))],
        moving(plate(0.0, x=(EDGE, 10.0), y=(y - 0.3, y + 0.3)), way),
    ]
    plan, placed = solve(who, pit)
    wanted = plan.feet[0].target[step.first + 5, BALL]
    assert wanted[2] == pytest.approx(-0.7, abs=0.01)
    assert x > EDGE
    values = placed.values
    assert np.isfinite(values).all()
    knees = who.knees(values)
    assert knees.min() > -np.radians(5.0)
    points = soles(who, values)
    # Frames far from the pit are not harmed by it.
    locked = plan.feet[1].plan_lock[:, BALL] == 1.0
    off = np.linalg.norm(points[:, 1, BALL] - plan.feet[1].target[:, BALL], axis=-1)
    far = locked & (np.abs(np.arange(len(off)) - step.first) > 40)
    assert off[far].max() < MILLIMETRE
    # The leg goes for it.
    low = points[step.first + 3 : step.stop - 3, 0, BALL, 2].min()
    assert low < -0.05


@pytest.mark.parametrize("ground", ["stairs", "hills"])
def test_joint_limits_are_respected(ground: str) -> None:
    limits: Limits = {
        "knee.LX": (-0.15, 0.10),
        "foot.RX": (-0.05, 0.05),
        "hip.LY": (-0.02, 0.02),
        "pelvisX": (-0.005, 0.005),
    }
    who = walker(WALK, limits=limits)
    _, placed = solve(who, GROUNDS[ground])
    for name, (lower, upper) in limits.items():
        values = placed.values[:, who.joint(name)]
        assert values.min() >= lower
        assert values.max() <= upper
    assert np.isfinite(placed.values).all()


def test_source_beyond_a_limit_is_brought_inside() -> None:
    who = walker(WALK, frames=53, limits={"foot.LX": (-0.1, 0.1)})
    values = np.array(who.body.clip.values)
    values[20:30, who.joint("foot.LX")] = 0.3
    who = replace(who, body=replace(who.body, clip=who.body.clip._replace(values=values)))
    _, placed = solve(who, [hills(120, 12.0, 0.1)])
    found = placed.values[:, who.joint("foot.LX")]
    assert found.max() <= 0.1
    assert found.min() >= -0.1


def test_no_contacts_at_all() -> None:
    who = short_walk()
    plan, placed = solve(who, [hills(120, 12.0, 0.15)], contacts=[])
    assert np.isfinite(placed.values).all()
    assert depth(who, plan, placed.values) < MILLIMETRE


@pytest.mark.parametrize("frames", [1, 2, 3, 6])
def test_shortest_clips(frames: int) -> None:
    who = walker(WALK, frames=frames)
    plan, placed = solve(who, [plate(0.2, slope=(0.1, 0.1))])
    assert placed.values.shape == (frames, who.body.tree.size)
    assert np.isfinite(placed.values).all()
    assert depth(who, plan, placed.values) < MILLIMETRE


@pytest.mark.parametrize("ground", ["slope up", "stairs", "rocks"])
def test_hooves(ground: str) -> None:
    who = walker(WALK, hooves=True)
    contacts = [c for c in who.contacts if c.point == BALL]
    contacts += [c._replace(point=point) for c in contacts for point in (0, 2)]
    plan, placed = solve(who, GROUNDS[ground], contacts=contacts)
    assert np.isfinite(placed.values).all()
    assert missed(who, plan, placed.values) < MILLIMETRE
    assert depth(who, plan, placed.values) < MILLIMETRE


@pytest.mark.parametrize("times", [0.01, 0.1, 10.0, 100.0])
@pytest.mark.parametrize("ground", ["slope up", "stairs", "rocks"])
def test_solution_does_not_depend_on_size(ground: str, times: float) -> None:
    who = walker(WALK, times=times)
    surfaces = [turned(surface, 0.0, (0.0, 0.0, 0.0), times) for surface in GROUNDS[ground]]
    plan = plan_on(
        surfaces,
        who.feet,
        who.contacts,
        PlanSettings(step_up=times * PlanSettings().step_up),
        scale=who.scale,
        knee=times * 0.5,
    )
    placed = place(who.body, who.feet, plan, who.rate, who.scale)
    assert missed(who, plan, placed.values) < times * MILLIMETRE
    assert depth(who, plan, placed.values) < times * MILLIMETRE
    assert who.knees(placed.values).min() > 0.0


def test_loop_stays_a_loop() -> None:
    """On a slope across the path every stride is the same."""
    who = walking()
    who = replace(who, body=replace(who.body, loop=True))
    plan, placed = solve(who, [plate(slope=(0.15, 0.0))])
    assert missed(who, plan, placed.values) < MILLIMETRE
    turns = placed.values[:, 3:]
    step = np.abs(np.diff(turns, axis=0)).max()
    assert np.abs(turns[0] - turns[-1]).max() <= step


def test_feet_stay_on_a_platform_that_moves_and_stops() -> None:
    who = walking()
    frames = len(who.feet[0].points)
    time = np.arange(frames) / who.rate
    way = np.zeros((frames, 3))
    way[:, 0] = 0.3 * np.clip(time - 1.0, 0.0, 2.0) ** 2 / 2.0
    way[time > 3.0, 0] = 0.6 + 0.6 * (1.0 - np.exp(-(time[time > 3.0] - 3.0)))
    raft = moving(plate(0.1, x=(-2.0, 2.0)), way)
    plan, placed = solve(who, [raft])
    points = soles(who, placed.values)
    assert missed(who, plan, placed.values) < MILLIMETRE
    for i, foot in enumerate(plan.feet):
        for step in foot.footsteps:
            rows = slice(step.contact.first, step.contact.stop)
            on_raft = points[rows, i, BALL, :2] - way[rows, :2]
            assert np.ptp(on_raft, axis=0).max() < MILLIMETRE


def test_body_rises_with_the_stairs() -> None:
    who = walking()
    _, placed = solve(who, stairs(12, riser=0.16, tread=0.35))
    height = placed.values[:, who.joint("pelvisZ")]
    assert height[0] == pytest.approx(0.0, abs=0.05)
    assert height[-1] == pytest.approx(12 * 0.16, abs=0.08)
    assert np.diff(height).min() > -0.01


@pytest.mark.parametrize("ease", [0.0, 0.15])
def test_sliding_feet_follow_the_ground_only_in_height(ease: float) -> None:
    who = short_walk()
    contacts = [c._replace(slides=True) for c in who.contacts]
    settings = PlanSettings(ease=ease)
    plan, placed = solve(who, [plate(slope=(0.0, -0.2))], contacts, settings)
    points = soles(who, placed.values)
    for i, foot in enumerate(plan.feet):
        held = foot.height_lock[:, BALL] == 1.0
        off = points[held, i, BALL, 2] - (-0.2 * points[held, i, BALL, 1])
        assert np.abs(off).max() < 0.02
    assert depth(who, plan, placed.values) < MILLIMETRE


def test_a_foot_over_a_hole_keeps_its_height_though_the_ground_behind_it_is_higher() -> None:
    who = walking()
    step = next(c for c in who.contacts if c.foot == 0 and c.point == BALL and c.first > 40)
    y = float(who.feet[0].points[step.first : step.stop, BALL, 1].mean())
    gap = [plate(0.0, y=(y + 0.4, 10.0)), plate(0.2, y=(-20.0, y - 0.4))]
    plan, placed = solve(who, gap)
    over = next(
        s for s in plan.feet[0].footsteps if s.contact.first <= step.first + 3 < s.contact.stop
    )
    assert over.over_hole
    rows = slice(over.contact.first, over.contact.stop)
    heights = soles(who, placed.values)[rows, 0, BALL, 2]
    np.testing.assert_allclose(heights, plan.feet[0].target[rows, BALL, 2], atol=2 * MILLIMETRE)


def test_a_foot_that_lands_after_the_clip_is_led_over_even_ground_alone() -> None:
    who = short_walk()
    stands = [c for c in who.contacts if c.foot == 0 and c.point == BALL]
    last = max(stands, key=lambda contact: contact.stop)
    assert last.stop < len(who.feet[0].points) - 3
    y = who.feet[0].points[last.stop :, BALL, 1].mean()
    for ground, expected in (
        ([plate(slope=(0.0, -0.2))], True),
        ([plate(), plate(0.1, y=(y - 0.2, y + 0.2))], False),
    ):
        plan = plan_on(
            ground, who.feet, who.contacts, PlanSettings(), rate=who.rate, scale=who.scale
        )
        added = add_placement_goals(GoalList(), who.body, who.feet, plan, who.rate, who.scale)
        lead = added.all.goals[added.legs[0].lead.index]
        assert isinstance(lead, Track)
        led = np.asarray(lead.fields["weight"]) > 0.0
        assert led[last.stop :].all() == led[last.stop :].any() == expected
        assert led[stands[0].stop : stands[1].first].all()
