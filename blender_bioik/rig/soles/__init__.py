"""Soles: where heel, ball and tip of a foot are, on its meshes or its bones.

`rig.legs` and `rig.trace` import from here. It imports `clip`, `joints`, `mapping` and `motion`.
"""
