"""Split of an armature's goals: part of foot placement, or solved afterwards on the placed body.

A goal only moves the bones of its own chain. Legs and their parents determine
where feet are, so goals on these are part of foot placement. All other goals are solved above
them; a parent of legs in their chains stays fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..clip.skeleton import Skeleton
from ..goals.solve_setup import SolveSetup
from ..joints.moving_bones import chain, goal_chain, goal_chains
from ..joints.reach import NO_HELP, Help
from .leg_joints import LegSetup
from .upper_body import Arm


@dataclass(frozen=True, eq=False)
class GoalStages:
    """The goals of a setup, in two stages.

    Attributes:
        setup: The whole setup.
        skeleton: The armature's bones.
        legs: Its legs.
    """

    setup: SolveSetup
    skeleton: Skeleton
    legs: LegSetup

    @cached_property
    def with_feet(self) -> tuple[int, ...]:
        """Numbers of the goals that take part in placing feet."""
        goals = enumerate(self.setup.goals)
        return tuple(number for number, goal in goals if self._is_of_feet(goal))

    @cached_property
    def above(self) -> tuple[int, ...]:
        """Numbers of the goals that are solved afterwards.

        If there are any, goals of the feet that their bones may disturb are among them.
        """
        among = set(self.moving_above)
        own = [k for k, _ in enumerate(self.setup.goals) if k not in self.with_feet]
        if not own:
            return ()
        again = [k for k in self.with_feet if self._is_disturbed(self.setup.goals[k], among)]
        return tuple(sorted([*own, *again]))

    @cached_property
    def moving_above(self) -> tuple[str, ...]:
        """Bones that move for goals above."""
        wanted = {
            bone
            for number, goal in enumerate(self.setup.goals)
            if number not in self.with_feet
            for bones in self._chains(goal)
            if self._is_free(bones)
            for bone in bones
        }
        return tuple(
            bone
            for bone in self.setup.moving
            if bone in wanted - self._standing and not self._is_locked(bone)
        )

    @cached_property
    def aimed(self) -> list[str]:
        """Bones that goals move which take part in placing feet."""
        goals = [self.setup.goals[number] for number in self.with_feet]
        return goal_chains(self.skeleton, goals, self.setup.reach)

    @cached_property
    def staying_arms(self) -> tuple[Arm, ...]:
        """Arms whose hands stay in the world although goals above move their parents."""
        among = {*self.moving_above, *self._help.bones}
        return tuple(
            arm
            for arm in self.legs.upper.arms
            if among.isdisjoint((arm.upper, arm.lower, arm.hand))
            and not among.isdisjoint(chain(self.skeleton, arm.upper))
        )

    def feet_setup(self) -> SolveSetup:
        """The setup of foot placement."""
        goals = tuple(self.setup.goals[number] for number in self.with_feet)
        chains = goal_chains(self.skeleton, goals, self.setup.reach)
        return self._part(goals, [*self.legs.bones, *chains], NO_HELP)

    def above_setup(self, goals: Sequence[Any]) -> SolveSetup:
        """The setup above it, for copies of its goals."""
        arms = [bone for arm in self.staying_arms for bone in (arm.upper, arm.lower, arm.hand)]
        return self._part(tuple(goals), [*self.moving_above, *arms], self._help)

    @cached_property
    def _help(self) -> Help:
        """What helps goals above: the body as far as it carries no leg."""
        return self.setup.help.without(self._standing)

    def _part(self, goals: tuple[Any, ...], bones: Sequence[str], help_: Help) -> SolveSetup:
        moving = tuple(bone for bone in self.setup.moving if bone in set(bones))
        sliding = tuple(bone for bone in self.setup.sliding if bone in moving)
        return replace(self.setup, goals=goals, moving=moving, sliding=sliding, help=help_)

    @cached_property
    def _standing(self) -> frozenset[str]:
        """Bones of legs, and all of their parents."""
        legs = self.legs.leg_bones
        above = {bone for leg in legs for bone in chain(self.skeleton, leg)}
        return frozenset({*above, *chain(self.skeleton, self.legs.root)})

    def _is_of_feet(self, goal: Any) -> bool:
        chains = self._chains(goal)
        if self.setup.sliding and any(self.legs.root in bones for bones in chains):
            return True  # the user lets goals move the body
        free = [self._is_free(bones) for bones in chains]
        return not (all(free) if goal.kind.couples else any(free))

    def _chains(self, goal: Any) -> list[list[str]]:
        """Chains of a goal's bones; a goal for the whole body has none."""
        names = [getattr(goal, name) for name in ("bone", "other_bone") if name in goal.kind.uses]
        return [
            [bone]
            if goal.kind.channels
            else goal_chain(self.skeleton, goal, bone, self.setup.reach)
            for bone in names
            if bone
        ]

    def _is_free(self, bones: Sequence[str]) -> bool:
        """Whether a chain has movable bones that carry no leg, and does not end in a leg."""
        ends_in_leg = not set(self.legs.leg_bones).isdisjoint(bones)
        return not ends_in_leg and not self._standing.issuperset(bones)

    def _is_disturbed(self, goal: Any, moving: set[str]) -> bool:
        touched = [not moving.isdisjoint(bones) for bones in self._chains(goal)]
        return all(touched) if goal.kind.couples else any(touched) or not touched

    def _is_locked(self, bone: str) -> bool:
        return all(self.setup.limits.bones[bone].turn_locked) and bone not in self.setup.sliding
