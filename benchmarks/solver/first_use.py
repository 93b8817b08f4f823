"""What a fresh Python does when the solver is first used; prints seconds since the start as JSON.

Run by `startup.py` as a script in a process of its own: python -P first_use.py MODEL.json STAGE,
with the package to be measured on PYTHONPATH. STAGE is "import", "pose" or "all".
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main(model: str, stage: str) -> None:
    """Import, then solve as far as asked, noting the time after every step."""
    times: dict[str, Any] = {}
    start = time.perf_counter()
    import blender_bioik.solver as solver

    times["import"] = time.perf_counter() - start
    with open(model, encoding="utf-8") as file:
        data = json.load(file)
    data["tips"] += ["hip", "knee", "ankle"]
    data["tip_joint"] += [2, 3, 5]
    data["tip_pos"] += [[0.0, 0.0, 0.0]] * 3
    data["tip_rot"] += [data["tip_rot"][0]] * 3
    times["folder"] = solver.__file__
    if stage != "import":
        tree = solver.KinematicTree.from_dict(data)
        seed = [0.5 * (low + high) for low, high in zip(data["lo"], data["hi"], strict=True)]
        foot = data["tips"][0]
        point = (0.1, -0.1, -0.9)
        pose_goals = [solver.Position(foot, point), solver.Orientation(foot, (1, 0, 0, 0))]
        solver.solve_pose(tree, pose_goals, seed)
        times["first solve_pose"] = time.perf_counter() - start
    if stage == "all":
        smooth = solver.Settings(smoothness=1.0)
        solver.solve_clip(tree, pose_goals, [seed, seed, seed], smooth)
        times["first solve_clip"] = time.perf_counter() - start
        few = solver.Settings(evaluations=1, iterations=1)  # to compile, not to solve
        solver.solve_pose(tree, every_goal(solver, data, seed), seed, few)
        times["every goal"] = time.perf_counter() - start
        solver.solve_pose(tree, pose_goals, seed, solver.Settings.paper())
        times["L-BFGS-B elites"] = time.perf_counter() - start
        solver.find_poses(tree, pose_goals, seed, 2)
        times["find_poses"] = time.perf_counter() - start
        print(json.dumps(times), flush=True)
        solver.solve_pose(tree, python_goals(solver, data), seed, few)
        times["Python goals"] = time.perf_counter() - start
    print(json.dumps(times))


def every_goal(solver: Any, data: dict[str, Any], seed: list[float]) -> list[Any]:
    """One goal of every compiled type."""
    foot, other = data["tips"][:2]
    first, second, third = data["names"][:3]
    point, up = (0.1, -0.1, -0.9), (0.0, 0.0, 1.0)

    return [
        solver.Position(foot, point),
        solver.Orientation(foot, (1, 0, 0, 0)),
        solver.LookAt(other, point),
        solver.Direction(other, up),
        solver.Cone(other, up, 0.5),
        solver.Plane(other, point),
        solver.Line(other, point, up),
        solver.Touch(other, [[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0]], point),
        solver.Distance(foot, other, minimum=0.1, activation=0.1),
        solver.MaxDistance(foot, other, maximum=1.0),
        solver.Balance({first: 1.0, second: 1.0}),
        solver.Displacement("source"),
        solver.JointValue(first, seed[0]),
        solver.JointFunction(second, {third: 0.5}),
        solver.CentreJoints(),
        solver.AvoidLimits(),
        solver.Pole("hip", "knee", "ankle", (1.0, 0.0, -0.5)),
    ]


def python_goals(solver: Any, data: dict[str, Any]) -> list[Any]:
    """One goal of every type that calls Python."""
    other = data["tips"][1]
    _, second, third = data["names"][:3]

    class Level(solver.CustomGoal):  # type: ignore[misc]
        def residual(self, pose: Any) -> list[float]:
            return [float(pose.position(other)[2]) + 0.9]

    return [solver.JointFunction(second, lambda values: 0.5 * values[third]), Level()]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
