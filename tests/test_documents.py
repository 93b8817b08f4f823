"""The documents are true: code runs, commands parse, links lead somewhere, tables are whole."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik import solver
from blender_bioik.command_line import parser as command_line
from blender_bioik.presets import preset_from_file

from .translations.messages import messages

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "blender_bioik"
PICTURES = (".png", ".jpg")
PATHS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
DOCUMENTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in PATHS}
# Languages of code blocks: run, parsed, or drawings.
LANGUAGES = {"python", "sh", "json", "text", "order"}
MOST_WORDS = 700

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
CODE = re.compile(r"`([^`\n]+)`")

# The scene in Blender for documents about an armature, and the mark printed after each block.
SCENE = """
import blender_bioik, bpy
from demo import stage
built = stage.build()
bpy.data.objects["Floor"].name = "Terrain"
blender_bioik.register()
bpy.context.view_layer.objects.active = built.armature
"""
DONE = "block {} is done"
# Words that the blocks of a document print.
PRINTED = {
    "docs/feet.md": ("Planted feet within 3 mm of the ground in 131 of 131 frames",),
    "docs/goals.md": (
        "Look at the drone: reached",
        "60 frames baked on 2 bones",
        "all goals reached",
    ),
    "docs/solver_api.md": ("(True,", "Stop.REACHED", "(2, 2, 3)"),
}


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of a document in one language."""
    return [code for tag, code in BLOCK.findall(DOCUMENTS[document]) if tag == language]


def with_blocks(language: str) -> list[str]:
    """Documents that have such blocks."""
    return [document for document in DOCUMENTS if blocks(document, language)]


def prose(document: str) -> str:
    """A document without its code blocks."""
    return BLOCK.sub("", DOCUMENTS[document])


