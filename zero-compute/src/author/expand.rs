//! One variant's WGSL: files put together, lines of other options left out, specializations put in. Every line of the
//! result knows the author's line that it came from.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::declaration::Choice;
use super::names::shown;
use super::place::Place;
use super::sources::{Line, Sources, column, line};
use crate::error::Result;

/// The most bytes of one variant.
const MAX_BYTES: usize = 8 << 20;

/// A line of one of the [`Sources`]' files, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) file: u32,
    pub(super) line: u32,
}

/// A variant's text, without the header in front of it.
#[derive(Debug, Default)]
pub(super) struct Expanded {
    pub(super) text: String,
    /// One a line of the text.
    pub(super) origins: Vec<Origin>,
    /// Whether a line asks for zero-noise.
    pub(super) uses_noise: bool,
}

pub(super) fn expand(sources: &Sources, choices: &[Choice], options: &[Cow<'static, str>]) -> Result<Expanded> {
    let mut expander = Expander {
        sources,
        choices,
        options,
        done: vec![false; sources.files.len()],
        out: Expanded::default(),
    };
    expander.file(0)?;
    Ok(expander.out)
}

struct Expander<'a> {
    sources: &'a Sources,
    choices: &'a [Choice],
    options: &'a [Cow<'static, str>],
    done: Vec<bool>,
    out: Expanded,
}

impl Expander<'_> {
    /// Appends a file that was not yet. The files include each other in no circle and not deeply: they were gathered.
    fn file(&mut self, at: usize) -> Result<()> {
        let Some(source) = self.sources.files.get(at) else {
            return Ok(());
        };
        match self.done.get_mut(at) {
            Some(done) if !*done => *done = true,
            _ => return Ok(()),
        }
        let mut open: Vec<(bool, u32)> = Vec::new();
        let mut words = Words::default();
        for (index, text) in source.text.lines().enumerate() {
            let place = Place {
                file: &source.file,
                line: index as u32 + 1,
                column: column(text),
            };
            let is_kept = open.iter().all(|(kept, _)| *kept);
            let mut written = Cow::Borrowed("");
            match line(text).map_err(|why| place.error(why))? {
                Line::When(rest) => {
                    let kept = self.is_chosen(rest).map_err(|why| place.error(why))?;
                    open.push((kept, place.line));
                }
                Line::End => {
                    if open.pop().is_none() {
                        return Err(place.error("`@end` without a `@when`"));
                    }
                }
                Line::Use("zero_noise") => self.out.uses_noise |= is_kept,
                Line::Use(other) => {
                    let message = format!("`@use {}`: there is `zero_noise` alone", shown(other));
                    return Err(place.error(message));
                }
                Line::Include(name) if is_kept => {
                    if let Some(included) = self.sources.position(name) {
                        self.file(included)?;
                    }
                }
                Line::Text if is_kept => written = words.substitute(text, self.choices, self.options),
                Line::Include(_) | Line::Text => {}
            }
            self.push(&written, at, place)?;
        }
        match open.last() {
            None => Ok(()),
            Some((_, line)) => Err(Place {
                file: &source.file,
                line: *line,
                column: 1,
            }
            .error("this `@when` is not closed by an `@end`")),
        }
    }

    fn push(&mut self, text: &str, file: usize, place: Place<'_>) -> Result<()> {
        if self.out.text.len() + text.len() >= MAX_BYTES {
            return Err(place.error(format!(
                "the whole of the WGSL is more than the {MAX_BYTES} bytes allowed"
            )));
        }
        let origin = Origin {
            file: file as u32,
            line: place.line,
        };
        // A text that is put in may be of several lines; a `\r` alone is a line's end in WGSL too.
        for part in text.split('\n') {
            self.out.text.push_str(part);
            self.out.text.push('\n');
            self.out.origins.push(origin);
        }
        Ok(())
    }

    /// Whether `NAME option...` names the option that was chosen.
    fn is_chosen(&self, rest: &str) -> Result<bool, String> {
        let mut words = rest.split_whitespace();
        let name = words.next().unwrap_or_default();
        let found = self
            .choices
            .iter()
            .zip(self.options)
            .find(|(choice, _)| choice.name == name);
        let Some((choice, chosen)) = found else {
            return Err(format!("`{}` is no specialization", shown(name)));
        };
        if choice.options.is_empty() {
            return Err(format!("`{name}` takes any text, which no line can depend on"));
        }
        let wanted: Vec<&str> = words.flat_map(|word| word.split('|')).collect();
        if wanted.is_empty() {
            return Err(format!(
                "`@when {name}` names no option; it has {}",
                choice.options.join(", ")
            ));
        }
        match wanted.iter().find(|option| !choice.options.contains(option)) {
            Some(unknown) => Err(format!(
                "`{name}` has no option `{}`; it has {}",
                shown(unknown),
                choice.options.join(", ")
            )),
            None => Ok(wanted.contains(&chosen.as_ref())),
        }
    }
}

