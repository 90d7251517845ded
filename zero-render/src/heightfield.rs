//! A raster of heights made into a mesh.

use glam::{Vec2, Vec3};

use crate::{MeshData, RenderError, Result, mesh::check_finite};

/// A raster of heights: cell-centred, row by row, rows running along +Z and columns along +X.
///
/// Sample (column, row) stands at `origin + ((column + 0.5) * spacing_m[0], height, (row + 0.5) * spacing_m[1])`.
#[derive(Clone, Copy, Debug)]
pub struct Heightfield<'a> {
    /// A name for messages; the mesh gets it.
    pub name: &'a str,
    /// Samples along X.
    pub columns: u32,
    /// Samples along Z.
    pub rows: u32,
    /// Metres between samples along X and Z.
    pub spacing_m: [f32; 2],
    /// The raster's corner (not its first sample), in metres.
    pub origin: Vec3,
    /// Heights above `origin`, in metres.
    pub heights_m: &'a [f32],
    /// A mask a sample, 0 to 1, or `None` for 0: the terrain material's first mask, by custom bare rock or slope.
    pub first_mask: Option<&'a [f32]>,
    /// A second one, by custom height, snow or meadow.
    pub second_mask: Option<&'a [f32]>,
}

impl Heightfield<'_> {
    /// The surface as two triangles a cell, with smooth normals and the ambient occlusion of the relief around each
    /// sample. One pass over the samples, about 70 reads each.
    ///
    /// # Errors
    /// A size that does not match its rasters, fewer than 2 x 2 samples, a spacing that is not above 0, NaN or infinity.
    pub fn to_mesh(&self) -> Result<MeshData> {
        self.check()?;
        Ok(self.tile([0, 0], [self.columns, self.rows]))
    }

    /// The same surface in square tiles of at most `cells` cells an edge, so that those out of sight are not drawn. Tiles
    /// share the vertices along their borders, bit for bit: no seam shows.
    ///
    /// # Errors
    /// As [`to_mesh`](Self::to_mesh); 0 cells.
    pub fn to_tiles(&self, cells: u32) -> Result<Vec<MeshData>> {
        self.check()?;
        if cells == 0 {
            return Err(RenderError::OutOfRange {
                what: "cells",
                expected: "1 or more",
                value: 0.0,
            });
        }
        let starts = |count: u32| (0..count - 1).step_by(cells as usize);
        let end = |start: u32, count: u32| start.saturating_add(cells).min(count - 1) + 1;
        let tiles = starts(self.rows).flat_map(|row| starts(self.columns).map(move |column| [column, row]));
        Ok(tiles
            .map(|from| self.tile(from, [end(from[0], self.columns), end(from[1], self.rows)]))
            .collect())
    }

    /// The samples from `from` up to, but without, `to`.
    fn tile(&self, from: [u32; 2], to: [u32; 2]) -> MeshData {
        let size = [to[0] - from[0], to[1] - from[1]];
        let count = size[0] as usize * size[1] as usize;
        let mut mesh = MeshData {
            name: self.name.to_owned(),
            ..MeshData::default()
        };
        mesh.positions.reserve(count);
        mesh.normals.reserve(count);
        mesh.uvs.reserve(count);
        mesh.colors.reserve(count);
        mesh.masks.reserve(count);
        for row in from[1]..to[1] {
            for column in from[0]..to[0] {
                let index = row as usize * self.columns as usize + column as usize;
                let mask = |raster: Option<&[f32]>| raster.and_then(|m| m.get(index)).copied().unwrap_or(0.0);
                let uv = [
                    (column as f32 + 0.5) / self.columns as f32,
                    (row as f32 + 0.5) / self.rows as f32,
                ];
                mesh.positions.push(self.position(column, row));
                mesh.normals.push(self.normal(column, row));
                mesh.uvs.push(Vec2::from_array(uv));
                mesh.colors.push([1.0, 1.0, 1.0, self.openness(column, row)]);
                mesh.masks.push([mask(self.first_mask), mask(self.second_mask)]);
            }
        }
        mesh.indices = indices(from, size);
        mesh
    }

    fn check(&self) -> Result<()> {
        let expected = self.columns as usize * self.rows as usize;
        let wrong = |what, actual| {
            Err(RenderError::HeightfieldSize {
                name: self.name.to_owned(),
                what,
                expected,
                actual,
            })
        };
        if self.columns < 2 || self.rows < 2 || self.heights_m.len() != expected {
            return wrong("heights_m", self.heights_m.len());
        }
        for (what, raster) in [("first_mask", self.first_mask), ("second_mask", self.second_mask)] {
            if let Some(raster) = raster {
                if raster.len() != expected {
                    return wrong(what, raster.len());
                }
                check_finite(self.name, what, raster.iter().map(|x| [*x]))?;
            }
        }
        for spacing in self.spacing_m {
            if !(spacing > 0.0 && spacing.is_finite()) {
                return Err(RenderError::OutOfRange {
                    what: "spacing_m",
                    expected: "metres above 0",
                    value: spacing,
                });
            }
        }
        check_finite(self.name, "origin", [self.origin.to_array()].into_iter())?;
        check_finite(self.name, "heights_m", self.heights_m.iter().map(|x| [*x]))
    }

    /// The height of the nearest sample; coordinates outside are brought to the edge.
    fn height(&self, column: i64, row: i64) -> f32 {
        let c = column.clamp(0, i64::from(self.columns) - 1) as usize;
        let r = row.clamp(0, i64::from(self.rows) - 1) as usize;
        self.heights_m[r * self.columns as usize + c]
    }

    fn position(&self, column: u32, row: u32) -> Vec3 {
        let x = (column as f32 + 0.5) * self.spacing_m[0];
        let z = (row as f32 + 0.5) * self.spacing_m[1];
        self.origin + Vec3::new(x, self.height(i64::from(column), i64::from(row)), z)
    }

    /// From central differences over the samples beside it, one-sided at the edge.
    fn normal(&self, column: u32, row: u32) -> Vec3 {
        let (c, r) = (i64::from(column), i64::from(row));
        let span = |at: u32, count: u32| if at == 0 || at + 1 == count { 1.0 } else { 2.0 };
        let dx = (self.height(c + 1, r) - self.height(c - 1, r)) / (span(column, self.columns) * self.spacing_m[0]);
        let dz = (self.height(c, r + 1) - self.height(c, r - 1)) / (span(row, self.rows) * self.spacing_m[1]);
        Vec3::new(-dx, 1.0, -dz).normalize()
    }

    /// How much of the sky's cosine-weighted dome the relief leaves open, 0 to 1: in each of 8 directions the steepest
    /// rise over 8 distances hides `rise^2 / (1 + rise^2)` of its wedge (the integral of sin * cos up to the horizon).
    fn openness(&self, column: u32, row: u32) -> f32 {
        const STEPS: [i64; 8] = [1, 2, 3, 5, 8, 13, 21, 34];
        const WAYS: [(i64, i64); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        let (c, r) = (i64::from(column), i64::from(row));
        let here = self.height(c, r);
        let mut hidden = 0.0;
        for (x, z) in WAYS {
            let reach = Vec2::new(x as f32 * self.spacing_m[0], z as f32 * self.spacing_m[1]).length();
            let rise = STEPS.iter().fold(0.0_f32, |steepest, &step| {
                let there = self.height(c + x * step, r + z * step);
                steepest.max((there - here) / (reach * step as f32))
            });
            hidden += rise * rise / (1.0 + rise * rise);
        }
        1.0 - hidden / WAYS.len() as f32
    }
}

