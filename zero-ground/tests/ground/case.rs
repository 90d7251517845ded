//! Cases as text: lines that say what is asked, each with the results behind it. The golden file is one; `steps.py`
//! reads the same text and writes it back with its own results.

use std::fmt::{Display, Write};
use zero_ground::glam::Vec2;
use zero_ground::steps::{self, Cell, Draw};
use zero_ground::{
    Candidate, Chunk, ChunkGrid, Clearing, Clearings, Density, GroundFill, GroundSolids, Grown, Layer, Trample,
};

/// Ground that is trampled left of `edge_m` by one factor and right of it by another.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    pub(crate) edge_m: f32,
    pub(crate) left: f32,
    pub(crate) right: f32,
}

/// A case under construction: every question is put to the crate and its answer written.
pub(crate) struct Case {
    pub(crate) text: String,
    grid: ChunkGrid,
    density: Density,
    layer: Layer,
    clearings: Clearings,
    split: Option<Split>,
}

/// The bits of an f32, and behind the line what they are.
fn bits(values: &[f32]) -> String {
    let hex: Vec<String> = values.iter().map(|value| format!("{:08x}", value.to_bits())).collect();
    let plain: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
    format!("{} # {}", hex.join(" "), plain.join(" "))
}

fn thing_bits(thing: &Candidate) -> String {
    let Candidate {
        i,
        j,
        x_m,
        z_m,
        scale,
        yaw_rad,
        seed,
        wind,
        ..
    } = *thing;
    format!("{i} {j} {}", bits(&[x_m, z_m, scale, yaw_rad, seed, wind]))
}

impl Case {
    pub(crate) fn new(grid: ChunkGrid, density: Density, number: u32, fill: GroundFill) -> Self {
        let layer = Layer::new(number, grid, fill).unwrap();
        let mut case = Self {
            text: String::new(),
            grid,
            density,
            layer,
            clearings: Clearings::new(),
            split: None,
        };
        case.write_grid();
        case.write_density();
        case.write_layer();
        case
    }

    pub(crate) fn line(&mut self, line: impl Display) {
        writeln!(self.text, "{line}").unwrap();
    }

    fn write_grid(&mut self) {
        let ChunkGrid { corner_m, chunk_m } = self.grid;
        self.line(format_args!("grid {} {} {chunk_m}", corner_m.x, corner_m.y));
    }

    fn write_density(&mut self) {
        let shape = *self.density.shape();
        let (corner, texel_m) = (shape.corner_m, shape.texel_m);
        self.line(format_args!(
            "density {} {} {texel_m} {} {}",
            shape.width, shape.depth, corner.x, corner.y
        ));
        for row in self.density.clone().texels().chunks(shape.width as usize) {
            let texels: Vec<String> = row
                .iter()
                .map(|texel| format!("{}/{}", texel.chance, texel.scale))
                .collect();
            self.line(format_args!("texels {}", texels.join(" ")));
        }
    }

    fn write_layer(&mut self) {
        let row = self.layer.row().clone();
        let solid = if row.solid { "solid" } else { "cover" };
        let trample = if row.trample { "trample" } else { "firm" };
        let GroundFill {
            jitter,
            chance,
            scale_min,
            scale_max,
            wind_min,
            wind_max,
            ..
        } = row;
        let numbers = format!("{jitter} {chance} {scale_min} {scale_max} {wind_min} {wind_max}");
        let number = self.layer.number();
        self.line(format_args!("layer {number} {solid} {trample} {numbers}"));
        for band in &row.bands {
            self.line(format_args!("band {} {}", band.step_m, band.grow));
        }
    }

    /// Another layer over the same density.
    pub(crate) fn layer(&mut self, number: u32, fill: GroundFill) {
        self.layer = Layer::new(number, self.grid, fill).unwrap();
        self.write_layer();
    }

