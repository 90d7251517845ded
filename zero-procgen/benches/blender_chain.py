"""The chain of `engine_bench`, in Blender's geometry nodes: 100 Set Position nodes over a grid of 1000 x 1000 points, noise
in the middle. Prints one line: version, milliseconds cold, milliseconds for an edit of the last node."""

import time

import bpy

NODES = 100
SIDE = 1000
ROUNDS = 5


def build():
    tree = bpy.data.node_groups.new("chain", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    grid = tree.nodes.new("GeometryNodeMeshGrid")
    for name, value in (("Size X", SIDE), ("Size Y", SIDE), ("Vertices X", SIDE), ("Vertices Y", SIDE)):
        grid.inputs[name].default_value = value
    last, steps = grid.outputs["Mesh"], []
    for at in range(NODES):
        step = tree.nodes.new("GeometryNodeSetPosition")
        step.inputs["Offset"].default_value = (0.01, 0.01 * at, 0.0)
        if at == NODES // 2:
            noise = tree.nodes.new("ShaderNodeTexNoise")
            noise.inputs["Scale"].default_value = 0.01
            noise.inputs["Detail"].default_value = 5.0
            tree.links.new(noise.outputs["Color"], step.inputs["Offset"])
        tree.links.new(last, step.inputs["Geometry"])
        last = step.outputs["Geometry"]
        steps.append(step)
    out = tree.nodes.new("NodeGroupOutput")
    tree.links.new(last, out.inputs["Geometry"])
    holder = bpy.data.objects.new("chain", bpy.data.meshes.new("chain"))
    bpy.context.scene.collection.objects.link(holder)
    holder.modifiers.new("chain", "NODES").node_group = tree
    return holder, steps


def evaluated(holder):
    """Milliseconds until the evaluated mesh is there."""
    begun = time.perf_counter()
    bpy.context.view_layer.update()
    mesh = holder.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert len(mesh.vertices) == SIDE * SIDE, len(mesh.vertices)
    return (time.perf_counter() - begun) * 1e3


def main():
    holder, steps = build()
    times = {}
    evaluated(holder)
    for name, step in (("cold", steps[0]), ("edit", steps[-1])):
        taken = []
        for turn in range(ROUNDS):
            step.inputs["Offset"].default_value = (0.5 + turn, 0.0, 0.0)
            taken.append(evaluated(holder))
        times[name] = sorted(taken)[ROUNDS // 2]
    print(f"PEER {bpy.app.version_string.split()[0]} {times['cold']:.1f} {times['edit']:.1f}")


main()
