"""Blender to numbers and back: skeletons, clips, F-curves and keys."""
