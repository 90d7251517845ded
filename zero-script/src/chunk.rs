//! From a file in the virtual file system to a function of the machine.

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua};
use zero_vfs::VfsPath;

use crate::stop::Stop;

/// What the names of chunks from files begin with; Luau shows what follows as it is.
pub(crate) const CHUNK_PREFIX: &str = "@";

/// Compiles the text `source` of `file`, in an environment of its own: what it declares without `local` is
/// its own.
pub(crate) fn compile(lua: &Lua, file: &VfsPath, source: Vec<u8>) -> mlua::Result<Function> {
    if is_bytecode(&source) {
        return Err(Stop::Bytecode { file: file.clone() }.into_lua());
    }
    let environment = lua.create_table()?;
    let metatable = lua.create_table()?;
    metatable.raw_set("__index", lua.globals())?;
    metatable.raw_set("__metatable", "locked")?;
    environment.set_metatable(Some(metatable))?;
    // The globals are read-only, so the compiler's fast calls of library functions stay right.
    environment.set_safeenv(true);
    lua.load(source)
        .set_name(format!("{CHUNK_PREFIX}{file}"))
        .set_mode(ChunkMode::Text)
        .set_environment(environment)
        .into_function()
}

/// Bytecode begins with its version and the version of its types: small numbers, of which some are blanks in
/// a text. No Luau text has another control character among its first two.
fn is_bytecode(source: &[u8]) -> bool {
    let is_blank = |byte: u8| matches!(byte, b'\t'..=b'\r');
    source
        .iter()
        .take(2)
        .any(|&byte| byte.is_ascii_control() && !is_blank(byte))
}
