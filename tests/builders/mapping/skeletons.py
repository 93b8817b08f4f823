"""Skeletons written as indented text: bone name = place in a body, laid out as a person.

`{Left|Right}` in a name makes the line and what is below it two branches. A line without a place
gets a spot near its parent, as helper bones have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from blender_bioik.rig.mapping import LIST_SLOTS, SLOTS, BoneTable

_SIDE = re.compile(r"\{(.*?)\|(.*?)\}")

# Metres, facing -Y, arms in T-pose; the left side.
PLACES = {
    "root": (0.0, 0.0, 0.0),
    "pelvis": (0.0, 0.0, 1.0),
    "pelvis_end": (0.0, 0.0, 0.97),
    "spine": (0.0, 0.01, 1.08),
    "neck": (0.0, 0.01, 1.50),
    "head": (0.0, 0.0, 1.60),
    "top": (0.0, 0.0, 1.80),
    "eye": (0.03, -0.09, 1.68),
    "hip_joint": (0.02, 0.0, 0.99),
    "thigh": (0.10, 0.0, 0.93),
    "thigh_mid": (0.10, -0.01, 0.715),
    "shin": (0.10, -0.02, 0.50),
    "shin_mid": (0.10, 0.0, 0.29),
    "foot": (0.10, 0.02, 0.08),
    "toe": (0.10, -0.12, 0.02),
    "toe_end": (0.10, -0.20, 0.02),
    "heel": (0.10, 0.06, 0.0),
    "shoulder": (0.03, 0.0, 1.45),
    "upper_arm": (0.18, 0.01, 1.44),
    "arm_mid": (0.315, 0.015, 1.44),
    "forearm": (0.45, 0.02, 1.44),
    "forearm_mid": (0.575, 0.015, 1.44),
    "hand": (0.70, 0.01, 1.44),
    "thumb": (0.73, -0.05, 1.43),
    "index": (0.80, -0.03, 1.44),
    "middle": (0.80, 0.0, 1.44),
    "pinky": (0.79, 0.04, 1.44),
    "hair": (0.05, 0.08, 1.75),
    "skirt": (0.14, 0.05, 0.95),
}
TIPS = {
    "head": (0.0, 0.0, 0.2),
    "toe": (0.0, -0.08, 0.0),
    "foot": (0.0, -0.14, -0.06),
    "hand": (0.09, 0.0, 0.0),
}


@dataclass
class Skeleton:
    """A skeleton and what a mapping of it must say."""

    family: str
    names: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    places: list[str] = field(default_factory=list)

    @property
    def slots(self) -> dict[str, str]:
        return {p: n for n, p in zip(self.names, self.places, strict=True) if p in SLOTS}

    def chain(self, place: str) -> tuple[str, ...]:
        assert place in LIST_SLOTS
        return tuple(n for n, p in zip(self.names, self.places, strict=True) if p == place)

    def table(self, names: list[str] | None = None) -> BoneTable:
        heads = self._heads()
        return BoneTable.build(names or self.names, self.parents, heads, self._tails(heads))

    def _heads(self) -> np.ndarray:
        heads = np.zeros((len(self.names), 3))
        for i, place in enumerate(self.places):
            part, _, side = place.partition(".")
            if part in PLACES:
                heads[i] = PLACES[part]
            else:
                heads[i] = heads[self.parents[i]] + (0.0, 0.0, 0.01)
                continue
            if part in LIST_SLOTS:
                count = self.places.count(part)
                top = PLACES["neck" if part == "spine" else "head"]
                step = (np.array(top) - heads[i]) / count
                heads[i] += step * self.places[:i].count(part)
            if side == "R":
                heads[i, 0] *= -1.0
        return heads

    def _tails(self, heads: np.ndarray) -> np.ndarray:
        tails = np.empty_like(heads)
        for i, place in enumerate(self.places):
            below = [c for c, parent in enumerate(self.parents) if parent == i]
            below = [c for c in below if np.linalg.norm(heads[c] - heads[i]) > 0.02]
            part, _, side = place.partition(".")
            if below:
                tails[i] = heads[below[0]]
            elif part in TIPS:
                tip = np.array(TIPS[part])
                tails[i] = heads[i] + (tip if side != "R" else tip * (-1.0, 1.0, 1.0))
            else:
                tails[i] = heads[i] + 0.3 * (heads[i] - heads[self.parents[i]]) + (0.0, 0.0, 0.001)
        return tails


def parse(family: str, text: str) -> Skeleton:
    """Build a skeleton from its text."""
    skeleton = Skeleton(family)
    # Per depth: index of the last bone in the middle, or of the last ones left and right.
    above: list[tuple[int, ...]] = []
    for line in filter(str.strip, text.splitlines()):
        depth = len(line) - len(line.lstrip())
        name, _, place = (part.strip() for part in line.partition("="))
        above = above[:depth]
        parents = above[-1] if above else (-1,)
        sides = ("L", "R") if _SIDE.search(name) else ("",)
        made = []
        for k, side in enumerate(sides):
            made.append(len(skeleton.names))
            skeleton.names.append(_SIDE.sub(lambda m, k=k: m[k + 1], name))  # type: ignore[misc]
            skeleton.parents.append(parents[k] if len(parents) > k else parents[0])
            skeleton.places.append(f"{place}.{side}" if side and place else place)
        above.append(tuple(made))
    return skeleton


def _skeleton_texts() -> dict[str, str]:
    human_ik = """
{p}Hips = pelvis
 {p}Spine = spine
  {p}Spine1 = spine
   {p}Spine2 = spine
    {p}Neck = neck
     {p}Head = head
      {extra}
    {p}{{Left|Right}}Shoulder = shoulder
     {p}{{Left|Right}}Arm = upper_arm
      {p}{{Left|Right}}ForeArm = forearm
       {p}{{Left|Right}}Hand = hand
        {p}{{Left|Right}}HandThumb1 = thumb
        {p}{{Left|Right}}HandIndex1 = index
        {p}{{Left|Right}}HandMiddle1 = middle
        {p}{{Left|Right}}HandPinky1 = pinky
 {p}{{Left|Right}}UpLeg = thigh
  {p}{{Left|Right}}Leg = shin
   {p}{{Left|Right}}Foot = foot
    {p}{{Left|Right}}ToeBase = toe
     {p}{{Left|Right}}Toe_End = toe_end
