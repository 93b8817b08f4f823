"""Panels of the rig: its bones as body parts, unsupported constraints, display of types.

Only the registration imports them. They import `ui_state` and the modules at the top of `panels`.
"""
