"""Data for the overlay: paths, footprints and ghosts of a clip, and positions of goals.

The overlay and the writers of keys import from here. It imports `source`, `legs`, `report` and the
rooms below.
"""
