//! The frame's step: what landed is linked, every cell in question is judged, and the budget is spent.

use crate::radii::Reach;
use crate::rule::{Band, Verdict, edge_distance};
use crate::slots::Slot;
use crate::{CellKey, DEFAULT_LAYER, EntityId, Failure, GroupId, Host, Radii, Result, Source, Step, Storage, Store};
use crate::{Error, cell::Cell};
use glam::DVec2;

/// What a step needs for a while, kept so that a step with nothing to do allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    views: Vec<View>,
    cells: Vec<Slot>,
    pub(crate) groups: Vec<Slot>,
    queue: Vec<Visit>,
}

/// One source over one layer.
#[derive(Clone, Copy, Debug)]
struct View {
    layer: u32,
    point: DVec2,
    content: Band,
    far: Band,
}

/// A cell with work to do. Ordered by distance, and by layer and key where that is equal.
#[derive(Clone, Copy, Debug)]
struct Visit {
    distance: f64,
    layer: u32,
    key: CellKey,
    cell: Slot,
}

/// A step in progress.
pub(crate) struct Work {
    views: Vec<View>,
    pub(crate) budget: u64,
    /// The number of this step.
    pub(crate) now: u64,
    pub(crate) step: Step,
}

impl Work {
    /// Whether another move may begin. It may overshoot by itself.
    pub(crate) fn may_begin(&self) -> bool {
        self.step.spent < self.budget
    }
}

