"""Problems and their solutions: goals, feet, or feet and then goals on the placed body.

A problem is made from a source alone, and solving it touches nothing of Blender. Bakes, re-bakes
and live solving import it. It imports `source`, `legs` and the rooms below.
"""
