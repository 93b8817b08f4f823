"""Goals as keys: read a source, solve all frames, write, keep a record; and again in part.

Operators and the command line call `bake` and `rebake`. It imports every room up to `record`.
"""
