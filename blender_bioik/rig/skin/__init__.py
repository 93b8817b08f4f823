"""The meshes that an armature carries, as arrays: vertices, weights and edges.

Foot placement reads them to measure its result. It imports `clip`.
"""
