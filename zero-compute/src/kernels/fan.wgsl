// Triangle i joins the hub to side i of a ring of points.
fn element(i: u32, lane: u32) -> i32 {
    let corners = vec3<u32>(params.hub, params.first + i, params.first + (i + 1u) % params.ring);
    return i32(corners[lane]);
}
