"""The report of the last bake, kept on the armature as JSON: undone, saved, loaded with its keys.

How long it took is left out: the same bake makes the same file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from .foot_report import FootReport
    from .report import BakeReport


def keep_report(armature_object: bpy.types.Object, report: BakeReport | FootReport) -> None:
    """Keep a report on an armature, in place of the one before."""
    content = report.to_json()
    del content["seconds"]
    armature_object.bioik.bake.report = json.dumps(content, separators=(",", ":"))
