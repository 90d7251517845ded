//! Colours, and where each layer lies: one place for what the picture, the mesh and the saved layers share.

/// Linear colours of the layers, in the order of [`LAYERS`](crate::graph::LAYERS).
pub const LAYER_COLORS: [[f32; 3]; 4] = [
    [0.046, 0.066, 0.022],
    [0.155, 0.130, 0.058],
    [0.215, 0.195, 0.170],
    [0.290, 0.250, 0.180],
];

/// Two linear colours of each species, in the order of [`SPECIES`](crate::graph::SPECIES): a tree's own lies between.
pub const SPECIES_TINTS: [[[f32; 3]; 2]; 2] = [
    [[0.120, 0.140, 0.030], [0.036, 0.076, 0.020]],
    [[0.045, 0.085, 0.032], [0.025, 0.055, 0.028]],
];

/// Slope in degrees where rock begins to show, and where nothing else does.
pub const ROCK_DEG: [f32; 2] = [34.0, 41.0];

/// Slope in degrees from which the picture shows rock with its strata; the saved layers call it rock.
pub const CLIFF_DEG: [f32; 2] = [39.0, 46.0];

/// Metres above the water where heath takes over from woodland, and where it has.
pub const HEATH_M: [f32; 2] = [430.0, 620.0];

/// Metres above the water where the shore begins going down, and where it covers all.
pub const SHORE_M: [f32; 2] = [5.0, 1.5];
