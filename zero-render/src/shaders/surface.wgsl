// Opaque surfaces: plain ones and layered terrain, lit by the sun, the sky and what `reflection` holds.

struct Layer {
    // Albedo of light patches, roughness
    light: vec4<f32>,
    // Albedo of dark patches, patch size
    dark: vec4<f32>,
    // First mask from, to; second mask from, to
    cover: vec4<f32>,
    // Relief, strata, raggedness
    detail: vec4<f32>,
}

struct Material {
    // Layers (0: plain), translucency, variation, variation size
    kind: vec4<f32>,
    // Albedo, roughness
    base: vec4<f32>,
    // Reflectance
    extra: vec4<f32>,
    layers: array<Layer, 5>,
}

@group(1) @binding(0) var<uniform> material: Material;
@group(2) @binding(0) var reflection: texture_2d<f32>;

struct Varying {
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) masks: vec2<f32>,
}

struct Surface {
    albedo: vec3<f32>,
    roughness: f32,
    normal: vec3<f32>,
}

struct Shaded {
    @location(0) color: vec4<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) material: vec4<f32>,
}

@vertex
fn vs_surface(vertex: Vertex, placement: Placement) -> Varying {
    let position = placed(vertex.position, placement);
    var out: Varying;
    out.clip = frame.clip_from_world * vec4<f32>(position, 1.0);
    out.position = position;
    out.normal = placed_normal(vertex.normal.xyz, placement);
    // Colours travel on a square-root scale.
    out.color = vec4<f32>(vertex.color.rgb * vertex.color.rgb * placement.tint.rgb * placement.tint.rgb, vertex.color.a);
    out.masks = vertex.masks;
    return out;
}

fn bump(normal: vec3<f32>, gradient: vec3<f32>) -> vec3<f32> {
    return normalize(normal - (gradient - normal * dot(gradient, normal)));
}

fn plain_surface(in: Varying, normal: vec3<f32>, pixel: f32) -> Surface {
    var albedo = material.base.rgb * in.color.rgb;
    if material.kind.z > 0.0 {
        albedo *= 1.0 + material.kind.z * patches(in.position, material.kind.w, pixel).w;
    }
    return Surface(albedo, material.base.w, normal);
}

// Layers are laid over each other as shading inputs, and what comes out is shaded once.
fn terrain_surface(in: Varying, normal: vec3<f32>, pixel: f32) -> Surface {
    var albedo = vec3<f32>(0.0);
    var roughness = 1.0;
    var gradient = vec3<f32>(0.0);
    // One slow noise moves every border, another shifts the tone of whole hillsides.
    let border = patches(in.position + 331.0, 37.0, pixel).w;
    let hillside = value_noise(in.position / 340.0).w;
    for (var i = 0; i < i32(material.kind.x); i++) {
        let layer = material.layers[i];
        let masks = in.masks + vec2<f32>(border, -border) * layer.detail.z;
        var cover = smoothstep(0.0, 1.0, clamp((masks.x - layer.cover.x) / (layer.cover.y - layer.cover.x), 0.0, 1.0));
        cover *= smoothstep(0.0, 1.0, clamp((masks.y - layer.cover.z) / (layer.cover.w - layer.cover.z), 0.0, 1.0));
        if i == 0 {
            cover = 1.0;
        }
        if cover < 0.004 {
            continue;
        }
        let noise = patches(in.position + f32(i) * 57.0, layer.dark.w, pixel);
        var tone = 0.5 + 0.75 * noise.w + 0.25 * hillside;
        if layer.detail.y > 0.0 {
            // Beds a few metres thick, bent by the noise.
            let beds = value_noise(vec3<f32>(hillside * 2.0, (in.position.y + 5.0 * noise.w) / 7.0, 0.5)).w;
            tone += layer.detail.y * 0.6 * beds * resolved(7.0, pixel);
        }
        albedo = mix(albedo, mix(layer.dark.rgb, layer.light.rgb, clamp(tone, 0.0, 1.0)), cover);
        roughness = mix(roughness, layer.light.w, cover);
        gradient = mix(gradient, noise.xyz * layer.detail.x, cover);
    }
    return Surface(albedo * in.color.rgb, roughness, bump(normal, gradient));
}

