"""Notes about side effects of writing keyframes."""

from __future__ import annotations

from collections.abc import Sequence

from ..keys import outputs
from ..keys.keys import ChannelKeys
from ..source.options import BakeOptions
from ..source.source import Source

# Maximum number of bones that a note lists.
FEW_NAMES = 4


def side_effects(
    source: Source, options: BakeOptions, channels: Sequence[ChannelKeys]
) -> tuple[str, ...]:
    """Side effects of writing into an action, besides the armature's pose in the frames."""
    if options.output == "LAYER":
        return ()
    armature, frames = source.armature, source.frames
    notes: tuple[str, ...] = ()
    bones = outputs.bones_running_on(armature, frames, channels)
    if bones:
        notes += (
            f"F-curves of {', '.join(bones)} repeat or extrapolate beyond their keyframes, so "
            "frames outside of the range change too: bake to a layer to keep them.",
        )
    abrupt = outputs.bones_changed_outside(source.scene, armature, frames, channels)
    if abrupt := [bone for bone in abrupt if bone not in bones]:
        notes += (
            f"Frames next to the range change too, up to the next keyframes of {listed(abrupt)}: "
            "blend in and out, or bake to a layer, to keep them.",
        )
    others = outputs.other_users(armature) if options.output == "IN_PLACE" else []
    if others:
        names = ", ".join(f'"{name}"' for name in others)
        notes += (f"The action also moves {names}: bake to a new action to keep their motion.",)
    return notes


def mute_notes(source: Source, options: BakeOptions) -> tuple[str, ...]:
    """Constraints that are muted, or evaluated on top of the keyframes."""
    names = [f'{bone} "{name}"' for bone, name in source.setup.released.constraints]
    if not names:
        return ()
    if options.mute_constraints:
        return (
            f"Muted because they would be evaluated on top of the keyframes: {', '.join(names)}.",
        )
    return (
        "These are evaluated on top of the keyframes and may change the result: "
        f"{', '.join(names)}.",
    )


def listed(names: Sequence[str]) -> str:
    """A few names, and in any language how many more there are."""
    more = len(names) - FEW_NAMES
    return ", ".join(names[:FEW_NAMES]) + (f" (+{more})" if more > 0 else "")
