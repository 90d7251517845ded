//! Graphs as documents: JSON that names nodes and how they are wired.
//!
//! ```json
//! {
//!   "version": 1,
//!   "name": "ring",
//!   "inputs": { "radius": { "type": "Float", "default": 3.0 } },
//!   "nodes": {
//!     "spots": { "node": "points.disc", "inputs": { "count": 12, "radius": { "input": "radius" } } }
//!   },
//!   "outputs": { "spots": { "node": "spots" } }
//! }
//! ```

mod construct;
mod lines;

use crate::error::{BuildError, Error, Location, Result, Site};
use crate::graph::Graph;
use crate::graph::definition::GraphDef;
use crate::graph::input::InputValue;
use crate::graph::socket::{AnySocket, Bool, Float, Int, Socket};
use crate::graph::wire::Wire;
use crate::node::{Argument, InputKind, Schema, Wires};
use crate::registry::Registry;
use crate::value::{Key, KeyHasher};
use lines::Origin;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The version of the format that this crate reads and writes.
pub const DOCUMENT_VERSION: u32 = 1;

/// A graph as data. Written to JSON and read back it is the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Of the format; a reader refuses any other.
    pub version: u32,
    /// The graph's name.
    pub name: String,
    /// Its inputs, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, DocInput>,
    /// Its nodes, by a name of the document's own.
    pub nodes: BTreeMap<String, DocNode>,
    /// Its outputs, by name.
    pub outputs: BTreeMap<String, DocSource>,
    /// The outputs that a disk cache keeps, where the store has one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub cached: BTreeSet<String>,
    /// The text it was read from.
    #[serde(skip)]
    origin: Origin,
}

/// An input of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum DocInput {
    /// A number.
    Float {
        /// What it is where nothing is given.
        default: f32,
        /// Whether it chooses the graph's structure: the graph is built again for each value, and what it is given to reads
        /// it as if it were written there.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        plain: bool,
    },
    /// A whole number.
    Int {
        /// What it is where nothing is given.
        default: i32,
        /// Whether it chooses the graph's structure, as of a Float.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        plain: bool,
    },
    /// A truth, which chooses the graph's structure.
    Bool {
        /// What it is where nothing is given.
        default: bool,
    },
    /// A text, which chooses the graph's structure.
    String {
        /// What it is where nothing is given.
        default: String,
        /// What it may be; anything where there is none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        options: Vec<String>,
    },
    /// A whole number from 0 on.
    UInt {
        /// What it is where nothing is given.
        default: u32,
    },
    /// Two numbers.
    Vec2 {
        /// What it is where nothing is given.
        default: [f32; 2],
    },
    /// A vector.
    Vec3 {
        /// What it is where nothing is given.
        default: [f32; 3],
    },
    /// Four numbers.
    Vec4 {
        /// What it is where nothing is given.
        default: [f32; 4],
    },
    /// A rotation: x, y, z, w of length 1.
    Quat {
        /// What it is where nothing is given.
        default: [f32; 4],
    },
    /// A colour: red, green, blue and alpha, linear.
    Color {
        /// What it is where nothing is given.
        default: [f32; 4],
    },
    /// A geometry, which a play must be given.
    Geometry,
    /// A raster, which a play must be given.
    Raster,
}

