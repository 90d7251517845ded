//! Sparks: a state on the device that steps move on.

use zero_procgen::nodes::{instances, mesh};
use zero_procgen::{Float, Geo, Graph, GraphDef, Next, Result, State, Step, Vec3, vec3};

/// Steps a second.
const RATE: f32 = 60.0;

/// A fountain of 4 000 sparks: thrown up from the origin, pulled down, bounced off the ground at half their speed,
/// thrown anew once they are `life` seconds old. `spread` is how fast they leave sideways, in metres a second.
///
/// # Errors
/// Those of a build; there are none as it stands.
pub fn particles() -> Result<GraphDef> {
    Graph::define("particles", |g| g.output("sparks", build(g)))
}

fn build(g: &Graph) -> Geo<'_> {
    let spread = g.float("spread", 2.5).range(0.0..=20.0);
    let life = g.float("life", 3.0).range(0.1..=60.0);
    let state = State::new(4_000).vec3("P").vec3("v").float("age");
    let sparks = g.step("sparks", Step::every(1.0 / RATE), state, |now, step| {
        let id = g.element().id();
        let angle = g.draw(7, "emit", "angle", id) * std::f32::consts::TAU;
        let speed = g.draw(7, "emit", "speed", id) * spread;
        let up = 7.0 + 3.0 * g.draw(7, "emit", "up", id);
        let thrown = vec3(angle.cos() * speed, up, angle.sin() * speed);
        // The first of them are of every age, so that the fountain stands at once.
        let born = g.draw(7, "emit", "age", id) * life;

        let aged = now.float("age") + step.dt();
        let over = step.first().or(aged.gt(life));
        let fallen = now.vec3("v") + vec3(0.0, -9.81, 0.0) * step.dt();
        let moved = now.vec3("P") + fallen * step.dt();
        let bounced = moved.y().lt(0.0);
        let velocity = bounced.choose::<Vec3<'_>>(fallen * glam::Vec3::new(0.7, -0.5, 0.7), fallen);
        let place = bounced.choose::<Vec3<'_>>(vec3(moved.x(), 0.0, moved.z()), moved);
        // A spark born some time ago stands where its throw has taken it since.
        let since: Float<'_> = step.first().choose(born, 0.0);
        let start = thrown * since + vec3(0.0, -4.905, 0.0) * (since * since);
        Next::new()
            .set(
                "v",
                over.choose::<Vec3<'_>>(thrown + vec3(0.0, -9.81, 0.0) * since, velocity),
            )
            .set("P", over.choose::<Vec3<'_>>(start, place))
            .set(
                "age",
                step.first()
                    .choose::<Float<'_>>(born, over.choose::<Float<'_>>(0.0, aged)),
            )
    });
    let age: Float<'_> = sparks.column("age").read();
    let fade = 1.0 - (age / life) * 0.8;
    let spark = g.add(mesh::Cone::new().radius(0.04).height(0.12).segments(5));
    g.add(instances::Place::new(sparks.points(), spark).scale(fade))
}
