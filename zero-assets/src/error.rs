//! What can go wrong, with the file it went wrong in.

use zero_vfs::VfsPath;

use crate::diagnostic::Diagnostic;
use crate::types::with_article;

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The virtual file system refused something.
    #[error(transparent)]
    Vfs(#[from] zero_vfs::Error),
    /// A YAML file does not hold what it should.
    #[error(transparent)]
    Yaml(#[from] zero_yaml::Error),
    /// A file is of a newer version than this program reads.
    #[error("{file}: it is of version {found}; this program reads versions up to {known}")]
    NewerVersion {
        /// The file.
        file: VfsPath,
        /// Its version.
        found: u32,
        /// The newest that is read.
        known: u32,
    },
    /// No asset answers to a name.
    #[error("no asset answers to `{name}`{}", near_hint(near))]
    NoAsset {
        /// What was asked for.
        name: String,
        /// Names that may have been meant, closest first.
        near: Vec<String>,
    },
    /// A name means an asset, and of another type than is asked for.
    #[error(
        "`{name}` is `{path}`, {}, and {} is asked for",
        with_article(kind),
        with_article(wanted)
    )]
    OtherType {
        /// What was asked for.
        name: String,
        /// The asset.
        path: VfsPath,
        /// Its type.
        kind: String,
        /// The type that it is asked to be of.
        wanted: String,
    },
    /// A name in a library that is not there.
    #[error("there is no library `@{library}`, which `{name}` is in{}", near_hint(near))]
    NoLibrary {
        /// What was asked for.
        name: String,
        /// The library.
        library: String,
        /// Names that may have been meant, closest first.
        near: Vec<String>,
    },
    /// No type has a name.
    #[error("there is no asset type `{name}`{}", near_hint(near))]
    NoType {
        /// What was asked for.
        name: String,
        /// Names that may have been meant, closest first.
        near: Vec<String>,
    },
    /// Several assets answer to a name.
    #[error(
        "`{name}` may be any of {}; name it by its path, or with its type",
        paths(candidates)
    )]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The assets that answer to it, sorted.
        candidates: Vec<VfsPath>,
    },
    /// A folder looks like an asset of a type that is not there.
    #[error("`{path}` is no asset: no type has the suffix `{suffix}`{}", unregistered_hint(near))]
    Unregistered {
        /// The folder.
        path: VfsPath,
        /// Its suffix.
        suffix: String,
        /// Suffixes that may have been meant, closest first.
        near: Vec<String>,
    },
    /// A name means something only in a file, and none was named.
    #[error("`{name}` means something only where a file says it; say which file (`Query::from`)")]
    NoReferrer {
        /// What was asked for.
        name: String,
    },
    /// A text is no guid.
    #[error("{text:?} is no guid: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12")]
    Guid {
        /// The text.
        text: String,
    },
    /// A name that no asset of a type may have.
    #[error(
        "`{name}` is no name for a {kind}: a letter, then letters, digits or `_`, unless the type says otherwise, and its suffix"
    )]
    Name {
        /// The name.
        name: String,
        /// The type.
        kind: String,
    },
    /// Something stands where an asset was to go.
    #[error("`{path}` is there already; replace it, or take another name")]
    Exists {
        /// Where.
        path: VfsPath,
    },
    /// An asset was to be made in one that holds no others.
    #[error("`{path}` is {}, which holds no other assets", with_article(kind))]
    NotAContainer {
        /// The asset.
        path: VfsPath,
        /// Its type.
        kind: String,
    },
    /// A folder in which no assets are looked for.
    #[error("`{path}` is no place for an asset: {why}")]
    NoPlace {
        /// The folder.
        path: VfsPath,
        /// Why.
        why: &'static str,
    },
    /// Something failed midway, and not all that it had done could be taken back.
    #[error("{error}; what was done till then could not be taken back at {}: {why}", paths(left))]
    NotUndone {
        /// What failed.
        error: Box<Error>,
        /// The places that are not as they were.
        left: Vec<VfsPath>,
        /// Why the first of them is not.
        why: String,
    },
    /// An asset was copied into another mount, and could be taken out of the old one only in part. All of it is at `to`.
    #[error(
        "`{from}` was copied to `{to}` and could not be taken away ({error}); what of it is gone could not be put back ({why}), so both are left: all of it is in `{to}`"
    )]
    HalfMoved {
        /// Where a part of it is.
        from: VfsPath,
        /// Where all of it is.
        to: VfsPath,
        /// Why it could not be taken away.
        error: Box<Error>,
        /// Why it could not be put back.
        why: String,
    },
    /// An option of a creation does not fit.
    #[error("{} cannot be made with the option `{option}`: {message}", with_article(kind))]
    Options {
        /// The type.
        kind: String,
        /// The option.
        option: String,
        /// What is wrong with it.
        message: String,
    },
    /// An asset has no settings.
    #[error("`{asset}` has no settings: {}", no_settings(kind, *form))]
    NoSettings {
        /// The asset.
        asset: VfsPath,
        /// Its type.
        kind: String,
        /// Whether it is a folder; a loose file holds no file of settings.
        form: zero_vfs::Kind,
    },
    /// A loose file would be no asset of a type where it was to go.
    #[error("`{path}` would be no asset of the type `{kind}`: {}", claimed(folder.as_deref(), extensions))]
    NotClaimed {
        /// Where.
        path: VfsPath,
        /// The type.
        kind: String,
        /// The folder whose files are assets of it.
        folder: Option<String>,
        /// The extensions of files that are.
        extensions: Vec<String>,
    },
    /// There is no such setting.
    #[error("`{asset}` has no setting `{field}`{}", near_hint(near))]
    NoSetting {
        /// The name of the asset.
        asset: String,
        /// What was asked for.
        field: String,
        /// Settings that may have been meant, closest first.
        near: Vec<String>,
    },
    /// A value does not fit its setting.
    #[error("the setting `{field}` of `{asset}` does not fit: {message}")]
    Setting {
        /// The name of the asset.
        asset: String,
        /// The setting.
        field: String,
        /// What it is, and what came.
        message: String,
    },
    /// A preset holds the settings of another type than the one that is made with it.
    #[error("the preset `{preset}` is for `{its}`, and {} is made with it", with_article(made))]
    Preset {
        /// The preset.
        preset: VfsPath,
        /// The type that it is for, as it says it.
        its: String,
        /// The type that is made.
        made: String,
    },
    /// A setting that was asked for is one that the type's rules would have otherwise.
    #[error("the setting `{field}` of `{asset}` cannot be {asked}: it must be {value}, as {reason}")]
    Corrected {
        /// The name of the asset.
        asset: String,
        /// The setting.
        field: String,
        /// The value that was asked for.
        asked: Box<crate::Value>,
        /// The value that it must have.
        value: Box<crate::Value>,
        /// Why.
        reason: String,
    },
    /// A hook of a type's behaviour failed.
    #[error("`{hook}` of `{asset}` failed: {source}")]
    Hook {
        /// The name of the asset.
        asset: String,
        /// The hook, as the types' papers call it.
        hook: &'static str,
        /// What it failed with.
        source: crate::HookError,
    },
    /// An asset has no such method.
    #[error("`{asset}` has no method `{method}`{}", near_hint(near))]
    NoMethod {
        /// The asset.
        asset: VfsPath,
        /// What was asked for.
        method: String,
        /// Methods that may have been meant, closest first.
        near: Vec<String>,
    },
    /// An event cannot be fired or heard.
    #[error("the event `{event}` of `{asset}`: {message}")]
    Event {
        /// The asset.
        asset: VfsPath,
        /// The event.
        event: String,
        /// Why.
        message: String,
    },
    /// An asset that is no part of a scene.
    #[error("`{asset}` cannot be put into a scene: its type `{kind}` does not say how")]
    NotInstantiable {
        /// The asset.
        asset: VfsPath,
        /// Its type.
        kind: String,
    },
    /// An asset that cannot be pictured as its type says.
    #[error("`{asset}` cannot be pictured as its type `{kind}` says: {why}")]
    NoPicture {
        /// The asset.
        asset: VfsPath,
        /// Its type.
        kind: String,
        /// What is missing.
        why: String,
    },
    /// A type put an asset into a scene, and what it returned is not there.
    #[error(
        "`instantiate` of the type `{kind}` returned {} that is not live for `{asset}`: all of an asset is there when it returns",
        part.as_ref().map_or_else(|| "a root".to_owned(), |part| format!("an entity for `{part}`"))
    )]
    NotLive {
        /// The asset.
        asset: VfsPath,
        /// Its type.
        kind: String,
        /// The part; the root where none is named.
        part: Option<String>,
    },
    /// A search asks for a facet that no type in question has.
    #[error("no asset that is looked for has the facet `{facet}`{}", near_hint(near))]
    NoFacet {
        /// What was asked for.
        facet: String,
        /// Facets that may have been meant, closest first.
        near: Vec<String>,
    },
    /// A search asks something of a facet that it cannot be asked.
    #[error("the facet `{facet}` cannot be asked for that: {message}")]
    FacetFilter {
        /// The facet.
        facet: String,
        /// Why.
        message: String,
    },
    /// A folder is asked to be a package, and has no `package.yaml`.
    #[error("`{path}` is no package: it has no `package.yaml`")]
    NotAPackage {
        /// The folder.
        path: VfsPath,
    },
    /// A packed package is not what it says, or is made to do harm. Nothing of it was used.
    #[error("the package `{package}` is refused: {problem}")]
    PackageRefused {
        /// Where it is packed.
        package: String,
        /// What is wrong with it.
        problem: crate::PackageProblem,
    },
    /// Something keeps a package out of a world, or in it. Nothing was written.
    #[error("the package `{package}`: {}", conflicts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    PackageConflicts {
        /// Its name.
        package: String,
        /// All that does.
        conflicts: Vec<crate::Conflict>,
    },
    /// Another program was at the same place at the same time, and first. What was done till then was taken back.
    #[error(
        "`{path}` is not what it was when this began: another program was at it, and first; update the world or open it anew, and try again"
    )]
    Overtaken {
        /// The place.
        path: VfsPath,
    },
    /// A package that is to be removed is not installed.
    #[error("no package {package} is installed; {}", installed(names))]
    NotInstalled {
        /// Its guid.
        package: crate::Guid,
        /// The names of those that are, sorted.
        names: Vec<String>,
    },
    /// A file holds no JSON.
    #[error("{file}: this is no JSON: {source}")]
    Json {
        /// The file.
        file: VfsPath,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
    /// A declaration is wrong in what it cannot do without.
    #[error("{}", all(diagnostics))]
    Broken {
        /// What is wrong; at least one error.
        diagnostics: Vec<Diagnostic>,
    },
    /// A texture's payload cannot be decoded or encoded.
    #[error("{file}: this is not a whole {expected} image: {source}")]
    Image {
        /// The payload.
        file: VfsPath,
        /// The format it was taken for.
        expected: &'static str,
        /// What the decoder said.
        source: image::ImageError,
    },
    /// A texture's payload holds something else than its `texture.yaml` says.
    #[error("{file}: its {what} is {found}, but texture.yaml says {expected}")]
    Payload {
        /// The payload.
        file: VfsPath,
        /// What differs.
        what: &'static str,
        /// As texture.yaml has it.
        expected: String,
        /// As the payload has it.
        found: String,
    },
    /// A texture is larger than its reader allows.
    #[error("{file}: {width} x {height} texels of {bytes} bytes in all are more than allowed ({limit})")]
    TooLarge {
        /// The texture.yaml.
        file: VfsPath,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Decoded bytes.
        bytes: u64,
        /// The limit that is exceeded.
        limit: String,
    },
    /// A float texture holds a NaN or an infinity.
    #[error("{file}: the texel in column {x} of row {y} is {value}, which is no finite number")]
    NotFinite {
        /// The payload.
        file: VfsPath,
        /// The column, from 0.
        x: u32,
        /// The row, from 0.
        y: u32,
        /// The value.
        value: f32,
    },
    /// Texels do not fit the texture they are for.
    #[error("{expected} values were expected for {width} x {height} texels of {format}, and {found} came")]
    TexelCount {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// The format.
        format: crate::Format,
        /// Values a texture of this size has.
        expected: u64,
        /// Values that came.
        found: u64,
    },
    /// Texels are of another type than their format's.
    #[error("a texture of {format} holds {expected} values, and {found} came")]
    TexelType {
        /// The format.
        format: crate::Format,
        /// The type of its values.
        expected: &'static str,
        /// The type that came.
        found: &'static str,
    },
    /// A texture cannot be as it is described.
    #[error("no such texture: {message}")]
    Info {
        /// What is wrong with the description.
        message: String,
    },
    /// A texture that is asked for heights says nothing of them.
    #[error("this texture is no elevation model: texture.yaml has no `elevation`")]
    NoElevation,
}

