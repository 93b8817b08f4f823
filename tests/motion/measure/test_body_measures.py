"""Measures of a whole body, on bodies of which all is known.

Tests of: flesh, skin_blend, rests, rest_change, ties, rise, loose, joint_jerk, turns.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from blender_bioik.motion.feet import Floats
from blender_bioik.motion.ground.terrain import Surface, Terrain
from blender_bioik.motion.measure.flesh import Flesh, outer_flesh
from blender_bioik.motion.measure.joint_jerk import worst_jerk
from blender_bioik.motion.measure.loose import loose_parts
from blender_bioik.motion.measure.rest_change import rest_changes
from blender_bioik.motion.measure.rests import Rests, find_rests, whole_foot
from blender_bioik.motion.measure.rise import height_change
from blender_bioik.motion.measure.skin import Skin, skin_matrices
from blender_bioik.motion.measure.ties import ties_of, worst_stretch
from blender_bioik.motion.measure.turns import turns, twist_and_tilt

FRAMES, RATE = 48, 24.0
BODY, FOOT, HAND = 0, 1, 2
CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)


def skin_of(*boxes: tuple[int, tuple[float, float, float]], size: float = 0.1) -> Skin:
    """Cubes on bones, at the places of their lowest corners."""
    places = np.concatenate([size * CUBE + np.array(at) for _, at in boxes])
    count = len(places)
    bones = np.repeat([bone for bone, _ in boxes], 8)
    none = np.zeros((0, 2), int)
    return Skin(places, np.ones(count), np.arange(count), bones, none, np.zeros(count, int))


SKIN = skin_of((BODY, (0.0, 0.0, 0.9)), (FOOT, (0.0, 0.0, 0.0)), (HAND, (0.6, 0.0, 0.8)))
REST = np.tile(np.eye(4), (3, 1, 1))
FLESH = outer_flesh(SKIN, REST)
FLAT = Terrain(
    [
        Surface(
            np.array([(-99.0, -99, 0), (99, -99, 0), (99, 99, 0), (-99, 99, 0)]),
            np.array([(0, 1, 2), (0, 2, 3)]),
        )
    ]
)
TOPS = np.full(FRAMES, 2.0)


def posed(*moves: Floats) -> Floats:
    """World matrices of the bones, moved by ways (f, 3) each."""
    pose = np.tile(np.eye(4), (FRAMES, 3, 1, 1))
    for bone, ways in enumerate(moves):
        pose[:, bone, :3, 3] = ways
    return pose


def way(x: Floats | float = 0.0, z: Floats | float = 0.0) -> Floats:
    found = np.zeros((FRAMES, 3))
    found[:, 0], found[:, 2] = x, z
    return found


TIMES = np.arange(FRAMES) / RATE
# One step: the foot stands for half a second, goes a metre, and stands again.
SWING = np.clip(TIMES - 0.5, 0.0, 1.0)
STEP = posed(way(TIMES), way(SWING, 0.3 * np.sin(np.pi * SWING)), way(TIMES))


def rests_of(pose: Floats, limbs: tuple[int, ...] = (HAND,), origin: float = 0.0) -> Rests:
    return find_rests(FLESH, pose, [{FOOT}], limbs, origin, RATE, 1.0)


def test_the_outermost_points_of_a_box_are_its_corners() -> None:
    assert len(FLESH) == 24
    assert FLESH.of([FOOT]).tolist() == list(range(8, 16))
    found = FLESH.posed(STEP, FLESH.of([FOOT]))
    assert found.shape == (FRAMES, 8, 3)
    assert found[-1, :, 0].min() == pytest.approx(SWING[-1])


def test_flesh_between_bones_moves_with_all_of_them() -> None:
    skin = skin_of((BODY, (0.0, 0.0, 0.9)), (FOOT, (0.0, 0.0, 0.0)))
    corner = 15  # the last one of the foot
    blended = replace(
        skin,
        weights=np.concatenate([skin.weights[:corner], [0.75, 0.25]]),
        vertex=np.append(skin.vertex, corner),
        bone=np.append(skin.bone, BODY),
    )
    flesh = outer_flesh(blended, REST)
    turned = STEP.copy()
    turned[:, BODY, :3, :3] = Rotation.from_euler("x", TIMES).as_matrix()
    inverse = np.asarray(np.linalg.inv(REST), float)
    matrices = skin_matrices(turned, inverse, np.tile(np.eye(4), (FRAMES, 1, 1)))
    every = np.repeat(np.arange(len(skin))[:, None], 2, axis=1)
    np.testing.assert_allclose(
        np.sort(flesh.posed(turned), axis=1), np.sort(blended.posed(matrices, every), axis=1)
    )
    some = flesh.of([FOOT])
    np.testing.assert_allclose(flesh.posed(turned, some), flesh.posed(turned)[:, some])


def test_a_foot_rests_before_and_after_its_step() -> None:
    found = rests_of(STEP)
    assert found.floor == pytest.approx(0.0, abs=1e-9)
    assert [rest.bones for rest in found.rests] == [(FOOT,), (FOOT,)]
    first, second = found.rests
    assert first.first == 0
    assert abs(first.stop - 12) <= 2
    assert abs(second.first - 36) <= 2
    assert second.stop == FRAMES


def test_the_floor_is_where_the_feet_are_although_something_carried_is_lower() -> None:
    assert rests_of(posed(way(z=-1.0), way(), way())).floor == pytest.approx(0.0)
    # But not where "feet" are far above what touches the floor: they are none.
    high = posed(way(z=-0.9), way(z=0.5), way(z=0.5))
    assert rests_of(high).floor == pytest.approx(0.0, abs=1e-9)


def test_the_floor_is_not_where_a_foot_dips_when_it_rolls() -> None:
    dips = np.where(np.arange(FRAMES) % 12 < 3, -0.1, 0.002 * np.sin(TIMES))
    assert rests_of(posed(way(), way(z=dips), way())).floor == pytest.approx(0.0, abs=0.002)
    # A box on which it stands for most of the time is no floor either.
    box = np.where(np.arange(FRAMES) < 18, 0.0, 0.15)
    assert rests_of(posed(way(z=1.0), way(z=box), way())).floor == pytest.approx(0.0)


def test_a_hand_rests_on_the_floor_but_not_in_the_air() -> None:
    down = posed(way(), way(), way(z=-0.8))
    assert {rest.bones for rest in rests_of(down).rests} == {(FOOT,), (HAND,)}
    assert {rest.bones for rest in rests_of(posed(way(), way(), way())).rests} == {(FOOT,)}


def test_a_heel_of_its_own_belongs_to_the_foot_and_a_body_does_not() -> None:
    parent = np.array([-1, 0, 1])
    skin = skin_of((BODY, (0.0, 0.0, 0.002)), (FOOT, (0.1, 0.0, 0.0)), (HAND, (0.0, 0.0, 0.8)))
    heel = outer_flesh(skin, REST)
    still = posed(way(), way(), way())
    assert whole_foot(heel, still, frozenset({FOOT}), parent, 1.0) == {BODY, FOOT}
    assert whole_foot(FLESH, still, frozenset({FOOT}), parent, 1.0) == {FOOT}


def changes(after: Floats, before: Floats = STEP) -> tuple[Rests, list[Floats], list[float]]:
    rests = rests_of(before)
    found = rest_changes(FLESH, rests, before, after, FLAT, TOPS, 1.0)
    return rests, [each.floats for each in found], [each.slides for each in found]


def test_what_rests_neither_floats_nor_slides_in_the_source_itself() -> None:
    _, floats, slides = changes(STEP)
    assert max(each.max() for each in floats) == pytest.approx(0.0, abs=1e-3)
    assert max(slides) < 1e-3


def test_a_raised_result_floats_by_as_much() -> None:
    _, floats, _ = changes(STEP + posed(*[way(z=0.03)] * 3) - posed(way(), way(), way()))
    assert max(each.max() for each in floats) == pytest.approx(0.03, abs=1e-3)


def test_a_foot_that_slides_is_measured_from_the_middle_of_its_way() -> None:
    slow = STEP.copy()
    slow[:, FOOT, 0, 3] += 0.02 * TIMES
    rests, _, slides = changes(slow)
    middle = rests.rests[0].middle
    span = (middle.stop - 1 - middle.start) / RATE
    assert slides[0] == pytest.approx(0.02 * span / 2.0, rel=1e-3)


def test_ties_are_bones_with_their_parents() -> None:
    parent = np.array([-1, 0, 1])
    assert ties_of(parent, {0, 1, 2}).tolist() == [[0, 1], [1, 2]]
    assert ties_of(parent, {0, 2}).tolist() == []


def test_a_torn_tie_is_as_long_as_it_is_torn() -> None:
    none = np.zeros((0, 2), int)
    before = posed(way(), way(0.5), way(1.0))
    after = before.copy()
    after[7, HAND, 0, 3] += 0.02
    found = worst_stretch(before, after, np.array([[0, 1], [1, 2]]), none, 1.0)
    assert found is not None
    assert found.bones == (1, 2)
    assert int(found.change.argmax()) == 7
    assert found.change.max() == pytest.approx(0.02)
    free = worst_stretch(before, after, np.array([[0, 1], [1, 2]]), none, 1.0, free=[HAND])
    assert free is not None
    assert free.change.max() == 0.0


def test_loose_bones_may_move_as_far_apart_as_in_the_source() -> None:
    none = np.zeros((0, 2), int)
    before = posed(way(), way(0.5 + 0.1 * np.sin(TIMES)), way())
    ties = np.array([[0, 1]])
    assert worst_stretch(before, before[::-1], none, ties, 1.0).change.max() == 0.0  # type: ignore[union-attr]
    after = before + posed(way(), way(0.2), way()) - posed(way(), way(), way())
    assert worst_stretch(before, after, none, ties, 1.0).change.max() == pytest.approx(0.2, abs=0.1)  # type: ignore[union-attr]
    # Those that are not rigid and not loose are not judged.
    assert worst_stretch(before, after, ties, none, 1.0).change.max() == 0.0  # type: ignore[union-attr]


def test_a_part_is_loose_if_it_touches_another_one_than_its_parent() -> None:
    skin = skin_of((BODY, (0.0, 0.0, 0.0)), (FOOT, (0.1, 0.0, 0.0)), (HAND, (0.2, 0.0, 0.0)))
    hanging = np.array([-1, 0, 1])
    assert loose_parts(skin, hanging, 0.01) == []
    # The last one hangs on the first, but touches the second.
    (part,) = loose_parts(skin, np.array([-1, 0, 0]), 0.01)
    assert part == (frozenset({HAND}), [(HAND, FOOT)])
    # A few stray weights are no part.
    stray = replace(skin, places=np.where(skin.bone[:, None] == HAND, 0.2, skin.places))
    assert loose_parts(stray, np.array([-1, 0, 0]), 0.01) == []
    # And what touches nothing is nowhere to be torn from.
    far = skin_of((BODY, (0.0, 0.0, 0.0)), (FOOT, (0.1, 0.0, 0.0)), (HAND, (9.0, 0.0, 0.0)))
    assert loose_parts(far, np.array([-1, 0, 0]), 0.01) == []


@pytest.mark.parametrize("change", [0.2, -0.3])
def test_a_body_over_flat_ground_keeps_its_height(change: float) -> None:
    pelvis = way(TIMES, 1.0)
    feet = way(TIMES)[:, None]
    after = pelvis.copy()
    after[20:25, 2] += change
    found = height_change(pelvis, after, feet, Rests(0.0, ()), FLAT, TOPS, RATE)
    assert found[22] == pytest.approx(change)
    assert found[:20].tolist() == [0.0] * 20
    # A floor that is lower than the ground: the body rises with it.
    assert height_change(
        pelvis, pelvis + way(z=0.5), feet, Rests(-0.5, ()), FLAT, TOPS, RATE
    ).max() == pytest.approx(0.0)


def test_a_jolt_is_measured_against_the_jerk_of_its_limb() -> None:
    before = posed(way(np.sin(6 * TIMES)), way(np.sin(6 * TIMES)), way(0.0))
    after = before.copy()
    after[30, FOOT, 2, 3] += 0.05
    found = worst_jerk(before, after, [[BODY, FOOT]], [], 1e-6)
    assert found is not None
    assert found.bone == FOOT
    assert abs(found.row - 30) <= 2
    assert found.ratio > 5.0
    assert worst_jerk(before, before, [[BODY, FOOT]], [], 1e-6).ratio == pytest.approx(1.0)  # type: ignore[union-attr]
    assert worst_jerk(before[:3], after[:3], [[BODY]], [], 1e-6) is None


def test_the_mean_jerk_is_that_of_legs_alone() -> None:
    before = posed(way(np.sin(6 * TIMES)), way(np.sin(6 * TIMES)), way(0.0))
    after = before.copy()
    after[:, FOOT, :3, 3] *= 2.0
    other = next(bone for bone in range(before.shape[1]) if bone not in (BODY, FOOT))
    after[30, other, 2, 3] += 0.5
    found = worst_jerk(before, after, [[FOOT]], [[other]], 1e-6)
    assert found is not None
    assert found.mean == pytest.approx(2.0)
    assert found.bone == other


def test_turns_are_angles_about_the_vertical_and_across() -> None:
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1, 1))
    half = np.radians(15.0)
    about_z = np.tile([np.cos(half), 0.0, 0.0, np.sin(half)], (2, 1, 1))
    about_x = np.tile([np.cos(half), np.sin(half), 0.0, 0.0], (2, 1, 1))
    assert turns(still, about_z) == pytest.approx(np.full((2, 1), 30.0))
    assert twist_and_tilt(still, about_z)[0] == pytest.approx(np.full((2, 1), 30.0))
    assert twist_and_tilt(still, about_x)[0] == pytest.approx(np.zeros((2, 1)))
    assert twist_and_tilt(still, about_x)[1] == pytest.approx(np.full((2, 1), 30.0))


def test_no_flesh_rests_nowhere() -> None:
    none = np.zeros(0, int)
    empty = Flesh(none, none, none, np.zeros(0), np.zeros((0, 3)))
    assert find_rests(empty, STEP, [{FOOT}], (), 0.0, RATE, 1.0).rests == ()
