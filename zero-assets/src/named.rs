//! [`Named`]: the names of other assets in an asset's files, before it is asked what answers to them.

use zero_vfs::{Kind, VfsPath};
use zero_yaml::{Node, Position};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::format::Format;
use crate::luau;
use crate::types::{FieldType, KeyReference, References, Schema, SchemaSource};

/// The most bytes of a file that is looked through for names.
pub(crate) const MAX_SCANNED_BYTES: u64 = 1 << 20;

/// The type of the nodes of graphs. A host has operations that are none of its assets and are named as they are.
const TYPE_OF_NODES: &str = "procNode";
/// What a graph's builder is called in what types declare.
const BUILDER: &str = "g";
/// What names a part of a shader's text.
const VIA_INCLUDE: &str = "include";

/// A name before it is resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// How it is named: `require`, `key:shader`, `setting:shade`, `call:g:node:2`, `call:g.*`, `include`.
    pub(crate) via: String,
    pub(crate) name: String,
    /// The types that it may be of; any where none is named.
    pub(crate) categories: Vec<String>,
    pub(crate) file: VfsPath,
    pub(crate) at: Position,
}

impl Named {
    /// Whether it may name something of the host's that is no asset: an operation of its graphs, a text of its shaders.
    pub(crate) fn may_be_the_hosts(&self) -> bool {
        let is_node = self.categories.iter().any(|category| category == TYPE_OF_NODES);
        is_node || self.via == VIA_INCLUDE || self.via.ends_with(".*")
    }

    /// The asset in `asset` that it is the path of, as data names what lies in its own folder (`tree.mesh`).
    pub(crate) fn child_of(&self, asset: &Asset) -> Option<VfsPath> {
        let is_data = self.via.starts_with("key:") || self.via.starts_with("setting:");
        match is_data && asset.form == Kind::Folder {
            true => asset.path.join(&self.name).ok(),
            false => None,
        }
    }
}

/// The file of an asset's settings and what they are, where any names an asset.
pub(crate) struct SettingNames {
    file: VfsPath,
    schema: Schema,
}

/// Whether a file is looked through. The settings of an asset are, whatever their file is called.
pub(crate) fn may_hold_names(file: &VfsPath, settings: Option<&SettingNames>) -> bool {
    let by_form = matches!(
        file.extension(),
        Some("luau" | "lua" | "yaml" | "yml" | "json" | "wgsl")
    );
    by_form || settings.is_some_and(|settings| settings.file == *file)
}

impl Assets {
    /// The settings of an asset that name others; `read` gives the bytes of a file, where it is there. A schema that does
    /// not stand up is told where settings are checked.
    pub(crate) fn setting_names(
        &self,
        asset: &Asset,
        read: impl Fn(&VfsPath) -> Option<Vec<u8>>,
    ) -> Option<SettingNames> {
        let block = self.types().at(&asset.type_path)?.settings.as_ref()?;
        let file = match asset.form {
            Kind::Folder => asset.path.join(&block.values).ok()?,
            Kind::File => return None,
        };
        let schema_file = match &block.schema {
            SchemaSource::Inline(schema) => {
                let schema = schema.clone();
                return names_assets(&schema).then_some(SettingNames { file, schema });
            }
            SchemaSource::TypeFile(inner) => asset.type_path.join(inner).ok()?,
            SchemaSource::InstanceFile(inner) => asset.path.join(inner).ok()?,
        };
        let (schema, _) = Schema::parse(&schema_file, &read(&schema_file)?, block.export.as_deref());
        let schema = schema.filter(names_assets)?;
        Some(SettingNames { file, schema })
    }

