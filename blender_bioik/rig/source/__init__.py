"""The source of all that is solved: an armature's skeleton, clip, set-up and goals, read once.

Bakes of goals, placing of feet, both re-bakes and live solving work on a `Source`; any rows of it
are a source too. It imports `goals`, `keys` and the rooms below, and nothing of feet.
"""
