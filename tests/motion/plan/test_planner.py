"""Plans of generated walks and of single stands, over grounds whose heights are known.

Tests of: plan.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from blender_bioik.motion.contacts.floor import source_floor
from blender_bioik.motion.contacts.tuning import CONTACTS
from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact, Floats, Foot
from blender_bioik.motion.ground.terrain import Surface
from blender_bioik.motion.plan.plan import Plan, PlanSettings
from blender_bioik.motion.plan.planner import rise
from blender_bioik.motion.plan.tuning import SOLES
from blender_bioik.motion.tilt import tilted, upright_share
from demo.gait import RUN, WALK, Gait

from ...builders.motion.gaits import SCALE, foot_along, gait_contacts, gait_feet, moved, scaled
from ...builders.motion.grounds import (
    SETTINGS,
    asked_balls,
    hills,
    level_floor,
    moving,
    plan_on,
    plate,
    stairs,
    turned,
    turned_feet,
)

# Planted feet may be asked for this much above the ground, metres: solving errs to both sides.
HAIR = 1e-3
FRAMES = 60


def standing(*places: tuple[float, float], frames: int = FRAMES) -> list[Foot]:
    """Flat feet, toes to -Y, that stand at places all the time."""
    return [
        foot_along(f"leg.{i}", np.tile([x, y, 0.0], (frames, 1))) for i, (x, y) in enumerate(places)
    ]


def planted(feet: list[Foot], first: int = 0, stop: int | None = None) -> list[Contact]:
    """All sole points of all feet in contact."""
    last = len(feet[0].points) if stop is None else stop
    return [Contact(i, point, first, last) for i in range(len(feet)) for point in (HEEL, BALL, TIP)]


def plan_standing(
    surfaces: list[Surface], *places: tuple[float, float], settings: PlanSettings = SETTINGS
) -> Plan:
    feet = standing(*places)
    return plan_on(surfaces, feet, planted(feet), settings)


def sideways(speed: float, stop: int = FRAMES, frames: int = FRAMES) -> Floats:
    """A way (f, 3) along X by so many metres a frame, up to a row."""
    way = np.zeros((frames, 3))
    way[:, 0] = speed * np.minimum(np.arange(frames), stop)
    return way


# Where feet go


@pytest.mark.parametrize("gait", [WALK, RUN])
def test_contacts_keep_their_places_in_plan_view(gait: Gait) -> None:
    feet = gait_feet(gait)
    plan = plan_on([hills(80, 12.0, 0.1)], feet, gait_contacts(gait), rate=gait.fps)
    for foot, wanted in zip(feet, plan.feet, strict=True):
        assert len(wanted.footsteps) >= 5
        for step in wanted.footsteps:
            rows = slice(step.contact.first, step.contact.stop)
            source = foot.points[rows, BALL, :2].mean(axis=0)
            np.testing.assert_allclose(
                wanted.target[rows, BALL, :2], np.broadcast_to(source, (len(step.place), 2))
            )
            assert (wanted.plan_lock[rows, BALL] == 1.0).all()


def test_balls_of_the_feet_are_put_on_the_ground_with_their_own_rise() -> None:
    feet = [replace(foot, clearance=np.array([0.05, 0.02, 0.01])) for foot in gait_feet()]
    feet = moved(feet, np.broadcast_to([0.0, 0.0, 0.02], (len(feet[0].points), 3)))
    plan = plan_on([plate(1.25)], feet)
    for foot, wanted in zip(feet, plan.feet, strict=True):
        locked = wanted.height_lock[:, BALL] > 0.0
        beyond = wanted.target[locked, BALL, 2] - 1.25 - foot.points[locked, BALL, 2]
        assert (beyond >= 0.0).all()
        assert (beyond <= HAIR).all()


def test_ball_that_rises_in_its_stand_rises_above_the_new_ground() -> None:
    """A foot that rolls off: the last third of its stand is lifted by up to 3 cm."""
    path = np.zeros((FRAMES, 3))
    path[40:, 2] = np.linspace(0.0, 0.03, FRAMES - 40)
    feet = [foot_along("leg.0", path)]
    plan = plan_on([plate(0.4)], feet, planted(feet))
    beyond = plan.feet[0].target[..., 2] - 0.4 - feet[0].points[..., 2]
    assert beyond.min() >= 0.0
    assert beyond.max() <= HAIR


def test_sole_points_on_a_slope_are_as_far_from_it_as_the_foot_is_thick() -> None:
    feet = [replace(foot, clearance=np.full(3, 0.08)) for foot in standing((0.0, 0.0))]
    tangent = np.tan(np.radians(20.0))
    plan = plan_on([plate(slope=(0.0, tangent))], feet, planted(feet))
    points = plan.feet[0].target[10]
    across = (points[:, 2] - tangent * points[:, 1]) * np.cos(np.radians(20.0))
    assert np.abs(across - 0.08).max() < HAIR


def test_thickness_is_that_across_the_slope() -> None:
    angle = np.radians(35.0)
    slope = np.tan(angle) * np.array([np.cos(1.0), np.sin(1.0)])
    assert upright_share(slope) == pytest.approx(1.0 / np.cos(angle))


def test_rise_is_measured_from_the_lowest_of_the_middle() -> None:
    heights = np.array([0.3, 0.02, 0.01, 0.012, 0.011, 0.01, 0.05, 0.2])
    np.testing.assert_allclose(rise(heights, heights), heights - 0.01)
    assert rise(np.array([0.7]), np.array([0.7])).tolist() == [0.0]
    landing = np.array([0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    assert rise(landing, landing).min() == 0.0


def test_where_the_clip_cuts_a_stand_short_its_end_counts_too() -> None:
    leaving = np.linspace(0.0, 0.1, 20)
    np.testing.assert_allclose(rise(leaving, leaving, begins=False), leaving)
    assert rise(leaving, leaving)[-1] < 0.09
    np.testing.assert_allclose(rise(leaving[::-1], leaving[::-1], ends=False), leaving[::-1])


@pytest.mark.parametrize("descent", [0.0, 0.05])
@pytest.mark.parametrize("pitch", [-0.03, 0.0, 0.08])
def test_feet_on_ground_that_leans_keep_their_headings(descent: float, pitch: float) -> None:
    angle = np.linspace(0.0, 6.0, 9)
    heading = 0.2 * np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)
    slope = np.tile([0.1, -0.2], (len(angle), 1))
    leading = heading - [0.0, 0.0, descent + pitch]
    turn = Rotation.from_quat(tilted(slope, leading, descent)[:, [1, 2, 3, 0]])
    led = turn.apply(leading)
    across = heading[:, 0] * led[:, 1] - heading[:, 1] * led[:, 0]
    assert np.abs(across).max() < 1e-9
    assert ((heading * led)[:, :2].sum(axis=-1) > 0.0).all()
    up = turn.apply([0.0, 0.0, 1.0])
    normal = np.array([-0.1, 0.2, 1.0]) / np.sqrt(1.05)
    # Turning for the heading is about the vertical, so the ground's steepness stays.
    np.testing.assert_allclose(up[:, 2], normal[2], atol=1e-9)
    if descent == pitch == 0.0:
        np.testing.assert_allclose(up, np.tile(normal, (len(angle), 1)), atol=1e-9)


@pytest.mark.parametrize("drift", [0.06, -0.06])
def test_drift_of_a_recorded_floor_stays_behind(drift: float) -> None:
    feet, contacts = gait_feet(), gait_contacts()
    frames = len(feet[0].points)
    way = np.zeros((frames, 3))
    way[:, 2] = np.linspace(0.0, drift, frames)
    drifting = moved(feet, way)
    plain = plan_on([plate()], feet, contacts)
    plan = plan_on([plate()], drifting, contacts, floor=source_floor(drifting, contacts))
    longest = max(contact.stop - contact.first for contact in contacts)
    within_a_stand = abs(drift) / frames * longest
    for a, b in zip(plan.feet, plain.feet, strict=True):
        change = a.target[..., 2] - b.target[..., 2]
        assert np.abs(change[a.height_lock > 0.0]).max() < within_a_stand
        swing = np.abs(a.swing - b.swing)[3:-3]
        assert swing.max() < 0.02
    # The body goes the other way, so that nothing of the drift is left.
    assert np.abs(plan.body[:, 2] + way[:, 2]).max() < 0.01


def test_heel_and_tip_go_with_the_ball_so_that_pivots_are_kept() -> None:
    feet = standing((0.0, 0.0))
    angle = np.linspace(0.0, 0.8, FRAMES)
    away = feet[0].points - feet[0].points[:, [BALL]]
    points = away.copy()
    points[..., 0] = np.cos(angle)[:, None] * away[..., 0] - np.sin(angle)[:, None] * away[..., 1]
    points[..., 1] = np.sin(angle)[:, None] * away[..., 0] + np.cos(angle)[:, None] * away[..., 1]
    feet = [replace(feet[0], points=points)]
    plan = plan_on([plate(0.5)], feet, planted(feet))
    np.testing.assert_allclose(plan.feet[0].target[..., :2], points[..., :2], atol=1e-9)


def test_heel_and_tip_without_a_planted_ball_are_not_locked() -> None:
    feet = standing((0.0, 0.0))
    plan = plan_on([plate()], feet, [Contact(0, HEEL, 0, 60), Contact(0, TIP, 0, 60)])
    assert not plan.feet[0].plan_lock.any()
    assert not plan.feet[0].height_lock.any()


# Stairs, edges, steps


def riser_at(y: float, height: float = 0.16) -> list[Surface]:
    """A floor and, beyond a y, a step up."""
    return [plate(0.0, y=(y, 10.0)), plate(height, y=(-10.0, y))]


def test_foot_whose_toes_would_be_in_a_riser_is_moved_back() -> None:
    plan = plan_standing(riser_at(-0.04), (0.0, 0.0))
    step = plan.feet[0].footsteps[0]
    assert step.height == 0.0
    assert step.place[0, 1] - 0.07 > -0.04  # its tip is in front of the riser
    assert step.aside[1] == pytest.approx(step.place[0, 1])
    np.testing.assert_allclose(step.aside[0], 0.0, atol=1e-9)


def test_foot_that_would_scrape_the_riser_it_steps_down_from_is_moved_forward() -> None:
    plan = plan_standing([plate(0.16, y=(0.2, 10.0)), plate(0.0, y=(-10.0, 0.2))], (0.0, 0.0))
    step = plan.feet[0].footsteps[0]
    assert step.height == 0.0
    assert -0.1 < step.place[0, 1] < 0.2 - 1.25 * 0.18  # the riser is beyond the end of its shoe


def landing(first: float = 0.04, last: float = 0.06) -> list[Foot]:
    """A foot that lands on its heel and leaves from its tip: its ball is up at both ends."""
    (foot,) = standing((0.0, 0.0))
    points = foot.points.copy()
    points[:10, BALL, 2] = np.linspace(first, 0.0, 10)
    points[-10:, BALL, 2] = np.linspace(0.0, last, 10)
    return [replace(foot, points=points)]


def test_foot_on_even_ground_rolls_as_in_the_source() -> None:
    feet = landing()
    heights = plan_on([plate(0.3)], feet, planted(feet, 1, FRAMES - 1)).feet[0].target[..., 2]
    rolled = heights[4:-4, BALL] - 0.3 - feet[0].points[4:-4, BALL, 2]
    np.testing.assert_allclose(rolled, 0.0, atol=HAIR)


def test_foot_whose_heel_hangs_over_an_edge_lands_on_its_ball() -> None:
    feet = landing()
    ground = [plate(0.0, y=(-10.0, 0.03)), plate(-0.16, y=(0.03, 10.0))]
    plan = plan_on(ground, feet, planted(feet, 1, FRAMES - 1)).feet[0]
    assert np.abs(plan.footsteps[0].aside).max() < 0.02
    over = plan.target[:, BALL, 2] - plan.target[30, BALL, 2]
    rise = feet[0].points[:, BALL, 2]
    assert over[4] < 0.3 * rise[4]  # there is nothing for the heel to roll on
    assert over[-5] == pytest.approx(rise[-5])  # there is for the tip


@pytest.mark.parametrize("edge", np.linspace(-0.2, 0.3, 26))
@pytest.mark.parametrize("height", [0.16, -0.16])
def test_foot_at_a_stair_edge_stands_level(edge: float, height: float) -> None:
    plan = plan_standing(riser_at(float(edge), height), (0.0, 0.0))
    heights = plan.feet[0].target[30, :, 2]
    tilt = np.ptp(heights) / 0.25
    assert tilt < np.tan(np.radians(16.0)), (edge, heights)
    assert np.abs(plan.feet[0].footsteps[0].aside).max() < 0.16


def test_walk_up_stairs_puts_every_ball_onto_a_tread() -> None:
    surfaces = stairs(12, riser=0.16, tread=0.35)
    plan = plan_on(surfaces)
    for foot in plan.feet:
        for step in foot.footsteps:
            treads = step.height / 0.16
            assert treads == pytest.approx(round(treads), abs=1e-6)
            assert np.linalg.norm(step.aside) < 0.16
    assert plan.notes == ()


def test_step_that_is_too_high_is_avoided_where_an_edge_is_near() -> None:
    block = plate(0.4, x=(-0.05, 2.0))
    plan = plan_standing(
        [plate(), block], (0.0, 0.0), (-0.3, 0.0), settings=PlanSettings(step_up=0.2)
    )
    step = plan.feet[0].footsteps[0]
    assert step.height == 0.0
    assert step.too_high == 0.0
    assert not plan.notes


def test_step_that_is_too_high_is_reported_where_it_cannot_be_avoided() -> None:
    block = plate(0.4, x=(0.0, 2.0))
    feet = standing((0.3, 0.0), (-0.6, 0.0))
    plan = plan_on([plate(), block], feet, planted(feet), PlanSettings(step_up=0.25))
    step = plan.feet[0].footsteps[0]
    assert step.too_high == pytest.approx(0.15)
    (note,) = plan.notes
    assert "leg.0" in note
    assert "0.40 m" in note
    allowed = plan_on([plate(), block], feet, planted(feet), PlanSettings(step_up=0.45))
    assert allowed.notes == ()
    assert allowed.feet[0].footsteps[0].height == 0.4


def test_feet_that_would_be_moved_onto_each_other_stay_apart() -> None:
    """Two feet, each at one side of a narrow ridge, both moved towards its middle."""
    ridge = plate(0.3, x=(-0.10, 0.10))
    plan = plan_standing([plate(0.0), ridge], (-0.08, 0.0), (0.08, 0.0))
    a, b = (foot.footsteps[0].place[0, :2] for foot in plan.feet)
    assert np.linalg.norm(a - b) > 0.08


def test_feet_that_are_closer_in_the_source_may_be_so() -> None:
    plan = plan_standing([plate(0.0)], (-0.02, 0.0), (0.02, 0.0))
    for foot in plan.feet:
        assert not foot.footsteps[0].aside.any()


# Slopes


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("tangent", [0.2, -0.2])
def test_feet_take_on_a_share_of_the_slope(share: float, tangent: float) -> None:
    plan = plan_standing(
        [plate(slope=(0.0, tangent))], (0.0, 0.0), settings=PlanSettings(slope=share)
    )
    heel, ball, tip = plan.feet[0].target[30]
    assert heel[2] - ball[2] == pytest.approx(share * tangent * (heel[1] - ball[1]), abs=1e-9)
    assert tip[2] - ball[2] == pytest.approx(share * tangent * (tip[1] - ball[1]), abs=1e-9)


# Holes


def test_foot_over_a_hole_keeps_its_height_and_is_reported() -> None:
    ground = [plate(0.2, x=(-10.0, 0.4)), plate(0.2, x=(1.2, 10.0))]
    plan = plan_standing(ground, (0.8, 0.0), (-0.3, 0.0))
    assert plan.feet[0].footsteps[0].over_hole
    assert plan.feet[0].footsteps[0].height == pytest.approx(0.2)
    assert not plan.feet[1].footsteps[0].over_hole
    (note,) = plan.notes
    assert "leg.0" in note
    assert "hole" in note


def test_ground_that_vanishes_under_a_planted_foot_leaves_it_where_it_is() -> None:
    matrices = np.tile(np.eye(4), (FRAMES, 1, 1))
    matrices[:, 0, 3] = 0.01 * np.arange(FRAMES)
    matrices[40:] = np.nan
    raft = plate(0.0, x=(-1.0, 1.0), y=(-1.0, 1.0))
    plan = plan_standing(
        [Surface(raft.vertices, raft.triangles, matrices), plate(-0.1)], (-0.1, 0.0), (0.1, 0.0)
    )
    assert np.isfinite(plan.body).all()
    for foot in plan.feet:
        assert np.isfinite(foot.target).all()
        np.testing.assert_allclose(foot.target[40:, BALL], foot.target[[39] * 20, BALL])


# Ends of contacts and of the clip


def test_foot_in_contact_all_clip_long_is_locked_all_clip_long() -> None:
    plan = plan_standing([plate()], (0.1, 0.0), (-0.1, 0.0))
    for foot in plan.feet:
        assert (foot.plan_lock == 1.0).all()
        assert (foot.height_lock == 1.0).all()
    np.testing.assert_allclose(plan.body[:, :2], 0.0)
    assert np.abs(plan.body[:, 2]).max() < HAIR


def test_contacts_inside_the_clip_are_locked_in_their_middle_only() -> None:
    feet = standing((0.0, 0.0))
    plan = plan_on([plate()], feet, planted(feet, 10, 50))
    locked = np.flatnonzero(plan.feet[0].plan_lock[:, BALL])
    assert 10 < locked[0] < 15
    assert 45 < locked[-1] < 49
    assert (np.diff(locked) == 1).all()


def test_what_a_foot_has_left_of_a_contact_that_the_clip_cuts_short_is_not_locked() -> None:
    path = np.zeros((FRAMES, 3))
    path[5:, 1] = -0.012 * np.arange(1, FRAMES - 4)
    feet = [foot_along("leg.0", path)]
    plan = plan_on([plate()], feet, planted(feet, 0, 6))
    assert (plan.feet[0].plan_lock[:5, BALL] == 1.0).all()
    assert plan.feet[0].plan_lock[5, BALL] == 0.0
    np.testing.assert_allclose(plan.feet[0].target[:5, BALL, 1], 0.0, atol=1e-9)


def rolling(stiff: bool) -> tuple[Foot, Floats]:
    """A foot that stands and then rolls over its ball, and how deep its tip is in the floor (f,).

    Its toe stays on the floor if it is not stiff.
    """
    foot = standing((0.0, 0.0))[0]
    pitch = np.radians(30.0) * np.clip((np.arange(FRAMES) - 30) / 15.0, 0.0, 1.0)
    away = foot.points - foot.points[:, [BALL]]
    points = foot.points.copy()
    for point in (HEEL, TIP) if stiff else (HEEL,):
        length = away[:, point, 1]
        points[:, point, 1] = points[:, BALL, 1] + length * np.cos(pitch)
        points[:, point, 2] = length * np.sin(pitch)
    return replace(foot, points=points), np.maximum(0.0, -points[:, TIP, 2])


@pytest.mark.parametrize("stiff", [True, False])
def test_a_stiff_foot_whose_tip_digs_in_rises_as_a_whole(stiff: bool) -> None:
    foot, depth = rolling(stiff)
    assert foot.is_rigid is stiff
    assert depth.max() == pytest.approx(0.035 * stiff)
    plan = plan_on([plate(0.1)], [foot], [Contact(0, BALL, 0, 46)])
    locked = plan.feet[0].height_lock[:, BALL] > 0.0
    assert locked[:40].all()
    heights = plan.feet[0].target[locked, BALL, 2]
    np.testing.assert_allclose(heights, 0.1 + depth[locked], atol=CONTACTS.arrived)


def test_a_sliding_foot_that_dips_stands_where_it_is_most_of_the_time() -> None:
    path = np.zeros((FRAMES, 3))
    path[:, 1] = np.linspace(0.0, -2.0, FRAMES)
    path[40:48, 2] = -0.02
    feet = [foot_along("leg.0", path)]
    slides = [contact._replace(slides=True) for contact in planted(feet)]
    heights = plan_on([plate()], feet, slides).feet[0].target[:, BALL, 2]
    np.testing.assert_allclose(heights, 0.0, atol=HAIR)
    heights = plan_on([plate()], feet, planted(feet)).feet[0].target[:, BALL, 2]
    assert heights[:40] == pytest.approx(0.02, abs=HAIR)  # a recording means its lowest


@pytest.mark.parametrize(("first", "stop"), [(0, 1), (59, 60), (30, 31), (30, 32), (0, 2)])
def test_shortest_contacts(first: int, stop: int) -> None:
    feet = standing((0.0, 0.0))
    plan = plan_on([plate(0.1)], feet, planted(feet, first, stop), PlanSettings(ease=0.2))
    assert (plan.feet[0].plan_lock[first:stop, BALL] > 0.0).all()
    assert np.isfinite(plan.feet[0].target).all()
    assert np.isfinite(plan.body).all()


def test_contacts_without_rows_are_dropped() -> None:
    feet = standing((0.0, 0.0))
    nothing = [Contact(0, point, 30, 30) for point in (HEEL, BALL, TIP)]
    plan = plan_on([plate()], feet, [*nothing, Contact(0, BALL, 5, 25)])
    assert len(plan.feet[0].footsteps) == 1
    assert np.isfinite(plan.feet[0].target).all()


contacts_of_any_kind = st.lists(
    st.builds(
        lambda foot, point, first, count, slides: Contact(
            foot, point, first, min(FRAMES, first + count), slides
        ),
        st.integers(0, 1),
        st.sampled_from([HEEL, BALL, TIP]),
        st.integers(0, FRAMES - 1),
        st.integers(1, FRAMES),
        st.booleans(),
    ),
    max_size=8,
)


@settings(max_examples=60)
@given(contacts=contacts_of_any_kind, ease=st.sampled_from([0.0, 0.3]), seed=st.integers(0, 9))
def test_contacts_of_any_kind_are_planned(contacts: list[Contact], ease: float, seed: int) -> None:
    """Overlapping, short, sliding ones, on ground with edges and a hole."""
    random = np.random.default_rng(seed)
    path = np.cumsum(0.02 * random.standard_normal((FRAMES, 3)), axis=0)
    feet = [foot_along("leg.0", path), foot_along("leg.1", path + np.array([0.2, 0.0, 0.0]))]
    drifting = moving(plate(0.1, x=(-0.1, 0.1), y=(-0.3, 0.3)), sideways(0.01))
    ground = [plate(y=(0.05, 9.0)), plate(0.15, y=(-9.0, -0.05)), drifting]
    plan = plan_on(ground, feet, contacts, PlanSettings(ease=ease))
    assert np.isfinite(plan.body).all()
    for i, foot in enumerate(plan.feet):
        for array in (foot.target, foot.plan_lock, foot.height_lock, foot.swing, foot.path):
            assert np.isfinite(array).all()
        assert foot.plan_lock.min() >= 0.0
        assert foot.height_lock.max() <= 1.0
        locked = {row for c in contacts if c.foot == i for row in range(c.first, c.stop)}
        assert set(np.flatnonzero(foot.height_lock.any(axis=1))) <= locked


def test_no_contacts_at_all() -> None:
    plan = plan_on([plate(2.0)], contacts=[])
    np.testing.assert_allclose(plan.body[:, 2], 2.0)
    for foot in plan.feet:
        assert not foot.plan_lock.any()
        assert np.isfinite(foot.path).all()


def test_ease_lets_locks_in_and_out_but_not_at_the_ends_of_the_clip() -> None:
    feet = standing((0.0, 0.0), (0.3, 0.0))
    contacts = [Contact(0, BALL, 0, 40), Contact(1, BALL, 20, FRAMES)]
    plan = plan_on([plate()], feet, contacts, PlanSettings(ease=0.2))
    first, second = (foot.plan_lock[:, BALL] for foot in plan.feet)
    assert first[0] == 1.0
    assert second[-1] == 1.0
    ends = np.flatnonzero(first)
    assert (np.diff(first[ends[-5:]]) < 0.0).all()
    assert (np.diff(second[np.flatnonzero(second)[:5]]) > 0.0).all()
    assert first[20] == second[45] == 1.0
    assert first.max() == second.max() == 1.0


# Even ground


def test_heels_and_tips_are_held_firmly_on_even_ground_only() -> None:
    feet = [foot_along("leg.0", np.zeros((FRAMES, 3)))]
    for ground, firm in (
        ([plate(slope=(0.05, -0.2))], True),
        ([plate(), plate(-0.1, y=(-9.0, -0.1))], True),  # an edge under what is there already
        ([plate(y=(-0.1, 9.0)), plate(-0.1, y=(-9.0, -0.1))], False),  # one before the tip
        ([plate(y=(-9.0, 0.3)), plate(0.2, y=(0.3, 9.0))], False),  # one behind the heel
        ([plate(y=(-9.0, 2.0)), plate(0.2, y=(2.0, 9.0))], True),  # one far away
    ):
        wanted = plan_on(ground, feet, planted(feet)).feet[0]
        assert wanted.footsteps[0].even == firm
        lock = wanted.height_lock[FRAMES // 2]
        assert lock[BALL] == 1.0
        assert (lock[[HEEL, TIP]] == (1.0 if firm else SOLES.uneven_lock)).all()


# Sliding on purpose


def test_sliding_foot_is_held_in_height_only_and_follows_the_ground() -> None:
    path = np.zeros((FRAMES, 3))
    path[:, 1] = np.linspace(0.0, -2.0, FRAMES)
    feet = [foot_along("leg.0", path)]
    contacts = [contact._replace(slides=True) for contact in planted(feet)]
    plan = plan_on([plate(slope=(0.1, -0.3))], feet, contacts)
    wanted = plan.feet[0]
    assert not wanted.plan_lock.any()
    assert (wanted.height_lock[:, BALL] == 1.0).all()
    assert (wanted.height_lock > 0.0).all()
    np.testing.assert_allclose(wanted.target[..., :2], feet[0].points[..., :2], atol=1e-9)
    ground = wanted.target[..., :2] @ np.array([0.1, -0.3])
    beyond = wanted.target[..., 2] - ground
    assert beyond.min() >= 0.0
    assert beyond.max() <= HAIR


# Moving ground


def test_feet_go_with_a_platform_and_stop_with_it() -> None:
    way = sideways(0.02, stop=40)
    raft = moving(plate(0.3, x=(-1.0, 1.0), y=(-1.0, 1.0)), way)
    plan = plan_standing([raft, plate(-0.2)], (-0.1, 0.0), (0.1, 0.0))
    for foot, x in zip(plan.feet, (-0.1, 0.1), strict=True):
        np.testing.assert_allclose(foot.target[:, BALL, 0], x + way[:, 0], atol=1e-9)
        np.testing.assert_allclose(foot.target[:, HEEL, 0], x + way[:, 0], atol=1e-9)
        np.testing.assert_allclose(foot.target[:, BALL, 1], 0.0, atol=1e-9)
    np.testing.assert_allclose(plan.body[:, :2], way[:, :2], atol=1e-9)


def test_steps_on_a_moving_platform_are_carried_along() -> None:
    frames = len(gait_feet()[0].points)
    way = sideways(0.03, frames=frames, stop=frames)
    raft = moving(plate(0.0, x=(-3.0, 3.0), y=(-12.0, 4.0)), way)
    still, plan = plan_on([plate()]), plan_on([raft])
    for a, b in zip(plan.feet, still.feet, strict=True):
        locked = a.height_lock > 0.0
        expected = b.target + way[:, None]
        np.testing.assert_allclose(a.target[locked], expected[locked], atol=1e-6)
    np.testing.assert_allclose(plan.body[:, :2], way[:, :2], atol=1e-6)


def test_steps_on_a_platform_that_goes_away_sideways_and_up() -> None:
    """An escalator: under the source's path there is other ground by then."""
    frames = len(gait_feet()[0].points)
    way = sideways(0.03, frames=frames, stop=frames)
    way[:, 2] = 0.02 * np.arange(frames)
    raft = moving(plate(0.0, x=(-1.0, 1.0), y=(-12.0, 4.0)), way)
    plan = plan_on([raft, plate(-0.1)])
    for foot in plan.feet:
        for step in foot.footsteps:
            rows = np.arange(step.contact.first, step.contact.stop)
            np.testing.assert_allclose(step.place[:, 2], way[rows, 2], atol=1e-6)
    assert plan.body[-1, 2] == pytest.approx(way[-1, 2], abs=0.25)


