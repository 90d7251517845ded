//! [`Record`]: what is reported of any asset.

use std::collections::BTreeMap;

use serde_json::json;
use zero_vfs::{Kind, VfsPath};

use super::Workspace;
use crate::asset::Asset;
use crate::diagnostic::Diagnostic;
use crate::error::Result;
use crate::guid::Guid;
use crate::root::Root;
use crate::structured;
use crate::types::{
    ABOUT_LIMITS, About, AssetType, Inspector, METADATA_FILE, Page, SchemaSource, Section, TYPE_FILE, unwritten,
};
use crate::value::{Value, value_at};

/// What is reported of an asset: what every asset has, and what its type adds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Record {
    /// Its identity, as it is written from anywhere.
    pub identity: String,
    /// Its own name.
    pub name: String,
    /// Which asset it is.
    pub guid: Option<Guid>,
    /// Where it is.
    pub source: VfsPath,
    /// The name of its type.
    pub type_name: String,
    /// The folder of its type.
    pub type_definition_path: VfsPath,
    /// The world or library that it is in.
    pub scope: Root,
    /// Where it came from, as its `.metadata` says; the library it is in, or the world, where that says nothing.
    pub origin: String,
    /// What it is, in a few words: of its `.metadata`, else the first paragraph of its README.
    pub description: Option<String>,
    /// Its tags, as its `.metadata` says.
    pub tags: Vec<String>,
    /// What its type reports of it. For a type: its texts under `about`, its README under `readme`, and under `type` what it
    /// declares: `suffix`, `container`, `primary`, `settings` (the file of the `values`, where they are `declared_in`, and the
    /// `schema`), the files of the `inspector`, whether a `behavior` is attached, and how many `instances` there are.
    pub detail: Option<Value>,
    /// Why there is no detail where there should be.
    pub warning: Option<String>,
}

impl Workspace {
    /// Reports an asset, from its files alone. What fails in the type's part is the record's warning.
    ///
    /// # Errors
    /// [`crate::Error::NoAsset`].
    pub fn inspect(&self, path: &VfsPath) -> Result<Record> {
        let asset = self.asset(path)?;
        let metadata = self.metadata(asset);
        let text = |key: &str| {
            metadata
                .as_ref()
                .and_then(|value| value_at(value, key)?.as_str())
                .map(str::to_owned)
        };
        let tags = metadata.as_ref().and_then(|value| value.get("tags")?.as_array());
        let tags = tags
            .into_iter()
            .flatten()
            .filter_map(|tag| Some(tag.as_str()?.to_owned()));
        let (detail, warning) = self.detail(asset);
        Ok(Record {
            identity: asset.full_identity(),
            name: asset.name.clone(),
            guid: asset.guid,
            source: asset.path.clone(),
            type_name: asset.kind.clone(),
            type_definition_path: asset.type_path.clone(),
            scope: asset.root(),
            origin: text("origin").unwrap_or_else(|| match asset.root() {
                Root::World => "world".to_owned(),
                Root::Library(name) => format!("@{name}"),
            }),
            description: text("description").or_else(|| self.first_paragraph(asset)),
            tags: tags.collect(),
            detail,
            warning,
        })
    }

    /// What people keep about an asset; nothing where the file does not say it in a form that can be read.
    fn metadata(&self, asset: &Asset) -> Option<Value> {
        let file = match asset.form {
            Kind::Folder => asset.path.join(METADATA_FILE).ok()?,
            Kind::File => return None,
        };
        structured::read(&self.vfs, &file).ok()?
    }

    /// What the type of an asset reports of it, and what kept a part of it from being reported.
    fn detail(&self, asset: &Asset) -> (Option<Value>, Option<String>) {
        if let Some(kind) = self.assets.types().at(&asset.path) {
            let (detail, warnings) = self.detail_of_type(asset, kind);
            let warning = warnings.join("; ");
            return (Some(detail), (!warning.is_empty()).then_some(warning));
        }
        let Some(attached) = self.behavior_of(asset) else {
            return (None, None);
        };
        match attached.behavior.inspect(&self.context(asset, &attached)) {
            Ok(detail) => (detail, None),
            Err(error) => (None, Some(error.to_string())),
        }
    }

    /// What is reported of a type. What of it cannot be read leaves its own part out, and is said.
    fn detail_of_type(&self, asset: &Asset, kind: &AssetType) -> (Value, Vec<String>) {
        let mut warnings = Vec::new();
        let about = kind.about(&self.vfs).map(|loaded| loaded.value);
        let about = about.unwrap_or_else(|error| {
            warnings.push(error.to_string());
            About::default()
        });
        let texts = about.texts().map(|(key, text)| (key.to_owned(), Value::from(text)));
        let texts: BTreeMap<String, Value> = texts.collect();
        let schema = kind.settings.as_ref().map(|_| self.type_schema(&kind.path));
        let schema = schema.and_then(|schema| {
            let schema = schema.map_err(|error| warnings.push(error.to_string())).ok()??;
            Some(schema.to_value())
        });
        let readme = self.readme(asset).map_or(Value::Null, Value::from);
        let declared = self.declared_by(kind, schema);
        (json!({ "about": texts, "readme": readme, "type": declared }), warnings)
    }

