//! A graph written as a document: the calls that a person wrote, by what they were given.

mod items;
mod operations;
mod scopes;

use super::{DOCUMENT_VERSION, DocInput, DocNode, DocOutput, DocSource, DocTimeline, Document};
use crate::error::{BuildError, Error, Location, Result};
use crate::graph::WrittenCall;
use crate::graph::definition::{Built, GraphDef};
use crate::graph::input::{InputDecl, InputValue, Inputs};
use crate::graph::timeline::{Ending, Pace};
use crate::graph::wire::{CallId, NodeId, ScopeId, Type, Wire};
use crate::registry::Registry;
use items::Item;
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl GraphDef {
    /// The graph as a document over the nodes of a registry: read back it is a graph of the same [`hash`](Self::hash) that
    /// cooks to the same bytes. What no output and no check stands on is left out, and so are labels of passes and
    /// arguments that are their inputs' defaults. A document is plain serde data: [`Document::to_json`] writes it as JSON,
    /// any other format that describes itself, RON for one, does as well.
    ///
    /// ```
    /// use zero_procgen::nodes::{mesh, points, instances};
    /// use zero_procgen::{Document, Graph, Registry};
    ///
    /// let graph = Graph::define("ring", |g| {
    ///     let spots = g.add(points::Disc::new().radius(g.float("radius", 3.0) * 2.0));
    ///     g.output("stones", g.add(instances::Place::new(spots, g.add(mesh::Box::new()))));
    /// })?;
    /// let registry = Registry::standard();
    /// let text = graph.to_document(&registry)?.to_json()?;
    /// let read = Document::from_json(&text)?.define(&registry)?;
    /// assert_eq!(read.hash()?, graph.hash()?);
    /// # Ok::<(), zero_procgen::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unwritable`] with everything that no document can state, each with its line: a kernel or an operation of
    /// the host's own code, a node that the registry does not hold or that can't say what it was given, a value that a
    /// node makes within itself, several values at once out of a pick, a list or the items of a `for`, two steps of one
    /// name, and a plain input, which chooses the structure by Rust code:
    /// [`to_document_for`](Self::to_document_for) writes the graph that it chooses.
    pub fn to_document(&self, registry: &Registry) -> Result<Document> {
        write(self.standard(), registry, true)
    }

    /// The graph that these plain values choose, as a document that takes them no more.
    ///
    /// # Errors
    /// As [`to_document`](Self::to_document), but for the plain inputs; [`Error::Unknown`] for a name that is none of
    /// them, and what the build for these values refuses.
    pub fn to_document_for(&self, registry: &Registry, plain: &Inputs) -> Result<Document> {
        let declared = || self.plain().iter().map(|held| held.name.as_str());
        if let Some(name) = plain.0.keys().find(|name| !declared().any(|held| held == *name)) {
            return Err(Error::unknown("plain input", name, declared()));
        }
        write(&*self.built_for(plain)?, registry, false)
    }
}

fn write(built: &Built, registry: &Registry, plain_is_refused: bool) -> Result<Document> {
    let mut writer = Writer::new(built, registry);
    if plain_is_refused {
        for plain in &built.plain {
            let message = format!("'{}' is plain: Rust code chooses the structure by it", plain.name);
            let site = plain.site.located(built.document.as_ref());
            writer.refuse(site, "plain", message);
        }
    }
    let document = writer.document();
    match writer.errors.is_empty() {
        true => Ok(document),
        false => Err(Error::Unwritable {
            graph: built.name.clone(),
            errors: writer.errors,
        }),
    }
}

/// The nodes of a body so far.
type Nodes = BTreeMap<String, DocNode>;

struct Writer<'b> {
    built: &'b Built,
    registry: &'b Registry,
    calls: HashMap<CallId, &'b WrittenCall>,
    /// The nodes that run each body.
    runs: HashMap<ScopeId, NodeId>,
    names: HashMap<Item, String>,
    taken: BTreeSet<String>,
    /// What was written, by the body it stands in.
    nodes: HashMap<ScopeId, Nodes>,
    errors: Vec<BuildError>,
}

