"""Where the tests of a module are: in a file of its name, or in one whose docstring names it.

`rig/keys/influence.py` has its tests in `tests/rig/keys/test_influence.py`. Modules that are tested
together are named at the end of the docstring of those tests, after `Tests of:`; within the same
folder without the folder's name.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "blender_bioik"
NAMED = re.compile(r"^Tests of: (.*?)\.$", re.DOTALL | re.MULTILINE)


def dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts)


MODULES = {
    dotted(path.relative_to(PACKAGE))
    for path in PACKAGE.rglob("*.py")
    if not path.stem.startswith("__")
}
TESTS = sorted(path for path in HERE.rglob("test_*.py"))


def named_in(path: Path) -> list[str]:
    """What the docstring of a test module says that it tests."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return [name for found in NAMED.findall(text) for name in re.split(r",\s+", found)]


def whole_name(name: str, test: Path) -> str:
    """A module's name from the top of the package; as it is if there is no such module."""
    inside = ".".join([*test.relative_to(HERE).parent.parts, name])
    return inside if inside in MODULES else name


def test_every_module_has_tests_that_can_be_found() -> None:
    found = {
        dotted(path.relative_to(HERE).with_name(path.name.removeprefix("test_"))) for path in TESTS
    }
    found |= {whole_name(name, path) for path in TESTS for name in named_in(path)}
    assert sorted(MODULES - found) == []


def test_no_test_module_imports_from_another() -> None:
    """What tests share is in `tests/builders/`."""
    imported = {
        path.name: node.module
        for path in TESTS
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and node.level
        and (node.module or "").rpartition(".")[2].startswith("test_")
    }
    assert imported == {}


def test_names_in_docstrings_exist() -> None:
    named = {whole_name(name, path): path.name for path in TESTS for name in named_in(path)}
    assert {name: test for name, test in named.items() if name not in MODULES} == {}
