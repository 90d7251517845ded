// A flat body of water: ripples, the sky and what stands around mirrored in it, and the ground seen through it.

struct Water {
    // Absorption a metre, w: level
    absorption: vec4<f32>,
    // Colour of deep water, w: steepness of the ripples
    scatter: vec4<f32>,
    // Length of the largest ripples, rings, sectors, distance of the outermost ring
    shape: vec4<f32>,
}

@group(1) @binding(0) var<uniform> water: Water;
@group(1) @binding(1) var depth_picture: texture_2d<f32>;
@group(1) @binding(2) var color_picture: texture_2d<f32>;

// Rings around the camera that grow with distance, so that every triangle is small in the picture and its depth exact.
@vertex
fn vs_water(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let sectors = u32(water.shape.z);
    let quad = index / 6u;
    let corner = array<u32, 6>(0u, 1u, 2u, 2u, 1u, 3u)[index % 6u];
    let ring = quad / sectors + (corner >> 1u);
    let sector = quad % sectors + (corner & 1u);
    let angle = f32(sector % sectors) * (2.0 * PI) / f32(sectors);
    var radius = 0.0;
    if ring > 0u {
        radius = pow(water.shape.w, f32(ring - 1u) / (water.shape.y - 1.0));
    }
    let centre = frame.camera_position.xz;
    let at = vec3<f32>(centre.x + radius * cos(angle), water.absorption.w, centre.y + radius * sin(angle));
    return frame.clip_from_world * vec4<f32>(at, 1.0);
}

fn depth_at(pixel: vec2<f32>) -> f32 {
    return textureLoad(depth_picture, vec2<i32>(clamp(pixel, vec2<f32>(0.0), frame.viewport.xy - 1.0)), 0).r;
}

// What stands at a pixel, in the world; very far where nothing does.
fn position_at(pixel: vec2<f32>) -> vec3<f32> {
    let depth = max(depth_at(pixel), frame.camera_position.w * 1e-6);
    return frame.camera_position.xyz + view_ray(pixel) * (frame.camera_position.w / depth);
}

// xy: slope of the ripples along x and z; z: variance of the slope that is too fine for the pixel.
fn ripples(at: vec2<f32>, pixel: f32) -> vec3<f32> {
    var slope = vec2<f32>(0.0);
    var hidden = 0.0;
    var wavelength = water.shape.x;
    for (var octave = 0; octave < 5; octave++) {
        let steepness = water.scatter.w * 0.11;
        let turn = f32(octave) * 2.1;
        let axis = vec2<f32>(cos(turn), sin(turn));
        let across = vec2<f32>(-axis.y, axis.x);
        // Waves of this length travel at sqrt(g L / 2 pi); crests are longer than they are wide.
        let shift = frame.misc.x * sqrt(1.56 * wavelength);
        let p = vec3<f32>((dot(at, axis) - shift) / wavelength, dot(at, across) / wavelength * 0.6, frame.misc.x * 0.3 + turn);
        let shown = resolved(wavelength, pixel);
        if shown > 0.0 {
            let gradient = value_noise(p).xy * vec2<f32>(1.0, 0.6);
            slope += (axis * gradient.x + across * gradient.y) * (steepness * shown);
        }
        hidden += steepness * steepness * (1.0 - shown * shown) * 0.5;
        wavelength *= 0.43;
    }
    return vec3<f32>(slope, hidden);
}

// How far beside the picture the outermost column stands for what is there, in widths of the picture.
const MARGIN = 0.12;

// How thick what the picture shows is taken to be, this far along a ray: at least as much as a step of it.
fn thickness(along: f32) -> f32 {
    return 4.0 + 0.3 * along;
}

// Where the mirrored ray meets something that the picture shows: its light and how far to trust it.
fn mirrored_scene(origin: vec3<f32>, direction: vec3<f32>) -> vec4<f32> {
    var last = 0.0;
    var t = 2.0;
    for (var i = 0; i < 40; i++) {
        let here = origin + direction * t;
        let clip = frame.clip_from_world * vec4<f32>(here, 1.0);
        if clip.w < frame.camera_position.w {
            break;
        }
        let uv = clip.xy / clip.w * vec2<f32>(0.5, -0.5) + 0.5;
        if uv.y < 0.0 || uv.y > 1.0 || abs(uv.x - 0.5) > 0.5 + MARGIN {
            break;
        }
        // `depth_at` holds on to the outermost column for what lies a little beside the picture. What the ray passes far
        // behind does not stop it.
        let behind = clip.w - frame.camera_position.w / max(depth_at(uv * frame.viewport.xy), 1e-9);
        if behind > 0.0 && behind < thickness(t) {
            return mirrored_hit(origin, direction, last, t);
        }
        last = t;
        t *= 1.22;
    }
    return vec4<f32>(0.0);
}

