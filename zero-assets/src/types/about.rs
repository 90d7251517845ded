//! [`About`]: what a type is for, in three plain texts.

use zero_vfs::{Vfs, VfsPath};

use super::content::unwritten;
use super::{ABOUT_FILE, AssetType};
use crate::diagnostic::{Diagnostic, Loaded};
use crate::error::Result;
use crate::format::Format;
use crate::reader::Reader;

/// How a text begins that is not written yet.
pub const UNWRITTEN: &str = "[[describe]]";

/// The texts of an `about.yaml` and the most bytes of UTF-8 that each may have.
pub const ABOUT_LIMITS: [(&str, usize); 3] = [("intent", 800), ("function", 1500), ("usage", 1200)];

/// What a type is for. A text that is missing or not written yet is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct About {
    /// What the type is for in someone's game.
    pub intent: Option<String>,
    /// How it works today.
    pub function: Option<String>,
    /// What a person or an agent does with one.
    pub usage: Option<String>,
}

impl About {
    /// The texts that are written, in their order, under their keys.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let texts = [&self.intent, &self.function, &self.usage];
        let keyed = ABOUT_LIMITS.iter().map(|(key, _)| *key).zip(texts);
        keyed.filter_map(|(key, text)| Some((key, text.as_deref()?)))
    }
}

impl AssetType {
    /// The type's `about.yaml`. What is missing, not written or too long is told; a type without the file has no
    /// texts.
    ///
    /// # Errors
    /// [`crate::Error::Vfs`] for a file that cannot be read, [`crate::Error::Yaml`] for one that is no YAML,
    /// [`crate::Error::NewerVersion`].
    pub fn about(&self, vfs: &Vfs) -> Result<Loaded<About>> {
        let file = self.path.join(ABOUT_FILE)?;
        if vfs.stat(&file)?.is_none() {
            let message = "the type does not say what it is for";
            let told = Diagnostic::warning("about.missing", &self.path, message)
                .help("write `about.yaml` with the keys `intent`, `function` and `usage`");
            return Ok(Loaded {
                value: About::default(),
                diagnostics: vec![told],
            });
        }
        let tree = Format::FIRST.read(vfs, &file)?;
        Ok(read(&file, &tree))
    }
}

fn read(file: &VfsPath, tree: &zero_yaml::Node) -> Loaded<About> {
    let mut reader = Reader::new(file, "about.broken", "about.unknown_key");
    let mut texts = [None, None, None];
    if let Some(keys) = reader.keys(tree, "about.yaml", &["version", "intent", "function", "usage"]) {
        for (text, (key, limit)) in texts.iter_mut().zip(ABOUT_LIMITS) {
            let Some(found) = reader.needed_text(keys, key) else {
                continue;
            };
            let at = keys.get(key).map_or(keys.at(), |node| node.at);
            if let Some(why) = unwritten(&found) {
                reader.warn("about.unwritten", at, format!("`{key}` is not written: {why}"));
            } else if found.len() > limit {
                let message = format!("`{key}` has {} bytes, more than the {limit} allowed", found.len());
                reader.wrong(at, message);
            } else {
                *text = Some(found);
            }
        }
    }
    let [intent, function, usage] = texts;
    Loaded {
        value: About {
            intent,
            function,
            usage,
        },
        diagnostics: reader.told,
    }
}
