"""Every operator and its properties have a description as in Blender."""

from __future__ import annotations

import bpy
import pytest

from blender_bioik import registration

SMALL = ("as", "from", "to", "with")
OPERATORS = [cls for cls in registration.CLASSES if issubclass(cls, bpy.types.Operator)]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda cls: cls.bl_idname)
def test_everything_is_described_as_blender_does(operator: type[bpy.types.Operator]) -> None:
    module, name = operator.bl_idname.split(".")
    described = getattr(getattr(bpy.ops, module), name).get_rna_type()
    own = [p for p in described.properties if p.identifier in operator.__annotations__]
    for item in [described, *(p for p in own if "HIDDEN" not in p.tags and not p.is_hidden)]:
        assert item.description
        assert not item.description.endswith(".")
        words = item.name.split()
        assert [w for w in words if not w[0].isupper()] == [w for w in words[1:] if w in SMALL]
