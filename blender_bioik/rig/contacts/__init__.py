"""The contacts of a clip: of feet and other parts, detected in it or as the armature has them.

What rests on things above the floor needs the ground of the scene. Foot placement and the contact
operators import from here. It imports `rests`, `legs`, `problem` and `source`.
"""