def test_two_feet_on_two_platforms() -> None:
    there, back = sideways(0.004), -sideways(0.004)
    back[:, 2] = 0.005 * np.arange(FRAMES)
    left = moving(plate(0.0, x=(0.0, 1.0), y=(-1.0, 1.0)), there)
    right = moving(plate(0.1, x=(-1.0, -0.01), y=(-1.0, 1.0)), back)
    plan = plan_standing([left, right], (0.2, 0.0), (-0.2, 0.0))
    one, other = (foot.target[:, BALL] for foot in plan.feet)
    assert np.abs(one - [0.2, 0.0, 0.0] - there).max() < HAIR
    assert np.abs(other - [-0.2, 0.0, 0.1] - back).max() < HAIR
    np.testing.assert_allclose(plan.body[:, :2], 0.0, atol=1e-9)


def test_lift_raises_feet_and_body() -> None:
    way = np.zeros((240, 3))
    way[:, 2] = 3.0 * (1.0 - np.cos(np.linspace(0.0, np.pi, 240))) / 2.0
    feet = standing((-0.1, 0.0), (0.1, 0.0), frames=240)
    lift = moving(plate(0.0, x=(-1.0, 1.0), y=(-1.0, 1.0)), way)
    plan = plan_on([lift, plate(-0.05)], feet, planted(feet))
    for foot in plan.feet:
        assert np.abs(foot.target[:, BALL, 2] - way[:, 2]).max() < HAIR
    assert np.abs(plan.body[:, 2] - way[:, 2]).max() < 0.03
    assert plan.body[-1, 2] == pytest.approx(3.0, abs=0.01)


