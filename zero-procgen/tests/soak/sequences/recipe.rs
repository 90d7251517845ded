//! Graphs that nobody wrote, as data that can be edited.

use super::Draws;
use std::collections::BTreeMap;
use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{
    Argument, Compose, Float, Geo, Graph, GraphDef, Int, Next, Node, Registry, Result, Socket, State, Step, Wires, vec3,
};

/// Inputs that are numbers: `n0` and on.
pub(crate) const NUMBERS: usize = 5;
/// Inputs that are whole numbers: `i0` and on.
pub(crate) const WHOLE: usize = 3;

/// A graph as data, with the nodes that it may name.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    picks: Vec<Pick>,
    registry: Registry,
    /// Counts the recipes, so that each has a name of its own.
    name: u64,
}

/// One node: what it does, what it reads, what it is given.
#[derive(Clone, Copy, Debug)]
struct Pick {
    kind: usize,
    left: usize,
    right: usize,
    number: usize,
    whole: usize,
    amount: f32,
}

/// The node of the pack, as it is at first.
mod first {
    use super::*;

    /// Lifts a geometry.
    #[derive(Clone, Debug, Node)]
    #[node(id = "soak.lift")]
    pub(super) struct Lift<'g> {
        /// What is lifted.
        geometry: Geo<'g>,
        /// By how much.
        #[input(default = 1.0)]
        by: Float<'g>,
    }

    impl<'g> Compose<'g> for Lift<'g> {
        type Out = Geo<'g>;
        fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
            let place = g.position() + vec3(0.0, self.by, 0.0);
            Ok(g.add(geometry::SetPosition::new(self.geometry, place)))
        }
    }
}

/// The same node, written anew.
mod second {
    use super::*;

    /// Lifts a geometry, the more the farther it is from the middle.
    #[derive(Clone, Debug, Node)]
    #[node(id = "soak.lift")]
    pub(super) struct Lift<'g> {
        /// What is lifted.
        geometry: Geo<'g>,
        /// By how much.
        #[input(default = 2.0)]
        by: Float<'g>,
    }

    impl<'g> Compose<'g> for Lift<'g> {
        type Out = Geo<'g>;
        fn compose(self, g: &'g Graph) -> Result<Geo<'g>> {
            let place = g.position();
            let by = self.by * place.length();
            Ok(g.add(geometry::SetPosition::new(self.geometry, place + vec3(0.0, by, 0.0))))
        }
    }
}

impl Pick {
    fn draw(draws: &mut Draws) -> Pick {
        Pick {
            kind: draws.below(KINDS),
            left: draws.below(1 << 16),
            right: draws.below(1 << 16),
            number: draws.below(NUMBERS),
            whole: draws.below(WHOLE),
            amount: draws.one_of(&[-0.5, 0.25, 0.75, 1.0, 2.0]),
        }
    }
}

/// Kinds of nodes that [`Making::add`] knows.
const KINDS: usize = 12;

impl Recipe {
    pub(crate) fn new(draws: &mut Draws) -> Recipe {
        let mut recipe = Recipe {
            picks: (0..6 + draws.below(14)).map(|_| Pick::draw(draws)).collect(),
            registry: Registry::standard(),
            name: draws.below(1 << 30) as u64,
        };
        recipe.register(draws);
        recipe
    }

    /// Another pack than before: the node as it was at first, written anew, or no more.
    pub(crate) fn register(&mut self, draws: &mut Draws) {
        let registry = &mut self.registry;
        let added = match draws.below(3) {
            0 => registry.add_pack("soak", |pack| {
                pack.add::<first::Lift<'_>>();
            }),
            1 => registry.add_pack("soak", |pack| {
                pack.add::<second::Lift<'_>>();
            }),
            _ => {
                registry.remove_pack("soak");
                Ok(())
            }
        };
        debug_assert!(added.is_ok(), "no other pack has the id");
    }

    /// Changes, adds, takes out or swaps a node.
    pub(crate) fn edit(&mut self, draws: &mut Draws) {
        let at = draws.below(self.picks.len());
        match draws.below(5) {
            0 if self.picks.len() > 2 => {
                self.picks.remove(at);
            }
            1 => self.picks.insert(at, Pick::draw(draws)),
            2 => self.picks.push(Pick::draw(draws)),
            3 => {
                let other = draws.below(self.picks.len());
                self.picks.swap(at, other);
            }
            _ => self.picks[at] = Pick::draw(draws),
        }
        self.name += u64::from(draws.below(4) == 0);
    }

    pub(crate) fn graph(&self) -> std::result::Result<GraphDef, String> {
        let recipe = self.clone();
        let name = format!("recipe {}", self.name);
        Graph::define(&name, move |g| build(g, &recipe)).map_err(|error| error.to_string())
    }
}