/// Finds the words of WGSL outside comments. It goes from line to line: a block comment may run over several.
#[derive(Default)]
struct Words {
    /// How many block comments are open: WGSL nests them.
    comments: u32,
}

impl Words {
    /// Calls `f` with the bytes of every word of a line.
    fn each(&mut self, text: &str, mut f: impl FnMut(Range<usize>)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at += match (byte, bytes.get(at + 1)) {
                (b'*', Some(b'/')) if self.comments > 0 => {
                    self.comments -= 1;
                    2
                }
                (b'/', Some(b'*')) => {
                    self.comments += 1;
                    2
                }
                _ if self.comments > 0 => 1,
                (b'/', Some(b'/')) => return,
                _ if is_word(byte) => {
                    let len = bytes.iter().skip(at).take_while(|b| is_word(**b)).count();
                    f(at..at + len);
                    len
                }
                _ => 1,
            };
        }
    }

    /// The line with every word that is the name of a specialization replaced by what was chosen. A member (`.name`)
    /// is no such word.
    fn substitute<'t>(&mut self, text: &'t str, choices: &[Choice], options: &[Cow<'static, str>]) -> Cow<'t, str> {
        let mut out: Option<String> = None;
        let mut copied = 0;
        self.each(text, |word| {
            let is_member = text.get(..word.start).unwrap_or_default().trim_end().ends_with('.');
            let name = text.get(word.clone()).unwrap_or_default();
            let chosen = choices.iter().zip(options).find(|(choice, _)| choice.name == name);
            if let Some((_, chosen)) = chosen.filter(|_| !is_member) {
                let out = out.get_or_insert_default();
                out.push_str(text.get(copied..word.start).unwrap_or_default());
                out.push_str(chosen);
                copied = word.end;
            }
        });
        match out {
            None => Cow::Borrowed(text),
            Some(mut out) => {
                out.push_str(text.get(copied..).unwrap_or_default());
                Cow::Owned(out)
            }
        }
    }
}

/// What follows `prefix` in the words of a text that begin with it: sorted, each once.
pub(super) fn words_after<'t>(text: &'t str, prefix: &str) -> BTreeSet<&'t str> {
    let mut found = BTreeSet::new();
    let mut words = Words::default();
    for line in text.lines() {
        words.each(line, |word| {
            let rest = line.get(word).unwrap_or_default().strip_prefix(prefix);
            found.extend(rest.filter(|rest| !rest.is_empty()));
        });
    }
    found
}

