"""Re-baking only changed frames of goals or feet, into the existing result.

Operators and scripts call `rebake`. It imports `bake`, `feet` and the rooms below.
"""
