"""glTF files as data: clips without a skin, and a character's file with the animation of another.

Blender's importer makes an armature only of nodes that a skin names. So a skin is added to the
animated nodes of a file that has none, or its animations are put into the file of a character.
"""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from ..errors import RigError

MAGIC, VERSION = b"glTF", 2
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
FLOAT = 5126  # the component type of float accessors
NOT_BONES = ("mesh", "camera")

Matrix = NDArray[np.float64]


@dataclass(eq=False)
class GltfFile:
    """A glTF file.

    Attributes:
        path: Where it was read.
        tree: Its JSON, whose only buffer is `binary`.
        binary: All binary data.
    """

    path: Path
    tree: dict[str, Any]
    binary: bytes

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """Its nodes."""
        return list(self.tree.get("nodes", []))

    @property
    def is_skinned(self) -> bool:
        """Whether it has a skin, and so an armature."""
        return bool(self.tree.get("skins"))

    def animated_nodes(self) -> set[int]:
        """Numbers of the nodes that its animations move."""
        return {
            channel["target"]["node"]
            for animation in self.tree.get("animations", [])
            for channel in animation.get("channels", [])
            if "node" in channel.get("target", {})
        }


def read_gltf(path: Path) -> GltfFile:
    """Read a .glb, .gltf or .vrm file with all its buffers.

    Raises:
        RigError: It is no glTF file, or a buffer is missing.
    """
    try:
        content = path.read_bytes()
        tree, own = _chunks(content) if content[:4] == MAGIC else (json.loads(content), b"")
        return _with_one_buffer(GltfFile(path, tree, own))
    except (OSError, ValueError, KeyError, IndexError, TypeError, struct.error) as error:
        raise RigError(f'"{path}" is not a complete glTF file.') from error


def write_glb(file: GltfFile, path: Path) -> None:
    """Write a file as .glb."""
    text = json.dumps(file.tree).encode()
    text += b" " * (-len(text) % 4)
    binary = file.binary + b"\0" * (-len(file.binary) % 4)
    length = 12 + 8 + len(text) + 8 + len(binary)
    with path.open("wb") as out:
        out.write(MAGIC + struct.pack("<II", VERSION, length))
        out.write(struct.pack("<II", len(text), JSON_CHUNK) + text)
        out.write(struct.pack("<II", len(binary), BINARY_CHUNK) + binary)


def add_skin(file: GltfFile) -> None:
    """Let the animated nodes of a file without a skin, and what is below them, be bones.

    Raises:
        RigError: Nothing in it is animated.
    """
    parents = _parents(file)
    moved = file.animated_nodes()
    if not moved:
        raise RigError(f'"{file.path}" contains no armature: choose a file with a character.')
    joints = [
        node
        for node in range(len(file.nodes))
        if not any(kind in file.nodes[node] for kind in NOT_BONES)
        and any(above in moved for above in _line(parents, node))
    ]
    binds = np.stack([np.linalg.inv(_world(file, parents, node)) for node in joints])
    # Matrices are stored by columns.
    data = binds.transpose(0, 2, 1).astype("<f4").tobytes()
    file.tree.setdefault("bufferViews", []).append(
        {"buffer": 0, "byteOffset": len(file.binary), "byteLength": len(data)}
    )
    file.binary += data
    _one_buffer(file)
    file.tree.setdefault("accessors", []).append(
        {
            "bufferView": len(file.tree["bufferViews"]) - 1,
            "componentType": FLOAT,
            "count": len(joints),
            "type": "MAT4",
        }
    )
    file.tree["skins"] = [
        {"joints": joints, "inverseBindMatrices": len(file.tree["accessors"]) - 1}
    ]


