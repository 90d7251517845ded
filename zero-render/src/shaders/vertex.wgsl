// A mesh's vertex and the instance it belongs to.

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) color: vec4<f32>,
    @location(4) masks: vec2<f32>,
}

struct Placement {
    @location(5) row_x: vec4<f32>,
    @location(6) row_y: vec4<f32>,
    @location(7) row_z: vec4<f32>,
    @location(8) tint: vec4<f32>,
}

fn placed(position: vec3<f32>, placement: Placement) -> vec3<f32> {
    let p = vec4<f32>(position, 1.0);
    return vec3<f32>(dot(placement.row_x, p), dot(placement.row_y, p), dot(placement.row_z, p));
}

// Normals turn by the cofactors, so that they stay square to a surface that is stretched.
fn placed_normal(normal: vec3<f32>, placement: Placement) -> vec3<f32> {
    let x = placement.row_x.xyz;
    let y = placement.row_y.xyz;
    let z = placement.row_z.xyz;
    return normalize(vec3<f32>(dot(cross(y, z), normal), dot(cross(z, x), normal), dot(cross(x, y), normal)));
}
