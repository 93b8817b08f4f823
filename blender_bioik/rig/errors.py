"""Errors of reading and writing rigs, and cancellation."""


class RigError(ValueError):
    """An error for the user: names the bone, action or object, and says how to fix it."""


class Cancelled(Exception):  # noqa: N818 (it is a wish, not an error)
    """The user cancelled a long operation; nothing was changed."""
