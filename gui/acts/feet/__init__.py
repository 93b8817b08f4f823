"""Acts about characters and their feet."""
