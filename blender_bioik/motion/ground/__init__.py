"""The ground as triangles, with queries for height, slope and rays under the feet.

All rooms of `motion` that need the ground import from here. It imports the top of `motion` and
the solver's compiled kernels.
"""
