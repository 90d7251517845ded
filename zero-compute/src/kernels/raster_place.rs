//! Where points stand on a raster, for the kernels that give to its cells or read them.

use super::raster::Raster;
use super::shape;
use crate::{Args, Column, Determinism, Error, Kernel, Param, Result, args};

/// Which cells a point gives its value to, or reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// The one that it stands in.
    Cell,
    /// The four whose centres are around it, by their nearness along each axis.
    Bilinear,
}

impl Share {
    /// The option of the `SHARE` specialization.
    pub(super) fn option(self) -> &'static str {
        match self {
            Share::Cell => "cell",
            Share::Bilinear => "bilinear",
        }
    }
}

/// A kernel over points, told of one tile of a raster.
pub(super) const fn over_points(name: &'static str) -> Kernel {
    Kernel::declare(name)
        .param("origin_x", Param::F32(0.0))
        .param("origin_z", Param::F32(0.0))
        .param("size_x", Param::F32(1.0))
        .param("size_z", Param::F32(1.0))
        .param("first_x", Param::U32(0))
        .param("first_z", Param::U32(0))
        .param("stride", Param::U32(1))
        .param("wide", Param::U32(1))
        .param("high", Param::U32(1))
        .param("apron", Param::U32(0))
        .specialize("SHARE", &["cell", "bilinear"])
        .determinism(Determinism::Exact)
}

/// What such a kernel is told.
///
/// # Errors
/// [`Error::Invalid`] for an origin, a cell, a tile or a raster that points cannot be placed on, [`Error::WrongShape`]
/// where the points have neither 2 nor 3 lanes.
pub(super) fn arguments(kernel: &str, points: &Column, raster: &Raster, tile: u32, share: Share) -> Result<Args> {
    check(kernel, raster, tile)?;
    if !(2..=3).contains(&points.lanes()) {
        return Err(shape(kernel, "points", "2 or 3 lanes".to_owned(), points));
    }
    let first = [
        tile % raster.across * raster.tile.wide,
        tile / raster.across * raster.tile.high,
    ];
    Ok(args! {
        points: points,
        origin_x: raster.origin[0], origin_z: raster.origin[1], size_x: raster.cell[0], size_z: raster.cell[1],
        first_x: first[0], first_z: first[1], stride: raster.tile.stride(),
        wide: raster.tile.wide, high: raster.tile.high, apron: raster.tile.apron, SHARE: share.option(),
    })
}

fn check(kernel: &str, raster: &Raster, tile: u32) -> Result<()> {
    let bad = |what: &str, expected: &str, found: String| {
        Err(Error::Invalid {
            what: format!("{what} of `{kernel}`"),
            expected: expected.to_owned(),
            found,
        })
    };
    if raster.origin.iter().any(|origin| !origin.is_finite()) {
        return bad("the origin", "finite numbers", format!("{:?}", raster.origin));
    }
    if raster.cell.iter().any(|size| !(size.is_normal() && *size > 0.0)) {
        return bad("the cell", "positive finite numbers", format!("{:?}", raster.cell));
    }
    if u64::from(tile) >= raster.tiles() {
        return bad(
            "the tile",
            &format!("a number below {}", raster.tiles()),
            tile.to_string(),
        );
    }
    let [x, z] = cells(raster);
    if x.max(z) > 1 << 23 {
        return bad("the raster", "at most 2^23 cells along an axis", format!("{raster:?}"));
    }
    Ok(())
}

/// Cells of the whole raster along each axis.
pub(super) fn cells(raster: &Raster) -> [u64; 2] {
    let cells = |tiles: u32, cells: u32| u64::from(tiles) * u64::from(cells);
    [
        cells(raster.across, raster.tile.wide),
        cells(raster.down, raster.tile.high),
    ]
}

/// Refuses bilinear shares without the apron in which the cells past the tile's edge are.
pub(super) fn check_apron(kernel: &str, raster: &Raster, share: Share) -> Result<()> {
    if share != Share::Bilinear || raster.tile.apron > 0 {
        return Ok(());
    }
    Err(Error::Invalid {
        what: format!("the apron of `{kernel}`"),
        expected: "at least 1 for bilinear shares".to_owned(),
        found: "0".to_owned(),
    })
}

/// How many cells a clean coordinate is from the raster's edge: the twin of `raster_place.wgsl`.
pub(super) fn cells_along(position: f32, origin: f32, size: f32) -> f32 {
    zero_noise::div(position - origin, size).clamp(-8_388_608.0, 8_388_608.0)
}

/// The number of a cell that is stored: a tile may have more of them than an `i32` counts.
pub(super) fn stored_cell(stride: i32, x: i32, z: i32) -> usize {
    z as usize * stride as usize + x as usize
}

#[cfg(test)]
mod tests {
    use super::stored_cell;

    #[test]
    fn cells_are_numbered_past_what_an_i32_counts() {
        assert_eq!(stored_cell(7, 3, 2), 17);
        assert_eq!(stored_cell(60_000, 59_999, 59_999), 3_599_999_999);
    }
}
