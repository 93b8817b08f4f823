"""Parts of the body that rest on something besides feet: which there are, when, and what moves.

Foot placement, the contact operators and the watch import from here. It imports `legs`, `soles`,
`mapping` and `motion`.
"""
