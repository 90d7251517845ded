//! [`Inspector`]: the interface that people use for a type and its assets, declared as data that a host draws.

use std::collections::BTreeMap;

use zero_vfs::VfsPath;
use zero_yaml::{Node, Position};

use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::Reader;
use crate::value::{self, Value};

/// The files that declare a type's interface.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InspectorFiles {
    /// The file of the type's folder: the interface of the type and of its assets.
    pub of_type: Option<String>,
    /// A file that an asset may hold to add its own.
    pub instance: Option<String>,
}

/// An interface: sections one below the other, each of a kind that the host draws.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Inspector {
    /// Sections that are added.
    pub sections: Vec<Section>,
    /// Sections that stand in for a default one, by its id.
    pub replace: BTreeMap<String, Section>,
    /// Ids in the order they are shown; those that are not named follow in the order of the file.
    pub order: Vec<String>,
    /// The ids that `replace` and `order` name, and where.
    named: Vec<(String, Position)>,
}

/// One section.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Section {
    /// What `replace` and `order` call it.
    pub id: String,
    /// What it is headed.
    pub title: Title,
    /// What it shows.
    pub kind: SectionKind,
    /// Whose page it is on.
    pub page: Page,
}

/// Whose page a section of a type's interface is on. What an asset's own interface adds is on that asset's, whatever it says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Page {
    /// That of each asset of the type.
    #[default]
    Assets,
    /// That of the type itself.
    Type,
    /// Both.
    Both,
}

/// A text that a person reads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Title {
    /// As it stands.
    Text(String),
    /// The entry of this key in the catalogue of the editor's language.
    Catalog(String),
}

/// What a section shows. A host draws the kinds it knows and may skip another.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SectionKind {
    /// A list of the asset's files, each opened by a click.
    Files {
        /// Patterns of the files; all of them where none is named.
        matches: Vec<String>,
    },
    /// The text of a file.
    Text {
        /// The file.
        file: String,
    },
    /// Rows of values that stand in the asset's files.
    Fields {
        /// The rows.
        rows: Vec<Row>,
    },
    /// The settings as typed controls.
    Settings,
    /// The settings that every asset of a type has, as typed controls at their defaults that cannot be set.
    Schema,
    /// Links to the assets that it holds.
    Children {
        /// Of this type alone.
        category: Option<String>,
    },
    /// Links to the assets of the type.
    Instances {
        /// The most that are shown, with how many there are.
        limit: usize,
    },
    /// What the type is for.
    About,
    /// What the asset names, and what of it is missing.
    References,
    /// The picture.
    Preview,
    /// What is wrong with the asset.
    Problems,
    /// A part of what `inspect` reports.
    Detail {
        /// The key of the detail, dotted for nesting; all of it where none is named.
        key: Option<String>,
    },
    /// What the host, or the type's behaviour, draws itself.
    Custom {
        /// Which.
        view: String,
        /// What it is told.
        params: Value,
    },
}

/// A value of one of the asset's files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// What the row is called.
    pub label: Title,
    /// The file, YAML or JSON.
    pub file: String,
    /// The key of the file, dotted for nesting.
    pub field: String,
}

pub(super) fn read_block(reader: &mut Reader<'_>, node: &Node) -> Option<InspectorFiles> {
    let keys = reader.keys(node, "`inspector`", &["type", "instance"])?;
    let files = InspectorFiles {
        of_type: reader.text_of(keys, "type"),
        instance: reader.text_of(keys, "instance"),
    };
    if files.of_type.is_none() && files.instance.is_none() {
        reader.wrong(node.at, "`inspector` names a file as `type` or `instance`");
    }
    Some(files)
}

/// The default limit of [`SectionKind::Instances`].
const INSTANCES: u64 = 20;

const PAGES: &[(&str, Page)] = &[("assets", Page::Assets), ("type", Page::Type), ("both", Page::Both)];

#[derive(Clone, Copy)]
enum Word {
    Files,
    Text,
    Fields,
    Settings,
    Schema,
    Children,
    Instances,
    About,
    References,
    Preview,
    Problems,
    Detail,
    Custom,
}

