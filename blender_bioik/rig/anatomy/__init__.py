"""What is true about a skeleton: where its bones end, what they carry, and how they move.

Names and invented tails do not count here. `mapping` imports it; it imports `clip` and `skin`.
"""