def test_turntable_turns_feet_around_with_it() -> None:
    angle = np.linspace(0.0, 1.0, FRAMES)
    table = moving(plate(0.1, x=(-1.0, 1.0), y=(-1.0, 1.0)), np.zeros((FRAMES, 3)), angle)
    plan = plan_standing([table], (0.4, 0.0), (0.6, 0.0))
    ball = plan.feet[0].target[:, BALL]
    np.testing.assert_allclose(ball[:, 0], 0.4 * np.cos(angle), atol=1e-9)
    np.testing.assert_allclose(ball[:, 1], 0.4 * np.sin(angle), atol=1e-9)
    middle = 0.5 * np.stack([np.cos(angle) - 1.0, np.sin(angle)], axis=-1)
    np.testing.assert_allclose(plan.body[:, :2], middle, atol=1e-9)


# Swings and the body


def test_swing_is_a_share_of_the_source_height_up_to_a_cap() -> None:
    plan = plan_on([plate()], settings=PlanSettings(swing=0.5, swing_cap=0.04))
    for foot, wanted in zip(gait_feet(), plan.feet, strict=True):
        assert (wanted.swing >= np.minimum(0.0, foot.points[..., 2]) - 1e-9).all()
        assert (wanted.swing <= 0.5 * np.maximum(0.0, foot.points[..., 2]) + 1e-9).all()
        assert wanted.swing.max() == pytest.approx(0.04 * SCALE)
    nothing = plan_on([plate()], settings=PlanSettings(swing=0.0))
    assert nothing.feet[0].swing.max() == 0.0


