//! [`Named`]: the names of other assets in an asset's files, before it is asked what answers to them.

use std::collections::{BTreeMap, BTreeSet};

use zero_vfs::{Kind, VfsPath};
use zero_yaml::{Node, Position};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::component::{self, Declared};
use crate::format::Format;
use crate::luau;
use crate::resolve::Query;
use crate::root::Root;
use crate::settings::preset::PRESET_FILE;
use crate::types::{FieldType, KeyReference, References, Schema, SchemaSource, SettingsBlock};

/// The most bytes of a file that is looked through for names.
pub(crate) const MAX_SCANNED_BYTES: u64 = 1 << 20;

/// The type of the nodes of graphs. A host has operations that are none of its assets and are named as they are.
const TYPE_OF_NODES: &str = "procNode";
/// What a graph's builder is called in what types declare.
const BUILDER: &str = "g";
/// The type of what entities can do. A host has components that are none of its assets.
const TYPE_OF_COMPONENTS: &str = "component";
/// What names a component of an entity.
const VIA_COMPONENT: &str = "component";
/// The files of built-in types whose values follow a schema.
const DATA_FILE: &str = "data.yaml";
const SCHEMA_FILE: &str = "schema.yaml";
const PROPERTIES_FILE: &str = "properties.yaml";
/// What names a part of a shader's text.
const VIA_INCLUDE: &str = "include";

/// A name before it is resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    /// How it is named: `require`, `key:shader`, `setting:shade`, `value:look`, `component`,
    /// `component:spin.map`, `call:g:node:2`, `call:g.*`, `include`.
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
        is_node || [VIA_INCLUDE, VIA_COMPONENT].contains(&self.via.as_str()) || self.via.ends_with(".*")
    }

    /// The asset in `asset` that it is the path of, as data names what lies in its own folder (`tree.mesh`).
    pub(crate) fn child_of(&self, asset: &Asset) -> Option<VfsPath> {
        let is_data = ["key:", "setting:", "value:"]
            .iter()
            .any(|via| self.via.starts_with(via));
        match is_data && asset.form == Kind::Folder {
            true => asset.path.join(&self.name).ok(),
            false => None,
        }
    }
}

/// A file of values and what they are, where any names an asset: that of an asset's settings, and those of built-in types
/// whose values follow a schema that is said elsewhere.
pub(crate) struct ValueNames {
    file: VfsPath,
    /// The key that the values stand under; the whole file where there is none.
    under: Option<&'static str>,
    /// What the values are called where a name is told of.
    via: &'static str,
    schema: Schema,
}

/// Whether a file is looked through. The settings of an asset are, whatever their file is called.
pub(crate) fn may_hold_names(file: &VfsPath, values: &[ValueNames]) -> bool {
    let by_form = matches!(
        file.extension(),
        Some("luau" | "lua" | "yaml" | "yml" | "json" | "wgsl")
    );
    by_form || values.iter().any(|values| values.file == *file)
}

impl Assets {
    /// The values of an asset that name others; `read` gives the bytes of a file, where it is there. A schema that does
    /// not stand up is told where values are checked.
    pub(crate) fn value_names(&self, asset: &Asset, read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>) -> Vec<ValueNames> {
        if asset.form == Kind::File {
            return Vec::new();
        }
        let Some(kind) = self.types().at(&asset.type_path) else {
            return Vec::new();
        };
        let of_settings = kind.settings.as_ref().and_then(|block| {
            Some(ValueNames {
                file: asset.path.join(&block.values).ok()?,
                under: None,
                via: "setting",
                schema: self.schema_of_settings(block, &kind.path, Some(asset), read)?,
            })
        });
        let by_schema = match kind.name.as_str() {
            "data" => self.schema_of_data(asset, read).map(|schema| (DATA_FILE, schema)),
            "preset" => self.schema_of_preset(asset, read).map(|schema| (PRESET_FILE, schema)),
            _ => None,
        };
        let by_schema = by_schema.filter(|_| Root::of(&kind.path).is_builtin());
        let by_schema = by_schema.and_then(|(inner, schema)| {
            Some(ValueNames {
                file: asset.path.join(inner).ok()?,
                under: Some("values"),
                via: "value",
                schema,
            })
        });
        let all = of_settings.into_iter().chain(by_schema);
        all.filter(|values| names_assets(&values.schema)).collect()
    }

    fn schema_of_settings(
        &self,
        block: &SettingsBlock,
        kind: &VfsPath,
        asset: Option<&Asset>,
        read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>,
    ) -> Option<Schema> {
        let file = match &block.schema {
            SchemaSource::Inline(schema) => return Some(schema.clone()),
            SchemaSource::TypeFile(inner) => kind.join(inner).ok()?,
            SchemaSource::InstanceFile(inner) => asset?.path.join(inner).ok()?,
        };
        Schema::parse(&file, &read(&file)?, block.export.as_deref()).0
    }

    /// The schema of the values of a `data` asset: its own, or that of the nearest one that it follows which has one.
    fn schema_of_data(&self, asset: &Asset, read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>) -> Option<Schema> {
        let file = self.data_schema(&asset.path, &|file| read(file).is_some(), read)?;
        Schema::parse(&file, &read(&file)?, None).0
    }

