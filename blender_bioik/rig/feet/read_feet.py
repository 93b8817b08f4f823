"""Reading the inputs of foot placement: its range, legs, clip and meshes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import bpy

from ..contacts.clip_contacts import in_place_findings
from ..judge.source_outcome import read_limbs
from ..legs.goal_stages import GoalStages
from ..legs.ground import Ground, chosen_grounds
from ..legs.read_legs import legs_in_clip, read_legs
from ..problem.feet_then_goals import FeetThenGoals
from ..reading import Reading
from ..skin.bare_skin import character_skin
from ..source.options import BakeOptions
from ..source.read_source import Played, read_source, source_playing
from ..source.smoothed_source import smoothed_source
from ..source_shown import source_shown
from .placement import Placement
from .read_problem import read_problem
from .refused_inputs import refuse_inputs

__all__ = ["Placement", "read_feet"]


def read_feet(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    options: BakeOptions,
    *,
    grounds: Sequence[Ground] | None = None,
    played: Played | None = None,
) -> Reading[Placement]:
    """Read the rig, its clip, its contacts and the ground. Leaves the scene as it is.

    Args:
        scene: The scene whose frames are used.
        armature_object: The character; its goals and settings are in `Object.bioik`.
        options: The frames, and where to write the keyframes.
        grounds: The ground; None for the ground in its settings.
        played: See `read_source`.

    Raises:
        RigError: It cannot be done; one sentence that says how to fix it.
    """
    started = time.perf_counter()
    playing = source_playing(scene, armature_object, played)
    with source_shown():
        with playing():
            refuse_inputs(scene, armature_object, options)
            legs = read_legs(armature_object)
        own = chosen_grounds(armature_object)
        chosen = own if grounds is None else list(grounds)
        source = yield from read_source(
            scene,
            armature_object,
            options,
            needs_goal=False,
            more=legs.bones,
            controls=legs.controls,
            played=played,
        )
        source = smoothed_source(source, legs.bones, armature_object.bioik.feet.smooth)
        with playing():
            legs, findings = legs_in_clip(
                scene, armature_object, legs, source.skeleton, source.clip, source.rate
            )
            stages = GoalStages(source.setup, source.skeleton, legs)
            feet, found = yield from read_problem(source, stages, chosen, options)
            moved = feet.source.moved
            skin = character_skin(scene, armature_object, source.skeleton, moved)
            limbs = read_limbs(armature_object, source.skeleton)
    source = replace(feet.source, seconds=time.perf_counter() - started)
    problem = FeetThenGoals(replace(feet, source=source))
    planting = armature_object.bioik.feet.planting
    findings += in_place_findings(feet.contacts, planting, found=found)
    return Placement(problem, found, chosen == own, skin, limbs, tuple(findings))
