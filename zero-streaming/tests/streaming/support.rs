//! A scene and a store, stepped together.

use crate::hecs_host::{HecsHost, Thing};
use hecs::Entity;
use zero_streaming::glam::Vec3;
use zero_streaming::{
    CellKey, CellState, Config, Filing, GroupId, HostAction, NoStorage, Record, Source, Step, Storage, Store, Transform,
};

/// Cells of 10, loaded at 20, released at 30, a far field from 30 to 90 with a band to 112.5, and a budget that moves
/// anything at once.
pub(crate) const WIDE: Config = Config {
    cell_size: 10.0,
    load_radius: 20.0,
    unload_radius: 30.0,
    proxy_radius: 0.0,
    proxy_unload_radius: 0.0,
    budget: 1_000_000,
};

/// No label.
pub(crate) const NOTHING: [u64; 0] = [];

pub(crate) struct Scene<S = NoStorage> {
    pub(crate) host: HecsHost,
    pub(crate) store: Store<Entity, S>,
}

impl Scene {
    pub(crate) fn new(config: Config) -> Self {
        Self::with_storage(config, NoStorage)
    }
}

impl<S: Storage> Scene<S> {
    pub(crate) fn with_storage(config: Config, storage: S) -> Self {
        Self {
            host: HecsHost::new(64),
            store: Store::with_storage(config, storage).unwrap(),
        }
    }

    /// A frame with its step, in which anything may go wrong.
    pub(crate) fn try_step(&mut self, sources: &[Source]) -> Step {
        self.host.next_frame();
        let step = self.store.tick(&mut self.host, sources).unwrap();
        assert!(step.stepped);
        step
    }

    /// A frame with its step.
    pub(crate) fn step(&mut self, sources: &[Source]) -> Step {
        let step = self.try_step(sources);
        assert!(step.failures.is_empty(), "{:?}", step.failures);
        step
    }

    /// The same, whatever it did.
    pub(crate) fn go(&mut self, sources: &[Source]) {
        drop(self.step(sources));
    }

    /// Frames until nothing is on its way.
    pub(crate) fn run(&mut self, x: f32) {
        for _ in 0..200 {
            self.go(&[at(x)]);
            if self.store.stats().cells_pending == 0 {
                return;
            }
        }
        panic!("something is still on its way: {:?}", self.store.stats());
    }

    /// An entity of the game's, captured.
    pub(crate) fn capture(&mut self, root: Entity) -> GroupId {
        let captured = self.store.capture(&mut self.host, &[root], &Filing::default()).unwrap();
        captured.groups().unwrap()[0]
    }

    pub(crate) fn state(&self, x: i32) -> CellState {
        self.store.cell("default", CellKey::new(x, 0)).unwrap().state
    }

    /// The labels of everything in the scene, sorted.
    pub(crate) fn labels(&self) -> Vec<u64> {
        let mut labels: Vec<u64> = self
            .host
            .find_all()
            .iter()
            .map(|entity| self.host.thing(*entity).label)
            .collect();
        labels.sort_unstable();
        labels
    }
}

/// A source on the x axis.
pub(crate) fn at(x: f32) -> Source {
    Source::at(spot(x))
}

/// A place on the x axis, in the cells of z = 0.
pub(crate) fn spot(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 5.0)
}

/// One thing.
pub(crate) fn thing(label: u64, x: f32) -> Record {
    Thing::new(label).record(Transform::at(spot(x)))
}

/// A root and things below it, in a row.
pub(crate) fn row(label: u64, x: f32, below: u64) -> Vec<Record> {
    let child = |n: u64| {
        Thing::new(label + n)
            .record(Transform::at(Vec3::X * n as f32))
            .below(n as u32 - 1)
    };
    std::iter::once(thing(label, x)).chain((1..=below).map(child)).collect()
}

/// Fails an action from its nth call on.
pub(crate) fn fail_from(action: HostAction, nth: u32) -> Option<Box<dyn FnMut(HostAction) -> bool>> {
    let mut seen = 0;
    Some(Box::new(move |asked| {
        seen += u32::from(asked == action);
        asked == action && seen > nth
    }))
}

/// Draws: splitmix64 (Steele, Lea, Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() {
            None
        } else {
            of.get(self.below(of.len() as u64) as usize).copied()
        }
    }
}
