"""The effect of every hand-tuned number of foot placement: halved and doubled on many scenes.

python -m benchmarks.ablation measure FILE.json [SCENE ...]    needs a Python with bpy; goes on from
                                                               what the file has
python -m benchmarks.ablation search FILE.json SCENE ...      measures numbers only until they have
                                                               an effect
python -m benchmarks.ablation tests FILE.json ...              runs the tests of numbers without an
                                                               effect; adds to the first file
python -m benchmarks.ablation table FILE.json ...              prints the tables of docs/tuning.md

Scenes are those of `benchmarks.feet` ("walk.stairs"), also with a setting ("walk.slope+ease"), and
those of `benchmarks.characters` ("plain.crawl.hills"). An effect is the change of a measured
quantity as a share of its limit there: the largest over all scenes, quantities and both factors.
Only quantities for which the scene has a limit count. For numbers that are for time, steps of
solving count as well, and their usual number is the limit. A number whose effect is below 2 %
changes nothing measurable in the scenes; then the first test that fails with it is its effect.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.characters import limits as character_limits
from benchmarks.feet import limits

SCENES = (
    "walk.flat", "walk.hills", "walk.stairs", "walk.rocks", "walk.platform", "run.slope",
    "run.stairs", "trot.rocks", "02_01@30.stairs", "35_01@30.rocks", "09_01@30.hills",
    "robot_walk.hills", "robot_run.slope", "walk.stairs+hands", "walk.slope+ease",
    "walk.stairs+tilt", "83_27.hills", "02_01@30.platform",
)  # fmt: skip
TUNING = (
    "motion.tuning",
    "motion.contacts.tuning",
    "motion.ground.tuning",
    "motion.plan.tuning",
    "motion.rests.tuning",
    "motion.solve.tuning",
    "rig.soles.tuning",
    "rig.problem.tuning",
)
FACTORS = (0.5, 2.0)
ROOT = Path(__file__).parents[1]
TESTS = "tests"  # where a file has the tests that fail, beside its scenes
MEASURABLE = 0.02
# Quantities of scenes of feet without a limit, and what counts as one: millimetres, stands.
MORE_LIMITS = {"hand": 10.0, "goal": 10.0, "unreached": 1.0}
HAND = "hand.R"
STEPS = "steps"  # of solving, which take the time: twice as many would be too many

Measured = dict[str, float]
Player = Callable[[], Measured | str]


class Number(NamedTuple):
    """A hand-tuned number: the dataclass that has it, its field, and its stage's module."""

    stage: str
    instance: Any
    field: dataclasses.Field[Any]

    @property
    def name(self) -> str:
        """Its class and field, as in "JoltTuning.most"."""
        return f"{type(self.instance).__name__}.{self.field.name}"

    @property
    def value(self) -> float:
        """What it is."""
        return float(getattr(self.instance, self.field.name))

    @property
    def timed(self) -> bool:
        """Whether it is for the time that placing takes."""
        return "time" in self.field.metadata["moves"].split(", ")

    @contextmanager
    def times(self, factor: float) -> Iterator[None]:
        """Multiply it meanwhile; whole numbers are rounded, and at least one."""
        usual = getattr(self.instance, self.field.name)
        changed = usual * factor if isinstance(usual, float) else max(1, round(usual * factor))
        object.__setattr__(self.instance, self.field.name, changed)
        try:
            yield
        finally:
            object.__setattr__(self.instance, self.field.name, usual)


def numbers() -> list[Number]:
    """All hand-tuned numbers, in the order of the stages."""
    found = []
    for stage in TUNING:
        module = importlib.import_module(f"blender_bioik.{stage}")
        for instance in vars(module).values():
            # Those of another stage, imported there, are listed once.
            if dataclasses.is_dataclass(instance) and type(instance).__module__ == module.__name__:
                found += [
                    Number(stage, instance, field)
                    for field in dataclasses.fields(instance)
                    if "unit" in field.metadata
                ]
    return found


def measure(path: Path, scenes: Iterable[str], *, only_idle: bool = False) -> None:
    """Measure what is missing in a file, scene by scene, and write it there.

    Args:
        path: The file.
        scenes: The scenes.
        only_idle: Measure numbers only until they have an effect, here or in the scenes of the
            file.
    """
    from benchmarks.feet import child

    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    with child.registered():
        for scene in scenes:
            of_scene = found.setdefault(scene, {})
            play = _player(scene)
            if "usual" not in of_scene:
                of_scene["usual"] = play()
            for number, factor in product(numbers(), FACTORS):
                key = f"{number.name} {factor:g}"
                known = only_idle and effects(found, number)[0] >= MEASURABLE
                if known or key in of_scene:
                    continue
                with number.times(factor):
                    of_scene[key] = play()
                path.write_text(json.dumps(found), encoding="utf-8")
            print(scene, flush=True)


def _player(scene: str) -> Player:
    """What places a scene and measures the result, again and again; or the words of its error."""
    name, _, extra = scene.partition("+")
    play = _character(name) if is_of_characters(name) else _feet(name, extra)

    def guarded() -> Measured | str:
        try:
            return play()
        except Exception as error:  # a number that breaks it has an effect
            return f"{type(error).__name__}: {error}"

    return guarded


