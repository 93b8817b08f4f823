"""Benchmarks of foot placement: clips, grounds, and measures of their own.

`python -m benchmarks` runs `section`. The measures share no code with the planner.
"""
