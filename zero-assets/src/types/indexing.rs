//! [`Indexing`]: what search reads of an asset.

use std::collections::BTreeMap;

use zero_yaml::Node;

use crate::reader::{Keys, Reader};

/// What search reads of the assets of a type. It adds nothing of its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Indexing {
    /// The assets are never looked for: `indexing: none`.
    None,
    /// They are found by these.
    Recipe(Recipe),
}

/// What of an asset is read for search.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recipe {
    /// Texts.
    pub data: Vec<DataEntry>,
    /// Pictures.
    pub content: Vec<ContentEntry>,
    /// What narrows and ranks what is found.
    pub facets: Facets,
}

/// What a text or picture says of an asset. A query matches in two slots: identity, and capability, which
/// interface and implementation both are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// What it is.
    Identity,
    /// What it does and how it is made.
    Capability,
    /// The signatures or shape that a caller uses.
    Interface,
    /// The body.
    Implementation,
}

impl Role {
    /// Whether this is the slot of what an asset is; all else is what it does.
    #[must_use]
    pub fn is_identity(self) -> bool {
        self == Self::Identity
    }
}

/// How a text is made of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extractor {
    /// As it stands.
    Verbatim,
    /// The declared signatures of code.
    Symbols,
    /// A description that is written from the source, as the type's README instructs.
    Derive,
}

/// Files whose text is read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DataEntry {
    /// What the text says of the asset.
    pub role: Role,
    /// How it is made.
    pub extractor: Extractor,
    /// The files, below the asset; `*` matches within one segment.
    pub files: Vec<String>,
}

/// Files that are pictures of the asset.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContentEntry {
    /// What the picture says of the asset.
    pub role: Role,
    /// The files, below the asset.
    pub files: Vec<String>,
}

/// What a query narrows and ranks by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facets {
    /// A file that is read whole, so that keys nobody declared are found.
    pub file: Option<String>,
    /// Values computed for every asset, `false` included.
    pub keys: BTreeMap<String, Facet>,
}

/// A value that every asset of a type states.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facet {
    /// What it is.
    pub facet_type: FacetType,
    /// Whether a query asks for a range of it.
    pub is_range: bool,
    /// Where it comes from.
    pub from: FacetFrom,
}

/// What the value of a facet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FacetType {
    /// `true` or `false`; `false` where nothing is said.
    Bool,
    /// A number.
    Number,
    /// A word.
    Enum,
}

/// Where the value of a facet comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FacetFrom {
    /// A field of one of the asset's files.
    Field {
        /// The file, YAML or JSON.
        file: String,
        /// The field, dotted for nesting.
        field: String,
    },
    /// A key of the asset's `.metadata`.
    Metadata {
        /// The key, dotted for nesting.
        key: String,
    },
    /// Whether the asset's entities carry a component.
    ComponentsContain {
        /// The component.
        component: String,
    },
    /// Whether they carry any component but these.
    ComponentsOutside {
        /// The components.
        components: Vec<String>,
    },
}

const ROLES: &[(&str, Role)] = &[
    ("identity", Role::Identity),
    ("capability", Role::Capability),
    ("interface", Role::Interface),
    ("implementation", Role::Implementation),
];

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<Indexing> {
    if node.text() == Some("none") {
        return Some(Indexing::None);
    }
    let keys = reader.keys(node, "`indexing` (other than `none`)", &["data", "content", "facets"])?;
    let mut recipe = Recipe::default();
    for item in reader.items(keys, "data") {
        recipe.data.extend(data(reader, item));
    }
    for item in reader.items(keys, "content") {
        recipe.content.extend(content(reader, item));
    }
    if let Some(node) = keys.get("facets") {
        recipe.facets = facets(reader, node);
    }
    Some(Indexing::Recipe(recipe))
}

fn data(reader: &mut Reader<'_>, node: &Node) -> Option<DataEntry> {
    let keys = reader.keys(node, "an entry of `data`", &["role", "extractor", "source"])?;
    let extractors = [
        ("verbatim", Extractor::Verbatim),
        ("symbols", Extractor::Symbols),
        ("derive", Extractor::Derive),
    ];
    Some(DataEntry {
        role: reader.needed_word(keys, "role", ROLES)?,
        extractor: reader.needed_word(keys, "extractor", &extractors)?,
        files: source(reader, keys)?,
    })
}

fn content(reader: &mut Reader<'_>, node: &Node) -> Option<ContentEntry> {
    let keys = reader.keys(node, "an entry of `content`", &["role", "modality", "source"])?;
    reader.needed_word(keys, "modality", &[("image", ())])?;
    Some(ContentEntry {
        role: reader.needed_word(keys, "role", ROLES)?,
        files: source(reader, keys)?,
    })
}

fn source(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<Vec<String>> {
    let Some(node) = keys.get("source") else {
        reader.wrong(keys.at(), "the key `source` is missing");
        return None;
    };
    if let Some(field) = node.get("field") {
        // One or two words of a file's name match nothing that anyone asks.
        let message = "a name is no text to search by: name the `file` or `files` that say what the asset is";
        reader.wrong(field.at, message);
        return None;
    }
    let source = reader.keys(node, "`source`", &["file", "files"])?;
    let mut files = reader.texts(source, "files");
    files.extend(reader.text_of(source, "file"));
    if files.is_empty() {
        reader.wrong(node.at, "`source` names a `file` or `files`");
        return None;
    }
    Some(files)
}

fn facets(reader: &mut Reader<'_>, node: &Node) -> Facets {
    let mut facets = Facets::default();
    for entry in node.fields() {
        if entry.key == "file" {
            facets.file = reader.text(&entry.node, "`file`");
        } else if let Some(facet) = facet(reader, &entry.node) {
            facets.keys.insert(entry.key.clone(), facet);
        }
    }
    if !matches!(node.value, zero_yaml::Value::Map(_)) {
        reader.wrong(node.at, "`facets` is a mapping");
    }
    facets
}

fn facet(reader: &mut Reader<'_>, node: &Node) -> Option<Facet> {
    let keys = reader.keys(node, "a facet", &["type", "filter", "from"])?;
    let types = [
        ("bool", FacetType::Bool),
        ("number", FacetType::Number),
        ("enum", FacetType::Enum),
    ];
    let facet_type = reader.needed_word(keys, "type", &types)?;
    let is_range = match keys.get("filter") {
        None => false,
        Some(node) => reader.word(node, "`filter`", &[("range", true)])?,
    };
    let Some(from) = keys.get("from") else {
        reader.wrong(node.at, "the key `from` is missing");
        return None;
    };
    let from = facet_from(reader, from)?;
    Some(Facet {
        facet_type,
        is_range,
        from,
    })
}

fn facet_from(reader: &mut Reader<'_>, node: &Node) -> Option<FacetFrom> {
    let keys = reader.keys(node, "`from`", &["file", "field", "metadata", "components"])?;
    if let Some(node) = keys.get("components") {
        let keys = reader.keys(node, "`components`", &["contains", "any_outside"])?;
        if let Some(component) = reader.text_of(keys, "contains") {
            return Some(FacetFrom::ComponentsContain { component });
        }
        let components = reader.texts(keys, "any_outside");
        if components.is_empty() {
            reader.wrong(node.at, "`components` says `contains` or `any_outside`");
            return None;
        }
        return Some(FacetFrom::ComponentsOutside { components });
    }
    if let Some(key) = reader.text_of(keys, "metadata") {
        return Some(FacetFrom::Metadata { key });
    }
    Some(FacetFrom::Field {
        file: reader.needed_text(keys, "file")?,
        field: reader.needed_text(keys, "field")?,
    })
}
