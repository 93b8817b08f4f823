"""Build the extension's zips and have Blender's own tool validate them.

    python scripts/build_extension.py                         one zip for each platform, into dist/
    python scripts/build_extension.py --platform linux-x64    that platform's alone
    python scripts/build_extension.py --no-wheels             one small zip for all, without wheels

A zip holds the package, the manifest, the licence, and scipy, numba and llvmlite as wheels for
each Python that Blender has on that platform. The Python that runs this must have a bpy wheel,
for the tool is taken from there; `--blender-ext` names another one.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "blender_bioik"
MANIFEST = ROOT / "blender_manifest.toml"
STAGE = ROOT / "build" / "extension"


@dataclass(frozen=True)
class Platform:
    """A platform of Blender, with the tags of its wheels.

    Attributes:
        tags: Platform tags of compatible wheels for pip: for the oldest systems that both
            Blender (glibc 2.28, macOS 11.2) and numba (macOS 12 on Apple's processors) run on.
        pythons: Versions of Python in the Blenders that we support there.
        version_max: First Blender version that dropped the platform, if there is one.
    """

    tags: tuple[str, ...]
    pythons: tuple[str, ...] = ("3.11", "3.13")
    version_max: str | None = None


PLATFORMS = {
    "linux-x64": Platform(
        ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "manylinux2014_x86_64")
    ),
    "windows-x64": Platform(("win_amd64",)),
    "macos-arm64": Platform(("macosx_12_0_arm64",)),
    "macos-x64": Platform(("macosx_11_0_x86_64",), pythons=("3.11",), version_max="5.0.0"),
}


def main(arguments: Iterable[str] | None = None) -> int:
    """Build the requested zips; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--platform", choices=PLATFORMS, action="append", help="default: all")
    parser.add_argument("--no-wheels", action="store_true", help="one small zip for all platforms")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="folder of the zips")
    parser.add_argument("--stage", type=Path, default=STAGE, help="folder to collect files in")
    parser.add_argument("--blender-ext", type=Path, help="Blender's blender_ext.py")
    chosen = parser.parse_args(None if arguments is None else list(arguments))
    tool = chosen.blender_ext or blender_tool()
    if tool is None:
        print("No bpy wheel here to take blender_ext.py from; run `make test` first.")
        return 1
    output: Path = chosen.output
    output.mkdir(parents=True, exist_ok=True)
    for platform in [None] if chosen.no_wheels else chosen.platform or PLATFORMS:
        built = build(tool, platform, chosen.stage, output)
        print(f"{built.name}: {built.stat().st_size / 1e6:.1f} MB, valid")
    return 0


def blender_tool() -> Path | None:
    """Blender's tool for extensions in the bpy wheel of this Python; bpy is not imported."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        return None
    pattern = "*/scripts/addons_core/bl_pkg/cli/blender_ext.py"
    return next(Path(spec.origin).parent.glob(pattern), None)


def build(tool: Path, platform: str | None, stage: Path, output: Path) -> Path:
    """Collect the files of one zip, zip them and validate the zip; returns its path."""
    folder = stage / (platform or "all")
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__", "py.typed"))
    shutil.copy(ROOT / "LICENSE", folder)
    manifest = MANIFEST.read_text(encoding="utf-8")
    name = "{id}-{version}".format(**tomllib.loads(manifest))
    if platform is not None:
        name += f"-{platform}"
        manifest += platform_lines(platform, download_wheels(platform, folder / "wheels"))
    (folder / MANIFEST.name).write_text(manifest, encoding="utf-8")

    path = output / f"{name}.zip"
    path.unlink(missing_ok=True)
    tags = tool.parents[3] / "modules" / "_bpy_internal" / "extensions" / "tags.py"
    checked = ["--valid-tags", str(tags)] if tags.exists() else []
    blender(tool, "build", "--source-dir", folder, "--output-filepath", path, *checked)
    blender(tool, "validate", *checked, path)
    return path


def platform_lines(platform: str, wheels: list[str]) -> str:
    """The lines of the manifest that belong to one platform."""
    listed = "".join(f'  "./wheels/{name}",\n' for name in wheels)
    lines = f'\nplatforms = ["{platform}"]\nwheels = [\n{listed}]\n'
    newest = PLATFORMS[platform].version_max
    return lines + (f'blender_version_max = "{newest}"\n' if newest else "")


def download_wheels(platform: str, folder: Path) -> list[str]:
    """Fetch scipy, numba and llvmlite for the platform; returns the names of the files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tags = [word for tag in PLATFORMS[platform].tags for word in ("--platform", tag)]
    for python in PLATFORMS[platform].pythons:
        print(f"Downloading wheels for {platform}, Python {python}", flush=True)
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
        command += ["--quiet", "--only-binary=:all:", "--implementation=cp"]
        command += [f"--python-version={python}", f"--dest={folder}", *tags]
        run([*command, *project["dependencies"]])
    # numpy came along because scipy and numba need it; Blender has its own.
    for numpy in folder.glob("numpy-*.whl"):
        numpy.unlink()
    return sorted(path.name for path in folder.iterdir())


def blender(tool: Path, *words: str | Path) -> None:
    """Run Blender's tool, which does not always report errors by its exit code."""
    printed = run([sys.executable, str(tool), *map(str, words)])
    if complaints := re.findall(r"(?im)^.*\b(?:error|warning)\b.*$", printed):
        raise SystemExit("\n".join(complaints))


def run(command: list[str]) -> str:
    """The output of a command; exits this script with it if the command fails."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
