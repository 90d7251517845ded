//! Reads a `type.yaml`: the keys at its top, and each block by the file that is named for it.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::Node;

use super::{
    AliasSource, AssetType, ContractRef, Derive, Describe, References, TYPE_FILE, TYPE_SUFFIX, files, indexing,
    inspector, preview, references, settings,
};
use crate::diagnostic::{Diagnostic, Loaded};
use crate::error::Result;
use crate::format::Format;
use crate::reader::{Keys, Reader};

/// The format of `type.yaml`.
pub(crate) const FORMAT: Format = Format {
    max_bytes: 256 << 10,
    max_nodes: 10_000,
    ..Format::FIRST
};

/// The keys of a `type.yaml`.
const KEYS: &[&str] = &[
    "version",
    "suffix",
    "primary",
    "entry_files",
    "primary_aliases",
    "is_container",
    "is_opaque_walker",
    "plural_dir",
    "classify_exts",
    "is_text_default",
    "broadcasts_subassets",
    "root",
    "system",
    "contract_ref",
    "files",
    "allow_unlisted",
    "aliases_from",
    "settings",
    "inspector",
    "preview",
    "references",
    "indexing",
    "describe",
    "derive",
];

impl AssetType {
    /// Reads the type in the folder `folder`. A key that is not read is a warning; so is a block that does not
    /// stand up (`settings`, `indexing`), which is left out.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`], [`crate::Error::Yaml`], [`crate::Error::NewerVersion`], and
    /// [`crate::Error::Broken`] where what makes it a type is wrong or missing.
    pub fn load(vfs: &Vfs, folder: &VfsPath) -> Result<Loaded<Self>> {
        let file = folder.join(TYPE_FILE)?;
        let bytes = vfs.read_bounded(&file, FORMAT.max_bytes as u64)?;
        let (value, diagnostics) = Self::parse(folder, &bytes)?;
        match value {
            Some(value) => Ok(Loaded { value, diagnostics }),
            None => Err(crate::Error::Broken { diagnostics }),
        }
    }

    /// Reads a type from the bytes of its `type.yaml`; `folder` is the type's, and gives it its name. `None` where
    /// what makes it a type is wrong or missing; then at least one of the diagnostics is an error.
    ///
    /// # Errors
    /// [`crate::Error::Yaml`] for what is no YAML, [`crate::Error::NewerVersion`].
    pub fn parse(folder: &VfsPath, bytes: &[u8]) -> Result<(Option<Self>, Vec<Diagnostic>)> {
        let file = folder.join(TYPE_FILE)?;
        let tree = FORMAT.parse(&file, bytes)?;
        let mut reader = Reader::new(&file, "type.broken", "type.unknown_key");
        let read = read(&mut reader, &tree, folder);
        Ok((read, reader.told))
    }
}

fn read(reader: &mut Reader<'_>, tree: &Node, folder: &VfsPath) -> Option<AssetType> {
    let keys = reader.keys(tree, "a type.yaml", KEYS)?;
    let name = folder
        .name()
        .and_then(|name| name.strip_suffix(TYPE_SUFFIX))
        .unwrap_or_default()
        .to_owned();
    if name.contains('.') {
        let message =
            format!("a type cannot be called `{name}`: what follows the last dot of a folder's name is its suffix");
        reader.wrong(tree.at, message);
    }
    let suffix = suffix(reader, keys).unwrap_or_else(|| format!(".{name}"));
    let primary = reader.texts(keys, "primary");
    if primary.is_empty() && !reader.has_errors() {
        reader.wrong(
            tree.at,
            "the key `primary` is missing: it names the file that is an asset's content",
        );
    }
    let (required, optional) = match keys.get("files") {
        Some(node) => files::read(reader, node),
        None => Default::default(),
    };
    let read = AssetType {
        suffix,
        primary,
        entry_files: reader.texts(keys, "entry_files"),
        primary_aliases: reader.texts(keys, "primary_aliases"),
        is_container: reader.flag(keys, "is_container", false),
        is_opaque_walker: reader.flag(keys, "is_opaque_walker", false),
        plural_dir: reader.text_of(keys, "plural_dir"),
        classify_exts: extensions(reader, keys),
        is_text_default: reader.flag(keys, "is_text_default", true),
        broadcasts_subassets: reader.flag(keys, "broadcasts_subassets", false),
        root: reader.flag(keys, "root", false),
        system: reader.flag(keys, "system", false),
        required,
        optional,
        allow_unlisted: reader.flag(keys, "allow_unlisted", true),
        contract_ref: None,
        aliases_from: Vec::new(),
        settings: None,
        inspector: None,
        preview: None,
        references: References::default(),
        indexing: None,
        describe: None,
        derive: None,
        path: folder.clone(),
        name,
    };
    if reader.has_errors() {
        return None;
    }
    Some(with_blocks(reader, keys, read))
}

