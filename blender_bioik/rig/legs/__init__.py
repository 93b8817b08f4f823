"""Legs and ground: leg joints, arms and spine, contacts, ground as triangles.

Foot placement and the contact operators import from here. It imports `joints`, `goals`, `mapping`
and `motion`.
"""
