"""The second story of `make test-gui`: lists are edited and undone, results compared, and more."""

from __future__ import annotations

import bpy

from .acts import generated_keys, renders, solver
from .acts.feet import body_parts, compare, contacts, crowd, report
from .acts.goals import copies, list_undo, preset_files, solutions
from .acts.setup import MODULE, look_at_character, wait_for_solver
from .hand import Pause
from .panels import only_panels, opened_panels
from .session import Session
from .view import show_sidebar

# Each goes on with what the one before has left; with the panels that it is about, and those inside
# them: Blender tells what the button under the mouse does, and searching all panels takes long.
ACTS = (
    (contacts.edit_contacts, ("feet",)),
    (contacts.rebake, ("feet", "bake")),
    (report.read_report, ("report",)),
    (renders.overlay_not_in_renders, ("overlay",)),
    (compare.compare, ("feet",)),
    (generated_keys.delete_generated, ("bake",)),
    (crowd.place_crowd, ("feet",)),
    (body_parts.override_part, ("rig",)),
    (solver.reset_settings, ("solver",)),
    (list_undo.undo_lists, ("goals",)),
    (preset_files.export_and_import, ("feet",)),
    (solutions.browse_solutions, ("solutions",)),
    (copies.copy_while_live, ("rig", "live")),
    (copies.linked_and_overridden, ("rig", "feet", "goals")),
)


def story(session: Session) -> Pause:
    """All acts, with default-closed panels open: Blender does not reveal where headers are."""
    panels = opened_panels()
    bpy.ops.preferences.addon_enable(module=MODULE)
    look_at_character()
    yield from show_sidebar()
    yield from wait_for_solver(session)
    for act, names in ACTS:
        with only_panels([panel for name in names for panel in panels[name]]):
            yield 0.5
            yield from act(session)
