// Depth as a channel that can be read while the attachment is drawn into.

@group(0) @binding(0) var attachment: texture_depth_2d;

@fragment
fn fs_resolve_depth(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    return vec4<f32>(textureLoad(attachment, vec2<i32>(at.xy), 0), 0.0, 0.0, 0.0);
}
