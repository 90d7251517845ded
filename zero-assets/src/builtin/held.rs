//! [`Held`]: what an asset holds, as the rules of the built-in types read it.

use zero_vfs::VfsPath;
use zero_yaml::{Node, Position};

use crate::behavior::{HookContext, Problem};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::luau::{self, Token};
use crate::reader::Reader;
use crate::resolve::Query;
use crate::structured;
use crate::types::{AssetType, matches};
use crate::value::Value;

/// The most bytes of a text that a rule reads.
const MAX_TEXT_BYTES: u64 = 4 << 20;

/// The codes under which a file is told of.
#[derive(Clone, Copy)]
pub(super) struct Codes {
    /// What it holds is not what it should.
    pub(super) broken: &'static str,
    /// A key of it is not read.
    pub(super) unknown: &'static str,
}

/// An asset's own files, and what is wrong with them.
pub(super) struct Held<'a> {
    pub(super) context: HookContext<'a>,
    /// Paths below the asset, sorted.
    pub(super) files: Vec<String>,
    told: Vec<Diagnostic>,
}

impl<'a> Held<'a> {
    pub(super) fn by(context: &HookContext<'a>) -> Self {
        let folder = &context.asset.path;
        let files = context.assets.files_of(context.asset);
        let inner = |file: &VfsPath| Some(file.relative_to(folder)?.as_str()[1..].to_owned());
        Self {
            context: *context,
            files: files.iter().filter_map(inner).collect(),
            told: Vec::new(),
        }
    }

    /// The asset's folder.
    pub(super) fn folder(&self) -> &'a VfsPath {
        &self.context.asset.path
    }

    /// What was told, as problems of the asset.
    pub(super) fn problems(self) -> Vec<Problem> {
        let folder = &self.context.asset.path;
        let told = self.told.into_iter();
        told.map(|told| Problem::of(told, folder)).collect()
    }

    pub(super) fn tell(&mut self, told: Diagnostic) {
        self.told.push(told);
    }

    pub(super) fn tell_all(&mut self, told: impl IntoIterator<Item = Diagnostic>) {
        self.told.extend(told);
    }

    /// The file of this name, where the asset holds it.
    pub(super) fn file(&self, inner: &str) -> Option<VfsPath> {
        self.files.iter().any(|file| file == inner).then_some(())?;
        self.folder().join(inner).ok()
    }

    /// The first file of the first pattern that one fits.
    pub(super) fn first(&self, patterns: &[&str]) -> Option<VfsPath> {
        let fitting = |pattern: &&str| self.files.iter().find(|file| matches(pattern, file));
        let inner = patterns.iter().find_map(fitting)?;
        self.folder().join(inner).ok()
    }

    /// The bytes of a file of at most `limit` bytes; one that cannot be read is told.
    pub(super) fn bytes(&mut self, code: &'static str, file: &VfsPath, limit: u64) -> Option<Vec<u8>> {
        let read = self.context.vfs.read_bounded(file, limit);
        read.map_err(|error| self.tell(Diagnostic::error(code, file, error.to_string())))
            .ok()
    }

    /// The text of a file; one that is none is told.
    pub(super) fn text(&mut self, code: &'static str, file: &VfsPath) -> Option<String> {
        let bytes = self.bytes(code, file, MAX_TEXT_BYTES)?;
        let text = String::from_utf8(bytes);
        text.map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            self.tell(Diagnostic::error(code, file, format!("byte {at} is no UTF-8")));
        })
        .ok()
    }

    /// The tokens of the code that is the asset.
    pub(super) fn code(&mut self, code: &'static str) -> Option<(VfsPath, String, Vec<Token>)> {
        let file = self.first(&["init.luau", "init.lua"])?;
        let text = self.text(code, &file)?;
        let tokens = luau::tokens(&text);
        Some((file, text, tokens))
    }

    /// Reads a YAML file of the asset; `None` where it is not there, or holds what is no YAML.
    pub(super) fn yaml<T>(
        &mut self,
        inner: &str,
        codes: Codes,
        format: &Format,
        read: impl FnOnce(&mut Reader<'_>, &Node) -> Option<T>,
    ) -> Option<T> {
        let file = self.file(inner)?;
        self.yaml_at(&file, codes, format, read)
    }

    /// The same for a file anywhere.
    pub(super) fn yaml_at<T>(
        &mut self,
        file: &VfsPath,
        codes: Codes,
        format: &Format,
        read: impl FnOnce(&mut Reader<'_>, &Node) -> Option<T>,
    ) -> Option<T> {
        let bytes = self.bytes(codes.broken, file, format.max_bytes as u64)?;
        match format.parse(file, &bytes) {
            Ok(tree) => {
                let mut reader = Reader::new(file, codes.broken, codes.unknown);
                let value = read(&mut reader, &tree);
                let sound = !reader.has_errors();
                self.told.extend(reader.told);
                value.filter(|_| sound)
            }
            Err(error) => {
                self.tell(Diagnostic::of_error(codes.broken, file, &error));
                None
            }
        }
    }

    /// The type of a name. One that no asset answers to is told with all names that an asset carries; here, one whose asset
    /// is there and is no type that can be used.
    pub(super) fn kind(&mut self, code: &'static str, file: &VfsPath, name: &str, at: Position) -> Option<AssetType> {
        let assets = self.context.assets;
        match assets.types().get_in(&self.context.asset.root(), name) {
            Ok(kind) => Some(kind.clone()),
            Err(error) => {
                let query = Query::new(name).category("assetType").from(file);
                if assets.resolve(&query).is_ok() {
                    self.tell(Diagnostic::error(code, file, error.to_string()).at(at));
                }
                None
            }
        }
    }

    /// The data of a file, as it stands; `None` where there is none.
    pub(super) fn data(&self, inner: &str) -> Option<Value> {
        structured::read(self.context.vfs, &self.file(inner)?).ok()?
    }
}

/// A list of names as it stands in a message.
pub(super) fn quoted<'t>(names: impl IntoIterator<Item = &'t str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Whether a number of a file is one: `.nan` and `.inf` are texts of YAML that mean none.
pub(super) fn finite(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<f64> {
    let Some(number) = node.number() else {
        reader.wrong(
            node.at,
            format!("{what} is a number, and {} is here", node.value.kind()),
        );
        return None;
    };
    if !number.is_finite() {
        reader.wrong(node.at, format!("{what} is a finite number, and {number} is here"));
        return None;
    }
    Some(number)
}

/// So many finite numbers.
pub(super) fn numbers<const N: usize>(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<[f64; N]> {
    let items = node.items();
    if items.len() != N {
        let found = match &node.value {
            zero_yaml::Value::List(items) => format!("{} of them are here", items.len()),
            other => format!("{} is here", other.kind()),
        };
        reader.wrong(node.at, format!("{what} is a list of {N} numbers, and {found}"));
        return None;
    }
    let read: Vec<f64> = items.iter().filter_map(|item| finite(reader, item, what)).collect();
    read.try_into().ok()
}

/// Where the whole of a file is meant.
pub(super) const START: Position = Position::START;
