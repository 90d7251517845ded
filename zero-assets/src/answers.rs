//! [`Answers`]: which names may be answered otherwise than before.

use std::collections::BTreeSet;

use zero_vfs::VfsPath;

use crate::asset::Asset;
use crate::guid::Guid;

/// What happened to the names of assets since someone last asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    /// Parts of names, as [`parts_of`] takes names apart: a name without any of them is answered as before.
    pub(crate) parts: BTreeSet<String>,
    /// Where an asset came, went or became another.
    pub(crate) places: BTreeSet<VfsPath>,
    /// The types are others, and with them what any name may mean.
    pub(crate) all: bool,
}

impl Answers {
    /// Takes note of what stood at a path and what stands there now.
    pub(crate) fn add(&mut self, old: Option<&Asset>, new: Option<&Asset>) {
        if old == new {
            return;
        }
        for asset in old.into_iter().chain(new) {
            self.places.insert(asset.path.clone());
            let names = std::iter::once(&asset.name).chain(&asset.aliases);
            // Whatever form a name has, what it ends with is what the asset's own name or an alias ends with.
            self.parts.extend(names.filter_map(|name| parts_of(name).last()));
            self.parts.extend(asset.guid.map(|guid| guid.to_string()));
        }
    }
}

/// The parts of a name in any of its forms: paths, identities, guids.
pub(crate) fn parts_of(name: &str) -> impl Iterator<Item = String> {
    let guid = Guid::parse(name).map(|guid| guid.to_string());
    // A path may be written in another form than it is kept in.
    let path = Some(name)
        .filter(|name| name.starts_with('/'))
        .and_then(|name| VfsPath::parse(name).ok());
    let name = path.map_or_else(|| name.to_owned(), |path| path.to_string());
    let parts: Vec<String> = match guid {
        Some(guid) => vec![guid],
        None => {
            let parts = name.split(['.', '/', ':']);
            parts
                .map(|part| part.trim_start_matches(['~', '@']).to_owned())
                .collect()
        }
    };
    parts.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_whatever_their_form() {
        let check = |name: &str, expected: &[&str]| {
            assert_eq!(parts_of(name).collect::<Vec<_>>(), expected, "{name}");
        };
        check("bark", &["bark"]);
        check("kit.bark.texture", &["kit", "bark", "texture"]);
        check("@stone::kit.bark", &["stone", "", "kit", "bark"]);
        check("~.bark", &["", "bark"]);
        check("~kit.bark", &["kit", "bark"]);
        check("..bark", &["", "", "bark"]);
        check("/zero/source/a.note", &["", "zero", "source", "a", "note"]);
        check(
            "5F2C01FE-8f6c-4c8a-9a3e-0d8f6f1f3b52",
            &["5f2c01fe-8f6c-4c8a-9a3e-0d8f6f1f3b52"],
        );
    }
}
