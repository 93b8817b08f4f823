"""Baking again only what has changed, goals or feet, into the result that is there.

Operators and scripts call `rebake`. It imports `bake`, `feet` and the rooms below.
"""
