"""Channels and where they go: locks, outputs (action, layer, in place), keys of single poses.

Rooms that write poses, or must know which channels can be written, import from here. It imports
`clip` and `blender`.
"""
