"""Whole clips: frame by frame, then all frames together by a banded solve.

`clip.solve_clip` is public; foot placement uses `open_clip`. It imports `poses`, `search` and the
rooms below.
"""
