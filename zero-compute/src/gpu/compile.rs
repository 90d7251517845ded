//! Compiling a list: programs, bind groups and the params arena.

use std::num::NonZeroU64;
use std::sync::Arc;

use crate::build::side_by_side;
use crate::device::Inner;
use crate::error::{Error, Result};
use crate::field::{self, MapDomain, Place};
use crate::fusion::Fused;
use crate::gpu::Gpu;
use crate::gpu::parts::{Part, cut};
use crate::kernel::{Access, Groups, Kernel, WORKGROUP};
use crate::kernel_ref::Declared;
use crate::list::{Code, ProgramSlot, Step};
use crate::pool::Buffer;
use crate::shader::{self, Assembled};
use crate::stats::Counters;

/// What a binding number of a pass is bound to.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The column of a binding.
    Held(usize),
    /// The counter of an append binding.
    Counter(usize),
    /// The live count of the domain.
    DomainCount,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u32,
    is_written: bool,
    source: Source,
}

/// The layout of one entry point.
struct PassPlan {
    entry: &'static str,
    groups: Groups,
    entries: Vec<Entry>,
}

/// A built kernel variant.
#[derive(Debug)]
pub(crate) struct Program {
    passes: Vec<ProgramPass>,
}

#[cfg(test)]
impl Program {
    /// One that does nothing.
    pub(crate) fn empty() -> Self {
        Self { passes: Vec::new() }
    }
}

#[derive(Debug)]
struct ProgramPass {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    groups: Groups,
    entries: Vec<Entry>,
    params_number: u32,
}

/// A list as a GPU runs it.
#[derive(Debug)]
pub(crate) struct GpuList {
    pub(crate) arena: Option<wgpu::Buffer>,
    pub(crate) passes: Vec<GpuPass>,
    pub(crate) parts: Vec<Part>,
}

#[derive(Debug)]
pub(crate) struct GpuPass {
    program: Arc<Program>,
    index: usize,
    bind_group: wgpu::BindGroup,
    offset: u32,
    groups: (u32, u32),
}

impl GpuPass {
    fn pipeline(&self) -> Option<&wgpu::ComputePipeline> {
        self.program.passes.get(self.index).map(|pass| &pass.pipeline)
    }

    /// Whether it is the first pass of its kernel.
    pub(crate) fn is_first(&self) -> bool {
        self.index == 0
    }

    /// Dispatches it, behind `last` of the same pass.
    pub(crate) fn encode(&self, pass: &mut wgpu::ComputePass<'_>, last: Option<&GpuPass>) {
        if !last.is_some_and(|last| self.is_same_program(last))
            && let Some(pipeline) = self.pipeline()
        {
            pass.set_pipeline(pipeline);
        }
        pass.set_bind_group(0, &self.bind_group, &[self.offset]);
        pass.dispatch_workgroups(self.groups.0, self.groups.1, 1);
    }

    fn is_same_program(&self, other: &GpuPass) -> bool {
        Arc::ptr_eq(&self.program, &other.program) && self.index == other.index
    }
}

/// The storage buffers of each pass.
pub(crate) fn storage_buffers(kernel: &Kernel, live: bool) -> Result<Vec<(&'static str, u32)>> {
    Ok(plan(kernel, live)?
        .into_iter()
        .map(|pass| (pass.entry, pass.entries.len() as u32))
        .collect())
}