impl Error {
    /// The file or folder that could not be read, where the error is about one.
    pub(crate) fn file(&self) -> Option<VfsPath> {
        use {zero_vfs::Error as Vfs, zero_yaml::Error as Yaml};
        match self {
            Self::NewerVersion { file, .. }
            | Self::Json { file, .. }
            | Self::Image { file, .. }
            | Self::Payload { file, .. }
            | Self::TooLarge { file, .. }
            | Self::NotFinite { file, .. } => Some(file.clone()),
            Self::Yaml(
                Yaml::TooLong { file, .. }
                | Yaml::NotUtf8 { file, .. }
                | Yaml::Refused { file, .. }
                | Yaml::Syntax { file, .. }
                | Yaml::Value { file, .. },
            ) => VfsPath::parse(file).ok(),
            Self::Vfs(
                Vfs::NotFound { path, .. }
                | Vfs::NotAFile { path }
                | Vfs::NotAFolder { path }
                | Vfs::TooLarge { path, .. }
                | Vfs::Link { path, .. }
                | Vfs::Special { path }
                | Vfs::Io { path, .. },
            ) => Some(path.clone()),
            _ => None,
        }
    }

    pub(crate) fn no_settings(asset: &VfsPath, kind: &str, form: zero_vfs::Kind) -> Self {
        Self::NoSettings {
            asset: asset.clone(),
            kind: kind.to_owned(),
            form,
        }
    }

