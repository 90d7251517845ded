//! Trees of few triangles, made of nodes. Points carry a colour `Cd` and `open`, how much of the sky they see.

use std::f32::consts::{PI, TAU};
use zero_procgen::nodes::field::Noise;
use zero_procgen::nodes::geometry::{Merge, Transform};
use zero_procgen::nodes::mesh::{Cone, Grid};
use zero_procgen::{Float, Geo, Graph, Vec3, vec3};

const BARK: [f32; 3] = [0.30, 0.22, 0.16];

/// Four skirts of branches on a trunk, 17 m high.
pub(super) fn conifer(g: &Graph) -> Geo<'_> {
    let skirts = [(3.1, 2.0, 8.0), (2.6, 4.8, 11.2), (2.0, 8.0, 14.2), (1.3, 11.2, 17.2)];
    let mut parts = vec![trunk(g, 0.35, 4.0)];
    for (radius, base, top) in skirts {
        let skirt = g.add(Cone::new().radius(radius).height(top - base).segments(7));
        let skirt = g.add(Transform::new(skirt).translate([0.0, base, 0.0]));
        // Branches are in the shade of those above them where they reach the trunk.
        let lit = ((g.position().y() - base) / (top - base)).smoothstep(-0.4, 0.9);
        parts.push(colored(skirt, [1.0; 3], 0.45 + 0.55 * lit));
    }
    g.add(Merge::new(parts))
}

/// Three lumps of leaves on a trunk, 14 m high.
pub(super) fn broadleaf(g: &Graph) -> Geo<'_> {
    let lumps = [([0.0, 9.2, 0.0], 4.6), ([2.3, 7.2, 1.2], 3.2), ([-2.1, 7.6, -1.5], 3.4)];
    let mut parts = vec![trunk(g, 0.5, 8.0)];
    for (centre, radius) in lumps {
        parts.push(lump(g, centre, radius));
    }
    g.add(Merge::new(parts))
}

fn trunk(g: &Graph, radius: f32, height: f32) -> Geo<'_> {
    let trunk = g.add(Cone::new().radius(radius).height(height).segments(5));
    colored(trunk, BARK, 0.6)
}

/// A sheet rolled into a ball, pushed in and out by noise. The noise is read on the ball, so that the seam closes.
fn lump(g: &Graph, centre: [f32; 3], radius: f32) -> Geo<'_> {
    let sheet = g.add(Grid::new().cells_x(7).cells_z(5));
    let (turn, polar) = (g.position().x() * -TAU, (g.position().z() + 0.5) * PI);
    let out = vec3(polar.sin() * turn.cos(), polar.cos(), polar.sin() * turn.sin());
    let ball = sheet.point().set("N", out);
    let out: Vec3<'_> = g.element().point("N");
    let [x, y, z] = centre;
    let push = 1.0 + 0.35 * g.add(Noise::new(out * 1.9 + vec3(x, y, z)));
    let shape = vec3(x, y, z) + out * push * vec3(radius, radius * 0.85, radius);
    let open = out.y().smoothstep(-1.0, 0.7);
    colored(ball, [1.0; 3], 0.4 + 0.6 * open).point().set("P", shape)
}

/// A part with its colour, and darker where it sees less of the sky.
fn colored<'g>(part: Geo<'g>, color: [f32; 3], open: impl Into<Float<'g>>) -> Geo<'g> {
    let open = open.into();
    let shade = open * 0.3 + 0.7;
    let part = part.point().set("open", open);
    part.point()
        .set("Cd", vec3(shade * color[0], shade * color[1], shade * color[2]))
}
