from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

# Before numpy is imported, here and in processes that tests start. OpenBLAS otherwise gives even a
# stack of 4x4 matrices to all cores, where its threads wait for each other and for other tests.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Same examples on every run and no time limit per example, so a failure is never a matter of luck
# or of a busy machine. `pytest --hypothesis-profile=default` explores new examples.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")

HERE = Path(__file__).parent
# Each test in these starts in an empty file, with the extension registered.
IN_A_FILE = (
    *("benchmarks/characters", "benchmarks/feet", "operators", "overlay", "panels", "properties"),
    *("rig", "translations", "ui_state", "zoo"),
)
# These need Blender too, and set it up themselves.
IN_BLENDER = (
    *(
        "demo",
        "test_cli.py",
        "test_cli_presets.py",
        "test_cli_rebake.py",
        "test_documents.py",
        "test_examples.py",
    ),
    *("test_exit.py", "test_extension.py", "test_warm_up_note.py"),
)
# Begun first, so that no process is left with one of them at the end.
LONGEST = (
    *("solver/kernels/test_compiled.py", "benchmarks/feet", "test_examples.py"),
    *("rig/feet", "rig/controls", "rig/problem", "rig/judge", "rig/rests"),
    *("test_extension.py", "test_documents.py", "test_cli.py", "zoo"),
)


@pytest.fixture(scope="module")
def registered() -> Iterator[None]:
    """The extension is registered while the tests of a module run, with Blender's own settings."""
    import bpy

    import blender_bioik

    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_bioik.register()
    yield
    blender_bioik.unregister()


@pytest.fixture
def empty_file(registered: None) -> None:
    """A Blender file without anything in it."""
    from .builders.files import new_file

    new_file()


@pytest.fixture(scope="session")
def rigify_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For Rigify's human rig, which takes seconds to generate; see `generated_human`.

    All processes that run tests share it.
    """
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "human.blend"


@pytest.fixture(autouse=True)
def begin_in_an_empty_file(request: pytest.FixtureRequest) -> None:
    if within(request.path, IN_A_FILE):
        request.getfixturevalue("empty_file")


def within(path: Path, names: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(HERE / name) for name in names)


@cache
def has_blender() -> bool:
    try:
        import bpy  # noqa: F401
    except ImportError:
        return False
    return True


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without Blender, leave out what needs it."""
    needs_blender = within(collection_path, IN_A_FILE + IN_BLENDER)
    return True if needs_blender and not has_blender() else None


def pytest_report_header() -> str:
    """Said by the process that the user starts, which collects no tests if others run them."""
    return "" if has_blender() else "bpy cannot be imported: tests that need Blender are not run"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the warm-up's tests compile serves all others; the longest files come next."""
    items.sort(
        key=lambda item: (
            item.get_closest_marker("compiles") is None,
            not within(item.path, LONGEST),
        )
    )


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave bpy 4.2 and 4.5 no chance to crash or hang on the way out.

    They do so when Python ends while a class, handler or timer is registered, or after a glTF
    import. pytest is done by then: its exit code is the one that counts.
    """
    session = config.pluginmanager.get_plugin("session")
    if "bpy" in sys.modules and session is not None:
        atexit.register(_exit_at_once, int(session.exitstatus))


def _exit_at_once(code: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
