//! The store: what it holds, how it is set up, and what it answers.

use crate::body::Body;
use crate::cell::{Cell, Group, Payload, Proxy, Tally};
use crate::codec::{decode_records, encode_checked, seal_of};
use crate::grid::Grid;
use crate::radii::Reach;
use crate::record::check_forest;
use crate::rule::check_key;
use crate::slots::{Slot, Slots};
use crate::step::Scratch;
use crate::{
    CellInfo, CellKey, Config, EntityId, EntityState, Error, GroupId, GroupInfo, Host, Layer, NoStorage, ProxyInfo,
    Radii, Record, Result, Stats, Storage, StorageAction,
};
use std::collections::{BTreeSet, HashMap};

/// A layer and where its cells are.
#[derive(Debug)]
pub(crate) struct LayerEntry {
    pub(crate) name: String,
    pub(crate) layer: Layer,
    pub(crate) cells: Grid,
    pub(crate) cells_with_proxy: Grid,
}

/// The content of a world by cells, which of it stands, and what the rest is drawn as. See the [crate's tour](crate).
///
/// `E` is the host's entity id, `S` where file-backed groups are written.
#[derive(Debug)]
pub struct Store<E, S = NoStorage> {
    pub(crate) config: Config,
    pub(crate) layers: Vec<LayerEntry>,
    pub(crate) cells: Slots<Cell<E>>,
    pub(crate) groups: Slots<Group<E>>,
    /// The group of every entity of content that stands or was asked for. Only ever looked up, so that its order does not
    /// matter.
    pub(crate) owners: HashMap<E, Slot>,
    /// Cells that a step looks at wherever the sources are.
    pub(crate) active: BTreeSet<Slot>,
    /// Cells with entities that have yet to land or to be linked.
    pub(crate) settling: BTreeSet<Slot>,
    pub(crate) stats: Stats,
    pub(crate) storage: S,
    pub(crate) last_frame: Option<u64>,
    pub(crate) scratch: Scratch,
}

impl<E: EntityId> Store<E> {
    /// An empty store that keeps everything in memory.
    ///
    /// # Errors
    /// A radius, size or budget out of range; radii with no band between them.
    pub fn new(config: Config) -> Result<Self> {
        Self::with_storage(config, NoStorage)
    }
}

impl<E: EntityId, S: Storage> Store<E, S> {
    /// An empty store whose file-backed groups are written here.
    ///
    /// # Errors
    /// As [`Store::new`].
    pub fn with_storage(config: Config, storage: S) -> Result<Self> {
        config.check()?;
        Ok(Self {
            config,
            layers: Vec::new(),
            cells: Slots::new(),
            groups: Slots::new(),
            owners: HashMap::new(),
            active: BTreeSet::new(),
            settling: BTreeSet::new(),
            stats: Stats::default(),
            storage,
            last_frame: None,
            scratch: Scratch::default(),
        })
    }

    /// Where file-backed groups are written.
    pub fn storage(&self) -> &S {
        &self.storage
    }

    /// The same, to be changed.
    pub fn storage_mut(&mut self) -> &mut S {
        &mut self.storage
    }

    /// What holds for the whole world.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Changes what holds for the whole world.
    ///
    /// # Errors
    /// A value out of range; radii with no band between them, with what each layer names taken into account; another cell
    /// size while there are cells. Nothing is changed then.
    pub fn configure(&mut self, config: Config) -> Result<()> {
        config.check()?;
        if config.cell_size != self.config.cell_size && self.cells.len() > 0 {
            let (current, asked, cells) = (self.config.cell_size, config.cell_size, self.cells.len());
            return Err(Error::CellSizeInUse { current, asked, cells });
        }
        for entry in &self.layers {
            Reach::resolve(
                &config,
                &entry.layer.radii,
                &Radii::default(),
                &layer_scope(&entry.name),
            )?;
        }
        self.config = config;
        Ok(())
    }

