"""Errors of presets."""


class PresetError(ValueError):
    """An error for the user: names the preset or file, and says how to fix it."""


class NewerPresetError(PresetError):
    """The file is for a newer version: it is not broken, the extension has to be updated."""
