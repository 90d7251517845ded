//! The payload of an asset: a file in a form of its own, beside the YAML that names it.

use zero_vfs::VfsPath;
use zero_yaml::Node;

use super::held::{Codes, Held, quoted};
use crate::diagnostic::Diagnostic;
use crate::format::Format;
use crate::reader::{Keys, Reader};

/// The most bytes of a payload that is looked at.
pub(super) const MAX_BYTES: u64 = 1 << 30;

/// The file that `payload` names, where it is one of these extensions and here.
pub(super) fn named(
    held: &mut Held<'_>,
    inner: &str,
    codes: Codes,
    code: &'static str,
    ext: &[&str],
    read: impl FnOnce(&mut Reader<'_>, Keys<'_>),
    known: &[&str],
) -> Option<VfsPath> {
    let named = held.yaml(inner, codes, &Format::FIRST, |reader, tree: &Node| {
        let keys = reader.keys(tree, &format!("a {inner}"), known)?;
        read(reader, keys);
        let name = reader.needed_text(keys, "payload")?;
        Some((name, keys.get("payload").map_or(tree.at, |node| node.at)))
    });
    let ((name, at), file) = (named?, held.file(inner)?);
    let fits = ext.iter().any(|ext| name.ends_with(&format!(".{ext}")));
    let found = held.file(&name).filter(|_| fits);
    if found.is_none() {
        let message = match fits {
            true => format!("`{name}` is not here"),
            false => format!(
                "`{name}` is no payload: a file that ends in {}",
                quoted(ext.iter().copied())
            ),
        };
        held.tell(Diagnostic::error(code, &file, message).at(at));
    }
    found
}
