"""What a clip says that touches something does not move, and nothing goes through the floor."""

from __future__ import annotations

import numpy as np
import pytest

import zoo
from zoo.body import Body, Floats
from zoo.posing import Motion
from zoo.skin import shell

CLIPS = sorted(zoo.CLIPS)
# Recordings: their floor is not level, or their feet do not keep to it.
RECORDED = {"noisy_walk", "drifting_walk"}
EXACT = sorted(set(CLIPS) - RECORDED)


def skin(body: Body, motion: Motion) -> Floats:
    """Places (f, n, 3) of the skin's vertices."""
    surface = shell(body.parts)
    found = np.empty((len(motion.heads[body.root]), *surface.vertices.shape))
    for role in set(surface.bones):
        own = [i for i, bone in enumerate(surface.bones) if bone == role]
        offset = surface.vertices[own] - body.head(role)
        turned = offset @ motion.turns[role].transpose(0, 2, 1)
        found[:, own] = motion.heads[role][:, None] + turned
    return found


@pytest.mark.parametrize("clip", EXACT)
def test_what_touches_stays_where_it_is(clip: str) -> None:
    body = zoo.CHARACTERS["plain"]()
    motion = zoo.CLIPS[clip](body)
    for touch in motion.touches:
        path = motion.heads[touch.bone][touch.first : touch.stop]
        allowed = 0.03 if touch.bone in ("hips", "chest") else 0.001  # they roll
        assert np.ptp(path, axis=0).max() < allowed, touch


@pytest.mark.parametrize("clip", EXACT)
def test_nothing_is_below_the_floor(clip: str) -> None:
    body = zoo.CHARACTERS["plain"]()
    assert skin(body, zoo.CLIPS[clip](body))[..., 2].min() > -0.002


@pytest.mark.parametrize("clip", ["steps", "ladder", "sit"])
def test_props_carry_what_touches_them(clip: str) -> None:
    body = zoo.CHARACTERS["plain"]()
    motion = zoo.CLIPS[clip](body)
    places, bones = skin(body, motion), np.array(shell(body.parts).bones)
    for touch in motion.touches:
        row = (touch.first + touch.stop) // 2
        own = places[row, bones == touch.bone]
        tops = [0.0]
        for prop in motion.props:
            over = (abs(own - prop.centre) < prop.half + 0.01)[:, :2].all(axis=1)
            if over.any():
                tops.append(float((prop.centre + prop.half)[2]))
        assert min(abs(own[:, 2].min() - top) for top in tops) < 0.006, touch


@pytest.mark.parametrize("clip", CLIPS)
def test_bones_keep_their_lengths(clip: str) -> None:
    body = zoo.CHARACTERS["plain"]()
    motion = zoo.CLIPS[clip](body)
    for bone in body.bones:
        if bone.parent:
            rest = np.linalg.norm(np.subtract(bone.head, body.head(bone.parent)))
            way = motion.heads[bone.name] - motion.heads[bone.parent]
            assert np.allclose(np.linalg.norm(way, axis=1), rest, atol=1e-9)


def test_recordings_shake_and_tilt_by_as_much_as_they_say() -> None:
    body = zoo.CHARACTERS["plain"]()
    walk, noisy, drifting = (
        zoo.CLIPS[clip](body).heads["hips"] for clip in ("walk", "noisy_walk", "drifting_walk")
    )
    assert np.std(noisy - walk, axis=0) == pytest.approx([0.002] * 3, rel=0.25)
    rise = (drifting - walk)[:, 2]
    way = np.linalg.norm(walk[-1, :2] - walk[0, :2])
    assert (rise[-1] - rise[0]) / way == pytest.approx(0.03, rel=0.02)


def test_a_walk_in_place_gets_nowhere() -> None:
    body = zoo.CHARACTERS["plain"]()
    path = zoo.CLIPS["in_place_walk"](body).heads["hips"]
    assert np.ptp(path[:, 1]) < 0.01
