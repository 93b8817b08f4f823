"""Preset files: valid ones are read back, all others are refused with a sentence.

Tests of: errors, fields, goal_fields, preset, slots.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blender_bioik.presets import Preset, PresetError, preset_from_file, preset_from_text
from blender_bioik.presets.fields import (
    FEET,
    REST_AXES,
    SOLVER,
    Axis,
    Choice,
    Field,
    Flag,
    Number,
    Text,
    Vector,
    Whole,
)
from blender_bioik.presets.goal_fields import goal_fields
from blender_bioik.presets.preset import FORMAT, PresetGoal, PresetTarget
from blender_bioik.presets.read import DEEPEST, LARGEST_FILE

NAMES = st.text("abcXYZ019 -_()äß走", min_size=1, max_size=20).filter(lambda n: n == n.strip())
SLOTS = ("head", "hand.L", "chest", "spine", "tip", "front.R", "leg12.L.toe")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def values_of(field: Field) -> st.SearchStrategy[Any]:
    """Good values of a field."""
    if isinstance(field, Flag):
        return st.booleans()
    if isinstance(field, Whole):
        return st.integers(field.lowest, field.highest)
    if isinstance(field, Number):
        numbers = st.floats(field.lowest, field.highest)
        return st.none() | numbers if field.by_size else numbers
    if isinstance(field, Axis):
        axes = st.tuples(st.floats(0.1, 9.0), st.floats(-9.0, 9.0), st.floats(-9.0, 9.0))
        return axes | st.sampled_from(REST_AXES) if field.at_rest else axes
    if isinstance(field, Vector):
        return st.tuples(*[st.floats(-1e6, 1e6)] * 3)
    if isinstance(field, Choice):
        return st.sampled_from(field.words)
    assert isinstance(field, Text)
    return NAMES


def fields_of(known: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Some good values of some fields."""
    return st.fixed_dictionaries({}, optional={n: values_of(f) for n, f in known.items()})


@st.composite
def goals(draw: st.DrawFn) -> PresetGoal:
    values = draw(
        fields_of({name: field for name, field in goal_fields().items() if name != "type"})
    )
    where: Any = draw(st.sampled_from([{"slot": s} for s in SLOTS] + [{"bone": "Tail.3"}, {}]))
    aim: Any = draw(st.sampled_from([{"target": "one"}, {"stays": True}, {}]))
    tops = tuple(draw(st.lists(st.sampled_from(SLOTS), max_size=4)))
    kind = draw(values_of(goal_fields()["type"]))
    return PresetGoal(kind, chain_top=tops, values=values, **where, **aim)


@st.composite
def presets(draw: st.DrawFn) -> Preset:
    kind = draw(st.sampled_from(["GOALS", "FEET", "SOLVER"]))
    common: Any = {"name": draw(NAMES), "kind": kind, "description": draw(NAMES)}
    solver = draw(fields_of(SOLVER))
    if solver.get("elites", 0) >= solver.get("population", 10**9):
        del solver["elites"]
    if kind == "GOALS":
        made = tuple(draw(st.lists(goals(), min_size=1, max_size=4)))
        targets = {"one": PresetTarget("Target", draw(st.sampled_from(["NEW", "SELECTED"])))}
        return Preset(**common, goals=made, targets=targets, solver=solver)
    if kind == "FEET":
        return Preset(**common, feet=draw(fields_of(FEET)), needs_floor=draw(st.booleans()))
    return Preset(**common, solver=solver)


def content(**changes: Any) -> dict[str, Any]:
    """A small good preset, with changes."""
    goal = {"type": "LOOK_AT", "slot": "head", "axis": "FORWARD", "target": "a", "weight": 2.0}
    return {
        "format": FORMAT,
        "version": 1,
        "kind": "GOALS",
        "name": "Look",
        "targets": {"a": {"name": "Look At"}},
        "goals": [goal],
    } | changes


def with_goal(**changes: Any) -> dict[str, Any]:
    return content(goals=[content()["goals"][0] | changes])


@given(presets())
def test_a_preset_comes_back_as_it_was(preset: Preset) -> None:
    assert preset_from_text(preset.to_json()) == preset


@given(JSON)
def test_any_other_json_is_refused(value: Any) -> None:
    with pytest.raises(PresetError):
        preset_from_text(json.dumps(value))


