//! The graph that a document describes, node by node.

use super::{DocArgument, DocInput, DocNode, DocOutput, DocSource, DocTimeline, Document, construct};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::graph::input::InputValue;
use crate::graph::socket::{AnySocket, Bool, Float, Int, Socket};
use crate::graph::timeline::{Ending, Pace, Timeline};
use crate::graph::wire::Wire;
use crate::node::{Argument, InputKind, Schema, Wires};
use crate::registry::Registry;
use std::collections::{BTreeMap, BTreeSet};

/// The outputs of a node, by name.
pub(super) type Outputs<'g> = Vec<(String, AnySocket<'g>)>;

/// What the nodes of a document or of a body may read.
#[derive(Clone)]
pub(super) struct Env<'d, 'g> {
    pub(super) g: &'g Graph,
    pub(super) document: &'d Document,
    pub(super) registry: &'d Registry,
    pub(super) inputs: BTreeMap<&'d str, AnySocket<'g>>,
    /// The inputs whose values the build knows.
    pub(super) plain: BTreeMap<&'d str, DocArgument>,
    pub(super) made: BTreeMap<&'d str, Outputs<'g>>,
    /// What a pass of each body around begins with, by the node whose body it is.
    pub(super) bodies: BTreeMap<String, BTreeMap<String, AnySocket<'g>>>,
}

impl Document {
    pub(super) fn build(&self, g: &Graph, registry: &Registry) -> Result<()> {
        let mut env = Env {
            g,
            document: self,
            registry,
            inputs: BTreeMap::new(),
            plain: BTreeMap::new(),
            made: BTreeMap::new(),
            bodies: BTreeMap::new(),
        };
        let file = self.file();
        if let Some(timeline) = &self.timeline {
            g.read_from(&file, self.origin.line("timeline", "fps"));
            g.timeline(timeline.stated());
        }
        g.describe(&self.description);
        g.family(&self.family);
        for (name, input) in &self.inputs {
            g.read_from(&file, self.origin.line("inputs", name));
            self.input(&mut env, name, input)?;
        }
        env.nodes(&self.nodes, "")?;
        for (name, source) in &self.outputs {
            g.read_from(&file, self.origin.line("outputs", name));
            let socket = source_of(source, &env)
                .map_err(|error| self.refused("outputs", name, "output", format!("'{name}': {error}")))?;
            g.output(name, socket);
        }
        self.cached.iter().for_each(|name| g.cache(name));
        Ok(())
    }

    fn input<'d>(&'d self, env: &mut Env<'d, '_>, name: &'d str, input: &DocInput) -> Result<()> {
        let g = env.g;
        let socket: AnySocket<'_> = match input {
            DocInput::Float {
                default,
                plain: true,
                min: None,
                max: None,
                description,
            } if description.is_empty() => {
                let value = g.plain(name, *default);
                env.plain.insert(name, DocArgument::Float(value));
                Float::from_wire(g, Wire::Float(value)).into()
            }
            DocInput::Int {
                default,
                plain: true,
                min: None,
                max: None,
                description,
            } if description.is_empty() => {
                let value = g.plain(name, *default);
                env.plain.insert(name, DocArgument::Int(value));
                Int::from_wire(g, Wire::Int(value)).into()
            }
            DocInput::Bool { default } => {
                let value = g.plain(name, *default);
                env.plain.insert(name, DocArgument::Bool(value));
                Bool::from_wire(g, Wire::Bool(value)).into()
            }
            DocInput::String { default, options } => {
                let value = g.plain(name, default.clone());
                if !options.is_empty() && !options.contains(&value) {
                    let message = format!("'{name}': expected one of {}, got {value}", options.join(", "));
                    return Err(self.refused("inputs", name, "input", message));
                }
                // No socket carries a text.
                env.plain.insert(name, DocArgument::Text(value));
                return Ok(());
            }
            DocInput::Float { plain: true, .. } | DocInput::Int { plain: true, .. } => {
                let message = format!("'{name}': a plain input takes no least, no most and no description");
                return Err(self.refused("inputs", name, "input", message));
            }
            DocInput::Float { default, min, max, .. } => ranged(
                g.float(name, *default),
                g,
                *min,
                *max,
                (f32::NEG_INFINITY, f32::INFINITY),
            )
            .into(),
            DocInput::Int { default, min, max, .. } => {
                ranged(g.int(name, *default), g, *min, *max, (i32::MIN, i32::MAX)).into()
            }
            DocInput::UInt { default, min, max, .. } => {
                ranged(g.uint(name, *default), g, *min, *max, (u32::MIN, u32::MAX)).into()
            }
            DocInput::Vec2 { default, .. } => g.vec2(name, *default).into(),
            DocInput::Vec3 { default, .. } => g.vec3(name, *default).into(),
            DocInput::Vec4 { default, .. } => g.vec4(name, *default).into(),
            DocInput::Quat { default, .. } => g.quat(name, *default).into(),
            DocInput::Color { default, .. } => g.color(name, *default).into(),
            DocInput::Geometry { .. } => g.geometry(name).into(),
            DocInput::Raster { .. } => g.raster(name).into(),
        };
        if !input.description().is_empty() {
            g.describe_input(socket.wire, input.description());
        }
        env.inputs.insert(name, socket);
        Ok(())
    }
}

impl<'d> Env<'d, '_> {
    /// Adds nodes, each after those it reads. `within` is the path of the body they stand in.
    pub(super) fn nodes(&mut self, nodes: &'d BTreeMap<String, DocNode>, within: &str) -> Result<()> {
        let around: BTreeSet<&str> = self.made.keys().copied().collect();
        for name in self.document.order(nodes, within, &around, self.registry)? {
            let path = format!("{within}{name}");
            let outputs = self.node(name, &nodes[name], &path)?;
            self.made.insert(name, outputs);
        }
        Ok(())
    }
}

