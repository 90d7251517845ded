// The winner of each place is the last source element that names it, held as its number plus one.
@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if (i >= zero_live()) {
        return;
    }
    let to = index[i];
    if (to >= 0 && u32(to) < arrayLength(&winner)) {
        atomicMax(&winner[u32(to)], i + 1u);
    }
}
