//! Handing a list to the GPU: one encoder, one pass, at most one write of params.

use std::sync::Arc;

use crate::device::Inner;
use crate::error::Result;
use crate::gpu::{Gpu, scope};
use crate::list::ListInner;
use crate::queue::State;
use crate::stats::Counters;

impl Gpu {
    pub(crate) fn run_list(
        &self,
        device: &Inner,
        list: &ListInner,
        params: &Arc<Vec<u32>>,
        state: &Arc<State>,
    ) -> Result<()> {
        self.check()?;
        let Some(gpu) = &list.gpu else { return Ok(()) };
        let changed = list.changed(params);
        let what = || format!("list `{}`", list.label());
        scope::guarded(&self.device, &what, 0, || {
            if let (Some(arena), Some(range)) = (&gpu.arena, changed) {
                let offset = range.start as u64 * 4;
                let words = params.get(range).unwrap_or_default();
                self.queue.write_buffer(arena, offset, bytemuck::cast_slice(words));
                Counters::add(&device.counters.param_writes, 1);
            }
            if !gpu.passes.is_empty() {
                self.queue.submit([self.encode(list.label(), gpu)]);
            }
            let state = state.clone();
            self.queue.on_submitted_work_done(move || state.finish());
        })?;
        Counters::add(&device.counters.dispatches, gpu.dispatches);
        Ok(())
    }

    fn encode(&self, label: &str, list: &crate::gpu::GpuList) -> wgpu::CommandBuffer {
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
            for next in &list.passes {
                if !last.is_some_and(|last| next.is_same_program(last))
                    && let Some(pipeline) = next.pipeline()
                {
                    pass.set_pipeline(pipeline);
                }
                last = Some(next);
                pass.set_bind_group(0, &next.bind_group, &[next.offset]);
                pass.dispatch_workgroups(next.groups.0, next.groups.1, 1);
            }
        }
        encoder.finish()
    }
}
