//! Names that live as long as the process. A [`Kernel`](crate::Kernel) holds `&'static str`, so the names in an
//! author's files are kept for good: each distinct one once, and no more of them than the limits allow. Sources, which
//! change with every edit, are never kept here.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex};

pub(super) use crate::names::{check, shown};
use crate::queue::lock;

/// The longest name, in bytes.
pub(super) const MAX_NAME: usize = 64;
/// The most distinct names, and the most distinct lists of names, that one process keeps: 4 MiB of text at the worst.
const MAX_KEPT: usize = 65_536;

#[derive(Default)]
struct Kept {
    names: HashSet<&'static str>,
    lists: HashSet<&'static [&'static str]>,
}

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// The name for as long as the process lives; why not, where it is too long or too many are kept.
pub(super) fn keep(name: &str) -> Result<&'static str, String> {
    if name.len() > MAX_NAME {
        return Err(format!("a name has at most {MAX_NAME} bytes, this one {}", name.len()));
    }
    let mut kept = lock(&KEPT);
    if let Some(known) = kept.names.get(name) {
        return Ok(known);
    }
    room(kept.names.len())?;
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    kept.names.insert(name);
    Ok(name)
}

/// A list of kept names for as long as the process lives.
pub(super) fn keep_list(names: &[&'static str]) -> Result<&'static [&'static str], String> {
    let mut kept = lock(&KEPT);
    if let Some(known) = kept.lists.get(names) {
        return Ok(known);
    }
    room(kept.lists.len())?;
    let list: &'static [&'static str] = Box::leak(names.to_vec().into_boxed_slice());
    kept.lists.insert(list);
    Ok(list)
}

fn room(kept: usize) -> Result<(), String> {
    if kept < MAX_KEPT {
        return Ok(());
    }
    Err(format!("the process keeps {MAX_KEPT} distinct names already"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_kept_once() {
        let a = keep("some_name").unwrap();
        let b = keep(&String::from("some_name")).unwrap();
        assert!(std::ptr::eq(a, b));
        let lists = [keep_list(&[a, b]).unwrap(), keep_list(&[b, a]).unwrap()];
        assert!(std::ptr::eq(lists[0], lists[1]));
        assert!(keep(&"x".repeat(MAX_NAME)).is_ok());
        assert!(
            keep(&"x".repeat(MAX_NAME + 1))
                .unwrap_err()
                .contains("at most 64 bytes")
        );
    }
}
