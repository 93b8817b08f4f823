"""Presets: apply, save, remove, import and export them.

Modules that read a rig are imported on use, to keep Blender's startup fast.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.app.translations import pgettext_iface, pgettext_rpt, pgettext_tip
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..presets import PresetError, preset_from_file
from ..presets.store import write_preset
from ..properties.goal_names import unique_name
from ..rig.errors import RigError
from ..translations.sentences import translated
from ..ui_state.characters import chosen_characters
from ..ui_state.chosen_armature import chosen_armature, poll_armature
from ..ui_state.preset_folder import preset_store
from ..ui_state.selected_target import selected_target, selected_targets

if TYPE_CHECKING:
    from ..rig.presets.apply_preset import Applied

KIND_ITEMS = (
    ("GOALS", "Goals", "Goal setups"),
    ("FEET", "Foot Placement", "Foot placement settings"),
    ("SOLVER", "Solver", "Solver settings"),
)
MODES = (
    ("ADD", "Add", "Keep the existing goals"),
    ("REPLACE", "Replace", "Remove the existing goals but keep their targets"),
)


class NamedPreset:
    """Properties of operators for a single preset."""

    kind: EnumProperty(
        name="Kind",
        description="Type of settings in the preset",
        items=KIND_ITEMS,
        options={"HIDDEN", "SKIP_SAVE"},
    )
    name: StringProperty(
        name="Name", description="Name of the preset", options={"HIDDEN", "SKIP_SAVE"}
    )


class BIOIK_OT_apply_preset(NamedPreset, bpy.types.Operator):  # noqa: N801 (Blender's convention)
    """Apply this preset to the selected armatures"""  # noqa: D415

    bl_idname = "bioik.apply_preset"
    bl_label = "Apply Preset"
    bl_options = {"REGISTER", "UNDO"}  # noqa: RUF012 (Blender reads it as it is)

    mode: EnumProperty(
        name="Goals",
        description="How to handle the armature's existing goals",
        items=MODES,
        options={"SKIP_SAVE"},
    )
    add_targets: BoolProperty(
        name="Add Targets",
        description="Add empties at the bones as targets if no object is selected",
        default=True,
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: bpy.types.Context, properties: Any) -> str:
        """The preset's own description, or why it cannot be used."""
        try:
            preset = preset_store().load(properties.kind, properties.name)
        except PresetError as error:
            return translated(str(error)).removesuffix(".")
        return pgettext_tip(preset.description)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def draw(self, _context: bpy.types.Context) -> None:
        """Draw the options in the Adjust Last Operation panel."""
        self.layout.use_property_split = True
        if self.kind == "GOALS":
            self.layout.row().prop(self, "mode", expand=True)
            self.layout.prop(self, "add_targets")
        else:
            self.layout.label(text=self.name, translate=False)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Apply it, and close the popover that it was chosen from."""
        result = self.execute(context)
        if result == {"FINISHED"} and context.window is not None:
            context.window.screen = context.window.screen  # Blender closes popups of a new screen
        return result

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Apply it, and report skipped parts."""
        from ..rig.presets.apply_preset import ApplyOptions, apply_preset

        armatures, problems = chosen_characters(context), []
        try:
            preset = preset_store().load(self.kind, self.name)
        except PresetError as error:
            return _refused(self, error)
        for armature in armatures:
            target = selected_target(context, armature)
            things = selected_targets(context, armature)
            options = ApplyOptions(self.mode, self.add_targets, target, things)
            try:
                self._tell(apply_preset(context, armature, preset, options))
            except (PresetError, RigError) as error:
                problems.append(error)
        if len(problems) == len(armatures):
            return _refused(self, problems[0])
        for problem in problems:
            self.report({"WARNING"}, translated(str(problem)))
        return {"FINISHED"}

    def _tell(self, applied: "Applied") -> None:
        if applied.skipped:
            self.report({"WARNING"}, translated(applied.skipped))
        for note in applied.notes:
            self.report({"INFO"}, translated(note))
        if self.kind != "GOALS":
            self.report({"INFO"}, pgettext_rpt('Applied "{}"').format(self.name))
        elif applied.kept:
            text = pgettext_rpt("Goals added: {}, already present: {}")
            self.report({"INFO"}, text.format(applied.goals, applied.kept))
        else:
            self.report({"INFO"}, pgettext_rpt("Goals added: {}").format(applied.goals))


