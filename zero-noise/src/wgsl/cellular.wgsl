// Cellular noise; the twin of noise/cellular/. `metric` is one of the ZN_METRIC_ constants.

struct ZnCellular {
    f1: f32,
    f2: f32,
    id: u32,
}

// The nearest two so far: what is measured, and the hash state of the nearest's cell.
struct ZnFound {
    first: f32,
    second: f32,
    state: u32,
}

fn zn_measure(metric: u32, d: vec3<f32>) -> f32 {
    let size = abs(d);
    if metric == ZN_METRIC_MANHATTAN {
        return zn_keep(zn_keep(size.x + size.y) + size.z);
    }
    if metric == ZN_METRIC_CHEBYSHEV {
        return max(max(size.x, size.y), size.z);
    }
    return zn_keep(zn_keep(zn_mul(d.x, d.x) + zn_mul(d.y, d.y)) + zn_mul(d.z, d.z));
}

fn zn_distance(metric: u32, measured: f32) -> f32 {
    if metric == ZN_METRIC_MANHATTAN || metric == ZN_METRIC_CHEBYSHEV {
        return measured;
    }
    return zn_sqrt(measured);
}

// `found`, and the feature point of the cell of this state, `offset` cells away.
fn zn_see(found: ZnFound, metric: u32, axes: u32, state: u32, offset: vec3<f32>, inside: vec3<f32>) -> ZnFound {
    let folded = state * ZN_FNV_PRIME;
    let plane = zn_finish(folded);
    let x = zn_keep(zn_keep(offset.x - inside.x) + f32(plane & 0xffffu) * ZN_CELL_UNIT);
    let y = zn_keep(zn_keep(offset.y - inside.y) + f32(plane >> 16u) * ZN_CELL_UNIT);
    var z = 0.0;
    if axes == 3u {
        let height = zn_finish(folded * ZN_FNV_PRIME) >> 16u;
        z = zn_keep(zn_keep(offset.z - inside.z) + f32(height) * ZN_CELL_UNIT);
    }
    let measured = zn_measure(metric, vec3<f32>(x, y, z));
    if measured < found.first {
        return ZnFound(measured, found.first, state);
    }
    return ZnFound(found.first, select(found.second, measured, measured < found.second), found.state);
}

// The least way along one axis to a feature point of a cell `offset` cells away.
fn zn_gap(offset: f32, inside: f32) -> f32 {
    let near = zn_keep(offset - inside);
    let gap = abs(select(near, zn_keep(near + ZN_CELL_LAST), offset < 0.0));
    return select(gap, 0.0, offset == 0.0);
}

// The least that a point outside of the first ring measures.
fn zn_way_out(metric: u32, axes: u32, inside: vec3<f32>) -> f32 {
    var least = min(zn_gap(-2.0, inside.x), zn_gap(2.0, inside.x));
    least = min(least, min(zn_gap(-2.0, inside.y), zn_gap(2.0, inside.y)));
    if axes == 3u {
        least = min(least, min(zn_gap(-2.0, inside.z), zn_gap(2.0, inside.z)));
    }
    return zn_measure(metric, vec3<f32>(least, 0.0, 0.0));
}

fn zn_first_ring(
    state: u32, metric: u32, axes: u32, whole: vec3<i32>, inside: vec3<f32>, periods: vec3<u32>,
) -> ZnFound {
    var found = ZnFound(ZN_MAX, ZN_MAX, 0u);
    for (var x = -1; x <= 1; x++) {
        let plane = zn_fold_u32(state, zn_cell(whole.x + x, periods.x));
        for (var y = -1; y <= 1; y++) {
            let column = zn_fold_u32(plane, zn_cell(whole.y + y, periods.y));
            if axes == 2u {
                found = zn_see(found, metric, axes, column, vec3<f32>(f32(x), f32(y), 0.0), inside);
            } else {
                for (var z = -1; z <= 1; z++) {
                    let cell = zn_fold_u32(column, zn_cell(whole.z + z, periods.z));
                    found = zn_see(found, metric, axes, cell, vec3<f32>(f32(x), f32(y), f32(z)), inside);
                }
            }
        }
    }
    return found;
}

