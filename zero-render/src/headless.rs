//! Pictures without a window: a device of one's own, a texture to draw into, its bytes read back.

use crate::{
    Camera, FrameParams, REQUIRED_FEATURES, REQUIRED_LIMITS, RenderError, Renderer, RendererOptions, Result, Scene,
};

/// Which adapter to draw on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AdapterChoice {
    /// A hardware GPU where there is one, else a software adapter.
    #[default]
    Any,
    /// A hardware GPU or nothing.
    Hardware,
    /// A software adapter (lavapipe, SwiftShader, WARP) or nothing: the reference for pictures in tests.
    Software,
}

/// A device without a window.
#[derive(Debug)]
pub struct Headless {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
}

/// A finished picture: rows from the top, four bytes a pixel, sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Red, green, blue and alpha of each pixel.
    pub rgba8: Vec<u8>,
}

impl Picture {
    /// Red, green and blue of a pixel; `None` outside.
    #[must_use]
    pub fn rgb(&self, x: u32, y: u32) -> Option<[u8; 3]> {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        let pixel = self.rgba8.get(at..at + 3).filter(|_| x < self.width)?;
        Some([pixel[0], pixel[1], pixel[2]])
    }
}

impl Headless {
    /// The format that headless renderers write.
    pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8UnormSrgb;

    /// A device on the adapter of choice, at WebGPU's default limits.
    ///
    /// # Errors
    /// [`RenderError::NoAdapter`], which lists the adapters that there are, or [`RenderError::RequestDevice`].
    pub async fn new(choice: AdapterChoice) -> Result<Self> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapters = instance.enumerate_adapters(wgpu::Backends::all()).await;
        let is_software = |a: &wgpu::Adapter| a.get_info().device_type == wgpu::DeviceType::Cpu;
        let (wanted, adapter) = match choice {
            AdapterChoice::Any => ("graphics", adapters.iter().min_by_key(|a| is_software(a))),
            AdapterChoice::Hardware => ("hardware", adapters.iter().find(|a| !is_software(a))),
            AdapterChoice::Software => ("software", adapters.iter().find(|a| is_software(a))),
        };
        let Some(adapter) = adapter else {
            let names: Vec<_> = adapters.iter().map(|a| a.get_info().name).collect();
            let found = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            return Err(RenderError::NoAdapter { wanted, found });
        };
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("zero-render headless"),
                required_features: REQUIRED_FEATURES,
                required_limits: REQUIRED_LIMITS,
                ..Default::default()
            })
            .await?;
        Ok(Self {
            device,
            queue,
            info: adapter.get_info(),
        })
    }

    /// [`new`](Self::new), waited for on this thread. Not for the web.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn blocking(choice: AdapterChoice) -> Result<Self> {
        pollster::block_on(Self::new(choice))
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// What it draws on.
    #[must_use]
    pub fn adapter_info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// A renderer for pictures of this device, with 4 samples a pixel.
    ///
    /// # Errors
    /// As [`Renderer::new`].
    pub fn renderer(&self) -> Result<Renderer> {
        Renderer::new(&self.device, &self.queue, RendererOptions::new(Self::FORMAT))
    }

    /// Draws one frame and reads it back. Waits for the device.
    ///
    /// # Errors
    /// As [`Renderer::render`]; [`RenderError::PictureFormat`] for a renderer whose output is neither `Rgba8Unorm` nor
    /// `Rgba8UnormSrgb`; [`RenderError::Readback`].
    pub fn render(
        &self,
        renderer: &mut Renderer,
        scene: &Scene,
        camera: &Camera,
        params: FrameParams,
    ) -> Result<Picture> {
        let format = renderer.options().output_format;
        // Any other has its bytes in another order, or more of them.
        if !matches!(
            format,
            wgpu::TextureFormat::Rgba8Unorm | wgpu::TextureFormat::Rgba8UnormSrgb
        ) {
            return Err(RenderError::PictureFormat { format });
        }
        let [width, height] = params.size;
        let limit = self.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(RenderError::PictureSize { width, height, limit });
        }
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("headless picture"),
            size: wgpu::Extent3d {
                width,
                height,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        renderer.render(&mut encoder, &view, scene, camera, params)?;
        self.read_back(encoder, &texture)
    }

    /// Copies the texture out behind everything in the encoder, without the padding of its rows.
    fn read_back(&self, mut encoder: wgpu::CommandEncoder, texture: &wgpu::Texture) -> Result<Picture> {
        let (width, height) = (texture.width(), texture.height());
        let row = width * 4;
        let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("headless read-back"),
            size: u64::from(padded) * u64::from(height),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(padded),
            rows_per_image: None,
        };
        let target = wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout,
        };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), target, texture.size());
        self.queue.submit([encoder.finish()]);
        let (send, receive) = std::sync::mpsc::channel();
        buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver outlives the wait below; if it is gone, nobody asks for the picture any more.
            let _ = send.send(result);
        });
        let failed = |e: &dyn std::fmt::Display| RenderError::Readback(e.to_string());
        self.device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|e| failed(&e))?;
        receive.recv().map_err(|e| failed(&e))?.map_err(|e| failed(&e))?;
        let mapped = buffer.get_mapped_range(..).map_err(|e| failed(&e))?;
        let rows = mapped.chunks_exact(padded as usize);
        let rgba8 = rows.flat_map(|r| r.iter().take(row as usize)).copied().collect();
        Ok(Picture { width, height, rgba8 })
    }
}
