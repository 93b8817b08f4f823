"""The record of a bake: what it was made from, frame by frame, kept on the armature.

Re-bakes and the watch compare it with the present to find the frames that have changed. It
imports `source`, `goals` and the rooms below.
"""
