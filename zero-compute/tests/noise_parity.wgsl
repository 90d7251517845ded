// @use zero_noise

fn seed_of(a: u32, b: u32, c: u32) -> u32 {
    switch a % 4u {
        case 0u: { return 0u; }
        case 1u: { return 7u; }
        case 2u: { return 0xffffffffu; }
        default: { return (b * 0x9e3779b9u) ^ c; }
    }
}

fn digest4(v: vec4<f32>) -> u32 {
    let words = bitcast<vec4<u32>>(v);
    var state = zn_fold_u32(ZN_FNV_OFFSET, words.x);
    state = zn_fold_u32(state, words.y);
    state = zn_fold_u32(state, words.z);
    return zn_fold_u32(state, words.w);
}

fn digest_cell(cell: ZnCellular) -> u32 {
    return digest4(vec4<f32>(cell.f1, cell.f2, 0.0, 0.0)) ^ cell.id;
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(num_workgroups) nw: vec3<u32>) {
    let i = zero_index(gid, nw);
    if i >= zero_n() {
        return;
    }
    let x = bitcast<f32>(a[i]);
    let y = bitcast<f32>(b[i]);
    let z = bitcast<f32>(c[i]);
    let seed = seed_of(a[i], b[i], c[i]);
    let octaves = (b[i] >> 3u) % 19u;
    // Of a displacement, which costs a noise for each axis.
    let few = (b[i] >> 3u) % 5u;
    var value = 0.0;
    // Of several results, and of those that are no floats.
    var digest = 0u;
    let periods = vec3<u32>(c[i] % 9u, (c[i] >> 8u) % 70000u, a[i] % 5u);
    // @when F clean
    value = zn_clean(x);
    // @end
    // @when F sin
    value = zn_sin(x);
    // @end
    // @when F cos
    value = zn_cos(x);
    // @end
    // @when F exp2
    value = zn_exp2(x);
    // @end
    // @when F log2
    value = zn_log2(x);
    // @end
    // @when F tanh
    value = zn_tanh(x);
    // @end
    // @when F sqrt
    value = zn_sqrt(x);
    // @end
    // @when F recip
    value = zn_recip(x);
    // @end
    // @when F fract
    value = zn_fract(x);
    // @end
    // @when F div
    value = zn_div(x, y);
    // @end
    // @when F modulo
    value = zn_modulo(x, y);
    // @end
    // @when F pow
    value = zn_pow(x, y);
    // @end
    // @when F atan2
    value = zn_atan2(x, y);
    // @end
    // @when F draw
    value = zn_draw(a[i], b[i]);
    // @end
    // @when F value2
    value = zn_value2(seed, x, y);
    // @end
    // @when F value3
    value = zn_value3(seed, x, y, z);
    // @end
    // @when F gradient2
    value = zn_gradient2(seed, x, y);
    // @end
    // @when F gradient3
    value = zn_gradient3(seed, x, y, z);
    // @end
    // @when F fbm2
    value = zn_fbm2(seed, x, y, octaves);
    // @end
    // @when F fbm3
    value = zn_fbm3(seed, x, y, z, octaves);
    // @end
    // @when F simplex2
    value = zn_simplex2(seed, x, y);
    // @end
    // @when F simplex3
    value = zn_simplex3(seed, x, y, z);
    // @end
    // @when F ridged2
    value = zn_ridged2(seed, x, y, octaves);
    // @end
    // @when F ridged3
    value = zn_ridged3(seed, x, y, z, octaves);
    // @end
    // @when F warped2
    value = zn_warped2(seed, x, y, few, z);
    // @end
    // @when F warped3
    value = zn_warped3(seed, x, y, z, few, y);
    // @end
    // @when F value2_tiled
    value = zn_value2_tiled(seed, x, y, periods.xy);
    // @end
    // @when F value3_tiled
    value = zn_value3_tiled(seed, x, y, z, periods);
    // @end
    // @when F gradient2_tiled
    value = zn_gradient2_tiled(seed, x, y, periods.xy);
    // @end
    // @when F gradient3_tiled
    value = zn_gradient3_tiled(seed, x, y, z, periods);
    // @end
    // @when F fbm2_tiled
    value = zn_fbm2_tiled(seed, x, y, octaves, periods.xy);
    // @end
    // @when F fbm3_tiled
    value = zn_fbm3_tiled(seed, x, y, z, octaves, periods);
    // @end
    // @when F warp2
    let moved2 = zn_warp2(seed, x, y, few, z);
    digest = digest4(vec4<f32>(moved2, 0.0, 0.0));
    // @end
    // @when F warp3
    digest = digest4(vec4<f32>(zn_warp3(seed, x, y, z, few, y), 0.0));
    // @end
    // @when F value2_slope
    digest = digest4(vec4<f32>(zn_value2_slope(seed, x, y), 0.0));
    // @end
    // @when F value3_slope
    digest = digest4(zn_value3_slope(seed, x, y, z));
    // @end
    // @when F gradient2_slope
    digest = digest4(vec4<f32>(zn_gradient2_slope(seed, x, y), 0.0));
    // @end
    // @when F gradient3_slope
    digest = digest4(zn_gradient3_slope(seed, x, y, z));
    // @end
    // @when F fbm2_slope
    digest = digest4(vec4<f32>(zn_fbm2_slope(seed, x, y, octaves), 0.0));
    // @end
    // @when F fbm3_slope
    digest = digest4(zn_fbm3_slope(seed, x, y, z, octaves));
    // @end
    // @when F cellular2
    digest = digest_cell(zn_cellular2(seed, x, y, c[i] % 3u));
    // @end
    // @when F cellular3
    digest = digest_cell(zn_cellular3(seed, x, y, z, a[i] % 3u));
    // @end
    // @when F cellular2_tiled
    digest = digest_cell(zn_cellular2_tiled(seed, x, y, c[i] % 3u, periods.xy));
    // @end
    // @when F cellular3_tiled
    digest = digest_cell(zn_cellular3_tiled(seed, x, y, z, a[i] % 3u, periods));
    // @end
    dst[i] = bitcast<u32>(value) ^ digest;
}
