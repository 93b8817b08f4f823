"""The soles of a rig's feet: where heel, ball and tip are, on which bones.

With a mesh the points are on its sole. Without one they are joints: the ankle for the heel, the
toe's joint for the ball and the toe's end for the tip; how high these are above the floor is then
found in the clip.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ...findings import Finding, Severity
from ...motion.contacts.clearances import clearances
from ...motion.contacts.contacts import find_contacts
from ...motion.feet import POINT_NAMES, Foot
from ..clip.sampling import Clip
from ..clip.skeleton import Skeleton
from ..errors import RigError
from ..joints.joint_model import TipPlace
from ..mapping import Leg, Mapping
from ..transforms import Floats
from .foot_bones import FootBones, Stance, body_trunk, foot_bones, leg_bones, rest_stance
from .foot_mesh import Skin, foot_skins
from .paws import as_paw, is_paw, toe_skin
from .sole_mesh import MeasuredSole, measure
from .stands import Stand, flattest_stand, resting_area

# Leg length of the reference character of 1.6 m, from hip to ankle, metres.
LEG_LENGTH = 0.85


@dataclass(frozen=True)
class Sole:
    """A foot's bones and sole points.

    Attributes:
        name: The leg's name in the rig's mapping, "leg.L".
        bones: The leg's bones from the hip to the foot. Bones that only twist or split a segment
            may lie between two of them.
        foot: The foot's bone, the last of `bones`.
        toe: The toe's bone, None if there is none.
        places: Heel, ball and tip. Feet without toes may have ball and tip at the same place,
            those that stand on a point have all three there.
        rim: Points at its sides, next to those in `feet.RIM`, if there is a mesh.
        measured_clearance: How high above the floor each place is when the foot stands flat, in
            the armature's units, None if there is no mesh to tell.
    """

    name: str
    bones: tuple[str, ...]
    foot: str
    toe: str | None
    places: tuple[TipPlace, TipPlace, TipPlace]
    measured_clearance: tuple[float, float, float] | None
    rim: tuple[TipPlace, ...] = ()


def read_soles(
    armature_object: bpy.types.Object, skeleton: Skeleton, mapping: Mapping
) -> list[Sole]:
    """Read the sole of every leg in the rest pose, from the meshes that it carries or its bones.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        mapping: Which of them are legs.

    Raises:
        RigError: There is no leg, or one has no foot or only one bone.
    """
    legs, rest = _legs(armature_object, skeleton, mapping)
    return [_sole(skeleton, leg, rest) for leg in legs]


def soles_in_clip(
    armature_object: bpy.types.Object, skeleton: Skeleton, mapping: Mapping, clip: Clip, rate: float
) -> tuple[list[Sole], list[Finding]]:
    """Read the soles, confirmed by what touches the ground where a clip stands; with findings.

    Where far more of a foot rests on the ground in the clip than in the rest pose, and not the sole
    of the rest pose, the sole is measured in the clip.

    Args:
        armature_object: The armature.
        skeleton: Its bones.
        mapping: Which of them are legs.
        clip: Their animation.
        rate: Frames per second.

    Raises:
        RigError: There is no leg, or one has no foot or only one bone.
    """
    legs, rest = _legs(armature_object, skeleton, mapping)
    soles, findings = [], []
    for leg in legs:
        sole = _sole(skeleton, leg, rest)
        if len(leg.skin):
            stand = flattest_stand(leg.skin, skeleton, clip, rate)
            standing = _sole(skeleton, leg, _stance(clip, stand.row, rest))
            apart = _size(clip) * _apart(sole, standing)
            below = _height(skeleton, clip, sole, stand)
            at_rest = _area_at_rest(leg.skin, rest, clip)
            if apart > stand.tolerance and stand.area > 2.0 * at_rest:
                sole = standing
                findings.append(
                    Finding(
                        f"the sole of {sole.name} is measured in the clip, since in the rest pose "
                        f"it is {1e3 * apart:.3g} mm elsewhere",
                        "sole",
                        row=stand.row,
                    )
                )
            elif below > stand.tolerance and stand.area > at_rest:
                findings.append(
                    Finding(
                        f"the mesh of {sole.name} reaches {1e3 * below:.3g} mm below its sole",
                        "sole",
                        Severity.WARNING,
                        below / stand.tolerance,
                        stand.row,
                    )
                )
        soles.append(sole)
    return soles, findings


class _LegMesh(NamedTuple):
    """A leg, its bones from hip to foot, and the vertices that its foot carries.

    Where only the toe stands on the ground, it is the foot (see `paws.py`).
    """

    leg: Leg
    bones: tuple[str, ...]
    skin: Skin
    is_paw: bool

    def foot(self, skeleton: Skeleton, stance: Stance) -> FootBones:
        """Its foot in a stance."""
        if not self.is_paw:
            return foot_bones(skeleton, self.leg, self.bones, stance)
        return as_paw(foot_bones(skeleton, self.leg, self.bones[:-1], stance))


def _legs(
    armature_object: bpy.types.Object, skeleton: Skeleton, mapping: Mapping
) -> tuple[list[_LegMesh], Stance]:
    """The legs, and the rest pose."""
    if not mapping.legs:
        raise RigError(
            f'No legs were detected in "{armature_object.name}": assign their bones in Body Parts.'
        )
    chains = [leg_bones(armature_object, skeleton, leg) for leg in mapping.legs]
    rest = rest_stance(armature_object, skeleton, chains, body_trunk(skeleton, mapping))
    feet = [
        foot_bones(skeleton, leg, bones, rest)
        for leg, bones in zip(mapping.legs, chains, strict=True)
    ]
    skins = foot_skins(armature_object, skeleton, feet)
    found = []
    for leg, bones, foot, skin in zip(mapping.legs, chains, feet, skins, strict=True):
        paw = is_paw(skeleton, foot, skin)
        own = bones if not paw else (*bones, str(foot.toe))
        found.append(_LegMesh(leg, own, toe_skin(skeleton, foot, skin) if paw else skin, paw))
    return found, rest


def _sole(skeleton: Skeleton, leg_mesh: _LegMesh, stance: Stance) -> Sole:
    """The sole of a leg in a stance."""
    name, bones, skin = leg_mesh.leg.name, leg_mesh.bones, leg_mesh.skin
    foot = leg_mesh.foot(skeleton, stance)
    if not len(skin):
        places = _places(name, foot, stance, skeleton, foot.points)
        return Sole(name, bones, foot.foot, foot.toe, places, None)
    sole = measure(foot, skin.posed(skeleton, stance.pose[None])[0])
    places = _places(name, foot, stance, skeleton, sole.points)
    rim = tuple(_rim(name, foot, stance, skeleton, sole))
    return Sole(name, bones, foot.foot, foot.toe, places, (0.0, 0.0, 0.0), rim)


def _stance(clip: Clip, row: int, rest: Stance) -> Stance:
    """A frame of a clip, in which the character stands upright in the world."""
    up = np.linalg.inv(clip.world[row, :3, :3])[:, 2]
    return rest._replace(pose=clip.pose[row], up=np.asarray(up / np.linalg.norm(up)))


def _apart(sole: Sole, other: Sole) -> float:
    """Largest distance between points of two soles of a leg, in the armature's units."""
    one, another = (np.array([place.offset for place in each.places]) for each in (sole, other))
    return float(np.linalg.norm(one - another, axis=-1).max())


