//! A long walk through a world in which everything that may fail does, held against a model of every entity.
//!
//! `ZERO_TEST_SCALE=full` walks 100 000 steps over 50 000 groups; otherwise it is a thirtieth of that.

use crate::hecs_host::{Change, Thing};
use crate::support::{Random, Scene, WIDE};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zero_streaming::glam::Vec3;
use zero_streaming::{
    BoxError, CellKey, Config, EntityState, Filing, GroupId, GroupState, Host, HostAction, Layer, MemoryStorage, Radii,
    Source, Step, Storage, Transform, cell_distance, cell_key_at, encoded_len,
};

const SIZE: f32 = 16.0;
const LAYERS: [&str; 2] = ["rocks", "trees"];
/// Labels from here on are those of proxies.
const PROXY: u64 = 1 << 40;
const LARGEST_GROUP: usize = 6;

/// Files in memory, of which every so many calls fail.
struct Disk {
    files: MemoryStorage,
    one_in: Arc<AtomicU64>,
    calls: AtomicU64,
}

impl Disk {
    fn check(&self) -> Result<(), BoxError> {
        let one_in = self.one_in.load(Ordering::Relaxed);
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if one_in > 0 && Random(call).below(one_in) == 0 {
            Err("the disk failed".into())
        } else {
            Ok(())
        }
    }
}

impl Storage for Disk {
    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), BoxError> {
        self.check()?;
        self.files.write(path, bytes)
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, BoxError> {
        self.check()?;
        self.files.read(path)
    }
    fn remove(&mut self, path: &str) -> Result<(), BoxError> {
        self.check()?;
        self.files.remove(path)
    }
}

/// What the model knows of one entity.
#[derive(Clone, Copy, Default)]
struct Being {
    group: usize,
    /// It stands or was asked for.
    up: bool,
    landed: bool,
    /// The game destroyed it.
    dead: bool,
    tint: u32,
}

/// What the model knows of one group.
struct Known {
    id: GroupId,
    labels: Vec<u64>,
    /// As last reported, for the sums.
    bytes: u64,
    up: bool,
    dropped: bool,
}

struct Walk {
    scene: Scene<Disk>,
    disk_one_in: Arc<AtomicU64>,
    random: Random,
    side: f32,
    beings: Vec<Being>,
    proxies: Vec<(usize, CellKey, Being)>,
    proxy_at: BTreeMap<(usize, CellKey), usize>,
    groups: Vec<Known>,
    by_id: BTreeMap<GroupId, usize>,
    /// Groups that came in lately: what the game plays with.
    lately: Vec<usize>,
    /// Proxied cells in the far field at the last step, and whether they were covered.
    covered: BTreeMap<(usize, CellKey), bool>,
    bytes_stored: u64,
    bytes_up: u64,
    groups_up: u64,
    /// Destroyed by the game or part of what it destroyed, and still in the scene: the store has to take it out.
    doomed: BTreeSet<u64>,
    /// Groups whose root the game destroyed since the last step.
    dying: Vec<usize>,
    seen: Seen,
}

/// That the walk met what it is about.
#[derive(Debug, Default)]
struct Seen {
    loaded: u32,
    released: u32,
    moved: u32,
    dropped: u32,
    raised: u32,
    lowered: u32,
    linked: u32,
    failures: u32,
    half_in: u32,
    half_out: u32,
    handovers: u32,
    taken_off: u32,
}

