//! [`Preview`]: how an asset is pictured.

use zero_yaml::Node;

use crate::reader::Reader;

/// How an asset of a type is pictured. A studio that the host draws owns light, backdrop and framing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Preview {
    /// What the picture shows.
    pub kind: PreviewKind,
    /// Where the camera looks from: yaw and pitch in degrees.
    pub angle_deg: Option<[f64; 2]>,
}

/// What a picture shows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreviewKind {
    /// The asset, stood in the studio by its type's `instantiate`.
    Instantiate,
    /// The first of these files that the asset holds, fitted to the frame.
    Image {
        /// The candidates, in order.
        files: Vec<String>,
    },
    /// A built-in mesh painted with what the type's `preview_material` answers.
    Surface {
        /// The mesh.
        mesh: String,
    },
    /// Whatever the type's `preview` returns.
    Custom,
}

pub(super) fn read(reader: &mut Reader<'_>, node: &Node) -> Option<Preview> {
    let known: &[&str] = match node.get("kind").and_then(Node::text) {
        Some("image") => &["kind", "source", "angle"],
        Some("surface") => &["kind", "mesh", "angle"],
        _ => &["kind", "angle"],
    };
    let keys = reader.keys(node, "`preview`", known)?;
    let words = [("instantiate", 0), ("image", 1), ("surface", 2), ("custom", 3)];
    let kind = match reader.needed_word(keys, "kind", &words)? {
        0 => PreviewKind::Instantiate,
        1 => {
            let source = keys
                .get("source")
                .and_then(|source| reader.keys(source, "`source`", &["files"]));
            let files = source.map(|source| reader.texts(source, "files")).unwrap_or_default();
            if files.is_empty() {
                reader.wrong(node.at, "a picture that is a file names its `source: { files }`");
                return None;
            }
            PreviewKind::Image { files }
        }
        2 => PreviewKind::Surface {
            mesh: reader.needed_text(keys, "mesh")?,
        },
        _ => PreviewKind::Custom,
    };
    let angle_deg = match keys.get("angle") {
        None => None,
        Some(node) => {
            let numbers: Vec<f64> = node.items().iter().filter_map(Node::number).collect();
            let angle: Option<[f64; 2]> = numbers.try_into().ok().filter(|_| node.items().len() == 2);
            if angle.is_none() {
                reader.wrong(node.at, "`angle` is two numbers: yaw and pitch in degrees");
            }
            angle
        }
    };
    Some(Preview { kind, angle_deg })
}
