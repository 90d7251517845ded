//! Values written into a YAML text that is there: what does not change stays as a person wrote it, comments among it.

use zero_yaml::Node;

use super::Values;
use crate::value::{self, Value};

/// `old`, whose tree is `tree`, with exactly `values` in it: each key where it was, what is new at the end, and every comment
/// but those within a value of several lines that changes. `None` where the keys do not stand on lines of their own.
///
/// What it returns is still to be read: a text that is written in an odd way may not come out as it should.
pub(super) fn edited(old: &str, tree: &Node, values: &Values) -> Option<String> {
    let lines: Vec<&str> = old.split_inclusive('\n').collect();
    let starts = starts(tree, &lines)?;
    let end = if old.contains("\r\n") { "\r\n" } else { "\n" };
    let indent = " ".repeat(tree.fields().first().map_or(0, |field| field.at.column as usize - 1));
    let mut text = lines[..starts.first().copied().unwrap_or(lines.len())].concat();
    let mut new = values.clone();
    for (number, (field, &start)) in tree.fields().iter().zip(&starts).enumerate() {
        let until = starts.get(number + 1).copied().unwrap_or(lines.len());
        let block = &lines[start..until];
        let (own, after) = block.split_at(own_lines(block, &indent));
        let held = value::of_node(&field.node);
        match new.remove(&field.key) {
            Some(value) if value::equal(&value, &held) => text += &own.concat(),
            Some(value) => {
                let comment = comment(own, &field.key, &held);
                text += &written(&field.key, &value, comment, &indent, end)?;
            }
            None => {}
        }
        text += &after.concat();
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text += end;
    }
    for (key, value) in &new {
        text += &written(key, value, None, &indent, end)?;
    }
    Some(text)
}

/// The line that each key begins on, from 0. `None` where they are not one below the other with nothing before them.
fn starts(tree: &Node, lines: &[&str]) -> Option<Vec<usize>> {
    let mut starts: Vec<usize> = Vec::new();
    for field in tree.fields() {
        let (line, column) = (field.at.line as usize - 1, field.at.column as usize - 1);
        let before = lines.get(line)?.get(..column)?;
        let is_below = starts.last().is_none_or(|above| *above < line);
        if !is_below || field.at.column != tree.fields()[0].at.column || !before.bytes().all(|byte| byte == b' ') {
            return None;
        }
        starts.push(line);
    }
    Some(starts)
}

/// How many of the lines from a key to the next are its value's: blank lines and comments at its end are what stands before
/// the next.
fn own_lines(block: &[&str], indent: &str) -> usize {
    let is_between = |line: &&str| {
        let rest = line.strip_prefix(indent).unwrap_or(line);
        line.trim().is_empty() || rest.starts_with('#')
    };
    block.len() - block.iter().rev().take_while(|line| is_between(line)).count()
}

/// The comment behind a value of one line.
fn comment<'t>(own: &[&'t str], key: &str, held: &Value) -> Option<&'t str> {
    let [line] = own else { return None };
    let is_all = |before: &str| {
        let read = zero_yaml::Document::parse("line", before).and_then(|line| line.tree());
        read.is_ok_and(|tree| {
            tree.get(key)
                .is_some_and(|node| value::equal(&value::of_node(node), held))
        })
    };
    let mut places = line.match_indices(" #").map(|(at, _)| at);
    let at = places.find(|at| is_all(&line[..*at]))?;
    let blanks = line[..at].len() - line[..at].trim_end().len();
    Some(line[at - blanks..].trim_end())
}

/// A key and its value. The comment stands behind a value of one line, and above one of several.
fn written(key: &str, value: &Value, comment: Option<&str>, indent: &str, end: &str) -> Option<String> {
    let text = zero_yaml::to_string(&Values::from_iter([(key.to_owned(), value.clone())])).ok()?;
    let mut text: Vec<String> = text.lines().map(str::to_owned).collect();
    match (comment, &mut text[..]) {
        (Some(comment), [line]) => line.push_str(comment),
        (Some(comment), _) => text.insert(0, comment.trim_start().to_owned()),
        (None, _) => {}
    }
    let lines = text.iter().map(|line| match line.is_empty() {
        true => end.to_owned(),
        false => format!("{indent}{line}{end}"),
    });
    Some(lines.collect())
}
