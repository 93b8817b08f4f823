"""Other inverse kinematics libraries behind one interface, each driven as fast as it goes.

All of them are optional: `available` tells why a rival cannot run, and the benchmark then says
so instead of leaving a gap. The `bench` extra of the project lists what to install.
"""

from __future__ import annotations

import importlib
import math
import time
from typing import Any, Protocol

import numpy as np

from benchmarks.solver.robots import PRISMATIC, Floats, Robot, look_point
from benchmarks.solver.urdf import BASE_LINK, tip_link, write_urdf

POSITION_TOL = 1e-4
"""Largest position error in metres that counts as solved."""
ANGLE_TOL = 1e-3
"""Largest orientation error in radians that counts as solved."""

_RESTART_ENTROPY = (0x51A7, 0xC0FFEE)
"""Seed of the random restarts.

It must differ from the seed of the queries: a generator seeded alike replays the joint values
that made the targets, and a rival that restarts from them looks several times faster than it is.
"""


class Rival(Protocol):
    """What the benchmark needs of a rival."""

    name: str

    def available(self) -> str | None:
        """None if the rival can run here, else a line of the form "not run: reason"."""

    def supports(self, robot: Robot) -> bool:
        """Whether the rival can solve this kind of robot at all."""

    def prepare(self, robot: Robot) -> None:
        """Build the rival's own model of the robot; not timed."""

    def solve(self, targets: Floats, seed: Floats, deadline_s: float) -> Floats | None:
        """Solve one query.

        Args:
            targets: Wanted tip poses, `[k, 4, 4]`.
            seed: Joint values to start from, `[n]`.
            deadline_s: Seconds after which no new attempt begins.

        Returns:
            Joint values, or None if nothing was found in time.
        """


def all_rivals() -> list[Rival]:
    """One of each rival."""
    return [RoboticsToolbox(), TracIk(), Placo()]


class _Packaged:
    """A rival that comes as a Python package, for serial arms with one tip."""

    package: str

    def available(self) -> str | None:
        """None if the rival can run here, else a line of the form "not run: reason"."""
        try:
            self._try(importlib.import_module(self.package))
        except Exception as error:  # a binary built for another numpy may raise anything
            return f"not run: {type(error).__name__}: {error}"
        return None

    def supports(self, robot: Robot) -> bool:
        """Whether the rival can solve this kind of robot at all."""
        return _is_arm(robot)

    def _try(self, library: Any) -> None:
        """Use the library a little; raises where that fails."""


class RoboticsToolbox(_Packaged):
    """Robotics Toolbox for Python: its C++ Levenberg-Marquardt solver with its own restarts.

    Chan's damping with a factor of 0.1 was clearly faster on the arms than Sugihara's or
    Wampler's; 12 to 30 iterations an attempt made no difference beyond the noise.
    """

    name, package = "Robotics Toolbox ik_LM", "roboticstoolbox"

    _SEARCHES = 20  # attempts in one call, after which the deadline is looked at
    _ITERATIONS = 20
    _DAMPING = 0.1
    # It stops at (|position|^2 + 0.1 |angle|^2) / 2 below this, which meets both tolerances.
    _WEIGHTS = np.array([1.0, 1.0, 1.0, 0.1, 0.1, 0.1])
    _STOP = 0.5 * POSITION_TOL**2

    def _try(self, library: Any) -> None:
        library.ETS([library.ET.Rz(qlim=[-1.0, 1.0])]).ik_LM(np.eye(4), q0=np.zeros(1))

    def prepare(self, robot: Robot) -> None:
        """Build the elementary transform sequence of the arm."""
        toolbox: Any = importlib.import_module("roboticstoolbox")
        parts = []
        frame = np.eye(4)
        for i in range(robot.dof):
            turned = _frame_with_z_along(robot.axis[i])
            parts.append(toolbox.ET.SE3(frame.T @ _pose(robot.pos[i], robot.rot[i]) @ turned))
            moving = toolbox.ET.tz if robot.type[i] == PRISMATIC else toolbox.ET.Rz
            parts.append(moving(qlim=[robot.lo[i], robot.hi[i]]))
            frame = turned
        parts.append(toolbox.ET.SE3(frame.T @ _pose(robot.tip_pos[0], robot.tip_rot[0])))
        self._chain = toolbox.ETS(parts)
        self._robot = robot
        self._rng = np.random.default_rng(_RESTART_ENTROPY)

    def solve(self, targets: Floats, seed: Floats, deadline_s: float) -> Floats | None:
        """Solve one query; see `Rival.solve`."""
        end = time.perf_counter() + deadline_s
        start = seed
        while True:
            found = self._chain.ik_LM(
                targets[0],
                q0=start,
                ilimit=self._ITERATIONS,
                slimit=self._SEARCHES,
                tol=self._STOP,
                mask=self._WEIGHTS,
                k=self._DAMPING,
            )
            if found.success:
                return np.asarray(found.q)
            if time.perf_counter() > end:
                return None
            start = self._robot.sample(1, self._rng)[0]


