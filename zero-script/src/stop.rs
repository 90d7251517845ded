//! Errors of ours on their way through the Luau machine, and what they come out as.

use zero_vfs::VfsPath;

use crate::control::Control;
use crate::error::{Error, Place};

/// An error that we raise inside the machine. It travels as the machine's error value, so a script may catch
/// it; what comes out of the machine is read back from it.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Stop {
    #[error("this run is over its time")]
    Deadline,
    #[error("modules require one another in a circle: {}", chain.iter().map(VfsPath::as_str).collect::<Vec<_>>().join(" -> "))]
    Cycle { chain: Vec<VfsPath> },
    #[error("`{folder}` has no module `{name}`")]
    NoModule {
        folder: VfsPath,
        name: String,
        near: Vec<String>,
    },
    #[error("a module `{name}` in `{folder}` may be any of `{}`", candidates.join("`, `"))]
    Ambiguous {
        folder: VfsPath,
        name: String,
        candidates: Vec<String>,
    },
    #[error("{file}: this is bytecode; only Luau text is run")]
    Bytecode { file: VfsPath },
    #[error("{0}")]
    Other(String),
}

impl Stop {
    pub(crate) fn into_lua(self) -> mlua::Error {
        mlua::Error::external(self)
    }
}

/// What the failure of a run of `file` is to its host.
pub(crate) fn explain(error: &mlua::Error, file: &VfsPath, control: &Control) -> Error {
    let (cause, traceback) = root(error);
    let text = cause.to_string();
    match cause {
        mlua::Error::ExternalError(inner) => match inner.downcast_ref::<Stop>() {
            Some(stop) => explain_stop(stop.clone(), file, &traceback, control),
            None => runtime(&text, traceback),
        },
        mlua::Error::MemoryError(_) => Error::Memory {
            file: file.clone(),
            limit: control.memory_limit,
        },
        mlua::Error::SyntaxError { message, .. } => match split_place(message) {
            Some((at, message)) => Error::Syntax {
                at,
                message: message.to_owned(),
            },
            None => Error::Syntax {
                at: Place {
                    file: file.clone(),
                    line: 1,
                },
                message: message.clone(),
            },
        },
        mlua::Error::RuntimeError(message) => runtime(message, traceback),
        mlua::Error::FromLuaConversionError { .. } | mlua::Error::BadArgument { .. } if traceback.is_empty() => {
            Error::Returned {
                file: file.clone(),
                message: text,
            }
        }
        _ => runtime(&text, traceback),
    }
}

fn explain_stop(stop: Stop, file: &VfsPath, traceback: &str, control: &Control) -> Error {
    let at = first_place(traceback);
    match stop {
        Stop::Deadline => Error::Deadline {
            file: file.clone(),
            limit: control.limit(),
        },
        Stop::Cycle { chain } => Error::Cycle { at, chain },
        Stop::NoModule { folder, name, near } => Error::NoModule { at, folder, name, near },
        Stop::Ambiguous {
            folder,
            name,
            candidates,
        } => Error::AmbiguousModule {
            at,
            folder,
            name,
            candidates,
        },
        Stop::Bytecode { file } => Error::Bytecode { file },
        Stop::Other(message) => Error::Runtime {
            at,
            message,
            traceback: traceback.to_owned(),
        },
    }
}

/// The innermost error and the calls that led to it.
fn root(error: &mlua::Error) -> (&mlua::Error, String) {
    let (mut cause, mut calls) = (error, String::new());
    loop {
        cause = match cause {
            mlua::Error::CallbackError { traceback, cause } => {
                calls = traceback.trim_start_matches("stack traceback:").trim().to_owned();
                cause
            }
            mlua::Error::WithContext { cause, .. } => cause,
            _ => return (cause, calls),
        }
    }
}

fn runtime(message: &str, calls: String) -> Error {
    // The machine appends the calls to the text.
    let (message, own_calls) = message.split_once("\nstack traceback:\n").unwrap_or((message, ""));
    let traceback = if own_calls.is_empty() {
        calls
    } else {
        own_calls.trim().to_owned()
    };
    let (at, message) = match split_place(message) {
        Some((at, message)) => (Some(at), message),
        None => (first_place(&traceback), message),
    };
    Error::Runtime {
        at,
        message: message.to_owned(),
        traceback,
    }
}

/// The innermost call of a script.
fn first_place(traceback: &str) -> Option<Place> {
    traceback
        .lines()
        .find_map(|line| Some(split_place(line.trim_start())?.0))
}

/// `/file:line: message` in its parts. A [`VfsPath`] holds no colon, so the first one ends it.
fn split_place(text: &str) -> Option<(Place, &str)> {
    let (file, rest) = text.split_once(':')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let line = rest[..digits].parse().ok()?;
    let message = rest[digits..].trim_start_matches(':').trim_start();
    Some((
        Place {
            file: VfsPath::parse(file).ok()?,
            line,
        },
        message,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_split_off() {
        let check = |text: &str, expected: Option<(&str, u32, &str)>| {
            let found = split_place(text);
            let found = found
                .as_ref()
                .map(|(at, message)| (at.file.as_str(), at.line, *message));
            assert_eq!(found, expected, "{text}");
        };
        check("/a/b.luau:12: boom: twice", Some(("/a/b.luau", 12, "boom: twice")));
        check("/a b.luau:3 in function 'f'", Some(("/a b.luau", 3, "in function 'f'")));
        check("boom", None);
        check("no path:3: boom", None);
        check("/a:b: boom", None);
        check("[C] in ?", None);
    }
}
