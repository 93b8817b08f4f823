"""Run pytest in this Blender: the part of test_blender.py that runs inside.

blender --background --python scripts/test_in_blender.py -- PACKAGES [arguments of pytest]

PACKAGES is a folder like Python's user folder, with the packages that Blender's Python lacks.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

LAST_LINE = "Tests in Blender ended with exit code "
ROOT = Path(__file__).resolve().parent.parent


def packages_below(user_folder: str, python: str) -> Path:
    """Where a Python of that version looks for packages in its user folder."""
    return Path(user_folder, "lib", f"python{python}", "site-packages")


def main(packages: str, *arguments: str) -> None:
    """Run the tests and end Blender with their exit code."""
    # As the user folder it is found by every Python that a test starts, too.
    os.environ["PYTHONUSERBASE"] = packages
    os.environ["PYTHONPATH"] = str(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.path.append(str(packages_below(packages, "{}.{}".format(*sys.version_info))))
    os.chdir(ROOT)
    import pytest

    code = int(pytest.main(["-p", "no:cacheprovider", *arguments]))
    print(f"\n{LAST_LINE}{code}", flush=True)
    sys.stderr.flush()
    # Exit immediately: classes left registered by a test hang or crash some Blender versions.
    os._exit(code)


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