    pub(crate) fn clearing(&mut self, clearing: Clearing) {
        self.clearings.add(clearing).unwrap();
        let Clearing {
            center_m,
            inner_m,
            outer_m,
            floor,
        } = clearing;
        self.line(format_args!(
            "clearing {} {} {inner_m} {outer_m} {floor}",
            center_m.x, center_m.y
        ));
    }

    pub(crate) fn callback(&mut self, split: Split) {
        self.split = Some(split);
        self.line(format_args!("callback {} {} {}", split.edge_m, split.left, split.right));
    }

    pub(crate) fn hash(&mut self, cell: Cell, draw: Draw) {
        let Cell {
            layer,
            chunk: Chunk { cx, cz },
            band,
            i,
            j,
        } = cell;
        self.line(format_args!("hash {layer} {cx} {cz} {band} {i} {j} {}", draw.number()));
        self.line(format_args!("= {:08x} {}", cell.hash(draw), bits(&[cell.draw(draw)])));
    }

    pub(crate) fn lerp(&mut self, a: f32, b: f32, t: f32) {
        self.line(format_args!("lerp {a} {b} {t}"));
        self.line(format_args!("= {}", bits(&[steps::lerp(a, b, t)])));
    }

    pub(crate) fn yaw(&mut self, draw: f32, local: Vec2) {
        self.line(format_args!("yaw {draw} {} {}", local.x, local.y));
        let yaw = steps::yaw(draw);
        let ((c, s), turned) = (steps::cos_sin(yaw), steps::turn(yaw, local));
        self.line(format_args!("= {}", bits(&[yaw, c, s, turned.x, turned.y])));
    }

    pub(crate) fn cells(&mut self, chunk_m: f32, step_m: f32) {
        self.line(format_args!("cells {chunk_m} {step_m}"));
        self.line(format_args!("= {}", steps::cells_a_side(chunk_m, step_m)));
    }

    /// What is painted at a place, between texels too.
    pub(crate) fn sample(&mut self, at_m: Vec2) {
        self.line(format_args!("sample {} {}", at_m.x, at_m.y));
        let texel = self.density.sample(at_m);
        self.line(format_args!("= {}", bits(&[texel.chance, texel.scale])));
    }

    /// What all clearings so far leave of a chance at a place.
    pub(crate) fn factor(&mut self, at_m: Vec2) {
        self.line(format_args!("factor {} {}", at_m.x, at_m.y));
        self.line(format_args!("= {}", bits(&[self.clearings.factor(at_m)])));
    }

    fn trampled<T>(&self, ask: impl FnOnce(&Trample<'_>) -> T) -> T {
        let trample = Trample::NONE.with_clearings(&self.clearings);
        match self.split {
            None => ask(&trample),
            Some(Split { edge_m, left, right }) => {
                ask(&trample.with_callback(&|at_m: Vec2| if at_m.x < edge_m { left } else { right }))
            }
        }
    }

    /// What a fill grows. Answers how many things that is.
    pub(crate) fn chunk(&mut self, chunk: Chunk, band: usize) -> usize {
        self.line(format_args!("chunk {} {} {band}", chunk.cx, chunk.cz));
        let mut grown = Grown::new();
        self.trampled(|trample| self.layer.fill(&self.density, trample, chunk, band, &mut grown))
            .unwrap();
        grown
            .iter()
            .for_each(|thing| self.line(format_args!("= {}", thing_bits(thing))));
        grown.len()
    }

    /// The list of solid things. Answers how many there are.
    pub(crate) fn solids(&mut self, chunk: Chunk) -> usize {
        self.line(format_args!("solids {} {}", chunk.cx, chunk.cz));
        let mut solids = GroundSolids::new();
        self.trampled(|trample| self.layer.solid_list(&self.density, trample, chunk, &mut solids))
            .unwrap();
        solids
            .iter()
            .for_each(|solid| self.line(format_args!("= {} {}", solid.id, thing_bits(&solid.thing))));
        solids.len()
    }
}

/// A case without remarks and empty lines: what both implementations must agree on.
pub(crate) fn bare(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.split('#').next())
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect()
}
