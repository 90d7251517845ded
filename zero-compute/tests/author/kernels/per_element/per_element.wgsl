// @use zero_noise
#include "apply.wgsl"

fn element(i: u32, lane: u32) -> f32 {
    return applied(a_at(i, lane));
}