"""
    return {
        "mixamo": human_ik.format(p="mixamorig:", extra="mixamorig:HeadTop_End = top"),
        "mixamo/numbered": human_ik.format(p="mixamorig7:", extra="mixamorig7:HeadTop_End = top"),
        "mixamo/no colon": human_ik.format(p="mixamorig", extra="mixamorigHeadTop_End = top"),
        "mixamo/no prefix": human_ik.format(p="", extra="HeadTop_End = top"),
        "ready_player_me": human_ik.format(
            p="", extra="HeadTop_End = top\n      {Left|Right}Eye = eye"
        ),
        "bvh/lafan": """
Hips = pelvis
 {Left|Right}UpLeg = thigh
  {Left|Right}Leg = shin
   {Left|Right}Foot = foot
    {Left|Right}Toe = toe
 Spine = spine
  Spine1 = spine
   Spine2 = spine
    Neck = neck
     Head = head
    {Left|Right}Shoulder = shoulder
     {Left|Right}Arm = upper_arm
      {Left|Right}ForeArm = forearm
       {Left|Right}Hand = hand
""",
        "bvh/lower back": """
Hips = pelvis
 LowerBack = spine
  Spine = spine
   Spine1 = spine
    Neck = neck
     Head = head
    {Left|Right}Shoulder = shoulder
     {Left|Right}Arm = upper_arm
      {Left|Right}ForeArm = forearm
       {Left|Right}Hand = hand
 {Left|Right}UpLeg = thigh
  {Left|Right}Leg = shin
   {Left|Right}Foot = foot
    {Left|Right}ToeBase = toe
""",
        "cmu_bvh": """
