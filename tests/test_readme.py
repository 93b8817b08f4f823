"""The README's Python examples run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_readme_has_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("source", EXAMPLES)
def test_an_example_runs_and_reaches_its_goals(
    source: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(source, str(README), "exec"), {"__name__": "readme"})

    printed = capsys.readouterr().out
    assert "True" in printed
    assert "Stop.BUDGET" not in printed
