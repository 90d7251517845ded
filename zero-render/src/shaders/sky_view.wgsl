// The sky around the camera, laid out as `sky_coordinates` of frame.wgsl reads it. Radiance for a sun of 1 lux.

@group(0) @binding(3) var multiple_picture: texture_2d<f32>;

fn multiple_at(radius: f32, cosine: f32) -> vec3<f32> {
    let height = (radius - air.ground.w) / (air.geometry.x - air.ground.w);
    let uv = clamp(vec2<f32>(cosine * 0.5 + 0.5, height), vec2<f32>(0.0), vec2<f32>(1.0));
    return textureSampleLevel(multiple_picture, air_sampler, (uv * 31.0 + 0.5) / 32.0, 0.0).rgb;
}

fn direction_of(at: vec2<f32>) -> vec3<f32> {
    let columns = 192.0;
    let rows = 64.0;
    let down = asin(clamp(air.ground.w / air.geometry.y, 0.0, 1.0));
    let horizon = PI - down;
    var zenith: f32;
    if at.y < rows {
        let along = 1.0 - (at.y - 0.5) / (rows - 1.0);
        zenith = horizon * (1.0 - along * along);
    } else {
        let along = (at.y - rows - 0.5) / (rows - 1.0);
        zenith = horizon + down * along * along;
    }
    let u = (at.x - 0.5) / (columns - 1.0);
    let azimuth = PI * u * u;
    let flat_sun = air.sun.xz / max(length(air.sun.xz), 1e-5);
    let side = vec2<f32>(-flat_sun.y, flat_sun.x);
    let flat_direction = flat_sun * cos(azimuth) + side * sin(azimuth);
    return vec3<f32>(flat_direction.x * sin(zenith), cos(zenith), flat_direction.y * sin(zenith));
}

@fragment
fn fs_sky_view(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let direction = direction_of(at.xy);
    let sun = air.sun.xyz;
    let position = vec3<f32>(0.0, air.geometry.y, 0.0);
    let to_ground = to_sphere(position, direction, air.ground.w);
    let hits = to_ground > 0.0 && at.y > 64.0;
    var length_km = to_sphere(position, direction, air.geometry.x);
    if hits {
        length_km = to_ground;
    }
    let cosine = dot(direction, sun);
    let rayleigh = rayleigh_phase(cosine);
    let mie = mie_phase(cosine);
    let steps = 48;
    var through = vec3<f32>(1.0);
    var sum = vec3<f32>(0.0);
    var from_km = 0.0;
    for (var i = 0; i < steps; i++) {
        // Short steps first: the haze is near.
        let share = f32(i + 1) / f32(steps);
        let to_km = length_km * share * share;
        let dt = to_km - from_km;
        let here = position + direction * (from_km + 0.5 * dt);
        let radius = length(here);
        let medium = medium_at(radius);
        let step_through = exp(-medium.extinction * dt);
        let kept = (1.0 - step_through) / max(medium.extinction, vec3<f32>(1e-9));
        let once = (medium.rayleigh * rayleigh + medium.mie * mie) * sunlight_at(here, sun);
        let more = (medium.rayleigh + medium.mie) * multiple_at(radius, dot(here, sun) / radius);
        sum += through * (once + more) * kept;
        through *= step_through;
        from_km = to_km;
    }
    if hits {
        let here = position + direction * to_ground;
        let lit = clamp(dot(normalize(here), sun), 0.0, 1.0);
        sum += through * sunlight_at(here, sun) * lit * air.ground.rgb / PI;
    }
    return vec4<f32>(sum, 1.0);
}
