"""State shared by panels and operators: the armature, running operations, button problems.

Operators, panels and the registration import from here. It imports `rig` and `properties`, never
an operator, a panel or the overlay.
"""
