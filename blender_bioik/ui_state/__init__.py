"""What panels and operators share: the chosen armature, running work, why a button is disabled.

Operators, panels and the registration import from here. It imports `rig` and `properties`, never
an operator, a panel or the overlay.
"""
