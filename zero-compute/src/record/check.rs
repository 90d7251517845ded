//! What a dispatch is refused for, besides the shapes of its columns.

use std::sync::Arc;

use super::Recorder;
use super::shape::shape_text;
use crate::column::{Column, Element};
use crate::device::Backend;
use crate::error::{Error, Result};
use crate::kernel::{Access, Cpu, Kernel};
use crate::kernel_ref::Declared;
use crate::names;
use crate::pool::Buffer;

impl Recorder {
    pub(crate) fn check_column(&self, kernel: &str, binding: &str, element: Element, column: &Column) -> Result<()> {
        if !column.device().is_same(&self.device) {
            let what = format!("kernel `{kernel}`: the column for `{binding}`");
            return Err(Error::Foreign { what, owner: "device" });
        }
        column.check_kept()?;
        if column.element() != element {
            return Err(Error::WrongElement {
                kernel: kernel.to_owned(),
                binding: binding.to_owned(),
                expected: element,
                found: column.element(),
            });
        }
        Ok(())
    }

    pub(super) fn check_passes(&self, kernel: &Declared, live: bool) -> Result<()> {
        match &self.device.inner.backend {
            Backend::Cpu(_) => {
                // Only a GPU counts the buffer of a live domain.
                let _ = live;
                if kernel.twin().is_none() {
                    return Err(Error::GpuOnly {
                        kernel: kernel.name().to_owned(),
                    });
                }
                Ok(())
            }
            #[cfg(feature = "gpu")]
            Backend::Gpu(_) => {
                if !kernel.has_wgsl() {
                    return Err(Error::BadKernel {
                        kernel: kernel.name().to_owned(),
                        message: "it has no WGSL and runs on the CPU only".to_owned(),
                    });
                }
                let limit = self.device.limits().max_storage_buffers;
                for (entry, buffers) in crate::gpu::storage_buffers(kernel, live)? {
                    if buffers > limit {
                        return Err(Error::TooMany {
                            what: format!("kernel `{}`, pass `{entry}`: storage buffers", kernel.name()),
                            found: u64::from(buffers),
                            limit: u64::from(limit),
                        });
                    }
                }
                Ok(())
            }
        }
    }
}

/// Refuses a declaration that contradicts itself, on every device alike.
pub(super) fn check_declaration(kernel: &Kernel) -> Result<()> {
    match names::fault(kernel).or_else(|| kernel.per_element_fault()) {
        None => Ok(()),
        Some(message) => Err(Error::BadKernel {
            kernel: kernel.name().to_owned(),
            message,
        }),
    }
}

/// What is written may be bound once only, as WebGPU has it.
pub(super) fn check_aliases(kernel: &Kernel, columns: &[Column], count: Option<&Arc<Buffer>>) -> Result<()> {
    let mut all: Vec<(u64, &str, bool)> = Vec::new();
    for (binding, column) in kernel.bindings().zip(columns) {
        all.push((column.buffer().id, binding.name, binding.is_written()));
        if binding.access == Access::Append
            && let Some(counter) = column.live_count()
        {
            all.push((counter.buffer().id, binding.name, true));
        }
    }
    all.extend(count.map(|count| (count.id, "domain_count", false)));
    for (at, a) in all.iter().enumerate() {
        if let Some(b) = all.iter().skip(at + 1).find(|b| a.0 == b.0 && (a.2 || b.2)) {
            let (writer, other) = if a.2 { (a.1, b.1) } else { (b.1, a.1) };
            return Err(Error::Aliased {
                kernel: kernel.name().to_owned(),
                a: writer.to_owned(),
                b: other.to_owned(),
            });
        }
    }
    Ok(())
}

/// A function over ranges can only write what divides by elements of the domain.
pub(super) fn check_ranges(kernel: &Kernel, columns: &[Column], n: u32) -> Result<()> {
    if !matches!(kernel.twin(), Some(Cpu::Ranges(_))) {
        return Ok(());
    }
    for (binding, column) in kernel.bindings().zip(columns) {
        match binding.access {
            Access::Read | Access::Scratch => {}
            Access::Append => {
                let message = "a function over ranges cannot append; use Cpu::Whole".to_owned();
                return Err(Error::BadKernel {
                    kernel: kernel.name().to_owned(),
                    message,
                });
            }
            Access::Write | Access::InOut if column.capacity() == n => {}
            Access::Write | Access::InOut => {
                return Err(Error::WrongShape {
                    kernel: kernel.name().to_owned(),
                    binding: binding.name.to_owned(),
                    expected: format!("{n} elements, as the domain has"),
                    found: shape_text(column.capacity(), column.lanes()),
                });
            }
        }
    }
    Ok(())
}