def _character(name: str) -> Callable[[], Measured]:
    """A scene of the benchmark of characters."""
    from benchmarks.characters import child, measure, scenes
    from benchmarks.feet.child import quiet, undone

    with quiet():
        built = scenes.build(name)

    def play() -> Measured:
        steps = _Counter()
        with quiet(), undone(built.subject.armature):
            child.place(built, steps)
            quality = measure.measure(built.scene, built.subject, built.source, built.grounds)
        found = dataclasses.asdict(quality)
        kept = {limit.name: float(found[limit.name]) for limit in character_limits.LIMITS}
        return kept | {STEPS: steps.count}

    return play


def _feet(name: str, extra: str) -> Callable[[], Measured]:
    """A scene of the benchmark of foot placement, with what is asked besides."""
    from benchmarks.feet import child, scenes

    with child.quiet():
        built = scenes.build(name)
    _ask_more(built.clip.armature, extra)

    def play() -> Measured:
        steps = _Counter()
        with child.quiet(), child.undone(built.clip.armature):
            child.ours(built, steps)
            feet = dataclasses.asdict(child.judge(built))
            more = _more(built, extra)
        kept = {limit.name: float(feet[limit.name]) for limit in limits.LIMITS}
        return kept | {"unreached": float(feet["unreached"]), STEPS: steps.count} | more

    return play


class _Counter:
    """Counts the calls that report progress: one for each step of solving, others are as many."""

    def __init__(self) -> None:
        self.count = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Count one more."""
        self.count += 1.0


def _ask_more(armature: Any, extra: str) -> None:
    """A setting that a scene's name ends with, or a goal for a hand."""
    feet = armature.bioik.feet
    if extra == "hands":
        feet.hands = "WORLD"
    elif extra == "ease":
        feet.ease = 0.1
    elif extra == "tilt":
        feet.pelvis_tilt = 0.1
    elif extra == "goal":
        goal = armature.bioik.goals.add()
        goal.name, goal.type, goal.bone = "Reach", "POSITION", HAND
        goal.point = (0.4, 1.2, 1.1)


def _more(built: Any, extra: str) -> Measured:
    """How far a hand is from where it is wanted, at most, millimetres."""
    from benchmarks.feet.poses import sample

    if extra not in ("hands", "goal"):
        return {}
    places = sample(built.scene, built.clip).heads(HAND)
    wanted = built.source.heads(HAND) if extra == "hands" else (0.4, 1.2, 1.1)
    off = ((places - wanted) ** 2).sum(axis=-1) ** 0.5
    return {"hand" if extra == "hands" else "goal": 1e3 * float(off.mean())}


def measure_tests(paths: Sequence[Path]) -> None:
    """Find a test that fails for each number without an effect in the scenes of some files."""
    found = _read(paths)
    known = json.loads(paths[0].read_text(encoding="utf-8"))
    failing = known.setdefault(TESTS, {})
    for number in numbers():
        if effects(found, number)[0] >= MEASURABLE:
            continue
        for factor in FACTORS:
            key = f"{number.name} {factor:g}"
            if key not in failing:
                failing[key] = _failing_test(number, factor)
                print(key, failing[key], flush=True)
                paths[0].write_text(json.dumps(known), encoding="utf-8")


def _failing_test(number: Number, factor: float) -> str:
    """The first test that fails with a multiple of a number, or nothing."""
    command = [sys.executable, "-m", "benchmarks.ablation", "under", number.name, str(factor)]
    ran = subprocess.run(
        [*command, *tests_of(number)], cwd=ROOT, check=False, capture_output=True, text=True
    )
    failed = re.search(r"^(?:FAILED|ERROR) (\S+?)(?:\[.*)?(?: - .*)?$", ran.stdout, re.MULTILINE)
    return failed[1] if failed else ""


def tests_of(number: Number) -> list[str]:
    """The test modules of a number's stage and of all modules that read it, its own first."""
    package = ROOT / "blender_bioik"
    reads = re.compile(rf"\b[A-Z_]+\.({'|'.join(_names(number))})\b")
    readers = [
        path.relative_to(package).with_suffix("")
        for path in sorted(package.rglob("*.py"))
        if reads.search(path.read_text(encoding="utf-8"))
    ]
    names = {path.stem for path in readers}
    mirrored = [ROOT / "tests" / path.parent / f"test_{path.name}.py" for path in readers]
    found = [path for path in mirrored if path.exists()]
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        words = re.search(r"Tests of: ([^\"]*?)\.\n", path.read_text(encoding="utf-8"))
        if words and names & {word.rpartition(".")[2] for word in re.split(r"[\s,]+", words[1])}:
            found.append(path)
    stage = ROOT / "tests" / Path(*number.stage.split(".")[:-1])
    found += sorted(stage.rglob("test_*.py"))
    names_only = Path(__file__).stem  # tests of the tables know every value
    return [
        str(path.relative_to(ROOT)) for path in dict.fromkeys(found) if names_only not in path.stem
    ]


