"""Contacts in a clip: when and where heel, ball and tip stand, and on which floor.

`plan` and `rig.legs` import from here. It imports only the top of `motion`.
"""
