//! Two types of a world, and a behaviour that writes down what it is called for.

use std::sync::{Arc, Mutex};

use zero_assets::{
    AssetChange, AssetChangeKind, Behavior, Correction, Creation, DependencyChange, EventSchema, Files, HookContext,
    HookResult, Problem, Step, Value, Values, Workspace, serde_json,
};
use zero_vfs::{Vfs, VfsPath};

use crate::{path, world};

/// Two types of a world: a note with settings, a text and a rule of its own, and a box that holds notes.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "/note.assetType/type.yaml",
        "primary: note.txt
files:
  required:
    - { path: note.txt, kind: file, content: [{ check: non_empty, message: A note says something. }] }
  optional:
    - { path: README.md, kind: file, content: [{ check: described, headings: [Use] }] }
    - { path: '*.luau', kind: file }
    - { path: extra.txt, kind: file }
allow_unlisted: false
references: { args: [{ call: see, position: 1, type: note }] }
settings:
  values: settings.yaml
  schema:
    type:
      size: { type: integer, min: 1, max: 100, default: 10 }
      twice: { type: integer, default: 20 }
      color: { type: word, words: [red, blue], default: red }
      title: { type: text, max_bytes: 8 }
",
    ),
    ("/note.assetType/README.md", "# note\n\nA note.\n\nMore.\n"),
    ("/note.assetType/template/note.txt", "This is {{name}}.\n"),
    (
        "/note.assetType/template/README.md",
        "# {{name}}\n\n[[describe]] Say what it is.\n\n## Use\n",
    ),
    (
        "/crate.assetType/type.yaml",
        "primary: crate.yaml\nis_container: true\n",
    ),
    ("/crate.assetType/README.md", "# crate"),
    ("/crate.assetType/template/crate.yaml", "version: 1\n"),
];

pub(crate) fn source(inner: &str) -> VfsPath {
    path(&format!("/zero/source{inner}"))
}

pub(crate) fn open(more: &[(&str, &str)]) -> Workspace {
    Workspace::open(Arc::new(world(&[FILES, more].concat()))).unwrap()
}

pub(crate) fn values(entries: &[(&str, Value)]) -> Values {
    entries
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect()
}

pub(crate) fn text(vfs: &Vfs, inner: &str) -> String {
    String::from_utf8(vfs.read(&source(inner)).unwrap()).unwrap()
}

/// A behaviour that writes down what it is called for.
#[derive(Default)]
pub(crate) struct Diary {
    pub(crate) entries: Arc<Mutex<Vec<String>>>,
    pub(crate) waits: Arc<Mutex<u32>>,
}

impl Diary {
    fn write(&self, entry: String) {
        self.entries.lock().unwrap().push(entry);
    }

    pub(crate) fn shared() -> (Arc<Self>, Arc<Mutex<Vec<String>>>) {
        let diary = Arc::new(Self::default());
        let entries = diary.entries.clone();
        (diary, entries)
    }
}

pub(crate) fn taken(entries: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut entries.lock().unwrap())
}

impl Behavior for Diary {
    fn on_create(&self, new: &Creation<'_>) -> HookResult<Files> {
        if new.options["fail"] == true {
            return Err("asked to fail".into());
        }
        let size = &new.settings["size"];
        Ok(Files::from([(
            "extra.txt".to_owned(),
            format!("size {size}").into_bytes(),
        )]))
    }

    fn on_replace(&self, old: &HookContext<'_>, mut files: Files) -> HookResult<Files> {
        files.insert("note.txt".to_owned(), old.read("note.txt")?);
        Ok(files)
    }

    fn creation_inputs(&self) -> &[&str] {
        &["title"]
    }

    fn on_register(&self, asset: &HookContext<'_>) -> HookResult<()> {
        self.write(format!("register {}", asset.asset.identity));
        Ok(())
    }

