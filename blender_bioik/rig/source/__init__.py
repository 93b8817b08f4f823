"""The source of every solve: an armature's skeleton, clip, setup and goals, read once.

Bakes of goals, foot placement, re-bakes and live solving work on a `Source`; a subset of its rows
is a source too. It imports `goals`, `keys` and the rooms below, and knows nothing of feet.
"""
