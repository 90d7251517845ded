//! Templates by name, kept in a store of the host's choice.

use super::{Files, METADATA_FILE, Metadata, Template, name};
use crate::canvas::Canvas;
use crate::error::{Error, Result, listed};
use std::collections::BTreeMap;

/// Where a library keeps the files of its templates: memory, a folder on disk ([`FolderStore`](super::FolderStore)),
/// or whatever a host writes its assets through. Names that arrive here were checked.
pub trait TemplateStore {
    /// The names of all templates, in any order.
    ///
    /// # Errors
    /// What the store's medium fails with.
    fn names(&self) -> Result<Vec<String>>;

    /// The files of a template; `None` when there is none of that name.
    ///
    /// # Errors
    /// What the store's medium fails with.
    fn read(&self, name: &str) -> Result<Option<Files>>;

    /// Writes a template, whole or not at all, in the place of one that is there.
    ///
    /// # Errors
    /// What the store's medium fails with; what was there stands then.
    fn write(&mut self, name: &str, files: &Files) -> Result<()>;

    /// Writes a template whose name is free, as [`Self::write`] does, and answers the name in the way where it is
    /// [taken](Library::save). A store that others write at the same time does both in one step.
    ///
    /// # Errors
    /// What the store's medium fails with.
    fn create(&mut self, name: &str, files: &Files) -> Result<Option<String>> {
        match taken(self.names()?, name) {
            Some(existing) => Ok(Some(existing)),
            None => self.write(name, files).map(|()| None),
        }
    }

    /// Removes a template that is there.
    ///
    /// # Errors
    /// What the store's medium fails with.
    fn remove(&mut self, name: &str) -> Result<()>;
}

/// Which of these names is in the way of a new one.
pub(super) fn taken(names: Vec<String>, name: &str) -> Option<String> {
    let folded = name.to_lowercase();
    names.into_iter().find(|other| other.to_lowercase() == folded)
}

/// Templates in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    templates: BTreeMap<String, Files>,
}

impl TemplateStore for MemoryStore {
    fn names(&self) -> Result<Vec<String>> {
        Ok(self.templates.keys().cloned().collect())
    }

    fn read(&self, name: &str) -> Result<Option<Files>> {
        Ok(self.templates.get(name).cloned())
    }

    fn write(&mut self, name: &str, files: &Files) -> Result<()> {
        self.templates.insert(name.to_owned(), files.clone());
        Ok(())
    }

    fn remove(&mut self, name: &str) -> Result<()> {
        self.templates.remove(name);
        Ok(())
    }
}

/// Templates by name. Names that differ by case alone are refused, since some file systems cannot tell them apart.
#[derive(Clone, Debug, Default)]
pub struct Library<S> {
    store: S,
}

impl<S: TemplateStore> Library<S> {
    /// The library over a store.
    pub fn new(store: S) -> Self {
        Self { store }
    }

    /// The names of all templates, sorted.
    ///
    /// # Errors
    /// Those of the store.
    pub fn list(&self) -> Result<Vec<String>> {
        let mut names = self.store.names()?;
        names.sort_unstable();
        Ok(names)
    }

    /// Saves a canvas under a new name.
    ///
    /// # Errors
    /// [`Error::DuplicateName`] when a template has that name: see [`Self::replace`]; [`Error::BadName`]; those of
    /// [`Template::to_files`] and of the store.
    pub fn save(&mut self, name: &str, canvas: &Canvas, metadata: Metadata) -> Result<()> {
        name::check(name)?;
        let files = Template::new(canvas, metadata).to_files()?;
        match self.store.create(name, &files)? {
            None => Ok(()),
            Some(existing) => Err(Error::DuplicateName {
                what: "template",
                name: name.to_owned(),
                existing,
            }),
        }
    }

    /// Saves a canvas in the place of a template's sheet, or as the sheet of one that has none yet. Its metadata, and
    /// files beside the two, stay as they are, byte for byte.
    ///
    /// # Errors
    /// [`Error::UnknownTemplate`]; [`Error::Template`] when its metadata cannot be read; those of the store.
    pub fn replace(&mut self, name: &str, canvas: &Canvas) -> Result<()> {
        let mut files = self.files(name)?;
        let kept = match files.get(METADATA_FILE) {
            Some(bytes) => Some(Metadata::read(bytes).map(|_| bytes.clone())?),
            None => None,
        };
        files.extend(Template::new(canvas, Metadata::default()).to_files()?);
        files.extend(kept.map(|bytes| (METADATA_FILE.to_owned(), bytes)));
        self.store.write(name, &files)
    }

    /// A template.
    ///
    /// # Errors
    /// [`Error::UnknownTemplate`]; [`Error::Template`] when its files hold something else than they must; those of the
    /// store.
    pub fn load(&self, name: &str) -> Result<Template> {
        Template::from_files(&self.files(name)?)
    }

    /// A fresh canvas of a template, with no link to it.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn instantiate(&self, name: &str) -> Result<Canvas> {
        Ok(self.load(name)?.instantiate())
    }

    /// Deletes a template. Canvases made of it stay.
    ///
    /// # Errors
    /// [`Error::UnknownTemplate`]; those of the store.
    pub fn delete(&mut self, name: &str) -> Result<()> {
        self.files(name)?;
        self.store.remove(name)
    }

    /// The store beneath.
    pub fn store(&self) -> &S {
        &self.store
    }

    fn files(&self, name: &str) -> Result<Files> {
        name::check(name)?;
        match self.store.read(name)? {
            Some(files) => Ok(files),
            None => Err(Error::UnknownTemplate {
                name: name.to_owned(),
                known: listed(self.list()?.iter().map(String::as_str)),
            }),
        }
    }
}
