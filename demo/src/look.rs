//! Colours: one place for what the picture, the mesh and the saved layers share.

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
