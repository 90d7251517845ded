// @use zero_noise

const SEED: u32 = 7u;

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
    value = zn_value2(SEED, x, y);
    // @end
    // @when F value3
    value = zn_value3(SEED, x, y, z);
    // @end
    // @when F gradient2
    value = zn_gradient2(SEED, x, y);
    // @end
    // @when F gradient3
    value = zn_gradient3(SEED, x, y, z);
    // @end
    // @when F fbm2
    value = zn_fbm2(SEED, x, y, 5u);
    // @end
    // @when F fbm3
    value = zn_fbm3(SEED, x, y, z, 5u);
    // @end
    // @when F simplex2
    value = zn_simplex2(SEED, x, y);
    // @end
    // @when F simplex3
    value = zn_simplex3(SEED, x, y, z);
    // @end
    // @when F ridged2
    value = zn_ridged2(SEED, x, y, 5u);
    // @end
    // @when F ridged3
    value = zn_ridged3(SEED, x, y, z, 5u);
    // @end
    // @when F warped2
    value = zn_warped2(SEED, x, y, 3u, z);
    // @end
    // @when F warped3
    value = zn_warped3(SEED, x, y, z, 3u, 1.75);
    // @end
    // @when F value2_tiled
    value = zn_value2_tiled(SEED, x, y, periods.xy);
    // @end
    // @when F value3_tiled
    value = zn_value3_tiled(SEED, x, y, z, periods);
    // @end
    // @when F gradient2_tiled
    value = zn_gradient2_tiled(SEED, x, y, periods.xy);
    // @end
    // @when F gradient3_tiled
    value = zn_gradient3_tiled(SEED, x, y, z, periods);
    // @end
    // @when F fbm2_tiled
    value = zn_fbm2_tiled(SEED, x, y, 5u, periods.xy);
    // @end
    // @when F fbm3_tiled
    value = zn_fbm3_tiled(SEED, x, y, z, 5u, periods);
    // @end
    // @when F warp2
    let moved2 = zn_warp2(SEED, x, y, 3u, z);
    digest = digest4(vec4<f32>(moved2, 0.0, 0.0));
    // @end
    // @when F warp3
    digest = digest4(vec4<f32>(zn_warp3(SEED, x, y, z, 3u, 1.75), 0.0));
    // @end
    // @when F value2_slope
    digest = digest4(vec4<f32>(zn_value2_slope(SEED, x, y), 0.0));
    // @end
    // @when F value3_slope
    digest = digest4(zn_value3_slope(SEED, x, y, z));
    // @end
    // @when F gradient2_slope
    digest = digest4(vec4<f32>(zn_gradient2_slope(SEED, x, y), 0.0));
    // @end
    // @when F gradient3_slope
    digest = digest4(zn_gradient3_slope(SEED, x, y, z));
    // @end
    // @when F fbm2_slope
    digest = digest4(vec4<f32>(zn_fbm2_slope(SEED, x, y, 5u), 0.0));
    // @end
    // @when F fbm3_slope
    digest = digest4(zn_fbm3_slope(SEED, x, y, z, 5u));
    // @end
    // @when F cellular2
    digest = digest_cell(zn_cellular2(SEED, x, y, c[i] % 3u));
    // @end
    // @when F cellular3
    digest = digest_cell(zn_cellular3(SEED, x, y, z, a[i] % 3u));
    // @end
    // @when F cellular2_tiled
    digest = digest_cell(zn_cellular2_tiled(SEED, x, y, c[i] % 3u, periods.xy));
    // @end
    // @when F cellular3_tiled
    digest = digest_cell(zn_cellular3_tiled(SEED, x, y, z, a[i] % 3u, periods));
    // @end
    dst[i] = bitcast<u32>(value) ^ digest;
}