impl Walk {
    fn new(groups: usize, seed: u64) -> Self {
        let disk_one_in = Arc::new(AtomicU64::new(0));
        let (files, calls) = (MemoryStorage::default(), AtomicU64::new(0));
        let disk = Disk {
            files,
            one_in: Arc::clone(&disk_one_in),
            calls,
        };
        let config = Config {
            cell_size: SIZE,
            load_radius: 40.0,
            unload_radius: 60.0,
            proxy_radius: 110.0,
            ..WIDE
        };
        let mut scene = Scene::with_storage(config, disk);
        let radii = Radii {
            load: Some(25.0),
            unload: Some(50.0),
            ..Radii::default()
        };
        scene
            .store
            .set_layer(
                "trees",
                Layer {
                    radii,
                    ..Layer::default()
                },
            )
            .unwrap();
        let mut walk = Self {
            scene,
            disk_one_in,
            random: Random(seed),
            // Three groups a cell.
            side: SIZE * (groups as f32 / 3.0).sqrt(),
            beings: Vec::new(),
            proxies: Vec::new(),
            proxy_at: BTreeMap::new(),
            groups: Vec::new(),
            by_id: BTreeMap::new(),
            lately: Vec::new(),
            covered: BTreeMap::new(),
            bytes_stored: 0,
            bytes_up: 0,
            groups_up: 0,
            doomed: BTreeSet::new(),
            dying: Vec::new(),
            seen: Seen::default(),
        };
        for _ in 0..groups {
            walk.add_group();
        }
        walk
    }

    fn place(&mut self) -> Vec3 {
        Vec3::new(self.random.unit() * self.side, 0.0, self.random.unit() * self.side)
    }

    fn add_group(&mut self) {
        let (place, layer) = (self.place(), self.random.below(2) as usize);
        let first = self.beings.len() as u64;
        let below = self.random.below(4);
        let record = |n: u64| {
            let record = Thing::new(first + n).record(Transform::at(if n == 0 { place } else { Vec3::Y }));
            if n == 0 { record } else { record.below(n as u32 / 2) }
        };
        let records: Vec<_> = (0..=below).map(record).collect();
        let filing = Filing::layer(LAYERS[layer]);
        // The trees are in files.
        let filing = if layer == 1 { filing.in_files("walk") } else { filing };
        let id = self.scene.store.add(&records, &filing).unwrap();
        let group = self.groups.len();
        self.beings.extend(records.iter().map(|_| Being {
            group,
            ..Being::default()
        }));
        let bytes = encoded_len(&records) as u64;
        self.bytes_stored += bytes;
        let labels = (first..=first + below).collect();
        self.groups.push(Known {
            id,
            labels,
            bytes,
            up: false,
            dropped: false,
        });
        self.by_id.insert(id, group);
        let key = cell_key_at(place.x, place.z, SIZE).unwrap();
        if self.random.below(3) > 0 && !self.proxy_at.contains_key(&(layer, key)) {
            let label = PROXY + self.proxies.len() as u64;
            let proxy = Thing::new(label).record(Transform::at(place));
            self.scene.store.set_proxy(LAYERS[layer], key, &[proxy]).unwrap();
            self.proxy_at.insert((layer, key), self.proxies.len());
            self.proxies.push((layer, key, Being::default()));
        }
    }

    /// The failures of the coming step.
    fn arm(&mut self, armed: bool) {
        let seed = self.random.next();
        // Entities land late, and now and then none at all in a frame.
        self.scene.host.drain = self.random.below(40) as usize;
        self.disk_one_in.store(if armed { 12 } else { 0 }, Ordering::Relaxed);
        self.scene.host.fault = armed.then(|| {
            let mut random = Random(seed);
            let one_in = move |action| match action {
                HostAction::Spawn => 20,
                HostAction::Despawn => 30,
                HostAction::Serialize => 40,
                _ => 25,
            };
            Box::new(move |action| random.below(one_in(action)) == 0) as Box<dyn FnMut(HostAction) -> bool>
        });
    }

