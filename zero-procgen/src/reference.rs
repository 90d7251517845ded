//! A page about every node of a registry, written from what the nodes state of themselves.

use crate::node::{Default, InputKind, InputSchema};
use crate::registry::{NodeEntry, Registry};
use std::fmt::Write;

impl Registry {
    /// The nodes as a page of Markdown, by family: what each makes, takes and answers. It is written from the schemas alone,
    /// so a test that compares a kept page with it keeps the page true; equal registries give equal pages.
    pub fn reference(&self) -> String {
        let mut page = String::new();
        let mut family = "";
        for node in self.nodes() {
            let of = node.schema.family();
            if of != family {
                family = of;
                // Writing to a String cannot fail.
                let _ = writeln!(page, "\n## {family}");
            }
            let _ = write_node(&mut page, node);
        }
        page
    }
}

fn write_node(page: &mut String, node: &NodeEntry) -> std::fmt::Result {
    writeln!(
        page,
        "\n### `{}`\n\n{}\n",
        node.schema.id,
        node.schema.description.trim()
    )?;
    if !node.schema.inputs.is_empty() {
        writeln!(page, "| input | takes | default | what it is |")?;
        writeln!(page, "|---|---|---|---|")?;
        for input in node.schema.inputs {
            let (takes, default) = (takes(input), default(input));
            let text = input.description.trim().replace('\n', " ").replace('|', "\\|");
            writeln!(page, "| `{}` | {takes} | {default} | {text} |", input.name)?;
        }
        writeln!(page)?;
    }
    let outputs: Vec<String> = node
        .outputs
        .iter()
        .map(|(name, ty)| match node.outputs.len() {
            1 => ty.name().to_owned(),
            _ => format!("`{name}` {}", ty.name()),
        })
        .collect();
    match outputs.is_empty() {
        true => writeln!(page, "Answers nothing."),
        false => writeln!(page, "Answers {}.", outputs.join(", ")),
    }
}

fn takes(input: &InputSchema) -> String {
    let mut text = match input.kind {
        InputKind::Socket(ty) => ty.name().to_owned(),
        InputKind::List(ty) => format!("any number of {}", ty.name()),
        InputKind::PlainInt => "plain Int".to_owned(),
        InputKind::PlainFloat => "plain Float".to_owned(),
        InputKind::PlainBool => "plain Bool".to_owned(),
        InputKind::PlainText => "plain text".to_owned(),
        InputKind::Choice => {
            let options: Vec<String> = input.options.iter().map(|option| format!("`{option}`")).collect();
            options.join(", ")
        }
    };
    match (input.min, input.max) {
        (Some(min), Some(max)) => text.push_str(&format!(", {min} to {max}")),
        (Some(min), None) => text.push_str(&format!(", {min} and up")),
        (None, Some(max)) => text.push_str(&format!(", up to {max}")),
        (None, None) => {}
    }
    if !input.unit.is_empty() {
        text.push_str(&format!(", {}", input.unit));
    }
    if input.uniform {
        text.push_str(", one value");
    }
    text
}

fn default(input: &InputSchema) -> String {
    fn lanes(lanes: &[f32]) -> String {
        let lanes: Vec<String> = lanes.iter().map(f32::to_string).collect();
        lanes.join(" ")
    }
    match (&input.default, input.required) {
        (_, true) => "required".to_owned(),
        (None, false) => "left out".to_owned(),
        (Some(default), false) => match default {
            Default::Float(value) => value.to_string(),
            Default::Int(value) => value.to_string(),
            Default::UInt(value) => value.to_string(),
            Default::Bool(value) => value.to_string(),
            Default::Vec2(value) => lanes(value),
            Default::Vec3(value) => lanes(value),
            Default::Vec4(value) | Default::Quat(value) | Default::Color(value) => lanes(value),
            Default::Text(value) => format!("`{value}`"),
        },
    }
}
