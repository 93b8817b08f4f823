"""A motion on few keyframes: which frames get one, and the curves through them.

`rig.result` imports from here. It imports only the top of `motion`.
"""
