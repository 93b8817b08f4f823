"""What is refused of presets."""


class PresetError(ValueError):
    """A sentence for the user: which preset or file is at fault, and what to do."""


class NewerPresetError(PresetError):
    """The file is for a newer version: it is not broken, the extension has to be updated."""
