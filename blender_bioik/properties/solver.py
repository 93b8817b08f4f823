"""Settings of the solver as they are kept in the .blend file, on the armature object."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from .goal import OVERRIDE


class BioIKSolver(bpy.types.PropertyGroup):
    """How the armature's goals are solved."""

    scope: EnumProperty(
        name="Bones",
        description="Which bones may move",
        items=(
            ("CHAINS", "Goal Chains", "Each goal's bone and those above it, by its chain length"),
            ("SELECTED", "Selected Bones", "Only selected bones, of those the goals could move"),
        ),
        default="CHAINS",
        override=OVERRIDE,
    )
    move_root: BoolProperty(
        name="Move Root",
        description="Let the topmost bone of the goals' chains change its place, not only turn",
        override=OVERRIDE,
    )
    use_limits: BoolProperty(
        name="Limits",
        description="Keep to the bones' IK limits and to Limit Rotation and Location constraints",
        default=True,
        override=OVERRIDE,
    )
    read_constraints: BoolProperty(
        name="Constraints as Goals",
        description="Solve the rig's own IK, tracking and copy constraints as goals",
        override=OVERRIDE,
    )
    strategy: EnumProperty(
        name="Strategy",
        description="How a pose is searched for",
        items=(
            ("MEMETIC", "Memetic", "From the animated pose; by evolution where that fails"),
            ("LOCAL", "Local", "Only from the animated pose: fastest, may get stuck"),
            ("EVOLUTION", "Evolution", "By evolution from the start, as in the paper: slowest"),
        ),
        default="MEMETIC",
        override=OVERRIDE,
    )
    population: IntProperty(
        name="Population",
        description="Poses that compete: more find rarer solutions and take longer; only evolution "
        "has them",
        default=12,
        min=2,
        soft_max=200,
        override=OVERRIDE,
    )
    elites: IntProperty(
        name="Elites",
        description="Poses that survive each generation: more keep more alternatives alive; only "
        "evolution has them",
        default=6,
        min=1,
        soft_max=50,
        override=OVERRIDE,
    )
    evaluations: IntProperty(
        name="Budget",
        description="Poses tried for a frame at most, where its goals cannot be reached sooner: "
        "more find harder poses and take longer",
        default=2000,
        min=1,
        soft_max=100_000,
        override=OVERRIDE,
    )
    seed: IntProperty(
        name="Seed",
        description="Start of the random numbers: the same seed gives the same motion; only "
        "evolution uses them",
        default=0,
        min=0,
        override=OVERRIDE,
    )
    displacement: FloatProperty(
        name="Stay",
        description="How strongly bones stay as animated where the goals leave a choice",
        default=0.01,
        min=0.0,
        soft_max=1.0,
        precision=3,
        override=OVERRIDE,
    )
    smoothness: FloatProperty(
        name="Smoothness",
        description="How smoothly the correction changes over time; 0 solves each frame alone",
        default=1.0,
        min=0.0,
        soft_max=10.0,
        override=OVERRIDE,
    )
