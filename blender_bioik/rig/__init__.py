"""Blender on one side, numbers on the other: reading armatures, clips and grounds, writing keys.

The rooms follow the flow of data, from `blender` (files, F-curves) to `bake`, `feet` and `live`.
Import from the rooms; the modules here (errors, transforms, reading) are for all of them. Nothing
here imports operators, panels or the overlay.
"""
