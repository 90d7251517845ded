// @use zero_noise

const SEED: u32 = 7u;

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
    dst[i] = bitcast<u32>(value);
}
