"""The watch for changes since the last bake, cheap enough for every redraw.

The shared UI state asks it which frames have changed. It imports `source`, `record` and `legs`.
"""
