"""Results: solved channels as keys, and what is kept on the armature about them.

There is one writer, for whole results and for parts of those that are there. It imports `source`,
`record`, `trace` and the rooms below.
"""
