// The air as a medium: densities, phase functions and rays (S. Hillaire, EGSR 2020). Kilometres throughout.

struct Air {
    // Scattering a kilometre at sea level, w: scale height
    rayleigh: vec4<f32>,
    // Scattering, w: scale height
    mie: vec4<f32>,
    // Extinction, w: asymmetry of the phase function
    mie_extinction: vec4<f32>,
    // Absorption
    ozone: vec4<f32>,
    // Albedo of the ground, w: the planet's radius
    ground: vec4<f32>,
    // Radius of the top, of the camera, cosine of the sun's angle from the zenith
    geometry: vec4<f32>,
    // Towards the sun
    sun: vec4<f32>,
}

@group(0) @binding(0) var<uniform> air: Air;

const PI = 3.14159265358979;

struct Medium {
    rayleigh: vec3<f32>,
    mie: vec3<f32>,
    extinction: vec3<f32>,
}

fn medium_at(radius: f32) -> Medium {
    let height = max(radius - air.ground.w, 0.0);
    let rayleigh = air.rayleigh.rgb * exp(-height / air.rayleigh.w);
    let haze = exp(-height / air.mie.w);
    let ozone = air.ozone.rgb * max(1.0 - abs(height - 25.0) / 15.0, 0.0);
    return Medium(rayleigh, air.mie.rgb * haze, rayleigh + air.mie_extinction.rgb * haze + ozone);
}

// Distance to the nearest crossing of a sphere ahead, or -1.
fn to_sphere(position: vec3<f32>, direction: vec3<f32>, radius: f32) -> f32 {
    let b = dot(position, direction);
    let c = dot(position, position) - radius * radius;
    let d = b * b - c;
    if d < 0.0 {
        return -1.0;
    }
    let root = sqrt(d);
    if -b - root > 0.0 {
        return -b - root;
    }
    if -b + root > 0.0 {
        return -b + root;
    }
    return -1.0;
}

fn rayleigh_phase(cosine: f32) -> f32 {
    return 3.0 / (16.0 * PI) * (1.0 + cosine * cosine);
}

// Cornette and Shanks 1992.
fn mie_phase(cosine: f32) -> f32 {
    let g = air.mie_extinction.w;
    let scale = 3.0 / (8.0 * PI) * (1.0 - g * g) / (2.0 + g * g);
    return scale * (1.0 + cosine * cosine) / pow(1.0 + g * g - 2.0 * g * cosine, 1.5);
}

// Coordinates of the transmittance picture (E. Bruneton 2017): by distance to the top of the air and by height.
fn transmittance_coordinates(radius: f32, cosine: f32) -> vec2<f32> {
    let ground = air.ground.w;
    let top = air.geometry.x;
    let widest = sqrt(top * top - ground * ground);
    let across = sqrt(max(radius * radius - ground * ground, 0.0));
    let discriminant = radius * radius * (cosine * cosine - 1.0) + top * top;
    let distance = max(sqrt(max(discriminant, 0.0)) - radius * cosine, 0.0);
    let least = top - radius;
    let most = across + widest;
    return vec2<f32>((distance - least) / (most - least), across / widest);
}
