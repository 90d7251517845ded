// Vectors whose operations no driver joins.
// @use zero_noise

fn kept(v: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(zn_keep(v.x), zn_keep(v.y), zn_keep(v.z));
}

fn times(v: vec3<f32>, by: f32) -> vec3<f32> {
    return vec3<f32>(zn_mul(v.x, by), zn_mul(v.y, by), zn_mul(v.z, by));
}

fn dotted(a: vec3<f32>, b: vec3<f32>) -> f32 {
    return zn_keep(zn_keep(zn_mul(a.x, b.x) + zn_mul(a.y, b.y)) + zn_mul(a.z, b.z));
}
