"""The order of packages in docs/architecture.md holds for every import, and rooms stay small."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "blender_bioik"
MOST_MODULES = 15
MOST_IMPORTS = 15
DOORS = {"registration"}
BLENDER = {"bpy", "bmesh", "mathutils", "gpu", "gpu_extras", "bpy_extras", "blf"}


def read_order() -> list[str]:
    """The list of docs/architecture.md."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"```order\n(.*?)```", text, re.DOTALL)
    return listed.split()


def module_name(path: Path) -> str:
    """Name of a module within the package; a package's own ends in `__init__`."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


MODULES = {module_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}
ORDER = read_order()


def resolved(name: str) -> str | None:
    """The module or package behind a dotted name within our package, None if there is none."""
    if name in MODULES:
        return name
    door = f"{name}.__init__" if name else "__init__"
    return door if door in MODULES else None


def imports(module: str) -> Iterator[str]:
    """Our modules that a module imports anywhere: at its top, in functions, for type hints."""
    package = module.split(".")[:-1]
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                found = resolved(".".join([*base, alias.name])) or resolved(".".join(base))
                assert found, f"{module} imports {alias.name} from {'.'.join(base)}: what is it?"
                yield found
        elif isinstance(node, ast.ImportFrom | ast.Import):
            names = [node.module] if isinstance(node, ast.ImportFrom) else node.names
            text = [name if isinstance(name, str) else name.name for name in names if name]
            ours = [name for name in text if name.split(".")[0] == PACKAGE.name]
            assert not ours, (
                f"{module} imports {ours[0]} by its full name; an extension has another"
            )


def rank(module: str) -> tuple[int, int]:
    """Place of a module in the order; a package's `__init__` comes after its modules."""
    name = module.removesuffix(".__init__")
    if name != module:
        return max(place for place, entry in enumerate(ORDER) if within(entry, name)), 1
    entries = [place for place, entry in enumerate(ORDER) if within(name, entry)]
    assert entries, f"{module} has no place in the order of docs/architecture.md"
    return max(entries, key=lambda place: len(ORDER[place])), 0


def within(name: str, package: str) -> bool:
    """Whether a name is a package or something in it."""
    return name == package or name.startswith(f"{package}.")


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_comes_before_it(module: str) -> None:
    upward = [found for found in imports(module) if rank(found) > rank(module)]
    assert not upward, f"{module} imports {upward}, which come after it"


@pytest.mark.parametrize("module", [name for name in MODULES if "__init__" not in name])
def test_no_module_imports_too_many_others(module: str) -> None:
    if module in DOORS:
        pytest.skip("a door")
    assert len(set(imports(module))) <= MOST_IMPORTS


def test_every_entry_of_the_order_exists() -> None:
    assert [entry for entry in ORDER if resolved(entry) is None] == []


@pytest.mark.parametrize("top", ["blender_bioik", "benchmarks", "demo", "gui", "zoo"])
def test_folders_are_rooms(top: str) -> None:
    folders = [ROOT / top, *(path for path in (ROOT / top).rglob("*") if path.is_dir())]
    counts = {
        str(folder.relative_to(ROOT)): len([p for p in folder.glob("*.py") if p.stem[:2] != "__"])
        for folder in folders
    }
    assert {name: count for name, count in counts.items() if count > MOST_MODULES} == {}


@pytest.mark.parametrize(
    "module", [name for name in MODULES if name.startswith(("solver", "motion"))]
)
def test_numbers_know_nothing_of_blender(module: str) -> None:
    names = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom) and not node.level
            else []
        )
    }
    assert not names & BLENDER


@pytest.mark.parametrize("module", [name for name in MODULES if name.endswith("__init__")])
def test_every_package_has_a_docstring_about_its_contents(module: str) -> None:
    assert ast.get_docstring(ast.parse(MODULES[module].read_text(encoding="utf-8")))
