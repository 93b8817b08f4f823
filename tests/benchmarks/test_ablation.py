"""The numbers of foot placement: declared with unit and effect, listed in docs/tuning.md.

Tests of: motion.tuned, motion.tuning, motion.contacts.tuning, motion.ground.tuning,
motion.plan.tuning, motion.rests.tuning, motion.solve.tuning, rig.soles.tuning, rig.problem.tuning.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from benchmarks import ablation
from benchmarks.ablation import Number, numbers

ROOT = Path(__file__).parents[2]
TABLES = (ROOT / "docs" / "tuning.md").read_text(encoding="utf-8")
TESTS = "".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").rglob("test_*.py"))
)
NUMBERS = numbers()


def row(number: Number) -> list[str]:
    """The cells of a number in docs/tuning.md."""
    title = f"### {number.stage}, {type(number.instance).__name__}\n"
    section = TABLES.partition(title)[2].partition("\n### ")[0]
    (line,) = re.findall(rf"^\| {number.field.name} \|.*$", section, re.MULTILINE)
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("number", NUMBERS, ids=[number.name for number in NUMBERS])
def test_a_number_is_documented_as_it_is(number: Number) -> None:
    name, value, unit, *_, reason = row(number)
    assert (name, unit) == (number.field.name, number.field.metadata["unit"])
    assert float(value) == pytest.approx(number.value, rel=1e-5)
    assert reason == number.field.metadata["reason"]
    assert number.field.metadata["moves"]


@pytest.mark.parametrize("number", NUMBERS, ids=[number.name for number in NUMBERS])
def test_a_number_has_an_effect_or_a_test_that_is_there(number: Number) -> None:
    _, _, _, size, where, _ = row(number)
    if size == "test":
        name = re.fullmatch(r"`(test_\w+)`, x (0.5|2)", where)
        assert name
        assert f"def {name[1]}(" in TESTS
    else:
        assert float(size.removesuffix("%")) >= 100.0 * ablation.MEASURABLE
        assert re.fullmatch(r"\w+, [\w@.+]+, x (0.5|2)", where)


def test_the_table_lists_nothing_else() -> None:
    assert len(re.findall(r"^\| [a-z_]+ \| [-\d.e]+ \|", TABLES, re.MULTILINE)) == len(NUMBERS)


def test_numbers_cannot_be_changed() -> None:
    number = NUMBERS[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(number.instance, number.field.name, 1.0)


@pytest.mark.parametrize("number", NUMBERS, ids=[number.name for number in NUMBERS])
def test_a_number_is_changed_only_within_the_context(number: Number) -> None:
    before = number.value
    with number.times(2.0):
        assert number.value == pytest.approx(2.0 * before)
    assert number.value == before


def test_the_effect_is_the_largest_share_of_a_limit() -> None:
    usual = {"drift": 0.1, "yaw": 2.0, "unreached": 0.0}
    scene = "walk.hills"
    assert ablation.effect(scene, usual, usual | {"drift": 0.16}) == (pytest.approx(0.2), "drift")
    assert ablation.effect(scene, usual, usual | {"drift": 0.16, "yaw": 4.5})[1] == "yaw"


def test_limits_are_those_of_the_scenes_own_benchmark() -> None:
    usual = {"drift": 0.1, "rise": 20.0}
    other = {"drift": 0.4, "rise": 45.0}
    assert ablation.effect("plain.crawl.hills", usual, other) == (pytest.approx(0.3), "drift")
    assert ablation.effect("plain.jump.flat", usual, other) == (pytest.approx(0.5), "rise")
    turned = {"legs": 1.0}
    assert ablation.effect("walk.flat", {"legs": 0.0}, turned) == (pytest.approx(2.0), "legs")
    assert "legs" not in ablation.promised("walk.stairs")


def test_steps_count_for_numbers_that_are_for_time() -> None:
    usual, other = {"drift": 0.1, "steps": 40.0}, {"drift": 0.1, "steps": 50.0}
    assert ablation.effect("walk.flat", usual, other)[0] == 0.0
    assert ablation.effect("walk.flat", usual, other, timed=True) == (0.25, "steps")
    timed = {number.name for number in NUMBERS if number.timed}
    assert "DescentTuning.step_parts" in timed
    assert "FootstepTuning.search" not in timed


def test_what_fails_is_not_measured() -> None:
    assert ablation.effect("walk.flat", {"drift": 0.1}, "RigError: no ground")[0] == 0.0


def test_tests_of_a_number_are_those_of_its_readers_and_then_of_its_stage() -> None:
    (number,) = (number for number in NUMBERS if number.name == "HoldTuning.closed")
    modules = ablation.tests_of(number)
    assert modules[0] == "tests/motion/rests/test_find_holds.py"
    assert "tests/motion/rests/test_lean.py" in modules
    assert all((ROOT / module).exists() for module in modules)
    assert "tests/benchmarks/test_ablation.py" not in modules
