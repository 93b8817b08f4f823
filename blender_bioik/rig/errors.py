"""What the reading and writing of rigs refuses, and how it stops."""


class RigError(ValueError):
    """A sentence for the user: which bone, action or object is at fault, and what to do."""


class Cancelled(Exception):  # noqa: N818 (it is a wish, not an error)
    """The user stopped a long operation; everything is as it was before."""
