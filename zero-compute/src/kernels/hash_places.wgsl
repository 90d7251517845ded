// The places that a grid is asked about.
fn place_at(i: u32) -> vec3<f32> {
    return vec3<f32>(zn_clean(places[i * 3u]), zn_clean(places[i * 3u + 1u]), zn_clean(places[i * 3u + 2u]));
}
