//! Reading back from a GPU: a copy into a mapped buffer, which is pooled.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use crate::device::Inner;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Lost};
use crate::pool::{Buffer, Trimmed};
use crate::queue::lock;
use crate::readback::{ReadJob, landed};
use crate::stats::Counters;

/// Buffers for reading back that wait to be used again, by size class.
#[derive(Debug, Default)]
pub(crate) struct Staging(Mutex<BTreeMap<u64, Vec<wgpu::Buffer>>>);

impl Gpu {
    /// Copies the words, and the live count behind them, and lands them once the GPU has got there.
    pub(crate) fn read(&self, device: &Inner, job: &ReadJob) -> Result<()> {
        self.check()?;
        let bytes = job.live_words(None) as u64 * 4;
        let Some(source) = job.buffer.gpu().filter(|_| bytes > 0) else {
            landed(device, &job.landing, Vec::new());
            return Ok(());
        };
        // A live count goes behind the words.
        let whole = bytes + if job.count.is_some() { 4 } else { 0 };
        let class = whole
            .next_power_of_two()
            .max(256)
            .min(device.max_buffer_bytes.max(whole));
        let (staging, reading) = self.staging(device, &job.buffer, class)?;
        let what = || "a read-back".to_owned();
        self.guarded(&what, class, || {
            let mut encoder = self
                .device
                .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: None });
            encoder.copy_buffer_to_buffer(source, 0, &staging, 0, Some(bytes));
            if let Some(count) = job.count.as_ref().and_then(|count| count.gpu()) {
                encoder.copy_buffer_to_buffer(count, 0, &staging, bytes, Some(4));
            }
            self.queue.submit([encoder.finish()]);
            let landing = Landing {
                job: job.clone(),
                staging: staging.clone(),
                reading,
                bytes,
                lost: self.lost.clone(),
            };
            let pool = self.staging.clone();
            staging.map_async(wgpu::MapMode::Read, .., move |mapped| landing.land(mapped, &pool));
        })
    }

    fn staging(&self, device: &Inner, read: &Buffer, class: u64) -> Result<(wgpu::Buffer, Reading)> {
        let pooled = lock(&self.staging.0).get_mut(&class).and_then(Vec::pop);
        if let Some(buffer) = pooled {
            device.shift(&device.counters.pooled_bytes, &device.counters.reading_bytes, class);
            return Ok((buffer, Reading::counted(read, class)));
        }
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let what = || "a buffer to read back through".to_owned();
        let level = Some(&device.counters.reading_bytes);
        let buffer = device.with_memory(level, class, &what, &|| self.buffer(class, usage, &what))?;
        Counters::add(&device.counters.created, 1);
        Ok((buffer, Reading::counted(read, class)))
    }

    /// Frees the largest buffers that wait until at most `keep_bytes` are left.
    pub(crate) fn trim_staging(&self, keep_bytes: u64) -> Trimmed {
        let mut freed = Trimmed::default();
        let mut waiting = lock(&self.staging.0);
        let mut left: u64 = waiting.iter().map(|(class, list)| class * list.len() as u64).sum();
        for (class, list) in waiting.iter_mut().rev() {
            while left > keep_bytes && list.pop().is_some() {
                left -= class;
                freed.count(*class);
            }
        }
        freed
    }
}

/// The bytes of a buffer that is being read back through, counted until this is dropped.
struct Reading {
    device: Weak<Inner>,
    class: u64,
}

impl Reading {
    /// Of bytes that are counted already.
    fn counted(read: &Buffer, class: u64) -> Self {
        Self {
            device: read.device_handle(),
            class,
        }
    }

    /// The buffer waits to be used again.
    fn rest(mut self, device: &Inner) {
        let counters = &device.counters;
        device.shift(&counters.reading_bytes, &counters.pooled_bytes, self.class);
        self.class = 0;
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        if let Some(device) = self.device.upgrade() {
            Counters::sub(&device.counters.reading_bytes, self.class);
        }
    }
}

/// A read-back under way on the GPU.
struct Landing {
    job: ReadJob,
    staging: wgpu::Buffer,
    reading: Reading,
    bytes: u64,
    lost: Arc<Lost>,
}

impl Landing {
    fn land(self, mapped: std::result::Result<(), wgpu::BufferAsyncError>, pool: &Staging) {
        match mapped.map_err(|error| error.to_string()).and_then(|()| self.words()) {
            Ok(words) => {
                self.staging.unmap();
                let class = self.reading.class;
                match self.job.buffer.device() {
                    Some(device) => {
                        self.reading.rest(&device);
                        lock(&pool.0).entry(class).or_default().push(self.staging);
                        landed(&device, &self.job.landing, words);
                    }
                    None => self.job.landing.land(Ok(words)),
                }
            }
            Err(message) => {
                let error = self.lost.check().err();
                self.job.fail(error.unwrap_or(Error::Gpu {
                    what: "a read-back".to_owned(),
                    message,
                }));
            }
        }
    }

    fn words(&self) -> std::result::Result<Vec<u32>, String> {
        let end = self.bytes + if self.job.count.is_some() { 4 } else { 0 };
        let view = self
            .staging
            .get_mapped_range(..end)
            .map_err(|error| error.to_string())?;
        let (words, count) = view.split_at_checked(self.bytes as usize).ok_or("a short map")?;
        let count = count.first_chunk().map(|word| u32::from_ne_bytes(*word));
        let live = self.job.live_words(count) * 4;
        Ok(bytemuck::pod_collect_to_vec(words.get(..live).ok_or("a short map")?))
    }
}
