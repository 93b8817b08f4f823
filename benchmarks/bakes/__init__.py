"""Benchmarks of whole bakes beside Blender's own, in a process with bpy.

`python -m benchmarks` runs `section`. They share nothing with the bake they measure.
"""
