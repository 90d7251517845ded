//! [`PackageProblem`]: why a packed package is refused, and [`Conflict`]: what keeps one out of a world.

use std::fmt;

use semver::{Version, VersionReq};
use zero_vfs::VfsPath;

/// Why a packed package is refused before anything is written. Paths are as the package has them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackageProblem {
    /// It has no manifest.
    #[error("it holds no `manifest.yaml`")]
    NoManifest,
    /// It holds no part that is the package itself.
    #[error("its last part is not the package that it says it is")]
    NoPackage,
    /// Something would be put where no package may put anything.
    #[error("`{path}` is no place for it: {why}")]
    Place {
        /// Where.
        path: VfsPath,
        /// Why not.
        why: &'static str,
    },
    /// It holds a file that its manifest does not list, or something that no path can name.
    #[error("it holds `{name}`, which its manifest does not list")]
    Unlisted {
        /// What.
        name: String,
    },
    /// Its manifest lists a file that it does not hold.
    #[error("it does not hold `{path}`, which its manifest lists")]
    Missing {
        /// The file.
        path: VfsPath,
    },
    /// A file is not the one that the manifest lists.
    #[error("`{path}` is damaged: it is not the file that the manifest lists")]
    Damaged {
        /// The file.
        path: VfsPath,
    },
    /// It holds too many files.
    #[error("{files} files are more than the {limit} allowed")]
    TooManyFiles {
        /// How many.
        files: u64,
        /// The most allowed.
        limit: u64,
    },
    /// A file is too large.
    #[error("`{path}` has {bytes} bytes, more than the {limit} allowed")]
    TooLarge {
        /// The file.
        path: VfsPath,
        /// Its size.
        bytes: u64,
        /// The most allowed.
        limit: u64,
    },
    /// Its files together are too large.
    #[error("its files have {bytes} bytes together, more than the {limit} allowed")]
    TotalTooLarge {
        /// Their size.
        bytes: u64,
        /// The most allowed.
        limit: u64,
    },
    /// Two files have names that are equal but for case: one system in two would hold one of them.
    #[error("`{one}` and `{other}` are equal but for case")]
    CaseClash {
        /// One.
        one: VfsPath,
        /// The other.
        other: VfsPath,
    },
    /// A sidecar does not hold the guid that the manifest says, or holds one that another asset of the package has.
    #[error("the guid in `{path}` is {why}")]
    Guid {
        /// The sidecar.
        path: VfsPath,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// What keeps a package out of a world, or in it. Paths are those of the world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conflict {
    /// Something else stands where a part would go.
    Occupied {
        /// Where.
        path: VfsPath,
    },
    /// Another asset has the guid of one in a part: it was taken out of the package, or put together by hand.
    GuidTaken {
        /// The asset in the world.
        path: VfsPath,
    },
    /// A type comes, and another of its name is there.
    TypeTaken {
        /// The type's name.
        name: String,
        /// The type in the world.
        by: VfsPath,
    },
    /// A type comes, and another is there whose assets end in the same suffix.
    SuffixTaken {
        /// The name of the type that comes.
        name: String,
        /// The suffix.
        suffix: String,
        /// The type in the world.
        by: VfsPath,
    },
    /// What is installed was edited since: an update or a removal would lose that.
    Edited {
        /// The part.
        path: VfsPath,
        /// The files that differ.
        files: Vec<VfsPath>,
    },
    /// A newer version is installed.
    Newer {
        /// The package.
        name: String,
        /// What is there.
        installed: Version,
        /// What would come.
        offered: Version,
    },
    /// A package that this one needs is not there in a version that will do.
    Requires {
        /// The package that is needed.
        name: String,
        /// The versions that will do.
        version: VersionReq,
        /// The version that is there.
        found: Option<Version>,
    },
    /// A package that is there needs one that would be replaced or go, in another version.
    RequiredBy {
        /// The package that is there.
        by: VfsPath,
        /// The package that it needs.
        name: String,
        /// The versions that will do for it.
        version: VersionReq,
    },
    /// An asset of a library is not there.
    Needs {
        /// Its identity where the package was made.
        identity: String,
    },
    /// An asset that would go is named by one that stays.
    InUse {
        /// The asset that would go.
        path: VfsPath,
        /// The asset that names it.
        by: VfsPath,
    },
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Occupied { path } => write!(f, "`{path}` is there already, and is something else"),
            Self::GuidTaken { path } => write!(f, "`{path}` has the guid of an asset in the package"),
            Self::TypeTaken { name, by } => write!(f, "the type `{name}` is that of `{by}` already"),
            Self::SuffixTaken { name, suffix, by } => {
                write!(
                    f,
                    "the type `{name}` has the suffix `{suffix}`, which is that of `{by}` already"
                )
            }
            Self::Edited { path, files } => {
                let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
                write!(f, "`{path}` was edited since it was installed ({})", files.join(", "))
            }
            Self::Newer {
                name,
                installed,
                offered,
            } => write!(f, "`{name}` {installed} is installed, which is newer than {offered}"),
            Self::Requires { name, version, found } => match found {
                Some(found) => write!(f, "it needs `{name}` {version}, and {found} is there"),
                None => write!(f, "it needs `{name}` {version}, which is not there"),
            },
            Self::RequiredBy { by, name, version } => write!(f, "`{by}` needs `{name}` {version}"),
            Self::Needs { identity } => write!(f, "it needs `{identity}`, which is not there"),
            Self::InUse { path, by } => write!(f, "`{by}` names `{path}`"),
        }
    }
}
