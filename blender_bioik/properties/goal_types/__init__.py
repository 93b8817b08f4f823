"""Types of goals in Blender's properties: what they declare, and those that other add-ons add."""
