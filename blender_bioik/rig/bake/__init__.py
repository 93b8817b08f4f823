"""Goals as keyframes: `bake` solves an armature's goals over a clip and writes the result.

Operators, the command line and scripts call it. It imports every room up to `problem` and `result`,
and knows nothing of feet.
"""
