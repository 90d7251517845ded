// Adds units that were gathered to the float that stands. The two halves of the integer are exact floats and their sum is
// rounded once. Whoever includes it says where the units are, and what is left of them there (`take`).
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_n()) {
        return;
    }
    for (var lane = 0u; lane < params.dst_lanes; lane += 1u) {
        let at = i * params.dst_lanes + lane;
        let units = take(at);
        if (units != 0) {
            let low = units & 255;
            dst[at] += (f32(units - low) + f32(low)) * params.unit;
        }
    }
}