impl<'b> Writer<'b> {
    fn new(built: &'b Built, registry: &'b Registry) -> Writer<'b> {
        Writer {
            built,
            registry,
            calls: built.written.iter().map(|call| (call.id, call)).collect(),
            runs: scopes::runs(built),
            names: HashMap::new(),
            taken: BTreeSet::new(),
            nodes: HashMap::new(),
            errors: Vec::new(),
        }
    }

    fn refuse(&mut self, site: Location, what: &str, message: String) {
        let what = what.to_owned();
        self.errors.push(BuildError { site, what, message });
    }

    fn document(&mut self) -> Document {
        let built = self.built;
        let needed = self.needed();
        self.name(&needed);
        // Bodies last: those within come before those around, since a body's node is made before what runs it.
        for item in &needed {
            self.write(*item);
        }
        let mut outputs = BTreeMap::new();
        for output in &built.outputs {
            let site = output.site.located(built.document.as_ref());
            let source = self.source(output.wire, &site, "output");
            outputs.insert(output.name.clone(), source);
        }
        let inputs = built.inputs.iter().map(|input| (input.name.clone(), declared(input)));
        let inputs = inputs.collect();
        let cached = built.outputs.iter().filter(|output| output.cached);
        Document {
            version: DOCUMENT_VERSION,
            name: built.name.clone(),
            description: built.description.clone(),
            family: built.family.clone(),
            inputs,
            nodes: self.nodes.remove(&ScopeId(0)).unwrap_or_default(),
            outputs,
            cached: cached.map(|output| output.name.clone()).collect(),
            timeline: built.timeline.map(|timeline| DocTimeline {
                fps: timeline.fps,
                frames: timeline.frames,
                looping: timeline.ending == Ending::Loop,
                real_time: timeline.pace == Pace::RealTime,
            }),
            origin: super::lines::Origin::default(),
        }
    }

    fn put(&mut self, scope: ScopeId, name: String, node: DocNode) {
        self.nodes.entry(scope).or_default().insert(name, node);
    }

    /// Where a wire comes from. One that comes from nowhere a document can name is refused at the line of its reader.
    fn source(&mut self, wire: Wire, reader: &Location, what: &str) -> DocSource {
        let found = self.found(wire);
        found.unwrap_or_else(|message| {
            self.refuse(reader.clone(), what, message);
            DocSource::Input { input: String::new() }
        })
    }

    fn found(&mut self, wire: Wire) -> std::result::Result<DocSource, String> {
        let from = |node: &str, output: DocOutput| {
            Ok(DocSource::Node {
                node: node.to_owned(),
                output,
            })
        };
        match wire {
            Wire::Input(id) => Ok(DocSource::Input {
                input: self.built.inputs[id.index()].name.clone(),
            }),
            Wire::Node(id, place) => {
                let item = self.item_of(id);
                let name = self.names.get(&item).cloned().unwrap_or_default();
                let output = match item {
                    Item::Call(call) => self.answer_of(call, wire)?,
                    _ => self.output_of(id, place),
                };
                from(&name, output)
            }
            Wire::FoldValue(scope, _) | Wire::FoldIndex(scope) | Wire::State(scope, _) | Wire::Step(scope, _) => {
                let node = self.runs.get(&scope).map(|node| Item::Node(*node));
                let name = node.and_then(|node| self.names.get(&node)).cloned();
                match (name, self.begins(scope, wire)) {
                    (Some(body), Some(value)) => Ok(DocSource::Body { body, value }),
                    _ => Err("it reads what a body begins with that a document does not name".to_owned()),
                }
            }
            _ => {
                let name = self.leaf(wire)?;
                from(&name, DocOutput::default())
            }
        }
    }

    /// Which of its outputs a call gave as this wire.
    fn answer_of(&self, call: CallId, wire: Wire) -> std::result::Result<DocOutput, String> {
        let node = self.built.calls[call.index()].node;
        let answers = self.calls.get(&call).map(|call| call.answers.as_slice());
        let place = answers.and_then(|answers| answers.iter().position(|answer| *answer == wire));
        let Some(place) = place else {
            return Err(format!("it reads a value that g.{node} makes within itself"));
        };
        let outputs = self.registry.node(node).map(|entry| &entry.outputs);
        Ok(match outputs {
            Ok(outputs) if outputs.len() > 1 => match outputs.get(place) {
                Some((name, _)) => DocOutput::Name(name.clone()),
                None => DocOutput::Place(place),
            },
            _ => DocOutput::Place(place),
        })
    }

    /// The type of what travels along a wire, where the graph says it.
    fn type_of(&self, wire: Wire) -> Option<Type> {
        match wire {
            Wire::Input(id) => self.built.inputs.get(id.index()).map(|input| input.ty),
            Wire::Node(id, place) => self
                .built
                .nodes
                .get(id.index())?
                .outputs
                .get(usize::from(place))
                .copied(),
            Wire::FoldIndex(_) => Some(Type::Int),
            Wire::FoldValue(scope, slot) => self.slot_type(scope, usize::from(slot)),
            Wire::State(..) => Some(Type::Column),
            _ => wire.as_constant().map(|(ty, _)| ty),
        }
    }
}

/// An input as a document declares it.
fn declared(input: &InputDecl) -> DocInput {
    let description = input.description.clone();
    let range = input.range;
    let low = || range.map(|(low, _)| low).filter(|low| low.is_finite());
    let high = || range.map(|(_, high)| high).filter(|high| high.is_finite());
    match (&input.default, input.ty) {
        (Some(InputValue::Float(default)), _) => DocInput::Float {
            default: *default,
            plain: false,
            min: low().map(|low| low as f32),
            max: high().map(|high| high as f32),
            description,
        },
        (Some(InputValue::Int(default)), _) => DocInput::Int {
            default: *default,
            plain: false,
            min: low().map(|low| low as i32),
            max: high().map(|high| high as i32),
            description,
        },
        (Some(InputValue::UInt(default)), _) => DocInput::UInt {
            default: *default,
            min: low().map(|low| low as u32),
            max: high().map(|high| high as u32),
            description,
        },
        (Some(InputValue::Vec2(default)), _) => DocInput::Vec2 {
            default: *default,
            description,
        },
        (Some(InputValue::Vec3(default)), _) => DocInput::Vec3 {
            default: *default,
            description,
        },
        (Some(InputValue::Vec4(default)), _) => DocInput::Vec4 {
            default: *default,
            description,
        },
        (Some(InputValue::Quat(default)), _) => DocInput::Quat {
            default: *default,
            description,
        },
        (Some(InputValue::Color(default)), _) => DocInput::Color {
            default: *default,
            description,
        },
        (_, Type::Raster) => DocInput::Raster { description },
        // Numbers always have a default, and no socket input is a truth or a text.
        _ => DocInput::Geometry { description },
    }
}
