"""Results of the benchmark: tables, claims with their targets, and how they are written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Cell = str | int | float | None
Verdict = Literal["met", "MISSED", "not run"]


@dataclass(frozen=True)
class Scale:
    """How much to measure.

    Attributes:
        queries: Random queries for each robot where success is counted.
        quick: Whether this is only a smoke test.
    """

    queries: int = 10_000
    quick: bool = False

    def count(self, full: int, quick: int) -> int:
        """A number of queries or rounds, never more than `queries`."""
        return min(quick if self.quick else full, self.queries)


@dataclass(frozen=True)
class Claim:
    """Something the project promises, and what was measured.

    Attributes:
        item: Number of the promise in the list of the issue.
        text: What is promised, in words.
        target: The promised number, in words.
        measured: The measured number, in words; a reason if it was not run.
        met: Whether the promise was kept; None if it could not be measured.
    """

    item: int
    text: str
    target: str
    measured: str
    met: bool | None

    @property
    def verdict(self) -> Verdict:
        """The outcome in a word."""
        if self.met is None:
            return "not run"
        return "met" if self.met else "MISSED"


@dataclass(frozen=True)
class Table:
    """Measured numbers, ready to print."""

    title: str
    columns: Sequence[str]
    rows: list[Sequence[Cell]] = field(default_factory=list)


@dataclass
class Section:
    """What one part of the benchmark found."""

    title: str
    tables: list[Table] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def at_most(self, item: int, text: str, value: float, limit: float, unit: str = "") -> None:
        """Record a promise that a number stays below a limit."""
        self._compare(item, text, "<=", value, limit, unit, value <= limit)

    def at_least(self, item: int, text: str, value: float, limit: float, unit: str = "") -> None:
        """Record a promise that a number stays above a limit."""
        self._compare(item, text, ">=", value, limit, unit, value >= limit)

    def failed(self, error: BaseException) -> None:
        """Record that the section broke off."""
        text = f"{type(error).__name__}: {error}"
        self.claims.append(Claim(0, f"section '{self.title}' runs", "no error", text[:300], False))

    def not_run(self, item: int, text: str, target: str, reason: str) -> None:
        """Record a promise that cannot be measured here."""
        self.claims.append(Claim(item, text, target, reason, None))

    def _compare(
        self, item: int, text: str, sign: str, value: float, limit: float, unit: str, met: bool
    ) -> None:
        claim = Claim(item, text, f"{sign} {limit:.6g}{unit}", f"{value:.6g}{unit}", bool(met))
        self.claims.append(claim)


Run = Callable[[Scale], Section]


def percent(share: float) -> float:
    """A share as a percentage, rounded where no query can be seen."""
    return round(100.0 * float(share), 4)


def milliseconds(seconds: float) -> float:
    """Seconds as milliseconds with four digits."""
    return float(f"{1000.0 * float(seconds):.4g}")


def microseconds(seconds: float) -> float:
    """Seconds as microseconds with four digits."""
    return float(f"{1e6 * float(seconds):.4g}")


def digits(value: float, count: int = 3) -> float:
    """A number rounded to some significant digits."""
    return float(f"{float(value):.{count}g}")


def write_results(
    folder: Path, machine: dict[str, Any], scale: Scale, sections: dict[str, Section]
) -> str:
    """Write results.json and results.md into a folder and return the Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {
        "machine": machine,
        "scale": asdict(scale),
        "claims": [
            {"section": name, **asdict(claim), "verdict": claim.verdict}
            for name, section in sections.items()
            for claim in section.claims
        ],
        "sections": {name: asdict(section) for name, section in sections.items()},
    }
    text = json.dumps(data, indent=1, ensure_ascii=False)
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")
    page = markdown(machine, scale, sections)
    (folder / "results.md").write_text(page, encoding="utf-8")
    return page


def markdown(machine: dict[str, Any], scale: Scale, sections: dict[str, Section]) -> str:
    """All results as a readable page, the promises first."""
    lines = ["# Benchmark results", ""]
    lines += [f"- {key}: {_machine_text(value)}" for key, value in machine.items()]
    if scale.quick:
        lines.append("- **a quick run: a smoke test, not a measurement**")
    claims = [claim for section in sections.values() for claim in section.claims]
    missed = sum(claim.verdict == "MISSED" for claim in claims)
    absent = sum(claim.verdict == "not run" for claim in claims)
    total = f"{len(claims)} targets: {len(claims) - missed - absent} met"
    total += f", **{missed} MISSED**" if missed else ", none missed"
    total += f", {absent} not run." if absent else "."
    lines += ["", "## Targets", "", total, ""]
    columns = ("item", "what", "target", "measured", "verdict")
    lines += _markdown_table(
        columns,
        [
            (claim.item, claim.text, claim.target, claim.measured, _loud(claim.verdict))
            for claim in claims
        ],
    )
    for section in sections.values():
        lines += ["", f"## {section.title}", ""]
        for table in section.tables:
            lines += [f"**{table.title}**", "", *_markdown_table(table.columns, table.rows), ""]
        lines += [f"- {note}" for note in section.notes]
        lines.append(f"- took {section.seconds:.0f} s")
    return "\n".join(lines) + "\n"


def _loud(verdict: Verdict) -> str:
    return "met" if verdict == "met" else f"**{verdict}**"


def _machine_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {version}" for name, version in value.items())
    return str(value)


def _markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Lines of a table with its columns aligned in plain text too."""
    texts = [[_cell(value) for value in row] for row in [columns, *rows]]
    widths = [max(len(row[k]) for row in texts) for k in range(len(columns))]
    lines = [
        "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |"
        for row in texts
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return lines


def _cell(value: Cell) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value).replace("|", "/")
