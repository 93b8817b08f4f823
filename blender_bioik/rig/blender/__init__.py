"""Blender's own data: F-curves and Bezier keys, scene state, library items, files.

Any room of `rig` may import from here; it knows nothing of skeletons or goals. It imports only
the modules at the top of `rig`.
"""