def _names(number: Number) -> list[str]:
    """How a number is read: by its name, or by a property that is made of it."""
    made_of = re.compile(rf"\bself\.{number.field.name}\b")
    return [number.field.name] + [
        name
        for name, each in vars(type(number.instance)).items()
        if isinstance(each, property)
        and each.fget is not None
        and made_of.search(inspect.getsource(each.fget))
    ]


def _test_under(name: str, factor: float, modules: Sequence[str]) -> int:
    """Run tests with a multiple of a number until one fails."""
    import pytest

    (number,) = (number for number in numbers() if number.name == name)
    with number.times(factor):
        return pytest.main(["-x", "-q", "-p", "no:cacheprovider", *modules])


def promised(scene: str) -> dict[str, float]:
    """What is promised for a scene: the limits of the quantities that are measured there."""
    name, _, extra = scene.partition("+")
    if is_of_characters(name):
        every = character_limits.LIMITS
        return {limit.name: limit.most for limit in every if character_limits.holds(limit, name)}
    found = {limit.name: limit.limit for limit in limits.LIMITS if limit.holds_for(name)}
    if extra == "hands":  # arms are asked to turn
        del found["upper"]
    return found | MORE_LIMITS


def is_of_characters(name: str) -> bool:
    """Whether a scene is one of `benchmarks.characters`: it has a character, a clip, a ground."""
    return name.count(".") == 2


def effect(
    scene: str, usual: Measured, other: Measured | str, *, timed: bool = False
) -> tuple[float, str]:
    """The largest change of a quantity as a share of its limit, and the quantity.

    A number that makes a scene fail, as a share above one does, is not measured by it.

    Args:
        scene: The scene.
        usual: What is measured there.
        other: The same with another value of a number, or the words of an error.
        timed: Whether the number is for the time that it takes: then steps count.
    """
    if isinstance(other, str):
        return 0.0, "fails"
    limits_there = promised(scene) | ({STEPS: usual[STEPS]} if timed and STEPS in usual else {})
    shares = {
        name: abs(other[name] - usual[name]) / limit
        for name, limit in limits_there.items()
        if name in usual and name in other
    }
    return max((share, name) for name, share in shares.items())


def effects(found: dict[str, dict[str, Any]], number: Number) -> tuple[float, str, str, float]:
    """A number's largest effect: share of the limit, quantity, scene and factor."""
    largest = (0.0, "", "", 1.0)
    for scene, of_scene in found.items():
        if scene == TESTS:
            continue
        for factor in FACTORS:
            other = of_scene.get(f"{number.name} {factor:g}")
            if other is not None and not isinstance(of_scene["usual"], str):
                size, quantity = effect(scene, of_scene["usual"], other, timed=number.timed)
                largest = max(largest, (size, quantity, scene, factor))
    return largest


def _where_tested(found: dict[str, dict[str, Any]], number: Number) -> tuple[str, str]:
    """The test that fails with a multiple of a number, and the name of that effect; or nothing."""
    for factor in FACTORS:
        test = found.get(TESTS, {}).get(f"{number.name} {factor:g}")
        if test:
            return f"`{test.rpartition('::')[2]}`, x {factor:g}", "test"
    return "", "none"


def _read(paths: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """What files have, by scene."""
    found: dict[str, dict[str, Any]] = {}
    for path in paths:
        for scene, of_scene in json.loads(path.read_text(encoding="utf-8")).items():
            found.setdefault(scene, {}).update(of_scene)
    return found


def table(paths: Iterable[Path]) -> str:
    """The tables of docs/tuning.md."""
    found = _read(paths)
    lines: list[str] = []
    stage = ""
    for number in numbers():
        title = f"{number.stage}, {type(number.instance).__name__}"
        if title != stage:
            stage = title
            lines += ["", f"### {title}", "", "| number | value | unit | effect | most in | |"]
            lines.append("|---|---|---|---|---|---|")
        size, quantity, scene, factor = effects(found, number)
        where, share = f"{quantity}, {scene}, x {factor:g}", f"{size:.0%}"
        if size < MEASURABLE:
            where, share = _where_tested(found, number)
        metadata = number.field.metadata
        cells = (number.field.name, f"{number.value:g}", metadata["unit"], share, where)
        lines.append("| " + " | ".join((*cells, metadata["reason"])) + " |")
    return "\n".join(lines).strip()


def main() -> None:
    """Do what the command line asks for."""
    task, *arguments = sys.argv[1:] or ["help"]
    if task == "measure" and arguments:
        measure(Path(arguments[0]), arguments[1:] or SCENES)
    elif task == "search" and len(arguments) > 1:
        measure(Path(arguments[0]), arguments[1:], only_idle=True)
    elif task == "tests" and arguments:
        measure_tests([Path(argument) for argument in arguments])
    elif task == "under" and len(arguments) > 2:
        sys.exit(_test_under(arguments[0], float(arguments[1]), arguments[2:]))
    elif task == "table" and arguments:
        print(table(Path(argument) for argument in arguments))
    else:
        print(__doc__)


if __name__ == "__main__":
    main()
