"""The quality of a placement, measured on poses without knowledge of how they were made.

`rig.report` and `rig.feet` import from here. It imports only the top of `motion`.
"""
