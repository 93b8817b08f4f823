"""Rigs with controls: which controls move legs and arms, and solved poses written to these.

`legs` asks it for the bones that follow controls, `result` for the channels of controls. It imports
`clip`, `keys` and `mapping`.
"""
