"""The flesh of bodies on control rigs: the bones that deform the mesh copy those that are solved.

What deforms the mesh then does not hang on the bones of the body. It belongs to the one along
which it lies in the rest pose, or else to the first one that it copies or hangs on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import bpy
import numpy as np

from ..clip.skeleton import Skeleton
from ..controls.posed_by import Rigging, read_rigging
from ..transforms import Floats

Segments = Mapping[str, tuple[Floats, Floats]]
"""Where bones of the body begin and end in the rest pose."""

# How far from the line of a bone another one lies along it, as a share of its length.
BESIDE = 0.1
# How far from its line the bones of a trunk begin that deform it, as a share of the leg's length.
ABOUT_TRUNK = 0.15


def led_owners(
    armature_object: bpy.types.Object,
    skeleton: Skeleton,
    deforming: Collection[str],
    limbs: Segments,
    trunk: Segments,
    feet: Collection[str],
    leg: float,
) -> dict[str, str]:
    """Bones that deform a mesh, each with the bone of the body that leads it.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        deforming: The bones with vertices that do not hang on the body's own.
        limbs: Bones of arms and legs without flesh, feet excluded.
        trunk: Bones of the trunk without flesh.
        feet: Bones of feet and toes, whose flesh is no concern here.
        leg: Length of a leg, in the armature's units.
    """
    rigging = read_rigging(armature_object)
    if not rigging.copies:
        return {}
    known = {*limbs, *trunk, *feet}
    found = {}
    for bone in deforming:
        owner = _beside(skeleton, bone, limbs) or _leader(armature_object, rigging, bone, known)
        if owner in limbs or (owner in trunk and _is_near(skeleton, bone, trunk, leg)):
            found[bone] = str(owner)
    return found


def _beside(skeleton: Skeleton, bone: str, limbs: Segments) -> str | None:
    """The bone of a limb along which another one lies in the rest pose."""
    for name, (start, end) in limbs.items():
        length = float(np.linalg.norm(end - start))
        share, apart = _on_line(_head(skeleton, bone), start, end)
        way = skeleton.rest[skeleton.index[bone], :3, 1] @ (end - start) / length
        if -BESIDE < share < 1.0 - BESIDE and apart < BESIDE * length and way > 1.0 - BESIDE:
            return name
    return None


def _leader(
    armature_object: bpy.types.Object, rigging: Rigging, bone: str, known: Collection[str]
) -> str | None:
    """The first of the known bones that a bone copies, or hangs on; itself does not count."""
    seen = [bone]
    for name in seen:
        if name in known:
            return name
        seen += [above for above in _above(armature_object, rigging, name) if above not in seen]
    return None


def _above(armature_object: bpy.types.Object, rigging: Rigging, bone: str) -> Iterator[str]:
    yield from reversed(rigging.copied(bone))
    parent = armature_object.pose.bones[bone].parent
    if parent is not None:
        yield parent.name


def _is_near(skeleton: Skeleton, bone: str, trunk: Segments, leg: float) -> bool:
    """Whether a bone begins near the line of the trunk, unlike those of coats."""
    head = _head(skeleton, bone)
    return any(_on_line(head, *ends)[1] < ABOUT_TRUNK * leg for ends in trunk.values())


def _head(skeleton: Skeleton, bone: str) -> Floats:
    return np.asarray(skeleton.rest[skeleton.index[bone], :3, 3])


def _on_line(point: Floats, start: Floats, end: Floats) -> tuple[float, float]:
    """Where along a segment a point is, as a share, and how far from its line."""
    along = end - start
    share = float((point - start) @ along / max(float(along @ along), 1e-18))
    return share, float(np.linalg.norm(point - start - np.clip(share, -1.0, 2.0) * along))