const WORDS: &[(&str, Word)] = &[
    ("files", Word::Files),
    ("text", Word::Text),
    ("fields", Word::Fields),
    ("settings", Word::Settings),
    ("schema", Word::Schema),
    ("children", Word::Children),
    ("instances", Word::Instances),
    ("about", Word::About),
    ("references", Word::References),
    ("preview", Word::Preview),
    ("problems", Word::Problems),
    ("detail", Word::Detail),
    ("custom", Word::Custom),
];

impl Section {
    /// The sections that every asset has, which a type may replace: `contents`, `references`, `problems`.
    #[must_use]
    pub fn defaults() -> Vec<Self> {
        let section = |id: &str, title: &str, kind| Self {
            id: id.to_owned(),
            title: Title::Text(title.to_owned()),
            kind,
            page: Page::Both,
        };
        vec![
            section("contents", "Contents", SectionKind::Files { matches: Vec::new() }),
            section("references", "References", SectionKind::References),
            section("problems", "Problems", SectionKind::Problems),
        ]
    }
}

impl Inspector {
    /// The most bytes that an interface's file may hold.
    pub(crate) const MAX_BYTES: u64 = Format::FIRST.max_bytes as u64;

    /// Reads the bytes of an interface's file; `path` is for messages. `None` where an error is told.
    #[must_use]
    pub fn parse(path: &VfsPath, bytes: &[u8]) -> (Option<Self>, Vec<Diagnostic>) {
        const CODE: &str = "assetType.inspector_invalid";
        let tree = match Format::FIRST.parse(path, bytes) {
            Ok(tree) => tree,
            Err(error) => return (None, vec![Diagnostic::of_error(CODE, path, &error)]),
        };
        let mut reader = Reader::new(path, CODE, "inspector.unknown_key");
        let inspector = read(&mut reader, &tree);
        (inspector.filter(|_| !reader.has_errors()), reader.told)
    }

    /// What of a type's interface is on a page: the sections of that page, in the same order.
    #[must_use]
    pub fn on(mut self, page: Page) -> Self {
        let is_on = |section: &Section| section.page == page || section.page == Page::Both;
        self.sections.retain(is_on);
        self.replace.retain(|_, section| is_on(section));
        self
    }

    /// What is told of ids that `replace` and `order` name, where neither the interface has such a section, on any page, nor
    /// those that it is laid over.
    #[must_use]
    pub fn unknown_ids(&self, path: &VfsPath, defaults: &[Section]) -> Vec<Diagnostic> {
        let all = || self.sections.iter().chain(defaults).map(|section| section.id.as_str());
        let unknown = self.named.iter().filter(|(id, _)| all().all(|known| known != id));
        unknown
            .map(|(id, at)| {
                let message = format!("there is no section `{id}`");
                let told = Diagnostic::warning("inspector.unknown_section", path, message).at(*at);
                told.did_you_mean(&zero_vfs::nearest_names(id, all()))
            })
            .collect()
    }

    /// The sections in the order they are shown: the defaults, of which some are replaced, then those that are
    /// added, then ordered as the file says.
    #[must_use]
    pub fn laid_over(&self, defaults: &[Section]) -> Vec<Section> {
        let replaced = |section: &Section| self.replace.get(&section.id).unwrap_or(section).clone();
        let mut sections: Vec<Section> = defaults.iter().map(replaced).collect();
        for section in &self.sections {
            // A section of a default's id is that one, said anew.
            match sections.iter_mut().find(|other| other.id == section.id) {
                Some(other) => *other = section.clone(),
                None => sections.push(section.clone()),
            }
        }
        let place = |section: &Section| {
            let named = self.order.iter().position(|id| *id == section.id);
            named.unwrap_or(self.order.len())
        };
        sections.sort_by_key(place);
        sections
    }
}