@given(st.text() | st.text('{}[]",:0123456789eE+-.truefalsnNaNIity \n'))
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(PresetError):
        preset_from_text(text)


@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused_by_name(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "some.json"
    path.write_bytes(data)
    with pytest.raises(PresetError, match=r"some\.json"):
        preset_from_file(path)


@given(st.data(), presets())
def test_a_value_of_any_other_kind_is_refused_or_kept_to_its_limits(
    data: st.DataObject, preset: Preset
) -> None:
    """Whatever stands in a setting: what comes out is of its type and within its limits."""
    text = json.loads(preset.to_json())
    sections: list[tuple[Any, Any]] = [(text["feet"], FEET)] if preset.kind == "FEET" else []
    sections += [(text["solver"], SOLVER)] if "solver" in text else []
    sections += [(goal, goal_fields()) for goal in text.get("goals", ())]
    section, known = data.draw(st.sampled_from(sections))
    name = data.draw(st.sampled_from(sorted(known)))
    section[name] = data.draw(JSON)
    try:
        read = preset_from_text(json.dumps(text))
    except PresetError as error:
        said = str(error)
    else:
        said = ""
        assert preset_from_text(read.to_json()) == read
    assert len(said) < 400
    assert said.isprintable()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (content(format="other"), "it is not a Bio-IK preset"),
        (content(version=2), r"made by a newer Bio-IK \(its version is 2.*update the extension"),
        (content(version=10**400), "made by a newer Bio-IK"),
        (content(version=0), "its version 0"),
        (content(version=True), "its version true"),
        (content(version="1"), "its version '1'"),
        (content(kind="SCRIPT"), "kind must be one of GOALS, FEET, SOLVER, not 'SCRIPT'"),
        (
            content(script="import os"),
            "it contains 'script', which is not valid in presets for GOALS",
        ),
        (content(feet={}), "it contains 'feet', which is not valid in presets for GOALS"),
        (content(kind="FEET"), "it contains 'targets', which is not valid in presets for FEET"),
        (content(goals=[]), "goals must be a list of 1 to 200 goals"),
        (content(goals=content()["goals"] * 201), "goals must be a list of 1 to 200 goals"),
        (content(goals={}), "goals must be a list of 1 to 200 goals"),
        (content(goals=["head"]), r"goals\[0\] must be an object with a type"),
        (content(targets={"a": {"use": "NEW"}}), "targets.a has no name"),
        (content(targets={"a": {"name": "x", "use": "OS"}}), "targets.a.use must be one of NEW"),
        (content(targets={str(n): {"name": "x"} for n in range(201)}), "at most 200"),
        (content(name=""), "the name must not be empty, or start or end with"),
        (content(name="../../etc/passwd"), "the name must not be empty, or start or end with"),
        (content(name="a/../b"), "the name must not contain any of the characters"),
        (content(name="C:\\x"), "the name must not contain any of the characters"),
        (content(name="x" * 64), "name must be one line of at most 63"),
        (content(name="two\nlines"), "name must be one line"),
        (content(name="\ud800"), "name must be one line"),
        (content(name=3), "name must be text, not 3"),
        (with_goal(weight="heavy"), r"goals\[0\].weight must be a number, not 'heavy'"),
        (with_goal(weight=True), r"goals\[0\].weight must be a number, not true"),
        (with_goal(weight=-1), r"goals\[0\].weight must be from 0 to 1e\+06"),
        (with_goal(weight=10**400), r"goals\[0\].weight must be from 0 to 1e\+06"),
        (with_goal(chain_length=1.5), r"chain_length must be a whole number, not 1.5"),
        (with_goal(chain_length=-1), "chain_length must be from 0 to"),
        (with_goal(type="MAGIC"), "type must be one of POSITION.*not 'MAGIC'"),
        (with_goal(axis=[0, 0, 0]), "axis must not be a zero vector"),
        (with_goal(axis=[0, 1]), "axis must be a list of three numbers"),
        (with_goal(axis="SIDEWAYS"), "axis must be a list of three numbers"),
        (with_goal(direction="FORWARD"), "direction must be a list of three numbers"),
        (with_goal(slot="nose"), "slot must be a body part such as head, not 'nose'"),
        (with_goal(slot=["head"]), "slot must be a body part such as head, not a list"),
        (with_goal(bone="Head"), "has both a slot and a bone"),
        (with_goal(stays=True), "has both a target and a stays"),
        (with_goal(target="b"), "target is 'b', which is not listed in targets"),
        (with_goal(chain_top="neck"), "chain_top must be a list of at most 8 slots"),
        (with_goal(chain_top=["neck"] * 9), "chain_top must be a list of at most 8 slots"),
        (with_goal(id_data=1), "has the unknown setting 'id_data'"),
        (with_goal(__class__=1), "has the unknown setting '__class__'"),
        (with_goal(subtarget="x"), "has the unknown setting 'subtarget'"),
        (content(solver={"population": 4, "elites": 4}), "solver.elites must be less than"),
        (content(solver={"seed": -1}), "solver.seed must be from 0 to"),
        (content(solver=[]), "solver must be an object of names and values, not a list"),
        (
            {"format": FORMAT, "version": 1, "kind": "FEET", "name": "x"},
            'it has no "feet" settings',
        ),
        (
            {"format": FORMAT, "version": 1, "kind": "FEET", "name": "x", "feet": {"slope": None}},
            "feet.slope must be a number, not null",
        ),
    ],
)
def test_what_is_refused_and_why(tmp_path: Path, changes: Any, said: str) -> None:
    path = tmp_path / "hostile.json"
    path.write_text(json.dumps(changes), encoding="utf-8")
    with pytest.raises(PresetError, match=said) as caught:
        preset_from_file(path)
    sentence = str(caught.value)
    assert sentence.startswith(f'The preset file "{path}" cannot be used: ')
    assert sentence.endswith(".")
    assert len(sentence.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1 is not valid JSON"),
        ("{\n'a': 1}", "line 2 is not valid JSON"),
        ("[" * 100_000, "it is nested too deeply"),
        ('{"a":' * 50_000, "it is nested too deeply"),
        (f"{'[' * (DEEPEST + 1)}{']' * (DEEPEST + 1)}", "it is nested too deeply"),
        ('{"a": NaN}', "it contains NaN where a number is required"),
        ('{"a": -Infinity}', "it contains -Infinity where a number is required"),
        ('{"a": 1, "a": 2}', "it contains a duplicate name"),
        ('{"a": ' + "1" * 5000 + "}", "it contains a number that is too long"),
        ("import os", "line 1 is not valid JSON"),
        ('"' + '\\"' * 60_000, "line 1 is not valid JSON"),
        ('"' + "\\\\" * 60_000 + "\\", "line 1 is not valid JSON"),
        ("[]", "it is not a Bio-IK preset"),
    ],
)
def test_files_that_are_no_presets_are_refused(text: str, said: str) -> None:
    with pytest.raises(PresetError, match=said):
        preset_from_text(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "-1e999"])
