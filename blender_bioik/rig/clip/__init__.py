"""The source as numbers: skeletons, sampled clips, their range and whether they are cyclic.

Every room that reads poses imports `skeleton` and `sampling`. It imports `blender` and the top of
`rig`.
"""