Hips = pelvis
 {LHip|RHip}Joint = hip_joint
  {Left|Right}UpLeg = thigh
   {Left|Right}Leg = shin
    {Left|Right}Foot = foot
     {Left|Right}ToeBase = toe
 LowerBack = spine
  Spine = spine
   Spine1 = spine
    Neck = neck
     Neck1 = neck
      Head = head
    {Left|Right}Shoulder = shoulder
     {Left|Right}Arm = upper_arm
      {Left|Right}ForeArm = forearm
       {Left|Right}Hand = hand
        {Left|Right}FingerBase = index
        {L|R}Thumb = thumb
""",
        "bvh_joints/knee": """
Hips = pelvis
 Chest = spine
  Chest2 = spine
   Neck = neck
    Head = head
   {Left|Right}Collar = shoulder
    {Left|Right}Shoulder = upper_arm
     {Left|Right}Elbow = forearm
      {Left|Right}Wrist = hand
 {Left|Right}Hip = thigh
  {Left|Right}Knee = shin
   {Left|Right}Ankle = foot
    {Left|Right}Toe = toe
""",
        "bvh_joints/azure": """
PELVIS = pelvis
 SPINE_NAVAL = spine
  SPINE_CHEST = spine
   NECK = neck
    HEAD = head
   CLAVICLE_{LEFT|RIGHT} = shoulder
    SHOULDER_{LEFT|RIGHT} = upper_arm
     ELBOW_{LEFT|RIGHT} = forearm
      WRIST_{LEFT|RIGHT} = hand
 HIP_{LEFT|RIGHT} = thigh
  KNEE_{LEFT|RIGHT} = shin
   ANKLE_{LEFT|RIGHT} = foot
    FOOT_{LEFT|RIGHT} = toe
""",
        "smpl": """
Pelvis = pelvis
 {L|R}_Hip = thigh
  {L|R}_Knee = shin
   {L|R}_Ankle = foot
    {L|R}_Foot = toe
 Spine1 = spine
  Spine2 = spine
   Spine3 = spine
    Neck = neck
     Head = head
    {L|R}_Collar = shoulder
     {L|R}_Shoulder = upper_arm
      {L|R}_Elbow = forearm
       {L|R}_Wrist = hand
        {L|R}_Hand = middle
""",
        "rigify_metarig": """
spine = pelvis
 spine.001 = spine
  spine.002 = spine
   spine.003 = spine
    spine.004 = neck
     spine.005 = neck
      spine.006 = head
    shoulder.{L|R} = shoulder
     upper_arm.{L|R} = upper_arm
      forearm.{L|R} = forearm
       hand.{L|R} = hand
        thumb.01.{L|R} = thumb
        palm.01.{L|R} = index
        palm.04.{L|R} = pinky
 pelvis.{L|R} = hip_joint
 thigh.{L|R} = thigh
  shin.{L|R} = shin
   foot.{L|R} = foot
    toe.{L|R} = toe
    heel.02.{L|R} = heel
""",
        "unreal": """
root = root
 pelvis = pelvis
  spine_01 = spine
   spine_02 = spine
    spine_03 = spine
     neck_01 = neck
      head = head
     clavicle_{l|r} = shoulder
      upperarm_{l|r} = upper_arm
       lowerarm_{l|r} = forearm
        hand_{l|r} = hand
         thumb_01_{l|r} = thumb
         index_01_{l|r} = index
         pinky_01_{l|r} = pinky
        lowerarm_twist_01_{l|r} = forearm_mid
       upperarm_twist_01_{l|r} = arm_mid
  thigh_{l|r} = thigh
   calf_{l|r} = shin
    calf_twist_01_{l|r} = shin_mid
    foot_{l|r} = foot
     ball_{l|r} = toe
   thigh_twist_01_{l|r} = thigh_mid
 ik_foot_root = root
  ik_foot_{l|r}
""",
        "unreal/makehuman game engine": """
