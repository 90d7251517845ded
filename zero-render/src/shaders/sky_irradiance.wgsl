// The sky picture as nine spherical harmonics of its irradiance, with the lit ground below the horizon. One workgroup.

@group(0) @binding(6) var<storage, read_write> harmonics: array<vec4<f32>, 9>;

const LANES = 64u;
// Directions a lane: a spherical Fibonacci lattice of 4096 in all.
const EACH = 64u;

var<workgroup> sums: array<array<vec3<f32>, 9>, 64>;
var<workgroup> ground: vec3<f32>;

fn lattice_direction(i: u32) -> vec3<f32> {
    let y = 1.0 - (2.0 * f32(i) + 1.0) / f32(LANES * EACH);
    let turn = 2.3999632 * f32(i);
    let flat_length = sqrt(max(1.0 - y * y, 0.0));
    return vec3<f32>(cos(turn) * flat_length, y, sin(turn) * flat_length);
}

fn sky_at(direction: vec3<f32>) -> vec3<f32> {
    return textureSampleLevel(sky_picture, sky_sampler, sky_coordinates(direction), 0.0).rgb;
}

fn project(lane: u32, below: vec3<f32>, solid_angle: f32) {
    var own = array<vec3<f32>, 9>();
    for (var k = 0u; k < EACH; k++) {
        let d = lattice_direction(k * LANES + lane);
        var light = below;
        if d.y > 0.0 {
            light = sky_at(d);
        }
        light *= solid_angle;
        own[0] += light * 0.282095;
        own[1] += light * (0.488603 * d.y);
        own[2] += light * (0.488603 * d.z);
        own[3] += light * (0.488603 * d.x);
        own[4] += light * (1.092548 * d.x * d.y);
        own[5] += light * (1.092548 * d.y * d.z);
        own[6] += light * (0.315392 * (3.0 * d.y * d.y - 1.0));
        own[7] += light * (1.092548 * d.x * d.z);
        own[8] += light * (0.546274 * (d.x * d.x - d.z * d.z));
    }
    for (var i = 0u; i < 9u; i++) {
        sums[lane][i] = own[i];
    }
}

@compute @workgroup_size(64)
fn cs_irradiance(@builtin(local_invocation_index) lane: u32) {
    let solid_angle = 4.0 * PI / f32(LANES * EACH);
    // What falls on the ground, and so what it sends back.
    var falling = vec3<f32>(0.0);
    for (var k = 0u; k < EACH; k++) {
        let direction = lattice_direction(k * LANES + lane);
        if direction.y > 0.0 {
            falling += sky_at(direction) * direction.y * solid_angle;
        }
    }
    sums[lane][0] = falling;
    workgroupBarrier();
    if lane == 0u {
        var total = vec3<f32>(0.0);
        for (var i = 0u; i < LANES; i++) {
            total += sums[i][0];
        }
        let sunlight = frame.sun_light.rgb / max(frame.sun_light.w, 1e-12) * max(frame.sun_direction.y, 0.0);
        ground = (total + sunlight) * frame.ground_albedo.rgb / PI;
    }
    workgroupBarrier();
    let below = ground;
    workgroupBarrier();
    project(lane, below, solid_angle);
    workgroupBarrier();
    if lane < 9u {
        var total = vec3<f32>(0.0);
        for (var i = 0u; i < LANES; i++) {
            total += sums[i][lane];
        }
        // The cosine's own harmonics: pi, 2 pi / 3, pi / 4.
        var factor = PI;
        if lane > 0u {
            factor = 2.0 * PI / 3.0;
        }
        if lane > 3u {
            factor = PI / 4.0;
        }
        harmonics[lane] = vec4<f32>(total * factor, 0.0);
    }
}