def test_numbers_that_are_not_finite_are_refused(number: str) -> None:
    text = json.dumps(content()).replace("2.0", number)
    with pytest.raises(PresetError, match=r"NaN|Infinity|weight must be from"):
        preset_from_text(text)


def test_brackets_in_texts_are_not_depth() -> None:
    assert preset_from_text(json.dumps(content(description='[[[[[[[[[[ \\" {{'))).name == "Look"


def test_a_huge_file_is_not_parsed(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    path.write_text(json.dumps(content()) + " " * LARGEST_FILE, encoding="utf-8")
    with pytest.raises(PresetError, match=r"huge\.json.*larger than 256 kB"):
        preset_from_file(path)


def test_paths_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PresetError, match="There is no preset file"):
        preset_from_file(tmp_path)
    with pytest.raises(PresetError, match="There is no preset file"):
        preset_from_file(tmp_path / "missing.json")
    if os.path.exists("/dev/zero"):
        with pytest.raises(PresetError, match="There is no preset file"):
            preset_from_file(Path("/dev/zero"))
    with pytest.raises(PresetError):
        preset_from_file(Path("nul\0byte.json"))


@pytest.mark.skipif(os.name != "posix", reason="names of files are text here")
def test_a_file_whose_name_is_no_text_is_refused_in_words_that_can_be_shown(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    path.write_bytes(b"\xff")
    with pytest.raises(PresetError, match=r"caf\?\.json.*it is not text") as caught:
        preset_from_file(path)
    assert str(caught.value).isprintable()


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_text(json.dumps(content()), encoding="utf-8-sig")
    assert preset_from_file(path).name == "Look"
