// Depth of opaque meshes, for the camera and for the sun.

struct View {
    clip_from_world: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> view: View;

@vertex
fn vs_depth(@location(0) position: vec3<f32>, placement: Placement) -> @invariant @builtin(position) vec4<f32> {
    return view.clip_from_world * vec4<f32>(placed(position, placement), 1.0);
}
