"""What is known about an armature's clip, kept on the armature until another clip plays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

import bpy

from ...findings import Finding, told
from ..transforms import Floats


def keep_known(
    armature_object: bpy.types.Object, findings: Sequence[Finding], frames: Floats
) -> None:
    """Keep findings about the clip that an armature plays."""
    content = {"action": _action(armature_object), "sentences": told(findings, frames)}
    text = json.dumps(content, separators=(",", ":")) if findings else ""
    armature_object.bioik.bake.known = text


def known_sentences(armature_object: bpy.types.Object) -> tuple[str, ...]:
    """The sentences kept about the clip that an armature plays."""
    action, sentences = _read(armature_object.bioik.bake.known)
    return sentences if action == _action(armature_object) else ()


def _action(armature_object: bpy.types.Object) -> str:
    data = armature_object.animation_data
    return data.action.name_full if data is not None and data.action is not None else ""


@lru_cache(maxsize=8)
def _read(text: str) -> tuple[str, tuple[str, ...]]:
    """The action and its sentences; none from an unreadable text."""
    try:
        content = json.loads(text)
        return str(content["action"]), tuple(str(each) for each in content["sentences"])
    except (ValueError, KeyError, TypeError):
        return "", ()
