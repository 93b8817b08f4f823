"""The overlay in the 3D View: goals, footprints, paths and the source's ghost.

`colours`, `shapes`, `stands` and `elements` make arrays and need no Blender. `batches` and
`drawing` bring them to the screen, `handler` has Blender call these, `paths` reads what is missing.
"""


def register() -> None:
    """Give workspaces their settings, and follow the files that are loaded."""
    from . import handler, settings

    settings.register()
    handler.register()


def unregister() -> None:
    """Take the draw handler and the settings away."""
    from . import handler, settings

    handler.unregister()
    settings.unregister()
