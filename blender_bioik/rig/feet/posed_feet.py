"""Placed feet on rigs with controls: the channels of the controls, and notes about them."""

from __future__ import annotations

from ..clip.sampling import Clip
from ..clip.skeleton import replaced_pose
from ..controls.posing import posing_controls
from ..keys.keys import NO_CONTROLS, BoneTracks, ControlKeys
from ..keys.outputs import Output
from ..reading import Reading
from ..result.side_effects import listed
from .measured_feet import MeasuredFeet
from .placement import Placement


def pose_feet(
    placement: Placement, solved: MeasuredFeet, playing: Clip | None = None
) -> Reading[MeasuredFeet]:
    """Find the channels of controls for placed feet, frame by frame. Leaves the scene as it is.

    Args:
        placement: What was read.
        solved: The placed feet.
        playing: The clip that the armature plays; None for its source.
    """
    source, controls = placement.source, placement.feet.legs.controls
    if controls is None:
        return solved
    skeleton, moved = source.skeleton, source.moved
    channels = (track[:, moved] for track in solved.result)
    posed = yield from posing_controls(
        source.scene,
        source.armature,
        skeleton,
        controls,
        playing or source.clip,
        replaced_pose(skeleton, source.clip.pose, moved, channels),
        solved.result,
        moved,
    )
    return solved._replace(posed=posed)


def posed_keys(
    placement: Placement, solved: MeasuredFeet, output: Output
) -> tuple[BoneTracks, ControlKeys]:
    """Channels of all bones to write, and what is written with them."""
    controls, posed = placement.feet.legs.controls, solved.posed
    if controls is None or posed is None:
        return solved.result, NO_CONTROLS
    switches = tuple(switched.keys(output) for switched in posed.switched)
    return posed.tracks, ControlKeys(tuple(controls.seeded), switches)


def posed_notes(placement: Placement) -> list[str]:
    """Notes about keyframes of bones that are no controls of the animator."""
    controls = placement.feet.legs.controls
    if controls is None or not controls.seeded:
        return []
    return [f"Keyframes of {listed(controls.seeded)} let IK start from the solved bend."]
