//! The functions of zero-noise that a field may call.

use zero_noise::{MAX_OCTAVES, Metric};

use super::kind::Kind;
use crate::error::{Error, Result};

/// The most operands that any operator takes.
pub(crate) const MAX_ARGS: usize = 8;

/// The most results of one function.
pub(super) const MAX_RESULTS: usize = 4;

macro_rules! preludes {
    ($($(#[$doc:meta])* $variant:ident $name:literal: $function:ident, $result:literal;)*) => {
        /// Functions of zero-noise that a field may call, with their ranges. [`Prelude::takes`] lists the operands and
        /// [`Prelude::answers`] the kind of the answer.
        ///
        /// A function that answers several numbers has a name for each. Calls for several of them over the same operands
        /// compute it once, on every device.
        ///
        /// *Operands.* Seeds, octaves (1 to [`MAX_OCTAVES`]), periods (whole cells up to 2^22 along each axis, 0 for one
        /// that does not repeat) and metrics (the number of a [`Metric`]) are `u32`, the rest are floats. All of them may
        /// vary from element to element. A constant count of octaves past [`MAX_OCTAVES`], or a constant metric that is
        /// none, is refused; where only the run knows them, more octaves are read as that many, none answer 0, and what
        /// is no metric is the Euclidean. A strength is kept within 2^20.
        ///
        /// A slope is the derivative for each cell of way: noise read at `x * frequency` rises by `frequency` times as
        /// much. All are exact: the same bits on every device in either mode.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Prelude {
            $($(#[$doc])* $variant,)*
        }

        impl Prelude {
            /// Every function, in the order of their codes.
            pub const ALL: [Prelude; [$($name),*].len()] = [$(Prelude::$variant),*];

            /// The function's name, as errors write it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Prelude::$variant => $name,)*
                }
            }

            /// What computes it.
            pub(super) const fn function(self) -> Function {
                match self {
                    $(Prelude::$variant => Function::$function,)*
                }
            }

            /// The place of its answer among the function's results.
            pub(super) const fn result(self) -> usize {
                match self {
                    $(Prelude::$variant => $result,)*
                }
            }
        }
    };
}

// The codes enter keys: the list only grows at its end.
preludes! {
    /// The unit draw of (state, element): two `u32`, answers a float in 0 to 1, 1 excluded.
    Draw "draw": Draw, 0;
    /// Value noise in `[0, 1)`: seed, x, y.
    Value2 "value2": Value2, 0;
    /// Value noise in `[0, 1)`: seed, x, y, z.
    Value3 "value3": Value3, 0;
    /// Gradient noise in `[-1, 1]`, 0 at lattice points: seed, x, y.
    Gradient2 "gradient2": Gradient2, 0;
    /// Gradient noise in `[-1, 1]`, 0 at lattice points: seed, x, y, z.
    Gradient3 "gradient3": Gradient3, 0;
    /// Gradient noise summed over octaves, in `[-1, 1]`: seed, x, y, octaves.
    Fbm2 "fbm2": Fbm2, 0;
    /// Gradient noise summed over octaves, in `[-1, 1]`: seed, x, y, z, octaves.
    Fbm3 "fbm3": Fbm3, 0;
    /// Simplex noise in `[-1, 1]`: seed, x, y.
    Simplex2 "simplex2": Simplex2, 0;
    /// Simplex noise in `[-1, 1]`: seed, x, y, z.
    Simplex3 "simplex3": Simplex3, 0;
    /// Ridges in `[0, 1]`, 1 along sharp crests: seed, x, y, octaves.
    Ridged2 "ridged2": Ridged2, 0;
    /// Ridges in `[0, 1]`, 1 along sharp crests: seed, x, y, z, octaves.
    Ridged3 "ridged3": Ridged3, 0;
    /// [`Fbm2`](Prelude::Fbm2) at a point moved by up to `strength` cells on each axis, in `[-1, 1]`: seed, x, y, octaves,
    /// strength.
    Warped2 "warped2": Warped2, 0;
    /// [`Fbm3`](Prelude::Fbm3) at a point moved by up to `strength` cells on each axis, in `[-1, 1]`: seed, x, y, z,
    /// octaves, strength.
    Warped3 "warped3": Warped3, 0;
    /// Value noise that repeats, in `[0, 1)`: seed, x, y, and the periods along x and y.
    Value2Tiled "value2_tiled": Value2Tiled, 0;
    /// Value noise that repeats, in `[0, 1)`: seed, x, y, z, and the periods along x, y and z.
    Value3Tiled "value3_tiled": Value3Tiled, 0;
    /// Gradient noise that repeats, in `[-1, 1]`: seed, x, y, and the periods along x and y.
    Gradient2Tiled "gradient2_tiled": Gradient2Tiled, 0;
    /// Gradient noise that repeats, in `[-1, 1]`: seed, x, y, z, and the periods along x, y and z.
    Gradient3Tiled "gradient3_tiled": Gradient3Tiled, 0;
    /// The sum of octaves that repeats, in `[-1, 1]`: seed, x, y, octaves, and the periods along x and y. Octaves whose own
    /// period, which doubles with each, is past 2^22 are left out.
    Fbm2Tiled "fbm2_tiled": Fbm2Tiled, 0;
    /// The sum of octaves that repeats, in `[-1, 1]`: seed, x, y, z, octaves, and the periods along x, y and z, as
    /// [`Fbm2Tiled`](Prelude::Fbm2Tiled).
    Fbm3Tiled "fbm3_tiled": Fbm3Tiled, 0;
    /// The slope of [`Value2`](Prelude::Value2) along x, in `[-1.875, 1.875]`: seed, x, y.
    Value2SlopeX "value2_slope_x": Value2Slope, 1;
    /// Its slope along y.
    Value2SlopeY "value2_slope_y": Value2Slope, 2;
    /// The slope of [`Value3`](Prelude::Value3) along x, in `[-1.875, 1.875]`: seed, x, y, z.
    Value3SlopeX "value3_slope_x": Value3Slope, 1;
    /// Its slope along y.
    Value3SlopeY "value3_slope_y": Value3Slope, 2;
    /// Its slope along z.
    Value3SlopeZ "value3_slope_z": Value3Slope, 3;
    /// The slope of [`Gradient2`](Prelude::Gradient2) along x, in `[-3, 3]`: seed, x, y.
    Gradient2SlopeX "gradient2_slope_x": Gradient2Slope, 1;
    /// Its slope along y.
    Gradient2SlopeY "gradient2_slope_y": Gradient2Slope, 2;
    /// The slope of [`Gradient3`](Prelude::Gradient3) along x, in `[-3, 3]`: seed, x, y, z.
    Gradient3SlopeX "gradient3_slope_x": Gradient3Slope, 1;
    /// Its slope along y.
    Gradient3SlopeY "gradient3_slope_y": Gradient3Slope, 2;
    /// Its slope along z.
    Gradient3SlopeZ "gradient3_slope_z": Gradient3Slope, 3;
    /// The slope of [`Fbm2`](Prelude::Fbm2) along x for each cell of the first octave, in `[-48, 48]`: seed, x, y, octaves.
    Fbm2SlopeX "fbm2_slope_x": Fbm2Slope, 1;
    /// Its slope along y.
    Fbm2SlopeY "fbm2_slope_y": Fbm2Slope, 2;
    /// The slope of [`Fbm3`](Prelude::Fbm3) along x for each cell of the first octave, in `[-48, 48]`: seed, x, y, z,
    /// octaves.
    Fbm3SlopeX "fbm3_slope_x": Fbm3Slope, 1;
    /// Its slope along y.
    Fbm3SlopeY "fbm3_slope_y": Fbm3Slope, 2;
    /// Its slope along z.
    Fbm3SlopeZ "fbm3_slope_z": Fbm3Slope, 3;
    /// x of a point of the plane moved by up to `strength` cells on each axis: seed, x, y, octaves, strength. Any noise may
    /// be read there.
    Warp2X "warp2_x": Warp2, 0;
    /// y of that point.
    Warp2Y "warp2_y": Warp2, 1;
    /// x of a point of space moved by up to `strength` cells on each axis: seed, x, y, z, octaves, strength.
    Warp3X "warp3_x": Warp3, 0;
    /// y of that point.
    Warp3Y "warp3_y": Warp3, 1;
    /// z of that point.
    Warp3Z "warp3_z": Warp3, 2;
    /// The distance to the nearest feature point, one standing in each unit square: seed, x, y, metric. It is at most
    /// sqrt 2, 2 or 1 by the Euclidean, Manhattan or Chebyshev metric.
    Cellular2F1 "cellular2_f1": Cellular2, 0;
    /// The distance to the feature point after the nearest, at most 1.5812, 2 or 1.5.
    Cellular2F2 "cellular2_f2": Cellular2, 1;
    /// The hash of the nearest feature point, a `u32` that is the same throughout its cell: [`Draw`](Prelude::Draw) makes
    /// numbers of it.
    Cellular2Id "cellular2_id": Cellular2, 2;
    /// The distance to the nearest feature point, one standing in each unit cube: seed, x, y, z, metric. It is at most
    /// sqrt 3, 3 or 1 by the Euclidean, Manhattan or Chebyshev metric.
    Cellular3F1 "cellular3_f1": Cellular3, 0;
    /// The distance to the feature point after the nearest, at most sqrt 3, 3 or 1.5.
    Cellular3F2 "cellular3_f2": Cellular3, 1;
    /// The hash of the nearest feature point, a `u32`.
    Cellular3Id "cellular3_id": Cellular3, 2;
    /// [`Cellular2F1`](Prelude::Cellular2F1) of points that repeat: seed, x, y, metric, and the periods along x and y.
    Cellular2TiledF1 "cellular2_tiled_f1": Cellular2Tiled, 0;
    /// [`Cellular2F2`](Prelude::Cellular2F2) of points that repeat.
    Cellular2TiledF2 "cellular2_tiled_f2": Cellular2Tiled, 1;
    /// [`Cellular2Id`](Prelude::Cellular2Id) of points that repeat.
    Cellular2TiledId "cellular2_tiled_id": Cellular2Tiled, 2;
    /// [`Cellular3F1`](Prelude::Cellular3F1) of points that repeat: seed, x, y, z, metric, and the periods along x, y and z.
    Cellular3TiledF1 "cellular3_tiled_f1": Cellular3Tiled, 0;
    /// [`Cellular3F2`](Prelude::Cellular3F2) of points that repeat.
    Cellular3TiledF2 "cellular3_tiled_f2": Cellular3Tiled, 1;
    /// [`Cellular3Id`](Prelude::Cellular3Id) of points that repeat.
    Cellular3TiledId "cellular3_tiled_id": Cellular3Tiled, 2;
}

impl Prelude {
    /// The kinds of the operands, in order.
    pub const fn takes(self) -> &'static [Kind] {
        self.function().takes()
    }

    /// The kind of the answer: a float, or the `u32` of a cell's hash.
    pub const fn answers(self) -> Kind {
        match self {
            Prelude::Cellular2Id | Prelude::Cellular3Id | Prelude::Cellular2TiledId | Prelude::Cellular3TiledId => {
                Kind::U32
            }
            _ => Kind::F32,
        }
    }

    /// Refuses an operand, a constant of these bits, that the function does not read as it stands.
    pub(super) fn check_constant(self, place: usize, bits: u32) -> Result<()> {
        let function = self.function();
        if Some(place) == function.octaves() && bits > MAX_OCTAVES {
            return Err(Error::TooMany {
                what: format!("the octaves of `{}`", self.name()),
                found: u64::from(bits),
                limit: u64::from(MAX_OCTAVES),
            });
        }
        if Some(place) == function.metric() && bits > Metric::Chebyshev as u32 {
            return Err(Error::Invalid {
                what: format!("the metric of `{}`", self.name()),
                expected: "0 (Euclidean), 1 (Manhattan) or 2 (Chebyshev)".to_owned(),
                found: bits.to_string(),
            });
        }
        Ok(())
    }
}