/// A node of a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocNode {
    /// The id of the node in the registry, such as `points.disc`; of an operator, such as `math.add` with the operands `a`
    /// and `b`; or of a construct:
    ///
    /// | construct | inputs | answers |
    /// |---|---|---|
    /// | `construct.pick` | `choice`, `alternatives` | the one the choice names: a place from 0 or a truth among a list, a text among named ones |
    /// | `construct.where` | `cond`, `a`, `b` | `a` where the condition holds, else `b` |
    /// | `construct.compare` | `a`, `op`, `b` | a Bool; `op` is `eq`, `neq`, `lt`, `le`, `gt` or `ge` |
    /// | `construct.check` | `cond`, `message` | nothing |
    /// | `construct.has` | `geometry`, `class`, `name` | whether the class holds the column |
    /// | `construct.count` | `geometry`, `class` | how many elements it has |
    /// | `construct.count_set` | `geometry`, `class`, `count` | the geometry |
    /// | `construct.column` | `geometry`, `class`, `name` | the column |
    /// | `construct.column_set` | `geometry`, `class`, `name`, `value` | the geometry |
    /// | `construct.column_remove` | `geometry`, `class`, `name` | the geometry |
    /// | `construct.detail` | `geometry`, `name`, `type` | the value |
    /// | `construct.detail_set` | `geometry`, `name`, `value` | the geometry |
    /// | `construct.element` | `class`, `name`, `type`; or `name` alone, `id` | what a field reads of its element |
    /// | `construct.clock` | `field`: `time`, `frame`, `delta`, `fps`, `duration`, `rotation` or `entity` | what it holds |
    /// | `construct.list` | `items` | a list |
    /// | `construct.item` | `list`, `index` from 0, `type` | an item |
    /// | `construct.list_count`, `construct.list_merge` | `list` | how many items; their geometries as one |
    pub node: String,
    /// What it is given, by input name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, DocArgument>,
}

/// What an input of a node is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DocArgument {
    /// A truth.
    Bool(bool),
    /// A whole number; a Float and a UInt input take it too.
    Int(i32),
    /// A number.
    Float(f32),
    /// Two numbers.
    Vec2([f32; 2]),
    /// Three numbers; an opaque colour too.
    Vec3([f32; 3]),
    /// Four numbers; a rotation or a colour too.
    Vec4([f32; 4]),
    /// A text or the name of an option.
    Text(String),
    /// An input or another node.
    Source(DocSource),
    /// Several of those.
    Sources(Vec<DocSource>),
    /// Several of those by name, for a pick.
    Named(BTreeMap<String, DocSource>),
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum DocSource {
    /// An input of the graph.
    Input {
        /// Its name.
        input: String,
    },
    /// An output of a node.
    Node {
        /// The node's name in this document.
        node: String,
        /// Which of its outputs.
        #[serde(default, skip_serializing_if = "DocOutput::is_first")]
        output: DocOutput,
    },
}

/// Which output of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DocOutput {
    /// By its place, from 0.
    Place(usize),
    /// By its name.
    Name(String),
}

impl Default for DocOutput {
    /// The first.
    fn default() -> Self {
        DocOutput::Place(0)
    }
}

impl DocOutput {
    fn is_first(&self) -> bool {
        *self == DocOutput::Place(0)
    }
}

/// The outputs of a node of a document, by name.
type Made<'d, 'g> = BTreeMap<&'d str, Vec<(String, AnySocket<'g>)>>;

impl Document {
    /// What the document says, whatever order its text states it in: equal documents have equal hashes, on every machine,
    /// and reading one back from JSON moves nothing.
    pub fn hash(&self) -> Key {
        let mut hasher = KeyHasher::new("document");
        // The maps are sorted, so that the text is one and the same for equal documents; every number in it reads back
        // as it was.
        match serde_json::to_string(self) {
            Ok(text) => hasher.text(&text),
            // Maps of text keys and numbers always have such a text; what is left is kept apart from them.
            Err(error) => hasher.text("unwritable").text(&error.to_string()),
        };
        hasher.finish()
    }

    /// Reads a document; one of another version, with a field that is not known or of another shape is refused with
    /// its line and column. Errors of the graph name the document and the line of the node.
    pub fn from_json(text: &str) -> Result<Document> {
        Document::read(None, text)
    }

    /// The same of a file's text: errors state the file by this name.
    pub fn from_json_file(file: &str, text: &str) -> Result<Document> {
        Document::read(Some(file), text)
    }