class TracIk(_Packaged):
    """TRAC-IK through pytracik: KDL with restarts and NLopt raced on two threads.

    It restarts by itself until its own timeout, which is fixed when it is built: its usual 5 ms,
    then a fresh call from a random seed, keeps to any deadline. Timeouts of 2 to 100 ms made no
    difference beyond the noise.
    """

    name, package = "TRAC-IK", "pytracik"

    _TIMEOUT_S = 0.005
    # Every component of the error must be below this; the angle has no tolerance of its own.
    _EPSILON = 0.99 * POSITION_TOL / math.sqrt(3.0)

    def prepare(self, robot: Robot) -> None:
        """Build the KDL chain, then give the limits again in double precision."""
        library: Any = importlib.import_module("pytracik")
        self._library = library
        self._solver = library.TRAC_IK(
            BASE_LINK,
            tip_link(robot, 0),
            write_urdf(robot),
            self._TIMEOUT_S,
            self._EPSILON,
            library.SolveType.Speed,
        )
        library.set_joint_limits(self._solver, robot.lo.tolist(), robot.hi.tolist())
        self._robot = robot
        self._rng = np.random.default_rng(_RESTART_ENTROPY)

    def solve(self, targets: Floats, seed: Floats, deadline_s: float) -> Floats | None:
        """Solve one query; see `Rival.solve`."""
        end = time.perf_counter() + deadline_s
        rows = targets[0].tolist()
        position = (rows[0][3], rows[1][3], rows[2][3])
        quaternion = _quaternion(rows)
        start = seed
        while True:
            found: Floats = self._library.ik(self._solver, start, *position, *quaternion)
            if found[0] >= 0 and self._inside_limits(found[1:]):
                return found[1:]
            if time.perf_counter() > end:
                return None
            start = self._robot.sample(1, self._rng)[0]

    def _inside_limits(self, q: Floats) -> bool:
        """TRAC-IK may report success after turning a joint out of its limits by a whole turn."""
        return bool((q >= self._robot.lo).all() and (q <= self._robot.hi).all())


