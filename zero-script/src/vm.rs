//! [`Vm`]: a sandboxed Luau machine over a virtual file system.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use mlua::{FromLuaMulti, Function, Lua, LuaOptions, MultiValue, StdLib, Table, Variadic};
use zero_vfs::{Vfs, VfsPath};

use crate::chunk::compile;
use crate::control::{Clock, Control};
use crate::error::{Error, Result};
use crate::require::VfsRequire;
use crate::stop::explain;

/// Takes a line that a script prints.
pub type PrintFn = Arc<dyn Fn(&str) + Send + Sync>;

/// What a machine is made with.
#[derive(Clone)]
#[non_exhaustive]
pub struct VmOptions {
    /// Bytes that all scripts of the machine may hold together, the machine's own included. 64 MiB by
    /// default; a machine without a script holds well below 1 MiB.
    pub memory_limit_bytes: usize,
    /// Bytes that one file may have. 4 MiB by default.
    pub max_source_bytes: u64,
    /// The clock of deadlines.
    pub clock: Clock,
    /// Names that a `require` may begin with: `tools` makes `require("@tools/x")` look in that folder. Lower
    /// case.
    pub aliases: BTreeMap<String, VfsPath>,
    /// Takes the lines that scripts `print`. Without it they go nowhere: a library owns no output.
    pub print: Option<PrintFn>,
}

impl Default for VmOptions {
    fn default() -> Self {
        Self {
            memory_limit_bytes: 64 << 20,
            max_source_bytes: 4 << 20,
            clock: Clock::default(),
            aliases: BTreeMap::new(),
            print: None,
        }
    }
}

impl VmOptions {
    /// The same with another memory limit.
    #[must_use]
    pub fn memory_limit_bytes(self, memory_limit_bytes: usize) -> Self {
        Self {
            memory_limit_bytes,
            ..self
        }
    }

    /// The same with another clock.
    #[must_use]
    pub fn clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same with one more alias.
    #[must_use]
    pub fn alias(mut self, name: impl AsRef<str>, folder: VfsPath) -> Self {
        self.aliases.insert(name.as_ref().to_ascii_lowercase(), folder);
        self
    }

    /// The same with a taker of printed lines.
    #[must_use]
    pub fn print(self, print: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self {
            print: Some(Arc::new(print)),
            ..self
        }
    }
}

impl fmt::Debug for VmOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VmOptions")
            .field("memory_limit_bytes", &self.memory_limit_bytes)
            .field("max_source_bytes", &self.max_source_bytes)
            .field("aliases", &self.aliases)
            .finish_non_exhaustive()
    }
}

/// What one run is bound by.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunParams {
    /// How long it may take. 1 second by default. It is looked at in loops, calls and returns; one long call
    /// of a library function is not stopped in its middle.
    pub time_limit: Duration,
}

impl Default for RunParams {
    fn default() -> Self {
        Self {
            time_limit: Duration::from_secs(1),
        }
    }
}

impl RunParams {
    /// The same with another time limit.
    #[must_use]
    pub fn time_limit(self, time_limit: Duration) -> Self {
        Self { time_limit }
    }
}

/// A Luau machine: one domain of trust. Scripts in one machine can see what others return; scripts that must
/// not go into machines of their own.
///
/// Inside, there is Luau's library without files, processes, clocks, random draws, `loadstring` and access
/// to other functions' environments. Globals cannot be changed, and each file has an environment of its own.
///
/// It stays on the thread it was made on.
pub struct Vm {
    lua: Lua,
    vfs: Arc<Vfs>,
    control: Rc<Control>,
    max_source_bytes: u64,
}

impl Vm {
    /// A machine whose scripts come from `vfs`.
    ///
    /// # Errors
    /// [`Error::Setup`], if the memory limit does not hold the machine itself.
    pub fn new(vfs: Arc<Vfs>, options: VmOptions) -> Result<Self> {
        Self::with_globals(vfs, options, |_, _| Ok(()))
    }

    /// The same, with globals that `set_up` adds before they are locked: a host's own functions.
    ///
    /// # Errors
    /// [`Error::Setup`], also for what `set_up` fails with.
    pub fn with_globals(
        vfs: Arc<Vfs>,
        options: VmOptions,
        set_up: impl FnOnce(&Lua, &Table) -> mlua::Result<()>,
    ) -> Result<Self> {
        let control = Control::new(options.clock.clone(), options.memory_limit_bytes);
        let max_source_bytes = options.max_source_bytes;
        let lua = machine(Arc::clone(&vfs), options, &control, set_up).map_err(|source| Error::Setup { source })?;
        Ok(Self {
            lua,
            vfs,
            control,
            max_source_bytes,
        })
    }