    /// What the game does between two steps.
    fn play(&mut self) {
        if self.random.below(40) == 0 {
            let budget = 1 + self.random.below(48) as u32;
            let config = Config {
                budget,
                ..*self.scene.store.config()
            };
            self.scene.store.configure(config).unwrap();
        }
        if self.random.below(400) == 0 {
            let name = LAYERS[self.random.below(2) as usize];
            let on = self.random.below(3) > 0;
            let store = &mut self.scene.store;
            if on {
                store.enable_layer(name)
            } else {
                store.disable_layer(name)
            }
            .unwrap();
        }
        if self.random.below(200) == 0 && !self.proxies.is_empty() {
            self.lose_a_proxy();
        }
        self.lately.retain(|group| !self.groups[*group].dropped);
        let Some(group) = self.random.pick(&self.lately) else {
            return;
        };
        let id = self.groups[group].id;
        let Some(root) = self.scene.store.group_entities(id).first().copied() else {
            return;
        };
        if self.scene.host.state(root) != EntityState::Live {
            return;
        }
        let stands = self
            .scene
            .store
            .group(id)
            .is_some_and(|info| info.state == GroupState::Standing);
        match self.random.below(60) {
            0 => self.destroy_root(group, root),
            1 if stands => self.grow(group, root),
            2..=20 if stands => self.paint(root),
            21..=25 if stands => {
                let near = self.scene.host.transform(root).position;
                let shift = Vec3::new(self.random.unit() - 0.5, 0.0, self.random.unit() - 0.5) * 150.0;
                self.scene
                    .host
                    .move_to(root, (near + shift).clamp(Vec3::ZERO, Vec3::splat(self.side)));
            }
            26 if stands => self.destroy_leaf(id),
            27 if stands => self.take_off(group, id),
            _ => {}
        }
    }

    fn lose_a_proxy(&mut self) {
        let n = self.random.below(self.proxies.len() as u64) as usize;
        let (layer, key, being) = self.proxies[n];
        if being.landed {
            let ids = self.scene.store.proxy_ids(&self.scene.host);
            let entity = ids
                .into_iter()
                .find(|id| self.scene.host.thing_label(*id) == Some(PROXY + n as u64));
            self.scene.host.destroy(entity.unwrap());
            self.proxies[n].2 = Being::default();
            self.covered.remove(&(layer, key));
        }
    }

    fn destroy_root(&mut self, group: usize, root: hecs::Entity) {
        for label in self.scene.host.destroy(root) {
            self.beings[label as usize].up = false;
        }
        self.dying.push(group);
        for label in &self.groups[group].labels {
            let being = &mut self.beings[*label as usize];
            being.dead = true;
            if being.up {
                self.doomed.insert(*label);
            }
        }
    }

    fn destroy_leaf(&mut self, id: GroupId) {
        let entities = self.scene.store.group_entities(id);
        let Some(leaf) = entities[1..].last().copied() else {
            return;
        };
        if self.scene.host.state(leaf) == EntityState::Live {
            for label in self.scene.host.destroy(leaf) {
                let being = &mut self.beings[label as usize];
                (being.up, being.dead) = (false, true);
            }
        }
    }

    /// A part comes off, and is captured as a group of its own.
    fn take_off(&mut self, group: usize, id: GroupId) {
        let entities = self.scene.store.group_entities(id);
        let Some(leaf) = entities[1..].last().copied() else {
            return;
        };
        if self.scene.host.state(leaf) != EntityState::Live {
            return;
        }
        let place = self.scene.host.transform(entities[0]).position;
        self.scene.host.detach(leaf);
        self.scene.host.move_to(leaf, place);
        let label = self.scene.host.thing(leaf).label;
        let filing = Filing::layer(LAYERS[self.random.below(2) as usize]);
        let captured = self
            .scene
            .store
            .capture(&mut self.scene.host, &[leaf], &filing)
            .unwrap();
        let id = captured.groups().unwrap()[0];
        let new = self.groups.len();
        self.groups[group].labels.retain(|other| *other != label);
        self.beings[label as usize].group = new;
        self.groups.push(Known {
            id,
            labels: vec![label],
            bytes: 0,
            up: false,
            dropped: false,
        });
        self.by_id.insert(id, new);
        self.check_group(group);
        self.check_group(new);
        self.seen.taken_off += 1;
    }