def test_swing_does_not_know_how_high_the_floors_are() -> None:
    feet = moved(gait_feet(), np.broadcast_to([0.0, 0.0, 7.0], (len(gait_feet()[0].points), 3)))
    plan = plan_on([plate(-2.0)], feet, floor=level_floor(feet, 7.0))
    for a, b in zip(plan.feet, plan_on([plate()]).feet, strict=True):
        np.testing.assert_allclose(a.swing, b.swing, atol=1e-9)


def test_paths_of_balls_join_stands_and_jump_nowhere() -> None:
    feet = gait_feet()
    plan = plan_on(stairs(12), feet)
    for foot, wanted in zip(feet, plan.feet, strict=True):
        shift = wanted.path - foot.points[:, BALL, :2]
        assert np.linalg.norm(np.diff(shift, axis=0), axis=-1).max() < 0.03
        for step in wanted.footsteps:
            rows = slice(step.contact.first, step.contact.stop)
            assert np.abs(wanted.path[rows] - step.place[:, :2]).max() < 0.02


def long_walk(strides: int) -> tuple[list[Foot], list[Contact]]:
    """The walk several times over."""
    feet, contacts = gait_feet(), gait_contacts()
    frames = len(feet[0].points) - 1
    way = np.array([0.0, -5 * WALK.stride, 0.0])
    longer = []
    for foot in feet:
        parts = [
            np.concatenate([part[:-1] + k * way for k in range(strides)])
            for part in (foot.points, foot.knee, foot.hip)
        ]
        longer.append(Foot(foot.name, parts[0], foot.clearance, parts[1], parts[2]))
    whole = {
        contact._replace(first=contact.first + k * frames, stop=contact.stop + k * frames)
        for k in range(strides)
        for contact in contacts
        if contact.first > 0 and contact.stop < frames
    }
    return longer, sorted(whole)


