"""Sources whose noise is smoothed."""

from __future__ import annotations

import bpy
import numpy as np

from blender_bioik.rig.reading import drained
from blender_bioik.rig.source.options import BakeOptions
from blender_bioik.rig.source.read_source import read_source
from blender_bioik.rig.source.smoothed_source import smoothed_source

from ...builders.bakes import waving


def test_chosen_bones_become_smooth_and_others_stay() -> None:
    rig = waving()
    options = BakeOptions(frame_start=1, frame_end=30)
    source = drained(read_source(bpy.context.scene, rig, options))
    bone = source.skeleton.names[0]
    noise = 0.002 * np.random.default_rng(1).normal(size=source.clip.location[:, 0].shape)
    source.clip.location[:, 0] += noise
    found = smoothed_source(source, [bone], 0.1)
    before, after = (each.clip.location[:, 0] for each in (source, found))
    assert np.diff(after, n=3, axis=0).std() < 0.1 * np.diff(before, n=3, axis=0).std()
    np.testing.assert_allclose(np.linalg.norm(found.clip.rotation, axis=-1), 1.0, atol=1e-6)
    np.testing.assert_array_equal(found.clip.location[:, 1:], source.clip.location[:, 1:])
    np.testing.assert_array_equal(found.clip.rotation[:, 1:], source.clip.rotation[:, 1:])
    moved = found.clip.pose[:, 0, :3, 3] - source.clip.pose[:, 0, :3, 3]
    assert np.abs(moved).max() > 0.0005


def test_nothing_is_changed_unless_it_is_asked_for() -> None:
    source = drained(
        read_source(bpy.context.scene, waving(), BakeOptions(frame_start=1, frame_end=9))
    )
    assert smoothed_source(source, source.skeleton.names, 0.0) is source