    /// Where the schema of a `data` asset stands: in its folder, or in that of the nearest which it follows by `contract`.
    /// Those that follow each other in a ring have none.
    pub(crate) fn data_schema(
        &self,
        folder: &VfsPath,
        is_there: &dyn Fn(&VfsPath) -> bool,
        read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>,
    ) -> Option<VfsPath> {
        let (mut folder, mut seen) = (folder.clone(), BTreeSet::new());
        while seen.insert(folder.clone()) {
            let schema = folder.join(SCHEMA_FILE).ok()?;
            if is_there(&schema) {
                return Some(schema);
            }
            let file = folder.join(DATA_FILE).ok()?;
            let tree = Format::UNVERSIONED.parse(&file, &read(&file)?).ok()?;
            let contract = tree.get("contract")?.text()?;
            let query = Query::new(contract).category("data").from(&file);
            folder = self.resolve(&query).ok()?.path.clone();
        }
        None
    }

    /// The schema of the settings that a preset is for. Where each asset has its own, nobody knows it here.
    fn schema_of_preset(&self, asset: &Asset, read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>) -> Option<Schema> {
        let file = asset.path.join(PRESET_FILE).ok()?;
        let tree = Format::UNVERSIONED.parse(&file, &read(&file)?).ok()?;
        let kind = self.types().get_in(&asset.root(), tree.get("for")?.text()?).ok()?;
        self.schema_of_settings(kind.settings.as_ref()?, &kind.path, None, read)
    }

    /// The names in the bytes of a file of an asset.
    pub(crate) fn names_in(
        &self,
        asset: &Asset,
        values: &[ValueNames],
        file: &VfsPath,
        bytes: &[u8],
        read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>,
    ) -> Vec<Named> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Vec::new();
        };
        match file.extension() {
            Some("luau" | "lua") => self.names_in_script(asset, file, text),
            Some("wgsl") => includes(file, text),
            _ => self.names_in_data(asset, values, file, text, read),
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

    fn names_in_data(
        &self,
        asset: &Asset,
        values: &[ValueNames],
        file: &VfsPath,
        text: &str,
        read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>,
    ) -> Vec<Named> {
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
        for values in values.iter().filter(|values| values.file == *file) {
            let holder = values.under.map_or(Some(&tree), |key| tree.get(key));
            for (field, setting) in &values.schema.fields {
                let mut texts = Vec::new();
                if let Some(node) = holder.and_then(|holder| holder.get(field)) {
                    texts_of(&setting.value_type, node, &mut texts);
                }
                for (category, name, at) in texts {
                    add(format!("{}:{field}", values.via), category, name, at);
                }
            }
        }
        if Root::of(&asset.type_path).is_builtin() && self.is_primary_or(asset, file, PROPERTIES_FILE) {
            match asset.kind.as_str() {
                "shader" => textures_of(&tree, &mut add),
                "scene" | "bundle" => self.components_of(asset, &tree, read, &mut add),
                _ => {}
            }
        }
        found
    }

    /// Whether a file is what an asset is, or the one of a name beside it.
    fn is_primary_or(&self, asset: &Asset, file: &VfsPath, other: &str) -> bool {
        self.is_primary(asset, file) || file.name() == Some(other)
    }

    /// The components of the entities of a scene or a bundle, and the assets that their fields name, as the components
    /// declare them.
    fn components_of(
        &self,
        asset: &Asset,
        tree: &Node,
        read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>,
        add: &mut dyn FnMut(String, &str, &str, Position),
    ) {
        let mut known: BTreeMap<&str, Vec<Declared>> = BTreeMap::new();
        let entities = tree.get("entities").map(Node::items).unwrap_or_default();
        let components = entities.iter().filter_map(|entity| entity.get("components"));
        for component in components.flat_map(Node::fields) {
            add(
                VIA_COMPONENT.to_owned(),
                TYPE_OF_COMPONENTS,
                &component.key,
                component.at,
            );
            let fields = known
                .entry(&component.key)
                .or_insert_with(|| self.fields_of(asset, &component.key, read));
            for field in fields {
                let Some((category, node)) = field.asset_type().zip(component.node.get(&field.name)) else {
                    continue;
                };
                if let Some(name) = node.text().filter(|name| !name.is_empty()) {
                    add(
                        format!("component:{}.{}", component.key, field.name),
                        category,
                        name,
                        node.at,
                    );
                }
            }
        }
    }

    /// The fields that a component of a name declares; none for one that is the host's.
    fn fields_of(&self, asset: &Asset, name: &str, read: &dyn Fn(&VfsPath) -> Option<Vec<u8>>) -> Vec<Declared> {
        let query = Query::new(name).category(TYPE_OF_COMPONENTS).from(&asset.path);
        let Ok(component) = self.resolve(&query) else {
            return Vec::new();
        };
        let files = ["init.luau", "init.lua"]
            .iter()
            .filter_map(|inner| component.path.join(inner).ok());
        let text = files
            .filter_map(|file| String::from_utf8(read(&file)?).ok())
            .next()
            .unwrap_or_default();
        component::fields(&text, &luau::tokens(&text))
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

/// The textures that the properties of a shader name as their defaults.
fn textures_of(tree: &Node, add: &mut dyn FnMut(String, &str, &str, Position)) {
    for property in tree.get("properties").map(Node::fields).unwrap_or_default() {
        let is_texture = property.node.get("type").and_then(Node::text) == Some("texture");
        let default = property.node.get("default").filter(|_| is_texture);
        if let Some((name, at)) = default
            .and_then(|node| Some((node.text()?, node.at)))
            .filter(|(name, _)| !name.is_empty())
        {
            add(format!("key:properties.{}.default", property.key), "texture", name, at);
        }
    }
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
