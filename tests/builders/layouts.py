"""A layout that records what is drawn, and accepts only what Blender's own accepts.

Blender makes no `UILayout` without a window. Calls of this one are checked against
Blender's description of its own: names of functions, arguments and icons, properties of
what is shown, and names of operators, lists and menus.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy

FUNCTIONS = bpy.types.UILayout.bl_rna.functions
LAYOUTS = ("row", "column", "split", "box")
ICONS = {item.identifier for item in FUNCTIONS["label"].parameters["icon"].enum_items}


class Layout:
    """Notes calls in `calls`, which layouts inside share: (function, arguments, layout)."""

    def __init__(self, parent: Layout | None = None) -> None:
        self.__dict__["calls"] = [] if parent is None else parent.calls
        self.__dict__["parent"] = parent
        self.__dict__["state"] = {}

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in bpy.types.UILayout.bl_rna.properties, name
        self.state[name] = value

    def __getattr__(self, name: str) -> Any:
        function = FUNCTIONS[name]
        inputs = [p.identifier for p in function.parameters if not p.is_output]

        def call(*values: Any, **named: Any) -> Any:
            given = dict(zip(inputs, values, strict=False)) | named
            assert len(values) <= len(inputs)
            assert set(given) <= set(inputs), f"{name}: {set(given) - set(inputs)}"
            assert given.get("icon", "NONE") in ICONS, given["icon"]
            check(name, given)
            self.calls.append((name, given, self))
            if name == "operator":
                return operator_properties(given["operator"])
            return Layout(self) if name in LAYOUTS else None

        return call

    def named(self, *functions: str) -> list[dict[str, Any]]:
        """Arguments of the calls of some functions, in order."""
        return [given for name, given, _ in self.calls if name in functions]

    def properties(self) -> list[str]:
        """Names of the properties that are shown, in order."""
        return [given["property"] for given in self.named("prop", "prop_search")]

    def operators(self) -> list[str]:
        """Names of the operators that have a button, in order."""
        return [given["operator"] for given in self.named("operator", "operator_menu_enum")]

    def labels(self) -> list[str]:
        """The drawn texts, in order."""
        return [given["text"] for given in self.named("label")]

    def is_active(self, name: str) -> bool:
        """Whether a property is shown as one that matters now."""
        return all(at.state.get("active", True) for at in self._layouts_of(name))

    def is_red(self, name: str) -> bool:
        """Whether a property is shown as one that is wrong."""
        return any(at.state.get("alert", False) for at in self._layouts_of(name))

    def _layouts_of(self, name: str) -> list[Layout]:
        """The layout in which a property is shown, and those around it."""
        found = [next(at for _, given, at in self.calls if given.get("property") == name)]
        while found[-1].parent is not None:
            found.append(found[-1].parent)
        return found


def check(name: str, given: dict[str, Any]) -> None:
    """Refuse what names something that is not there."""
    if name in ("prop", "prop_search"):
        assert given["property"] in given["data"].bl_rna.properties
    if name == "prop_search":
        assert given["search_property"] in given["search_data"].bl_rna.properties
    if name == "template_list":
        assert issubclass(getattr(bpy.types, given["listtype_name"]), bpy.types.UIList)
        assert given["propname"] in given["dataptr"].bl_rna.properties
        assert given["active_propname"] in given["active_dataptr"].bl_rna.properties
    if name == "menu":
        assert issubclass(getattr(bpy.types, given["menu"]), bpy.types.Menu)
    if name == "operator_menu_enum":
        assert hasattr(operator_properties(given["operator"]), given["property"])


def operator_properties(name: str) -> Any:
    """Something that takes an operator's properties, and no others."""
    module, function = name.split(".")
    known = getattr(getattr(bpy.ops, module), function).get_rna_type().properties
    return OperatorProperties({prop.identifier: None for prop in known})


class OperatorProperties:
    """Has the properties of an operator only."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.__dict__.update(known)

    def __setattr__(self, name: str, value: Any) -> None:
        assert name in self.__dict__, name
        self.__dict__[name] = value


def is_shown(cls: type[Any]) -> bool:
    """Whether Blender draws a panel now: it asks those inside another one only if that is drawn."""
    parent = getattr(bpy.types, getattr(cls, "bl_parent_id", ""), None)
    asked = getattr(cls, "poll", lambda _context: True)
    return (parent is None or is_shown(parent)) and bool(asked(bpy.context))


def drawn(cls: type[Any], function: str = "draw") -> Layout:
    """What a panel or menu shows in Blender's present state."""
    layout = Layout()
    getattr(cls, function)(SimpleNamespace(layout=layout), bpy.context)
    return layout


def drawn_item(cls: type[Any], data: Any, item: Any) -> Layout:
    """What a list shows of an item."""
    layout = Layout()
    cls.draw_item(None, bpy.context, layout, data, item, 0, data, "")
    return layout