def rows(document: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its head."""
    text = DOCUMENTS[document].split(f"## {heading}\n", 1)[1]
    (table, *_) = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    lines = [line.strip().strip("|").split("|") for line in table.splitlines()[2:]]
    return [[cell.strip() for cell in line] for line in lines]


def named(cell: str) -> list[str]:
    """The code in a cell."""
    return CODE.findall(cell)


# Text


def test_the_readme_is_short_and_has_two_pictures() -> None:
    assert len(DOCUMENTS["README.md"].split()) <= MOST_WORDS
    assert [bool(mark) for mark, _, _ in LINK.findall(DOCUMENTS["README.md"])].count(True) == 2


@pytest.mark.parametrize("document", DOCUMENTS)
def test_code_blocks_are_closed_and_name_their_language(document: str) -> None:
    fences = re.findall(r"^ *```.*$", DOCUMENTS[document], re.MULTILINE)
    found = BLOCK.findall(DOCUMENTS[document])
    assert len(fences) == 2 * len(found)
    assert {language for language, _ in found} <= LANGUAGES


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_and_pictures_are_there(document: str) -> None:
    folder = (ROOT / document).parent
    for mark, text, link in LINK.findall(prose(document)):
        if link.startswith(("https://", "http://")):
            continue
        path, _, anchor = link.partition("#")
        target = (folder / path).resolve() if path else ROOT / document
        assert target.exists(), link
        if mark:
            assert target.suffix in PICTURES
            assert target.stat().st_size > 1000, f"{link} is empty"
            assert text, f"{link} has no description"
        if anchor:
            assert anchor in anchors(target), link


def anchors(path: Path) -> set[str]:
    """The headings of a document, as links name them."""
    headings = HEADING.findall(BLOCK.sub("", path.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_picture_and_document_is_linked() -> None:
    links = {
        ((ROOT / document).parent / link.partition("#")[0]).resolve()
        for document in DOCUMENTS
        for _, _, link in LINK.findall(DOCUMENTS[document])
    }
    pictures = {path for path in (ROOT / "docs").iterdir() if path.suffix in PICTURES}
    assert pictures - links == set()
    assert {path for path in PATHS if path.name != "README.md"} - links == set()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_paths_in_the_text_exist(document: str) -> None:
    tops = tuple(f"{path.name}/" for path in ROOT.iterdir() if path.is_dir())
    rooms = tuple(f"{path.name}/" for path in PACKAGE.iterdir() if path.is_dir())
    made = ("demo/out", "build/", "dist/")
    for name in CODE.findall(prose(document)):
        if " " in name or name.startswith(made):
            continue
        if name.startswith(tops):
            assert (ROOT / name).exists(), name
        elif name.startswith(rooms):
            assert (PACKAGE / name).exists(), name


def test_labels_in_the_guide_are_those_of_the_panels(registered: None) -> None:
    shown = {label for _, label in messages()} | OF_BLENDER
    assert sorted(quoted_labels() - shown - {f"{label}..." for label in shown}) == []


# Labels that Blender translates itself.
OF_BLENDER = {"Influence", "Position"}
# Bold, but no labels: signs on buttons, the tab, and headings within a section.
NO_LABELS = {"+", "\N{MINUS SIGN}", "Bio-IK", "Import..."} | {
    "The head looks at an object",
    "A hand reaches for something",
    "Goals and feet together.",
}


def quoted_labels() -> set[str]:
    """What the guide writes bold or in italics, and the names in its tables."""
    text = prose("docs/guide.md")
    bold = re.findall(r"\*\*([^*]+)\*\*", text)
    italic = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text)
    first = re.findall(r"^\| ([^|]+) \|.*\n(?!\|--)", text, re.MULTILINE)
    cells = [
        name for cell in first for name in cell.split(", ") if name not in ("setting", "number")
    ]
    return {*bold, *italic, *cells} - NO_LABELS


# Code


@pytest.mark.skipif(
    bool(bpy.app.binary_path), reason="inside a Blender other Pythons have no bpy to run them with"
)
@pytest.mark.parametrize("document", with_blocks("python"))
def test_the_code_runs(document: str) -> None:
    sources = blocks(document, "python")
    parts = [SCENE] if any("bpy." in source for source in sources) else []
    for number, source in enumerate(sources):
        parts += [source, f"print({DONE.format(number)!r}, flush=True)"]
    parts += ["import os; os._exit(0)"]  # Python's end crashes with bpy 4.2 (see conftest.py)
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(parts)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,  # a guard against hanging, far above what it takes
    )
    finished = [n for n in range(len(sources)) if DONE.format(n) in done.stdout]
    assert len(finished) == len(sources), done.stdout + done.stderr
    for words in PRINTED.get(document, ()):
        assert words in done.stdout
    assert "Stop.BUDGET" not in done.stdout


def test_documents_with_code_are_found() -> None:
    assert {"README.md", *PRINTED} <= set(with_blocks("python"))
    assert {"README.md", "CONTRIBUTING.md", "docs/command_line.md"} <= set(with_blocks("sh"))


def commands() -> list[tuple[str, str]]:
    """Every line of a shell block, and every `make` in the text."""
    lines = [
        (document, line)
        for document in DOCUMENTS
        for code in blocks(document, "sh")
        for line in code.splitlines()
    ]
    inline = [
        (document, code)
        for document in DOCUMENTS
        for code in CODE.findall(prose(document))
        if code.startswith("make ")
    ]
    return [(document, line) for document, line in (*lines, *inline) if line.split("#")[0].strip()]


@pytest.mark.parametrize(("document", "line"), commands())
def test_commands_are_right(document: str, line: str) -> None:
    program, *words = shlex.split(line, comments=True)
    if program == "make":
        check_make(words)
    elif program in ("python", ".venv/bin/python"):
        check_python(words)
    elif program == "blender":
        assert words[:2] == ["--command", "bioik"]
        check_bake(words[2:])
    else:
        assert (program, *words[:1]) in {("git", "commit"), ("git", "tag"), ("pip", "install")}


def check_make(words: list[str]) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    for word in words:
        variable, equals, _ = word.partition("=")
        if equals:
            assert f"$({variable})" in makefile or f"$(if $({variable})" in makefile, word
        else:
            assert word in listed.split(), word


def check_python(words: list[str]) -> None:
    if words[:1] != ["-m"]:
        assert (ROOT / words[0]).is_file(), words[0]
        return
    module, *rest = words[1:]
    if module == "blender_bioik":
        check_bake(rest)
    elif module == "pytest":
        for path, _, name in (word.partition("::") for word in rest if word.startswith("tests")):
            assert (ROOT / path).exists(), path
            assert not name or f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")
    else:
        place = ROOT.joinpath(*module.split("."))
        assert place.with_suffix(".py").is_file() or place.is_dir(), module


def check_bake(words: list[str]) -> None:
    assert not isinstance(command_line.parsed(words, "test"), int), words


@pytest.mark.parametrize(
    "code", [code for document in DOCUMENTS for code in blocks(document, "json")]
)
def test_json_is_a_preset(code: str, tmp_path: Path) -> None:
    path = tmp_path / "preset.json"
    path.write_text(code, encoding="utf-8")
    assert preset_from_file(path).name


# Tables


def settings_of(group: str) -> dict[str, Any]:
    """The settings of a new armature, with their defaults."""
    armature = bpy.data.objects.new("Test", bpy.data.armatures.new("Test"))
    owner = getattr(armature.bioik, group)
    names = [
        p.identifier for p in owner.bl_rna.properties if p.identifier not in ("rna_type", "name")
    ]
    found = {name: getattr(owner, name) for name in names if not name.startswith("active_")}
    return found


@pytest.mark.parametrize(
    ("document", "heading", "group"),
    [("docs/feet.md", "Settings", "feet"), ("docs/goals.md", "Solver settings", "solver")],
)
def test_settings_are_complete(document: str, heading: str, group: str, registered: None) -> None:
    there = settings_of(group)
    listed = {
        name: default
        for names, defaults, _ in rows(document, heading)
        for name, default in zip(named(names), defaults.split(","), strict=True)
    }
    assert listed.keys() == there.keys()
    for name, default in listed.items():
        value, words = there[name], default.strip("` ").split()
        if isinstance(value, str):
            assert words == [value], name
        elif isinstance(value, bool):
            assert words == ["on" if value or name == "contacts" else "off"], name
        elif isinstance(value, int | float):
            assert float(words[0].rstrip("°")) == pytest.approx(value), name


def test_options_of_a_bake_are_complete(registered: None) -> None:
    options = bpy.ops.bioik.bake.get_rna_type().properties.keys()
    listed = {name for names, _ in rows("docs/goals.md", "Baking") for name in named(names)}
    listed |= {"frame_start", "frame_end"}  # beside the range
    assert listed == set(options) - {"rna_type"} - HIDDEN
    text = DOCUMENTS["docs/goals.md"]
    for name in ("range", "output"):
        choices = bpy.ops.bioik.bake.get_rna_type().properties[name].enum_items.keys()
        assert all(f"`{choice}`" in text for choice in choices)


HIDDEN = {"armature"}


def test_goal_types_are_complete(registered: None) -> None:
    armature = bpy.data.objects.new("Test", bpy.data.armatures.new("Test"))
    types = armature.bioik.goals.add().bl_rna.properties["type"].enum_items.keys()
    listed = [name for names, _ in rows("docs/goals.md", "Goal types") for name in named(names)]
    assert sorted(listed) == sorted(types)


def test_the_solver_api_names_everything_public() -> None:
    text = DOCUMENTS["docs/solver_api.md"]
    assert [name for name in solver.__all__ if not re.search(rf"\b{name}\b", text)] == []
    goals = {
        name
        for name in solver.__all__
        if isinstance(getattr(solver, name), type)
        and issubclass(getattr(solver, name), solver.Goal)
    }
    for call, _ in rows("docs/solver_api.md", "Goals"):
        (signature,) = named(call)
        name, _, arguments = signature.removesuffix(")").partition("(")
        goals.remove(name)
        known = [field.name for field in fields(getattr(solver, name))]
        for argument in filter(None, re.sub(r"\(.*?\)", "", arguments).split(",")):
            assert argument.partition("=")[0].strip() in known, signature
    assert goals == {"Goal", "CustomGoal"}


def test_settings_of_the_solver_are_complete() -> None:
    listed = {
        named(name)[0]: default for name, default, _ in rows("docs/solver_api.md", "Settings")
    }
    assert listed.keys() == {field.name for field in fields(solver.Settings)}
    defaults = solver.Settings()
    for name, default in listed.items():
        if name not in ("threads", "time_limit_ms"):
            assert ast.literal_eval(default.strip("`")) == getattr(defaults, name)


def test_options_of_the_command_line_are_complete(capsys: pytest.CaptureFixture[str]) -> None:
    command_line.parsed(["bake", "--help"], "test")
    there = set(re.findall(r"^  (-o|--[a-z-]+) ", capsys.readouterr().out, re.MULTILINE))
    text = " ".join(name for name, _ in rows("docs/command_line.md", "Options"))
    assert set(re.findall(r"(?<![\w-])(-o|--[a-z-]+)", text)) == there
    codes = {int(code) for code, _ in rows("docs/command_line.md", "Output and exit codes")}
    wanted = {command_line.DONE, command_line.NOTHING_BAKED, command_line.BAD_ARGUMENTS}
    assert codes == wanted


def test_rooms_are_complete() -> None:
    listed = {named(row[0])[0].strip("/") for row in rows("docs/architecture.md", "The rooms")}
    folders = [str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.rglob("__init__.py")]
    # The rows of these two name their packages.
    packages = {name for name in folders if not name.startswith(("operators/", "panels/"))} - {"."}
    assert listed == packages


def test_the_glossary_has_each_word_once() -> None:
    terms = [
        term for row in rows("docs/architecture.md", "Glossary") for term in row[0].split(", ")
    ]
    assert len(terms) == len(set(terms))
    assert len(terms) >= 12


# Numbers


def claims() -> list[dict[str, Any]]:
    return list(
        json.loads((ROOT / "benchmarks/results.json").read_text(encoding="utf-8"))["claims"]
    )


def measured(text: str) -> float:
    """The measured value of the claim that begins with a text."""
    found = [claim for claim in claims() if claim["text"].startswith(text)]
    assert found, text
    return float(found[0]["measured"].split()[0])


def same(written: str, value: float) -> bool:
    """Whether a number is written as the value, rounded."""
    number = written.strip("*").split()[0].rstrip("%°")
    decimals = len(number.partition(".")[2])
    return bool(np.isclose(float(number), round(value, decimals), atol=1e-9))


ROBOTS_COLUMNS = (
    ("time of a batch / Robotics Toolbox ik_LM", 2),
    ("time of solve_pose / Robotics Toolbox ik_LM", 3),
    ("time of a batch / TRAC-IK", 4),
)
HUMANOID_COLUMNS = (("time of a batch / placo", 2), ("time of solve_pose / placo", 3))
TIMES = (
    "source near the answer, 1 thread: time / placo",
    "cold: import and first solve_pose",
    "cold: every goal",
    "cached: import and first solve_pose",
    "2000 frames, Bio-IK, the same 7 bones: time",
    "2000 frames, Bio-IK, the same 7 bones: memory",
    "plan + solve a frame",
    "plan + solve of 4000 frames",
    "a target moves",
    "a bone is posed by hand",
    "the frame changes",
    "panels: a redraw in the slowest state, of",
    "overlay: a redraw in the slowest state, of",
)
FEET = (
    "contact drift, worst",
    "penetration of any sole point",
    "penetration of the meshes",
    "height error in contact: ",
    "jerk on flat",
    "jerk on stairs",
    "largest acceleration",
    "pelvis sideways",
    "turn of bones above the pelvis",
)


def test_results_are_those_of_the_benchmarks() -> None:
    text = DOCUMENTS["docs/results.md"]
    arms = rows("docs/results.md", "The solver")
    humanoids = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("| val")
    ]
    for table, columns, solved in (
        (arms, ROBOTS_COLUMNS, "solved"),
        (humanoids, HUMANOID_COLUMNS, "solved within 10 ms"),
    ):
        for name, share, *_ in table:
            assert same(share, measured(f"{name}: {solved}"))
        for row in table:
            for claim, column in columns:
                assert same(row[column], measured(f"{row[0]}: {claim}")), (row, claim)
    for heading, wanted in (("Times and memory", TIMES), ("Feet", FEET)):
        for row, claim in zip(rows("docs/results.md", heading), wanted, strict=True):
            assert same(row[2], measured(claim)), (row, claim)


def test_results_hide_no_target_that_was_missed() -> None:
    bold = [
        row for heading in ("Times and memory", "Feet") for row in rows("docs/results.md", heading)
    ]
    missed = {claim["text"] for claim in claims() if claim["verdict"] == "MISSED"}
    shown = [
        name for name, row in zip((*TIMES, *FEET), bold, strict=True) if row[2].startswith("**")
    ]
    assert all(any(text.startswith(name) for name in shown) for text in missed)
    assert len(missed) == len(shown)


# Versions


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    manifest = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
    newest, *_ = re.findall(r"^## \[(\d.*?)\]", DOCUMENTS["CHANGELOG.md"], re.MULTILINE)
    assert project["version"] == manifest["version"] == newest
