// Four samples to one, each weighted down by its brightness, so that an edge against the sun or the sky stays smooth
// after tone mapping (B. Karis, "Tone mapping", 2013).

@group(0) @binding(0) var samples: texture_multisampled_2d<f32>;

@fragment
fn fs_resolve_color(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    var sum = vec4<f32>(0.0);
    var total = 0.0;
    for (var i = 0; i < 4; i++) {
        let color = textureLoad(samples, vec2<i32>(at.xy), i);
        let weight = 1.0 / (1.0 + max(max(color.r, color.g), max(color.b, 0.0)));
        sum += color * weight;
        total += weight;
    }
    return sum / total;
}
