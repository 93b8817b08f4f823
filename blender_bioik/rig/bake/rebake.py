"""Baking again only what has changed, into the result that is there.

The source is read anew and compared with what the last bake was made from. Only the frames around
those that differ are solved, and the old result goes over into the new one on both sides. All other
keys stay as they are, bit for bit; also what an animator has changed by hand there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import bpy

from ..blender import fcurves
from ..clip.sampling import Clip, sampling
from ..clip.skeleton import Skeleton, read_skeleton
from ..errors import RigError
from ..goals.constraints import mute
from ..goals.solve_setup import read_setup
from ..goals.tracks import PlannedGoal
from ..keys import outputs
from ..keys.keys import (
    NLA_DEFAULTS,
    BoneTracks,
    ChannelKeys,
    Thresholds,
    blended,
    bone_channels,
    fade_weights,
    layer_channels,
)
from ..keys.played_source import played_layers, source_played
from ..reading import Cancel, Progress, Reading, drained
from ..record.bake_inputs import inputs_of_bake
from ..record.bake_record import BakeInputs, rebake_problem, stored_inputs
from ..record.changed_rows import Window, window_around
from ..report.goal_errors import keep_worst
from ..report.report import BakeReport, make_report
from ..report.stored_report import keep_report
from ..source_shown import source_shown
from ..transforms import Floats
from .bake import (
    BakeOptions,
    BakePlan,
    BakeSolution,
    keep_inputs,
    reading_bake,
    reading_influence,
    solve_bake,
)
from .bake_keys import WrittenKeys, channel_source

NOTHING_CHANGED = "Nothing has changed since the last bake."
# With these every channel is taken, also those that do not change.
ALL_CHANNELS = Thresholds(-1.0, -1.0, -1.0)


@dataclass(frozen=True, eq=False)
class RebakePlan:
    """Everything read for baking changed frames again.

    Attributes:
        bake: The frames that are solved.
        existing: The result as it is, in these frames.
        window: The rows, of all that were baked.
        whole: What all frames are made from now.
        before: What they were made from.
    """

    bake: BakePlan
    existing: Clip
    window: Window
    whole: BakePlan
    before: BakeInputs


def rebake(
    scene: bpy.types.Scene,
    armature_object: bpy.types.Object,
    *,
    progress: Progress | None = None,
    cancelled: Cancel | None = None,
) -> BakeReport:
    """Bake the goals again in the frames that have changed since the last bake.

    Raises:
        RigError: Nothing has changed, or something stands in the way.
        Cancelled: `cancelled` returned true.
    """
    plan = drained(reading_rebake(scene, armature_object), cancelled=cancelled)
    started = time.perf_counter()
    solution = solve_rebake(plan, progress=progress, cancelled=cancelled)
    return write_rebake(plan, solution, time.perf_counter() - started)


def reading_rebake(
    scene: bpy.types.Scene, armature_object: bpy.types.Object
) -> Reading[RebakePlan]:
    """Read what the last bake was made from as it is now, and what has to be solved of it."""
    before = known_inputs(armature_object)
    blend = armature_object.bioik.bake.rebake_blend
    options = options_of(before)
    skeleton = read_skeleton(armature_object)
    with again_played(scene, armature_object, before):
        goals = read_setup(armature_object, skeleton).goals
    # How far they are followed is said by the action that plays now, not by the source.
    with source_shown():
        influence = yield from reading_influence(scene, armature_object, goals, before.frames)
    with again_played(scene, armature_object, before):
        whole = yield from reading_bake(scene, armature_object, options, influence=influence)
        now = inputs_of_bake(whole, bones=before.bones)
        window = window_around(before.changed(now), blend)
        if window is None:
            raise RigError(NOTHING_CHANGED)
        rows = window.solved
        frames = before.frames[rows]
        part = replace(options, frame_start=round(frames[0]), frame_end=round(frames[-1]))
        bake = yield from reading_bake(
            scene, armature_object, part, influence=[values[rows] for values in influence]
        )
    with source_shown():
        existing, _ = yield from sampling(scene, armature_object, frames)
    return RebakePlan(bake, existing, window, whole, before)


def solve_rebake(
    plan: RebakePlan, *, progress: Progress | None = None, cancelled: Cancel | None = None
) -> BakeSolution:
    """Solve the frames around the changed ones. Touches nothing of Blender."""
    return solve_bake(plan.bake, progress=progress, cancelled=cancelled)


def write_rebake(plan: RebakePlan, solution: BakeSolution, solve_seconds: float) -> BakeReport:
    """Write the solved frames into the result, and keep the report.

    Raises:
        RigError: The result cannot be written; nothing has been changed.
    """
    started = time.perf_counter()
    bake, window = plan.bake, plan.window
    weights, begin = window.weights[window.solved], window.solved.start
    rows = slice(window.written.start - begin, window.written.stop - begin)
    result = bake.model.tracks(solution.values)
    fades = fade_weights(plan.before.frames, plan.before.blend_in, plan.before.blend_out)
    result = blended(channel_source(bake), result, fades[window.solved])
    tracks = blended(plan.existing, result, weights)
    written = write_blended(bake, plan.before, plan.existing, tracks, weights, rows)
    # Told is what is whole of the new result.
    told = slice(window.first - begin, window.last + 1 - begin)
    report = make_report(
        [_rows_of_goal(goal, told) for goal in bake.goals],
        bake.clip.frames[told],
        replace(
            solution,
            errors=solution.errors[told],
            reached=solution.reached[told],
            iterations=solution.iterations[told],
        ),
        bones=written.bones,
        written=written.name,
        notes=(rebaked_note(plan.before, window), *written.notes),
        seconds=(bake.seconds, solve_seconds, time.perf_counter() - started),
        before=None if solution.source_errors is None else solution.source_errors[told],
    )
    keep_worst(bake.armature, report.goals)
    keep_report(bake.armature, report)
    keep_inputs(as_before(plan.whole, plan.before), plan.before)
    return report


def known_inputs(armature_object: bpy.types.Object) -> BakeInputs:
    """What the last bake was made from.

    Raises:
        RigError: It cannot be baked again in part.
    """
    problem = rebake_problem(armature_object)
    if problem:
        raise RigError(f"{problem}.")
    inputs = stored_inputs(armature_object)
    assert inputs is not None
    return inputs


def options_of(inputs: BakeInputs) -> BakeOptions:
    """Options to read the source of a bake again, which is written nowhere but into its result."""
    return BakeOptions(
        inputs.first, inputs.last, inputs.step, mute_constraints=inputs.mute_constraints
    )


def as_before(plan: BakePlan, inputs: BakeInputs) -> BakePlan:
    """A plan with the options of the bake that it repeats."""
    options = replace(
        plan.options,
        output=inputs.output,
        blend_in=inputs.blend_in,
        blend_out=inputs.blend_out,
    )
    return replace(plan, options=options)


def again_played(
    scene: bpy.types.Scene, armature_object: bpy.types.Object, inputs: BakeInputs
) -> AbstractContextManager[None]:
    """Play what a bake was made from meanwhile."""
    return source_played(
        scene,
        armature_object,
        inputs.held,
        inputs.muted,
        in_place=inputs.output == "IN_PLACE",
    )


def rebaked_note(inputs: BakeInputs, window: Window) -> str:
    """Which frames had changed."""
    first, last = inputs.frames[window.first], inputs.frames[window.last]
    return f"Frames {first:g} to {last:g} had changed and were baked again."


def write_blended(
    bake: BakePlan,
    before: BakeInputs,
    existing: Clip,
    tracks: BoneTracks,
    weights: Floats,
    rows: slice,
) -> WrittenKeys:
    """Write rows of bones' channels into the result that the armature plays.

    Only bones that are solved for, or were: others may have been animated in the result.

    Args:
        bake: What was read, over the same rows as the clip, tracks and weights.
        before: What the result was made from.
        existing: The result as it is.
        tracks: The result as it shall be.
        weights: How much of the new result is in each row; (f,).
        rows: The rows that get keys.

    Raises:
        RigError: It cannot be written; nothing has been changed.
    """
    armature, skeleton = bake.armature, bake.skeleton
    old, new = _rows_of_clip(existing, rows), BoneTracks(*(track[rows] for track in tracks))
    moving = {*bake.setup.moving, *before.moving}
    channels = [k for k in bone_channels(armature, skeleton, old, new) if k.group in moving]
    stays = weights[rows] == 0.0
    layers = played_layers(armature)
    if layers:
        container = fcurves.strip_container(layers[-1])
        assert container is not None
        wanted = {(keys.data_path, keys.index) for keys in channels}
        source = _rows_of_clip(bake.clip, rows)
        below = layer_channels(armature, skeleton, source, new, ALL_CHANNELS)
        channels = [keys for keys in below if (keys.data_path, keys.index) in wanted]
        _refuse_unheld(armature, channels)
        channels = _keep_layer(container, old.frames, channels, stays)
        outputs.write_channels(container, old.frames, channels)
        action = layers[-1].action
    else:
        channels = [_keep_rows(skeleton, old, keys, stays) for keys in channels]
        action = outputs.write_in_place(armature, old.frames, channels)
    if bake.options.mute_constraints:
        mute(armature, bake.released)
    armature.bioik.baked.run += 1
    return WrittenKeys(len({keys.group for keys in channels}), action.name, action, bake.notes)


def _refuse_unheld(armature_object: bpy.types.Object, channels: Sequence[ChannelKeys]) -> None:
    """Refuse new channels of a layer that are neither animated below it nor at rest."""
    animated = outputs.animated_channels(armature_object)
    for keys in channels:
        at_rest = NLA_DEFAULTS[keys.data_path.rpartition(".")[2]][keys.index]
        value = armature_object.path_resolve(keys.data_path)[keys.index]
        if (keys.data_path, keys.index) not in animated and value != at_rest:
            raise RigError(
                f'The bone "{keys.group}" has no keys below the layer to add to: bake everything.'
            )


def _rows_of_goal(goal: PlannedGoal, rows: slice) -> PlannedGoal:
    return replace(goal, influence=goal.influence[rows], target=goal.target[rows])


def _rows_of_clip(clip: Clip, rows: slice) -> Clip:
    return Clip(
        clip.frames[rows],
        clip.location[rows],
        clip.rotation[rows],
        clip.scale[rows],
        clip.rotation_channels[rows],
        clip.world[rows],
        clip.pose[rows],
    )


def _keep_rows(skeleton: Skeleton, existing: Clip, keys: ChannelKeys, stays: Floats) -> ChannelKeys:
    """Keys with the values that are there, exactly, in rows that stay."""
    name = keys.data_path.rpartition(".")[2]
    channels = {"location": existing.location, "scale": existing.scale}
    values = channels.get(name, existing.rotation_channels)
    there = values[:, skeleton.index[keys.group], keys.index]
    kept = keys.values.copy()
    kept[stays] = there[stays]
    return replace(keys, values=kept)


def _keep_layer(
    container: bpy.types.ID, frames: Floats, channels: Sequence[ChannelKeys], stays: Floats
) -> list[ChannelKeys]:
    """The same for the keys of a layer, which has none where it changes nothing."""
    paths = {keys.data_path for keys in channels}
    there = fcurves.sample_curves(container, frames, paths.__contains__)
    result = []
    for keys in channels:
        at_rest = NLA_DEFAULTS[keys.data_path.rpartition(".")[2]][keys.index]
        values = keys.values.copy()
        old = there.get((keys.data_path, keys.index))
        values[stays] = at_rest if old is None else old[stays]
        result.append(replace(keys, values=values))
    return result
