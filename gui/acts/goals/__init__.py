"""Acts about goals, live solving, solutions and presets."""