    /// A layer by its name.
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers
            .iter()
            .find(|entry| entry.name == name)
            .map(|entry| &entry.layer)
    }

    /// Makes a layer known, or changes it. Content that names an unknown layer makes it known as [`Layer::default`].
    ///
    /// # Errors
    /// Radii with no band between them, with what the configuration names taken into account. Nothing is changed then.
    pub fn set_layer(&mut self, name: &str, layer: Layer) -> Result<()> {
        Reach::resolve(&self.config, &layer.radii, &Radii::default(), &layer_scope(name))?;
        let index = self.layer_index(name);
        if let Some(entry) = self.layers.get_mut(index as usize) {
            entry.layer = layer;
        }
        Ok(())
    }

    /// Switches a layer on: its content streams again.
    ///
    /// # Errors
    /// An unknown layer.
    pub fn enable_layer(&mut self, name: &str) -> Result<()> {
        self.known_layer(name)?.layer.enabled = true;
        Ok(())
    }

    /// Switches a layer off: the coming steps release its content and its proxies, within the budget.
    ///
    /// # Errors
    /// An unknown layer.
    pub fn disable_layer(&mut self, name: &str) -> Result<()> {
        self.known_layer(name)?.layer.enabled = false;
        Ok(())
    }

    fn known_layer(&mut self, name: &str) -> Result<&mut LayerEntry> {
        let unknown = || Error::UnknownLayer { name: name.to_owned() };
        self.layers
            .iter_mut()
            .find(|entry| entry.name == name)
            .ok_or_else(unknown)
    }

    /// The number of a layer, which is made known.
    pub(crate) fn layer_index(&mut self, name: &str) -> u32 {
        let index = self
            .layers
            .iter()
            .position(|entry| entry.name == name)
            .unwrap_or_else(|| {
                self.layers.push(LayerEntry {
                    name: name.to_owned(),
                    layer: Layer::default(),
                    cells: Grid::default(),
                    cells_with_proxy: Grid::default(),
                });
                self.layers.len() - 1
            });
        index as u32
    }

    pub(crate) fn layer_name(&self, layer: u32) -> &str {
        self.layers.get(layer as usize).map_or("", |entry| &entry.name)
    }

    /// The bands that a source with these radii of its own has over a layer (a known one or not).
    ///
    /// # Errors
    /// Radii with no band between them, or out of range.
    pub fn reach(&self, layer: &str, source: &Radii) -> Result<Reach> {
        let own = self.layer(layer).map_or_else(Radii::default, |layer| layer.radii);
        Reach::resolve(&self.config, &own, source, &layer_scope(layer))
    }

    /// What is resident, what is stored, and what that costs. It is kept up to date: asking costs nothing.
    pub fn stats(&self) -> Stats {
        let (cells_total, groups_total) = (self.cells.len() as u64, self.groups.len() as u64);
        Stats {
            cells_total,
            groups_total,
            ..self.stats
        }
    }

    /// Every cell, by layer in the order in which those became known, then by key. Costs a pass over all cells.
    pub fn cells(&self) -> Vec<CellInfo> {
        let info = |cell: &Cell<E>| cell.info(self.layer_name(cell.layer), &self.groups);
        self.ordered_cells().into_iter().map(info).collect()
    }

    /// One cell, if the store has it.
    pub fn cell(&self, layer: &str, key: CellKey) -> Option<CellInfo> {
        let entry = self.layers.iter().find(|entry| entry.name == layer)?;
        let cell = self.cells.get(entry.cells.get(key)?)?;
        Some(cell.info(layer, &self.groups))
    }

    /// The groups of a cell, in the order in which they were filed there.
    pub fn groups_in(&self, layer: &str, key: CellKey) -> impl Iterator<Item = GroupId> {
        let entry = self.layers.iter().find(|entry| entry.name == layer);
        let cell = entry.and_then(|entry| self.cells.get(entry.cells.get(key)?));
        cell.into_iter()
            .flat_map(|cell| cell.groups.iter().map(|slot| GroupId(*slot)))
    }

    /// Every proxy, in the order of [`Store::cells`]. Costs a pass over all cells.
    pub fn proxies(&self) -> Vec<ProxyInfo> {
        let info = |cell: &Cell<E>| {
            let proxy = cell.proxy.as_ref()?;
            Some(ProxyInfo {
                key: cell.key,
                layer: self.layer_name(cell.layer).to_owned(),
                records: proxy.records,
                entities: proxy.body.entities.len() as u64,
                bytes: proxy.payload.len() as u64,
                derived: proxy.derived,
            })
        };
        self.ordered_cells().into_iter().filter_map(info).collect()
    }

    /// The entities of content that stand or were asked for, in the order of [`Store::cells`]. What the game put below a
    /// group since it last came in is not among them, though it is released with it.
    pub fn resident_ids<H: Host<Entity = E>>(&self, host: &H) -> Vec<E> {
        let mut ids = Vec::new();
        for cell in self.ordered_cells() {
            let groups = cell.groups.iter().filter_map(|slot| self.groups.get(*slot));
            ids.extend(groups.flat_map(|group| group.body.entities.iter().copied()));
        }
        ids.retain(|id| host.state(*id) != EntityState::Gone);
        ids
    }

    /// The entities of proxies that stand or were asked for, in the order of [`Store::cells`].
    pub fn proxy_ids<H: Host<Entity = E>>(&self, host: &H) -> Vec<E> {
        let mut ids = Vec::new();
        for cell in self.ordered_cells() {
            let bodies = cell.proxy.iter().map(|proxy| &proxy.body).chain(&cell.retired);
            ids.extend(bodies.flat_map(|body| body.entities.iter().copied()));
        }
        ids.retain(|id| host.state(*id) != EntityState::Gone);
        ids
    }

    fn ordered_cells(&self) -> Vec<&Cell<E>> {
        let mut cells: Vec<&Cell<E>> = self.cells.iter().map(|(_, cell)| cell).collect();
        cells.sort_unstable_by_key(|cell| (cell.layer, cell.key));
        cells
    }

    /// Every group, in the order of their places in the store.
    pub fn groups(&self) -> impl Iterator<Item = (GroupId, GroupInfo)> {
        self.groups
            .iter()
            .filter_map(|(slot, group)| Some((GroupId(slot), self.group_info(group)?)))
    }

    /// What the store keeps of a group.
    pub fn group(&self, group: GroupId) -> Option<GroupInfo> {
        self.group_info(self.groups.get(group.0)?)
    }

    fn group_info(&self, group: &Group<E>) -> Option<GroupInfo> {
        let cell = self.cells.get(group.cell)?;
        Some(group.info(cell.key, self.layer_name(cell.layer)))
    }

    /// The group that has this entity for its root, while it stands.
    pub fn group_of(&self, root: E) -> Option<GroupId> {
        self.owner_by_root(root).map(GroupId)
    }

    /// The entities of a group that stand or were asked for, the root first; none while it is away.
    pub fn group_entities(&self, group: GroupId) -> &[E] {
        self.groups.get(group.0).map_or(&[], |group| &group.body.entities)
    }

    /// A group as it was last written down. Of one that stands, that is how it came in.
    ///
    /// # Errors
    /// An unknown group; a file that cannot be read.
    pub fn records(&self, group: GroupId) -> Result<Vec<Record>> {
        let known = self.groups.get(group.0).ok_or(Error::UnknownGroup { group })?;
        read_payload(&self.storage, &known.payload)
    }

    /// Forgets a group. What stands of it stays in the scene, as the game's own, and is returned; a group that is away is
    /// deleted, with its file.
    ///
    /// # Errors
    /// An unknown group; a file that cannot be removed (the group is forgotten all the same, and the steps try again).
    pub fn forget(&mut self, group: GroupId) -> Result<Vec<E>> {
        let Some((cell, mut known)) = self.close_group(group.0) else {
            return Err(Error::UnknownGroup { group });
        };
        let entities = std::mem::take(&mut known.body.entities);
        let result = match known.payload {
            Payload::File { path, .. } => self.remove_file(cell, path),
            Payload::Memory(_) => Ok(()),
        };
        self.refresh(cell);
        result.map(|()| entities)
    }

    fn remove_file(&mut self, cell: Slot, path: String) -> Result<()> {
        let result = self.storage.remove(&path);
        result.map_err(|source| {
            if let Some(cell) = self.cells.get_mut(cell) {
                cell.leave(Vec::new(), Some(path.clone()));
            }
            Error::Storage {
                action: StorageAction::Remove,
                path,
                source,
            }
        })
    }

    /// Takes a group out of the tables, so that nothing visits its place again. The cell is to be refreshed.
    pub(crate) fn close_group(&mut self, slot: Slot) -> Option<(Slot, Group<E>)> {
        let group = self.groups.remove(slot)?;
        self.disown(slot, &group.body.entities);
        if let Some(cell) = self.cells.get_mut(group.cell) {
            cell.groups.retain(|other| *other != slot);
        }
        Some((group.cell, group))
    }

    /// Gives a cell a proxy of its own records: a merged mesh, a billboard, a silhouette. Their transforms are the
    /// world's. One that it had stands until this one does.
    ///
    /// # Errors
    /// Records that are no forest ([`Record::parent`]) or hold a number that is not finite; a key out of range.
    pub fn set_proxy(&mut self, layer: &str, key: CellKey, records: &[Record]) -> Result<()> {
        check_key(key)?;
        check_forest("the proxy", records)?;
        self.put_proxy(layer, key, encode_checked(records), records.len() as u64, false);
        Ok(())
    }

    pub(crate) fn put_proxy(&mut self, layer: &str, key: CellKey, payload: Vec<u8>, records: u64, derived: bool) {
        let layer = self.layer_index(layer);
        let slot = self.cell_at(layer, key, false);
        let Some(cell) = self.cells.get_mut(slot) else { return };
        match cell.proxy.take() {
            Some(old) if old.body.is_settled() => cell.retired.push(old.body),
            Some(old) => cell.leave(old.body.entities, None),
            // What was said of the far field before there was anything to draw there is out of date.
            None => cell.far = false,
        }
        cell.proxy = Some(Proxy {
            payload,
            records,
            derived,
            body: Body::away(),
        });
        if let Some(entry) = self.layers.get_mut(layer as usize) {
            entry.cells_with_proxy.insert(key, slot);
        }
        self.refresh(slot);
    }

    /// Takes a cell's proxy away; the steps take down what stands of it.
    pub(crate) fn retire_proxy(&mut self, slot: Slot) {
        let Some(cell) = self.cells.get_mut(slot) else { return };
        if let Some(proxy) = cell.proxy.take() {
            cell.leave(proxy.body.entities, None);
        }
        let (layer, key) = (cell.layer, cell.key);
        if let Some(entry) = self.layers.get_mut(layer as usize) {
            entry.cells_with_proxy.remove(key);
        }
        self.refresh(slot);
    }

    /// Takes a cell's proxy away, with what stands of it and, where nothing else is left of it, the cell. Whether there
    /// was one.
    ///
    /// # Errors
    /// The host cannot despawn. The proxy is gone from the store all the same, and the steps take out what is left.
    pub fn clear_proxy<H: Host<Entity = E>>(&mut self, host: &mut H, layer: &str, key: CellKey) -> Result<bool> {
        let Some(entry) = self.layers.iter_mut().find(|entry| entry.name == layer) else {
            return Ok(false);
        };
        let Some(slot) = entry.cells.get(key) else {
            return Ok(false);
        };
        entry.cells_with_proxy.remove(key);
        let Some(cell) = self.cells.get_mut(slot) else {
            return Ok(false);
        };
        let had = cell.proxy.is_some();
        let result = cell.take_down_proxies(host);
        self.refresh(slot);
        result.map(|()| had)
    }

    /// Forgets everything: takes the proxies down, leaves standing content in the scene as the game's own, and forgets
    /// what is away. Files stay where they are; layers and configuration stay as they are.
    ///
    /// # Errors
    /// The first error of the host on taking down proxies. The rest was done, and the steps take out what is left.
    pub fn reset<H: Host<Entity = E>>(&mut self, host: &mut H) -> Result<()> {
        let mut result = Ok(());
        self.groups.clear();
        self.owners.clear();
        let slots: Vec<Slot> = self.cells.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            let Some(cell) = self.cells.get_mut(slot) else { continue };
            cell.groups.clear();
            let (layer, key) = (cell.layer, cell.key);
            result = result.and(cell.take_down_proxies(host));
            if let Some(entry) = self.layers.get_mut(layer as usize) {
                entry.cells_with_proxy.remove(key);
            }
            self.refresh(slot);
        }
        result
    }

    /// The cell of a layer, made if there is none. A new one has this goal.
    pub(crate) fn cell_at(&mut self, layer: u32, key: CellKey, goal: bool) -> Slot {
        let found = self.layers.get(layer as usize).and_then(|entry| entry.cells.get(key));
        found.unwrap_or_else(|| {
            let slot = self.cells.insert(Cell::new(layer, key, goal));
            if let Some(entry) = self.layers.get_mut(layer as usize) {
                entry.cells.insert(key, slot);
            }
            slot
        })
    }

    /// Brings the sums and the indices up to date with a cell that changed, and forgets a cell that holds nothing.
    pub(crate) fn refresh(&mut self, slot: Slot) {
        let Some(cell) = self.cells.get(slot) else { return };
        let now = cell.count(&self.groups);
        self.put_tally(slot, now);
    }

    /// [`Store::refresh`] of a cell that got one more group, which costs no look at those that it had.
    pub(crate) fn refresh_with(&mut self, slot: Slot, group: Slot) {
        let (Some(cell), Some(group)) = (self.cells.get(slot), self.groups.get(group)) else {
            return;
        };
        let now = cell.count_with(group);
        self.put_tally(slot, now);
    }

    fn put_tally(&mut self, slot: Slot, now: Tally) {
        let Some(cell) = self.cells.get_mut(slot) else { return };
        let before = std::mem::replace(&mut cell.tally, now);
        let (layer, key, empty) = (cell.layer, cell.key, cell.is_empty());
        self.stats.exchange(&before, &now);
        set_member(&mut self.active, slot, now.active && !empty);
        set_member(&mut self.settling, slot, now.settling);
        if empty {
            self.cells.remove(slot);
            if let Some(entry) = self.layers.get_mut(layer as usize) {
                entry.cells.remove(key);
                entry.cells_with_proxy.remove(key);
            }
        }
    }
}

