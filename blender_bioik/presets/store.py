"""Where presets are: those that come with the extension, and a folder of the user's own."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..goal_types import registry
from .errors import PresetError
from .preset import KINDS, Preset
from .read import checked_name, preset_from_file, printable

BUNDLED = Path(__file__).parent
SUFFIX = ".json"


@dataclass(frozen=True)
class Entry:
    """An entry of a menu.

    Attributes:
        name: The preset's name, or the file's name if it cannot be used.
        path: The file.
        preset: What is in it, None if it cannot be used.
        problem: A sentence why, "" if it can.
        bundled: Whether it comes with the extension, and cannot be removed.
    """

    name: str
    path: Path
    preset: Preset | None
    problem: str
    bundled: bool


@dataclass(frozen=True)
class Store:
    """Bundled presets and those in a folder, which need not be there."""

    folder: Path

    def entries(self, kind: str) -> list[Entry]:
        """Presets of a kind by name, the bundled ones first; files that cannot be used last."""
        own = [
            entry
            for entry in _entries(self.folder, bundled=False)
            if entry.preset is None or entry.preset.kind == kind
        ]
        own.sort(key=lambda entry: (entry.preset is None, entry.name.casefold()))
        bundled = [e for e in bundled_presets() if e.preset is not None and e.preset.kind == kind]
        return [*bundled, *own]

    def entry(self, kind: str, name: str) -> Entry:
        """The preset of a kind with a name.

        Raises:
            PresetError: There is none.
        """
        for entry in self.entries(kind):
            if entry.name == name:
                return entry
        raise PresetError(f'There is no preset "{name}": choose another one.')

    def load(self, kind: str, name: str) -> Preset:
        """The preset of a kind with a name.

        Raises:
            PresetError: There is none, or its file cannot be used.
        """
        entry = self.entry(kind, name)
        if entry.preset is None:
            raise PresetError(entry.problem)
        return entry.preset

    def find(self, word: str) -> Preset:
        """The preset that a word on the command line means: a .json file, or a name of any kind.

        Raises:
            PresetError: There is none, or it cannot be used.
        """
        if word.lower().endswith(SUFFIX):
            return preset_from_file(Path(word))
        entries = [entry for kind in KINDS for entry in self.entries(kind)]
        for entry in entries:
            if word.casefold() in (entry.name.casefold(), entry.path.stem):
                if entry.preset is None:
                    raise PresetError(entry.problem)
                return entry.preset
        names = ", ".join(entry.name for entry in entries if entry.preset is not None)
        raise PresetError(f'There is no preset "{word}": choose one of {names}.')

    def has_own(self, kind: str, name: str) -> bool:
        """Whether the user has a preset of that name already."""
        return any(e.name == name and not e.bundled and e.preset for e in self.entries(kind))

    def save(self, preset: Preset) -> Path:
        """Keep a preset in the user's folder, in place of one that has the same name.

        Raises:
            PresetError: The name is none, or a bundled preset's, or the file cannot be written.
        """
        try:
            checked_name(preset.name)
        except PresetError as error:
            raise PresetError(f'"{preset.name}" is not a valid preset name: {error}.') from error
        for entry in self.entries(preset.kind):
            if entry.bundled and entry.name.casefold() == preset.name.casefold():
                raise PresetError(f'"{entry.name}" is bundled with Bio-IK: choose another name.')
        path = self._path(preset)
        write_preset(preset, path)
        return path

    def remove(self, kind: str, name: str) -> None:
        """Delete one of the user's presets.

        Raises:
            PresetError: There is none, it comes with the extension, or it cannot be deleted.
        """
        entry = self.entry(kind, name)
        if entry.bundled:
            raise PresetError(f'"{name}" is bundled with Bio-IK and cannot be removed.')
        try:
            entry.path.unlink()
        except OSError as error:
            raise PresetError(
                f'"{printable(entry.path)}" cannot be removed ({error.strerror}): '
                "check its folder's permissions."
            ) from error

    def _path(self, preset: Preset) -> Path:
        """The file of a preset: the one that has its name, or a new one."""
        for entry in self.entries(preset.kind):
            if entry.preset and entry.name == preset.name:
                return entry.path
        # Only letters, numbers and "_" of a name get into a path.
        stem = "".join(c if c.isalnum() else "_" for c in preset.name.lower())
        stems = (f"{stem}_{number}" if number else stem for number in range(10_000))
        paths = (self.folder / f"{preset.kind.lower()}_{stem}{SUFFIX}" for stem in stems)
        return next(path for path in paths if not path.exists())


def bundled_presets() -> list[Entry]:
    """Presets of all kinds that come with the extension, by file name."""
    return list(_entries(BUNDLED, bundled=True))


def write_preset(preset: Preset, path: Path) -> None:
    """Write a preset's file, completely or not at all.

    Raises:
        PresetError: It cannot be written; names the file.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(preset.to_json(), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise PresetError(
            f'"{path}" cannot be written ({error.strerror}): '
            "check its folder's permissions, or choose another folder."
        ) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _entries(folder: Path, *, bundled: bool) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as found:
            files = [f for f in found if f.name.endswith(SUFFIX) and not f.name.startswith(".")]
    except OSError:
        return  # there is none yet, or it cannot be seen: there is nothing to show
    for file in sorted(files, key=lambda file: file.name):
        # Links may lead nowhere, or in a circle.
        with contextlib.suppress(OSError):
            if file.is_file():
                known = file.stat()
                yield _entry(Path(file.path), known.st_mtime_ns, known.st_size, bundled)


@lru_cache(maxsize=512)
def _entry(path: Path, _changed: int, _size: int, bundled: bool) -> Entry:
    """The contents of a file; cached until it changes, because menus redraw often."""
    try:
        preset = preset_from_file(path)
    except PresetError as error:
        return Entry(printable(Path(path.name)), path, None, str(error), bundled)
    return Entry(preset.name, path, preset, "", bundled)


# Valid contents depend on the available goal types.
registry.LISTENERS.append(_entry.cache_clear)
