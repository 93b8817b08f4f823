"""Arms made of capsules at rails and tables: what counts as held, and how far off it is.

Tests of: motion.rests.find_holds.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, Contact, Floats
from blender_bioik.motion.ground.terrain import Surface, Terrain
from blender_bioik.motion.rests.find_holds import above, find_holds, held_again, may_hold
from blender_bioik.motion.rests.part import Part

from ...builders.motion.gaits import foot_along
from ...builders.motion.grounds import block, plate
from ...builders.motion.parts import RADIUS, RATE, capsule, lying

FRAMES = 90
FLOOR, STAYS = np.zeros(FRAMES), np.zeros((FRAMES, 3))
SHOULDER, HAND = (0.2, 0.0, 1.3), (0.45, 0.0, 0.95)
TOP = HAND[2] - RADIUS
SWAY = np.sin(np.linspace(0.0, 2.0 * np.pi, FRAMES))[:, None] * [0.0, 0.1, 0.0]
NEAR = 1e-3
# A leg of somebody who sits.
LEG = replace(foot_along("leg", lying(FRAMES)), knee=lying(FRAMES, z=0.5))
LEG = replace(LEG, hip=LEG.knee + np.array([0.0, 0.4, 0.05]))


def at(place: tuple[float, float, float], way: Floats | float = 0.0) -> Floats:
    return np.asarray(np.tile(place, (FRAMES, 1)) + way)


def arm(sway: Floats | float = SWAY, hand: Floats | None = None) -> list[Part]:
    """Upper arm, forearm and hand; the shoulder sways, the hand stays if it is not said to move."""
    wrist = at(HAND) if hand is None else hand
    shoulder = at(SHOULDER, sway)
    elbow = 0.5 * (shoulder + wrist) + [0.1, 0.05, -0.1]
    return [
        capsule("upper", shoulder, limb=None, following="lower"),
        capsule("lower", elbow, limb="arm", following="hand"),
        capsule("hand", wrist, limb="arm", holds=True),
    ]


def rail(off: float = 0.0) -> Surface:
    top = TOP + off
    return block((0.4, -2.0, top - 0.05), (0.8, 2.0, top))


def found(parts: list[Part], *things: Surface, carried: Floats = STAYS) -> list[Contact]:
    terrain = Terrain([plate(), *things])
    return find_holds(parts, [LEG], [], FLOOR, carried, terrain, RATE, 1.0)


def test_the_parts_of_an_arm_begin_at_the_shoulder() -> None:
    parts = arm()
    assert [part.name for part in above(parts, parts[2])] == ["upper", "lower", "hand"]


@pytest.mark.parametrize("off", [0.0, 0.08, -0.03])
def test_a_hand_that_stays_while_its_shoulder_moves_holds_what_is_near(off: float) -> None:
    (hold,) = found(arm(), rail(off))
    assert (hold.foot, hold.first, hold.stop) == (2, 0, FRAMES)
    assert hold.held == pytest.approx((0.0, 0.0, off), abs=NEAR)


def test_how_far_the_body_is_carried_does_not_count() -> None:
    """Where the hand goes is the rail's place, whatever height the body goes to."""
    (hold,) = found(arm(), rail(0.03), carried=at((0.0, 0.0, -0.06)))
    assert hold.held == pytest.approx((0.0, 0.0, 0.03), abs=NEAR)


def test_nothing_near_is_nothing_held() -> None:
    assert found(arm()) == []
    assert found(arm(), rail(0.2)) == []
    assert found(arm(), rail(-0.2)) == []


def test_a_hand_at_rest_holds_only_what_it_is_close_to() -> None:
    assert found(arm(0.0), rail(-0.07)) == []
    assert len(found(arm(0.0), rail(-0.03))) == 1


def test_a_hand_that_hangs_holds_nothing() -> None:
    hanging = at((SHOULDER[0] + 0.02, 0.0, 0.75))
    top = 0.75 - RADIUS
    table = block((0.0, -1.0, 0.0), (1.0, 1.0, top - 0.02))
    assert found(arm(0.0, hanging), table) == []


