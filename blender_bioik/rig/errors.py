"""What the reading and writing of rigs refuses."""


class RigError(ValueError):
    """A sentence for the user: which bone, action or object is at fault, and what to do."""