// Halves the step in which the ray went behind something, then asks whether it is really there.
fn mirrored_hit(origin: vec3<f32>, direction: vec3<f32>, before: f32, after: f32) -> vec4<f32> {
    var low = before;
    var high = after;
    var pixel = vec2<f32>(0.0);
    var behind = 0.0;
    for (var i = 0; i < 7; i++) {
        let middle = 0.5 * (low + high);
        let clip = frame.clip_from_world * vec4<f32>(origin + direction * middle, 1.0);
        pixel = (clip.xy / clip.w * vec2<f32>(0.5, -0.5) + 0.5) * frame.viewport.xy;
        let surface = frame.camera_position.w / max(depth_at(pixel), 1e-9);
        behind = clip.w - surface;
        if behind > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let found = position_at(pixel);
    // Only what rises above the water may be mirrored in it.
    let above = smoothstep(0.0, 0.5, found.y - origin.y);
    let beside = max(abs(pixel.x * frame.viewport.z - 0.5) - 0.5, 0.0) / MARGIN;
    let inside = (1.0 - smoothstep(0.3, 1.0, beside)) * smoothstep(0.0, 0.06, pixel.y * frame.viewport.w);
    let trust = above * inside * (1.0 - smoothstep(0.5, 1.0, abs(behind) / thickness(high)));
    let shown = clamp(pixel, vec2<f32>(0.0), frame.viewport.xy - 1.0);
    return vec4<f32>(textureLoad(color_picture, vec2<i32>(shown), 0).rgb, trust);
}

// The sun in the ripples: GGX over the slopes, those that are too fine to see included.
fn glint(normal: vec3<f32>, to_eye: vec3<f32>, variance: f32) -> f32 {
    let to_sun = frame.sun_direction.xyz;
    let half_way = normalize(to_eye + to_sun);
    let n_h = clamp(dot(normal, half_way), 0.0, 1.0);
    let n_l = clamp(dot(normal, to_sun), 0.0, 1.0);
    let n_v = clamp(dot(normal, to_eye), 0.02, 1.0);
    let alpha2 = 0.0009 + 2.0 * variance;
    let spread = n_h * n_h * (alpha2 - 1.0) + 1.0;
    let distribution = alpha2 / (PI * spread * spread);
    let alpha = sqrt(alpha2);
    let visibility = 0.5 / mix(2.0 * n_l * n_v, n_l + n_v, alpha);
    let fresnel = 0.02 + 0.98 * pow(1.0 - clamp(dot(to_eye, half_way), 0.0, 1.0), 5.0);
    return min(distribution * visibility * fresnel * n_l, 200.0);
}

struct Below {
    color: vec3<f32>,
    // Light left of what the ground sends up
    left: vec3<f32>,
    // Vertical depth
    depth: f32,
}

// The ground through the surface, bent a little by the ripples where it is deep enough to tell.
fn below_surface(at: vec2<f32>, position: vec3<f32>, slope: vec2<f32>, distance: f32) -> Below {
    var pixel = at;
    var ground = position_at(pixel);
    let straight = max(position.y - ground.y, 0.0);
    let bent = at + slope * vec2<f32>(0.5, 1.0) * min(straight, 3.0) / max(distance * frame.camera_forward.w, 1e-4) * 0.4;
    let bent_ground = position_at(bent);
    if bent_ground.y < position.y {
        pixel = clamp(bent, vec2<f32>(0.0), frame.viewport.xy - 1.0);
        ground = bent_ground;
    }
    let depth = max(position.y - ground.y, 0.0);
    // Sunlight comes down and what the ground sends back goes up, at the slant that refraction leaves.
    let path = min(length(position - ground), 1.5 * depth) + 1.1 * depth;
    let left = exp(-water.absorption.rgb * path);
    return Below(textureLoad(color_picture, vec2<i32>(pixel), 0).rgb, left, straight);
}

@fragment
fn fs_water(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let ray = view_ray(at.xy);
    // From the plane, not from the depth: exact, and the horizon stays a line.
    let along = (water.absorption.w - frame.camera_position.y) / min(ray.y, -1e-7);
    let position = vec3<f32>(frame.camera_position.xz + ray.xz * along, water.absorption.w).xzy;
    let distance = length(ray) * along;
    let to_eye = -normalize(ray);
    let pixel = distance * frame.camera_forward.w / clamp(to_eye.y, 0.08, 1.0);
    let ripple = ripples(position.xz, pixel);
    let normal = normalize(vec3<f32>(-ripple.x, 1.0, -ripple.y));

    let below = below_surface(at.xy, position, ripple.xy, distance);
    // Unseen ripples tilt towards the eye: the mean reflectance of rough water at a slant is well under Fresnel's.
    let n_v = clamp(dot(normal, to_eye), 0.0, 1.0);
    let rough = sqrt(ripple.z);
    let fresnel = 0.02 + 0.98 * pow(1.0 - n_v, 5.0) / (1.0 + 9.0 * rough);
    // A film at the shore neither mirrors nor hides anything.
    let film = smoothstep(0.0, 0.35, below.depth);

    var mirror_direction = reflect(-to_eye, normal);
    mirror_direction.y = abs(mirror_direction.y) + rough * 0.25;
    mirror_direction = normalize(mirror_direction);
    var mirrored = sky_radiance(mirror_direction);
    let scene = mirrored_scene(position, mirror_direction);
    mirrored = mix(mirrored, scene.rgb, scene.a);
    let visible = sun_visibility(position, vec3<f32>(0.0, 1.0, 0.0));
    let sunlight = frame.sun_light.rgb * visible;
    let falling = sunlight * max(frame.sun_direction.y, 0.0) + sky_irradiance(vec3<f32>(0.0, 1.0, 0.0));
    let deep = water.scatter.rgb * falling / PI * (1.0 - below.left);

    let mirror_weight = fresnel * film;
    var own = mirrored * mirror_weight + deep * (1.0 - mirror_weight);
    own += sunlight * (glint(normal, to_eye, ripple.z) * film);
    // The ground's light already came through the air; the surface's own has yet to.
    let kept = below.left * (1.0 - mirror_weight);
    let air = air_to(position);
    let color = own * air.transmittance + air.color * (1.0 - air.transmittance) * (1.0 - kept) + below.color * kept;
    return vec4<f32>(min(color, vec3<f32>(60000.0)), 1.0);
}
