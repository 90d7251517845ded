// Sunlight inside the air.

@group(0) @binding(1) var air_sampler: sampler;
@group(0) @binding(2) var transmittance_picture: texture_2d<f32>;

fn sunlight_at(position: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
    let radius = length(position);
    let cosine = dot(position, sun) / radius;
    let uv = transmittance_coordinates(radius, cosine);
    let inner = (uv * vec2<f32>(255.0, 63.0) + 0.5) / vec2<f32>(256.0, 64.0);
    let light = textureSampleLevel(transmittance_picture, air_sampler, inner, 0.0).rgb;
    // The planet's edge hides the sun over the width of its disc.
    let horizon = -sqrt(max(1.0 - air.ground.w * air.ground.w / (radius * radius), 0.0));
    return light * smoothstep(horizon - 0.005, horizon + 0.005, cosine);
}
