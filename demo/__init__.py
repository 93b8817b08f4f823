"""A character, a walk and a stage made by script, and pictures of what Bio-IK does with them."""