fn build(g: &Graph, recipe: &Recipe) {
    let mut making = Making {
        g,
        registry: &recipe.registry,
        numbers: (0..NUMBERS)
            .map(|at| g.float(&format!("n{at}"), 1.0 + at as f32))
            .collect(),
        whole: (0..WHOLE).map(|at| g.int(&format!("i{at}"), 2 + at as i32)).collect(),
        made: vec![g.add(mesh::Box::new()), g.add(points::Grid::new().count_x(3))],
        ends: Vec::new(),
    };
    for storey in 0..g.plain("storeys", 1) {
        let _pass = g.scope("storey", storey);
        let below = making.made[making.made.len() - 1];
        let step = vec3(0.0, making.numbers[0], storey as f32);
        making.made.push(g.add(geometry::Transform::new(below).translate(step)));
    }
    for (place, pick) in recipe.picks.iter().enumerate() {
        making.add(place, pick);
    }
    let last = making.made.iter().skip(making.made.len() / 2);
    for (place, geometry) in last.chain(&making.ends).enumerate() {
        g.output(&format!("o{place}"), *geometry);
    }
}

/// A graph on its way.
struct Making<'g, 'r> {
    g: &'g Graph,
    registry: &'r Registry,
    numbers: Vec<Float<'g>>,
    whole: Vec<Int<'g>>,
    /// What later nodes may read.
    made: Vec<Geo<'g>>,
    /// What is shown alone.
    ends: Vec<Geo<'g>>,
}

impl<'g> Making<'g, '_> {
    fn add(&mut self, place: usize, pick: &Pick) {
        let g = self.g;
        let at = |place: usize| self.made[place % self.made.len()];
        let (left, number, whole) = (at(pick.left), self.numbers[pick.number], self.whole[pick.whole]);
        let amount = pick.amount;
        match pick.kind {
            0 => {
                let moved = geometry::Transform::new(left).translate(vec3(number, amount, number * 0.1));
                self.made.push(g.add(moved.yaw_deg(amount * 30.0)));
            }
            1 => {
                let heat = (g.position().x() * number + amount).sin() * g.rand("heat");
                self.made.push(left.point().set("heat", heat));
            }
            2 => self
                .made
                .push(g.add(mesh::Box::new().size(vec3(number, 1.0, amount.abs())))),
            3 => {
                // Of the first few alone, so that sums of sums don't grow without end.
                let few = self.made.len().min(4);
                let both = [self.made[pick.left % few], self.made[pick.right % few]];
                self.made.push(g.add(geometry::Merge::new(both)));
            }
            4 => {
                let lifted = self.lift(left, number * amount);
                self.made.push(lifted);
            }
            5 => {
                let grown = g.fold(whole, left, |pass, so_far| {
                    let by = vec3(pass * 0.1, number, amount);
                    g.add(geometry::Transform::new(so_far).translate(by))
                });
                self.made.push(grown);
            }
            6 => {
                let disc = points::Disc::new().count(whole).radius(number);
                let fill = if amount > 0.0 {
                    points::Fill::Random
                } else {
                    points::Fill::Sunflower
                };
                self.made.push(g.add(disc.fill(fill).seed(pick.right as i32 % 3)));
            }
            7 => {
                let cloud = g.add(points::Disc::new().count(20).radius(number));
                let kept = g.add(field::Noise::new(g.position() * number)) + amount;
                self.ends.push(g.add(points::Filter::new(cloud, kept)));
            }
            8 => {
                let crowd = instances::Place::new(left, g.add(mesh::Cone::new().height(number)));
                self.ends.push(g.add(crowd.scale(g.rand("scale") + amount)));
            }
            9 => {
                let falling = g.step(
                    &format!("falling {place}"),
                    Step::every(1.0 / 30.0).substeps(1 + pick.right as u32 % 2),
                    State::new(5).vec3("P").float("age"),
                    |now, step| {
                        let pull = vec3(number, -9.81, amount) * step.dt();
                        let turned = g.fold(pick.whole as i32, now.vec3("P") + pull, |_, place| place * 0.5);
                        Next::new()
                            .set("P", turned)
                            .set("age", now.float("age") + step.dt() * number)
                    },
                );
                self.ends.push(falling.points());
            }
            10 => {
                let strewn = points::OnSurface::new(g.add(mesh::Box::new()))
                    .count(whole * 3)
                    .density(amount);
                self.ends.push(g.add(strewn.seed(pick.left as i32 % 3)));
            }
            _ => {
                let time = g.clock().time();
                let by = vec3(time * amount, 0.0, number);
                self.made.push(g.add(geometry::Transform::new(left).translate(by)));
            }
        }
    }

    /// The node of the pack, where there is one.
    fn lift(&self, geometry: Geo<'g>, by: Float<'g>) -> Geo<'g> {
        let given = BTreeMap::from([
            ("geometry".to_owned(), Argument::Socket(geometry.into())),
            ("by".to_owned(), Argument::Socket(by.into())),
        ]);
        let lifted = self.registry.schema("soak.lift").and_then(|schema| {
            let wires = Wires::new(schema, given)?;
            self.registry.call(self.g, "soak.lift", wires)
        });
        match lifted.as_deref() {
            Ok([lifted]) => Geo::from_wire(self.g, lifted.wire()),
            _ => geometry.point().set("unlifted", by),
        }
    }
}