/// What names and numbers are made of; a number is met as one word, so that its suffix is none.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::super::sources::Includes;
    use super::*;
    use crate::author::sources::SourceFile;

    fn choices() -> Vec<Choice> {
        let choice = |name, options: &'static [&'static str]| Choice {
            name,
            options,
            default: None,
        };
        vec![
            choice("MODE", &["add", "min", "max"]),
            choice("T", &["f32", "i32"]),
            choice("STEP", &[]),
        ]
    }

    fn expanded(text: &str, options: [&'static str; 3]) -> Result<Expanded> {
        let includes = |name: &str| match name {
            "a" => Some("A1\n#include \"b\"\nA3".to_owned()),
            "b" => Some("B1".to_owned()),
            _ => None,
        };
        let sources = Sources::gather(SourceFile::new("k.wgsl", text), &|name| Ok(includes.find(name)))?;
        expand(&sources, &choices(), &options.map(Cow::Borrowed))
    }

    #[test]
    fn lines_of_other_options_are_empty_and_keep_their_numbers() {
        let text = "a\n// @when MODE add max\nb\n// @when T i32|f32\nc\n// @end\n// @end\nd";
        let kept = expanded(text, ["max", "f32", ""]).unwrap();
        assert_eq!(kept.text, "a\n\nb\n\nc\n\n\nd\n");
        let dropped = expanded(text, ["min", "f32", ""]).unwrap();
        assert_eq!(dropped.text, "a\n\n\n\n\n\n\nd\n");
        assert_eq!(dropped.origins[7], Origin { file: 0, line: 8 });
    }

    #[test]
    fn words_are_replaced_where_they_are_code() {
        let text = "var x: T = T(1) + s.T + 1T; // T\n/* T /* T */ T\nT */ T ST T_\nSTEP";
        let made = expanded(text, ["add", "i32", "one\ntwo"]).unwrap();
        assert_eq!(
            made.text,
            "var x: i32 = i32(1) + s.T + 1T; // T\n/* T /* T */ T\nT */ i32 ST T_\none\ntwo\n"
        );
        let lines: Vec<u32> = made.origins.iter().map(|origin| origin.line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 4]);
    }

    #[test]
    fn words_after_a_prefix_are_sorted_and_no_comment() {
        let text = "cols_col_b + cols_col_a; // cols_col_c\n/* cols_col_d */ cols_col_a xcols_col_e cols_col_";
        let found: Vec<&str> = words_after(text, "cols_col_").into_iter().collect();
        assert_eq!(found, ["a", "b"]);
    }

    #[test]
    fn a_file_is_included_once_and_its_lines_are_its_own() {
        let made = expanded(
            "x\n#include \"b\"\n#include \"a\" // again\n#include \"b\"\ny",
            ["add", "f32", ""],
        )
        .unwrap();
        assert_eq!(made.text, "x\nB1\n\nA1\n\nA3\n\n\ny\n");
        let origins: Vec<(u32, u32)> = made.origins.iter().map(|o| (o.file, o.line)).collect();
        assert_eq!(
            origins,
            [(0, 1), (1, 1), (0, 2), (2, 1), (2, 2), (2, 3), (0, 3), (0, 4), (0, 5)]
        );
    }

    #[test]
    fn what_is_dropped_is_not_included() {
        let made = expanded(
            "// @when MODE min\n#include \"a\"\n// @use zero_noise\n// @end",
            ["add", "f32", ""],
        )
        .unwrap();
        assert_eq!((made.text.trim(), made.uses_noise), ("", false));
    }

    #[test]
    fn a_variant_s_text_is_bounded() {
        let long: &'static str = Box::leak("x".repeat(MAX_BYTES / 4).into_boxed_str());
        assert!(expanded("STEP\nSTEP\nSTEP", ["add", "f32", long]).is_ok());
        let error = expanded("STEP\nSTEP\nSTEP\nSTEP", ["add", "f32", long]).unwrap_err();
        let expected = "k.wgsl:4:1: the whole of the WGSL is more than the 8388608 bytes allowed";
        assert!(error.to_string().starts_with(expected), "{error}");
    }

    #[test]
    fn what_is_wrong_is_told_with_file_and_line() {
        let check = |text: &str, expected: &str| {
            let error = expanded(text, ["add", "f32", ""]).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        };
        check("x\n// @when MODE add\ny", "k.wgsl:2:1: this `@when` is not closed");
        check("x\n  // @end", "k.wgsl:2:3: `@end` without a `@when`");
        check("// @when SIZE add\n// @end", "k.wgsl:1:1: `SIZE` is no specialization");
        check(
            "// @when MODE\n// @end",
            "k.wgsl:1:1: `@when MODE` names no option; it has add, min, max",
        );
        check(
            "// @when MODE add|sub\n// @end",
            "k.wgsl:1:1: `MODE` has no option `sub`; it has add, min, max",
        );
        check("// @when STEP s\n// @end", "k.wgsl:1:1: `STEP` takes any text");
        check("// @unless MODE add", "k.wgsl:1:1: `// @unless` is no directive");
        check("// @use noise", "k.wgsl:1:1: `@use noise`: there is `zero_noise` alone");
        check("x\n #include noise", "k.wgsl:2:2: an include is written");
        check("#include \"\"", "k.wgsl:1:1: an include is written");
        check("#include \"a\" b", "k.wgsl:1:1: an include is written");
        check("\n#include \"c\"", "k.wgsl:2:1: nothing is found under the name `c`");
        check(
            "#include \"@builtin::x\"",
            "k.wgsl:1:1: there is no `@builtin::x`; there are @builtin::systems.procgen.bvh_box",
        );
    }
}
