#!/usr/bin/env python3
"""Writes the rigs of this folder: python3 make_rigs.py [FOLDER OF rig.*.json]

Without a folder only the handmade rig is written; see README.md for where the folder comes from.
"""
import json
import math
import struct
import sys
from pathlib import Path

HERE = Path(__file__).parent


# Matrices are lists of three columns.
def mul(a, b):
    return [apply(a, column) for column in b]


def apply(m, v):
    return [sum(m[k][i] * v[k] for k in range(3)) for i in range(3)]


def transpose(m):
    return [[m[k][i] for k in range(3)] for i in range(3)]


def quaternion(m):
    """The rotation matrix `m` as x, y, z, w, by the largest component."""
    t = [m[0][0] - m[1][1] - m[2][2], m[1][1] - m[0][0] - m[2][2], m[2][2] - m[0][0] - m[1][1], m[0][0] + m[1][1] + m[2][2]]
    i = max(range(4), key=lambda k: t[k])
    r = math.sqrt(1.0 + t[i])
    s = 0.5 / r
    xy, xz, yz = m[1][0] + m[0][1], m[2][0] + m[0][2], m[2][1] + m[1][2]
    wx, wy, wz = m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]
    return [[r / 2, xy * s, xz * s, wx * s], [xy * s, r / 2, yz * s, wy * s],
            [xz * s, yz * s, r / 2, wz * s], [wx * s, wy * s, wz * s, r / 2]][i]


def bone_axes(head, tail, roll):
    """A bone's axes from its ends: Y along it, rolled about it from the shortest turn of Y."""
    along = [t - h for h, t in zip(head, tail)]
    length = math.sqrt(sum(x * x for x in along))
    x, y, z = (c / length for c in along)
    if 1.0 + y < 1e-9:
        axes = [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]
    else:
        d = 1.0 / (1.0 + y)
        axes = [[1 - x * x * d, -x, -x * z * d], [x, y, z], [-x * z * d, -z, 1 - z * z * d]]
    c, s = math.cos(roll), math.sin(roll)
    turn = [[c + x * x * (1 - c), y * x * (1 - c) + z * s, z * x * (1 - c) - y * s],
            [x * y * (1 - c) - z * s, c + y * y * (1 - c), z * y * (1 - c) + x * s],
            [x * z * (1 - c) + y * s, y * z * (1 - c) - x * s, c + z * z * (1 - c)]]
    return mul(turn, axes)