    fn grow(&mut self, group: usize, root: hecs::Entity) {
        let label = self.beings.len() as u64;
        if self.groups[group].labels.len() < LARGEST_GROUP {
            self.scene
                .host
                .make_below(root, Transform::at(Vec3::Y), Thing::new(label));
            self.beings.push(Being {
                group,
                up: true,
                landed: true,
                ..Being::default()
            });
            self.groups[group].labels.push(label);
        }
    }

    fn paint(&mut self, root: hecs::Entity) {
        let tint = self.random.next() as u32;
        self.scene.host.edit(root, |thing| thing.tint = tint);
        let label = self.scene.host.thing(root).label;
        self.beings[label as usize].tint = tint;
    }

    /// A step, and everything that has to hold after it.
    fn step(&mut self, sources: &[Source], armed: bool) -> Step {
        self.arm(armed);
        self.scene.host.log.clear();
        let step = self.scene.try_step(sources);
        self.arm(false);
        let mut touched = self.read_log();
        touched.extend(
            step.failures
                .iter()
                .filter_map(|failure| self.by_id.get(&failure.group?)),
        );
        for group in std::mem::take(&mut self.dying) {
            assert_eq!(
                self.scene.store.group(self.groups[group].id),
                None,
                "a destroyed root is noticed at once"
            );
            touched.insert(group);
        }
        for group in touched {
            self.check_group(group);
        }
        self.check_sums(&step);
        self.check_cover(sources);
        let seen = &mut self.seen;
        seen.loaded += step.loaded;
        seen.released += step.released;
        seen.moved += step.moved;
        seen.dropped += step.dropped;
        seen.raised += step.proxies_raised;
        seen.lowered += step.proxies_dropped;
        seen.linked += step.linked;
        seen.failures += step.failures.len() as u32;
        step
    }

    /// Nothing is doubled, and nothing that the game destroyed comes back.
    fn read_log(&mut self) -> BTreeSet<usize> {
        let mut touched = BTreeSet::new();
        for (change, label) in std::mem::take(&mut self.scene.host.log) {
            let being = if label >= PROXY {
                &mut self.proxies[(label - PROXY) as usize].2
            } else {
                touched.insert(self.beings[label as usize].group);
                &mut self.beings[label as usize]
            };
            match change {
                Change::Spawned => {
                    assert!(!being.up, "{label} stands twice");
                    assert!(!being.dead, "{label} was destroyed and is back");
                    (being.up, being.landed) = (true, false);
                }
                Change::Landed => being.landed = true,
                Change::Despawned => {
                    assert!(being.up, "{label} was taken out twice");
                    (being.up, being.landed) = (false, false);
                    self.doomed.remove(&label);
                }
            }
        }
        touched
    }

