//! The licence of every dependency: each package's SPDX expression must be satisfiable from the allow list.

use crate::shell::{Result, Run};
use crate::workspace::Workspace;
use std::collections::{BTreeMap, BTreeSet};

/// Licences that any dependency may have: permissive ones, which ask for a notice at most.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Licences that a package of this name alone may have. Each entry must be in use.
const ALLOWED_FOR: &[(&str, &str)] = &[];

/// Checks all packages that any crate of the workspace needs on any target, build and test dependencies included.
pub(crate) fn check(workspace: &Workspace) -> Result<()> {
    let listing = Run::cargo(&workspace.root)
        .args([
            "tree",
            "--workspace",
            "--all-features",
            "--target",
            "all",
            "--edges",
            "normal,build,dev",
        ])
        .args(["--prefix", "none", "--no-dedupe", "--format", "{p}\t{l}"])
        .read()?;
    let packages = packages(&listing);
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for (package, expression) in &packages {
        let name = package.split(' ').next().unwrap_or_default();
        let verdict = Expression::parse(expression).map(|parsed| {
            parsed.satisfied(&mut |licence| {
                let by_name = ALLOWED_FOR.contains(&(name, licence));
                if by_name {
                    used.insert((name.to_owned(), licence.to_owned()));
                }
                by_name || ALLOWED.contains(&licence)
            })
        });
        match verdict {
            Ok(true) => {}
            Ok(false) => wrong.push(format!(
                "{package}: `{expression}` is not satisfiable from the allow list"
            )),
            Err(reason) => wrong.push(format!("{package}: `{expression}`: {reason}")),
        }
    }
    for (name, licence) in ALLOWED_FOR {
        if !used.contains(&((*name).to_owned(), (*licence).to_owned())) {
            wrong.push(format!("{name}: allowed {licence} by name, and no longer needs it"));
        }
    }
    if !wrong.is_empty() {
        return Err(format!("licences:\n  {}", wrong.join("\n  ")));
    }
    eprintln!("{} packages, every licence allowed", packages.len());
    Ok(())
}

/// Package and version, without the path behind them, and the SPDX expression, without cargo's mark for "shown above".
fn packages(listing: &str) -> BTreeMap<String, String> {
    listing
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(package, licence)| {
            let name = package.split(" (").next().unwrap_or(package);
            (name.to_owned(), licence.trim_end_matches(" (*)").trim().to_owned())
        })
        .collect()
}

/// An SPDX licence expression (annex D of the SPDX specification 2.3), with the older `/` read as `OR`.
#[derive(Debug, PartialEq)]
enum Expression {
    /// An identifier, with its exception: `Apache-2.0 WITH LLVM-exception`.
    Licence(String),
    All(Vec<Expression>),
    Any(Vec<Expression>),
}

impl Expression {
    fn parse(text: &str) -> Result<Self> {
        let spaced = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let mut words = spaced.split_whitespace().peekable();
        if words.peek().is_none() {
            return Err("no licence is named".into());
        }
        let whole = Self::any(&mut words)?;
        match words.next() {
            None => Ok(whole),
            Some(word) => Err(format!("`{word}` is unexpected")),
        }
    }

    fn any<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Result<Self> {
        let mut parts = vec![Self::all(words)?];
        while words.next_if_eq(&"OR").is_some() {
            parts.push(Self::all(words)?);
        }
        Ok(Self::Any(parts))
    }

    fn all<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Result<Self> {
        let mut parts = vec![Self::one(words)?];
        while words.next_if_eq(&"AND").is_some() {
            parts.push(Self::one(words)?);
        }
        Ok(Self::All(parts))
    }

    fn one<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Result<Self> {
        match words.next() {
            Some("(") => {
                let inner = Self::any(words)?;
                match words.next() {
                    Some(")") => Ok(inner),
                    _ => Err("a parenthesis is not closed".into()),
                }
            }
            None | Some(")" | "AND" | "OR" | "WITH") => Err("a licence is missing".into()),
            Some(licence) if words.next_if_eq(&"WITH").is_some() => match words.next() {
                Some(exception) => Ok(Self::Licence(format!("{licence} WITH {exception}"))),
                None => Err("an exception is missing".into()),
            },
            Some(licence) => Ok(Self::Licence(licence.to_owned())),
        }
    }

    fn satisfied(&self, allowed: &mut impl FnMut(&str) -> bool) -> bool {
        match self {
            Self::Licence(licence) => allowed(licence),
            Self::All(parts) => parts.iter().all(|part| part.satisfied(allowed)),
            Self::Any(parts) => parts.iter().any(|part| part.satisfied(allowed)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: std::result::Result<bool, &str>) {
        let answer = Expression::parse(text).map(|parsed| parsed.satisfied(&mut |licence| ALLOWED.contains(&licence)));
        assert_eq!(answer, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn expressions_are_satisfied_by_the_allow_list_alone() {
        check("MIT", Ok(true));
        check("MIT/Apache-2.0", Ok(true));
        check("GPL-3.0-only", Ok(false));
        check("GPL-3.0-only OR MIT", Ok(true));
        check("GPL-3.0-only AND MIT", Ok(false));
        check("(MIT OR GPL-3.0-only) AND Unicode-3.0", Ok(true));
        check("MIT OR GPL-3.0-only AND LGPL-2.1-only", Ok(true));
        check("(MIT OR GPL-3.0-only) AND LGPL-2.1-only", Ok(false));
        check("Apache-2.0 WITH LLVM-exception", Ok(true));
        check("MIT WITH LLVM-exception", Ok(false));
        check("MPL-2.0", Ok(false));
    }

    #[test]
    fn broken_expressions_are_refused() {
        check("", Err("no licence is named"));
        check("MIT OR", Err("a licence is missing"));
        check("(MIT", Err("a parenthesis is not closed"));
        check("MIT Zlib", Err("`Zlib` is unexpected"));
        check("MIT WITH", Err("an exception is missing"));
    }

    #[test]
    fn a_listing_gives_each_package_once() {
        let found = packages("a v1.0.0\tMIT\n\nb v2.0.0 (proc-macro)\tZlib\na v1.0.0\tMIT (*)\nc v1.0.0 (/c)\t\n");
        let expected = [("a v1.0.0", "MIT"), ("b v2.0.0", "Zlib"), ("c v1.0.0", "")];
        assert_eq!(
            found,
            expected
                .map(|(package, licence)| (package.to_owned(), licence.to_owned()))
                .into()
        );
    }
}
