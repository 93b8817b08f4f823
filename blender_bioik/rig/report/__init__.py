"""Reports of bakes and placements, kept with the armature, and curves of their numbers.

The bake, foot placement, panels and the command line read them. It imports `goals` and
`motion.measure`.
"""
