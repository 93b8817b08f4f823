"""Benchmarks of what an animator waits for: drawing of panels and overlay, live solving.

`python -m benchmarks` runs their sections. The children run in a process with bpy.
"""
