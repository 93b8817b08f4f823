"""What is refused of presets."""


class PresetError(ValueError):
    """A sentence for the user: which preset or file is at fault, and what to do."""
