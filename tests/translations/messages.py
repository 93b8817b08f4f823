"""All words that Blender shows of us, by context: what a catalogue has to translate.

python -m tests.translations.messages    what the German catalogue lacks, and what it has in vain
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import bpy

import blender_bioik
from blender_bioik import registration
from blender_bioik.goal_types import goal_type
from blender_bioik.rig.mapping.mapping import Mapping
from blender_bioik.rig.mapping.parts import body_parts
from blender_bioik.translations import OWN

PACKAGE = Path(blender_bioik.__file__).parent
# Where strings that begin as sentences and names do are shown. Those of rig/ are English.
SHOWN = ("operators", "panels", "properties", "overlay", "ui_state", "warm_up_note.py")
SENTENCE = re.compile(r'["{]?[A-Z{][a-z}"].*|[A-Z]+, .*')
WORDS = re.compile(r"[A-Z][a-z]+ |[a-z]{2,} [a-z]{2,}")
# Calls whose first argument is translated, whatever it looks like.
GETTEXT = re.compile(r"(pgettext|iface_|rpt_|tip_|n_)\w*")
ANY, OPERATOR = "*", "Operator"
# Properties of every group, which Blender names itself.
OF_BLENDER = bpy.types.PropertyGroup.bl_rna.properties.keys()

Message = tuple[str, str]
"""Context and text."""


def messages() -> set[Message]:
    """Everything to be translated; the extension must be registered."""
    found = {*_of_classes(), *_of_presets(), *_of_body_parts(), *_of_unknown_goals()}
    # What classes show in a context of ours is in their sources too.
    found |= {(context, text) for context, text in _of_sources() if (OWN, text) not in found}
    return {(context, text) for context, text in found if len(text) > 1}  # X is X everywhere


def glued() -> list[str]:
    """Words inside f-strings, which nobody can translate, with where they are."""
    found = []
    for path, tree in _sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                words = [text for text in _texts(node.values) if WORDS.search(text)]
                found += [f"{path.name}:{node.lineno}: {text}" for text in words]
    return found


def missing_and_vain(catalogue: dict[str, dict[str, str]]) -> tuple[list[Message], list[Message]]:
    """What a catalogue lacks, and what it translates although nothing shows it."""
    translated = {(context, text) for context, texts in catalogue.items() for text in texts}
    wanted = messages()
    return sorted(wanted - translated), sorted(translated - wanted)


def _of_classes() -> Iterator[Message]:
    """Labels and tooltips, as Blender has them."""
    for cls in registration.CLASSES:
        if issubclass(cls, bpy.types.Operator):
            rna = getattr(bpy.ops.bioik, cls.bl_idname.partition(".")[2]).get_rna_type()
            yield OPERATOR, cls.bl_label
            yield ANY, rna.description
        else:
            rna = cls.bl_rna
            if issubclass(cls, (bpy.types.Panel, bpy.types.Menu)):
                yield getattr(cls, "bl_translation_context", ANY), cls.bl_label
                yield ANY, cls.__doc__ or ""
        own = {
            name
            for base in cls.__mro__
            if base.__module__.startswith("blender_bioik")
            for name in getattr(base, "__annotations__", ())
        }
        for property_ in rna.properties:
            if property_.identifier in own and property_.identifier not in OF_BLENDER:
                yield from _of_property(property_)


def _of_property(property_: Any) -> Iterator[Message]:
    for named in (property_, *getattr(property_, "enum_items_static", ())):
        yield property_.translation_context, named.name
        yield ANY, named.description


def _of_sources() -> Iterator[Message]:
    """Words in the sources, such as texts of labels, reports and reasons."""
    for _, tree in _sources():
        yield from _of_texts(tree)
        silent = _unshown(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and GETTEXT.fullmatch(_called(node)):
                yield from ((ANY, text) for text in _texts(node.args[:1]))
            if isinstance(node, ast.Constant) and node not in silent:
                yield from ((ANY, text) for text in _texts([node]) if SENTENCE.match(text))


def _sources() -> Iterator[tuple[Path, ast.Module]]:
    for name in SHOWN:
        place = PACKAGE / name
        for path in place.rglob("*.py") if place.is_dir() else [place]:
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def _of_texts(tree: ast.AST) -> Iterator[Message]:
    """Texts with a context: Blender looks for those of buttons among the names of operators."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (context := _context(node)) != ANY:
            texts = [word.value for word in node.keywords if word.arg == "text"]
            yield from ((context, text) for text in _texts(texts))


def _context(call: ast.Call) -> str:
    named = {word.arg: word.value for word in call.keywords}
    if getattr(named.get("text_ctxt"), "id", "") == "OWN":
        return OWN
    return OPERATOR if _called(call).startswith("operator") else ANY


def _of_presets() -> Iterator[Message]:
    """Names of the bundled presets, which are buttons, and their tooltips."""
    for path in (PACKAGE / "presets").glob("*.json"):
        preset = json.loads(path.read_text(encoding="utf-8"))
        yield OPERATOR, preset["name"]
        yield ANY, preset["description"]


def _of_body_parts() -> Iterator[Message]:
    return ((ANY, part.label) for part in body_parts(Mapping("structure", 0.0, {})))


def _of_unknown_goals() -> Iterator[Message]:
    unknown = goal_type("")
    return ((ANY, text) for text in (unknown.label, unknown.description))


def _unshown(tree: ast.AST) -> set[ast.AST]:
    """Strings that nobody reads in Blender: docstrings, types, parts of others."""
    silent: set[ast.AST] = set()
    for node in ast.walk(tree):
        inside: list[ast.AST | None] = []
        if isinstance(node, ast.Assert | ast.JoinedStr | ast.Expr):
            # Of statements that are expressions, docstrings are strings and calls are not.
            inside = [node] if not isinstance(getattr(node, "value", None), ast.Call) else []
        elif isinstance(node, ast.FunctionDef):
            inside = [node.returns, *(argument.annotation for argument in node.args.args)]
        elif isinstance(node, ast.Assign) and _assigned(node) & {"bl_label", "__all__"}:
            inside = [node.value]
        elif isinstance(node, ast.AnnAssign) and not isinstance(node.annotation, ast.Call):
            inside = [node.annotation]
        elif isinstance(node, ast.Call) and _context(node) != ANY:
            inside = [word for word in node.keywords if word.arg == "text"]
        for part in inside:
            silent.update(ast.walk(part) if part is not None else ())
    return silent


def _texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
            yield node.value


def _assigned(node: ast.Assign) -> set[str]:
    return {target.id for target in node.targets if isinstance(target, ast.Name)}


def _called(node: ast.Call) -> str:
    """The name of a called function, without its module or object."""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


if __name__ == "__main__":
    blender_bioik.register()
    path = PACKAGE / "translations" / "de.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for sign, found in zip("+-", missing_and_vain(known), strict=True):
        for context, text in found:
            print(f"{sign} {context:8} {json.dumps(text, ensure_ascii=False)}")
    blender_bioik.unregister()
