"""The flesh of a character: hulls around its bones, which must stay out of the ground.

`rig.legs` fits them to the meshes, `motion.solve` keeps them above the ground.
"""
