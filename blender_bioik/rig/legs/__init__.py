"""Legs and ground: soles, leg joints, arms and spine, contacts, ground as triangles.

Foot placement and the contact operators import from here. It imports `joints`, `goals`, `mapping`
and `motion`.
"""