impl<'d, 'g> Env<'d, 'g> {
    fn node(&self, name: &str, node: &'d DocNode, path: &str) -> Result<Outputs<'g>> {
        let (document, registry) = (self.document, self.registry);
        let refuse = |error: Error| match error {
            // Of a node within its body, which has its own line.
            located @ (Error::Build { .. } | Error::Cycle { .. }) => located,
            other => document.refused_node(path, node, &other),
        };
        self.g.read_from(&document.file(), document.origin.line("nodes", path));
        let written = node.inputs.iter();
        let arguments: BTreeMap<String, DocArgument> = written
            .map(|(input, argument)| (input.clone(), written_out(argument, &self.plain)))
            .collect();
        if construct::is_construct(&node.node) {
            let outputs = construct::call(self, name, node, path, &arguments);
            return outputs.map_err(refuse);
        }
        super::body::refuse_parts(node, &[]).map_err(refuse)?;
        let schema = registry.schema(&node.node)?;
        let mut given = BTreeMap::new();
        for (input, argument) in &arguments {
            let argument = argument_of(schema, input, argument, self)
                .map_err(|error| refuse(Error::Refused(format!("{input}: {error}"))))?;
            given.insert(input.clone(), argument);
        }
        let wires = Wires::new(schema, given).map_err(refuse)?;
        let outputs = registry.call(self.g, &node.node, wires).map_err(refuse)?;
        let names = registry.node(&node.node)?.outputs.iter().map(|(name, _)| name.clone());
        Ok(names.zip(outputs).collect())
    }
}

impl DocTimeline {
    fn stated(&self) -> Timeline {
        Timeline {
            fps: self.fps,
            frames: self.frames,
            ending: if self.looping { Ending::Loop } else { Ending::Hold },
            pace: if self.real_time { Pace::RealTime } else { Pace::Frames },
        }
    }
}

/// An input with the numbers it takes, where either end is stated; the other end is the type's own.
fn ranged<'g, S: Socket<'g>, N: Copy + Into<f64>>(
    socket: S,
    g: &'g Graph,
    min: Option<N>,
    max: Option<N>,
    (least, most): (N, N),
) -> S {
    if min.is_some() || max.is_some() {
        g.restrict_input(socket.wire(), min.unwrap_or(least).into(), max.unwrap_or(most).into());
    }
    socket
}

impl DocInput {
    fn description(&self) -> &str {
        match self {
            DocInput::Float { description, .. }
            | DocInput::Int { description, .. }
            | DocInput::UInt { description, .. }
            | DocInput::Vec2 { description, .. }
            | DocInput::Vec3 { description, .. }
            | DocInput::Vec4 { description, .. }
            | DocInput::Quat { description, .. }
            | DocInput::Color { description, .. }
            | DocInput::Geometry { description }
            | DocInput::Raster { description } => description,
            DocInput::Bool { .. } | DocInput::String { .. } => "",
        }
    }
}

/// An argument, where it is a plain input the value of that.
pub(super) fn written_out(argument: &DocArgument, plain: &BTreeMap<&str, DocArgument>) -> DocArgument {
    let value = match argument {
        DocArgument::Source(DocSource::Input { input }) => plain.get(input.as_str()),
        _ => None,
    };
    value.unwrap_or(argument).clone()
}

pub(super) fn sources(argument: &DocArgument) -> Vec<&DocSource> {
    match argument {
        DocArgument::Source(source) => vec![source],
        DocArgument::Sources(sources) => sources.iter().collect(),
        DocArgument::Named(sources) => sources.values().collect(),
        _ => Vec::new(),
    }
}

fn argument_of<'g>(schema: &Schema, input: &str, argument: &DocArgument, env: &Env<'_, 'g>) -> Result<Argument<'g>> {
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
        DocArgument::UInt(value) => Argument::Plain(InputValue::UInt(*value)),
        DocArgument::Float(value) => Argument::Plain(InputValue::Float(*value)),
        DocArgument::Vec2(value) => Argument::Plain(InputValue::Vec2(*value)),
        DocArgument::Vec3(value) => Argument::Plain(InputValue::Vec3(*value)),
        DocArgument::Vec4(value) => Argument::Plain(InputValue::Vec4(*value)),
        DocArgument::Text(value) => Argument::Plain(InputValue::Text(value.clone())),
        DocArgument::Source(source) => Argument::Socket(source_of(source, env)?),
        DocArgument::Sources(sources) => Argument::List(
            sources
                .iter()
                .map(|source| source_of(source, env))
                .collect::<Result<_>>()?,
        ),
        DocArgument::Named(named) => {
            let found = format!("{} named values", named.len());
            return Err(Error::Refused(format!("expected one value or a list, got {found}")));
        }
    })
}

pub(super) fn source_of<'g>(source: &DocSource, env: &Env<'_, 'g>) -> Result<AnySocket<'g>> {
    match source {
        DocSource::Input { input } => env
            .inputs
            .get(input.as_str())
            .copied()
            .ok_or_else(|| Error::unknown("input", input, env.inputs.keys().copied())),
        DocSource::Body { body, value } => {
            let held = env
                .bodies
                .get(body)
                .ok_or_else(|| Error::unknown("body", body, env.bodies.keys().map(String::as_str)))?;
            let found = held.get(value).copied();
            found.ok_or_else(|| Error::unknown("value", value, held.keys().map(String::as_str)))
        }
        DocSource::Node { node, output } => {
            let outputs = env
                .made
                .get(node.as_str())
                .ok_or_else(|| Error::unknown("node", node, env.made.keys().copied()))?;
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