def take_animations(character: GltfFile, clip: GltfFile) -> None:
    """Replace the animations of a character's file by those of a clip with the same skeleton.

    Raises:
        RigError: A node that the clip moves is not in the character's file.
    """
    names = {node.get("name"): number for number, node in enumerate(character.nodes)}
    moved = {number: clip.nodes[number].get("name") for number in clip.animated_nodes()}
    if not moved:
        raise RigError(f'"{clip.path}" contains no animation: choose a file with a clip.')
    missing = sorted(str(name) for name in moved.values() if name not in names)
    if missing:
        raise RigError(
            f'"{character.path}" has no bone "{missing[0]}", which "{clip.path.name}" moves: '
            "choose a character with the same skeleton."
        )
    views = len(character.tree.setdefault("bufferViews", []))
    accessors = len(character.tree.setdefault("accessors", []))
    character.binary += b"\0" * (-len(character.binary) % 4)
    start = len(character.binary)
    character.binary += clip.binary
    _one_buffer(character)
    for view in clip.tree.get("bufferViews", []):
        moved_view = view | {"byteOffset": view.get("byteOffset", 0) + start}
        character.tree["bufferViews"].append(moved_view)
    for accessor in clip.tree.get("accessors", []):
        character.tree["accessors"].append(_moved_accessor(accessor, views))
    character.tree["animations"] = [
        _moved_animation(animation, accessors, {n: names[name] for n, name in moved.items()})
        for animation in clip.tree["animations"]
    ]


def _moved_accessor(accessor: dict[str, Any], views: int) -> dict[str, Any]:
    """An accessor whose buffer views have higher numbers."""
    found = dict(accessor)
    if "bufferView" in found:
        found["bufferView"] += views
    if "sparse" in found:
        found["sparse"] = {
            key: value | {"bufferView": value["bufferView"] + views}
            if isinstance(value, dict)
            else value
            for key, value in found["sparse"].items()
        }
    return found


def _moved_animation(
    animation: dict[str, Any], accessors: int, nodes: dict[int, int]
) -> dict[str, Any]:
    """An animation whose accessors have higher numbers, and nodes others."""
    samplers = [
        sampler | {key: sampler[key] + accessors for key in ("input", "output")}
        for sampler in animation["samplers"]
    ]
    channels = [
        channel | {"target": channel["target"] | {"node": nodes[channel["target"]["node"]]}}
        for channel in animation["channels"]
        if "node" in channel["target"]
    ]
    return animation | {"samplers": samplers, "channels": channels}


def _chunks(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary data of a .glb file."""
    at, tree, binary = 12, None, b""
    while at < len(content):
        length, kind = struct.unpack_from("<II", content, at)
        chunk = content[at + 8 : at + 8 + length]
        if kind == JSON_CHUNK:
            tree = json.loads(chunk)
        elif kind == BINARY_CHUNK:
            binary = chunk
        at += 8 + length
    if tree is None:
        raise ValueError("no JSON")
    return tree, binary


def _with_one_buffer(file: GltfFile) -> GltfFile:
    """The same file with all buffers and images in its binary data, or in its JSON."""
    joined, starts = b"", []
    for buffer in file.tree.get("buffers", []):
        joined += b"\0" * (-len(joined) % 4)
        starts.append(len(joined))
        data = _at(file.path, buffer["uri"]) if "uri" in buffer else file.binary
        joined += data[: buffer["byteLength"]]
    for view in file.tree.get("bufferViews", []):
        view["byteOffset"] = view.get("byteOffset", 0) + starts[view["buffer"]]
        view["buffer"] = 0
    for image in file.tree.get("images", []):
        if "uri" in image and not image["uri"].startswith("data:"):
            image["uri"] = (file.path.parent / unquote(image["uri"])).absolute().as_posix()
    found = GltfFile(file.path, file.tree, joined)
    _one_buffer(found)
    return found


def _one_buffer(file: GltfFile) -> None:
    """Let the file's only buffer have the length of its binary data."""
    file.tree["buffers"] = [{"byteLength": len(file.binary)}]


def _at(path: Path, uri: str) -> bytes:
    """What a file refers to: data of its own, or a file beside it."""
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return (path.parent / unquote(uri)).read_bytes()


def _parents(file: GltfFile) -> dict[int, int]:
    """The parent of each node that has one."""
    return {
        child: number
        for number, node in enumerate(file.nodes)
        for child in node.get("children", [])
    }


def _line(parents: dict[int, int], node: int) -> Iterator[int]:
    """A node and all above it."""
    yield node
    while node in parents:
        node = parents[node]
        yield node


def _world(file: GltfFile, parents: dict[int, int], node: int) -> Matrix:
    """Where a node is before it is animated; (4, 4)."""
    found = np.eye(4)
    for above in _line(parents, node):
        found = _local(file.nodes[above]) @ found
    return found


def _local(node: dict[str, Any]) -> Matrix:
    """A node's place in its parent; (4, 4)."""
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    found = np.eye(4)
    found[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)), float)
    found[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return found