// Cook-Torrance with the GGX distribution and Hammon's joint visibility (GDC 2017), times the cosine.
fn sun_specular(normal: vec3<f32>, to_eye: vec3<f32>, to_sun: vec3<f32>, roughness: f32, reflectance: f32) -> f32 {
    let half_way = normalize(to_eye + to_sun);
    let n_h = clamp(dot(normal, half_way), 0.0, 1.0);
    let n_l = clamp(dot(normal, to_sun), 0.0, 1.0);
    let n_v = clamp(abs(dot(normal, to_eye)), 1e-3, 1.0);
    let alpha = max(roughness * roughness, 0.002);
    let spread = n_h * n_h * (alpha * alpha - 1.0) + 1.0;
    let distribution = alpha * alpha / (PI * spread * spread);
    let visibility = 0.5 / mix(2.0 * n_l * n_v, n_l + n_v, alpha);
    let fresnel = reflectance + (1.0 - reflectance) * pow(1.0 - clamp(dot(to_eye, half_way), 0.0, 1.0), 5.0);
    return min(distribution * visibility * fresnel, 64.0) * n_l;
}

// What a rough surface mirrors of its surroundings: the sky picture blurred towards the irradiance, unless the
// reflection channel knows better. The weight is Karis' fit for the environment term (SIGGRAPH 2013 course notes, as
// published for mobile in 2014).
fn environment(surface: Surface, to_eye: vec3<f32>, pixel: vec2<i32>, open: f32) -> vec3<f32> {
    let n_v = clamp(dot(surface.normal, to_eye), 0.0, 1.0);
    let r = surface.roughness * vec4<f32>(-1.0, -0.0275, -0.572, 0.022) + vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_v)) * r.x + r.y;
    let weight = material.extra.x * (r.z - 1.04 * a) + max(r.w + 1.04 * a, 0.0);
    let mirrored = reflect(-to_eye, surface.normal);
    let blurred = sky_irradiance(mirrored) / PI;
    let sharp = sky_radiance(vec3<f32>(mirrored.x, max(mirrored.y, 0.0), mirrored.z));
    let sky = mix(sharp, blurred, clamp(surface.roughness * 1.4, 0.0, 1.0)) * open;
    let traced = textureLoad(reflection, min(pixel, vec2<i32>(textureDimensions(reflection)) - 1), 0);
    return mix(sky, traced.rgb, clamp(traced.a, 0.0, 1.0)) * weight;
}

@fragment
fn fs_surface(in: Varying) -> Shaded {
    let ray = frame.camera_position.xyz - in.position;
    let distance = length(ray);
    let to_eye = ray / max(distance, 1e-4);
    let to_sun = frame.sun_direction.xyz;
    let geometric = normalize(in.normal);
    // A pixel covers more of a surface that it sees at a slant.
    let pixel = distance * frame.camera_forward.w / clamp(abs(dot(geometric, to_eye)), 0.2, 1.0);
    var surface: Surface;
    if material.kind.x > 0.0 {
        surface = terrain_surface(in, geometric, pixel);
    } else {
        surface = plain_surface(in, geometric, pixel);
    }
    // Ground that water has just left is darker.
    let wet = 1.0 - smoothstep(0.1, 1.2, in.position.y - frame.misc.z);
    surface.albedo = saturate3(surface.albedo) * mix(1.0, 0.6, wet);

    let translucency = material.kind.y;
    let visible = sun_visibility(in.position, geometric);
    let n_l = dot(surface.normal, to_sun);
    let wrapped = clamp((n_l + 0.5 * translucency) / (1.0 + 0.5 * translucency), 0.0, 1.0);
    let through = translucency * 0.35 * clamp(-n_l, 0.0, 1.0) * pow(clamp(-dot(to_eye, to_sun), 0.0, 1.0), 2.0);
    let open = in.color.a;
    let ambient = sky_irradiance(surface.normal) * open;
    var color = surface.albedo / PI * (frame.sun_light.rgb * visible * (wrapped + through) + ambient);
    color += frame.sun_light.rgb * (visible * sun_specular(surface.normal, to_eye, to_sun, surface.roughness, material.extra.x));
    color += environment(surface, to_eye, vec2<i32>(in.clip.xy), open);

    var out: Shaded;
    out.color = vec4<f32>(min(through_air(color, in.position), vec3<f32>(60000.0)), 1.0);
    out.normal = vec4<f32>(surface.normal, 1.0);
    out.material = vec4<f32>(surface.roughness, open, material.extra.x, 0.0);
    return out;
}
