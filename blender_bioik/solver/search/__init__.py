"""The searches over joint values: fitness, Levenberg-Marquardt, L-BFGS-B, evolution.

`poses` and `clips` call them; users do not. It imports `goals`, `kinematics` and `kernels`.
"""
