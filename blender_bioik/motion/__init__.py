"""Motion as arrays: contacts, ground, footsteps, the placement of feet, and quality measures.

No Blender here; `rig` gives the arrays and writes the result. It imports the solver and nothing
else.
"""