class Placo(_Packaged):
    """placo: a quadratic program per step with the joint limits as constraints.

    The full step is taken until the tolerances are met, and a random restart follows when the
    error has stopped falling.
    """

    name = package = "placo"

    _ANGLE_WEIGHT = 0.3
    _REGULARIZATION = 3e-5
    _MAX_STEPS = 50
    _STALLED_STEPS = 3
    _LEAST_GAIN = 0.95  # squared error after a step over the best before it, to count as a gain
    _NEAR = 0.01  # squared error before a step below which it is worth measuring after it

    def supports(self, robot: Robot) -> bool:
        """Any tree."""
        return True

    def prepare(self, robot: Robot) -> None:
        """Build the model with its base held, and a task for every tip."""
        library: Any = importlib.import_module("placo")
        self._model = library.RobotWrapper("", library.Flags.ignore_collisions, write_urdf(robot))
        self._solver = library.KinematicsSolver(self._model)
        self._solver.mask_fbase(True)
        self._solver.enable_joint_limits(True)
        self._solver.enable_velocity_limits(False)
        self._solver.add_regularization_task(self._REGULARIZATION)
        self._places = np.array([self._model.get_joint_offset(name) for name in robot.names])
        self._state = self._model.state.q.copy()
        self._robot = robot
        self._rng = np.random.default_rng(_RESTART_ENTROPY)
        self._add_tasks()

    def solve(self, targets: Floats, seed: Floats, deadline_s: float) -> Floats | None:
        """Solve one query; see `Rival.solve`."""
        end = time.perf_counter() + deadline_s
        self._aim(targets)
        self._move_to(seed)
        return self._search(end)

    def solve_sequence(self, targets: Floats, seed: Floats, deadline_s: float) -> Floats:
        """Solve the frames of a clip in order, each from the answer to the one before.

        Args:
            targets: Wanted tip poses, `[F, k, 4, 4]`.
            seed: Joint values to start the first frame from, `[n]`.
            deadline_s: Seconds allowed for each frame.

        Returns:
            Joint values, `[F, n]`; a row of NaN where nothing was found in time.
        """
        answers = np.full((len(targets), self._robot.dof), np.nan)
        last = seed
        self._move_to(seed)
        for frame, wanted in enumerate(targets):
            self._aim(wanted)
            found = self._search(time.perf_counter() + deadline_s)
            if found is None:
                self._move_to(last)
            else:
                answers[frame] = last = found
        return answers

    def _add_tasks(self) -> None:
        """Add a frame task for every pose tip and an axis alignment for every look-at tip."""
        self._frames: list[tuple[int, Any]] = []
        self._looks: list[tuple[int, str, Any]] = []
        for k in range(len(self._robot.tips)):
            name = tip_link(self._robot, k)
            if self._robot.looks(k):
                ahead = np.array([1.0, 0.0, 0.0])
                look = self._solver.add_axisalign_task(name, ahead, ahead)
                look.configure(name, "soft", 1.0)
                self._looks.append((k, name, look))
            else:
                pose = self._solver.add_frame_task(name, np.eye(4))
                pose.configure(name, "soft", 1.0, self._ANGLE_WEIGHT)
                self._frames.append((k, pose))
        checked = [(pose.position(), POSITION_TOL) for _, pose in self._frames]
        checked += [(pose.orientation(), ANGLE_TOL) for _, pose in self._frames]
        checked += [(look, ANGLE_TOL) for _, _, look in self._looks]
        self._checked = [(task, 0.999 * tolerance) for task, tolerance in checked]

    def _aim(self, targets: Floats) -> None:
        """Set the goals of all tasks."""
        for k, pose in self._frames:
            pose.T_world_frame = targets[k]
        self._points = [look_point(targets[k]) for k, _, _ in self._looks]

    def _move_to(self, q: Floats) -> None:
        """Put the model into a pose."""
        self._state[self._places] = q
        self._model.state.q = self._state
        self._model.update_kinematics()

    def _search(self, end: float) -> Floats | None:
        """Descend from the pose the model is in, then from random ones until the time is up."""
        while not self._descend(end):
            if time.perf_counter() > end:
                return None
            self._move_to(self._robot.sample(1, self._rng)[0])
        q: Floats = self._model.state.q[self._places]
        return np.minimum(np.maximum(q, self._robot.lo), self._robot.hi)

    def _descend(self, end: float) -> bool:
        """Step until the goals are met (True), the error stalls or the time is up (False)."""
        best = math.inf
        stalled = 0
        self._turn_to_points()
        for _ in range(self._MAX_STEPS):
            try:
                self._solver.solve(True)
            except RuntimeError:  # the quadratic program had no solution
                return False
            self._model.update_kinematics()
            self._turn_to_points()
            error, _ = self._measure()  # as the solver saw it before the step
            if error < self._NEAR:
                error, met = self._measure_now()
                if met:
                    return True
            stalled = 0 if error < self._LEAST_GAIN * best else stalled + 1
            if stalled >= self._STALLED_STEPS or time.perf_counter() > end:
                return False
            best = min(best, error)
        return False

    def _turn_to_points(self) -> None:
        """Point the look-at tasks from where their tips are now."""
        for point, (_, name, look) in zip(self._points, self._looks, strict=True):
            look.targetAxis_world = point - self._model.get_T_world_frame(name)[:3, 3]

    def _measure_now(self) -> tuple[float, bool]:
        """Bring the tasks up to date with the model and measure them."""
        for task, _ in self._checked:
            task.update()
        return self._measure()

    def _measure(self) -> tuple[float, bool]:
        """Squared error over all tasks as last updated, and whether all are in tolerance."""
        total = 0.0
        met = True
        for task, tolerance in self._checked:
            error = task.error_norm()
            total += error * error
            met = met and error <= tolerance
        return total, met


def _is_arm(robot: Robot) -> bool:
    """Whether a robot is one serial chain to one pose tip."""
    serial = np.array_equal(robot.parent, np.arange(-1, robot.dof - 1))
    at_end = robot.tip_joint.tolist() == [robot.dof - 1]
    return serial and at_end and not robot.looks(0)


def _pose(position: Floats, rotation: Floats) -> Floats:
    """Build a 4x4 transform."""
    out = np.eye(4)
    out[:3, :3] = rotation
    out[:3, 3] = position
    return out


def _frame_with_z_along(axis: Floats) -> Floats:
    """A rotation, as 4x4, whose z axis is the given unit vector."""
    x = np.eye(3)[np.argmin(np.abs(axis))]
    x = x - axis * (x @ axis)
    x /= np.linalg.norm(x)
    return _pose(np.zeros(3), np.stack([x, np.cross(axis, x), axis], axis=1))


def _quaternion(rows: list[list[float]]) -> tuple[float, float, float, float]:
    """Quaternion (x, y, z, w) of a rotation; plain numbers, as numpy is slow on so few."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (row[:3] for row in rows[:3])
    doubled = (1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz)
    largest = max(doubled)
    scale = 0.5 / math.sqrt(largest)
    if largest == doubled[3]:
        return (zy - yz) * scale, (xz - zx) * scale, (yx - xy) * scale, largest * scale
    if largest == doubled[0]:
        return largest * scale, (xy + yx) * scale, (xz + zx) * scale, (zy - yz) * scale
    if largest == doubled[1]:
        return (xy + yx) * scale, largest * scale, (yz + zy) * scale, (xz - zx) * scale
    return (xz + zx) * scale, (yz + zy) * scale, largest * scale, (yx - xy) * scale
