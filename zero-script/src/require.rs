//! `require` over the virtual file system.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use mlua::luau::{NavigateError, Require};
use mlua::{Function, Lua, Value};
use zero_vfs::{Kind, Vfs, VfsPath, nearest_names};

use crate::chunk::{CHUNK_PREFIX, compile};
use crate::control::Control;
use crate::stop::Stop;

/// Where a `require` has come to on its way: a module's path without its ending, as Luau's navigation counts
/// (`/a/b` for `/a/b.luau`, `/a/b/init.luau` and `/a/b.script/init.luau`).
pub(crate) struct VfsRequire {
    vfs: Arc<Vfs>,
    aliases: BTreeMap<String, VfsPath>,
    control: Rc<Control>,
    max_source_bytes: u64,
    here: VfsPath,
    /// The file that `here` names, if it names one.
    module: Option<VfsPath>,
}

type Navigated = Result<(), NavigateError>;

impl VfsRequire {
    pub(crate) fn new(
        vfs: Arc<Vfs>,
        aliases: BTreeMap<String, VfsPath>,
        control: Rc<Control>,
        max_source_bytes: u64,
    ) -> Self {
        Self {
            vfs,
            aliases,
            control,
            max_source_bytes,
            here: VfsPath::root(),
            module: None,
        }
    }

    /// The files that the module path `at` may mean and that are there.
    fn files(&self, at: &VfsPath) -> Result<Vec<VfsPath>, NavigateError> {
        let (Some(folder), Some(name)) = (at.parent(), at.name()) else {
            return Ok(Vec::new());
        };
        let forms = [
            format!("{name}.luau"),
            format!("{name}/init.luau"),
            format!("{name}.script/init.luau"),
        ];
        let mut found = Vec::new();
        for form in forms {
            // A name that is no path names no file.
            let Ok(file) = folder.join(&form) else { continue };
            let stat = self.vfs.stat(&file).map_err(vfs_error)?;
            if stat.is_some_and(|stat| stat.kind == Kind::File) {
                found.push(file);
            }
        }
        Ok(found)
    }

    fn is_folder(&self, path: &VfsPath) -> Result<bool, NavigateError> {
        Ok(self
            .vfs
            .stat(path)
            .map_err(vfs_error)?
            .is_some_and(|stat| stat.kind == Kind::Folder))
    }

    /// Goes to `at`, which need not be a module: it may be a folder on the way to one.
    fn go(&mut self, at: VfsPath) -> Navigated {
        let mut files = self.files(&at)?;
        if files.len() > 1 {
            let folder = at.parent().unwrap_or_else(VfsPath::root);
            let candidates = files
                .iter()
                .map(|file| file.as_str()[folder.as_str().len()..].trim_start_matches('/'));
            let candidates = candidates.map(str::to_owned).collect();
            let name = at.name().unwrap_or_default().to_owned();
            return Err(other(Stop::Ambiguous {
                folder,
                name,
                candidates,
            }));
        }
        self.module = files.pop();
        self.here = at;
        Ok(())
    }

    fn no_module(&self, folder: &VfsPath, name: &str) -> NavigateError {
        // A folder that cannot be listed has no suggestions; the miss is told all the same.
        let entries = self.vfs.list(folder).map(|listing| listing.entries).unwrap_or_default();
        let modules = entries.iter().filter_map(|entry| {
            let stem = entry
                .name
                .strip_suffix(".luau")
                .or_else(|| entry.name.strip_suffix(".script"));
            match entry.stat.kind {
                Kind::File => stem,
                Kind::Folder => stem.or(Some(&entry.name)),
            }
        });
        let near = nearest_names(name, modules.filter(|module| *module != name));
        other(Stop::NoModule {
            folder: folder.clone(),
            name: name.to_owned(),
            near,
        })
    }
}

impl Require for VfsRequire {
    fn is_require_allowed(&self, chunk_name: &str) -> bool {
        chunk_name.starts_with(CHUNK_PREFIX)
    }

    fn reset(&mut self, chunk_name: &str) -> Navigated {
        let file = chunk_name
            .strip_prefix(CHUNK_PREFIX)
            .and_then(|file| VfsPath::parse(file).ok());
        let file = file.ok_or(NavigateError::NotFound)?;
        let folder = file.parent().ok_or(NavigateError::NotFound)?;
        let name = file.name().unwrap_or_default();
        self.here = match name {
            // An `init.luau` is its folder, and a script asset is named without its suffix.
            "init.luau" => match folder.name().and_then(|name| name.strip_suffix(".script")) {
                Some(stem) => folder
                    .parent()
                    .unwrap_or_else(VfsPath::root)
                    .join(stem)
                    .map_err(vfs_error)?,
                None => folder,
            },
            _ => folder
                .join(name.strip_suffix(".luau").unwrap_or(name))
                .map_err(vfs_error)?,
        };
        self.module = Some(file);
        Ok(())
    }

    fn jump_to_alias(&mut self, path: &str) -> Navigated {
        let at = VfsPath::parse(path).map_err(vfs_error)?;
        self.go(at)
    }

    fn to_alias_override(&mut self, alias: &str) -> Navigated {
        match self.aliases.get(alias) {
            Some(at) => self.go(at.clone()),
            None => Err(NavigateError::NotFound),
        }
    }

    fn to_parent(&mut self) -> Navigated {
        let parent = self.here.parent().ok_or(NavigateError::NotFound)?;
        self.go(parent)
    }

    fn to_child(&mut self, name: &str) -> Navigated {
        // Inside a script asset, `@self/part` is beside its `init.luau`.
        let own_folder = self.module.as_ref().and_then(VfsPath::parent);
        let inside_asset = own_folder.filter(|folder| folder.name().is_some_and(|name| name.ends_with(".script")));
        let folder = match inside_asset {
            Some(folder) if folder.name().and_then(|name| name.strip_suffix(".script")) == self.here.name() => folder,
            _ => self.here.clone(),
        };
        let Ok(child) = folder.join(name) else {
            return Err(self.no_module(&folder, name));
        };
        self.go(child.clone())?;
        match self.module.is_some() || self.is_folder(&child)? {
            true => Ok(()),
            false => Err(self.no_module(&folder, name)),
        }
    }

    fn has_module(&self) -> bool {
        self.module.is_some()
    }

    fn cache_key(&self) -> String {
        self.module.as_ref().map(VfsPath::to_string).unwrap_or_default()
    }

    fn has_config(&self) -> bool {
        false
    }

    fn config(&self) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    /// A function that runs the module's file. The machine keeps this function by the cache key and calls it
    /// until it has given a value, so that a module which is required while it runs is met in the function.
    fn loader(&self, lua: &Lua) -> mlua::Result<Function> {
        let file = self
            .module
            .clone()
            .ok_or_else(|| Stop::Other("no module is there".to_owned()).into_lua())?;
        let source = self.vfs.read_bounded(&file, self.max_source_bytes);
        let source = source.map_err(|error| Stop::Other(error.to_string()).into_lua())?;
        let body = compile(lua, &file, source)?;
        let control = Rc::clone(&self.control);
        lua.create_function(move |_, ()| {
            control.check_cycle(&file).map_err(Stop::into_lua)?;
            let _loading = control.loading(file.clone());
            body.call::<Value>(())
        })
    }
}

fn other(stop: Stop) -> NavigateError {
    NavigateError::Other(stop.into_lua())
}

fn vfs_error(error: zero_vfs::Error) -> NavigateError {
    other(Stop::Other(error.to_string()))
}