    /// Nothing of a group is lost: what is not in the scene is in the records, as it was last.
    fn check_group(&mut self, group: usize) {
        let id = self.groups[group].id;
        let (store, known) = (&self.scene.store, &mut self.groups[group]);
        let alive = |label: &u64| !self.beings[*label as usize].dead;
        let Some(info) = store.group(id) else {
            assert!(
                !known.labels.iter().any(alive),
                "a group was dropped whose root the game left alone"
            );
            if !known.dropped {
                self.bytes_stored -= known.bytes;
                self.bytes_up -= if known.up { known.bytes } else { 0 };
                self.groups_up -= u64::from(known.up);
                known.dropped = true;
            }
            return;
        };
        let up = |label: &u64| self.beings[*label as usize].up;
        let mut living = known.labels.iter().filter(|label| alive(label));
        match info.state {
            GroupState::Standing | GroupState::Settling => assert!(living.clone().all(up), "part of a group is lost"),
            GroupState::Stored => assert!(!living.any(up), "part of a group stands while it is away"),
            GroupState::Loading => self.seen.half_in += 1,
            GroupState::Releasing => self.seen.half_out += 1,
        }
        if !matches!(info.state, GroupState::Standing | GroupState::Settling) {
            let records = store.records(id).unwrap();
            let things: Vec<Thing> = records
                .iter()
                .map(|record| Thing::from_bytes(&record.data).unwrap())
                .collect();
            // In a group half way in or out, the game may destroy what is written down already.
            let whole = info.state == GroupState::Stored || known.labels.iter().all(alive);
            let mut labels: Vec<u64> = things.iter().map(|thing| thing.label).collect();
            labels.sort_unstable();
            let mut expected: Vec<u64> = known.labels.iter().copied().filter(alive).collect();
            expected.sort_unstable();
            assert!(!whole || labels == expected, "{labels:?} of {expected:?}");
            assert!(
                things
                    .iter()
                    .all(|thing| thing.tint == self.beings[thing.label as usize].tint)
            );
            assert_eq!(info.bytes, encoded_len(&records) as u64);
        }
        let is_up = info.state != GroupState::Stored;
        if is_up && !known.up {
            self.lately.push(group);
            if self.lately.len() > 64 {
                self.lately.remove(0);
            }
        }
        self.bytes_stored = self.bytes_stored - known.bytes + info.bytes;
        self.bytes_up -= if known.up { known.bytes } else { 0 };
        self.bytes_up += if is_up { info.bytes } else { 0 };
        self.groups_up = self.groups_up - u64::from(known.up) + u64::from(is_up);
        (known.bytes, known.up) = (info.bytes, is_up);
    }

    fn check_sums(&self, step: &Step) {
        let stats = self.scene.store.stats();
        assert_eq!(stats.bytes_stored, self.bytes_stored);
        assert_eq!(
            (stats.bytes_resident, stats.groups_resident),
            (self.bytes_up, self.groups_up)
        );
        let budget = u64::from(self.scene.store.config().budget);
        assert!(step.spent < budget + LARGEST_GROUP as u64, "{} of {budget}", step.spent);
    }

    /// No cell in the far field goes from covered to uncovered.
    fn check_cover(&mut self, sources: &[Source]) {
        let before = std::mem::take(&mut self.covered);
        for (layer, name) in LAYERS.into_iter().enumerate() {
            if !self.scene.store.layer(name).unwrap().enabled {
                continue;
            }
            for source in sources {
                let reach = self.scene.store.reach(name, &source.radii).unwrap();
                let Vec3 { x, z, .. } = source.position;
                let corner = |sign: f32| cell_key_at(x + sign * reach.proxy, z + sign * reach.proxy, SIZE).unwrap();
                let (low, high) = (corner(-1.0), corner(1.0));
                for key in (low.x..=high.x).flat_map(|x| (low.z..=high.z).map(move |z| CellKey::new(x, z))) {
                    let Some(proxy) = self.proxy_at.get(&(layer, key)) else {
                        continue;
                    };
                    if cell_distance(key, SIZE, x, z).unwrap() > f64::from(reach.proxy) {
                        continue;
                    }
                    let by_proxy = self.proxies[*proxy].2.landed;
                    let covered = by_proxy || self.content_stands(name, key);
                    let was = before.get(&(layer, key)).copied().unwrap_or(false);
                    assert!(covered || !was, "cell {key} of {name} is represented by nothing");
                    self.seen.handovers += u32::from(by_proxy && !was);
                    self.covered.insert((layer, key), covered);
                }
            }
        }
    }

    fn content_stands(&self, layer: &str, key: CellKey) -> bool {
        self.scene.store.groups_in(layer, key).all(|id| {
            let known = &self.groups[self.by_id[&id]];
            let mut beings = known.labels.iter().map(|label| &self.beings[*label as usize]);
            beings.all(|being| being.dead || being.landed)
        })
    }