fn plan(kernel: &Kernel, live: bool) -> Result<Vec<PassPlan>> {
    let mut all: Vec<(&'static str, Vec<Entry>)> = Vec::new();
    for (index, (binding, number)) in kernel.bindings().zip(shader::binding_numbers(kernel)).enumerate() {
        let is_written = binding.is_written();
        let mut entries = vec![Entry {
            number,
            is_written,
            source: Source::Held(index),
        }];
        if binding.access == Access::Append {
            entries.push(Entry {
                number: number + 1,
                is_written: true,
                source: Source::Counter(index),
            });
        }
        all.push((binding.name, entries));
    }
    let count = Entry {
        number: shader::count_number(kernel),
        is_written: false,
        source: Source::DomainCount,
    };
    let count = (live && !shader::binds_count(kernel)).then_some(count);
    if kernel.passes().next().is_none() {
        let entries = all.into_iter().flat_map(|(_, entries)| entries).chain(count).collect();
        return Ok(vec![PassPlan {
            entry: "main",
            groups: Groups::PerElements(WORKGROUP),
            entries,
        }]);
    }
    let mut passes = Vec::new();
    for pass in kernel.passes() {
        let mut entries: Vec<Entry> = Vec::new();
        for name in pass.uses {
            let known = touched(&all, name).ok_or_else(|| Error::BadKernel {
                kernel: kernel.name().to_owned(),
                message: format!("pass `{}` uses `{name}`, which is not declared", pass.entry),
            })?;
            entries.extend(known);
        }
        entries.extend(count);
        entries.sort_by_key(|entry| entry.number);
        passes.push(PassPlan {
            entry: pass.entry,
            groups: pass.groups,
            entries,
        });
    }
    Ok(passes)
}

/// The entries that a pass names: those of a binding, or one of the two of an append binding.
fn touched<'a>(all: &'a [(&'static str, Vec<Entry>)], name: &str) -> Option<&'a [Entry]> {
    let of = |name: &str| all.iter().find(|(known, _)| *known == name).map(|(_, entries)| entries);
    let one = |suffix: &str, at: usize| {
        let entries = of(name.strip_suffix(suffix)?)?;
        entries.get(at..=at).filter(|_| entries.len() == 2)
    };
    of(name)
        .map(Vec::as_slice)
        .or_else(|| one("_items", 0))
        .or_else(|| one("_count", 1))
}

/// The one pass of a walk: its leaves as a field's, the four columns of the walk, the packed leaves behind them.
fn plan_walk(walk: &field::Walk, live: bool) -> PassPlan {
    let layout = walk.layout();
    let own = walk.leaves().len();
    let entry = |number, is_written, source| Entry {
        number,
        is_written,
        source,
    };
    let direct = layout.inputs.leaves.iter().enumerate();
    let direct = direct.filter_map(|(k, place)| match place {
        Place::Direct(number) => Some(entry(*number, false, Source::Held(k))),
        Place::Packed => None,
    });
    let packed = layout.inputs.packed;
    let packed = packed.map(|number| entry(number, false, Source::Held(own + 4)));
    let columns = [
        entry(layout.start, false, Source::Held(own)),
        entry(layout.last, true, Source::Held(own + 1)),
        entry(layout.taken, true, Source::Held(own + 2)),
        entry(layout.path, true, Source::Held(own + 3)),
    ];
    let count = live.then_some(entry(layout.live_count, false, Source::DomainCount));
    PassPlan {
        entry: "main",
        groups: Groups::PerElements(WORKGROUP),
        entries: direct.chain(packed).chain(columns).chain(count).collect(),
    }
}

/// The one pass of a field program: its own leaves, the packed ones behind the output, the output, the count.
fn plan_map(program: &field::Program, live: bool) -> PassPlan {
    let layout = program.layout();
    let output = program.leaves().len();
    let direct = layout.leaves.iter().enumerate().filter_map(|(k, place)| match place {
        Place::Direct(number) => Some(Entry {
            number: *number,
            is_written: false,
            source: Source::Held(k),
        }),
        Place::Packed => None,
    });
    let packed = layout.packed.map(|number| Entry {
        number,
        is_written: false,
        source: Source::Held(output + 1),
    });
    let dst = Entry {
        number: layout.output,
        is_written: true,
        source: Source::Held(output),
    };
    let count = Entry {
        number: layout.live_count,
        is_written: false,
        source: Source::DomainCount,
    };
    let entries = direct.chain(packed).chain([dst]).chain(live.then_some(count)).collect();
    PassPlan {
        entry: "main",
        groups: Groups::PerElements(WORKGROUP),
        entries,
    }
}

/// The one pass of a fused dispatch: its columns in order, and the count.
fn plan_fused(step: &Step, live: bool) -> PassPlan {
    let columns = step.held.iter().enumerate().map(|(k, held)| Entry {
        number: k as u32,
        is_written: held.access != Access::Read,
        source: Source::Held(k),
    });
    let count = Entry {
        number: step.held.len() as u32,
        is_written: false,
        source: Source::DomainCount,
    };
    PassPlan {
        entry: "main",
        groups: Groups::PerElements(WORKGROUP),
        entries: columns.chain(live.then_some(count)).collect(),
    }
}

/// Whose shader it is, for messages.
struct Author<'a> {
    name: &'static str,
    kernel: Option<&'a Declared>,
}

impl Gpu {
    /// Everything that a submission of these steps needs.
    pub(crate) fn compile(&self, device: &Inner, label: &str, steps: &[Step], params: &[u32]) -> Result<GpuList> {
        self.check()?;
        let live_steps: Vec<&Step> = steps.iter().filter(|step| step.n > 0).collect();
        let programs = self.programs(device, &live_steps)?;
        let sizes = live_steps.iter().zip(&programs);
        let parts = cut(sizes.map(|(step, program)| (program.passes.len(), step.n)));
        let arena = if live_steps.is_empty() {
            None
        } else {
            Some(self.arena(device, params)?)
        };
        let mut passes = Vec::new();
        for (step, program) in live_steps.into_iter().zip(programs) {
            for index in 0..program.passes.len() {
                passes.extend(
                    arena
                        .as_ref()
                        .map(|arena| self.pass(device, label, step, &program, index, arena))
                        .transpose()?,
                );
            }
        }
        Counters::add(&device.counters.bind_groups, passes.len() as u64);
        Ok(GpuList { arena, passes, parts })
    }

    /// One buffer for the params of all dispatches.
    fn arena(&self, device: &Inner, params: &[u32]) -> Result<wgpu::Buffer> {
        let bytes = params_bytes(params.len());
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let what = || "the params of a list".to_owned();
        let arena = device.with_memory(None, bytes, &what, &|| self.buffer(bytes, usage, &what))?;
        Counters::add(&device.counters.created, 1);
        self.guarded(&what, bytes, || {
            self.queue.write_buffer(&arena, 0, bytemuck::cast_slice(params));
        })?;
        Ok(arena)
    }

    fn pass(
        &self,
        device: &Inner,
        label: &str,
        step: &Step,
        program: &Arc<Program>,
        index: usize,
        arena: &wgpu::Buffer,
    ) -> Result<GpuPass> {
        let what = || format!("the bind group of kernel `{}` in list `{label}`", step.code.name());
        let missing = || Error::Gpu {
            what: what(),
            message: "a buffer is missing".to_owned(),
        };
        let pass = program.passes.get(index).ok_or_else(missing)?;
        let mut entries = Vec::with_capacity(pass.entries.len() + 1);
        for entry in &pass.entries {
            let (buffer, words) = bound(step, entry.source).ok_or_else(missing)?;
            let buffer = buffer.gpu().ok_or_else(missing)?;
            entries.push(bind(entry.number, buffer, words.max(1) * 4));
        }
        entries.push(bind(pass.params_number, arena, params_bytes(step.words)));
        let descriptor = wgpu::BindGroupDescriptor {
            label: None,
            layout: &pass.layout,
            entries: &entries,
        };
        let bind_group = self.guarded(&what, 0, || self.device.create_bind_group(&descriptor))?;
        Ok(GpuPass {
            program: program.clone(),
            index,
            bind_group,
            offset: (step.at * 4) as u32,
            groups: spread(pass.groups.count(step.n), device.limits.max_workgroups_per_dim),
        })
    }

    /// The program of each step. Where several are missing they are built side by side, on threads of their own that end
    /// before this returns.
    fn programs(&self, device: &Inner, steps: &[&Step]) -> Result<Vec<Arc<Program>>> {
        let (mut keys, mut missing) = (Vec::new(), Vec::new());
        for step in steps {
            let key = step.code.key(step.count.is_some());
            if !device.programs.has(&key) && !keys.contains(&key) {
                keys.push(key);
                missing.push(*step);
            }
        }
        // What was built is held until each step has its own, so that none of it goes again.
        let mut built = Vec::new();
        if missing.len() > 1 && !cfg!(target_arch = "wasm32") {
            for program in side_by_side(&missing, |step| self.step_program(device, step)) {
                built.push(program.unwrap_or(Err(Error::BuildPanicked))?);
            }
        }
        steps.iter().map(|step| self.step_program(device, step)).collect()
    }

    fn step_program(&self, device: &Inner, step: &Step) -> Result<Arc<Program>> {
        let live = step.count.is_some();
        match &step.code {
            Code::Fused(fused) => self.find(device, &step.code, live, || self.build_fused(fused, step, live)),
            code => self.program(device, code, live),
        }
    }

    /// The program of a kernel or a field program.
    pub(crate) fn program(&self, device: &Inner, code: &Code, live: bool) -> Result<Arc<Program>> {
        self.find(device, code, live, || self.build_code(code, live))
    }

    fn find(
        &self,
        device: &Inner,
        code: &Code,
        live: bool,
        build: impl FnOnce() -> Result<Program>,
    ) -> Result<Arc<Program>> {
        self.check()?;
        let build = || Ok(ProgramSlot::Gpu(Arc::new(build()?)));
        let (slot, is_new) = device.programs.get(code.key(live), build)?;
        Counters::add(&device.counters.programs, u64::from(is_new));
        match slot {
            ProgramSlot::Gpu(program) => Ok(program),
            ProgramSlot::Cpu => Err(Error::Gpu {
                what: format!("the program of kernel `{}`", code.name()),
                message: "it is none of a GPU".to_owned(),
            }),
        }
    }

    fn build_code(&self, code: &Code, live: bool) -> Result<Program> {
        match code {
            Code::Kernel { kernel, options } => {
                let author = Author {
                    name: kernel.name(),
                    kernel: Some(kernel),
                };
                let shader = kernel.assemble(options, live)?;
                self.build(&author, &shader, plan(kernel, live)?, shader::count_number(kernel) + 1)
            }
            Code::Map(program) => {
                let domain = if live { MapDomain::Live } else { MapDomain::Known };
                let shader = Assembled {
                    text: program.wgsl(domain),
                    lines_before: 0,
                };
                let author = Author {
                    name: "map",
                    kernel: None,
                };
                self.build(&author, &shader, vec![plan_map(program, live)], program.layout().params)
            }
            Code::Walk(walk) => {
                let domain = if live { MapDomain::Live } else { MapDomain::Known };
                let shader = Assembled {
                    text: walk.wgsl(domain),
                    lines_before: 0,
                };
                let author = Author {
                    name: "walk",
                    kernel: None,
                };
                self.build(&author, &shader, vec![plan_walk(walk, live)], walk.layout().params)
            }
            Code::Fused(fused) => Err(Error::Gpu {
                what: format!("the program of `{}`", fused.name()),
                message: "it is built with the columns of its list".to_owned(),
            }),
        }
    }

    fn build_fused(&self, fused: &Fused, step: &Step, live: bool) -> Result<Program> {
        let shader = Assembled {
            text: crate::fusion::module(fused, &step.held, live)?,
            lines_before: 0,
        };
        let author = Author {
            name: "fused",
            kernel: None,
        };
        let params = step.held.len() as u32 + 1;
        self.build(&author, &shader, vec![plan_fused(step, live)], params)
            .map_err(|error| in_fused(fused, error))
    }

    fn build(&self, author: &Author<'_>, shader: &Assembled, plans: Vec<PassPlan>, params: u32) -> Result<Program> {
        let _span = tracing::debug_span!("build program", kernel = author.name).entered();
        let module = self.module(author, shader)?;
        let mut passes = Vec::with_capacity(plans.len());
        for plan in plans {
            let what = || format!("pass `{}`", plan.entry);
            let made = self.guarded(&what, 0, || self.pipeline(&module, &plan, params));
            let (layout, pipeline) = made.map_err(|error| author.at_fault(error))?;
            let PassPlan { groups, entries, .. } = plan;
            passes.push(ProgramPass {
                pipeline,
                layout,
                groups,
                entries,
                params_number: params,
            });
        }
        Ok(Program { passes })
    }

    fn module(&self, author: &Author<'_>, shader: &Assembled) -> Result<wgpu::ShaderModule> {
        let mut made = None;
        let result = self.guarded(&|| "the shader".to_owned(), 0, || {
            made = Some(self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(author.name),
                source: wgpu::ShaderSource::Wgsl(shader.text.as_str().into()),
            }));
        });
        match (result, made) {
            (Ok(()), Some(module)) => Ok(module),
            (Err(error), Some(module)) => Err(explain(author, shader, &module, error)),
            (result, None) => Err(result.err().unwrap_or(Error::Gpu {
                what: "the shader".to_owned(),
                message: "no module was made".to_owned(),
            })),
        }
    }

    fn pipeline(
        &self,
        module: &wgpu::ShaderModule,
        plan: &PassPlan,
        params: u32,
    ) -> (wgpu::BindGroupLayout, wgpu::ComputePipeline) {
        let storage = plan.entries.iter().map(|entry| {
            let ty = wgpu::BufferBindingType::Storage {
                read_only: !entry.is_written,
            };
            layout_entry(entry.number, ty, false)
        });
        let uniform = layout_entry(params, wgpu::BufferBindingType::Uniform, true);
        let entries: Vec<_> = storage.chain([uniform]).collect();
        let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(plan.entry),
            layout: Some(&pipeline_layout),
            module,
            entry_point: Some(plan.entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        (layout, pipeline)
    }
}

/// Names the kernels that a shader was made of.
fn in_fused(fused: &Fused, error: Error) -> Error {
    match error {
        Error::BadShader { message, .. } => Error::BadShader {
            kernel: fused.name(),
            message,
        },
        other => other,
    }
}

/// A uniform binding is a multiple of 16 bytes.
fn params_bytes(words: usize) -> u64 {
    (words as u64 * 4).next_multiple_of(16)
}

fn layout_entry(number: u32, ty: wgpu::BufferBindingType, has_dynamic_offset: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding: number,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset,
            min_binding_size: None,
        },
        count: None,
    }
}