def test_three_metres_of_stairs_raise_the_body_by_three_metres_smoothly() -> None:
    feet, contacts = long_walk(2)
    surfaces = stairs(20, riser=0.15, tread=0.35, first=-2.0)
    plan = plan_on(surfaces, feet, contacts)
    body = plan.body[:, 2]
    assert body[0] == pytest.approx(0.0, abs=0.02)
    assert body[-1] == pytest.approx(3.0, abs=0.02)
    assert np.diff(body).min() > -0.002  # never down on the way up
    climbing = (body > 0.6) & (body < 2.4)
    pace = np.diff(body)[climbing[1:]]
    assert np.ptp(pace) < 0.6 * pace.mean()  # no stop and go at each step
    source = gait_feet()[0].hip[:, 2]
    bend = np.abs(np.diff(body, 2)).max()
    assert bend < 2.0 * np.abs(np.diff(source, 2)).max()


def test_body_stays_on_flat_ground() -> None:
    for height in (0.0, -4.0):
        plan = plan_on([plate(height)])
        assert np.abs(plan.body[:, 2] - height).max() < HAIR
        assert not plan.body[:, :2].any()


def test_unstable_order_of_contacts_does_not_matter() -> None:
    contacts = gait_contacts()
    ground = [hills(60, 12.0, 0.2)]
    a, b = plan_on(ground), plan_on(ground, contacts=contacts[::-1])
    for one, other in zip(a.feet, b.feet, strict=True):
        assert (one.target == other.target).all()
        assert (one.plan_lock == other.plan_lock).all()
    assert (a.body == b.body).all()


