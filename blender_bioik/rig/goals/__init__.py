"""The armature's goals, and constraints read as goals, as tracks for the solver.

`solve_setup` says what is solved and what may move; `tracks` makes the solver's goals. It imports
`joints`, `properties` and the rooms below; nothing here writes.
"""
