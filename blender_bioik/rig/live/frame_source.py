"""The source of a single frame: an armature and its goals as Blender has evaluated them.

Nothing here evaluates the scene or moves the playhead, so handlers may use it while Blender is
busy. The armature may show another pose at that time: the animated pose is given by its channels.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np

from ..blender.pose_channels import COLUMNS, Channels
from ..blender.scene_state import frames_per_second
from ..clip.curve_only import rotation_property, rotation_size
from ..clip.sampling import Clip
from ..clip.skeleton import basis_matrices, pose_matrices
from ..errors import RigError
from ..goals.solve_setup import refuse_numbers_that_are_none
from ..goals.tracks import enabled_goals, plan_goals, targets_of
from ..source.source import Source
from ..transforms import Floats, matrix_from_channels, quaternion_from_channels
from .frame_rig import FrameRig


class Posed(NamedTuple):
    """An armature as Blender has evaluated it, bones in the order of `Pose.bones`.

    Attributes:
        world: World matrix of the object; (4, 4).
        pose: Bone matrices in armature space, after constraints; (n, 4, 4).
    """

    world: Floats
    pose: Floats


class Showed(NamedTuple):
    """Channels that an armature once showed, and how these were evaluated.

    It shows how limits change a bone that still has these channels.
    """

    channels: Channels
    posed: Posed


def posed_armature(armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Posed:
    """The armature as it is evaluated.

    Raises:
        RigError: It is not part of the evaluated scene.
    """
    evaluated = _evaluated(depsgraph, armature)
    count = len(armature.pose.bones)
    matrices = np.empty(16 * count, np.float32)
    evaluated.pose.bones.foreach_get("matrix", matrices)
    pose = matrices.reshape(count, 4, 4).swapaxes(-1, -2).astype(float)
    return Posed(np.array(evaluated.matrix_world, float), pose)


def frame_source(
    scene: bpy.types.Scene,
    armature: bpy.types.Object,
    rig: FrameRig,
    source: Channels,
    posed: Posed,
    showed: Showed,
) -> Source:
    """The source of the current frame, without its goals over frames; see `goals_now`.

    Args:
        scene: The scene.
        armature: The armature.
        rig: The data read from it.
        source: Channels of the animated pose.
        posed: The armature as it is evaluated now, in any pose: bones that nothing moves are taken
            from it.
        showed: Channels that the armature once showed.
    """
    # The current goals, because adding one moves all of them in memory.
    setup = replace(rig.setup, goals=tuple(enabled_goals(armature.bioik.goals)))
    clip = _clip(rig, scene.frame_current_final, source, posed, showed)
    rate, weight = frames_per_second(scene), float(armature.bioik.solver.displacement)
    return Source(
        armature, scene, rig.skeleton, setup, setup.limited, clip, rate, rig.settings, weight
    )


def goals_now(source: Source, armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> Source:
    """A frame's source with its goals as they are now, and their targets as they are evaluated.

    Args:
        source: The source of the frame.
        armature: Its armature; the one that was read may be outdated.
        depsgraph: The evaluated scene.

    Raises:
        RigError: A target is not evaluated, or has invalid values (NaN/inf).
    """
    goals = enabled_goals(armature.bioik.goals)
    targets = [_target_matrix(depsgraph, *target) for target in targets_of(goals)]
    planned = plan_goals(
        goals,
        source.frames,
        np.array(targets, float).reshape(-1, 1, 4, 4),
        [np.array([goal.influence], float) for goal in goals],
    )
    refuse_numbers_that_are_none(source.skeleton, source.clip, planned)
    weight = float(armature.bioik.solver.displacement)
    return replace(source, armature=armature, goals=tuple(planned), displacement=weight)


def _clip(rig: FrameRig, frame: float, source: Channels, posed: Posed, showed: Showed) -> Clip:
    skeleton, rows = rig.skeleton, rig.rows
    channels = source[rows].astype(float)
    turns = np.zeros((len(skeleton), 4))
    rotation = np.empty((len(skeleton), 4))
    modes = np.array(skeleton.rotation_mode)
    for mode in set(skeleton.rotation_mode):
        bones = np.flatnonzero(modes == mode)
        values = channels[bones, COLUMNS[rotation_property(mode)]]
        turns[bones, : rotation_size(mode)] = values
        rotation[bones] = quaternion_from_channels(values, mode)
    location, scale = channels[:, COLUMNS["location"]], channels[:, COLUMNS["scale"]]
    basis = matrix_from_channels(location, rotation, scale)[None]
    if not rig.moving.all():
        # Bones that no joint moves are where Blender has them.
        still = basis_matrices(skeleton, posed.pose[None, rows])
        basis[:, ~rig.moving] = still[:, ~rig.moving]
    limited = [skeleton.index[name] for name in sorted(rig.setup.limited)]
    if limited:
        then, evaluated = showed
        held = basis_matrices(skeleton, evaluated.pose[None, rows])
        same = [b for b in limited if np.array_equal(then[rows[b]], source[rows[b]])]
        basis[:, same] = held[:, same]
    return Clip(
        np.array([frame], float),
        location[None],
        rotation[None],
        scale[None],
        turns[None],
        posed.world[None],
        pose_matrices(skeleton, basis),
    )


def _target_matrix(
    depsgraph: bpy.types.Depsgraph, target: bpy.types.Object, bone: str | None
) -> Floats:
    evaluated = _evaluated(depsgraph, target)
    matrix = np.array(evaluated.matrix_world, float)
    if bone is None:
        return matrix
    if evaluated.pose is None or bone not in evaluated.pose.bones:
        raise RigError(f'The target "{target.name}" has no bone "{bone}": choose one of its bones.')
    return np.asarray(matrix @ np.array(evaluated.pose.bones[bone].matrix, float))


def _evaluated(depsgraph: bpy.types.Depsgraph, object_: bpy.types.Object) -> bpy.types.Object:
    evaluated = object_.evaluated_get(depsgraph)
    if not evaluated.is_evaluated:
        raise RigError(
            f'"{object_.name}" is not evaluated in this scene: '
            "enable it in viewports, and its collection in the view layer."
        )
    return evaluated
