"""All kinds of characters, by name."""

from __future__ import annotations

from collections.abc import Callable

from ..body import Body
from .biped import BOOTS, LONG_ARMS, biped
from .creatures import bird, centaur, cloaked, dragon, lizard, wolf
from .eight_legs import eight_legs
from .many_legs import six_legs
from .persons import costume, fingers
from .quadruped import detached, hooves, quadruped
from .rex import rex
from .variants import (
    bare,
    crossing_tails,
    ik_controls,
    ik_limbs,
    large_units,
    long_tails,
    lying,
    meaningless,
    mixamo,
    root_motion,
    scaled_object,
    separate_shoes,
    sized,
    soft,
)

Maker = Callable[[], Body]

CHARACTERS: dict[str, Maker] = {
    "plain": biped,
    "mixamo": lambda: mixamo(biped()),
    "nameless": lambda: meaningless(biped()),
    "bare": lambda: bare(biped()),
    "bare_nameless": lambda: meaningless(bare(biped())),
    "boots": lambda: biped(BOOTS),
    "boots_nameless": lambda: meaningless(biped(BOOTS)),
    "soft": lambda: soft(biped()),
    "soft_boots": lambda: soft(biped(BOOTS)),
    "ape": lambda: biped(LONG_ARMS),
    "shoes": lambda: separate_shoes(biped()),
    "lying": lambda: meaningless(lying(biped())),
    "long_tails": lambda: long_tails(mixamo(biped())),
    "crossing_tails": lambda: crossing_tails(meaningless(biped())),
    "fingers": lambda: fingers(biped()),
    "costume": lambda: costume(biped()),
    "ik_legs": lambda: ik_controls(biped()),
    "ik_limbs": lambda: ik_limbs(biped()),
    "scaled_object": lambda: scaled_object(mixamo(biped())),
    "large_units": lambda: large_units(meaningless(biped(BOOTS))),
    "root_motion": lambda: root_motion(biped()),
    "scaled_ik_legs": lambda: scaled_object(ik_controls(biped())),
    "tiny": lambda: sized(biped(), 0.005),
    "giant": lambda: sized(biped(), 100.0),
    "quadruped": quadruped,
    "quadruped_nameless": lambda: meaningless(quadruped()),
    "detached": detached,
    "detached_nameless": lambda: meaningless(detached()),
    "hooves": hooves,
    "six_legs": six_legs,
    "six_legs_nameless": lambda: meaningless(six_legs()),
    "eight_legs": eight_legs,
    "wolf": wolf,
    "dragon": dragon,
    "lizard": lizard,
    "centaur": centaur,
    "bird": bird,
    "cloaked": cloaked,
    "rex": rex,
    "rex_nameless": lambda: meaningless(rex()),
}