# Invariance


def turned_places(points: Floats, angle: float, move: tuple[float, float, float]) -> Floats:
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(points @ turn.T + np.asarray(move))


def assert_turned(
    plan: Plan, base: Plan, angle: float, move: tuple[float, float, float], atol: float
) -> None:
    for a, b in zip(plan.feet, base.feet, strict=True):
        asked = b.height_lock > 0.0
        assert ((a.height_lock > 0.0) == asked).all()
        np.testing.assert_allclose(
            a.target[asked], turned_places(b.target[asked], angle, move), atol=atol
        )
        np.testing.assert_allclose(a.swing, b.swing, atol=atol)
    # The source's floor is moved along: bodies go as far as they did.
    np.testing.assert_allclose(
        plan.body, turned_places(base.body, angle, (0.0, 0.0, 0.0)), atol=atol
    )


@settings(max_examples=15)
@given(
    angle=st.floats(-3.2, 3.2),
    move=st.tuples(st.floats(-30, 30), st.floats(-30, 30), st.floats(-30, 30)),
)
def test_plan_moves_and_turns_with_clip_and_ground(
    angle: float, move: tuple[float, float, float]
) -> None:
    surfaces = [plate(slope=(0.15, -0.1))]
    feet = turned_feet(gait_feet(), angle, move)
    plan = plan_on(
        [turned(s, angle, move) for s in surfaces], feet, floor=level_floor(feet, move[2])
    )
    base = plan_on(surfaces)
    assert_turned(plan, base, angle, move, 1e-4)


