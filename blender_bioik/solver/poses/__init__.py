"""One pose: goals compiled for a tree, settings, the solve, its solution.

`solve.solve_pose` and `probe.probe` are public. It imports `search`, `goals` and the rooms below.
"""
