"""The record of a bake: digests of its inputs for each frame, stored on the armature.

Re-bakes and the watch compare it with the present to find the frames that have changed. It
imports `source`, `goals` and the rooms below.
"""
