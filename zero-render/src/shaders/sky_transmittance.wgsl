// How much light crosses the air to its top, for every height and direction.

@fragment
fn fs_transmittance(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let uv = (at.xy - 0.5) / vec2<f32>(255.0, 63.0);
    let ground = air.ground.w;
    let top = air.geometry.x;
    let widest = sqrt(top * top - ground * ground);
    let across = widest * uv.y;
    let radius = sqrt(across * across + ground * ground);
    let least = top - radius;
    let distance = least + uv.x * (across + widest - least);
    var cosine = 1.0;
    if distance > 0.0 {
        cosine = clamp((widest * widest - across * across - distance * distance) / (2.0 * radius * distance), -1.0, 1.0);
    }
    let steps = 64;
    let dt = distance / f32(steps);
    var depth = vec3<f32>(0.0);
    for (var i = 0; i < steps; i++) {
        let t = (f32(i) + 0.5) * dt;
        let here = sqrt(radius * radius + t * t + 2.0 * radius * t * cosine);
        depth += medium_at(here).extinction * dt;
    }
    return vec4<f32>(exp(-depth), 1.0);
}
