"""Acts of an animator with the panel, the parts of `make test-gui`; each checks its result."""
