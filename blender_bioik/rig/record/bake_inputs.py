"""Digests of a bake's inputs for each frame, to detect changed frames later.

They cover the source of the bones that moved and each goal that acts in a frame; for foot placement
also the contacts and the ground around them. Inputs of all frames, such as the solver's settings,
have a separate digest. All of it is stored on the armature, with the keyframes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...motion.feet import AUTO, Contact
from ..blender.scene_state import frames_per_second, selected_bones
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..goals.constraint_goals import property_names
from ..goals.solve_setup import SolveSetup
from ..goals.tracks import PlannedGoal
from ..joints.moving_bones import chain
from ..source.held import source_bones
from ..source.options import BakeOptions
from ..source.source import Source
from ..transforms import Floats
from .bake_record import VERSION, BakeInputs
from .digests import SUMS, Digests, row_sketches, value_digest

# Properties that a goal's digest leaves out: names, and what its influence per frame covers.
NOT_OF_GOALS = {
    *("name", "enabled", "influence", "target", "chain"),
    *("use_frame_range", "frame_start", "frame_end", "blend_in", "blend_out"),
}
# Settings of foot placement that older records do not know: at their defaults, nothing has changed.
NOT_IN_OLDER_RECORDS = {"levels", "write_to", "body_contacts", "smooth", "lean"}
SOURCE, GOAL, CONTACT = 1 << 8, 2 << 8, 3 << 8


def inputs_of_goals(
    source: Source,
    options: BakeOptions,
    *,
    before: BakeInputs | None = None,
    bones: Sequence[str] | None = None,
) -> BakeInputs:
    """The inputs of a bake of goals.

    Args:
        source: What was read for it.
        options: What was baked, and where it was written.
        before: The inputs of an earlier bake into the same result: its bones are keyed too.
        bones: Bones whose source is compared; None for all that matter.
    """
    skeleton, clip = source.skeleton, source.clip
    earlier = before.moving if before is not None else ()
    moving = tuple(dict.fromkeys((*earlier, *source.setup.may_move)))
    known = [bone for bone in moving if bone in skeleton.index]
    counted = tuple(bones) if bones is not None else source_bones(skeleton, known)
    rate = frames_per_second(source.scene)
    return BakeInputs(
        feet=False,
        first=options.frame_start,
        last=options.frame_end,
        step=options.step,
        output=options.output,
        blend_in=options.blend_in,
        blend_out=options.blend_out,
        mute_constraints=options.mute_constraints,
        few_keys=options.few_keys,
        has_source=source.armature.bioik.baked.source is not None,
        bones=counted,
        moving=moving,
        held=source.held if options.output == "NEW_ACTION" else {},
        muted=source.setup.released.constraints if options.mute_constraints else (),
        settings=settings_digest(source.armature, options, rate, feet=False),
        choices=goal_digests(skeleton, source.goals, source.setup, len(clip.frames)),
        places=place_sketches(skeleton, clip, counted, source.goals),
        ground=np.zeros((0, SUMS)),
    )


def inputs_of_feet(
    source: Source,
    options: BakeOptions,
    contacts: Digests,
    ground: Floats,
    *,
    before: BakeInputs | None = None,
    bones: Sequence[str] | None = None,
) -> BakeInputs:
    """The inputs of a foot placement.

    Args:
        source: What was read for it.
        options: What was baked, and where it was written.
        contacts: Digests of the contacts; see `contact_digests`.
        ground: Sketch of the ground in each frame; see `ground_sketches.py`.
        before: The inputs of an earlier foot placement into the same result.
        bones: Bones whose source is compared; None for all that matter.
    """
    goals = inputs_of_goals(source, options, before=before, bones=bones)
    rate = frames_per_second(source.scene)
    return replace(
        goals,
        feet=True,
        settings=settings_digest(source.armature, options, rate, feet=True),
        choices=goals.choices + contacts,
        ground=ground,
    )


def place_sketches(
    skeleton: Skeleton, clip: Clip, bones: Sequence[str], goals: Sequence[PlannedGoal]
) -> Floats:
    """Sketches of a clip's source poses, and of targets and influences that act on them."""
    known = [skeleton.index[bone] for bone in bones if bone in skeleton.index]
    world = clip.world_poses(known)
    sketches = row_sketches(world[..., :3, :], SOURCE)
    for number, planned in enumerate(goals):
        parts = [planned.influence[:, None]]
        if planned.goal.target is not None:
            parts.append(planned.target[:, :3].reshape(len(planned.influence), -1))
        acts = planned.influence[:, None] > 0.0
        sketches += acts * row_sketches(np.concatenate(parts, axis=1), GOAL + (number << 16))
    return sketches


