"""Parts of the body that rest on something: hands, knees, seat, back and others.

`rig` imports from here, and `solve`. It imports `body`, `ground`, `contacts` and `plan`.
"""