def _height(skeleton: Skeleton, clip: Clip, sole: Sole, stand: Stand) -> float:
    """Height of the lowest point of a sole above its mesh where the foot stands, metres."""
    paths = [_path(skeleton, clip, place.bone, place.offset) for place in sole.places]
    return float(min(path[stand.row, 2] for path in paths)) - stand.ground


def _area_at_rest(skin: Skin, rest: Stance, clip: Clip) -> float:
    """Area of a foot that rests on the ground in the rest pose, square metres."""
    aside = np.eye(3)[int(np.abs(rest.up).argmin())]
    across = np.cross(rest.up, aside)
    axes = np.stack([np.cross(across, rest.up), across, rest.up])
    return resting_area(_size(clip) * skin.rest @ axes.T)


def foot_points(skeleton: Skeleton, clip: Clip, soles: Sequence[Sole], rate: float) -> list[Foot]:
    """The feet over the frames of a clip, in world space.

    Args:
        skeleton: The armature's bones.
        clip: Its animation.
        soles: The soles of its feet.
        rate: Frames per second.
    """
    size = _size(clip)
    points = np.stack(
        [
            np.stack([_path(skeleton, clip, place.bone, place.offset) for place in sole.places], 1)
            for sole in soles
        ],
        axis=1,
    )
    feet = []
    for i, sole in enumerate(soles):
        hip, knee = (_path(skeleton, clip, bone) for bone in sole.bones[:2])
        feet.append(Foot(sole.name, points[:, i], np.zeros(3), knee, hip))
    scale = leg_scale(skeleton, clip, soles)
    # Contacts do not depend on clearances, which are found in them.
    found = clearances(points, find_contacts(feet, rate, scale), scale)
    measured = (sole.measured_clearance for sole in soles)
    return [
        replace(foot, clearance=above if known is None else size * np.array(known))
        for foot, above, known in zip(feet, found, measured, strict=True)
    ]