    fn on_change(&self, asset: &HookContext<'_>, change: &AssetChange) -> HookResult<Step> {
        let file = change.path.name().unwrap_or_default();
        let mut waits = self.waits.lock().unwrap();
        if *waits > 0 {
            *waits -= 1;
            self.write(format!("wait {file}"));
            return Ok(Step::Wait);
        }
        let kind = match change.kind {
            AssetChangeKind::Removed => "removed",
            AssetChangeKind::Seeded => "seeded",
            _ => "edited",
        };
        let settings = match &change.settings {
            Some(values) => format!(" {:?} of {}", change.settings_changed, values.len()),
            None => String::new(),
        };
        self.write(format!("{kind} {file} of {}{settings}", asset.asset.identity));
        if file == "echo.luau" {
            asset.write("note.txt", b"written by the hook")?;
        }
        if file == "bad.luau" {
            return Err("bad.luau is bad".into());
        }
        Ok(Step::Done)
    }

    fn on_dependency_change(&self, asset: &HookContext<'_>, change: &DependencyChange) -> HookResult<Step> {
        let name = change.dependency.name().unwrap_or_default();
        let why = change
            .resolved
            .as_ref()
            .map_or("changed".to_owned(), |name| format!("`{name}` is answered"));
        self.write(format!("{} depends on {name}: {why}", asset.asset.identity));
        Ok(Step::Done)
    }

    fn on_delete(&self, asset: &HookContext<'_>) -> HookResult<Step> {
        let there = asset.vfs.stat(&asset.asset.path)?.is_some();
        self.write(format!("delete {} there={there}", asset.asset.identity));
        Ok(Step::Done)
    }

    fn validate(&self, asset: &HookContext<'_>) -> HookResult<Vec<Problem>> {
        let text = String::from_utf8(asset.read("note.txt")?)?;
        Ok(match text.contains("bad") {
            true => vec![Problem::error("note.bad", "it says something bad").in_file("note.txt")],
            false => vec![Problem::error("note.plain", "it is plain").warning()],
        })
    }

    fn inspect(&self, asset: &HookContext<'_>) -> HookResult<Option<Value>> {
        Ok(Some(Value::from(asset.read("note.txt")?.len())))
    }

    fn settings_defaults(&self, new: &Creation<'_>, asked: &Values) -> HookResult<Values> {
        let color = if asked.contains_key("size") { "blue" } else { "red" };
        let title: String = new.name.chars().take(8).collect();
        Ok(values(&[("title", title.into()), ("color", color.into())]))
    }

    fn settings_corrections(&self, values: &Values, _: &str, _: &Value) -> HookResult<Vec<Correction>> {
        let is_odd = values["size"].as_i64().is_some_and(|size| size % 2 == 1);
        let even = values["size"].as_i64().unwrap_or(0) + 1;
        Ok(if is_odd {
            vec![Correction::new("size", even, "sizes are even")]
        } else {
            Vec::new()
        })
    }

    fn settings_derived(&self, now: &Values, _: &[String], changed: &[String]) -> HookResult<Values> {
        let follows = changed.iter().any(|field| field == "size");
        let twice = now["size"].as_i64().unwrap_or(0) * 2;
        Ok(if follows {
            values(&[("twice", twice.into())])
        } else {
            Values::new()
        })
    }

    fn normalize_settings(&self, mut values: Values, _: Option<&Values>) -> HookResult<Values> {
        if let Some(old) = values.remove("colour") {
            values.insert("color".to_owned(), old);
        }
        Ok(values)
    }

    fn settings_healed(&self, mut healed: Values, stored: &Values) -> HookResult<Values> {
        if stored.contains_key("broken") {
            healed.insert("size".to_owned(), 50.into());
        }
        Ok(healed)
    }

    fn events(&self) -> Vec<EventSchema> {
        vec![EventSchema::new("rung").field(
            "times",
            zero_assets::types::FieldType::Integer {
                min: Some(1),
                max: None,
            },
        )]
    }

    fn methods(&self) -> &[&str] {
        &["ring", "deps"]
    }

    fn call(&self, asset: &HookContext<'_>, method: &str, arguments: &[Value]) -> HookResult<Value> {
        asset.fire("rung", serde_json::json!({ "times": arguments.first() }))?;
        Ok(Value::from(method))
    }
}