Root = root
 pelvis = pelvis
  spine_01 = spine
   spine_02 = spine
    spine_03 = spine
     clavicle_{l|r} = shoulder
      upperarm_{l|r} = upper_arm
       lowerarm_{l|r} = forearm
        hand_{l|r} = hand
         thumb_01_{l|r} = thumb
         middle_01_{l|r} = middle
     neck_01 = neck
      head = head
  thigh_{l|r} = thigh
   calf_{l|r} = shin
    foot_{l|r} = foot
     ball_{l|r} = toe
""",
        "vroid": """
Root = root
 J_Bip_C_Hips = pelvis
  J_Bip_C_Spine = spine
   J_Bip_C_Chest = spine
    J_Bip_C_UpperChest = spine
     J_Bip_C_Neck = neck
      J_Bip_C_Head = head
       J_Adj_{L|R}_FaceEye = eye
       J_Sec_Hair1_{01|02} = hair
     J_Bip_{L|R}_Shoulder = shoulder
      J_Bip_{L|R}_UpperArm = upper_arm
       J_Bip_{L|R}_LowerArm = forearm
        J_Bip_{L|R}_Hand = hand
         J_Bip_{L|R}_Thumb1 = thumb
         J_Bip_{L|R}_Index1 = index
         J_Bip_{L|R}_Middle1 = middle
  J_Bip_{L|R}_UpperLeg = thigh
   J_Sec_{L|R}_SkirtFront = skirt
   J_Bip_{L|R}_LowerLeg = shin
    J_Bip_{L|R}_Foot = foot
     J_Bip_{L|R}_ToeBase = toe
""",
        "vrm": """
hips = pelvis
 spine = spine
  chest = spine
   upperChest = spine
    neck = neck
     head = head
      {left|right}Eye = eye
    {left|right}Shoulder = shoulder
     {left|right}UpperArm = upper_arm
      {left|right}LowerArm = forearm
       {left|right}Hand = hand
 {left|right}UpperLeg = thigh
  {left|right}LowerLeg = shin
   {left|right}Foot = foot
    {left|right}Toes = toe
""",
        "makehuman": """
root = pelvis
 pelvis.{L|R} = hip_joint
  upperleg01.{L|R} = thigh
   upperleg02.{L|R} = thigh_mid
    lowerleg01.{L|R} = shin
     lowerleg02.{L|R} = shin_mid
      foot.{L|R} = foot
       toe1-1.{L|R} = toe_end
       toe3-1.{L|R} = toe_end
       toe5-1.{L|R} = toe_end
 spine05 = spine
  spine04 = spine
   spine03 = spine
    spine02 = spine
     spine01 = spine
      clavicle.{L|R} = shoulder
       shoulder01.{L|R}
        upperarm01.{L|R} = upper_arm
         upperarm02.{L|R} = arm_mid
          lowerarm01.{L|R} = forearm
           lowerarm02.{L|R} = forearm_mid
            wrist.{L|R} = hand
             finger1-1.{L|R} = thumb
             metacarpal1.{L|R} = index
             metacarpal4.{L|R} = pinky
      neck01 = neck
       neck02 = neck
        neck03 = neck
         head = head
          eye.{L|R} = eye
""",
        "auto_rig_pro/no twist": """
root.x = pelvis
 thigh_stretch.{l|r} = thigh
  leg_stretch.{l|r} = shin
   foot.{l|r} = foot
    toes_01.{l|r} = toe
 spine_01.x = spine
  spine_02.x = spine
   spine_03.x = spine
    neck.x = neck
     head.x = head
    shoulder.{l|r} = shoulder
     arm_stretch.{l|r} = upper_arm
      forearm_stretch.{l|r} = forearm
       hand.{l|r} = hand
""",
        "auto_rig_pro/twist": """
root.x = pelvis
 thigh_twist.{l|r} = thigh
  thigh_stretch.{l|r} = thigh_mid
   leg_stretch.{l|r} = shin
    leg_twist.{l|r} = shin_mid
    foot.{l|r} = foot
     toes_01.{l|r} = toe
 spine_01.x = spine
  spine_02.x = spine
   neck.x = neck
    head.x = head
   shoulder.{l|r} = shoulder
    arm_twist.{l|r} = upper_arm
     arm_stretch.{l|r} = arm_mid
      forearm_stretch.{l|r} = forearm
       forearm_twist.{l|r} = forearm_mid
       hand.{l|r} = hand
