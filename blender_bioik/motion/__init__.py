"""What feet do on the ground: contacts, terrain, plans and quality, as arrays without Blender."""
