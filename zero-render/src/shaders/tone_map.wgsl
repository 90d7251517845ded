// Scene light to what a screen shows: a film-like curve, then the output's encoding.
//
// The curve is AgX (T. Sobotka, 2022) in the polynomial form of B. Wrensch, "Minimal AgX Implementation" (2023): colours
// are drawn a little towards grey, taken to 16.5 stops of a logarithmic scale, bent by a sigmoid and drawn back out.

struct Tone {
    // Contrast, saturation, 1: encode sRGB here, size of the dither in steps of the output
    look: vec4<f32>,
}

@group(1) @binding(0) var<uniform> tone: Tone;
@group(1) @binding(1) var scene_color: texture_2d<f32>;

fn film(color: vec3<f32>) -> vec3<f32> {
    let inset = mat3x3<f32>(
        vec3<f32>(0.842479062, 0.042328242, 0.042375655),
        vec3<f32>(0.0784336, 0.878468636, 0.0784336),
        vec3<f32>(0.079223745, 0.079166127, 0.879142974),
    );
    let stops = log2(max(inset * max(color, vec3<f32>(0.0)), vec3<f32>(1e-10)));
    let x = clamp((stops + 12.47393) / 16.5, vec3<f32>(0.0), vec3<f32>(1.0));
    let x2 = x * x;
    let x4 = x2 * x2;
    let bent = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
    return max(bent, vec3<f32>(0.0));
}

// Contrast and saturation, on the curve's own scale.
fn look(color: vec3<f32>) -> vec3<f32> {
    let steeper = pow(color, vec3<f32>(tone.look.x));
    let grey = dot(steeper, vec3<f32>(0.2126, 0.7152, 0.0722));
    return max(grey + tone.look.y * (steeper - grey), vec3<f32>(0.0));
}

// Back from the curve to linear light of the screen.
fn screen(color: vec3<f32>) -> vec3<f32> {
    let outset = mat3x3<f32>(
        vec3<f32>(1.196879005, -0.052896852, -0.052971636),
        vec3<f32>(-0.098020881, 1.151903130, -0.098043450),
        vec3<f32>(-0.099029744, -0.098961177, 1.151073673),
    );
    return pow(clamp(outset * color, vec3<f32>(0.0), vec3<f32>(1.0)), vec3<f32>(2.2));
}

// IEC 61966-2-1, both ways.
fn encode(color: vec3<f32>) -> vec3<f32> {
    return select(1.055 * pow(color, vec3<f32>(1.0 / 2.4)) - 0.055, color * 12.92, color <= vec3<f32>(0.0031308));
}

fn decode(color: vec3<f32>) -> vec3<f32> {
    return select(pow((color + 0.055) / 1.055, vec3<f32>(2.4)), color / 12.92, color <= vec3<f32>(0.04045));
}

// Even noise of each pixel's own, the same in every frame.
fn pixel_noise(pixel: vec2<u32>, lane: u32) -> f32 {
    var h = pixel.x * 0x8da6b343u ^ pixel.y * 0xd8163841u ^ lane * 0xcb1ab31fu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

// Triangular noise of one step either way hides the borders between the steps.
fn dither(pixel: vec2<u32>) -> vec3<f32> {
    var noise: vec3<f32>;
    for (var lane = 0u; lane < 3u; lane++) {
        noise[lane] = pixel_noise(pixel, lane) + pixel_noise(pixel, lane + 3u) - 1.0;
    }
    return noise * tone.look.w;
}

@fragment
fn fs_tone_map(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let light = textureLoad(scene_color, vec2<i32>(at.xy), 0).rgb;
    let encoded = encode(screen(look(film(light))));
    let dithered = saturate3(encoded + dither(vec2<u32>(at.xy)));
    if tone.look.z > 0.5 {
        return vec4<f32>(dithered, 1.0);
    }
    return vec4<f32>(decode(dithered), 1.0);
}