def write(name, bones, armature=None, credit=""):
    """bones: (name, parent, position, axes) in the space of the armature, parents first."""
    place = {b[0]: b for b in bones}
    nodes, ibm = [], b""
    index = {b[0]: i for i, b in enumerate(bones)}
    for bone, parent, position, axes in bones:
        up = place[parent] if parent else (None, None, [0.0, 0.0, 0.0], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        inverse = transpose(up[3])
        node = {"name": bone, "translation": [round(x, 7) for x in apply(inverse, [p - q for p, q in zip(position, up[2])])],
                "rotation": [round(x, 8) for x in quaternion(mul(inverse, axes))]}
        children = [index[b[0]] for b in bones if b[1] == bone]
        if children:
            node["children"] = children
        nodes.append(node)
    scale = 1.0 if armature is None else armature["scale"][0]
    lift = [[1, 0, 0], [0, 1, 0], [0, 0, 1]] if armature is None else armature["axes"]
    for bone, parent, position, axes in bones:
        model_axes = mul(lift, axes)
        model_position = [scale * x for x in apply(lift, position)]
        back = transpose(model_axes)
        shift = apply(back, model_position)
        columns = [[x / scale for x in column] + [0.0] for column in back] + [[-x / scale for x in shift] + [1.0]]
        ibm += struct.pack("<16f", *[x for column in columns for x in column])
    roots = [i for i, b in enumerate(bones) if b[1] is None]
    scene = roots
    if armature is not None:
        nodes.append({"name": "Armature", "rotation": quaternion(lift), "scale": armature["scale"], "children": roots})
        scene = [len(nodes) - 1]
    document = {
        "asset": {"version": "2.0", "copyright": credit, "generator": "make_rigs.py"},
        "scene": 0, "scenes": [{"nodes": scene}], "nodes": nodes,
        "skins": [{"joints": list(range(len(bones))), "inverseBindMatrices": 0}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(bones), "type": "MAT4"}],
        "bufferViews": [{"buffer": 0, "byteLength": len(ibm)}], "buffers": [{"byteLength": len(ibm)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(ibm), 0x004E4942) + ibm
    (HERE / name).write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body)


def from_heads_and_tails(source, target):
    """A rig that gives each bone's head, tail and roll, Z up and facing -Y, standing below the origin: to Y up, facing +Z,
    standing on the origin."""
    raw = json.loads(source.read_text())
    raw = raw.get("bones", raw)
    floor = min(b["head"]["default_position"][2] for b in raw.values())
    upright = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    order, left = [], dict(raw)
    while left:
        for name in [n for n, b in left.items() if not b["parent"] or b["parent"] not in left]:
            b = left.pop(name)
            head = list(b["head"]["default_position"])
            tail = list(b["tail"]["default_position"])
            axes = mul(upright, bone_axes(head, tail, b["roll"]))
            head[2] -= floor
            order.append((name, b["parent"] or None, apply(upright, head), axes))
    write(target, order, credit="CC0 1.0, the MakeHuman community (MPFB)")


def handmade():
    """A character in centimetres and Z up under a node that makes metres and Y up of it, as many exporters do: arms
    straight out, legs straight down, twist bones in the forearms, end bones, and a tail."""
    flat = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    bones = [("hips", None, (0, 0, 95)), ("spine", "hips", (0, 0, 105)), ("chest", "spine", (0, 0, 120)),
             ("upperChest", "chest", (0, 0, 134)), ("neck", "upperChest", (0, 0, 148)), ("head", "neck", (0, -1, 156)),
             ("head_end", "head", (0, -1, 176))]
    for side, sign in (("left", 1), ("right", -1)):
        bones += [(f"{side}Shoulder", "upperChest", (3 * sign, 0, 142)),
                  (f"{side}UpperArm", f"{side}Shoulder", (18 * sign, 0, 142)),
                  (f"{side}LowerArm", f"{side}UpperArm", (46 * sign, 0, 142)),
                  (f"{side}LowerArmTwist", f"{side}LowerArm", (58 * sign, 0, 142)),
                  (f"{side}Hand", f"{side}LowerArmTwist", (71 * sign, 0, 142)),
                  (f"{side}Hand_end", f"{side}Hand", (89 * sign, 0, 142)),
                  (f"{side}UpperLeg", "hips", (9 * sign, 0, 91)),
                  (f"{side}LowerLeg", f"{side}UpperLeg", (9 * sign, 0, 50)),
                  (f"{side}Foot", f"{side}LowerLeg", (9 * sign, 0, 8)),
                  (f"{side}Toes", f"{side}Foot", (9 * sign, -13, 2)),
                  (f"{side}Toes_end", f"{side}Toes", (9 * sign, -20, 2))]
    parent = "hips"
    for link in range(10):
        bones.append((f"tail{link}", parent, (0, 8 + 7 * link, 96 - 2 * link)))
        parent = f"tail{link}"
    # Bones lie every way: each side's bones are turned by a quarter more than the last.
    quarter = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
    turned, placed = flat, []
    for name, up, position in bones:
        placed.append((name, up, [float(x) for x in position], turned))
        turned = mul(quarter, turned) if len(placed) % 3 else mul([[1, 0, 0], [0, 0, 1], [0, -1, 0]], turned)
    write("handmade.glb", placed, {"scale": [0.01] * 3, "axes": [[1, 0, 0], [0, 0, -1], [0, 1, 0]]}, "MIT OR Apache-2.0")


if __name__ == "__main__":
    handmade()
    if len(sys.argv) > 1:
        for style in ("game_engine", "mixamo"):
            from_heads_and_tails(Path(sys.argv[1]) / f"rig.{style}.json", f"mpfb_{style}.glb")