    /// `error`, after what had been done before it was taken back, but for the places `left`, each with why it is not.
    pub(crate) fn after_undo(error: Self, left: Vec<(VfsPath, String)>) -> Self {
        match left.first() {
            None => error,
            Some((_, why)) => Self::NotUndone {
                error: Box::new(error),
                why: why.clone(),
                left: left.into_iter().map(|(path, _)| path).collect(),
            },
        }
    }
}

fn near_hint(near: &[String]) -> String {
    match near {
        [] => String::new(),
        [one] => format!("; did you mean `{one}`?"),
        many => format!("; did you mean one of `{}`?", many.join("`, `")),
    }
}

fn no_settings(kind: &str, form: zero_vfs::Kind) -> String {
    match form {
        zero_vfs::Kind::File => "it is one file, and settings live in a file of a folder's".to_owned(),
        zero_vfs::Kind::Folder => format!("its type `{kind}` declares none"),
    }
}

fn claimed(folder: Option<&str>, extensions: &[String]) -> String {
    match (folder, extensions) {
        (None, []) => "it claims no loose files".to_owned(),
        (Some(folder), []) => format!("its loose files are those in a folder called `{folder}`"),
        (None, known) => format!("its loose files end in `.{}`", known.join("`, `.")),
        (Some(folder), known) => {
            let known = known.join("`, `.");
            format!("its loose files are those in a folder called `{folder}`, and those that end in `.{known}`")
        }
    }
}

fn paths(candidates: &[VfsPath]) -> String {
    first_few(candidates.iter().map(VfsPath::as_str), candidates.len())
}

/// The first of `count` names, and how many more there are: a message stays one that is read.
pub(crate) fn first_few<'t>(names: impl Iterator<Item = &'t str>, count: usize) -> String {
    const FEW: usize = 5;
    let mut quoted: Vec<String> = names.take(FEW).map(|name| format!("`{name}`")).collect();
    if count > FEW {
        quoted.push(format!("and {} more", count - FEW));
    }
    quoted.join(", ")
}

fn unregistered_hint(near: &[String]) -> String {
    match near.first() {
        Some(near) => format!("; did you mean `{near}`?"),
        None => "; make the type first".to_owned(),
    }
}

fn all(diagnostics: &[Diagnostic]) -> String {
    let told: Vec<String> = diagnostics.iter().map(Diagnostic::to_string).collect();
    told.join("\n")
}

fn installed(names: &[String]) -> String {
    match names {
        [] => "none is".to_owned(),
        names => format!("those that are: {}", names.join(", ")),
    }
}