    /// The names in the bytes of a file of an asset.
    pub(crate) fn names_in(
        &self,
        asset: &Asset,
        settings: Option<&SettingNames>,
        file: &VfsPath,
        bytes: &[u8],
    ) -> Vec<Named> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Vec::new();
        };
        match file.extension() {
            Some("luau" | "lua") => self.names_in_script(asset, file, text),
            Some("wgsl") => includes(file, text),
            _ => self.names_in_data(asset, settings, file, text),
        }
    }

    /// What an asset's type declares of names, and what the host does: a key of both is as the host says.
    fn references_of(&self, asset: &Asset) -> References {
        let kind = self.types().at(&asset.type_path);
        let mut references = kind.map(|kind| kind.references.clone()).unwrap_or_default();
        references.extend(self.declared());
        references
    }

    /// The keys of a data file whose values name assets; in the file that is the asset's content, that of what it is built on.
    fn keys_of(&self, asset: &Asset, file: &VfsPath) -> Vec<KeyReference> {
        let mut keys = self.references_of(asset).keys;
        let contract = self
            .types()
            .at(&asset.type_path)
            .and_then(|kind| kind.contract_ref.as_ref());
        let contract = contract.filter(|_| self.is_primary(asset, file));
        if let Some(contract) = contract.filter(|contract| keys.iter().all(|known| known.key != contract.field)) {
            keys.push(KeyReference {
                key: contract.field.clone(),
                category: contract.category.clone(),
            });
        }
        keys
    }

    fn names_in_data(&self, asset: &Asset, settings: Option<&SettingNames>, file: &VfsPath, text: &str) -> Vec<Named> {
        // JSON is YAML but for the tabs that may indent it, which stand in no text of its. What is neither is told by
        // the checks on the file.
        let untabbed = match file.extension() {
            Some("json") => text.replace('\t', " "),
            _ => text.to_owned(),
        };
        let Ok(tree) = Format::UNVERSIONED.parse(file, untabbed.as_bytes()) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut add = |via: String, category: &str, name: &str, at: Position| {
            found.push(Named {
                via,
                name: name.to_owned(),
                categories: vec![category.to_owned()],
                file: file.clone(),
                at,
            });
        };
        for reference in self.keys_of(asset, file) {
            let (mut nodes, mut texts) = (Vec::new(), Vec::new());
            match tree.get(&reference.key) {
                Some(node) => nodes.push(node),
                None => at_key(&tree, &reference.key.split('.').collect::<Vec<_>>(), &mut nodes),
            }
            for node in nodes {
                texts_in(node, &mut texts);
                // A number where a name should be is one that nothing answers to.
                if let Some(number) = number(node) {
                    add(format!("key:{}", reference.key), &reference.category, &number, node.at);
                }
            }
            for (name, at) in texts {
                add(format!("key:{}", reference.key), &reference.category, name, at);
            }
        }
        for settings in settings.into_iter().filter(|settings| settings.file == *file) {
            for (field, setting) in &settings.schema.fields {
                let mut texts = Vec::new();
                if let Some(node) = tree.get(field) {
                    texts_of(&setting.value_type, node, &mut texts);
                }
                for (category, name, at) in texts {
                    add(format!("setting:{field}"), category, name, at);
                }
            }
        }
        found
    }

    fn names_in_script(&self, asset: &Asset, file: &VfsPath, text: &str) -> Vec<Named> {
        let tokens = luau::tokens(text);
        let mut found = Vec::new();
        let mut add = |via: String, categories: Vec<String>, text: Option<(&str, Position)>| {
            found.extend(text.filter(|(name, _)| !name.is_empty()).map(|(name, at)| Named {
                via,
                name: name.to_owned(),
                categories,
                file: file.clone(),
                at,
            }));
        };
        let declared = self.calls();
        let mut own: Vec<(&str, &str, Vec<String>)> = Vec::new();
        let references = self.references_of(asset);
        for reference in &references.calls {
            match own.iter_mut().find(|(call, ..)| *call == reference.call) {
                Some((_, _, categories)) => categories.push(reference.category.clone()),
                None => own.push((&reference.call, reference.base(), vec![reference.category.clone()])),
            }
        }
        let builder = luau::builder(&tokens);
        for call in luau::calls(&tokens) {
            let text = |place: usize| call.args.get(place).and_then(|argument| luau::plain_text(argument));
            let rest = builder.and_then(|builder| call.name.strip_prefix(builder));
            let rest = rest.filter(|rest| rest.starts_with(['.', ':']));
            let called = rest.map_or_else(|| call.name.clone(), |rest| format!("{BUILDER}{rest}"));
            match called.as_str() {
                "require" => add("require".to_owned(), Vec::new(), text(0)),
                "asset.resolve" | "asset.ref" => {
                    let category = text(1).map(|(category, _)| category.to_owned());
                    add(format!("call:{called}"), category.into_iter().collect(), text(0));
                }
                // The type comes first, and the asset that a field holds at first behind it.
                "Field.assetRef" => {
                    let category = text(0).map(|(category, _)| category.to_owned());
                    add(format!("call:{called}"), category.into_iter().collect(), text(1));
                }
                _ => {}
            }
            for (position, categories) in declared.args(&called) {
                let via = format!("call:{called}:{position}");
                add(via, categories, text(position - 1));
            }
            for (field, category) in declared.fields(&called) {
                let held = call.args.iter().find_map(|argument| luau::field_text(argument, field));
                add(format!("call:{called}.{field}"), vec![category.to_owned()], held);
            }
            for (written, base, categories) in &own {
                let rest = called.strip_prefix(base);
                // What follows a `:` is asked of what the call answers, and is no part of a name.
                let name = rest
                    .and_then(|rest| rest.strip_prefix('.'))
                    .filter(|name| !name.contains(':'));
                add(
                    format!("call:{written}"),
                    categories.clone(),
                    name.map(|name| (name, call.at)),
                );
            }
        }
        for (written, base, categories) in &own {
            let base = builder.filter(|_| *base == BUILDER).unwrap_or(base);
            for named in luau::indexed(&tokens, base) {
                add(format!("call:{written}"), categories.clone(), Some(named));
            }
        }
        found.sort_by_key(|named| named.at);
        found
    }
}