""",
        "auto_rig_pro_reference": """
root_ref.x = pelvis
 thigh_ref.{l|r} = thigh
  leg_ref.{l|r} = shin
   foot_ref.{l|r} = foot
    toes_ref.{l|r} = toe
 spine_01_ref.x = spine
  spine_02_ref.x = spine
   neck_ref.x = neck
    head_ref.x = head
   shoulder_ref.{l|r} = shoulder
    arm_ref.{l|r} = upper_arm
     forearm_ref.{l|r} = forearm
      hand_ref.{l|r} = hand
""",
        "daz_genesis_8": """
hip = pelvis
 pelvis = pelvis_end
  {l|r}ThighBend = thigh
   {l|r}ThighTwist = thigh_mid
    {l|r}Shin = shin
     {l|r}Foot = foot
      {l|r}Metatarsals
       {l|r}Toe = toe
      {l|r}Heel = heel
 abdomenLower = spine
  abdomenUpper = spine
   chestLower = spine
    chestUpper = spine
     {l|r}Collar = shoulder
      {l|r}ShldrBend = upper_arm
       {l|r}ShldrTwist = arm_mid
        {l|r}ForearmBend = forearm
         {l|r}ForearmTwist = forearm_mid
          {l|r}Hand = hand
           {l|r}Thumb1 = thumb
           {l|r}Carpal1 = index
           {l|r}Carpal4 = pinky
     neckLower = neck
      neckUpper = neck
       head = head
        {l|r}Eye = eye
""",
        "daz_genesis_9": """
hip = pelvis
 pelvis = pelvis_end
  {l|r}_thigh = thigh
   {l|r}_thightwist1
   {l|r}_thightwist2 = thigh_mid
   {l|r}_shin = shin
    {l|r}_foot = foot
     {l|r}_metatarsal
      {l|r}_toes = toe
 spine1 = spine
  spine2 = spine
   spine3 = spine
    spine4 = spine
     {l|r}_shoulder = shoulder
      {l|r}_upperarm = upper_arm
       {l|r}_upperarmtwist1
       {l|r}_forearm = forearm
        {l|r}_forearmtwist2 = forearm_mid
        {l|r}_hand = hand
         {l|r}_thumb1 = thumb
         {l|r}_indexmetacarpal = index
     neck1 = neck
      neck2 = neck
       head = head
""",
        "daz_poser": """
hip = pelvis
 abdomen = spine
  chest = spine
   neck = neck
    head = head
     {left|right}Eye = eye
   {l|r}Collar = shoulder
    {l|r}Shldr = upper_arm
     {l|r}ForeArm = forearm
      {l|r}Hand = hand
 {l|r}Thigh = thigh
  {l|r}Shin = shin
   {l|r}Foot = foot
    {l|r}Toe = toe
""",
        "bandai_namco/upper chest": """
Hips = pelvis
 Spine = spine
  Chest = spine
   Upper Chest = spine
    Neck = neck
     Head = head
    Shoulder.{L|R} = shoulder
     Upper Arm.{L|R} = upper_arm
      Lower Arm.{L|R} = forearm
       Hand.{L|R} = hand
 Upper Leg.{L|R} = thigh
  Lower Leg.{L|R} = shin
   Foot.{L|R} = foot
    Toes.{L|R} = toe
""",
        "bandai_namco": """
joint_Root = root
 Hips = pelvis
  Spine = spine
   Chest = spine
    Neck = neck
     Head = head
    Shoulder_{L|R} = shoulder
     UpperArm_{L|R} = upper_arm
      LowerArm_{L|R} = forearm
       Hand_{L|R} = hand
  UpperLeg_{L|R} = thigh
   LowerLeg_{L|R} = shin
    Foot_{L|R} = foot
     Toes_{L|R} = toe
""",
        "3ds_max_biped": """
