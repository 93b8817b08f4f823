"""Data of an armature that does not change between frames: goals, bones and settings.

Nothing here evaluates the scene or moves the playhead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ...solver import Settings
from ..blender.pose_channels import COLUMNS
from ..blender.scene_state import frames_per_second
from ..clip.curve_only import bone_path, refuse_animated_rotation_modes, rotation_property
from ..clip.skeleton import Skeleton, read_skeleton
from ..errors import RigError
from ..goals.solve_setup import SolveSetup, read_setup
from ..goals.tracks import enabled_goals
from ..keys.keys import channel_locks, driven_channels
from ..source.solver_settings import solver_settings

# Evaluations of a quick solve: few enough for dragging a target smoothly.
QUICK_EVALUATIONS = 500
Structure = tuple[tuple[Any, ...], ...]
SOLVER_STRUCTURE = (
    *("scope", "move_root", "use_limits", "read_constraints"),
    *("strategy", "population", "elites", "evaluations", "seed"),
)
GOAL_STRUCTURE = ("type", "bone", "other_bone", "subtarget", "head_tail", "chain_length", "chain")


@dataclass(frozen=True, eq=False)
class FrameRig:
    """Data of an armature that does not change between frames.

    Attributes:
        skeleton: Its bones.
        setup: Its goals, and what may move for them.
        rows: Row in `Pose.bones` of each bone of the skeleton; (n,).
        moving: Whether a bone of the skeleton may move, or a bone above it; (n,).
        writable: Channels that a solved pose may change, rows as in `Pose.bones`; (n, 17).
        settings: Settings of a thorough solve.
        quick: Settings of a solve while a target is dragged.
        structure: The structure it was made for; see `structure_of`.
    """

    skeleton: Skeleton
    setup: SolveSetup
    rows: NDArray[np.intp]
    moving: NDArray[np.bool_]
    writable: NDArray[np.bool_]
    settings: Settings
    quick: Settings
    structure: Structure


def read_frame_rig(
    scene: bpy.types.Scene, armature: bpy.types.Object, before: Skeleton | None = None
) -> FrameRig:
    """Read the goals, and the bones they move.

    Args:
        scene: The scene.
        armature: The armature.
        before: Bones read before, to save work where they are the same.

    Raises:
        RigError: It cannot be done; one sentence that says how to fix it.
    """
    skeleton = read_skeleton(armature)
    if before is not None and before.equals(skeleton):
        skeleton = before  # with all data derived from it
    setup = read_setup(armature, skeleton)
    refuse_animated_rotation_modes(armature)
    _refuse_constraints(setup)
    names = {bone.name: row for row, bone in enumerate(armature.pose.bones)}
    settings = solver_settings(armature.bioik.solver, frames_per_second(scene))
    settings = replace(settings, smoothness=0.0, threads=1)
    moves = np.zeros(len(skeleton), bool)
    for b, (name, parent) in enumerate(zip(skeleton.names, skeleton.parent, strict=True)):
        moves[b] = name in setup.may_move or (parent >= 0 and moves[parent])
    return FrameRig(
        skeleton,
        setup,
        np.array([names[name] for name in skeleton.names], np.intp),
        moves,
        _writable(armature, setup),
        settings,
        _quick(settings),
        structure_of(armature),
    )


def structure_of(armature: bpy.types.Object) -> Structure:
    """Goals and settings that determine the joints; a model is valid while they do not change."""
    rig = armature.bioik
    return (
        tuple(getattr(rig.solver, name) for name in SOLVER_STRUCTURE),
        tuple(
            (
                *(getattr(goal, name) for name in GOAL_STRUCTURE),
                *goal.kind.joint_values(goal),
                *goal.offset,
                goal.target.name if goal.target else "",
            )
            for goal in enabled_goals(rig.goals)
        ),
        tuple((slot.name, slot.bone) for slot in rig.slots),
    )


def _refuse_constraints(setup: SolveSetup) -> None:
    """Refuse constraints that would be evaluated on top of the solved pose; a bake mutes them."""
    if setup.released.constraints:
        bone, name = setup.released.constraints[0]
        raise RigError(
            f'The constraint "{name}" of bone "{bone}" moves bones that the goals also move: mute '
            "it to solve poses, or bake, which mutes it."
        )


def _writable(armature: bpy.types.Object, setup: SolveSetup) -> NDArray[np.bool_]:
    """Channels of moving bones that are neither locked nor driven; (n, 17)."""
    driven = driven_channels(armature)
    writable = np.zeros((len(armature.pose.bones), COLUMNS["scale"].stop), bool)
    moving = set(setup.may_move)
    for row, bone in enumerate(armature.pose.bones):
        if bone.name not in moving:
            continue
        for name in ("location", rotation_property(bone.rotation_mode)):
            path = f"{bone_path(bone.name)}.{name}"
            free = [
                not locked and (path, index) not in driven
                for index, locked in enumerate(channel_locks(bone, name))
            ]
            writable[row, COLUMNS[name]] = free
    return writable


def _quick(settings: Settings) -> Settings:
    quick = replace(settings, evaluations=min(settings.evaluations, QUICK_EVALUATIONS))
    return quick if settings.strategy == "local" else replace(quick, strategy="memetic")
