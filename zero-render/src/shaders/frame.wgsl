// What every shader of a frame reads: camera, sun, shadows, sky. Bind group 0.
//
// Light is in units of exposed luminance: 1 is what the exposure brings to white before tone mapping.

struct Frame {
    clip_from_world: mat4x4<f32>,
    previous_clip_from_world: mat4x4<f32>,
    shadow_from_world: array<mat4x4<f32>, 3>,
    // xyz, near plane distance
    camera_position: vec4<f32>,
    // The three vectors that make a view ray: forward + right * x + up * y, x and y in clip space.
    camera_right: vec4<f32>,
    camera_up: vec4<f32>,
    // w: size of a pixel at distance 1
    camera_forward: vec4<f32>,
    // Towards the sun, w: angular radius
    sun_direction: vec4<f32>,
    // Sunlight that reaches the scene, w: above the air
    sun_light: vec4<f32>,
    // What the sky pictures are multiplied by, w: exposure
    sky_light: vec4<f32>,
    // width, height and their reciprocals
    viewport: vec4<f32>,
    cascade_far: vec4<f32>,
    cascade_texel: vec4<f32>,
    // Extinction a metre at sea level, w: scale height
    fog_rayleigh: vec4<f32>,
    fog_mie: vec4<f32>,
    // Angle from zenith to horizon, from horizon to nadir, sea level
    sky_geometry: vec4<f32>,
    // time, frame number, water level, exposure over the last frame's
    misc: vec4<f32>,
    // Albedo of the land around
    ground_albedo: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var sky_picture: texture_2d<f32>;
@group(0) @binding(2) var sky_sampler: sampler;
@group(0) @binding(3) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(4) var shadow_sampler: sampler_comparison;
// The sky's irradiance as spherical harmonics of degree 2, already convolved with the cosine.
@group(0) @binding(5) var<uniform> sky_harmonics: array<vec4<f32>, 9>;

const PI = 3.14159265358979;

fn saturate3(v: vec3<f32>) -> vec3<f32> {
    return clamp(v, vec3<f32>(0.0), vec3<f32>(1.0));
}

// The direction of the view through a pixel, with length 1 along the view axis.
fn view_ray(pixel: vec2<f32>) -> vec3<f32> {
    let clip = pixel * frame.viewport.zw * 2.0 - 1.0;
    return frame.camera_forward.xyz + frame.camera_right.xyz * clip.x - frame.camera_up.xyz * clip.y;
}

// Where a direction lies in the sky picture: azimuth from the sun on a square-root scale, so that texels are dense
// around it; height above and below the horizon each in its half, dense at the horizon (Hillaire 2020, section 5.3).
fn sky_coordinates(direction: vec3<f32>) -> vec2<f32> {
    let size = vec2<f32>(textureDimensions(sky_picture));
    let flat_direction = direction.xz / max(length(direction.xz), 1e-5);
    let flat_sun = frame.sun_direction.xz / max(length(frame.sun_direction.xz), 1e-5);
    let azimuth = acos(clamp(dot(flat_direction, flat_sun), -1.0, 1.0));
    let zenith = acos(clamp(direction.y, -1.0, 1.0));
    let rows = size.y * 0.5;
    var row: f32;
    if zenith < frame.sky_geometry.x {
        let along = 1.0 - sqrt(max(1.0 - zenith / frame.sky_geometry.x, 0.0));
        row = along * (rows - 1.0) + 0.5;
    } else {
        let along = sqrt(clamp((zenith - frame.sky_geometry.x) / frame.sky_geometry.y, 0.0, 1.0));
        row = rows + along * (rows - 1.0) + 0.5;
    }
    let column = sqrt(azimuth / PI) * (size.x - 1.0) + 0.5;
    return vec2<f32>(column, row) / size;
}

// Radiance of the sky without the sun's disc.
fn sky_radiance(direction: vec3<f32>) -> vec3<f32> {
    return textureSampleLevel(sky_picture, sky_sampler, sky_coordinates(direction), 0.0).rgb * frame.sky_light.rgb;
}

// Irradiance of sky and ground on a surface that faces `n` (Ramamoorthi and Hanrahan 2001).
fn sky_irradiance(n: vec3<f32>) -> vec3<f32> {
    var sum = sky_harmonics[0].rgb * 0.282095;
    sum += sky_harmonics[1].rgb * 0.488603 * n.y;
    sum += sky_harmonics[2].rgb * 0.488603 * n.z;
    sum += sky_harmonics[3].rgb * 0.488603 * n.x;
    sum += sky_harmonics[4].rgb * 1.092548 * n.x * n.y;
    sum += sky_harmonics[5].rgb * 1.092548 * n.y * n.z;
    sum += sky_harmonics[6].rgb * 0.315392 * (3.0 * n.y * n.y - 1.0);
    sum += sky_harmonics[7].rgb * 1.092548 * n.x * n.z;
    sum += sky_harmonics[8].rgb * 0.546274 * (n.x * n.x - n.z * n.z);
    return max(sum, vec3<f32>(0.0)) * frame.sky_light.rgb;
}

// Metres of sea-level air along a ray, for a density that falls off exponentially with height.
fn air_along(height: f32, rise: f32, distance: f32, scale_height: f32) -> f32 {
    let x = clamp(distance * rise / scale_height, -30.0, 80.0);
    var mean = 1.0 - 0.5 * x;
    if abs(x) > 1e-3 {
        mean = (1.0 - exp(-x)) / x;
    }
    return exp(-height / scale_height) * distance * mean;
}

struct Air {
    transmittance: vec3<f32>,
    // What the air adds where it hides everything.
    color: vec3<f32>,
}

// The air between the camera and a point. What it adds is the sky's own radiance in that direction, so that what is
// far away fades to exactly the sky behind it.
fn air_to(position: vec3<f32>) -> Air {
    let ray = position - frame.camera_position.xyz;
    let distance = min(length(ray), 4.0e5);
    let direction = ray / max(length(ray), 1e-4);
    let height = max(frame.camera_position.y - frame.sky_geometry.z, 0.0);
    let rayleigh = air_along(height, direction.y, distance, frame.fog_rayleigh.w);
    let mie = air_along(height, direction.y, distance, frame.fog_mie.w);
    let transmittance = exp(-(frame.fog_rayleigh.rgb * rayleigh + frame.fog_mie.rgb * mie));
    let upward = vec3<f32>(direction.x, max(direction.y, 0.0), direction.z);
    return Air(transmittance, sky_radiance(upward / max(length(upward), 1e-4)));
}

fn through_air(color: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let air = air_to(position);
    return color * air.transmittance + air.color * (1.0 - air.transmittance);
}

// Light left in one cascade: a 3 x 3 tent of bilinear comparisons.
fn cascade_light(cascade: u32, position: vec3<f32>, normal: vec3<f32>) -> f32 {
    let to_sun = frame.sun_direction.xyz;
    let facing = clamp(dot(normal, to_sun), 0.0, 1.0);
    let texel = frame.cascade_texel[cascade];
    // A point is tested a little outside its surface: farther where the sun grazes it.
    let lifted = position + normal * (texel * (0.6 + 1.6 * sqrt(1.0 - facing * facing))) + to_sun * (texel * 0.4);
    let clip = frame.shadow_from_world[cascade] * vec4<f32>(lifted, 1.0);
    let uv = clip.xy * vec2<f32>(0.5, -0.5) + 0.5;
    if any(uv < vec2<f32>(0.002)) || any(uv > vec2<f32>(0.998)) {
        return 1.0;
    }
    let step = 1.0 / f32(textureDimensions(shadow_maps).x);
    var light = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let weight = f32((2 - abs(x)) * (2 - abs(y))) / 16.0;
            let at = uv + vec2<f32>(f32(x), f32(y)) * step;
            light += weight * textureSampleCompareLevel(shadow_maps, shadow_sampler, at, cascade, clip.z);
        }
    }
    return light;
}

// How much of the sun reaches a point, 0 to 1. Neighbouring cascades fade into each other, the last one into light.
fn sun_visibility(position: vec3<f32>, normal: vec3<f32>) -> f32 {
    let depth = dot(position - frame.camera_position.xyz, frame.camera_forward.xyz);
    var cascade = 0u;
    while cascade < 3u && depth > frame.cascade_far[cascade] {
        cascade += 1u;
    }
    if cascade == 3u {
        return 1.0;
    }
    let far = frame.cascade_far[cascade];
    let blend = clamp((depth / far - 0.9) * 10.0, 0.0, 1.0);
    let near_light = cascade_light(cascade, position, normal);
    if blend == 0.0 {
        return near_light;
    }
    var far_light = 1.0;
    if cascade < 2u {
        far_light = cascade_light(cascade + 1u, position, normal);
    }
    return mix(near_light, far_light, blend);
}
