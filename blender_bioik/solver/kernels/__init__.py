"""The plumbing of compiled code: numba, its cache, memory layout, random numbers, quaternions.

Every other room of the solver imports from here. It imports nothing of ours.
"""
