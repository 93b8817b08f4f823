"""The plan of footsteps: a place on the ground for every contact, a path for every swing.

`planner` makes a `Plan`; `solve` turns it into goals. It imports `ground` and `contacts`.
"""
