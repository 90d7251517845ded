//! The graphs that the tests play.

use zero_procgen::nodes::{geometry, instances, mesh};
use zero_procgen::{Float, Geo, Graph, Next, State, Step, Vec3, vec3};

pub(crate) fn tower(g: &Graph) -> Geo<'_> {
    let storeys = g.plain("storeys", 5);
    let width = g.float("width", 8.0);
    let mut tower = g.add(mesh::Box::new().size([9.0, 0.4, 9.0]));
    for s in 0..storeys {
        let _pass = g.scope("storey", s);
        let slab = g.add(mesh::Box::new().size([1.0, 3.0, 1.0]));
        let slab = g.add(
            geometry::Transform::new(slab)
                .scale(width * (1.0 - 0.08 * s as f32))
                .yaw_deg(7.5 * s as f32),
        );
        tower = g.add(geometry::Merge::new([tower, slab]));
    }
    g.fold(g.int("rings", 4), tower, |i, so_far| {
        let ring = g.add(mesh::Cone::new().radius(width * 0.5 + i * 0.25).height(0.3));
        g.add(geometry::Merge::new([so_far, ring]))
    })
}

pub(crate) fn particles(g: &Graph) -> Geo<'_> {
    let spread = g.float("spread", 2.0);
    let cloud = g.step(
        "sparks",
        Step::every(1.0 / 60.0),
        State::new(500).vec3("P").vec3("v").float("age"),
        |now, step| {
            let id = g.element().id();
            let angle = g.draw(7, "emit", "angle", id) * std::f32::consts::TAU;
            let speed = g.draw(7, "emit", "speed", id) * spread;
            let launch = vec3(angle.cos() * speed, 4.0, angle.sin() * speed);
            let v: Vec3<'_> = step
                .first()
                .choose(launch, now.vec3("v") + vec3(0.0, -9.81, 0.0) * step.dt());
            Next::new()
                .set("v", v)
                .set("P", now.vec3("P") + v * step.dt())
                .set("age", now.float("age") + step.dt())
        },
    );
    let spark = g.add(mesh::Cone::new().radius(0.05).height(0.1));
    let points = cloud.points();
    let fade: Float<'_> = cloud.column("age").read();
    g.add(instances::Place::new(points, spark).scale(1.0 - fade * 0.2))
}