def test_a_waving_hand_holds_nothing() -> None:
    way = 0.2 * np.sin(np.arange(FRAMES) / 3.0)[:, None] * [0.0, 1.0, 0.0]
    parts = arm(0.0, at(HAND, way))
    assert not may_hold(parts, FLOOR, RATE, 1.0)
    assert found(parts, rail()) == []


def test_an_arm_that_is_too_short_does_not_reach() -> None:
    low = at((0.45, 0.0, SHOULDER[2] - 0.9))
    parts = arm(SWAY, low)
    straight = 0.5 * (parts[0].place + parts[2].place)
    parts[1] = replace(parts[1], place=straight)
    top = float(low[0, 2]) - RADIUS
    assert found(parts, block((0.4, -2.0, top - 0.15), (0.8, 2.0, top - 0.1))) == []


def test_it_slides_between_two_places_that_it_holds() -> None:
    share = np.clip((np.arange(FRAMES) - 30) / 30.0, 0.0, 1.0)
    way = (share**3 * (10 - 15 * share + 6 * share**2))[:, None] * [0.0, 0.5, 0.0]
    sway = way + np.where(np.arange(FRAMES) < 25, 1.0, 0.0)[:, None] * SWAY
    holds = found(arm(sway, at(HAND, way)), rail(0.05))
    assert [hold.slides for hold in sorted(holds, key=lambda each: each.first)] == [
        False,
        True,
        False,
    ]
    assert all(hold.held == pytest.approx((0.0, 0.0, 0.05), abs=NEAR) for hold in holds)
    covered = np.zeros(FRAMES, bool)
    for hold in holds:
        covered[hold.first : hold.stop] = True
    assert covered.all()


def test_a_seat_is_on_the_bench_below_it_if_no_thigh_is_upright() -> None:
    seat = capsule("seat", at((0.0, 0.3, 0.55)), limb=None, holds=True)
    terrain = Terrain([plate(), block((-0.5, 0.1, 0.0), (0.5, 0.8, 0.46))])
    (hold,) = find_holds([seat], [LEG], [], FLOOR, STAYS, terrain, RATE, 1.0)
    assert hold.held == pytest.approx((0.0, 0.0, 0.46 - (0.55 - RADIUS)), abs=NEAR)
    upright = replace(LEG, hip=LEG.knee + np.array([0.0, 0.1, 0.4]))
    assert find_holds([seat], [LEG, upright], [], FLOOR, STAYS, terrain, RATE, 1.0) == []


def test_given_contacts_are_with_what_is_near_them() -> None:
    terrain = Terrain([plate(), rail(0.06)])
    given = [Contact(2, BALL, 10, 40)]
    (hold,) = held_again(arm(0.0), given, FLOOR, STAYS, terrain, 1.0)
    assert hold.held == pytest.approx((0.0, 0.0, 0.06), abs=NEAR)
    on_floor = [Contact(0, BALL, 10, 40)]
    low = [capsule("hand", lying(FRAMES), holds=True)]
    assert held_again(low, on_floor, FLOOR, STAYS, terrain, 1.0) == on_floor


def fist(radius: float = 0.045) -> list[Part]:
    """An arm whose hand has closed fingers: capsules around what it holds."""
    parts = arm()
    angles = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    pieces = [
        piece
        for angle in angles
        for piece in capsule(
            "hand", at(HAND, radius * np.array([0.0, np.cos(angle), np.sin(angle)]))
        ).pieces
    ]
    parts[2] = replace(parts[2], pieces=tuple(pieces))
    return parts


@pytest.mark.parametrize(("off", "moved"), [(0.0, 0.0), (0.02, 0.0), (0.13, 0.065)])
def test_closed_fingers_stay_around_what_they_hold(off: float, moved: float) -> None:
    x, y, z = HAND
    bar = block((x - 1.0, y - 0.015, z + off - 0.015), (x + 1.0, y + 0.015, z + off + 0.015))
    (hold,) = found(fist(), bar)
    assert hold.held == pytest.approx((0.0, 0.0, moved), abs=0.015)
    if moved == 0.0:
        assert hold.held == (0.0, 0.0, 0.0)