@settings(max_examples=8)
@given(angle=st.floats(-3.2, 3.2))
def test_plan_on_stairs_turns_with_clip_and_ground(angle: float) -> None:
    surfaces = stairs(12)
    move = (3.0, -2.0, 1.0)
    feet = turned_feet(gait_feet(), angle, move)
    plan = plan_on(
        [turned(s, angle, move) for s in surfaces], feet, floor=level_floor(feet, move[2])
    )
    assert_turned(plan, plan_on(surfaces), angle, move, 1e-3)


@pytest.mark.parametrize("times", [0.1, 10.0])
@pytest.mark.parametrize("ground", ["slope", "stairs", "hills"])
def test_plan_scales_with_clip_and_ground(times: float, ground: str) -> None:
    surfaces = {
        "slope": [plate(slope=(0.15, -0.1))],
        "stairs": stairs(12),
        "hills": [hills(60, 12.0, 0.2)],
    }[ground]
    feet = scaled(gait_feet(), times)
    plan = plan_on(
        [turned(s, 0.0, (0.0, 0.0, 0.0), times) for s in surfaces],
        feet,
        settings=PlanSettings(step_up=times * SETTINGS.step_up),
        scale=times * SCALE,
        knee=times * 0.5,
    )
    for a, b in zip(plan.feet, plan_on(surfaces).feet, strict=True):
        asked = b.height_lock > 0.0
        # The hair above the ground is one in metres.
        np.testing.assert_allclose(
            a.target[asked], times * b.target[asked], atol=HAIR * max(1.0, times)
        )
        np.testing.assert_allclose(a.swing, times * b.swing, atol=1e-9)
    np.testing.assert_allclose(
        plan.body, times * plan_on(surfaces).body, atol=HAIR * max(1.0, times)
    )


def test_same_plan_every_time() -> None:
    a, b = plan_on(stairs(12)), plan_on(stairs(12))
    assert (asked_balls(a) == asked_balls(b)).all()
    assert (a.body == b.body).all()
