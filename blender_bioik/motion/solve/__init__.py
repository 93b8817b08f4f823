"""The placement: one problem for all frames, solved by Gauss-Newton steps on the whole clip.

`placement.place` is the entry point; `rig.feet` calls it. It imports `plan`, `ground` and the
solver.
"""