Bip01 = pelvis_end
 Bip01 Pelvis = pelvis
  Bip01 Spine = spine
   Bip01 {L|R} Thigh = thigh
    Bip01 {L|R} Calf = shin
     Bip01 {L|R} Foot = foot
      Bip01 {L|R} Toe0 = toe
   Bip01 Spine1 = spine
    Bip01 Neck = neck
     Bip01 Head = head
     Bip01 {L|R} Clavicle = shoulder
      Bip01 {L|R} UpperArm = upper_arm
       Bip01 {L|R} Forearm = forearm
        Bip01 {L|R} Hand = hand
         Bip01 {L|R} Finger0 = thumb
         Bip01 {L|R} Finger1 = index
""",
        "character_creator": """
CC_Base_BoneRoot = root
 CC_Base_Hip = pelvis
  CC_Base_Pelvis = pelvis_end
   CC_Base_{L|R}_Thigh = thigh
    CC_Base_{L|R}_ThighTwist01
    CC_Base_{L|R}_Calf = shin
     CC_Base_{L|R}_Foot = foot
      CC_Base_{L|R}_ToeBase = toe
  CC_Base_Waist = spine
   CC_Base_Spine01 = spine
    CC_Base_Spine02 = spine
     CC_Base_NeckTwist01 = neck
      CC_Base_NeckTwist02 = neck
       CC_Base_Head = head
        CC_Base_{L|R}_Eye = eye
     CC_Base_{L|R}_Clavicle = shoulder
      CC_Base_{L|R}_Upperarm = upper_arm
       CC_Base_{L|R}_Forearm = forearm
        CC_Base_{L|R}_Hand = hand
         CC_Base_{L|R}_Thumb1 = thumb
         CC_Base_{L|R}_Mid1 = middle
""",
        "second_life": """
mPelvis = pelvis
 mTorso = spine
  mChest = spine
   mNeck = neck
    mHead = head
     mEye{Left|Right} = eye
   mCollar{Left|Right} = shoulder
    mShoulder{Left|Right} = upper_arm
     mElbow{Left|Right} = forearm
      mWrist{Left|Right} = hand
 mHip{Left|Right} = thigh
  mKnee{Left|Right} = shin
   mAnkle{Left|Right} = foot
    mFoot{Left|Right} = toe
""",
        "mmd": """
全ての親 = root
 センター = pelvis
  下半身 = pelvis_end
   {左|右}足 = thigh
    {左|右}ひざ = shin
     {左|右}足首 = foot
      {左|右}つま先 = toe
  上半身 = spine
   上半身2 = spine
    首 = neck
     頭 = head
      {左|右}目 = eye
    {左|右}肩 = shoulder
     {左|右}腕 = upper_arm
      {左|右}ひじ = forearm
       {左|右}手首 = hand
""",
        "advanced_skeleton": """
Root_M = pelvis
 Hip_{L|R} = thigh
  HipPart1_{L|R} = thigh_mid
   Knee_{L|R} = shin
    Ankle_{L|R} = foot
     Toes_{L|R} = toe
 Spine1_M = spine
  Chest_M = spine
   Neck_M = neck
    Head_M = head
   Scapula_{L|R} = shoulder
    Shoulder_{L|R} = upper_arm
     Elbow_{L|R} = forearm
      Wrist_{L|R} = hand
""",
        "3ds_max_biped/skyrim": """
NPC Root [Root] = root
 NPC COM [COM ] = pelvis
  NPC Pelvis [Pelv] = pelvis_end
   NPC {L|R} Thigh [{L|R}Thg] = thigh
    NPC {L|R} Calf [{L|R}Clf] = shin
     NPC {L|R} Foot [{L|R}ft ] = foot
      NPC {L|R} Toe0 [{L|R}Toe] = toe
  NPC Spine [Spn0] = spine
   NPC Spine1 [Spn1] = spine
    NPC Spine2 [Spn2] = spine
     NPC Neck [Neck] = neck
      NPC Head [Head] = head
     NPC {L|R} Clavicle [{L|R}Clv] = shoulder
      NPC {L|R} UpperArm [{L|R}Uar] = upper_arm
       NPC {L|R} Forearm [{L|R}Lar] = forearm
        NPC {L|R} Hand [{L|R}Hnd] = hand
