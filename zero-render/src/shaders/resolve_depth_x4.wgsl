// The farthest of four depths.

@group(0) @binding(0) var samples: texture_depth_multisampled_2d;

@fragment
fn fs_resolve_depth(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = vec2<i32>(at.xy);
    let near_pair = min(textureLoad(samples, pixel, 0), textureLoad(samples, pixel, 1));
    let far_pair = min(textureLoad(samples, pixel, 2), textureLoad(samples, pixel, 3));
    return vec4<f32>(min(near_pair, far_pair), 0.0, 0.0, 0.0);
}
