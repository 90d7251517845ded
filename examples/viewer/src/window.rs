//! The window and its loop. Device, queue, surface and encoder are the host's; the renderer records into its view.

use crate::error::{Error, Result};
use crate::orbit::Orbit;
use crate::world::World;
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::{PhysicalPosition, PhysicalSize};
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};
use zero_compute::Device;
use zero_procgen::Clock;
use zero_render::{FrameParams, REQUIRED_FEATURES, REQUIRED_LIMITS, Renderer, RendererOptions, wgpu};

/// Radians that a pointer dragged by one pixel turns.
const DRAG_RAD: f32 = 0.005;
/// Pixels of a touch pad that make one notch of a wheel.
const NOTCH_PX: f64 = 40.0;
/// Frames a second of the graph's clock.
const FPS: f64 = 60.0;

/// Opens the window and runs its loop until it is closed.
pub(crate) fn run(device: &Device, size: [u32; 2]) -> Result<()> {
    let event_loop = EventLoop::new()?;
    event_loop.set_control_flow(ControlFlow::Poll);
    let mut app = App {
        compute: device.clone(),
        size,
        view: None,
        orbit: Orbit::default(),
        dragged: None,
        begun: Instant::now(),
        outcome: Ok(()),
    };
    event_loop.run_app(&mut app)?;
    app.outcome
}

struct App {
    compute: Device,
    size: [u32; 2],
    /// There once the system lets windows be made.
    view: Option<View>,
    orbit: Orbit,
    /// Where the pointer was, while its button is held.
    dragged: Option<Drag>,
    begun: Instant,
    outcome: Result<()>,
}

/// A drag, from the moment that the button goes down.
#[derive(Clone, Copy)]
struct Drag {
    at: Option<PhysicalPosition<f64>>,
}

/// The window with what draws into it.
struct View {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    renderer: Renderer,
    world: World,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.view.is_none() {
            match View::open(event_loop, &self.compute, self.size) {
                Ok(view) => self.view = Some(view),
                Err(error) => self.leave(event_loop, error),
            }
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(view) = &mut self.view else { return };
        let done = match event {
            WindowEvent::CloseRequested => {
                event_loop.exit();
                Ok(())
            }
            WindowEvent::Resized(size) => {
                view.resize(size);
                Ok(())
            }
            WindowEvent::RedrawRequested => {
                let drawn = view.draw(&self.orbit, self.begun.elapsed().as_secs_f64());
                view.window.request_redraw();
                drawn
            }
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed => {
                key(event_loop, &mut view.world, &event.logical_key)
            }
            other => {
                pointer(&mut self.orbit, &mut self.dragged, &other);
                Ok(())
            }
        };
        if let Err(error) = done {
            self.leave(event_loop, error);
        }
    }
}

impl App {
    fn leave(&mut self, event_loop: &ActiveEventLoop, error: Error) {
        self.outcome = Err(error);
        event_loop.exit();
    }
}

fn key(event_loop: &ActiveEventLoop, world: &mut World, key: &Key) -> Result<()> {
    match key {
        Key::Named(NamedKey::Escape) => event_loop.exit(),
        Key::Named(NamedKey::ArrowUp) => world.grow(0.25)?,
        Key::Named(NamedKey::ArrowDown) => world.grow(-0.25)?,
        Key::Named(NamedKey::ArrowLeft) => world.turn_sun(-2.0),
        Key::Named(NamedKey::ArrowRight) => world.turn_sun(2.0),
        _ => {}
    }
    Ok(())
}

fn pointer(orbit: &mut Orbit, dragged: &mut Option<Drag>, event: &WindowEvent) {
    match event {
        WindowEvent::MouseInput {
            state,
            button: MouseButton::Left,
            ..
        } => *dragged = (*state == ElementState::Pressed).then_some(Drag { at: None }),
        WindowEvent::CursorMoved { position, .. } => {
            if let Some(drag) = dragged {
                if let Some(from) = drag.at {
                    let moved = [(position.x - from.x) as f32, (position.y - from.y) as f32];
                    orbit.turn(-moved[0] * DRAG_RAD, moved[1] * DRAG_RAD);
                }
                drag.at = Some(*position);
            }
        }
        WindowEvent::MouseWheel { delta, .. } => orbit.approach(match delta {
            MouseScrollDelta::LineDelta(_, lines) => *lines,
            MouseScrollDelta::PixelDelta(pixels) => (pixels.y / NOTCH_PX) as f32,
        }),
        _ => {}
    }
}

