"""Where capsules go on slopes, steps and moving ground, and what that means for the body.

Tests of: motion.rests.part_plan, motion.rests.rest_plan.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blender_bioik.motion.feet import BALL, Contact, Floats
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.plan import Plan
from blender_bioik.motion.rests.part import Part
from blender_bioik.motion.rests.part_plan import PartPlanner, RestPlan, between
from blender_bioik.motion.rests.rest_plan import Support, plan_rests

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import moving, plan_on, plate
from ...builders.motion.parts import RADIUS, RATE, capsule, lying, stepping

FRAMES = 90
FLOOR = np.zeros(FRAMES)
MILLIMETRE = 1e-3
ALL = Contact(0, BALL, 0, FRAMES)


def feet_plan(*surfaces: Surface) -> Plan:
    """The plan of feet that hang in the air."""
    hanging = foot_along("leg", lying(FRAMES, z=0.5))
    return plan_on(list(surfaces), [hanging], [])


def planned(part: Part, *contacts: Contact, surfaces: tuple[Surface, ...]) -> RestPlan:
    underfoot = feet_plan(*surfaces).underfoot
    planner = PartPlanner(underfoot, FLOOR, np.zeros((FRAMES, 3)), RATE, 1.0)
    return planner.plan(part, contacts)


def test_a_part_keeps_its_height_over_the_floor_on_a_slope() -> None:
    part = capsule("hand", lying(FRAMES, z=RADIUS + 0.01))
    rest = planned(part, ALL, surfaces=(plate(0.1, slope=(0.2, 0.0)),))
    for number in (1, 2):
        x, _, z = rest.point[40, number]
        assert z == pytest.approx(0.1 + 0.2 * x + 0.01, abs=MILLIMETRE)
    assert (rest.lock == 1.0).all()
    assert (rest.height_lock == 1.0).all()
    normal = Rotation.from_quat(np.roll(rest.turn[40], -1)).apply([0.0, 0.0, 1.0])
    assert normal[:2] / normal[2] == pytest.approx([-0.2, 0.0], abs=1e-6)


def test_what_was_in_the_source_floor_is_put_onto_the_ground() -> None:
    rest = planned(capsule("hand", lying(FRAMES, z=RADIUS - 0.03)), ALL, surfaces=(plate(),))
    assert rest.point[40, 1:, 2] == pytest.approx([0.0, 0.0], abs=MILLIMETRE)
    assert rest.sunk[40] == pytest.approx(0.03, abs=MILLIMETRE)


def test_it_is_held_where_it_stays_and_led_in_between() -> None:
    part = capsule("hand", stepping(FRAMES, (30, 60), 0.5))
    contacts = Contact(0, BALL, 0, 33), Contact(0, BALL, 57, FRAMES)
    rest = planned(part, *contacts, surfaces=(plate(slope=(0.3, 0.0)),))
    assert rest.lock[10] == rest.lock[75] == 1.0
    assert rest.lock[45] == 0.0
    assert rest.between[45]
    assert np.ptp(rest.point[5:25, 0, :2], axis=0).max() < MILLIMETRE
    lift = rest.point[:, 0, 2] - part.path(rest.place[0, 0])[:, 2]
    x = rest.point[:, 0, 0]
    assert lift[30:60] == pytest.approx(0.3 * x[30:60], abs=5 * MILLIMETRE)


def test_it_goes_along_with_moving_ground() -> None:
    way = np.linspace([0.0, 0.0, 0.0], [0.4, 0.0, 0.0], FRAMES)
    rest = planned(capsule("hand", lying(FRAMES)), ALL, surfaces=(moving(plate(), way),))
    assert np.diff(rest.point[:, 0, 0])[20:70] == pytest.approx(0.4 / (FRAMES - 1), rel=1e-3)


def test_what_slides_is_not_held_in_plan_view() -> None:
    path = lying(FRAMES)
    path[:, 1] -= np.linspace(0.0, 1.0, FRAMES)
    rest = planned(
        capsule("foot", path), ALL._replace(slides=True), surfaces=(plate(slope=(0.0, 0.1)),)
    )
    assert not rest.lock.any()
    assert rest.point[:, 1, 2] == pytest.approx(0.1 * rest.point[:, 1, 1], abs=MILLIMETRE)


def test_the_second_end_of_a_bone_is_nearer_in_plan_view_on_a_slope() -> None:
    """Knee and foot on a slope: both are held, and their distance is as in the source."""
    knee, foot = capsule("knee", lying(FRAMES)), capsule("foot", lying(FRAMES, (0.4, 0.0)))
    underfoot = feet_plan(plate(slope=(0.5, 0.0))).underfoot
    planner = PartPlanner(underfoot, FLOOR, np.zeros((FRAMES, 3)), RATE, 1.0)
    first = planner.plan(knee, [ALL])
    second = planner.plan(foot, [ALL], first)
    points = [plan.point[40, 0] for plan in (first, second)]
    flat = float(np.linalg.norm((points[1] - points[0])[:2]))
    source = foot.path(second.place[0, 0])[0] - knee.path(first.place[0, 0])[0]
    assert np.hypot(flat, 0.5 * np.linalg.norm(source[:2])) == pytest.approx(
        np.linalg.norm(source), rel=0.02
    )


def test_smooth_ways_go_with_time_or_with_the_way_gone() -> None:
    values = np.array([[0.0], [np.nan], [np.nan], [3.0]])
    assert between(values)[:, 0] == pytest.approx([0.0, 3 * 7 / 27, 3 * 20 / 27, 3.0])
    path = np.array([[0.0, 0.0], [0.9, 0.0], [0.95, 0.0], [1.0, 0.0]])
    assert between(values, path, 0.1)[:, 0] == pytest.approx([0.0, 2.7, 2.85, 3.0])
    assert (between(np.full((3, 1), np.nan)) == 0.0).all()


def all_fours(*surfaces: Surface) -> tuple[Plan, Support, Floats]:
    places = ((-0.2, -0.3), (0.2, -0.3), (-0.2, 0.3), (0.2, 0.3))
    parts = [capsule(f"part {k}", lying(FRAMES, place)) for k, place in enumerate(places)]
    contacts = [ALL._replace(foot=number) for number in range(4)]
    pelvis = lying(FRAMES, (0.0, 0.1), 0.4)
    hanging = [foot_along("leg", lying(FRAMES, z=0.5))]
    plan = plan_on(list(surfaces), hanging, [])
    return (*plan_rests(parts, contacts, hanging, plan, FLOOR, pelvis, RATE, 1.0), pelvis)


def test_a_body_on_all_fours_is_turned_and_raised_with_the_slope() -> None:
    slope = (0.1, -0.2)
    plan, support, pelvis = all_fours(plate(0.3, slope=slope))
    turn = Rotation.from_quat(np.roll(support.trunk[45], -1))
    normal = turn.apply([0.0, 0.0, 1.0])
    assert -normal[:2] / normal[2] == pytest.approx(slope, abs=0.02)
    assert plan.body[45, 2] == pytest.approx(0.3 + pelvis[0, :2] @ slope, abs=0.01)
    assert support.share[45] == pytest.approx(1.0)


def test_on_level_ground_the_body_is_not_turned() -> None:
    plan, support, _ = all_fours(plate())
    assert np.abs(support.trunk[:, 1:]).max() < 1e-3
    assert np.abs(plan.body).max() < MILLIMETRE


def test_a_part_of_the_rows_is_the_same() -> None:
    _, support, _ = all_fours(plate(slope=(0.1, 0.0)))
    part = support.part(slice(10, 20))
    assert (part.trunk == support.trunk[10:20]).all()
    assert (part.rests[2].point == support.rests[2].point[10:20]).all()


def test_a_foot_goes_with_what_rests_of_its_leg() -> None:
    standing = foot_along("leg", lying(FRAMES))
    plan = plan_on(
        [plate(slope=(0.2, 0.0))], [standing], [Contact(0, BALL, 0, 20), Contact(0, BALL, 70, 90)]
    )
    knee = replace(capsule("knee", lying(FRAMES, (-0.3, 0.0))), limb="leg")
    rests = [Contact(0, BALL, 30, 60)]
    arguments = [standing], plan, FLOOR, lying(FRAMES, z=0.4), RATE, 1.0
    _, support = plan_rests([knee], rests, *arguments)
    known = ~np.isnan(support.balls[:, 0, 0])
    assert np.flatnonzero(known).tolist() == list(range(30, 60))
    ball = standing.points[45, BALL]
    assert support.balls[45, 0, 2] == pytest.approx(0.2 * ball[0] + ball[2], abs=0.01)
    assert not support.lies.any()
    _, support = plan_rests([replace(knee, is_foot=True)], rests, *arguments)
    assert (support.lies[:, 0] == known).all()
    _, support = plan_rests([replace(knee, limb="arm")], rests, *arguments)
    assert np.isnan(support.balls).all()