impl<E: EntityId, S: Storage> Store<E, S> {
    /// The step of a frame, for all sources together: links what has landed, then spends at most [`Config::budget`]
    /// entity records, releasing before loading and the nearest pending cell first. A second step of the same frame does
    /// nothing and says so.
    ///
    /// A cell's content is to stand while any source says so, and is released once all of them say so. Where there is no
    /// source, nothing new begins.
    ///
    /// A step with nothing to do costs a look at each cell near the sources, however many there are elsewhere.
    ///
    /// # Errors
    /// A source at no finite place, or whose radii have no band over a layer. Nothing was done then, and the frame still
    /// has its step. What goes wrong with single groups is in [`Step::failures`].
    ///
    /// [`Config::budget`]: crate::Config::budget
    pub fn tick<H: Host<Entity = E>>(&mut self, host: &mut H, sources: &[Source]) -> Result<Step> {
        let frame = host.frame();
        if self.last_frame == Some(frame) {
            return Ok(Step::default());
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut views = std::mem::take(&mut scratch.views);
        if let Err(error) = self.view(sources, &mut views) {
            self.scratch = Scratch { views, ..scratch };
            return Err(error);
        }
        self.last_frame = Some(frame);
        self.stats.steps += 1;
        let step = Step {
            stepped: true,
            ..Step::default()
        };
        let mut work = Work {
            views,
            budget: u64::from(self.config.budget),
            now: self.stats.steps,
            step,
        };

        self.settle_all(host, &mut scratch, &mut work);
        self.judge(host, &mut scratch, &mut work);
        for visit in &scratch.queue {
            self.release_cell(host, visit.cell, &mut scratch.groups, &mut work);
        }
        for visit in &scratch.queue {
            self.load_cell(host, visit.cell, &mut scratch.groups, &mut work);
        }
        self.scratch = Scratch {
            views: work.views,
            ..scratch
        };
        Ok(work.step)
    }

    /// Checks the sources and resolves their radii over every layer that is on.
    fn view(&self, sources: &[Source], views: &mut Vec<View>) -> Result<()> {
        views.clear();
        let over = |layer: &Radii, name: &str, index: usize, source: &Source| {
            let scope = format_args!("source {index} over layer {name:?}");
            Reach::resolve(&self.config, layer, &source.radii, &scope)
        };
        for (index, source) in sources.iter().enumerate() {
            if !source.position.is_finite() {
                let what = format!("the position of source {index}");
                return Err(Error::value(what, "finite numbers", source.position));
            }
        }
        // By layer, so that a cell finds the views over its own together.
        for (entry, layer) in self.layers.iter().zip(0..).filter(|(entry, _)| entry.layer.enabled) {
            for (index, source) in sources.iter().enumerate() {
                let reach = over(&entry.layer.radii, &entry.name, index, source)?;
                let point = DVec2::new(f64::from(source.position.x), f64::from(source.position.z));
                views.push(View {
                    layer,
                    point,
                    content: reach.content(),
                    far: reach.far(),
                });
            }
        }
        if views.is_empty() {
            // There is nothing to stream; what is wrong with a source is told all the same.
            for (index, source) in sources.iter().enumerate() {
                over(&Radii::default(), DEFAULT_LAYER, index, source)?;
            }
        }
        Ok(())
    }

    /// What all sources say of a cell, and how far the nearest is.
    fn verdict(&self, cell: &Cell<E>, views: &[View]) -> (Verdict, Verdict, f64) {
        if !self
            .layers
            .get(cell.layer as usize)
            .is_some_and(|entry| entry.layer.enabled)
        {
            let points = views
                .iter()
                .map(|view| edge_distance(cell.key, self.config.cell_size, view.point));
            return (
                Verdict::Released,
                Verdict::Released,
                points.fold(f64::INFINITY, f64::min),
            );
        }
        let (mut content, mut far, mut nearest) = (None, None, f64::INFINITY);
        let first = views.partition_point(|view| view.layer < cell.layer);
        for view in views.iter().skip(first).take_while(|view| view.layer == cell.layer) {
            let distance = edge_distance(cell.key, self.config.cell_size, view.point);
            content = Some(any_resident_all_released(content, view.content.decide(distance)));
            far = Some(any_resident_all_released(far, view.far.decide(distance)));
            nearest = nearest.min(distance);
        }
        (content.unwrap_or(Verdict::Hold), far.unwrap_or(Verdict::Hold), nearest)
    }

    /// Judges the cells near the sources and those that anything stands of, and queues those with work to do.
    fn judge<H: Host<Entity = E>>(&mut self, host: &H, scratch: &mut Scratch, work: &mut Work) {
        let Scratch {
            cells, groups, queue, ..
        } = scratch;
        cells.clear();
        cells.extend(&self.active);
        for view in &work.views {
            let Some(entry) = self.layers.get(view.layer as usize) else {
                continue;
            };
            let size = self.config.cell_size;
            entry
                .cells
                .near(view.point, view.content.inner, size, |cell| cells.push(cell));
            entry
                .cells_with_proxy
                .near(view.point, view.far.inner, size, |cell| cells.push(cell));
        }
        cells.sort_unstable();
        cells.dedup();
        self.stats.cells_visited = cells.len() as u64;
        queue.clear();
        for slot in cells {
            let Some(cell) = self.cells.get(*slot) else { continue };
            let (content, far, distance) = self.verdict(cell, &work.views);
            let (layer, key) = (cell.layer, cell.key);
            let changed = self.look_after(host, *slot, groups, work);
            let Some(cell) = self.cells.get_mut(*slot) else {
                continue;
            };
            let before = (cell.goal, cell.far);
            cell.heed(content, far);
            if changed || before != (cell.goal, cell.far) {
                self.refresh(*slot);
            }
            if self.cells.get(*slot).is_some_and(|cell| cell.tally.pending) {
                queue.push(Visit {
                    distance,
                    layer,
                    key,
                    cell: *slot,
                });
            }
        }
        queue.sort_unstable_by(|a, b| {
            let by_distance = a.distance.total_cmp(&b.distance);
            by_distance.then(a.layer.cmp(&b.layer)).then(a.key.cmp(&b.key))
        });
    }

    /// Judges a cell that a group has just been moved to, so that it counts as pending where the group is to go on.
    pub(crate) fn judge_anew(&mut self, slot: Slot, work: &Work) {
        let Some((content, far, _)) = self.cells.get(slot).map(|cell| self.verdict(cell, &work.views)) else {
            return;
        };
        if let Some(cell) = self.cells.get_mut(slot) {
            cell.heed(content, far);
        }
        self.refresh(slot);
    }

    /// Notices what left the scene by another way: drops groups whose root is gone, and marks a proxy of which anything
    /// is gone to be taken down whole. Whether there was any.
    fn look_after<H>(&mut self, host: &H, slot: Slot, groups: &mut Vec<Slot>, work: &mut Work) -> bool
    where
        H: Host<Entity = E>,
    {
        let Some(cell) = self.cells.get_mut(slot) else {
            return false;
        };
        let mut changed = false;
        if let Some(proxy) = &mut cell.proxy
            && proxy.body.is_broken(host)
        {
            proxy.body.give_up();
            changed = true;
        }
        if cell.tally.groups_up == 0 {
            return changed;
        }
        let lost = |slot: &&Slot| {
            self.groups
                .get(**slot)
                .is_some_and(|group| group.body.has_lost_root(host))
        };
        groups.clear();
        groups.extend(cell.groups.iter().filter(lost));
        for group in groups.iter() {
            self.drop_group(host, *group);
            work.step.dropped += 1;
            changed = true;
        }
        changed
    }

    /// Applies the links whose ends have landed.
    fn settle_all<H: Host<Entity = E>>(&mut self, host: &mut H, scratch: &mut Scratch, work: &mut Work) {
        scratch.cells.clear();
        scratch.cells.extend(&self.settling);
        for slot in &scratch.cells {
            let Some(cell) = self.cells.get(*slot) else { continue };
            scratch.groups.clear();
            scratch.groups.extend(&cell.groups);
            for group in &scratch.groups {
                self.settle_group(host, *group, work);
            }
            self.settle_proxy(host, *slot, work);
            self.refresh(*slot);
        }
    }

    pub(crate) fn fail(&self, cell: Slot, group: Option<Slot>, error: Error, work: &mut Work) {
        if let Some(cell) = self.cells.get(cell) {
            let (layer, key) = (self.layer_name(cell.layer).to_owned(), cell.key);
            work.step.failures.push(Failure {
                layer,
                key,
                group: group.map(GroupId),
                error,
            });
        }
    }
}

fn any_resident_all_released(so_far: Option<Verdict>, next: Verdict) -> Verdict {
    match (so_far, next) {
        (None, verdict) => verdict,
        (Some(Verdict::Resident), _) | (_, Verdict::Resident) => Verdict::Resident,
        (Some(Verdict::Released), Verdict::Released) => Verdict::Released,
        _ => Verdict::Hold,
    }
}
