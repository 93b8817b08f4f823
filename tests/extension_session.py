"""An extension's life in one Blender: installed, enabled, used, disabled, enabled, uninstalled.

Run by test_extension.py in a Blender of its own, with an empty user folder: as a script of a
Python that has bpy, or of a Blender executable after `--`. Takes the zip and the file to write
what it saw to, as JSON, and optionally "compile": then it is only used to compile a kernel.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import bpy

REPOSITORY = "user_default"
WANTED = (1.2, 0.3, 0.5)
MODULE = f"bl_ext.{REPOSITORY}.blender_bioik"


def main(zip_path: str, report_path: str, purpose: str = "use") -> None:
    """Go through all stations and write the state at each."""
    # As an extension the package has another name; whoever imports it by this one shall fail.
    sys.modules["blender_bioik"] = None  # type: ignore[assignment]
    seen: dict[str, Any] = {"before": traces()}

    bpy.ops.extensions.package_install_files(
        filepath=zip_path, repo=REPOSITORY, enable_on_install=True
    )
    seen["enabled"] = traces()
    seen["used"] = use() if purpose == "use" else compile_one_kernel()
    bpy.ops.preferences.addon_disable(module=MODULE)
    seen["disabled"] = traces()
    bpy.ops.preferences.addon_enable(module=MODULE)
    seen["enabled again"] = traces()
    index = [repo.module for repo in bpy.context.preferences.extensions.repos].index(REPOSITORY)
    bpy.ops.extensions.package_uninstall(repo_index=index, pkg_id="blender_bioik")
    seen["uninstalled"] = traces()
    Path(report_path).write_text(json.dumps(seen), encoding="utf-8")


def use() -> dict[str, Any]:
    """Do with the enabled extension what a user does with it; returns what came out.

    Every operator of the extension must be listed in test_extension.py's OPERATORS, and used here.
    """
    rig = arm_that_waves()
    source = rig.animation_data.action
    goal = rig.bioik.goals.add()
    goal.type, goal.bone, goal.head_tail, goal.point = "POSITION", "forearm", 1.0, WANTED
    baked = bpy.ops.bioik.bake(range="CUSTOM", frame_start=1, frame_end=5)
    action = rig.animation_data.action
    distances = [distance_at(rig, frame) for frame in range(1, 6)]
    goal.weight = 2.0
    again = bpy.ops.bioik.rebake()
    deleted = bpy.ops.bioik.delete_generated_keys(range="CUSTOM", frame_start=2, frame_end=4)
    rig.pose.bones["forearm"].constraints.new("TRACK_TO").target = bpy.data.objects["Cube"]
    read = bpy.ops.bioik.goals_from_constraints()
    listed = [bpy.ops.bioik.add_goal(type="BALANCE"), bpy.ops.bioik.move_goal(direction="UP")]
    listed += [bpy.ops.bioik.remove_goal()]
    legs = legs_that_stand()
    found = bpy.ops.bioik.find_contacts(frame_start=1, frame_end=5)
    contacts = [[c.frame_start, c.frame_end] for c in legs.bioik.feet.contacts]
    bpy.context.scene.frame_set(3)
    edited = [bpy.ops.bioik.add_contact(), bpy.ops.bioik.move_contact(frames=-1)]
    edited += [bpy.ops.bioik.split_contact(), bpy.ops.bioik.remove_contact()]
    legs.bioik.feet.contacts_edited = False
    placed, raised = placed_on_ground(legs)
    kept, preset_files = presets_of(rig)
    posed = posed_live(rig)
    chosen = [*parts_of(legs), *copies_of_goals(legs)]
    played = results_of(legs, rig)
    return {
        "operators": sorted(dir(bpy.ops.bioik)),
        "results": [
            *(*baked, *again, *deleted, *read, *found),
            *(word for words in (*listed, *edited, *placed, *kept) for word in words),
            *(word for words in (*posed, *chosen, *played) for word in words),
        ],
        # Poses are looked through in a window only.
        "refused": [bpy.ops.bioik.step_solution.poll(), bpy.ops.bioik.end_solutions.poll()],
        "presets": preset_files,
        "contacts": contacts,
        "raised": raised,
        "goals": [goal.type for goal in rig.bioik.goals],
        "actions": [source.name, action.name],
        "distance": max(distances),
    }


def compile_one_kernel() -> dict[str, Any]:
    """Use the smallest compiled part of the solver; returns the files that numba has cached."""
    solver = importlib.import_module(f"{MODULE}.solver")
    tree = solver.KinematicTree([solver.Joint("a")], [solver.Tip("end", "a", (1, 0, 0))])
    solver.forward_kinematics(tree, [0.0])
    user = Path(bpy.utils.resource_path("USER"))
    return {"kernels": [str(path.relative_to(user)) for path in user.rglob("*.nbc")]}


def arm_that_waves() -> Any:
    """An armature of two bones with an action, active."""
    bpy.ops.object.armature_add()
    rig = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = rig.data.edit_bones
    upper, lower = bones[0], bones.new("forearm")
    upper.name, upper.head, upper.tail = "arm", (0, 0, 0), (1, 0, 0)
    lower.parent, lower.head, lower.tail = upper, (1, 0, 0), (2, 0, 0)
    bpy.ops.object.mode_set(mode="POSE")
    bone = rig.pose.bones["arm"]
    bone.rotation_mode = "XYZ"
    for frame in (1, 5):
        bone.rotation_euler.x = 0.1 * frame
        bone.keyframe_insert("rotation_euler", frame=frame)
    return rig


def legs_that_stand() -> Any:
    """An armature of two legs below a pelvis, active."""
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.armature_add()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = bpy.context.object.data.edit_bones
    pelvis = bones[0]
    pelvis.name, pelvis.head, pelvis.tail = "pelvis", (0, 0, 1), (0, 0, 1.2)
    for side, x in (("L", 0.1), ("R", -0.1)):
        parent = pelvis
        joints = ((x, 0, 1), (x, -0.03, 0.5), (x, 0, 0.1), (x, -0.15, 0.02))
        for i, part in enumerate(("thigh", "shin", "foot")):
            bone = bones.new(f"{part}.{side}")
            bone.parent, bone.head, bone.tail = parent, joints[i], joints[i + 1]
            parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in (1, 5):
        bpy.context.object.pose.bones["pelvis"].keyframe_insert("location", frame=frame)
    return bpy.context.object


def placed_on_ground(legs: Any) -> tuple[list[set[str]], float]:
    """Place feet on a plane 10 cm higher; what the operators said, and how far a foot rose."""
    bpy.context.scene.frame_set(1)
    before = (legs.matrix_world @ legs.pose.bones["foot.L"].tail).z
    bpy.ops.mesh.primitive_plane_add(size=4, location=(0, 0, before + 0.1))
    plane = bpy.context.object
    bpy.context.view_layer.objects.active = legs
    plane.select_set(True)
    results = [bpy.ops.bioik.add_ground(), bpy.ops.bioik.place_feet(frame_start=1, frame_end=5)]
    bpy.context.scene.frame_set(1)
    after = (legs.matrix_world @ legs.pose.bones["foot.L"].tail).z
    results.append(bpy.ops.bioik.choose_levels(levels="KEEP"))
    results += [bpy.ops.bioik.share_ground(), bpy.ops.bioik.own_ground()]
    results += [bpy.ops.bioik.remove_quality(), bpy.ops.bioik.remove_ground()]
    return results, float(after - before)


def results_of(legs: Any, other: Any) -> list[set[str]]:
    """Compare a result with its source, keep it or remove it; settings of several characters."""
    results = [bpy.ops.bioik.compare()]
    bpy.ops.bioik.compare()
    results.append(bpy.ops.bioik.fit_length(length="step_up"))
    bpy.ops.object.select_all(action="DESELECT")
    other.select_set(True)
    legs.select_set(True)
    results.append(bpy.ops.bioik.copy_settings())
    other.select_set(False)
    results.append(bpy.ops.bioik.remove_result())
    bpy.context.view_layer.objects.active = other
    results.append(bpy.ops.bioik.use_result_as_source())
    bpy.context.view_layer.objects.active = legs
    return results


def presets_of(rig: Any) -> tuple[list[set[str]], list[str]]:
    """Use a bundled preset and keep one; what the operators said, and where files were."""
    bpy.context.view_layer.objects.active = rig
    exported = str(Path(bpy.app.tempdir, "Mine.json"))
    user = Path(bpy.utils.resource_path("USER"))
    results = [
        bpy.ops.bioik.apply_preset(kind="SOLVER", name="Fast Preview"),
        bpy.ops.bioik.save_preset(kind="SOLVER", name="Mine"),
        bpy.ops.bioik.export_preset(kind="SOLVER", name="Mine", filepath=exported),
        bpy.ops.bioik.import_preset(filepath=exported),
    ]
    results.append(bpy.ops.bioik.remove_preset(kind="SOLVER", name="Mine"))
    return results, [str(path.relative_to(user)) for path in user.rglob("solver_*.json")]


def posed_live(rig: Any) -> list[set[str]]:
    """Solve the current frame live, key it, and take another pose for it."""
    bpy.context.view_layer.objects.active = rig
    constraints = rig.pose.bones["forearm"].constraints
    constraints.remove(constraints[0])
    results = [bpy.ops.bioik.pick_armature(), bpy.ops.bioik.toggle_live()]
    results += [bpy.ops.bioik.key_live_pose(), bpy.ops.bioik.browse_solutions(index=0, count=2)]
    bpy.ops.bioik.toggle_live()
    results += [bpy.ops.bioik.reset_solver(), bpy.ops.bioik.update_overlay()]
    bpy.context.scene.bioik.armature = None
    return results


def parts_of(legs: Any) -> list[set[str]]:
    """Choose parts of the body, check the rig and read the report."""
    bpy.context.view_layer.objects.active = legs
    results = [bpy.ops.bioik.check_rig(), bpy.ops.bioik.choose_part(slot="thigh.L")]
    results += [bpy.ops.bioik.add_part_bone(slot="spine"), bpy.ops.bioik.clear_part(slot="spine")]
    results += [bpy.ops.bioik.use_guess(), bpy.ops.bioik.clear_parts()]
    results += [bpy.ops.bioik.go_to_frame(frame=2)]
    return [*results, bpy.ops.bioik.copy_report()]


def copies_of_goals(legs: Any) -> list[set[str]]:
    """Duplicate a goal, and mirror it to the other side."""
    goal = legs.bioik.goals.add()
    goal.type, goal.bone = "POSITION", "foot.L"
    legs.bioik.active_goal = len(legs.bioik.goals) - 1
    return [bpy.ops.bioik.duplicate_goal(), bpy.ops.bioik.mirror_goal()]


def distance_at(rig: Any, frame: int) -> float:
    """How far the hand is from where it was wanted, in metres, by Blender's own pose."""
    bpy.context.scene.frame_set(frame)
    hand = rig.matrix_world @ rig.pose.bones["forearm"].tail
    return float((hand - type(hand)(WANTED)).length)