    fn read(file: Option<&str>, text: &str) -> Result<Document> {
        let refuse = |message: String| {
            Error::Document(match file {
                Some(file) => format!("{file}: {message}"),
                None => message,
            })
        };
        let mut document: Document = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if document.version != DOCUMENT_VERSION {
            let message = format!("expected version {DOCUMENT_VERSION}, got {}", document.version);
            return Err(refuse(message));
        }
        document.origin = Origin::of(file, text);
        Ok(document)
    }

    /// What errors call the document.
    fn file(&self) -> Arc<str> {
        let named = self.origin.file.clone();
        named.unwrap_or_else(|| self.name.as_str().into())
    }

    /// A refusal at the line of a part.
    fn refused(&self, section: &str, name: &str, what: &str, message: String) -> Error {
        let site = Location {
            file: self.file(),
            line: self.origin.line(section, name),
        };
        Error::Build {
            graph: self.name.clone(),
            errors: vec![BuildError {
                site,
                what: what.to_owned(),
                message,
            }],
        }
    }

    fn refused_node(&self, name: &str, error: &Error) -> Error {
        let what = self.nodes.get(name).map_or(name, |node| node.node.as_str());
        let text = error.to_string();
        let message = match text.strip_prefix(what).and_then(|rest| rest.strip_prefix(['.', ':'])) {
            Some(rest) => rest.trim_start().to_owned(),
            None => text,
        };
        self.refused("nodes", name, what, message)
    }

