"""Feet on the ground as keyframes: read contacts and ground, plan and solve, write and measure.

Operators and the command line call `place_feet`. It imports `problem`, `result`, `legs` and
`motion`.
"""
