"""Presets on armatures: applying one, making one, settings by name.

Operators and the command line import from here. It imports the data package `presets` and the
rooms of `rig`.
"""
