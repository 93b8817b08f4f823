"""Contacts in a clip: when and where heel, ball and tip are on the ground, and the source floor.

`plan` and `rig.legs` import from here. It imports only the top of `motion`.
"""