impl<E: EntityId> Cell<E> {
    /// Takes the proxy and what it replaced out of the scene at once. What cannot be taken out is left as strays.
    fn take_down_proxies<H: Host<Entity = E>>(&mut self, host: &mut H) -> Result<()> {
        let mut result = Ok(());
        let proxy = self.proxy.take().map(|proxy| proxy.body);
        for mut body in proxy.into_iter().chain(std::mem::take(&mut self.retired)) {
            result = result.and(body.fall(host, &mut 0));
            self.leave(body.entities, None);
        }
        result
    }
}

fn set_member(set: &mut BTreeSet<Slot>, slot: Slot, member: bool) {
    if member {
        set.insert(slot);
    } else {
        set.remove(&slot);
    }
}

fn layer_scope(name: &str) -> String {
    format!("layer {name:?}")
}

pub(crate) fn read_payload<S: Storage>(storage: &S, payload: &Payload) -> Result<Vec<Record>> {
    match payload {
        Payload::Memory(bytes) => decode_records(bytes),
        Payload::File { path, seal } => {
            let failed = |source| Error::Storage {
                action: StorageAction::Read,
                path: path.clone(),
                source,
            };
            let bytes = storage.read(path).map_err(failed)?;
            let records = decode_records(&bytes).map_err(|error| failed(error.into()))?;
            let (expected, found) = (u64::from_le_bytes(*seal), u64::from_le_bytes(seal_of(&bytes)));
            if expected != found {
                let reason = format!(
                    "expected the file that was written there last, with the hash {expected:016x}, got one with {found:016x}"
                );
                return Err(failed(reason.into()));
            }
            Ok(records)
        }
    }
}

impl Stats {
    /// Takes what a cell added before for what it adds now.
    fn exchange(&mut self, before: &Tally, now: &Tally) {
        let parts = |t: &Tally| {
            let whole = t.groups > 0 && t.groups_settled == t.groups;
            [
                u64::from(whole),
                u64::from(t.pending),
                t.groups_up,
                t.entities,
                t.entities_up,
                t.bytes,
                t.bytes_up,
                u64::from(t.has_proxy),
                u64::from(t.proxy_settled),
                t.proxy_entities,
                t.proxy_bytes,
            ]
        };
        let sums = [
            &mut self.cells_resident,
            &mut self.cells_pending,
            &mut self.groups_resident,
            &mut self.entities_total,
            &mut self.entities_resident,
            &mut self.bytes_stored,
            &mut self.bytes_resident,
            &mut self.proxies_total,
            &mut self.proxies_resident,
            &mut self.entities_proxy,
            &mut self.bytes_proxy,
        ];
        for ((sum, before), now) in sums.into_iter().zip(parts(before)).zip(parts(now)) {
            *sum = *sum - before + now;
        }
    }
}