    /// Writes the document, indented, keys sorted.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|error| Error::Document(error.to_string()))
    }

    /// The graph that the document describes, over the nodes of a registry. A node that the registry does not hold, a
    /// name that nothing answers to and nodes that feed each other in a circle are refused by name.
    pub fn define(&self, registry: &Registry) -> Result<GraphDef> {
        let order = self.order(registry)?;
        let (document, registry) = (self.clone(), registry.clone());
        // A failure inside the build leaves through here: the build itself only files refusals with their lines.
        let failed: Arc<Mutex<Option<Error>>> = Arc::default();
        let seen = failed.clone();
        let defined = Graph::define(&self.name, move |g| {
            if let Err(error) = document.build(g, &registry, &order) {
                match &error {
                    Error::Build { errors, .. } => errors.iter().for_each(|refused| g.file(refused.clone())),
                    other => g.refuse(Site::caller(), &document.name, other.to_string()),
                }
                *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        });
        let failed = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        match failed {
            Some(error) => Err(error),
            None => defined,
        }
    }

    /// The nodes, each after those it reads.
    fn order(&self, registry: &Registry) -> Result<Vec<String>> {
        let mut graph: DiGraph<&str, ()> = DiGraph::new();
        let places: HashMap<&str, NodeIndex> = self
            .nodes
            .keys()
            .map(|name| (name.as_str(), graph.add_node(name.as_str())))
            .collect();
        for (name, node) in &self.nodes {
            if !construct::is_construct(&node.node) {
                registry
                    .schema(&node.node)
                    .map_err(|error| self.refused_node(name, &error))?;
            }
            for source in node.inputs.values().flat_map(sources) {
                if let DocSource::Node { node: from, .. } = source {
                    let known = places.get(from.as_str());
                    let from = known.ok_or_else(|| {
                        let unknown = Error::unknown("node", from, self.nodes.keys().map(String::as_str));
                        self.refused_node(name, &unknown)
                    })?;
                    graph.add_edge(*from, places[name.as_str()], ());
                }
            }
        }
        match toposort(&graph, None) {
            Ok(order) => Ok(order.into_iter().map(|place| graph[place].to_owned()).collect()),
            Err(cycle) => Err(Error::Cycle {
                site: Location {
                    file: self.file(),
                    line: self.origin.line("nodes", graph[cycle.node_id()]),
                },
                nodes: circle(&graph, cycle.node_id()),
            }),
        }
    }

    fn build(&self, g: &Graph, registry: &Registry, order: &[String]) -> Result<()> {
        let mut inputs: BTreeMap<&str, AnySocket<'_>> = BTreeMap::new();
        let mut plain: BTreeMap<&str, DocArgument> = BTreeMap::new();
        let file = self.file();
        for (name, input) in &self.inputs {
            g.read_from(&file, self.origin.line("inputs", name));
            let socket: AnySocket<'_> = match input {
                DocInput::Float { default, plain: true } => {
                    let value = g.plain(name, *default);
                    plain.insert(name, DocArgument::Float(value));
                    Float::from_wire(g, Wire::Float(value)).into()
                }
                DocInput::Int { default, plain: true } => {
                    let value = g.plain(name, *default);
                    plain.insert(name, DocArgument::Int(value));
                    Int::from_wire(g, Wire::Int(value)).into()
                }
                DocInput::Bool { default } => {
                    let value = g.plain(name, *default);
                    plain.insert(name, DocArgument::Bool(value));
                    Bool::from_wire(g, Wire::Bool(value)).into()
                }
                DocInput::String { default, options } => {
                    let value = g.plain(name, default.clone());
                    if !options.is_empty() && !options.contains(&value) {
                        let message = format!("'{name}': expected one of {}, got {value}", options.join(", "));
                        return Err(self.refused("inputs", name, "input", message));
                    }
                    // No socket carries a text.
                    plain.insert(name, DocArgument::Text(value));
                    continue;
                }
                DocInput::Float { default, .. } => g.float(name, *default).into(),
                DocInput::Int { default, .. } => g.int(name, *default).into(),
                DocInput::UInt { default } => g.uint(name, *default).into(),
                DocInput::Vec2 { default } => g.vec2(name, *default).into(),
                DocInput::Vec3 { default } => g.vec3(name, *default).into(),
                DocInput::Vec4 { default } => g.vec4(name, *default).into(),
                DocInput::Quat { default } => g.quat(name, *default).into(),
                DocInput::Color { default } => g.color(name, *default).into(),
                DocInput::Geometry => g.geometry(name).into(),
                DocInput::Raster => g.raster(name).into(),
            };
            inputs.insert(name, socket);
        }
        let mut made: Made<'_, '_> = BTreeMap::new();
        for name in order {
            let node = &self.nodes[name];
            g.read_from(&file, self.origin.line("nodes", name));
            let arguments: BTreeMap<String, DocArgument> = node
                .inputs
                .iter()
                .map(|(input, argument)| (input.clone(), written_out(argument, &plain)))
                .collect();
            if construct::is_construct(&node.node) {
                let outputs = construct::call(g, &node.node, &arguments, &inputs, &made);
                made.insert(name, outputs.map_err(|error| self.refused_node(name, &error))?);
                continue;
            }
            let schema = registry.schema(&node.node)?;
            let mut given = BTreeMap::new();
            for (input, argument) in &arguments {
                let argument = argument_of(schema, input, argument, &inputs, &made)
                    .map_err(|error| self.refused_node(name, &Error::Refused(format!("{input}: {error}"))))?;
                given.insert(input.clone(), argument);
            }
            let wires = Wires::new(schema, given).map_err(|error| self.refused_node(name, &error))?;
            let outputs = registry.call(g, &node.node, wires);
            let outputs = outputs.map_err(|error| self.refused_node(name, &error))?;
            let names = registry.node(&node.node)?.outputs.iter().map(|(name, _)| name.clone());
            made.insert(name, names.zip(outputs).collect());
        }
        for (name, source) in &self.outputs {
            g.read_from(&file, self.origin.line("outputs", name));
            let socket = source_of(source, &inputs, &made)
                .map_err(|error| self.refused("outputs", name, "output", format!("'{name}': {error}")))?;
            g.output(name, socket);
        }
        self.cached.iter().for_each(|name| g.cache(name));
        Ok(())
    }
}

/// An argument, where it is a plain input the value of that.
fn written_out(argument: &DocArgument, plain: &BTreeMap<&str, DocArgument>) -> DocArgument {
    let value = match argument {
        DocArgument::Source(DocSource::Input { input }) => plain.get(input.as_str()),
        _ => None,
    };
    value.unwrap_or(argument).clone()
}