/// A function of zero-noise with all that it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Function {
    Draw,
    Value2,
    Value3,
    Gradient2,
    Gradient3,
    Fbm2,
    Fbm3,
    Simplex2,
    Simplex3,
    Ridged2,
    Ridged3,
    Warped2,
    Warped3,
    Value2Tiled,
    Value3Tiled,
    Gradient2Tiled,
    Gradient3Tiled,
    Fbm2Tiled,
    Fbm3Tiled,
    Value2Slope,
    Value3Slope,
    Gradient2Slope,
    Gradient3Slope,
    Fbm2Slope,
    Fbm3Slope,
    Warp2,
    Warp3,
    Cellular2,
    Cellular3,
    Cellular2Tiled,
    Cellular3Tiled,
}

impl Function {
    /// Its name in zero-noise.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Function::Draw => "draw",
            Function::Value2 => "value2",
            Function::Value3 => "value3",
            Function::Gradient2 => "gradient2",
            Function::Gradient3 => "gradient3",
            Function::Fbm2 => "fbm2",
            Function::Fbm3 => "fbm3",
            Function::Simplex2 => "simplex2",
            Function::Simplex3 => "simplex3",
            Function::Ridged2 => "ridged2",
            Function::Ridged3 => "ridged3",
            Function::Warped2 => "warped2",
            Function::Warped3 => "warped3",
            Function::Value2Tiled => "value2_tiled",
            Function::Value3Tiled => "value3_tiled",
            Function::Gradient2Tiled => "gradient2_tiled",
            Function::Gradient3Tiled => "gradient3_tiled",
            Function::Fbm2Tiled => "fbm2_tiled",
            Function::Fbm3Tiled => "fbm3_tiled",
            Function::Value2Slope => "value2_slope",
            Function::Value3Slope => "value3_slope",
            Function::Gradient2Slope => "gradient2_slope",
            Function::Gradient3Slope => "gradient3_slope",
            Function::Fbm2Slope => "fbm2_slope",
            Function::Fbm3Slope => "fbm3_slope",
            Function::Warp2 => "warp2",
            Function::Warp3 => "warp3",
            Function::Cellular2 => "cellular2",
            Function::Cellular3 => "cellular3",
            Function::Cellular2Tiled => "cellular2_tiled",
            Function::Cellular3Tiled => "cellular3_tiled",
        }
    }

    pub(super) const fn takes(self) -> &'static [Kind] {
        use Function::{
            Cellular2, Cellular2Tiled, Cellular3, Cellular3Tiled, Draw, Fbm2, Fbm2Slope, Fbm2Tiled, Fbm3, Fbm3Slope,
            Fbm3Tiled, Gradient2, Gradient2Slope, Gradient2Tiled, Gradient3, Gradient3Slope, Gradient3Tiled, Ridged2,
            Ridged3, Simplex2, Simplex3, Value2, Value2Slope, Value2Tiled, Value3, Value3Slope, Value3Tiled, Warp2,
            Warp3, Warped2, Warped3,
        };
        use Kind::{F32, U32};
        match self {
            Draw => &[U32, U32],
            Value2 | Gradient2 | Simplex2 | Value2Slope | Gradient2Slope => &[U32, F32, F32],
            Value3 | Gradient3 | Simplex3 | Value3Slope | Gradient3Slope => &[U32, F32, F32, F32],
            Fbm2 | Ridged2 | Fbm2Slope | Cellular2 => &[U32, F32, F32, U32],
            Fbm3 | Ridged3 | Fbm3Slope | Cellular3 => &[U32, F32, F32, F32, U32],
            Warped2 | Warp2 => &[U32, F32, F32, U32, F32],
            Warped3 | Warp3 => &[U32, F32, F32, F32, U32, F32],
            Value2Tiled | Gradient2Tiled => &[U32, F32, F32, U32, U32],
            Value3Tiled | Gradient3Tiled => &[U32, F32, F32, F32, U32, U32, U32],
            Fbm2Tiled | Cellular2Tiled => &[U32, F32, F32, U32, U32, U32],
            Fbm3Tiled | Cellular3Tiled => &[U32, F32, F32, F32, U32, U32, U32, U32],
        }
    }

    /// The axes of its coordinates, which stand behind the first operand.
    pub(super) const fn axes(self) -> usize {
        let takes = self.takes();
        match takes {
            [_, Kind::F32, Kind::F32, Kind::F32, ..] => 3,
            [_, Kind::F32, ..] => 2,
            _ => 0,
        }
    }

    /// The place of its count of octaves among the operands.
    const fn octaves(self) -> Option<usize> {
        match self {
            Function::Fbm2
            | Function::Fbm3
            | Function::Ridged2
            | Function::Ridged3
            | Function::Warped2
            | Function::Warped3
            | Function::Fbm2Tiled
            | Function::Fbm3Tiled
            | Function::Fbm2Slope
            | Function::Fbm3Slope
            | Function::Warp2
            | Function::Warp3 => Some(1 + self.axes()),
            _ => None,
        }
    }

    /// The place of its metric among the operands.
    const fn metric(self) -> Option<usize> {
        match self {
            Function::Cellular2 | Function::Cellular3 | Function::Cellular2Tiled | Function::Cellular3Tiled => {
                Some(1 + self.axes())
            }
            _ => None,
        }
    }

    /// Whether its last operands, one an axis, are periods.
    pub(super) const fn is_tiled(self) -> bool {
        matches!(
            self,
            Function::Value2Tiled
                | Function::Value3Tiled
                | Function::Gradient2Tiled
                | Function::Gradient3Tiled
                | Function::Fbm2Tiled
                | Function::Fbm3Tiled
                | Function::Cellular2Tiled
                | Function::Cellular3Tiled
        )
    }

    /// The names of its results in WGSL; none where it answers a number.
    pub(super) const fn results(self) -> &'static [&'static str] {
        match self {
            Function::Warp2 => &["x", "y"],
            Function::Warp3 | Function::Value2Slope | Function::Gradient2Slope | Function::Fbm2Slope => {
                &["x", "y", "z"]
            }
            Function::Value3Slope | Function::Gradient3Slope | Function::Fbm3Slope => &["x", "y", "z", "w"],
            Function::Cellular2 | Function::Cellular3 | Function::Cellular2Tiled | Function::Cellular3Tiled => {
                &["f1", "f2", "id"]
            }
            _ => &[],
        }
    }

    /// The size of the function in WGSL, counted roughly in operators.
    pub(super) const fn weight(self) -> u32 {
        match self {
            Function::Draw => 16,
            Function::Value2 | Function::Value2Slope => 80,
            Function::Gradient2 | Function::Simplex2 | Function::Value2Tiled | Function::Gradient2Slope => 120,
            Function::Value3 | Function::Fbm2 | Function::Gradient2Tiled | Function::Value3Slope => 160,
            Function::Ridged2 | Function::Fbm2Tiled | Function::Fbm2Slope => 200,
            Function::Gradient3 | Function::Simplex3 | Function::Value3Tiled | Function::Cellular2 => 240,
            Function::Fbm3 | Function::Gradient3Tiled | Function::Gradient3Slope | Function::Cellular3 => 280,
            Function::Ridged3 | Function::Fbm3Tiled | Function::Fbm3Slope | Function::Cellular2Tiled => 320,
            Function::Cellular3Tiled => 360,
            Function::Warp2 => 330,
            Function::Warped2 => 490,
            Function::Warp3 => 850,
            Function::Warped3 => 1130,
        }
    }
}
