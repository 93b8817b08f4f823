"""The judgement of a result: what a viewer sees of it, from bones, meshes and the ground alone.

It knows nothing of how the result was made: `outcome` is what it looks at. `feet` and the `report`
of an action that is there import it.
"""
