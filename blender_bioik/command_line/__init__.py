"""The command line: its arguments, the bake, and the command inside Blender.

`cli` and the registration import from here. It imports `rig`, `presets` and `ui_state`, and
Blender only after the arguments have been read.
"""
