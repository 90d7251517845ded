fn surface(input: SurfaceInput) -> Surface {
    var s = surface_default(input);
    s.roughness = material.roughness;
    return s;
}
