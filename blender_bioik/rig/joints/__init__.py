"""Pose bones as the solver's joints: limits, locks, axes, masses, and which bones may move.

`joints.joint_model` makes a `JointModel` of a skeleton and a clip. It imports `clip`, `keys`,
`mapping` and the solver.
"""
