//! Rules of `mesh`: a binary glTF that can be read whole.

use serde_json::json;

use super::glb;
use super::held::{Codes, Held};
use super::payload::{MAX_BYTES, named};
use crate::diagnostic::Diagnostic;
use crate::reader::{Keys, Reader};
use crate::value::Value;

const CODES: Codes = Codes {
    broken: "mesh.broken",
    unknown: "mesh.unknown_key",
};
const FILE: &str = "mesh.yaml";

pub(super) fn mesh(held: &mut Held<'_>) {
    const CODE: &str = "mesh.payload";
    let known = ["version", "payload", "materials"];
    let read = |reader: &mut Reader<'_>, keys: Keys<'_>| drop(reader.texts(keys, "materials"));
    let Some(file) = named(held, FILE, CODES, CODE, &["glb"], read, &known) else {
        return;
    };
    let Some(bytes) = held.bytes(CODE, &file, MAX_BYTES) else {
        return;
    };
    if let Err(message) = glb::read(&bytes) {
        held.tell(Diagnostic::error(CODE, &file, message));
    }
}

pub(super) fn detail(held: &mut Held<'_>) -> Option<Value> {
    let data = held.data(FILE)?;
    let file = held.file(data.get("payload")?.as_str()?)?;
    let bytes = held.bytes("", &file, MAX_BYTES)?;
    let counts = glb::read(&bytes).ok()?;
    Some(json!({
        "bytes": bytes.len(),
        "materials": data.get("materials"),
        "meshes": counts.meshes,
        "nodes": counts.nodes,
        "triangles": counts.triangles,
        "vertices": counts.vertices,
    }))
}
