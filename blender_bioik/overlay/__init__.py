"""The overlay in the 3D View: goals, footprints, paths and the source's ghost.

`colours`, `shapes`, `stands` and `elements` make arrays and need no Blender. `batches` and
`drawing` bring them to the screen, `handler` has Blender call these, `paths` reads what is missing.
"""


def register() -> None:
    """Give workspaces their settings, and follow the files that are loaded."""
    import bpy

    from ..properties.overlay import BioIKOverlay
    from . import handler

    bpy.types.WorkSpace.bioik_overlay = bpy.props.PointerProperty(
        name="Bio-IK Overlay",
        description="What is drawn of goals, contacts and paths",
        type=BioIKOverlay,
    )
    handler.register()


def unregister() -> None:
    """Take the draw handler and the settings away."""
    import bpy

    from . import handler

    handler.unregister()
    del bpy.types.WorkSpace.bioik_overlay