fn read(reader: &mut Reader<'_>, tree: &Node) -> Option<Inspector> {
    let keys = reader.keys(tree, "an inspector", &["version", "sections", "replace", "order"])?;
    let mut inspector = Inspector {
        order: reader.texts(keys, "order"),
        ..Inspector::default()
    };
    for item in reader.items(keys, "sections") {
        let Some(section) = section(reader, item, None) else {
            continue;
        };
        if inspector.sections.iter().any(|other| other.id == section.id) {
            reader.wrong(item.at, format!("a section `{}` is here already", section.id));
        }
        inspector.sections.push(section);
    }
    for item in keys.get("order").map(Node::items).unwrap_or_default() {
        let id = item.text().map(|id| (id.to_owned(), item.at));
        inspector.named.extend(id);
    }
    for field in keys.get("replace").map(Node::fields).unwrap_or_default() {
        inspector.named.push((field.key.clone(), field.at));
        if let Some(section) = section(reader, &field.node, Some(&field.key)) {
            inspector.replace.insert(field.key.clone(), section);
        }
    }
    Some(inspector)
}

fn section(reader: &mut Reader<'_>, node: &Node, id: Option<&str>) -> Option<Section> {
    let own: &[&str] = match node.get("kind").and_then(Node::text) {
        Some("files") => &["matches"],
        Some("text") => &["file"],
        Some("fields") => &["rows"],
        Some("children") => &["category"],
        Some("instances") => &["limit"],
        Some("detail") => &["key"],
        Some("custom") => &["view", "params"],
        _ => &[],
    };
    let keys = reader.keys(node, "a section", &[own, &["id", "title", "kind", "page"]].concat())?;
    let id = match id {
        Some(id) => id.to_owned(),
        None => reader.needed_text(keys, "id")?,
    };
    let title = title(reader, keys.get("title"), node)?;
    let page = match keys.get("page") {
        None => Page::default(),
        Some(node) => reader.word(node, "`page`", PAGES)?,
    };
    let kind = match reader.needed_word(keys, "kind", WORDS)? {
        Word::Files => SectionKind::Files {
            matches: reader.texts(keys, "matches"),
        },
        Word::Text => SectionKind::Text {
            file: reader.needed_text(keys, "file")?,
        },
        Word::Fields => SectionKind::Fields {
            rows: reader
                .items(keys, "rows")
                .iter()
                .filter_map(|item| row(reader, item))
                .collect(),
        },
        Word::Settings => SectionKind::Settings,
        Word::Schema => SectionKind::Schema,
        Word::Children => SectionKind::Children {
            category: reader.text_of(keys, "category"),
        },
        Word::Instances => SectionKind::Instances {
            limit: reader.count(keys, "limit").unwrap_or(INSTANCES) as usize,
        },
        Word::About => SectionKind::About,
        Word::References => SectionKind::References,
        Word::Preview => SectionKind::Preview,
        Word::Problems => SectionKind::Problems,
        Word::Detail => SectionKind::Detail {
            key: reader.text_of(keys, "key"),
        },
        Word::Custom => SectionKind::Custom {
            view: reader.needed_text(keys, "view")?,
            params: keys.get("params").map_or(Value::Null, value::of_node),
        },
    };
    Some(Section { id, title, kind, page })
}

fn row(reader: &mut Reader<'_>, node: &Node) -> Option<Row> {
    let keys = reader.keys(node, "a row", &["label", "file", "field"])?;
    Some(Row {
        label: title(reader, keys.get("label"), node)?,
        file: reader.needed_text(keys, "file")?,
        field: reader.needed_text(keys, "field")?,
    })
}

fn title(reader: &mut Reader<'_>, node: Option<&Node>, around: &Node) -> Option<Title> {
    let Some(node) = node else {
        reader.wrong(around.at, "it has no `title` or `label`");
        return None;
    };
    if let Some(text) = node.text() {
        return Some(Title::Text(text.to_owned()));
    }
    let keys = reader.keys(node, "a text that is no plain one", &["i18n"])?;
    Some(Title::Catalog(reader.needed_text(keys, "i18n")?))
}
