"""A real Blender window, clicked through (`make test-gui`) and pictured (`make pictures`)."""
