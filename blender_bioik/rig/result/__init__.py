"""Results: solved channels as keyframes, and the data stored on the armature about them.

There is one writer, for whole results and for parts of existing ones. It imports `source`,
`record`, `trace` and the rooms below.
"""