class BIOIK_OT_save_preset(NamedPreset, bpy.types.Operator):  # noqa: N801
    """Save the armature's settings as a preset, with body parts in place of its bones"""  # noqa: D415

    bl_idname = "bioik.save_preset"
    bl_label = "Save Preset"
    bl_options = {"REGISTER"}  # noqa: RUF012

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is an armature."""
        return poll_armature(cls, context)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for confirmation before overwriting a user preset, which cannot be undone."""
        if not preset_store().has_own(self.kind, self.name.strip()):
            return self.execute(context)
        return _confirmed(self, context, event, "Overwrite Preset", "Overwrite")

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Save it."""
        from ..rig.presets.make_preset import make_preset

        armature = chosen_armature(context)
        assert armature is not None
        try:
            preset = make_preset(armature, self.kind, self.name.strip())
            preset_store().save(preset)
        except (PresetError, RigError) as error:
            return _refused(self, error)
        manager = context.window_manager
        if manager.preset_name == self.name:
            manager.property_unset("preset_name")
        self.report({"INFO"}, pgettext_rpt('Saved "{}"').format(preset.name))
        return {"FINISHED"}


class BIOIK_OT_remove_preset(NamedPreset, bpy.types.Operator):  # noqa: N801
    """Delete this user preset; armatures it was applied to are not affected"""  # noqa: D415

    bl_idname = "bioik.remove_preset"
    bl_label = "Remove Preset"
    bl_options = {"REGISTER"}  # noqa: RUF012

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Ask for confirmation, because it cannot be undone."""
        return _confirmed(self, context, event, "Remove Preset", "Remove")

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Delete its file."""
        try:
            preset_store().remove(self.kind, self.name)
        except PresetError as error:
            return _refused(self, error)
        self.report({"INFO"}, pgettext_rpt('Removed "{}"').format(self.name))
        return {"FINISHED"}


class BIOIK_OT_import_preset(ImportHelper, bpy.types.Operator):  # noqa: N801
    """Add a preset file to the user presets; preset files are data, and no code in them is run"""  # noqa: D415

    bl_idname = "bioik.import_preset"
    bl_label = "Import Preset"
    bl_options = {"REGISTER"}  # noqa: RUF012

    filename_ext = ".json"
    filter_glob: StringProperty(
        name="Filter",
        description="Pattern of the files to show",
        default="*.json",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Check and store it; a name that is taken gets a numeric suffix."""
        from dataclasses import replace

        store = preset_store()
        try:
            preset = preset_from_file(Path(self.filepath))
            taken = [entry.name for entry in store.entries(preset.kind)]
            preset = replace(preset, name=unique_name(preset.name, taken))
            store.save(preset)
        except PresetError as error:
            return _refused(self, error)
        where = pgettext_iface({kind: label for kind, label, _ in KIND_ITEMS}[preset.kind])
        text = pgettext_rpt('Imported "{}", a preset for {}')
        self.report({"INFO"}, text.format(preset.name, where))
        return {"FINISHED"}


class BIOIK_OT_export_preset(NamedPreset, ExportHelper, bpy.types.Operator):  # noqa: N801
    """Export this preset to a file, to import it elsewhere or use it on the command line"""  # noqa: D415

    bl_idname = "bioik.export_preset"
    bl_label = "Export Preset"
    bl_options = {"REGISTER"}  # noqa: RUF012

    filename_ext = ".json"
    filter_glob: StringProperty(
        name="Filter",
        description="Pattern of the files to show",
        default="*.json",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Open the file browser next to the .blend file, with the preset's name."""
        self.filepath: str = f"{bpy.path.clean_name(self.name)}{self.filename_ext}"
        result: set[str] = ExportHelper.invoke(self, context, event)
        return result

    def execute(self, _context: bpy.types.Context) -> set[str]:
        """Write it."""
        try:
            preset = preset_store().load(self.kind, self.name)
            write_preset(preset, Path(self.filepath))
        except PresetError as error:
            return _refused(self, error)
        self.report({"INFO"}, pgettext_rpt('Exported "{}"').format(self.name))
        return {"FINISHED"}


def _confirmed(
    operator: Any, context: bpy.types.Context, event: bpy.types.Event, title: str, button: str
) -> set[str]:
    """Ask whether to go on."""
    result: set[str] = context.window_manager.invoke_confirm(
        operator,
        event,
        title=title,
        message=pgettext_iface('"{}" will be lost. This cannot be undone').format(operator.name),
        confirm_text=button,
        icon="WARNING",
    )
    return result


def _refused(operator: bpy.types.Operator, error: Exception) -> set[str]:
    operator.report({"ERROR"}, translated(str(error)))
    return {"CANCELLED"}