fn bind(number: u32, buffer: &wgpu::Buffer, bytes: u64) -> wgpu::BindGroupEntry<'_> {
    let binding = wgpu::BufferBinding {
        buffer,
        offset: 0,
        size: NonZeroU64::new(bytes),
    };
    wgpu::BindGroupEntry {
        binding: number,
        resource: wgpu::BindingResource::Buffer(binding),
    }
}

fn bound(step: &Step, source: Source) -> Option<(&Arc<Buffer>, u64)> {
    match source {
        Source::Held(index) => step.held.get(index).map(|held| (&held.buffer, held.words())),
        Source::Counter(index) => step.held.get(index)?.count.as_ref().map(|count| (count, 1)),
        Source::DomainCount => step.count.as_ref().map(|count| (count, 1)),
    }
}

/// Workgroups in one dimension, or in two of nearly the same number where one does not hold them.
fn spread(groups: u32, most: u32) -> (u32, u32) {
    if groups <= most {
        return (groups, 1);
    }
    let rows = groups.div_ceil(most);
    (groups.div_ceil(rows), rows)
}

impl Author<'_> {
    /// What the driver said of a whole pass.
    fn at_fault(&self, error: Error) -> Error {
        if matches!(error, Error::DeviceLost { .. } | Error::OutOfMemory { .. }) {
            return error;
        }
        match self.kernel {
            #[cfg(feature = "author")]
            Some(Declared::Author(variant)) => variant.error_at(None, &error.to_string()),
            _ => Error::BadShader {
                kernel: self.name.to_owned(),
                message: error.to_string(),
            },
        }
    }
}