/// The texts that a shader's text includes by the name of another asset, `#include "kit::noise"`. What has a plain name
/// lies beside it.
fn includes(file: &VfsPath, text: &str) -> Vec<Named> {
    let mut found = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let rest = text.trim_start().strip_prefix("#include");
        let name = rest.and_then(|rest| rest.trim().strip_prefix('"')?.strip_suffix('"'));
        let Some(name) = name.filter(|name| name.contains("::")) else {
            continue;
        };
        let before = text.find(name).map_or(0, |place| text[..place].chars().count());
        found.push(Named {
            via: VIA_INCLUDE.to_owned(),
            name: name.to_owned(),
            categories: Vec::new(),
            file: file.clone(),
            at: Position {
                line: u32::try_from(line + 1).unwrap_or(u32::MAX),
                column: u32::try_from(before + 1).unwrap_or(u32::MAX),
            },
        });
    }
    found
}

fn names_assets(schema: &Schema) -> bool {
    fn is_name(kind: &FieldType) -> bool {
        match kind {
            FieldType::Asset { .. } => true,
            FieldType::List { item } => is_name(item),
            _ => false,
        }
    }
    schema.fields.values().any(|setting| is_name(&setting.value_type))
}

/// The nodes at a way of keys, in which `*` is every item and every value.
fn at_key<'n>(node: &'n Node, steps: &[&str], found: &mut Vec<&'n Node>) {
    match steps {
        [] => found.push(node),
        ["*", rest @ ..] => {
            let fields = node.fields().iter().map(|field| &field.node);
            fields.chain(node.items()).for_each(|node| at_key(node, rest, found));
        }
        [key, rest @ ..] => node.get(key).into_iter().for_each(|node| at_key(node, rest, found)),
    }
}

/// Every text in a value: the name itself, or those of a list or a table of them.
fn texts_in<'n>(node: &'n Node, found: &mut Vec<(&'n str, Position)>) {
    match &node.value {
        zero_yaml::Value::Text(text) if !text.is_empty() => found.push((text, node.at)),
        zero_yaml::Value::List(items) => items.iter().for_each(|item| texts_in(item, found)),
        zero_yaml::Value::Map(fields) => fields.iter().for_each(|field| texts_in(&field.node, found)),
        _ => {}
    }
}

/// A number or a boolean, as a name.
fn number(node: &Node) -> Option<String> {
    match node.value {
        zero_yaml::Value::Integer(value) => Some(value.to_string()),
        zero_yaml::Value::Unsigned(value) => Some(value.to_string()),
        zero_yaml::Value::Float(value) => Some(value.to_string()),
        zero_yaml::Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

/// The names in the value of a setting, each with the type that it resolves in.
fn texts_of<'n>(kind: &'n FieldType, node: &'n Node, found: &mut Vec<(&'n str, &'n str, Position)>) {
    match kind {
        FieldType::Asset { category } => {
            let name = node.text().filter(|name| !name.is_empty());
            found.extend(name.map(|name| (category.as_str(), name, node.at)));
        }
        FieldType::List { item } => node.items().iter().for_each(|node| texts_of(item, node, found)),
        _ => {}
    }
}
