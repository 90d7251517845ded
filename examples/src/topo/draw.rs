//! What is the host's: its device and queue, its pipeline over the column's buffer, its texture.

use crate::{Error, Result};
use zero_compute::wgpu;
use zero_compute::{Column, Device, REQUIRED_FEATURES, REQUIRED_LIMITS};

/// Opens a device as a host does for itself, with what the compute crate needs of it: hardware where there is some, else
/// a software adapter.
///
/// # Errors
/// [`Error::HostDevice`] where there is no adapter, or it gives no such device.
pub fn open() -> Result<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()));
    let adapter = adapter.map_err(|error| Error::HostDevice(error.to_string()))?;
    let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        label: Some("host"),
        required_features: REQUIRED_FEATURES,
        required_limits: REQUIRED_LIMITS,
        ..Default::default()
    }));
    opened.map_err(|error| Error::HostDevice(error.to_string()))
}

/// Draws a column of pixels into a texture with a pipeline of the host's own, and reads the texture back: the column
/// itself never leaves the GPU.
///
/// # Errors
/// [`Error::HostDevice`] for a column that lies on no GPU, or where the texture cannot be read.
pub fn draw(
    gpu: &wgpu::Device,
    queue: &wgpu::Queue,
    device: &Device,
    pixels: &Column,
    [width, height]: [u32; 2],
) -> Result<Vec<u8>> {
    // What was submitted is on the queue once the device was polled; the draw comes behind it.
    device.poll();
    let buffer = pixels.wgpu_buffer();
    let buffer = buffer.ok_or_else(|| Error::HostDevice("the column lies on the CPU".to_owned()))?;
    let texture = gpu.create_texture(&wgpu::TextureDescriptor {
        label: Some("topo"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let size = gpu.create_buffer(&wgpu::BufferDescriptor {
        label: Some("size"),
        size: 16,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let words = [width, height, 0, 0].map(u32::to_le_bytes).concat();
    queue.write_buffer(&size, 0, &words);
    let pipeline = pipeline(gpu);
    let bound = wgpu::BufferBinding {
        buffer,
        offset: 0,
        size: std::num::NonZeroU64::new(pixels.bytes()),
    };
    let group = gpu.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("topo"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(bound),
            },
            wgpu::BindGroupEntry {
                binding: 1,
                resource: size.as_entire_binding(),
            },
        ],
    });
    let mut encoder = gpu.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("topo"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })],
        ..Default::default()
    });
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.draw(0..3, 0..1);
    drop(pass);
    read(gpu, queue, encoder, &texture)
}

fn pipeline(gpu: &wgpu::Device) -> wgpu::RenderPipeline {
    let module = gpu.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("topo"),
        source: wgpu::ShaderSource::Wgsl(include_str!("draw.wgsl").into()),
    });
    gpu.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("topo"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("pixel"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::TextureFormat::Rgba8Unorm.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// The texture's bytes, without the padding of its rows.
fn read(
    gpu: &wgpu::Device,
    queue: &wgpu::Queue,
    mut encoder: wgpu::CommandEncoder,
    texture: &wgpu::Texture,
) -> Result<Vec<u8>> {
    let failed = |error: &dyn std::fmt::Display| Error::HostDevice(error.to_string());
    let row = texture.width() * 4;
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = gpu.create_buffer(&wgpu::BufferDescriptor {
        label: Some("picture"),
        size: u64::from(padded) * u64::from(texture.height()),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let target = wgpu::TexelCopyBufferInfo {
        buffer: &buffer,
        layout: wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(padded),
            rows_per_image: None,
        },
    };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
    queue.submit([encoder.finish()]);
    let (send, receive) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // Nobody waits any more where the receiver is gone.
        let _ = send.send(result);
    });
    gpu.poll(wgpu::PollType::wait_indefinitely())
        .map_err(|error| failed(&error))?;
    receive
        .recv()
        .map_err(|error| failed(&error))?
        .map_err(|error| failed(&error))?;
    let mapped = buffer.get_mapped_range(..).map_err(|error| failed(&error))?;
    let rows = mapped.chunks_exact(padded as usize);
    Ok(rows
        .flat_map(|bytes| bytes.iter().take(row as usize))
        .copied()
        .collect())
}
