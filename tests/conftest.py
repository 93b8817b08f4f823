from __future__ import annotations

import atexit
import os
import sys

import pytest
from hypothesis import settings

# Same examples on every run and no time limit per example, so a failure is never a matter of luck
# or of a busy machine. `pytest --hypothesis-profile=default` explores new examples.
settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")


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
