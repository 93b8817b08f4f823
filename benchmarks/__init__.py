"""Benchmarks of the solver against other inverse kinematics libraries."""
