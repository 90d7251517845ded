// src[index[i]]; zeros where the index names no element.
fn element(i: u32, lane: u32) -> T {
    let source = index_at(i, 0u);
    if (source >= 0 && u32(source) < arrayLength(&src) / params.src_lanes) {
        return src[u32(source) * params.src_lanes + lane];
    }
    return T(0);
}
