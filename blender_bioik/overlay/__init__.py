"""The overlay in the 3D Viewport: goals, footprints, paths and the source's ghost.

`colours`, `shapes`, `stances` and `elements` make arrays and need no Blender. `batches` and
`drawing` draw them, `handler` registers the draw handler, `paths` reads missing paths.
"""


def register() -> None:
    """Add the settings to workspaces, and handle files being loaded."""
    from . import handler, settings

    settings.register()
    handler.register()


def unregister() -> None:
    """Remove the draw handler and the settings."""
    from . import handler, settings

    handler.unregister()
    settings.unregister()
