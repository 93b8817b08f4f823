"""The scene of all stories: the demo's character walks towards hills. Run by Blender in background.

blender --background --python gui/scene.py -- FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

# Long enough that it can be cancelled on a fast machine, too.
STRIDES = 10
# Of the ground ahead, metres.
LENGTH = 16.0


def main(folder: str) -> None:
    """Make the scene and save it as scene.blend in the folder."""
    sys.path.insert(0, str(Path(folder, "code")))
    import bpy

    from demo import character, course, ground, walk

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = course.FPS
    scene.frame_start = walk.FIRST_FRAME
    scene.frame_end = walk.FIRST_FRAME + STRIDES * walk.CYCLE_FRAMES
    armature = character.build(scene.collection)
    armature.show_in_front = True
    walk.animate(armature, strides=STRIDES)
    hills = ground.hills(ground.Hills(0.26, 2.3, 0.7), LENGTH, course.WIDTH, course.BEHIND)
    scene.collection.objects.link(hills)
    scene.frame_set(walk.FIRST_FRAME)
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(folder, "scene.blend")))


if __name__ == "__main__":
    main(*sys.argv[sys.argv.index("--") + 1 :])
