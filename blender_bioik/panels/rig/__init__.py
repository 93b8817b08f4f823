"""Panels of the rig: body parts, unsupported constraints, and names of rig types.

Only the registration imports them. They import `ui_state` and the modules at the top of `panels`.
"""
