"""The solver's settings back to their defaults."""

from __future__ import annotations

import bpy
import pytest

from ..builders.rigs import humanoid

CHANGED = {
    "scope": "SELECTED",
    "move_root": True,
    "use_limits": False,
    "read_constraints": True,
    "strategy": "EVOLUTION",
    "population": 30,
    "elites": 9,
    "evaluations": 5,
    "seed": 4,
    "displacement": 0.5,
    "smoothness": 0.0,
}


@pytest.mark.parametrize("name", CHANGED)
def test_every_setting_is_reset(name: str) -> None:
    rig = humanoid()
    bpy.context.view_layer.objects.active = rig
    solver = rig.bioik.solver
    before = getattr(solver, name)
    assert not bpy.ops.bioik.reset_solver.poll()
    setattr(solver, name, CHANGED[name])
    assert bpy.ops.bioik.reset_solver() == {"FINISHED"}
    assert getattr(solver, name) == before
    with pytest.raises(RuntimeError, match="already have their default values"):
        bpy.ops.bioik.reset_solver()


def test_every_setting_has_a_changed_value_here() -> None:
    known = {p.identifier for p in humanoid().bioik.solver.bl_rna.properties}
    assert known - {"rna_type", "name"} == set(CHANGED)
