//! Checks of the descriptions that a type names as examples to follow.

use zero_vfs::{Vfs, VfsPath};
use zero_yaml::{Node, Position};

use crate::asset::Asset;
use crate::assets::Assets;
use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::registry::type_file;
use crate::resolve::Query;
use crate::types::{AssetType, ContentTest, FileRule, TYPE_FORMAT, matches};
use crate::validate::check_content;

impl Assets {
    /// What is wrong with the examples of a type's `describe:`: each is an asset of the type whose own description is
    /// written.
    pub(crate) fn check_examples(&self, vfs: &Vfs, kind: &AssetType) -> Result<Vec<Diagnostic>> {
        let Some(describe) = kind.describe.as_ref().filter(|describe| !describe.examples.is_empty()) else {
            return Ok(Vec::new());
        };
        let file = type_file(&kind.path);
        let mut told = Vec::new();
        for (number, example) in describe.examples.iter().enumerate() {
            let query = Query::new(example).category(&kind.name).from(&file);
            let message = match self.resolve(&query) {
                Err(error) => error.to_string(),
                Ok(asset) if asset.type_path != kind.path => {
                    format!("`{}` is of the type in `{}`", asset.path, asset.type_path)
                }
                Ok(asset) if !self.is_described(vfs, asset, kind)? => {
                    format!("the description of `{}` is still to be written", asset.path)
                }
                Ok(_) => continue,
            };
            let message = format!("the example `{example}` is none: {message}");
            let help = "name assets whose description reads well, or leave `examples` empty";
            let told_now = Diagnostic::warning("type.example", &file, message).help(help);
            told.push(match place(vfs, &file, number) {
                Some(at) => told_now.at(at),
                None => told_now,
            });
        }
        Ok(told)
    }

    /// Whether every file that says what an asset is, is there and written.
    fn is_described(&self, vfs: &Vfs, asset: &Asset, kind: &AssetType) -> Result<bool> {
        let files = self.files_of(asset);
        let says_what_it_is = |rule: &&FileRule| {
            let mut checks = rule.content.iter();
            checks.any(|check| matches!(check.test, ContentTest::Described { .. }))
        };
        for rule in kind.required.iter().filter(says_what_it_is) {
            let is_it = |file: &VfsPath| {
                let inner = file.relative_to(&asset.path);
                inner.is_some_and(|inner| matches(&rule.path, inner.as_str().trim_start_matches('/')))
            };
            if !files.iter().any(is_it) {
                return Ok(false);
            }
        }
        for file in &files {
            let told = check_content(vfs, asset, kind, file)?;
            if told.iter().any(|told| told.code == "asset.undescribed") {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Where an example stands in a `type.yaml`.
fn place(vfs: &Vfs, file: &VfsPath, number: usize) -> Option<Position> {
    let tree = TYPE_FORMAT.read(vfs, file).ok()?;
    let node: &Node = tree.at_path("describe.examples")?;
    Some(node.items().get(number).map_or(node.at, |item| item.at))
}
