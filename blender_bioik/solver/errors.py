"""Errors of the solver: every one is a sentence that names the joint, tip or goal at fault."""


class SolverError(ValueError):
    """Base of all errors of the solver."""


class TreeError(SolverError):
    """The joint model is not a valid kinematic tree."""


class CycleError(TreeError):
    """Joints are each other's ancestors."""


class ParentError(TreeError):
    """A joint names a parent that does not exist."""


class LimitError(TreeError):
    """A joint's lower limit lies above its upper limit."""


class NotFiniteError(SolverError):
    """A number is NaN or infinite where a finite one is required."""


class AxisError(SolverError):
    """An axis, direction or quaternion has no length."""


class UnknownTipError(SolverError):
    """A goal or a tip names a tip or joint that the tree does not have."""


class ShapeError(SolverError):
    """An array has the wrong shape."""


class GoalError(SolverError):
    """A goal's settings have no meaning."""


class SettingsError(SolverError):
    """A solver setting is out of range."""
