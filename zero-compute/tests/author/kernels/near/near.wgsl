#include "@builtin::systems.procgen.grid"

fn point(i: u32) -> vec3<f32> {
    return vec3<f32>(points[i * 3u], points[i * 3u + 1u], points[i * 3u + 2u]);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    let c = zero_grid_cell(point(i));
    var found = 0u;
    for (var dz = -1; dz <= 1; dz = dz + 1) {
        for (var dy = -1; dy <= 1; dy = dy + 1) {
            for (var dx = -1; dx <= 1; dx = dx + 1) {
                let cc = c + vec3<i32>(dx, dy, dz);
                let span = zero_grid_range(cc);
                for (var s = span.x; s < span.y; s = s + 1u) {
                    let j = gorder[s];
                    if (j != i && all(zero_grid_cell(point(j)) == cc)) {
                        found = found + 1u;
                    }
                }
            }
        }
    }
    buckets[i] = zero_grid_bucket(c);
    around[i] = found;
}
