"""The joint model and its forward kinematics.

Goals, searches and `rig.joints` import from here. It imports `kernels`, `checks` and `errors`.
"""
