// The sky behind everything, with the sun's disc.

// Darkening towards the edge of the disc (Neckel and Labs 1994, quadratic fit), red, green and blue.
fn limb(centre_distance: f32) -> vec3<f32> {
    let mu = sqrt(max(1.0 - centre_distance * centre_distance, 0.0));
    let u = vec3<f32>(0.40, 0.50, 0.65);
    return 1.0 - u * (1.0 - mu);
}

@fragment
fn fs_sky(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let direction = normalize(view_ray(at.xy));
    var color = sky_radiance(direction);
    let radius = frame.sun_direction.w;
    // The chord is exact enough for small angles, where acos is not.
    let angle = length(direction - frame.sun_direction.xyz);
    let edge = frame.camera_forward.w;
    let disc = min(frame.sun_light.rgb / (PI * radius * radius), vec3<f32>(20000.0));
    // What an eye or a lens scatters of so bright a thing: a veil that falls off with the square of the angle (CIE 135/1,
    // 1999, the general form).
    let apart = angle / radius;
    color += disc * (1.2e-4 / (1.0 + apart * apart));
    let inside = 1.0 - smoothstep(radius - 0.5 * edge, radius + 0.5 * edge, angle);
    if inside > 0.0 && acos(clamp(direction.y, -1.0, 1.0)) < frame.sky_geometry.x {
        color += disc * limb(min(angle / radius, 1.0)) * inside;
    }
    return vec4<f32>(color, 1.0);
}
