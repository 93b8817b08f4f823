"""Running the command line, with errors in one line."""

from __future__ import annotations

import argparse
import sys

from .parser import BAD_ARGUMENTS, DONE, NOTHING_BAKED, STOPPED


def answered(arguments: argparse.Namespace, name: str) -> int:
    """Bake and print the report; returns the exit code."""
    from ..rig.errors import RigError
    from .bake import BadArguments, bake_file

    try:
        print(*bake_file(arguments), sep="\n")
    except BadArguments as error:
        return _told(name, error, BAD_ARGUMENTS)
    except RigError as error:
        return _told(name, error, NOTHING_BAKED)
    except KeyboardInterrupt:
        return _told(name, "cancelled, nothing was written.", STOPPED)
    return DONE


def _told(name: str, what: object, code: int) -> int:
    print(f"{name}: {what}", file=sys.stderr)
    return code