def goal_digests(
    skeleton: Skeleton,
    goals: Sequence[PlannedGoal],
    setup: SolveSetup,
    count: int,
) -> Digests:
    """Digests of the goals that act in each of `count` rows; (f,)."""
    rows = np.zeros(count, np.uint64)
    for planned in goals:
        rows[planned.influence > 0.0] += np.uint64(_goal_digest(skeleton, planned.goal, setup))
    return rows


def contact_digests(contacts: Sequence[Contact], feet: Sequence[str], count: int) -> Digests:
    """Digests of the contacts in each of `count` rows; moving a contact changes them."""
    rows = np.zeros(count, np.uint64)
    for contact in contacts:
        level = () if contact.level == AUTO else (contact.level,)
        name = feet[contact.foot], contact.point, *contact[2:4], contact.slides, *level
        rows[contact.first : contact.stop] += np.uint64(value_digest([CONTACT, *name]))
    return rows


def settings_digest(
    armature_object: bpy.types.Object, options: BakeOptions, rate: float, feet: bool
) -> int:
    """Digest of the inputs that all frames of a bake share."""
    rig = armature_object.bioik
    chosen = sorted(selected_bones(armature_object)) if rig.solver.scope == "SELECTED" else []
    content: list[Any] = [VERSION, rate, options.step, chosen, _properties(rig.solver)]
    if feet:
        left_out = {"plot", "markers", "active_ground", "active_contact", "contacts_edited"}
        left_out |= {name for name in NOT_IN_OLDER_RECORDS if _is_default(rig.feet, name)}
        content.append({k: v for k, v in _properties(rig.feet).items() if k not in left_out})
    if feet or len(rig.slots):  # older records of goals do not know them
        content.append([(slot.name, slot.bone) for slot in rig.slots])
    return value_digest(content)


def _goal_digest(skeleton: Skeleton, goal: Any, setup: SolveSetup) -> int:
    """Digest of a goal's settings, and of the limits of the bones that it may move."""
    names = [name for name in property_names(goal) if name not in NOT_OF_GOALS]
    asks = {name: _plain(getattr(goal, name)) for name in names}
    limits = {**setup.limits.bones, **setup.above}
    bones = chain(skeleton, goal.bone) if goal.bone in skeleton.index else list(limits)
    asks["limits"] = [(bone, repr(limits.get(bone))) for bone in bones]
    asks["target"] = goal.target is not None
    return value_digest([GOAL, asks])


def _properties(group: Any) -> dict[str, Any]:
    """The plain properties of a group; no lists, no other data."""
    return {
        prop.identifier: _plain(getattr(group, prop.identifier))
        for prop in group.bl_rna.properties
        if prop.type in {"BOOLEAN", "INT", "FLOAT", "ENUM", "STRING"} and prop.identifier != "name"
    }


def _is_default(group: Any, name: str) -> bool:
    return bool(getattr(group, name) == group.bl_rna.properties[name].default)


def _plain(value: Any) -> Any:
    """A number, a text or a list of them, in the precision in which they are stored."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, bpy.types.ID):
        return value.name_full
    return [_plain(part) for part in value]