/// The compiler's words with the line as the author counts it.
fn explain(author: &Author<'_>, shader: &Assembled, module: &wgpu::ShaderModule, error: Error) -> Error {
    if matches!(error, Error::DeviceLost { .. } | Error::OutOfMemory { .. }) {
        return error;
    }
    let info = pollster::block_on(module.get_compilation_info());
    let worst = info
        .messages
        .iter()
        .find(|m| m.message_type == wgpu::CompilationMessageType::Error);
    #[cfg(feature = "author")]
    if let Some(Declared::Author(variant)) = author.kernel {
        let line = worst
            .and_then(|m| m.location)
            .map(|at| (at.line_number, at.line_position));
        let said = worst.map_or_else(|| error.to_string(), |m| m.message.clone());
        return variant.error_at(line, &said);
    }
    let location = author.kernel.and_then(|kernel| kernel.source_location());
    let given_at = location.map_or(String::new(), |at| format!(" (given at {}:{})", at.file(), at.line()));
    let line = worst.and_then(|m| m.location).map(|location| location.line_number);
    let place = match line {
        Some(line) if line > shader.lines_before => {
            let line = line - shader.lines_before;
            let source = author.kernel.map_or("", |kernel| kernel.source());
            let text = source.lines().nth(line as usize - 1).unwrap_or_default().trim();
            format!("line {line}{given_at}, `{text}`: ")
        }
        Some(line) => format!("line {line} of the generated header{given_at}: "),
        None => format!("{}: ", given_at.trim()),
    };
    let said = worst.map_or_else(|| error.to_string(), |m| m.message.clone());
    Error::BadShader {
        kernel: author.name.to_owned(),
        message: format!("{place}{said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn a_dispatch_past_one_dimension_covers_its_groups_and_little_more() {
        assert_eq!(spread(65_535, 65_535), (65_535, 1));
        for groups in [65_536, 78_125, 1 << 20, (u32::MAX - (1 << 20)).div_ceil(256)] {
            let (x, y) = spread(groups, 65_535);
            let covered = u64::from(x) * u64::from(y);
            assert!(x <= 65_535 && y <= 65_535, "{groups}: {x} x {y}");
            assert!(
                covered >= u64::from(groups) && covered < u64::from(groups + y),
                "{groups}: {x} x {y}"
            );
            assert!(
                covered * 256 <= u64::from(u32::MAX) + 1,
                "{groups}: element numbers wrap"
            );
        }
    }
}
