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

mod body;
mod build;
mod construct;
mod lines;
mod write;

pub use body::{DocBody, DocStop};

use crate::error::{BuildError, Error, Location, Result, Site};
use crate::graph::Graph;
use crate::graph::definition::GraphDef;
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
    /// What it makes and when to use it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The family it is of.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub family: String,
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
    /// How it is played over time, where it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<DocTimeline>,
    /// The text it was read from.
    #[serde(skip)]
    origin: Origin,
}

/// How a document's graph is played over time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DocTimeline {
    /// Frames a second.
    pub fps: f64,
    /// How many frames; without it the timeline has no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<u32>,
    /// Whether it begins again at its end.
    #[serde(default, rename = "loop", skip_serializing_if = "std::ops::Not::not")]
    pub looping: bool,
    /// Whether it goes by the time that passes, and not frame by frame.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub real_time: bool,
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
        /// The least it takes; of one that is not plain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<f32>,
        /// The most it takes; of one that is not plain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<f32>,
        /// What it is for; of one that is not plain.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A whole number.
    Int {
        /// What it is where nothing is given.
        default: i32,
        /// Whether it chooses the graph's structure, as of a Float.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        plain: bool,
        /// The least it takes; of one that is not plain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<i32>,
        /// The most it takes; of one that is not plain.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<i32>,
        /// What it is for; of one that is not plain.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
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
        /// The least it takes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        min: Option<u32>,
        /// The most it takes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        max: Option<u32>,
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// Two numbers.
    Vec2 {
        /// What it is where nothing is given.
        default: [f32; 2],
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A vector.
    Vec3 {
        /// What it is where nothing is given.
        default: [f32; 3],
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// Four numbers.
    Vec4 {
        /// What it is where nothing is given.
        default: [f32; 4],
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A rotation: x, y, z, w of length 1.
    Quat {
        /// What it is where nothing is given.
        default: [f32; 4],
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A colour: red, green, blue and alpha, linear.
    Color {
        /// What it is where nothing is given.
        default: [f32; 4],
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A geometry, which a play must be given.
    Geometry {
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
    /// A raster, which a play must be given.
    Raster {
        /// What it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
    },
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
    /// | `construct.clock` | `field`: `time`, `frame`, `delta`, `fps`, `duration`, `rotation`, `entity`, `stands`, and by column `placement0` to `placement3`, `inverse0` to `inverse3` | what it holds |
    /// | `construct.constant` | `type`, `value` | a constant of a type that its number alone doesn't say |
    /// | `construct.draw` | `channel`; `seed` (0), `scope` (`graph`), `element` (its number) | a unit draw: see [`Graph::draw`] |
    /// | `construct.read`, `construct.gather` | `column`, `type`; `index` | the element's own value of a column, another's |
    /// | `construct.evaluate` | `count`, `value`; `exact` | a field as a column |
    /// | `construct.empty` | nothing | a geometry of no elements |
    /// | `construct.from_columns` | `count`, `columns` by name, `types` in the order of the names | points |
    /// | `construct.raster_shape`, `construct.raster_samples` | `raster` | `width`, `height`, `spacingX`, `spacingZ`, `originX`, `originZ`; the samples as a column |
    /// | `construct.raster_with_samples` | `raster`, `samples` | the raster |
    /// | `construct.raster_evaluate` | `geometry`, `class`, `value` | a field over a class as a column, exactly |
    /// | `construct.list` | `items` | a list |
    /// | `construct.item` | `list`, `index` from 0, `type` | an item |
    /// | `construct.list_count`, `construct.list_merge` | `list` | how many items; their geometries as one |
    /// | `construct.fold` | `count`, `init`: a value, or several by name; a `body`, a `stop` | the state after the last pass |
    /// | `construct.for` | `list` and the `type` of its items, or `count`; `carry`: values by name; a `body` | `list`: what the passes left; what they carried |
    /// | `construct.step` | `dt`, `substeps`, `count`; a `state`, a `body` | `points`; the columns by name |
    /// | `construct.step_sample` | `step`: the node whose body it stands in, `value` | the value at the step's time |
    /// | `construct.step_between` | `step`, `index` | how far a substep is through what the present covers |
    pub node: String,
    /// What it is given, by input name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, DocArgument>,
    /// Of a step: the columns of its state, by name, each with its type.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub state: BTreeMap<String, String>,
    /// Of a construct whose passes run more than once: what a pass does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<DocBody>,
    /// Of a fold: what ends it before its last pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<DocStop>,
}

/// What an input of a node is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DocArgument {
    /// A truth.
    Bool(bool),
    /// A whole number; a Float and a UInt input take it too.
    Int(i32),
    /// A whole number past those of an Int.
    UInt(u32),
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
    /// Something that a pass of a body begins with: see [`DocBody`].
    Body {
        /// The node whose body it is.
        body: String,
        /// What of it.
        value: String,
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

    /// A refusal of a node at its line, by its path: the names of the nodes it stands in the bodies of, and its own.
    fn refused_node(&self, path: &str, node: &DocNode, error: &Error) -> Error {
        let text = error.to_string();
        let message = match text
            .strip_prefix(&node.node)
            .and_then(|rest| rest.strip_prefix(['.', ':']))
        {
            Some(rest) => rest.trim_start().to_owned(),
            None => text,
        };
        self.refused("nodes", path, &node.node, message)
    }

    /// Writes the document, indented, keys sorted.
    pub fn to_json(&self) -> Result<String> {
        serde_json::to_string_pretty(self).map_err(|error| Error::Document(error.to_string()))
    }

    /// The graph that the document describes, over the nodes of a registry. A node that the registry does not hold, a
    /// name that nothing answers to and nodes that feed each other in a circle are refused by name.
    pub fn define(&self, registry: &Registry) -> Result<GraphDef> {
        self.order(&self.nodes, "", &BTreeSet::new(), registry)?;
        let (document, registry) = (self.clone(), registry.clone());
        // A failure inside the build leaves through here: the build itself only files refusals with their lines.
        let failed: Arc<Mutex<Option<Error>>> = Arc::default();
        let seen = failed.clone();
        let defined = Graph::define(&self.name, move |g| {
            if let Err(error) = document.build(g, &registry) {
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

    /// The nodes of a document or of a body, each after those it reads. `within` is the path of the body, `around` the names
    /// of the nodes around it. The bodies of the nodes are looked through too.
    fn order<'d>(
        &self,
        nodes: &'d BTreeMap<String, DocNode>,
        within: &str,
        around: &BTreeSet<&'d str>,
        registry: &Registry,
    ) -> Result<Vec<&'d str>> {
        let mut graph: DiGraph<&str, ()> = DiGraph::new();
        let places: HashMap<&str, NodeIndex> = nodes
            .keys()
            .map(|name| (name.as_str(), graph.add_node(name.as_str())))
            .collect();
        let known: BTreeSet<&str> = around.iter().copied().chain(places.keys().copied()).collect();
        for (name, node) in nodes {
            let path = format!("{within}{name}");
            let refuse = |error: &Error| self.refused_node(&path, node, error);
            if around.contains(name.as_str()) {
                let message = format!("'{name}' is the name of a node around the body too; call one of them otherwise");
                return Err(refuse(&Error::Refused(message)));
            }
            if !construct::is_construct(&node.node) {
                registry.schema(&node.node).map_err(|error| refuse(&error))?;
            }
            for (from, own) in body::reads(node) {
                match places.get(from) {
                    Some(from) => drop(graph.add_edge(*from, places[name.as_str()], ())),
                    // A node within a body is looked for where the body's own nodes are known.
                    None if !own || around.contains(from) => {}
                    None => return Err(refuse(&Error::unknown("node", from, known.iter().copied()))),
                }
            }
            for (part, inner) in body::bodies(node) {
                self.order(&inner.nodes, &format!("{path}/{part}/"), &known, registry)?;
                body::check_results(inner, &known).map_err(|error| refuse(&error))?;
            }
        }
        match toposort(&graph, None) {
            Ok(order) => Ok(order.into_iter().map(|place| graph[place]).collect()),
            Err(cycle) => Err(Error::Cycle {
                site: Location {
                    file: self.file(),
                    line: self
                        .origin
                        .line("nodes", &format!("{within}{}", graph[cycle.node_id()])),
                },
                nodes: circle(&graph, cycle.node_id()),
            }),
        }
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