def leg_scale(skeleton: Skeleton, clip: Clip, soles: Sequence[Sole]) -> float:
    """Size of a character relative to one of 1.6 m, by its legs."""
    heads = skeleton.rest[:, :3, 3]
    chains = [heads[[skeleton.index[bone] for bone in sole.bones]] for sole in soles]
    return size_of_legs(chains) * _size(clip)


def size_of_legs(chains: Sequence[ArrayLike]) -> float:
    """Size of a character relative to one of 1.6 m, by the places of the joints of its legs."""
    lengths = [np.linalg.norm(np.diff(chain, axis=0), axis=1).sum() for chain in chains]
    return float(np.mean(lengths)) / LEG_LENGTH


def _size(clip: Clip) -> float:
    """Metres for a unit of the armature."""
    return float(np.mean(np.cbrt(np.abs(np.linalg.det(clip.world[:, :3, :3])))))


def _path(
    skeleton: Skeleton, clip: Clip, bone: str, offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> Floats:
    """World positions (f, 3) of a point fixed to a bone."""
    at = clip.pose[:, skeleton.index[bone]] @ np.array([*offset, 1.0])
    return np.asarray(np.einsum("fij,fj->fi", clip.world, at)[:, :3])


def _places(
    leg: str, foot: FootBones, stance: Stance, skeleton: Skeleton, points: Floats
) -> tuple[TipPlace, TipPlace, TipPlace]:
    """Points (3, 3) of a stance as places on the bones."""
    front = foot.toe or foot.foot
    rear = front if foot.on_point else foot.foot
    heel, ball, tip = (
        _place(stance, skeleton, f"{leg} {name}", bone, point)
        for name, bone, point in zip(POINT_NAMES, (rear, front, front), points, strict=True)
    )
    return heel, ball, tip


def _rim(
    leg: str, foot: FootBones, stance: Stance, skeleton: Skeleton, sole: MeasuredSole
) -> Iterator[TipPlace]:
    """The points at the sides of a sole as places on the bones."""
    front = foot.toe or foot.foot
    rear = front if foot.on_point else foot.foot
    for part, bone, corners in zip(
        (*POINT_NAMES, "arch"), (rear, front, front, rear), sole.rims, strict=True
    ):
        for number, point in enumerate(corners):
            yield _place(stance, skeleton, f"{leg} {part} rim {number}", bone, point)


def _place(stance: Stance, skeleton: Skeleton, name: str, bone: str, point: Floats) -> TipPlace:
    matrix = stance.pose[skeleton.index[bone]]
    x, y, z, _ = np.linalg.inv(matrix) @ np.array([*point, 1.0])
    return TipPlace(name, bone, (float(x), float(y), float(z)))