""",
        "bvh_joints/kinect": """
SpineBase = pelvis
 SpineMid = spine
  SpineShoulder = spine
   Neck = neck
    Head = head
   Shoulder{Left|Right} = upper_arm
    Elbow{Left|Right} = forearm
     Wrist{Left|Right} = hand
 Hip{Left|Right} = thigh
  Knee{Left|Right} = shin
   Ankle{Left|Right} = foot
    Foot{Left|Right} = toe
""",
        "bvh_joints/cmu for daz": """
hip = pelvis
 abdomen = spine
  chest = spine
   neck = neck
    head = head
     {left|right}eye = eye
   {l|r}collar = shoulder
    {l|r}shoulder = upper_arm
     {l|r}elbow = forearm
      {l|r}hand = hand
       {l|r}thumb1 = thumb
       {l|r}index1 = index
       {l|r}mid1 = middle
 {l|r}buttock = hip_joint
  {l|r}hip = thigh
   {l|r}knee = shin
    {l|r}foot = foot
""",
        "hand_made/first bvh": """
Hips = pelvis
 Chest = spine
  Neck = neck
   Head = head
  {Left|Right}Collar = shoulder
   {Left|Right}UpArm = upper_arm
    {Left|Right}LowArm = forearm
     {Left|Right}Hand = hand
 {Left|Right}UpLeg = thigh
  {Left|Right}LowLeg = shin
   {Left|Right}Foot = foot
""",
        "hand_made/xsens": """
Pelvis = pelvis
 L5 = spine
  L3 = spine
   T12 = spine
    T8 = spine
     Neck = neck
      Head = head
     {Left|Right}Shoulder = shoulder
      {Left|Right}UpperArm = upper_arm
       {Left|Right}Forearm = forearm
        {Left|Right}Hand = hand
 {Left|Right}UpperLeg = thigh
  {Left|Right}LowerLeg = shin
   {Left|Right}Foot = foot
    {Left|Right}Toe = toe
""",
        "hand_made/rokoko": """
Root = root
 Hips = pelvis
  {Left|Right}Thigh = thigh
   {Left|Right}Shin = shin
    {Left|Right}Foot = foot
     {Left|Right}Toe = toe
  Spine1 = spine
   Spine2 = spine
    Spine3 = spine
     Neck = neck
      Head = head
     {Left|Right}Shoulder = shoulder
      {Left|Right}Arm = upper_arm
       {Left|Right}ForeArm = forearm
        {Left|Right}Hand = hand
""",
        "hand_made/optitrack": """
Hip = pelvis
 Ab = spine
  Chest = spine
   Neck = neck
    Head = head
   {L|R}Shoulder = shoulder
    {L|R}UArm = upper_arm
     {L|R}FArm = forearm
      {L|R}Hand = hand
 {L|R}Thigh = thigh
  {L|R}Shin = shin
   {L|R}Foot = foot
    {L|R}Toe = toe
""",
        "hand_made/roblox": """
HumanoidRootPart = pelvis_end
 LowerTorso = pelvis
  UpperTorso = spine
   Head = head
   {Left|Right}UpperArm = upper_arm
    {Left|Right}LowerArm = forearm
     {Left|Right}Hand = hand
  {Left|Right}UpperLeg = thigh
   {Left|Right}LowerLeg = shin
    {Left|Right}Foot = foot
""",
        "hand_made/blendcap": """
Hips = pelvis
 {Left|Right}Leg = thigh
  {Left|Right}Shin = shin
   {Left|Right}Foot = foot
    {Left|Right}ToeBase = toe
 Spine = spine
  Chest = spine
   Neck = neck
    Head = head
   {Left|Right}Collar = shoulder
    {Left|Right}Arm = upper_arm
     {Left|Right}Forearm = forearm
      {Left|Right}Hand = hand
""",
    }


SKELETONS = {key: parse(key.split("/")[0], text) for key, text in _skeleton_texts().items()}
