//! Handing a list to the GPU: one encoder and one pass a part, and at most one write of params.

use std::sync::Arc;

use crate::cpu::Place;
use crate::device::Inner;
use crate::error::Result;
use crate::gpu::parts::Part;
use crate::gpu::{Gpu, GpuList};
use crate::list::ListInner;
use crate::queue::{Control, State};
use crate::stats::Counters;

impl Gpu {
    /// Hands over a list from its place on, a part at a time. Answers whether it reached the end; it stops early at
    /// the end of the budget.
    pub(crate) fn run_list(
        &self,
        device: &Inner,
        list: &ListInner,
        params: &Arc<Vec<u32>>,
        place: &mut Place,
        state: &Arc<State>,
        control: &mut Control<'_>,
    ) -> Result<bool> {
        self.check()?;
        let Some(gpu) = &list.gpu else { return Ok(true) };
        let profiles = device.profiles.wanted();
        loop {
            if state.is_abandoned() {
                return Ok(true);
            }
            if !control.may_go_on()? {
                return Ok(false);
            }
            let what = || format!("list `{}`", list.label());
            let part = gpu.parts.get(place.step);
            let hand_over = || {
                self.guarded(&what, 0, || {
                    if place.step == 0 {
                        self.write_params(device, list, gpu, params);
                    }
                    if let Some(part) = part {
                        match &profiles {
                            None => {
                                self.queue.submit([self.encode(list.label(), gpu, part)]);
                            }
                            Some(tables) => self.submit_profiled(list, gpu, part, tables),
                        }
                    }
                })
            };
            // wgpu writes and encodes through memory of its own. What was refused for want of it was not run.
            device.with_memory(None, 0, &what, &hand_over)?;
            if place.step == 0 {
                list.sent.wrote(params);
            }
            if let Some(part) = part {
                Counters::add(&device.counters.parts, 1);
                Counters::add(&device.counters.dispatches, part.dispatches);
            }
            place.step += 1;
            if place.step >= gpu.parts.len() {
                let (state, finished) = (state.clone(), self.finished.clone());
                self.queue.on_submitted_work_done(move || finished.add(state));
                return Ok(true);
            }
            control.report(place.step as f32 / gpu.parts.len() as f32, list.label());
        }
    }

    fn write_params(&self, device: &Inner, list: &ListInner, gpu: &GpuList, params: &Arc<Vec<u32>>) {
        if let (Some(arena), Some(range)) = (&gpu.arena, list.sent.changed(params)) {
            let offset = range.start as u64 * 4;
            let words = params.get(range).unwrap_or_default();
            self.queue.write_buffer(arena, offset, bytemuck::cast_slice(words));
            Counters::add(&device.counters.param_writes, 1);
        }
    }

    pub(super) fn encode(&self, label: &str, list: &GpuList, part: &Part) -> wgpu::CommandBuffer {
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) });
        {
            let descriptor = wgpu::ComputePassDescriptor {
                label: Some(label),
                timestamp_writes: None,
            };
            let mut pass = encoder.begin_compute_pass(&descriptor);
            let mut last = None;
            for next in list.passes.get(part.passes.clone()).unwrap_or_default() {
                next.encode(&mut pass, last);
                last = Some(next);
            }
        }
        encoder.finish()
    }
}
