"""`python -m blender_bioik`: the command line with the bpy wheel."""

import os
import sys

from .cli import main

if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    # Not sys.exit: bpy 4.2 crashes and 4.5 hangs when Python ends after some imports.
    os._exit(code)
