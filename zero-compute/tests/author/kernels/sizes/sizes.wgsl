@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>) {
    if (gid.x == 0u) {
        three[0] = arrayLength(&three);
        alike[0] = arrayLength(&alike);
        groups[0] = arrayLength(&groups);
        fixed[0] = arrayLength(&fixed);
        total_long[0] = arrayLength(&total_long);
        times[0] = arrayLength(&times) + arrayLength(&src);
    }
}
