"""Storing a result's source, record and report on the armature."""

from __future__ import annotations

from collections.abc import Callable

from ..keys.keys import BoneTracks
from ..keys.results import source_of
from ..record.bake_record import BakeInputs
from ..report.foot_report import FootReport
from ..report.goal_errors import keep_worst
from ..report.report import BakeReport
from ..report.stored_report import keep_report
from ..source.source import Source
from ..trace.read_trace import baked_trace
from ..trace.trace import keep_trace
from .write_keys import WrittenKeys


def keep(
    source: Source,
    written: WrittenKeys,
    report: BakeReport | FootReport,
    inputs: Callable[[], BakeInputs | None],
    result: BoneTracks,
    *,
    again: bool = False,
) -> None:
    """Store on the armature what was baked, with the keyframes, so that undo restores both.

    Args:
        source: What was read, over all frames of the result.
        written: The keys.
        report: The report.
        inputs: Makes the record, after all else is stored; None if it cannot be re-baked.
        result: Channels of all bones in the result.
        again: Whether only a part of it is new.
    """
    armature = source.armature
    keep_worst(armature, report.goals)
    if written.action is None:
        return
    baked = armature.bioik.baked
    if not again:
        in_place = written.action.bioik.output == "IN_PLACE"
        baked.source = None if in_place else source_of(written.action, armature)
        baked.result = written.action
        baked.frame_start, baked.frame_end = round(source.frames[0]), round(source.frames[-1])
    baked.run += 1
    keep_trace(armature, baked_trace(source, result))
    keep_report(armature, report)
    record = inputs()
    baked.inputs = record.to_text() if record is not None else ""
