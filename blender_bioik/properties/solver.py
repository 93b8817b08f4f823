"""Settings of the solver, stored on the armature object."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from .goal import OVERRIDE


class BioIKSolver(bpy.types.PropertyGroup):
    """Settings for solving the armature's goals."""

    scope: EnumProperty(
        name="Bones",
        description="Bones that may move",
        items=(
            (
                "CHAINS",
                "Goal Chains",
                "The bones that each goal moves",
            ),
            ("SELECTED", "Selected Bones", "Only the selected bones of the goals' chains"),
        ),
        default="CHAINS",
        override=OVERRIDE,
    )
    move_root: BoolProperty(
        name="Move Root",
        description="Allow the topmost bone of the goals' chains to move, not only to rotate",
        override=OVERRIDE,
    )
    use_limits: BoolProperty(
        name="Limits",
        description="Respect IK limits as well as Limit Rotation and Limit Location constraints",
        default=True,
        override=OVERRIDE,
    )
    read_constraints: BoolProperty(
        name="Constraints as Goals",
        description="Solve the rig's IK, tracking and copy constraints as goals",
        override=OVERRIDE,
    )
    strategy: EnumProperty(
        name="Strategy",
        description="How poses are searched for",
        items=(
            ("MEMETIC", "Memetic", "Start from the animated pose, and fall back to evolution"),
            ("LOCAL", "Local", "Start from the animated pose only: fastest, but may get stuck"),
            ("EVOLUTION", "Evolution", "Always use evolution, as in the paper: slowest"),
        ),
        default="MEMETIC",
        override=OVERRIDE,
    )
    population: IntProperty(
        name="Population",
        description="Number of competing poses: more find rarer solutions but take longer; used "
        "by evolution only",
        default=12,
        min=2,
        soft_max=200,
        override=OVERRIDE,
    )
    elites: IntProperty(
        name="Elites",
        description="Number of poses that survive each generation: more keep more alternatives "
        "alive; used by evolution only",
        default=6,
        min=1,
        soft_max=50,
        override=OVERRIDE,
    )
    evaluations: IntProperty(
        name="Budget",
        description="Maximum number of poses to try per frame: more reach harder goals but take "
        "longer",
        default=2000,
        min=1,
        soft_max=100_000,
        override=OVERRIDE,
    )
    seed: IntProperty(
        name="Seed",
        description="Seed of the random numbers: the same seed gives the same motion; used by "
        "evolution only",
        default=0,
        min=0,
        override=OVERRIDE,
    )
    displacement: FloatProperty(
        name="Keep Animation",
        description="How strongly bones keep their animated pose where the goals leave them free",
        default=0.01,
        min=0.0,
        soft_max=1.0,
        precision=3,
        override=OVERRIDE,
    )
    smoothness: FloatProperty(
        name="Smoothness",
        description="How smoothly the correction changes over time; 0 solves each frame "
        "independently",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        override=OVERRIDE,
    )