/// Two triangles a cell, counter-clockwise seen from above, the diagonal alternating so that no grain shows. `from` is
/// where the tile starts in the raster: diagonals do not depend on how it is cut.
fn indices(from: [u32; 2], [columns, rows]: [u32; 2]) -> Vec<u32> {
    let mut indices = Vec::with_capacity((columns as usize - 1) * (rows as usize - 1) * 6);
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let a = row * columns + column;
            let (b, c, d) = (a + 1, a + columns, a + columns + 1);
            if (from[0] + column + from[1] + row).is_multiple_of(2) {
                indices.extend([a, c, b, b, c, d]);
            } else {
                indices.extend([a, c, d, a, d, b]);
            }
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field<'a>(heights_m: &'a [f32], columns: u32, rows: u32) -> Heightfield<'a> {
        Heightfield {
            name: "hill",
            columns,
            rows,
            spacing_m: [2.0, 4.0],
            origin: Vec3::new(10.0, 100.0, 20.0),
            heights_m,
            first_mask: None,
            second_mask: None,
        }
    }

    #[test]
    fn samples_stand_at_cell_centres_and_faces_look_up() {
        let mesh = field(&[0.0, 2.0, 0.0, 2.0], 2, 2).to_mesh().unwrap();
        assert_eq!(mesh.positions[1], Vec3::new(13.0, 102.0, 22.0));
        assert!((mesh.normals[0] - Vec3::new(-1.0, 1.0, 0.0).normalize()).length() < 1e-6);
        for t in mesh.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| mesh.positions[t[k] as usize]);
            assert!((b - a).cross(c - a).y > 0.0);
        }
        mesh.check().unwrap();
    }

    #[test]
    fn a_pit_sees_less_of_the_sky_than_a_plain() {
        let mut heights = vec![0.0; 81];
        assert_eq!(field(&heights, 9, 9).openness(4, 4), 1.0);
        heights[40] = -8.0;
        let open = field(&heights, 9, 9).openness(4, 4);
        assert!(open < 0.3, "{open}");
    }

    #[test]
    fn tiles_hold_every_triangle_of_the_whole_once() {
        let heights: Vec<f32> = (0..63).map(|i| ((i * 37) % 11) as f32).collect();
        let field = field(&heights, 9, 7);
        let triangles = |mesh: &MeshData| -> Vec<[[u32; 3]; 3]> {
            let corner = |i: u32| mesh.positions[i as usize].to_array().map(f32::to_bits);
            mesh.indices
                .chunks_exact(3)
                .map(|t| [corner(t[0]), corner(t[1]), corner(t[2])])
                .collect()
        };
        let mut whole = triangles(&field.to_mesh().unwrap());
        whole.sort_unstable();
        for cells in [1, 3, 4, 100, u32::MAX] {
            let tiles = field.to_tiles(cells).unwrap();
            let mut parts: Vec<_> = tiles.iter().flat_map(triangles).collect();
            parts.sort_unstable();
            assert_eq!(parts, whole, "tiles of {cells}");
        }
        assert_eq!(field.to_tiles(4).unwrap().len(), 4);
        assert!(field.to_tiles(0).is_err());
    }

    #[test]
    fn bad_rasters_are_refused_by_name() {
        let error = field(&[0.0; 3], 2, 2).to_mesh().unwrap_err().to_string();
        assert!(
            error.contains("hill") && error.contains("3") && error.contains("4"),
            "{error}"
        );
        assert!(field(&[], 0, 0).to_mesh().is_err());
        assert!(field(&[0.0], 1, 1).to_mesh().is_err());
        let error = field(&[0.0, 0.0, f32::NAN, 0.0], 2, 2)
            .to_mesh()
            .unwrap_err()
            .to_string();
        assert!(error.contains("heights_m") && error.contains("element 2"), "{error}");
    }
}
