"""Benchmark of foot placement on any character and any motion.

`section` runs it. Scenes are characters of the zoo and of the shared data folder with their clips.
What is measured are the meshes that Blender evaluates; the code shares nothing with the planner.
"""