    /// Runs `file` and returns what it returns, as `R`: `()`, a number, a `String`, an [`mlua::Value`], a
    /// tuple of these. The file is run each time; what it requires is run once in the life of the machine.
    ///
    /// # Errors
    /// Any of [`Error`]: what is wrong with the file, what failed in it and where, or the limit that it met.
    /// The machine can be used again.
    pub fn run<R: FromLuaMulti>(&self, file: &VfsPath, params: &RunParams) -> Result<R> {
        let source = self.vfs.read_bounded(file, self.max_source_bytes)?;
        let running = self.control.begin(params.time_limit);
        let returned = compile(&self.lua, file, source).and_then(|chunk| {
            let _loading = self.control.loading(file.clone());
            chunk.call::<MultiValue>(())
        });
        // A script that catches the deadline and then ends is over its time all the same.
        if running.is_over() {
            return Err(Error::Deadline {
                file: file.clone(),
                limit: params.time_limit,
            });
        }
        let values = returned.map_err(|error| {
            let error = explain(&error, file, &self.control);
            if matches!(error, Error::Memory { .. }) {
                // Luau does not collect when an allocation fails: the next run would meet what this one left.
                // The failure to tell is the run's own.
                let _ = self.lua.gc_collect();
            }
            error
        })?;
        R::from_lua_multi(values, &self.lua).map_err(|error| explain(&error, file, &self.control))
    }

    /// Bytes that the machine and its scripts hold now.
    #[must_use]
    pub fn used_memory_bytes(&self) -> usize {
        self.lua.used_memory()
    }

    /// The machine beneath, for glue that makes values for scripts. Running code through it leaves the
    /// limits of a run behind.
    #[must_use]
    pub fn lua(&self) -> &Lua {
        &self.lua
    }
}

impl fmt::Debug for Vm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vm")
            .field("used_memory_bytes", &self.used_memory_bytes())
            .finish_non_exhaustive()
    }
}

/// What is taken from Luau's library because it lets a script see or change what is not its own, or makes
/// two runs differ.
const REMOVED: [(&str, &str); 8] = [
    ("", "loadstring"),
    ("", "getfenv"),
    ("", "setfenv"),
    ("", "collectgarbage"),
    ("", "gcinfo"),
    ("", "newproxy"),
    ("math", "random"),
    ("math", "randomseed"),
];

fn machine(
    vfs: Arc<Vfs>,
    options: VmOptions,
    control: &Rc<Control>,
    set_up: impl FnOnce(&Lua, &Table) -> mlua::Result<()>,
) -> mlua::Result<Lua> {
    let libraries = StdLib::COROUTINE
        | StdLib::TABLE
        | StdLib::STRING
        | StdLib::UTF8
        | StdLib::BIT
        | StdLib::MATH
        | StdLib::BUFFER
        | StdLib::VECTOR;
    let lua = Lua::new_with(libraries, LuaOptions::new())?;
    lua.set_memory_limit(options.memory_limit_bytes)?;
    let globals = lua.globals();
    for (library, name) in REMOVED {
        let table: Option<Table> = if library.is_empty() {
            Some(globals.clone())
        } else {
            globals.get(library)?
        };
        if let Some(table) = table {
            table.raw_set(name, mlua::Nil)?;
        }
    }
    globals.raw_set("print", printer(&lua, options.print)?)?;
    let require = VfsRequire::new(vfs, options.aliases, Rc::clone(control), options.max_source_bytes);
    globals.raw_set("require", lua.create_require_function(require)?)?;
    set_up(&lua, &globals)?;
    lua.sandbox(true)?;
    let interrupt = Rc::clone(control);
    lua.set_interrupt(move |_| interrupt.interrupt());
    Ok(lua)
}

/// `print` as Luau has it, tabs between values, into the host's hands.
fn printer(lua: &Lua, print: Option<PrintFn>) -> mlua::Result<Function> {
    let to_text: Function = lua.globals().get("tostring")?;
    lua.create_function(move |_, values: Variadic<mlua::Value>| {
        let Some(print) = &print else { return Ok(()) };
        let texts: mlua::Result<Vec<String>> = values
            .into_iter()
            .map(|value| Ok(to_text.call::<mlua::LuaString>(value)?.to_string_lossy()))
            .collect();
        print(&texts?.join("\t"));
        Ok(())
    })
}
