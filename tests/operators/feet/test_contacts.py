"""The operators that find and edit contacts, and the storage of contacts.

Tests of: rig.legs.contact_store.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from blender_bioik.motion.feet import BALL, HEEL, TIP, Contact
from blender_bioik.properties.contact import feet_of
from blender_bioik.rig.blender import fcurves
from blender_bioik.rig.errors import RigError
from blender_bioik.rig.legs.contact_store import store_contacts, stored_contacts
from demo import character, walk

from ...builders.files import new_file
from ...builders.rigs import add_armature, add_chain, humanoid
from ...builders.snapshots import data_of, differences, file_data

FRAMES = np.arange(1, 51)
NAMES = ["leg.L", "leg.R"]
CONTACTS = [
    Contact(0, HEEL, 0, 10),
    Contact(0, BALL, 3, 15),
    Contact(0, BALL, 30, 45),
    Contact(1, TIP, 20, 50, slides=True),
]


def rows(settings: Any) -> list[tuple[str, str, int, int, bool]]:
    return [(c.foot, c.point, c.frame_start, c.frame_end, c.slides) for c in settings.contacts]


@pytest.fixture
def rig() -> bpy.types.Object:
    """A person with four contacts, the second one chosen."""
    made = humanoid()
    store_contacts(made.bioik.feet, CONTACTS, NAMES, FRAMES)
    made.bioik.feet.active_contact = 1
    return made


@pytest.fixture
def walker() -> bpy.types.Object:
    made = character.build(bpy.context.scene.collection)
    walk.animate(made)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = walk.FIRST_FRAME, walk.LAST_FRAME
    scene.render.fps = 24
    bpy.context.view_layer.objects.active = made
    return made


def test_stored_contacts_are_read_back(rig: bpy.types.Object) -> None:
    settings = rig.bioik.feet
    assert rows(settings)[1] == ("leg.L", "BALL", 4, 15, False)
    assert rows(settings)[3] == ("leg.R", "TIP", 21, 50, True)
    assert not settings.contacts_edited
    assert stored_contacts(settings, NAMES, FRAMES) == CONTACTS
    names = [contact.name for contact in settings.contacts]
    assert len(set(names)) == len(names)


def test_stored_contacts_are_cut_to_the_clip(rig: bpy.types.Object) -> None:
    found = stored_contacts(rig.bioik.feet, NAMES, np.arange(10, 31))
    assert found == [
        Contact(0, HEEL, 0, 1),
        Contact(0, BALL, 0, 6),
        Contact(1, TIP, 11, 21, slides=True),
    ]


def test_a_contact_ends_where_the_next_of_its_point_begins(rig: bpy.types.Object) -> None:
    settings = rig.bioik.feet
    settings.contacts[1].frame_end = 40
    balls = [c for c in stored_contacts(settings, NAMES, FRAMES) if c[:2] == (0, BALL)]
    assert balls == [Contact(0, BALL, 3, 30), Contact(0, BALL, 30, 45)]


def test_a_contact_of_a_foot_that_is_not_there_is_refused(rig: bpy.types.Object) -> None:
    rig.bioik.feet.contacts[2].foot = "front.L"
    with pytest.raises(RigError, match=r'from frame 31 to 45 is for the foot "front\.L"'):
        stored_contacts(rig.bioik.feet, NAMES, FRAMES)


@pytest.mark.parametrize(
    ("name", "value"),
    [("foot", "leg.R"), ("point", "TIP"), ("frame_start", 2), ("frame_end", 9), ("slides", True)],
)
def test_editing_a_contact_marks_them_as_edited(
    rig: bpy.types.Object, name: str, value: object
) -> None:
    setattr(rig.bioik.feet.contacts[1], name, value)
    assert rig.bioik.feet.contacts_edited


def test_no_contact_ends_before_it_starts(rig: bpy.types.Object) -> None:
    contact = rig.bioik.feet.contacts[1]
    contact.frame_start = 30
    assert (contact.frame_start, contact.frame_end) == (30, 30)
    contact.frame_end = 12
    assert (contact.frame_start, contact.frame_end) == (12, 12)


def test_contacts_are_saved_in_files(rig: bpy.types.Object, tmp_path: Path) -> None:
    rig.bioik.feet.contacts[0].slides = True
    before = rows(rig.bioik.feet)
    path = str(tmp_path / "contacts.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()
    bpy.ops.wm.open_mainfile(filepath=path)
    settings = bpy.data.objects["Rig"].bioik.feet
    assert rows(settings) == before
    assert settings.contacts_edited


def test_find_fills_the_list_and_changes_nothing_else(walker: bpy.types.Object) -> None:
    settings = walker.bioik.feet
    settings.contacts.add().foot = "old"
    bpy.context.scene.frame_set(17)
    before = file_data()
    assert bpy.ops.bioik.find_contacts() == {"FINISHED"}
    after = file_data()
    changed = differences(before, after)
    assert changed
    assert all("contact" in change for change in changed), changed
    assert not settings.contacts_edited
    balls = [row for row in rows(settings) if row[:2] == ("leg.L", "BALL")]
    true = [c for c in walk.contacts() if (c.side, c.point) == ("L", "ball")]
    assert len(balls) == len(true)
    for (_, _, first, last, slides), contact in zip(balls, true, strict=True):
        assert max(abs(first - contact.first), abs(last - contact.last)) <= 2
        assert not slides


def test_find_looks_only_at_the_given_frames(walker: bpy.types.Object) -> None:
    bpy.ops.bioik.find_contacts(frame_start=20, frame_end=60)
    frames = [(start, end) for _, _, start, end, _ in rows(walker.bioik.feet)]
    assert min(start for start, _ in frames) == 20
    assert max(end for _, end in frames) == 60


def test_found_contacts_of_a_clip_in_place_slide(walker: bpy.types.Object) -> None:
    for frame in (walk.FIRST_FRAME, walk.LAST_FRAME):
        bpy.context.scene.frame_set(frame)
        walker.location.y = -walker.pose.bones["hips"].matrix.translation.y
        walker.keyframe_insert("location", frame=frame)
    straighten(walker)
    bpy.ops.bioik.find_contacts()
    assert len(walker.bioik.feet.contacts) > 20
    assert all(contact.slides for contact in walker.bioik.feet.contacts)
    walker.bioik.feet.planting = "LOCKED"
    bpy.ops.bioik.find_contacts()
    assert not any(contact.slides for contact in walker.bioik.feet.contacts)


def straighten(walker: bpy.types.Object) -> None:
    container = fcurves.assigned_container(walker)
    assert container is not None
    for curve in container.fcurves:
        if curve.data_path == "location":
            for key in curve.keyframe_points:
                key.interpolation = "LINEAR"


def test_found_contacts_slide_if_feet_shall_follow_the_ground(walker: bpy.types.Object) -> None:
    walker.bioik.feet.planting = "FOLLOW"
    bpy.ops.bioik.find_contacts()
    assert len(walker.bioik.feet.contacts) > 20
    assert all(contact.slides for contact in walker.bioik.feet.contacts)


def test_a_known_floor_decides_which_feet_stand(walker: bpy.types.Object) -> None:
    settings = walker.bioik.feet
    settings.floor = "HEIGHT"
    bpy.ops.bioik.find_contacts()
    assert len(settings.contacts) > 20
    settings.floor_height = -1.0
    bpy.ops.bioik.find_contacts()
    assert len(settings.contacts) == 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"frame_start": 5, "frame_end": 5}, "Frames 5 to 5 are not a valid range"),
        ({"frame_start": 9, "frame_end": 5}, "Frames 9 to 5 are not a valid range"),
    ],
)
def test_find_refuses_arguments_that_are_no_clip(
    rig: bpy.types.Object, options: dict[str, int], sentence: str
) -> None:
    before = file_data()
    with pytest.raises(RuntimeError, match=sentence):
        bpy.ops.bioik.find_contacts(**options)
    assert differences(before, file_data()) == []


def test_find_refuses_an_armature_without_legs() -> None:
    made = add_armature()
    add_chain(made, 3)
    before = data_of(made)
    with pytest.raises(RuntimeError, match="No legs were detected"):
        bpy.ops.bioik.find_contacts()
    assert differences(before, data_of(made)) == []


def test_add_puts_a_contact_of_the_same_foot_behind_the_active_one(rig: bpy.types.Object) -> None:
    bpy.context.scene.frame_set(20)
    assert bpy.ops.bioik.add_contact(frames=5) == {"FINISHED"}
    settings = rig.bioik.feet
    assert rows(settings)[2] == ("leg.L", "BALL", 20, 24, False)
    assert (len(settings.contacts), settings.active_contact) == (5, 2)
    assert settings.contacts_edited


def test_add_takes_the_foot_and_point_it_is_given(rig: bpy.types.Object) -> None:
    bpy.ops.bioik.add_contact(foot="leg.R", point="HEEL")
    assert rows(rig.bioik.feet)[2][:2] == ("leg.R", "HEEL")
    with pytest.raises(
        RuntimeError, match=r'no foot or other part "paw": choose one of leg\.L, leg\.R'
    ):
        bpy.ops.bioik.add_contact(foot="paw")
    assert len(rig.bioik.feet.contacts) == 5


def test_add_is_refused_without_legs() -> None:
    made = add_armature()
    add_chain(made, 3)
    with pytest.raises(RuntimeError, match=r'No legs were detected in "Rig".*Body Parts'):
        bpy.ops.bioik.add_contact()
    assert not made.bioik.feet.contacts


def test_without_an_active_contact_editing_asks_to_select_one(rig: bpy.types.Object) -> None:
    rig.bioik.feet.active_contact = 17
    before = rows(rig.bioik.feet)
    with pytest.raises(RuntimeError, match="Select a contact in the list"):
        bpy.ops.bioik.remove_contact()
    assert rows(rig.bioik.feet) == before


def test_the_first_contact_is_of_the_first_foot() -> None:
    made = humanoid()
    bpy.ops.bioik.add_contact()
    assert [row[0] for row in rows(made.bioik.feet)] == ["leg.L"]
    assert made.bioik.feet.active_contact == 0


def test_remove_takes_the_active_contact_away(rig: bpy.types.Object) -> None:
    settings = rig.bioik.feet
    before = rows(settings)
    bpy.ops.bioik.remove_contact()
    assert rows(settings) == [before[0], *before[2:]]
    assert settings.contacts_edited
    settings.active_contact = 2
    bpy.ops.bioik.remove_contact()
    assert settings.active_contact == 1


def test_split_makes_two_of_one(rig: bpy.types.Object) -> None:
    settings = rig.bioik.feet
    settings.contacts[1].slides = True
    before = rows(settings)
    bpy.context.scene.frame_set(9)
    assert bpy.ops.bioik.split_contact() == {"FINISHED"}
    halves = [("leg.L", "BALL", 4, 8, True), ("leg.L", "BALL", 9, 15, True)]
    assert rows(settings) == [before[0], *halves, *before[2:]]
    assert settings.active_contact == 2


@pytest.mark.parametrize("frame", [4, 16])
def test_split_needs_a_frame_inside(rig: bpy.types.Object, frame: int) -> None:
    bpy.context.scene.frame_set(frame)
    assert not bpy.ops.bioik.split_contact.poll()
    with pytest.raises(RuntimeError, match="Go to a frame inside the contact"):
        bpy.ops.bioik.split_contact()
    assert rows(rig.bioik.feet)[1][2:4] == (4, 15)


@pytest.mark.parametrize(
    ("end", "frames", "wanted"),
    [
        ("BOTH", 30, (34, 45)),
        ("BOTH", -30, (-26, -15)),
        ("START", 11, (15, 15)),
        ("START", -5, (-1, 15)),
        ("END", 3, (4, 18)),
        ("END", -11, (4, 4)),
    ],
)
def test_move_shifts_both_ends_or_one(
    rig: bpy.types.Object, end: str, frames: int, wanted: tuple[int, int]
) -> None:
    assert bpy.ops.bioik.move_contact(frames=frames, end=end) == {"FINISHED"}
    assert rows(rig.bioik.feet)[1][2:4] == wanted
    assert rig.bioik.feet.contacts_edited


@pytest.mark.parametrize(("end", "frames"), [("START", 12), ("END", -12)])
def test_move_refuses_to_turn_a_contact_around(
    rig: bpy.types.Object, end: str, frames: int
) -> None:
    with pytest.raises(RuntimeError, match="would start at"):
        bpy.ops.bioik.move_contact(frames=frames, end=end)
    assert rows(rig.bioik.feet)[1][2:4] == (4, 15)
    assert not rig.bioik.feet.contacts_edited


@pytest.mark.parametrize("name", ["remove_contact", "split_contact", "move_contact"])
def test_editing_needs_a_contact(name: str) -> None:
    humanoid()
    with pytest.raises(RuntimeError, match="has no contacts: detect or add some first"):
        getattr(bpy.ops.bioik, name)()


def test_without_an_armature_the_buttons_give_that_reason() -> None:
    for name in ("find_contacts", "add_contact", "remove_contact"):
        with pytest.raises(RuntimeError, match="Select an armature"):
            getattr(bpy.ops.bioik, name)()


def test_the_feet_of_the_rig_are_offered_for_a_contact(rig: bpy.types.Object) -> None:
    contact = rig.bioik.feet.contacts[0]
    assert feet_of(contact, bpy.context, "")[:2] == ["leg.L", "leg.R"]
    assert feet_of(contact, bpy.context, "kn") == ["knee.L", "knee.R"]
    assert feet_of(contact, bpy.context, "leg.R") == ["leg.R"]
    choice = rig.bioik.slots.add()
    choice.name, choice.bone = "foot.L", "nowhere"
    assert feet_of(contact, bpy.context, "") == []  # the Rig panel says what is wrong