// The rings behind the first, less the cells whose boxes are too far away.
fn zn_outer_rings(
    start: ZnFound, state: u32, metric: u32, axes: u32, whole: vec3<i32>, inside: vec3<f32>, periods: vec3<u32>,
) -> ZnFound {
    var found = start;
    let rings = select(2, 3, metric == ZN_METRIC_MANHATTAN && axes == 3u);
    for (var x = -rings; x <= rings; x++) {
        let gap_x = zn_gap(f32(x), inside.x);
        if zn_measure(metric, vec3<f32>(gap_x, 0.0, 0.0)) >= found.second {
            continue;
        }
        let plane = zn_fold_u32(state, zn_cell(whole.x + x, periods.x));
        for (var y = -rings; y <= rings; y++) {
            let gap_y = zn_gap(f32(y), inside.y);
            if zn_measure(metric, vec3<f32>(gap_x, gap_y, 0.0)) >= found.second {
                continue;
            }
            let column = zn_fold_u32(plane, zn_cell(whole.y + y, periods.y));
            let outside = abs(x) > 1 || abs(y) > 1;
            if axes == 2u {
                if outside {
                    found = zn_see(found, metric, axes, column, vec3<f32>(f32(x), f32(y), 0.0), inside);
                }
                continue;
            }
            for (var z = -rings; z <= rings; z++) {
                let gap_z = zn_gap(f32(z), inside.z);
                let measured = zn_measure(metric, vec3<f32>(gap_x, gap_y, gap_z));
                if measured < found.second && (outside || abs(z) > 1) {
                    let cell = zn_fold_u32(column, zn_cell(whole.z + z, periods.z));
                    found = zn_see(found, metric, axes, cell, vec3<f32>(f32(x), f32(y), f32(z)), inside);
                }
            }
        }
    }
    return found;
}

fn zn_cellular(seed: u32, axes: u32, at: vec3<f32>, metric: u32, periods: vec3<u32>) -> ZnCellular {
    let state = zn_scope(seed, ZN_CELLULAR_SCOPE);
    let whole = vec3<i32>(floor(at));
    let inside = vec3<f32>(zn_inside(at.x), zn_inside(at.y), zn_inside(at.z));
    var found = zn_first_ring(state, metric, axes, whole, inside, periods);
    // By the Chebyshev metric nothing behind the first ring is nearer.
    if metric != ZN_METRIC_CHEBYSHEV && found.second > zn_way_out(metric, axes, inside) {
        found = zn_outer_rings(found, state, metric, axes, whole, inside, periods);
    }
    return ZnCellular(
        zn_distance(metric, found.first),
        zn_distance(metric, found.second),
        zn_finish(found.state),
    );
}

fn zn_cellular2_tiled(seed: u32, x: f32, y: f32, metric: u32, periods: vec2<u32>) -> ZnCellular {
    let period = vec3<u32>(zn_period(periods.x), zn_period(periods.y), 0u);
    let at = vec3<f32>(zn_start_tiled(x, period.x), zn_start_tiled(y, period.y), 0.0);
    return zn_cellular(seed, 2u, at, metric, period);
}

fn zn_cellular3_tiled(seed: u32, x: f32, y: f32, z: f32, metric: u32, periods: vec3<u32>) -> ZnCellular {
    let period = vec3<u32>(zn_period(periods.x), zn_period(periods.y), zn_period(periods.z));
    let at = vec3<f32>(
        zn_start_tiled(x, period.x),
        zn_start_tiled(y, period.y),
        zn_start_tiled(z, period.z),
    );
    return zn_cellular(seed, 3u, at, metric, period);
}

fn zn_cellular2(seed: u32, x: f32, y: f32, metric: u32) -> ZnCellular {
    return zn_cellular2_tiled(seed, x, y, metric, vec2<u32>(0u));
}

fn zn_cellular3(seed: u32, x: f32, y: f32, z: f32, metric: u32) -> ZnCellular {
    return zn_cellular3_tiled(seed, x, y, z, metric, vec3<u32>(0u));
}