def traces() -> dict[str, list[str]]:
    """Everything in Blender and Python by which an extension can be noticed."""
    types = ("Object", "Armature", "Scene", "WindowManager", "PoseBone", "Bone", "Action")
    handlers = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    keyconfig = bpy.context.window_manager.keyconfigs.addon  # None in the background
    keymaps = keyconfig.keymaps if keyconfig else []
    return {
        "classes": sorted(name for name in dir(bpy.types)),
        "operators": sorted(dir(bpy.ops.bioik)),
        "properties": [f"{name}.{key}" for name in types for key in dir(getattr(bpy.types, name))],
        "handlers": [
            f"{name}: {function.__module__}.{function.__name__}"
            for name, functions in handlers.items()
            if isinstance(functions, list)
            for function in functions
        ],
        "keys": [
            f"{keymap.name}: {item.idname}" for keymap in keymaps for item in keymap.keymap_items
        ],
        "status bar": [
            function.__module__
            for function in getattr(bpy.types.STATUSBAR_HT_header.draw, "_draw_funcs", [])
        ],
        "modules": sorted(name for name in sys.modules if "blender_bioik" in name),
        "environment": sorted(name for name in os.environ if "BIOIK" in name),
        "add-ons": sorted(bpy.context.preferences.addons.keys()),
        "files": sorted(
            str(path.relative_to(Path(bpy.utils.resource_path("USER"))))
            for path in Path(bpy.utils.resource_path("USER")).rglob("*bioik*")
        ),
    }


if __name__ == "__main__":
    # A Blender executable does not by itself look where scripts/test_blender.py puts packages.
    if bpy.app.binary_path and (user := os.environ.get("PYTHONUSERBASE")):
        version = "{}.{}".format(*sys.version_info)
        sys.path.append(str(Path(user, "lib", f"python{version}", "site-packages")))
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    main(*words)
    if bpy.app.version < (4, 3, 0) and not bpy.app.binary_path:
        # This wheel crashes when Python ends after a PropertyGroup with a @property was registered,
        # though it is unregistered: not our defect, and not what this script tests.
        sys.stdout.flush()
        os._exit(0)
