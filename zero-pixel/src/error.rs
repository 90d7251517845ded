//! What can go wrong. Each message names the thing, what was expected and what arrived.

use crate::{FrameId, Rect};
use std::io;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is out of its range, or not finite.
    #[error("{what}: expected {expected}, found {found}")]
    Range {
        /// What the number is.
        what: String,
        /// What was expected.
        expected: String,
        /// What arrived.
        found: String,
    },
    /// A text is no colour.
    #[error("{text:?} is no colour; write #rgb, #rgba, #rrggbb or #rrggbbaa in hexadecimal digits")]
    Color {
        /// The text.
        text: String,
    },
    /// A palette has no entry of that number.
    #[error("{what}: entry {entry} is not in the palette, which holds {entries} (0 to {})", entries.saturating_sub(1))]
    NoEntry {
        /// Where the number was given.
        what: String,
        /// The number.
        entry: u8,
        /// How many entries the palette holds.
        entries: usize,
    },
    /// A canvas has no frame of that number.
    #[error("frame {index} does not exist; the canvas has {frames} (0 to {})", frames.saturating_sub(1))]
    NoFrame {
        /// The number, from 0.
        index: usize,
        /// How many frames there are.
        frames: usize,
    },
    /// A canvas keeps at least one frame.
    #[error("frame {index} is the only one left, and a canvas keeps at least one; despawn the canvas instead")]
    LastFrame {
        /// The number, from 0.
        index: usize,
    },
    /// A rectangle to be read reaches beyond the canvas.
    #[error("{rect} reaches beyond the canvas of {width} x {height}")]
    Outside {
        /// The rectangle.
        rect: Rect,
        /// The canvas's width.
        width: u32,
        /// The canvas's height.
        height: u32,
    },
    /// A row of text art is longer or shorter than the first.
    #[error("text art, row {row} (from 0): expected {expected} characters like row 0, found {found}")]
    RaggedRow {
        /// The row, from 0.
        row: usize,
        /// The length of row 0 in characters.
        expected: usize,
        /// The length of this row in characters.
        found: usize,
    },
    /// A character of text art is not in the legend.
    #[error(
        "text art, row {row}, column {column} (both from 0): {character:?} is not in the legend, which has {known}"
    )]
    UnknownCharacter {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The character.
        character: char,
        /// The characters that the legend has.
        known: String,
    },
    /// A legend cannot be used.
    #[error("legend: {problem}")]
    Legend {
        /// What is wrong.
        problem: String,
    },
    /// A handle's canvas was despawned.
    #[error("the canvas of handle {index}.{generation} was despawned")]
    StaleHandle {
        /// The handle's slot.
        index: u32,
        /// The handle's generation.
        generation: u32,
    },
    /// No canvas has that name.
    #[error("no canvas is called {name:?}; there are {known}")]
    UnknownName {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// No canvas belongs to that entity.
    #[error("no canvas belongs to entity {id}")]
    UnknownEntity {
        /// The entity's id.
        id: u64,
    },
    /// The name is taken.
    #[error("a {what} called {name:?} exists already{}", if existing == name { String::new() } else { format!(" ({existing:?} differs by case alone)") })]
    DuplicateName {
        /// `canvas` or `template`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The name that is in the way.
        existing: String,
    },
    /// The entity has a canvas already.
    #[error("entity {id} has a canvas already")]
    DuplicateEntity {
        /// The entity's id.
        id: u64,
    },
    /// A name cannot be used.
    #[error("{name:?} cannot name a {what}: {problem}")]
    BadName {
        /// `canvas` or `template`.
        what: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No template has that name.
    #[error("no template is called {name:?}; there are {known}")]
    UnknownTemplate {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A template's file holds something else than it must.
    #[error("{file}: {problem}")]
    Template {
        /// `template.pixbin` or `.metadata`.
        file: &'static str,
        /// The field and what is wrong with it.
        problem: String,
    },
    /// A picture holds more colours than its palette may.
    #[error(
        "{what} has more than the {most} colours allowed: {color} at {x}, {y} would be the next; import it with `Colors::Nearest` to map it to a palette"
    )]
    TooManyColors {
        /// The picture, or the frame of it.
        what: String,
        /// The most allowed.
        most: usize,
        /// The first colour that was too many.
        color: crate::Color,
        /// The column of its first pixel.
        x: u32,
        /// The row of its first pixel.
        y: u32,
    },
    /// A picture holds a colour that the palette asked for lacks.
    #[error("{what}: {color} at {x}, {y} is not in the palette given; import it with `Colors::Nearest` to map it")]
    ColorNotInPalette {
        /// The picture, or the frame of it.
        what: String,
        /// The colour.
        color: crate::Color,
        /// The column of its first pixel.
        x: u32,
        /// The row of its first pixel.
        y: u32,
    },
    /// A picture cannot be read.
    #[error("this {format} cannot be read: {problem}")]
    Decode {
        /// `PNG` or `GIF`.
        format: &'static str,
        /// Why.
        problem: String,
    },
    /// A canvas cannot be written in this format.
    #[error("this canvas cannot be written as {format}: {problem}")]
    Encode {
        /// `PNG` or `GIF`.
        format: &'static str,
        /// Why, and what to do.
        problem: String,
    },
    /// A sprite sheet does not have the size that its grid says.
    #[error("the sheet is {found_width} x {found_height} pixels; its grid takes {width} x {height}")]
    SheetSize {
        /// The width that the grid takes.
        width: u64,
        /// The height that the grid takes.
        height: u64,
        /// The picture's width.
        found_width: u32,
        /// The picture's height.
        found_height: u32,
    },
    /// A frame's id is not in the canvas.
    #[error("{id} is not in this canvas")]
    NoFrameId {
        /// The id.
        id: FrameId,
    },
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// The path.
        path: String,
        /// Why.
        source: io::Error,
    },
}

impl Error {
    pub(crate) fn range(what: impl Into<String>, expected: impl Into<String>, found: impl ToString) -> Self {
        Self::Range {
            what: what.into(),
            expected: expected.into(),
            found: found.to_string(),
        }
    }

    pub(crate) fn no_entry(what: impl Into<String>, entry: u8, entries: usize) -> Self {
        Self::NoEntry {
            what: what.into(),
            entry,
            entries,
        }
    }
}

/// Names in a message: the first few, then how many more.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    match names.len().checked_sub(SHOWN) {
        None | Some(0) => shown.join(", "),
        Some(more) => format!("{} and {more} more", shown.join(", ")),
    }
}