/// Adds the blocks without which a type is still a type: what is wrong in one leaves that one out.
fn with_blocks(reader: &mut Reader<'_>, keys: Keys<'_>, read: AssetType) -> AssetType {
    AssetType {
        contract_ref: block(reader, keys, "contract_ref", contract_ref),
        aliases_from: block(reader, keys, "aliases_from", aliases).unwrap_or_default(),
        settings: block(reader, keys, "settings", settings::read),
        inspector: block(reader, keys, "inspector", inspector::read_block),
        preview: block(reader, keys, "preview", preview::read),
        references: block(reader, keys, "references", |reader, node| {
            Some(references::read(reader, node))
        })
        .unwrap_or_default(),
        indexing: block(reader, keys, "indexing", indexing::read),
        describe: block(reader, keys, "describe", describe),
        derive: block(reader, keys, "derive", derive),
        ..read
    }
}

fn block<T>(
    reader: &mut Reader<'_>,
    keys: Keys<'_>,
    key: &str,
    read: impl FnOnce(&mut Reader<'_>, &Node) -> Option<T>,
) -> Option<T> {
    let node = keys.get(key)?;
    let before = reader.told.len();
    let value = read(reader, node);
    let is_broken = reader.told[before..].iter().any(Diagnostic::is_error);
    value.filter(|_| !is_broken)
}

fn suffix(reader: &mut Reader<'_>, keys: Keys<'_>) -> Option<String> {
    let text = reader.text_of(keys, "suffix")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let sound = text
        .strip_prefix('.')
        .is_some_and(|rest| !rest.is_empty() && rest.chars().all(plain));
    if !sound {
        let at = keys.get("suffix").map_or(keys.at(), |node| node.at);
        reader.wrong(at, format!("`{text}` is no suffix: a dot, then letters, digits or `_`"));
    }
    Some(text)
}

/// Extensions without the dot, which people write either way.
fn extensions(reader: &mut Reader<'_>, keys: Keys<'_>) -> Vec<String> {
    let at = keys.get("classify_exts").map_or(keys.at(), |node| node.at);
    let written = reader.texts(keys, "classify_exts");
    let mut extensions = Vec::with_capacity(written.len());
    for extension in written {
        let plain = extension.trim_start_matches('.');
        // What stands behind the last dot of a file's name; a sidecar is no content.
        if plain.is_empty() || plain.contains(['.', '/', '*']) || format!(".{plain}") == crate::refs::REFS_FILE {
            reader.wrong(at, format!("`{extension}` is no extension that a file of content has"));
            continue;
        }
        extensions.push(plain.to_owned());
    }
    extensions
}

fn contract_ref(reader: &mut Reader<'_>, node: &Node) -> Option<ContractRef> {
    let keys = reader.keys(node, "`contract_ref`", &["field", "category"])?;
    Some(ContractRef {
        field: reader.needed_text(keys, "field")?,
        category: reader.needed_text(keys, "category")?,
    })
}

fn aliases(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<AliasSource>> {
    if !matches!(node.value, zero_yaml::Value::List(_)) {
        reader.wrong(node.at, "`aliases_from` is a list of `{ file, key }`");
        return None;
    }
    let mut read = Vec::new();
    for item in node.items() {
        let keys = reader.keys(item, "an entry of `aliases_from`", &["file", "key"])?;
        read.push(AliasSource {
            file: reader.needed_text(keys, "file")?,
            key: reader.needed_text(keys, "key")?,
        });
    }
    Some(read)
}

fn describe(reader: &mut Reader<'_>, node: &Node) -> Option<Describe> {
    let keys = reader.keys(node, "`describe`", &["guidance", "examples"])?;
    Some(Describe {
        guidance: reader.text_of(keys, "guidance").unwrap_or_default(),
        examples: reader.texts(keys, "examples"),
    })
}

fn derive(reader: &mut Reader<'_>, node: &Node) -> Option<Derive> {
    let known = [
        "output",
        "module",
        "compute",
        "fingerprint",
        "matches",
        "required",
        "timeout",
    ];
    let keys = reader.keys(node, "`derive`", &known)?;
    let output = reader.needed_text(keys, "output")?;
    if !files::is_relative(&output) || output.contains('*') {
        let at = keys.get("output").map_or(node.at, |node| node.at);
        reader.wrong(at, format!("`{output}` is no file below an asset"));
    }
    let timeout_secs = reader.number(keys, "timeout");
    if timeout_secs.is_some_and(|secs| secs <= 0.0) {
        reader.wrong(node.at, "a `timeout` is more than 0 seconds");
    }
    Some(Derive {
        output,
        module: reader.text_of(keys, "module"),
        compute: reader.text_of(keys, "compute"),
        fingerprint: reader.text_of(keys, "fingerprint"),
        matches: reader.texts(keys, "matches"),
        required: reader.flag(keys, "required", false),
        timeout_secs,
    })
}
