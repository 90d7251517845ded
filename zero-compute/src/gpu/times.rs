//! Handing a part over with a timestamp at both ends of every pass.

use crate::gpu::parts::Part;
use crate::gpu::{Gpu, GpuList, GpuPass};
use crate::list::{ListInner, Step};
use crate::profile::{Row, Tables, name_of};

/// Passes that one query set times: wgpu holds a set to 4096 queries.
const PASSES_A_SET: usize = wgpu::QUERY_SET_MAX_QUERIES as usize / 2;

/// What a timed pass adds to its kernel, besides the time.
#[derive(Debug)]
struct Timed {
    kernel: String,
    row: Row,
}

impl Gpu {
    pub(crate) fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Hands over a part of a list, a pass for every pass of a kernel, or as usual where there are no timestamps; what
    /// the kernels took arrives in the tables when the GPU has answered.
    pub(super) fn submit_profiled(&self, list: &ListInner, gpu: &GpuList, part: &Part, tables: &Tables) {
        let passes = gpu.passes.get(part.passes.clone()).unwrap_or_default();
        let timed = rows(list, gpu, part);
        if !self.has_timestamps() {
            self.queue.submit([self.encode(list.label(), gpu, part)]);
            for timed in timed {
                tables.add(&timed.kernel, timed.row);
            }
            return;
        }
        let mut timed = timed.into_iter();
        for passes in passes.chunks(PASSES_A_SET) {
            let timed = timed.by_ref().take(passes.len()).collect();
            self.submit_timed(list.label(), passes, timed, tables.clone());
        }
    }

    fn submit_timed(&self, label: &str, passes: &[GpuPass], timed: Vec<Timed>, tables: Tables) {
        let queries = passes.len() as u32 * 2;
        let bytes = u64::from(queries) * 8;
        let set = self.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some(label),
            ty: wgpu::QueryType::Timestamp,
            count: queries,
        });
        let buffer = |usage| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes,
                usage,
                mapped_at_creation: false,
            })
        };
        let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
        let staging = buffer(wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) });
        for (at, next) in passes.iter().enumerate() {
            let at = at as u32 * 2;
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(label),
                timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                    query_set: &set,
                    beginning_of_pass_write_index: Some(at),
                    end_of_pass_write_index: Some(at + 1),
                }),
            });
            next.encode(&mut pass, None);
        }
        encoder.resolve_query_set(&set, 0..queries, &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, &staging, 0, Some(bytes));
        self.queue.submit([encoder.finish()]);
        tables.begin(passes.len());
        let ms_a_tick = f64::from(self.queue.get_timestamp_period()) * 1e-6;
        let mapped = staging.clone();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // Where the device is lost there are no times, and whoever waits hears of the loss.
            if result.is_ok()
                && let Ok(view) = mapped.get_mapped_range(..)
            {
                let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&view);
                for (timed, ticks) in timed.iter().zip(ticks.chunks_exact(2)) {
                    let time_ms = ticks[1].saturating_sub(ticks[0]) as f64 * ms_a_tick;
                    tables.add(&timed.kernel, Row { time_ms, ..timed.row });
                }
            }
            tables.end();
        });
    }
}

/// Of every pass in the part whose it is, and of a kernel's first pass the dispatch and its elements.
fn rows(list: &ListInner, gpu: &GpuList, part: &Part) -> Vec<Timed> {
    let steps: Vec<&Step> = list.steps.iter().filter(|step| step.n > 0).collect();
    let mut begun = 0usize;
    let mut rows = Vec::with_capacity(part.passes.len());
    for (at, pass) in gpu.passes.iter().enumerate().take(part.passes.end) {
        begun += usize::from(pass.is_first());
        if at < part.passes.start {
            continue;
        }
        let Some(step) = begun.checked_sub(1).and_then(|at| steps.get(at)) else {
            continue;
        };
        rows.push(Timed {
            kernel: name_of(&step.code).into_owned(),
            row: Row {
                dispatches: u64::from(pass.is_first()),
                elements: if pass.is_first() { u64::from(step.n) } else { 0 },
                time_ms: 0.0,
            },
        });
    }
    rows
}
