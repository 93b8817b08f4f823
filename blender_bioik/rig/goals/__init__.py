"""The armature's goals, and constraints read as goals, as tracks for the solver.

`solve_setup` collects goals and moving bones; `tracks` makes the solver's goals. It imports
`joints`, `properties` and the rooms below; nothing here writes.
"""
