// The host's own pipeline: a triangle over the whole picture, each pixel a word of the kernel's output.

@group(0) @binding(0) var<storage, read> rgba: array<u32>;
@group(0) @binding(1) var<uniform> size: vec4<u32>;

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let x = f32(index & 1u) * 4.0 - 1.0;
    let y = f32(index >> 1u) * 4.0 - 1.0;
    return vec4<f32>(x, y, 0.0, 1.0);
}

@fragment
fn pixel(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return unpack4x8unorm(rgba[u32(at.y) * size.x + u32(at.x)]);
}
