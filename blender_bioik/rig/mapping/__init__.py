"""Rig mappings: which bones of an armature are pelvis, spine, head, legs and arms."""

from ...body_slots import LIST_SLOTS, SLOTS
from ..anatomy.bones import BoneTable
from .detect import detect, detect_all
from .mapping import Leg, Mapping
from .names import mirror_name

__all__ = [
    "LIST_SLOTS",
    "SLOTS",
    "BoneTable",
    "Leg",
    "Mapping",
    "detect",
    "detect_all",
    "mirror_name",
]
