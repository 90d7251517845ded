// Light scattered more than once, as an infinite series of an even field (Hillaire 2020, section 5.5).

@fragment
fn fs_multiple(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let uv = (at.xy - 0.5) / 31.0;
    let cosine = uv.x * 2.0 - 1.0;
    let radius = air.ground.w + 0.002 + uv.y * (air.geometry.x - air.ground.w - 0.004);
    let position = vec3<f32>(0.0, radius, 0.0);
    let sun = vec3<f32>(sqrt(max(1.0 - cosine * cosine, 0.0)), cosine, 0.0);
    var second = vec3<f32>(0.0);
    var share = vec3<f32>(0.0);
    for (var i = 0; i < 64; i++) {
        // A spherical Fibonacci lattice.
        let y = 1.0 - (2.0 * f32(i) + 1.0) / 64.0;
        let turn = 2.399963 * f32(i);
        let flat_length = sqrt(max(1.0 - y * y, 0.0));
        let direction = vec3<f32>(cos(turn) * flat_length, y, sin(turn) * flat_length);
        gather(position, direction, sun, &second, &share);
    }
    return vec4<f32>(second / 64.0 / (1.0 - share / 64.0), 1.0);
}

fn gather(
    position: vec3<f32>,
    direction: vec3<f32>,
    sun: vec3<f32>,
    second: ptr<function, vec3<f32>>,
    share: ptr<function, vec3<f32>>,
) {
    let to_ground = to_sphere(position, direction, air.ground.w);
    var length_km = to_sphere(position, direction, air.geometry.x);
    if to_ground > 0.0 {
        length_km = to_ground;
    }
    let steps = 20;
    let dt = length_km / f32(steps);
    var through = vec3<f32>(1.0);
    for (var i = 0; i < steps; i++) {
        let here = position + direction * ((f32(i) + 0.5) * dt);
        let medium = medium_at(length(here));
        let scattering = medium.rayleigh + medium.mie;
        let step_through = exp(-medium.extinction * dt);
        let kept = (1.0 - step_through) / max(medium.extinction, vec3<f32>(1e-9));
        *second += through * scattering * sunlight_at(here, sun) * kept / (4.0 * PI);
        *share += through * scattering * kept;
        through *= step_through;
    }
    if to_ground > 0.0 {
        let here = position + direction * to_ground;
        let up = normalize(here);
        *second += through * sunlight_at(here, sun) * clamp(dot(up, sun), 0.0, 1.0) * air.ground.rgb / PI;
    }
}
