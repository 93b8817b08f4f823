"""A scripted character, walk and stage, and pictures of the results of Bio-IK."""
