"""Every sentence for the user that is made in English where it happens, with {} for values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import blender_bioik

PACKAGE = Path(blender_bioik.__file__).parent
FOLDERS = ("rig", "presets", "motion", "goal_types")
MODULES = ("findings.py",)
# Calls whose first text is for the user, though it may be no whole sentence.
SAYING = {
    "RigError",
    "PresetError",
    "NewerPresetError",
    "UnsupportedError",
    "pgettext_rpt",
    "Finding",
}
# Functions that return reasons, and those that put sentences together.
RETURNING = ("_problem", "_note", "_reason")
TELLING = {
    "summary",
    "missed_texts",
    "__str__",
    "_counted",
    "_numbers",
    "_of_feet",
    "_of_contacts",
    "_of_body",
    "_jolt",
    "_findings",
    "_found",
    "_floats",
    "_slides",
    "_stretches",
    "_rises",
    "_jerks",
    "turned_findings",
    "sentence",
    "verdict",
    "_listed",
    "_decided",
    "_told",
    "_mover",
    "_track_to",
    "_copy_transforms",
}
# Sentences of one word.
WORDS = {"Good"}


def rig_sentences() -> set[str]:
    """All of them."""
    found = {
        text
        for path in _sources()
        if path.name != "tuning.py"  # its sentences are for docs/tuning.md
        for text in _of_source(ast.parse(path.read_text(encoding="utf-8")))
    }
    return {text for text in found if any(letter.isalpha() for letter in text)}


def _sources() -> Iterator[Path]:
    for folder in FOLDERS:
        yield from (PACKAGE / folder).rglob("*.py")
    yield from (PACKAGE / module for module in MODULES)


def _of_source(tree: ast.Module) -> Iterator[str]:
    yield from (text for text in _whole_texts(tree) if text[-1:] == "." and text.count(" ") > 2)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            yield from _texts(node.args[0]) if name in SAYING else ()
        elif isinstance(node, ast.FunctionDef) and node.name.endswith(RETURNING):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value is not None:
                    yield from _texts(inner.value)
        elif isinstance(node, ast.FunctionDef) and node.name in TELLING:
            for text in _whole_texts(node):
                if " " in text.strip() or text in WORDS:
                    yield text


def _whole_texts(tree: ast.AST) -> Iterator[str]:
    """All texts in some source but docstrings and the pieces of f-strings."""
    ignored = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            ignored |= {id(part) for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in ignored:
            yield from _texts(node)


def _texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
        yield "".join(map(str, parts))
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
