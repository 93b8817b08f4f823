"""Single frames: live solving while targets move, and several solutions to choose from.

Operators import from here; handlers follow Blender's changes. It imports `source`, `problem` and
the rooms below.
"""