fn sources(argument: &DocArgument) -> Vec<&DocSource> {
    match argument {
        DocArgument::Source(source) => vec![source],
        DocArgument::Sources(sources) => sources.iter().collect(),
        DocArgument::Named(sources) => sources.values().collect(),
        _ => Vec::new(),
    }
}

/// The shortest circle through a node, the node repeated at the end.
fn circle(graph: &DiGraph<&str, ()>, start: NodeIndex) -> Vec<String> {
    let mut shortest: Option<Vec<NodeIndex>> = None;
    for next in graph.neighbors(start) {
        if let Some((_, path)) = petgraph::algo::astar(graph, next, |node| node == start, |_| 1u32, |_| 0)
            && shortest.as_ref().is_none_or(|held| path.len() < held.len())
        {
            shortest = Some(path);
        }
    }
    let path = shortest.unwrap_or_default();
    std::iter::once(start)
        .chain(path)
        .map(|node| graph[node].to_owned())
        .collect()
}

fn argument_of<'g>(
    schema: &Schema,
    input: &str,
    argument: &DocArgument,
    inputs: &BTreeMap<&str, AnySocket<'g>>,
    made: &Made<'_, 'g>,
) -> Result<Argument<'g>> {
    let kind = schema
        .inputs
        .iter()
        .find(|held| held.name == input)
        .map(|held| held.kind);
    Ok(match argument {
        DocArgument::Bool(value) => Argument::Plain(InputValue::Bool(*value)),
        DocArgument::Int(value) if matches!(kind, Some(InputKind::PlainFloat)) => {
            Argument::Plain(InputValue::Float(*value as f32))
        }
        DocArgument::Int(value) => Argument::Plain(InputValue::Int(*value)),
        DocArgument::Float(value) => Argument::Plain(InputValue::Float(*value)),
        DocArgument::Vec2(value) => Argument::Plain(InputValue::Vec2(*value)),
        DocArgument::Vec3(value) => Argument::Plain(InputValue::Vec3(*value)),
        DocArgument::Vec4(value) => Argument::Plain(InputValue::Vec4(*value)),
        DocArgument::Text(value) => Argument::Plain(InputValue::Text(value.clone())),
        DocArgument::Source(source) => Argument::Socket(source_of(source, inputs, made)?),
        DocArgument::Sources(sources) => Argument::List(
            sources
                .iter()
                .map(|source| source_of(source, inputs, made))
                .collect::<Result<_>>()?,
        ),
        DocArgument::Named(named) => {
            let found = format!("{} named values", named.len());
            return Err(Error::Refused(format!("expected one value or a list, got {found}")));
        }
    })
}

fn source_of<'g>(
    source: &DocSource,
    inputs: &BTreeMap<&str, AnySocket<'g>>,
    made: &Made<'_, 'g>,
) -> Result<AnySocket<'g>> {
    match source {
        DocSource::Input { input } => inputs
            .get(input.as_str())
            .copied()
            .ok_or_else(|| Error::unknown("input", input, inputs.keys().copied())),
        DocSource::Node { node, output } => {
            let outputs = made
                .get(node.as_str())
                .ok_or_else(|| Error::unknown("node", node, made.keys().copied()))?;
            match output {
                DocOutput::Place(place) => outputs
                    .get(*place)
                    .map(|(_, socket)| *socket)
                    .ok_or_else(|| Error::Kind {
                        what: format!("node '{node}'"),
                        expected: format!("an output below {}", outputs.len()),
                        found: place.to_string(),
                    }),
                DocOutput::Name(name) => {
                    let found = outputs.iter().find(|(held, _)| held == name);
                    found
                        .map(|(_, socket)| *socket)
                        .ok_or_else(|| Error::unknown("output", name, outputs.iter().map(|(held, _)| held.as_str())))
                }
            }
        }
    }
}
