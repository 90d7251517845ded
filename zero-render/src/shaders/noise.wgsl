// Value noise with its gradient, for looks only: nothing is decided by it.

fn lattice(p: vec3<i32>) -> f32 {
    var h = u32(p.x) * 0x8da6b343u ^ u32(p.y) * 0xd8163841u ^ u32(p.z) * 0xcb1ab31fu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    h ^= h >> 15u;
    return f32(h >> 8u) * (2.0 / 16777216.0) - 1.0;
}

// The value, -1 to 1, in w and the gradient in xyz; quintic in each cell, so that the gradient has no creases.
fn value_noise(p: vec3<f32>) -> vec4<f32> {
    let cell = floor(p);
    let i = vec3<i32>(cell);
    let f = p - cell;
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let a = lattice(i);
    let b = lattice(i + vec3<i32>(1, 0, 0));
    let c = lattice(i + vec3<i32>(0, 1, 0));
    let d = lattice(i + vec3<i32>(1, 1, 0));
    let e = lattice(i + vec3<i32>(0, 0, 1));
    let g = lattice(i + vec3<i32>(1, 0, 1));
    let h = lattice(i + vec3<i32>(0, 1, 1));
    let j = lattice(i + vec3<i32>(1, 1, 1));
    let near_x = vec4<f32>(a, c, e, h);
    let slope_x = vec4<f32>(b, d, g, j) - near_x;
    let along_x = near_x + slope_x * u.x;
    let near_y = along_x.xz;
    let slope_y = along_x.yw - near_y;
    let along_y = near_y + slope_y * u.y;
    let slope_z = along_y.y - along_y.x;
    let x_slopes = mix(slope_x.xz, slope_x.yw, u.y);
    let gradient = vec3<f32>(mix(x_slopes.x, x_slopes.y, u.z), mix(slope_y.x, slope_y.y, u.z), slope_z) * du;
    return vec4<f32>(gradient, along_y.x + slope_z * u.z);
}

// How much of a wave of this length a pixel of this size can show: all from 4.5 pixels on, nothing under 1.5.
fn resolved(wavelength: f32, pixel: f32) -> f32 {
    return clamp((wavelength / pixel - 1.5) / 3.0, 0.0, 1.0);
}

// Six octaves from `size` metres down to a 500th of it, without those that the pixel is too coarse for. w is the value
// (about -1 to 1); xyz the gradient a metre of a relief that is `size` long and 1 high.
fn patches(position: vec3<f32>, size: f32, pixel: f32) -> vec4<f32> {
    var sum = vec4<f32>(0.0);
    var wavelength = size;
    var amplitude = 0.6;
    for (var octave = 0; octave < 6; octave++) {
        let shown = resolved(wavelength, pixel);
        if shown == 0.0 {
            break;
        }
        let n = value_noise(position / wavelength + f32(octave) * 17.3);
        sum += vec4<f32>(n.xyz / wavelength, n.w) * (amplitude * shown);
        wavelength *= 0.29;
        amplitude *= 0.5;
    }
    return sum;
}