    /// Everything the walk ever knew, by the store's own account.
    fn check_all(&mut self) {
        for group in 0..self.groups.len() {
            self.check_group(group);
        }
        assert_eq!(self.doomed, BTreeSet::new());
        let store = &self.scene.store;
        let (mut entities, mut bytes) = (0, 0);
        for (_, info) in store.groups() {
            entities += info.entities;
            bytes += info.bytes;
        }
        let stats = store.stats();
        assert_eq!((stats.entities_total, stats.bytes_stored), (entities, bytes));
        assert_eq!(
            stats.groups_total,
            self.groups.iter().filter(|known| !known.dropped).count() as u64
        );
        let in_files = store.groups().filter(|(_, info)| info.path.is_some()).count();
        assert_eq!(store.storage().files.files().len(), in_files);
        assert_eq!(
            store.cells().iter().map(|cell| cell.groups).sum::<u64>(),
            stats.groups_total
        );
        let alive = self.beings.iter().filter(|being| !being.dead).count();
        // Of what stands, the store knows what it was when it came in.
        assert!(
            stats.groups_resident > 0 || alive as u64 == entities,
            "{alive} of {entities}"
        );
    }

    /// Steps until nothing is on its way, with nothing failing.
    fn come_to_rest(&mut self, sources: &[Source]) {
        let config = Config {
            budget: 500,
            ..*self.scene.store.config()
        };
        self.scene.store.configure(config).unwrap();
        for _ in 0..500 {
            drop(self.step(sources, false));
            if self.scene.store.stats().cells_pending == 0 {
                return;
            }
        }
        panic!("something is still on its way: {:?}", self.scene.store.stats());
    }
}

#[test]
fn a_walk_in_which_everything_fails_loses_doubles_and_uncovers_nothing() {
    let full = std::env::var_os("ZERO_TEST_SCALE").is_some_and(|scale| scale == "full");
    let (steps, groups) = if full { (100_000, 50_000) } else { (3_000, 1_500) };
    let mut walk = Walk::new(groups, 7);
    let mut places = [walk.place(), walk.place()];
    let mut headings = [Vec3::X, Vec3::Z];
    for _ in 0..steps {
        walk.play();
        for (place, heading) in places.iter_mut().zip(&mut headings) {
            if walk.random.below(40) == 0 {
                let angle = walk.random.unit() * std::f32::consts::TAU;
                *heading = Vec3::new(angle.cos(), 0.0, angle.sin());
            }
            *place = (*place + *heading * 3.0 * walk.random.unit()).clamp(Vec3::ZERO, Vec3::splat(walk.side));
            if walk.random.below(1500) == 0 {
                *place = walk.place();
            }
        }
        let own = Radii {
            load: Some(60.0),
            unload: Some(75.0),
            proxy: Some(100.0),
            ..Radii::default()
        };
        let sources = [Source::at(places[0]), Source::at(places[1]).with_radii(own)];
        drop(walk.step(&sources, true));
    }
    for name in LAYERS {
        walk.scene.store.enable_layer(name).unwrap();
    }
    walk.come_to_rest(&[Source::at(places[0])]);
    walk.check_all();
    assert!(walk.scene.store.stats().groups_resident > 0);
    for name in LAYERS {
        walk.scene.store.disable_layer(name).unwrap();
    }
    walk.come_to_rest(&[]);
    walk.check_all();
    let stats = walk.scene.store.stats();
    assert_eq!(
        (stats.entities_resident, stats.entities_proxy, stats.bytes_resident),
        (0, 0, 0)
    );
    assert_eq!(walk.scene.host.world.len(), 0);
    println!("{steps} steps over {groups} groups: {:?}", walk.seen);
    let Seen {
        loaded,
        released,
        moved,
        dropped,
        raised,
        lowered,
        linked,
        ..
    } = walk.seen;
    let Seen {
        failures,
        half_in,
        half_out,
        handovers,
        taken_off,
        ..
    } = walk.seen;
    for count in [
        loaded, released, raised, lowered, linked, failures, half_in, half_out, handovers,
    ] {
        assert!(count > 100, "{:?}", walk.seen);
    }
    assert!(moved > 10 && dropped > 10 && taken_off > 10, "{:?}", walk.seen);
}