    /// What a type declares, as it is reported.
    fn declared_by(&self, kind: &AssetType, schema: Option<Value>) -> Value {
        let settings = match &kind.settings {
            None => Value::Null,
            Some(block) => {
                let declared_in = match &block.schema {
                    SchemaSource::Inline(_) => TYPE_FILE,
                    SchemaSource::TypeFile(file) | SchemaSource::InstanceFile(file) => file.as_str(),
                };
                json!({
                    "declared_in": declared_in,
                    "of_each_asset": matches!(block.schema, SchemaSource::InstanceFile(_)),
                    "schema": schema,
                    "values": block.values,
                })
            }
        };
        let inspector = kind
            .inspector
            .as_ref()
            .map(|files| json!({ "instance": files.instance, "type": files.of_type }));
        let instances = self.assets.iter().filter(|asset| asset.type_path == kind.path);
        json!({
            "behavior": self.behaviors.of_type(&kind.path).is_some(),
            "container": kind.is_container,
            "inspector": inspector,
            "instances": instances.count(),
            "primary": kind.primary,
            "settings": settings,
            "suffix": kind.suffix,
        })
    }

    fn readme(&self, asset: &Asset) -> Option<String> {
        const MAX_README_BYTES: u64 = 256 << 10;
        let file = asset.path.join("README.md").ok()?;
        let bytes = self.vfs.read_bounded(&file, MAX_README_BYTES).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// The first paragraph of a README that is no heading and is written.
    fn first_paragraph(&self, asset: &Asset) -> Option<String> {
        let readme = self.readme(asset)?;
        let lines = readme.lines().map(str::trim);
        let text: Vec<&str> = lines
            .skip_while(|line| line.is_empty() || line.starts_with('#'))
            .take_while(|line| !line.is_empty())
            .collect();
        let text = text.join(" ");
        unwritten(&text).is_none().then_some(text)
    }

    /// The interface that people use an asset by: the sections of its type, over those that every asset has, with the
    /// asset's own. For a type, those that it declares for its own page are over what the type of types says of every type. A
    /// file of them that does not stand up is told, and leaves its sections out.
    ///
    /// # Errors
    /// [`crate::Error::NoAsset`].
    pub fn inspector(&self, path: &VfsPath) -> Result<(Vec<Section>, Vec<Diagnostic>)> {
        let asset = self.asset(path)?;
        let (mut sections, mut told) = (Section::defaults(), Vec::new());
        let Some(kind) = self.assets.type_of(asset) else {
            return Ok((sections, told));
        };
        let file_of_type = |kind: &AssetType| {
            let name = kind.inspector.as_ref()?.of_type.as_deref()?;
            kind.path.join(name).ok()
        };
        let files = kind.inspector.as_ref();
        let instance = files.and_then(|files| asset.path.join(files.instance.as_deref()?).ok());
        let as_type = self.assets.types().at(&asset.path).and_then(file_of_type);
        let declared = [
            (file_of_type(kind), Some(Page::Assets)),
            (as_type, Some(Page::Type)),
            (instance, None),
        ];
        for (file, page) in declared {
            // A script is loaded by those who run scripts.
            let Some(file) = file.filter(|file| file.extension() != Some("luau")) else {
                continue;
            };
            let bytes = match self.vfs.read_bounded(&file, Inspector::MAX_BYTES) {
                Ok(bytes) => bytes,
                Err(zero_vfs::Error::NotFound { .. }) => continue,
                Err(error) => {
                    told.push(Diagnostic::of_error(
                        "assetType.inspector_invalid",
                        &file,
                        &error.into(),
                    ));
                    continue;
                }
            };
            let (inspector, wrong) = Inspector::parse(&file, &bytes);
            told.extend(wrong);
            if let Some(inspector) = inspector {
                told.extend(inspector.unknown_ids(&file, &sections));
                let inspector = match page {
                    Some(page) => inspector.on(page),
                    None => inspector,
                };
                sections = inspector.laid_over(&sections);
            }
        }
        Ok((sections, told))
    }

    /// The page that explains a type: its README, and what it is for. Texts that do not stand up, which `validate` tells, are
    /// left out of it.
    ///
    /// # Errors
    /// [`crate::Error::NoType`].
    pub fn type_guide(&self, kind: &str) -> Result<String> {
        let kind = self.assets.types().get(kind)?;
        let readme = self.assets.at(&kind.path).and_then(|asset| self.readme(asset));
        let mut page = readme.unwrap_or_else(|| format!("# {}\n", kind.name));
        let about = kind.about(&self.vfs).map(|loaded| loaded.value).unwrap_or_default();
        let texts: BTreeMap<&str, &str> = about.texts().collect();
        if !texts.is_empty() {
            page.push_str("\n## About this type\n");
            for (key, _) in ABOUT_LIMITS {
                if let Some(text) = texts.get(key) {
                    page.push_str(&format!("\n**{key}**: {text}\n"));
                }
            }
        }
        Ok(page)
    }
}
