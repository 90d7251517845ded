// Scoped hashing; the twin of hash.rs.

fn zn_fold_u32(state: u32, value: u32) -> u32 {
    var h = (state ^ (value & 0xffu)) * ZN_FNV_PRIME;
    h = (h ^ ((value >> 8u) & 0xffu)) * ZN_FNV_PRIME;
    h = (h ^ ((value >> 16u) & 0xffu)) * ZN_FNV_PRIME;
    return (h ^ (value >> 24u)) * ZN_FNV_PRIME;
}

fn zn_finish(state: u32) -> u32 {
    var h = (state ^ (state >> 16u)) * ZN_MURMUR_1;
    h = (h ^ (h >> 13u)) * ZN_MURMUR_2;
    return h ^ (h >> 16u);
}

fn zn_unit(hash: u32) -> f32 {
    return f32(hash >> 8u) * ZN_UNIT;
}

fn zn_draw(state: u32, element: u32) -> f32 {
    return zn_unit(zn_finish(zn_fold_u32(state, element)));
}
