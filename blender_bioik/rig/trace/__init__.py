"""What the overlay draws: paths, footprints and ghosts of a clip, and the places of goals.

The overlay and the writers of keys import from here. It imports `source`, `legs`, `report` and the
rooms below.
"""
