//! One pass over a text's events: refuses what this front end does not take, and keeps where each value is.

use std::collections::HashMap;
use std::ops::Range;

use serde_saphyr::granit_parser::{self, ErrorKind, Event, Parser, ScalarStyle, ScanError, Span};

use crate::document::Limits;
use crate::error::{Error, Position, Refusal, Result};

/// A value of the document and how it hangs in the tree. Paths are not stored: with long keys on many levels
/// they would be far larger than the text.
#[derive(Debug)]
pub(crate) struct Node {
    /// The collection that holds it; `None` for the document's own value.
    pub(crate) parent: Option<usize>,
    pub(crate) label: Label,
    /// Where it begins.
    pub(crate) at: Position,
    /// The bytes of a scalar, as written.
    pub(crate) scalar: Option<Range<usize>>,
}

/// What a value is called within its parent.
#[derive(Debug)]
pub(crate) enum Label {
    Root,
    Key { text: String, at: Position },
    Item(usize),
}

/// Scans `text`. The nodes are in document order, so a parent comes before its children.
pub(crate) fn scan(file: &str, text: &str, limits: &Limits) -> Result<Vec<Node>> {
    let refuse = |at, what| Error::Refused {
        file: file.to_owned(),
        at,
        what,
    };
    if let Some(at) = find_tab(text) {
        return Err(refuse(at, Refusal::TabIndentation));
    }
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        // One level more than allowed, so that the refusal is ours.
        flow_nesting_limit: limits.max_depth.saturating_add(1),
        block_nesting_limit: limits.max_depth.saturating_add(1),
    };
    let mut scan = Scan {
        limits,
        nodes: Vec::new(),
        open: Vec::new(),
        documents: 0,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| syntax(file, &error, limits))?;
        scan.take(&event, &span).map_err(|(at, what)| refuse(at, what))?;
    }
    Ok(scan.nodes)
}

type Refused = (Position, Refusal);

struct Scan<'a> {
    limits: &'a Limits,
    nodes: Vec<Node>,
    open: Vec<Open>,
    documents: usize,
}

/// A collection whose end has not come.
enum Open {
    Sequence {
        node: usize,
        len: usize,
    },
    Mapping {
        node: usize,
        keys: HashMap<String, Position>,
        key: Option<(String, Position)>,
    },
}

impl Scan<'_> {
    fn take(&mut self, event: &Event<'_>, span: &Span) -> std::result::Result<(), Refused> {
        let at = position(span);
        if event.tag().is_some() {
            let tag = span.tag_span().map_or(at, |tag| position(&tag));
            return Err((tag, Refusal::Tag));
        }
        match event {
            // The anchor's own event comes after the node's, and names the better place.
            Event::Anchor(..) => Err((at, Refusal::Anchor)),
            Event::Alias(_) | Event::UnresolvedAlias(_) => Err((at, Refusal::Alias)),
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    Err((at, Refusal::SecondDocument))
                } else {
                    Ok(())
                }
            }
            Event::Scalar(text, style, ..) => self.scalar(text, *style, span),
            Event::SequenceStart(..) => {
                let node = self.value(at, None)?;
                self.open(Open::Sequence { node, len: 0 }, at)
            }
            Event::MappingStart(..) => {
                let node = self.value(at, None)?;
                self.open(
                    Open::Mapping {
                        node,
                        keys: HashMap::new(),
                        key: None,
                    },
                    at,
                )
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn open(&mut self, collection: Open, at: Position) -> std::result::Result<(), Refused> {
        self.open.push(collection);
        match self.open.len() > self.limits.max_depth {
            true => Err((
                at,
                Refusal::TooDeep {
                    limit: self.limits.max_depth,
                },
            )),
            false => Ok(()),
        }
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: &Span) -> std::result::Result<(), Refused> {
        let at = position(span);
        let plain = style == ScalarStyle::Plain;
        if let Some(Open::Mapping {
            keys, key: key @ None, ..
        }) = self.open.last_mut()
        {
            if plain && text == "<<" {
                return Err((at, Refusal::MergeKey));
            }
            if let Some(first) = keys.insert(text.to_owned(), at) {
                return Err((
                    at,
                    Refusal::DuplicateKey {
                        key: text.to_owned(),
                        first,
                    },
                ));
            }
            *key = Some((text.to_owned(), at));
            return Ok(());
        }
        if plain && is_not_finite(text) {
            return Err((at, Refusal::NotFinite { text: text.to_owned() }));
        }
        self.value(at, span.byte_range()).map(drop)
    }

    /// Adds a node for the value that begins here.
    fn value(&mut self, at: Position, scalar: Option<Range<usize>>) -> std::result::Result<usize, Refused> {
        if self.nodes.len() >= self.limits.max_nodes {
            return Err((
                at,
                Refusal::TooManyNodes {
                    limit: self.limits.max_nodes,
                },
            ));
        }
        let (parent, label) = match self.open.last_mut() {
            None => (None, Label::Root),
            Some(Open::Sequence { node, len }) => {
                *len += 1;
                (Some(*node), Label::Item(*len - 1))
            }
            Some(Open::Mapping { node, key, .. }) => match key.take() {
                Some((text, at)) => (Some(*node), Label::Key { text, at }),
                None => return Err((at, Refusal::KeyNotText)),
            },
        };
        self.nodes.push(Node {
            parent,
            label,
            at,
            scalar,
        });
        Ok(self.nodes.len() - 1)
    }
}

fn position(span: &Span) -> Position {
    Position::new(span.start.line() as u64, span.start.col() as u64 + 1)
}

fn syntax(file: &str, error: &ScanError, limits: &Limits) -> Error {
    let mark = error.marker();
    let at = Position::new(mark.line() as u64, mark.col() as u64 + 1);
    let file = file.to_owned();
    let what = match error.kind() {
        ErrorKind::DirectiveDisallowed => Refusal::Directive,
        // The scanner runs ahead of the events that this pass counts.
        ErrorKind::RecursionLimitExceeded => Refusal::TooDeep {
            limit: limits.max_depth,
        },
        _ => {
            return Error::Syntax {
                file,
                at,
                message: error.info(),
            };
        }
    };
    Error::Refused { file, at, what }
}

/// The first tab in a line's leading blanks. Block texts are no exception: an editor that mixes tabs and
/// blanks would silently change what such a text says.
fn find_tab(text: &str) -> Option<Position> {
    for (line, content) in (1..).zip(text.lines()) {
        let leading = content.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
        if let Some(column) = leading.into_iter().position(|byte| byte == b'\t') {
            return Some(Position::new(line, column as u64 + 1));
        }
    }
    None
}

/// The plain spellings that YAML 1.2 reads as no finite number.
fn is_not_finite(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    unsigned.eq_ignore_ascii_case(".inf") || unsigned.eq_ignore_ascii_case(".nan")
}
