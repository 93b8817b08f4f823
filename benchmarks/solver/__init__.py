"""Benchmarks of the solver: arms, humanoids, clips and chains beside other solvers, start-up.

`python -m benchmarks` runs their sections. They import only the solver.
"""
