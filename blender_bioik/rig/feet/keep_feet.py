"""What is stored of placed feet besides their keyframes: record, report, contacts, curves."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from ..legs.contact_store import store_contacts
from ..record.bake_record import BakeInputs
from ..report.foot_report import FootReport
from ..report.metric_curves import write_metrics
from ..result.keep import keep
from ..result.write_keys import WrittenKeys
from .measured_feet import MeasuredFeet, feet_report
from .placement import Placement
from .posed_feet import posed_notes


def keep_feet(
    placement: Placement,
    solved: MeasuredFeet,
    written: WrittenKeys,
    record: Callable[[], BakeInputs | None],
    seconds: float,
    notes: tuple[str, ...] = (),
    *,
    again: bool = False,
) -> FootReport:
    """Store record, report, contacts, curves and markers of written feet; returns the report.

    Args:
        placement: What was read.
        solved: The placed feet.
        written: The written keyframes.
        record: Makes the record; see `keep`.
        seconds: Time of writing.
        notes: Notes to list first.
        again: Whether only a part of the result is new.
    """
    notes = (*notes, *posed_notes(placement))
    report = feet_report(placement, solved, written, seconds, notes)
    keep(placement.source, written, report, record, solved.result, again=again)
    if written.action is not None:
        show_feet(placement, report, written.action)
    return report


def show_feet(placement: Placement, report: FootReport, action: bpy.types.Action) -> None:
    """Store the detected contacts and, if enabled, curves and markers."""
    source, settings = placement.source, placement.source.armature.bioik.feet
    if placement.found:
        feet = placement.feet
        store_contacts(
            settings, feet.all_contacts, feet.contact_names, source.frames, len(feet.feet)
        )
    write_metrics(
        source.scene,
        source.armature,
        action,
        source.frames,
        report.curves() if settings.plot else {},
        [(moment.frame, moment.text) for moment in report.worst()] if settings.markers else [],
    )
