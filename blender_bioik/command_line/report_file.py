"""The report of a bake as a file."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..rig.errors import RigError
from ..rig.report.foot_report import FootReport
from ..rig.report.report import BakeReport


def write_report(report: BakeReport | FootReport, path: Path) -> None:
    """Write a report as JSON, atomically: on failure an existing file is unchanged."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(json.dumps(report.to_json(), indent=2) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise RigError(f'The report "{path}" could not be written: {error.strerror}.') from error
    finally:
        part.unlink(missing_ok=True)
