// Balls around points; void where a number is too far or none, or the radius is below 0.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    var centre = vec3<f32>(0.0);
    var radius = 0.0;
    var box = ZeroBox(centre, centre);
    if (i < zero_live()) {
        let at = i * params.points_lanes;
        centre = vec3<f32>(points[at], points[at + 1u], points[at + 2u]);
        radius = params.radius;
        if (params.points_lanes == 4u) {
            radius = points[at + 3u];
        }
        let is_near = zero_all_near(centre) && zero_is_near(radius);
        radius = zn_clean(radius);
        if (is_near && radius >= 0.0) {
            centre = zero_clean(centre);
            box = ZeroBox(kept(centre - vec3<f32>(radius)), kept(centre + vec3<f32>(radius)));
        } else {
            centre = vec3<f32>(ZERO_VOID);
            radius = 0.0;
            box = zero_empty_box();
        }
    }
    for (var k = 0u; k < 3u; k += 1u) {
        shapes[i * 4u + k] = centre[k];
        lows[i * 3u + k] = box.low[k];
        highs[i * 3u + k] = box.high[k];
    }
    shapes[i * 4u + 3u] = radius;
}
