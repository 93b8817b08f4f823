"""Bio-IK for Blender: inverse kinematics for whole animation clips."""
