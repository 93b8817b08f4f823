"""Bio-IK for Blender: inverse kinematics for whole animation clips.

Importing this package imports neither Blender nor the solver: `blender_bioik.solver` runs without
Blender, and Blender starts without waiting for numba.
"""


def register() -> None:
    """Add the extension's classes, properties and notes to Blender."""
    from . import kernel_cache

    kernel_cache.register()  # before anything imports the solver, which reads it once

    from . import registration

    registration.register()


def unregister() -> None:
    """Remove everything that `register` added."""
    from . import kernel_cache, registration

    registration.unregister()
    kernel_cache.unregister()