impl View {
    fn open(event_loop: &ActiveEventLoop, compute: &Device, size: [u32; 2]) -> Result<Self> {
        let attributes = Window::default_attributes()
            .with_title("island")
            .with_inner_size(PhysicalSize::new(size[0], size[1]));
        let window = Arc::new(event_loop.create_window(attributes)?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let surface = instance.create_surface(window.clone());
        let surface = surface.map_err(|error| Error::Surface(error.to_string()))?;
        let (device, queue, config) = pollster::block_on(device(&instance, &surface, window.inner_size()))?;
        surface.configure(&device, &config);
        let renderer = Renderer::new(&device, &queue, RendererOptions::new(config.format))?;
        let world = World::new(compute, &renderer)?;
        window.request_redraw();
        Ok(Self {
            window,
            surface,
            config,
            device,
            queue,
            renderer,
            world,
        })
    }

    fn resize(&mut self, size: PhysicalSize<u32>) {
        // A minimised window has no pixels; it keeps its last size until it is back.
        if size.width > 0 && size.height > 0 {
            (self.config.width, self.config.height) = (size.width, size.height);
            self.surface.configure(&self.device, &self.config);
        }
    }

    fn draw(&mut self, orbit: &Orbit, time_secs: f64) -> Result<()> {
        self.world.advance(&self.renderer, Clock::at(time_secs, FPS))?;
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) | wgpu::CurrentSurfaceTexture::Suboptimal(texture) => texture,
            wgpu::CurrentSurfaceTexture::Timeout | wgpu::CurrentSurfaceTexture::Occluded => return Ok(()),
            wgpu::CurrentSurfaceTexture::Outdated => {
                self.surface.configure(&self.device, &self.config);
                return Ok(());
            }
            other => return Err(Error::Surface(format!("{other:?}"))),
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut params = FrameParams::new(self.config.width, self.config.height);
        params.time_secs = time_secs as f32;
        self.renderer
            .render(&mut encoder, &view, &self.world.scene, &orbit.camera(), params)?;
        self.queue.submit([encoder.finish()]);
        self.window.pre_present_notify();
        self.queue.present(texture);
        Ok(())
    }
}

/// A device that can draw into the surface, and how the surface is set.
async fn device(
    instance: &wgpu::Instance,
    surface: &wgpu::Surface<'_>,
    size: PhysicalSize<u32>,
) -> Result<(wgpu::Device, wgpu::Queue, wgpu::SurfaceConfiguration)> {
    let failed = |error: &dyn std::fmt::Display| Error::Surface(error.to_string());
    let adapter = instance
        .request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(surface),
            ..Default::default()
        })
        .await
        .map_err(|error| failed(&error))?;
    println!("drawn on: {}", adapter.get_info().name);
    let (device, queue) = adapter
        .request_device(&wgpu::DeviceDescriptor {
            label: Some("viewer"),
            required_features: REQUIRED_FEATURES,
            required_limits: REQUIRED_LIMITS,
            ..Default::default()
        })
        .await
        .map_err(|error| failed(&error))?;
    let config = surface.get_default_config(&adapter, size.width.max(1), size.height.max(1));
    let mut config = config.ok_or_else(|| Error::Surface("this adapter shows nothing in this window".to_owned()))?;
    // An sRGB format lets the hardware encode.
    let formats = surface.get_capabilities(&adapter).formats;
    if let Some(srgb) = formats.into_iter().find(wgpu::TextureFormat::is_srgb) {
        config.format = srgb;
    }
    Ok((device, queue, config))
}
