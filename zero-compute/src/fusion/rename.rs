//! Names of a WGSL text made a member's own, so that several texts stand in one module.

use std::borrow::Cow;
use std::collections::HashSet;

/// The text with every name passed through `f`, which also learns whether it stands behind `params.`. Comments and
/// numbers are left as they are, and so are the members of other values, where a struct declares them too.
pub(crate) fn rename<'a>(text: &'a str, f: impl Fn(&'a str, bool) -> Option<Cow<'a, str>>) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let (mut last, mut before_dot) = ("", "");
    let (mut is_member, mut body) = (false, Body::Outside);
    let mut tokens = Tokens { rest: text };
    while let Some(token) = tokens.next() {
        body = body.after(token);
        if is_name(token) {
            let new = match (is_member, before_dot) {
                _ if body == Body::Inside && tokens.stand_before_colon() => None,
                (false, _) => f(token, false),
                (true, "params") => f(token, true),
                (true, _) => None,
            };
            out.push_str(new.as_deref().unwrap_or(token));
        } else {
            out.push_str(token);
        }
        if token == "." {
            before_dot = last;
        }
        if !is_blank(token) {
            // In `value.params.x` it is not the params that `x` is a member of.
            last = if is_member { "" } else { token };
            is_member = token == ".";
        }
    }
    out
}

/// Whether a token is between the braces of a struct; no other braces are inside those.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Outside,
    Announced,
    Inside,
}

impl Body {
    fn after(self, token: &str) -> Self {
        match (self, token) {
            (Body::Outside, "struct") => Body::Announced,
            (Body::Announced, "{") => Body::Inside,
            (Body::Inside, "}") => Body::Outside,
            (before, _) => before,
        }
    }
}

/// The names that a text declares outside of functions.
pub(crate) fn declared(text: &str) -> HashSet<&str> {
    let mut names = HashSet::new();
    let mut depth = 0i32;
    let mut tokens = Tokens { rest: text }.filter(|token| !is_blank(token));
    while let Some(token) = tokens.next() {
        match token {
            "{" => depth += 1,
            "}" => depth -= 1,
            "fn" | "struct" | "alias" | "const" | "override" if depth == 0 => {
                names.extend(tokens.next().filter(|name| is_name(name)));
            }
            "var" if depth == 0 => {
                let mut next = tokens.next();
                if next == Some("<") {
                    next = tokens.by_ref().skip_while(|token| *token != ">").nth(1);
                }
                names.extend(next.filter(|name| is_name(name)));
            }
            _ => {}
        }
    }
    names
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// White space and comments.
fn is_blank(token: &str) -> bool {
    token.starts_with(char::is_whitespace) || token.starts_with("//") || token.starts_with("/*")
}

/// Names, numbers, runs of white space, comments, and every other character by itself.
struct Tokens<'a> {
    rest: &'a str,
}

impl Tokens<'_> {
    /// Whether a colon comes next, after white space and comments.
    fn stand_before_colon(&self) -> bool {
        Tokens { rest: self.rest }.find(|token| !is_blank(token)) == Some(":")
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest;
        let first = rest.chars().next()?;
        let end = |stop: &dyn Fn(char) -> bool| rest.find(stop).unwrap_or(rest.len());
        let word = |c: char| !(c.is_alphanumeric() || c == '_');
        let length = if rest.starts_with("//") {
            end(&|c| c == '\n')
        } else if rest.starts_with("/*") {
            comment(rest)
        } else if first.is_ascii_digit() {
            end(&|c| word(c) && c != '.')
        } else if first.is_alphabetic() || first == '_' {
            end(&word)
        } else if first.is_whitespace() {
            end(&|c| !c.is_whitespace())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        self.rest = after;
        Some(token)
    }
}

/// How long the comment at the start is; WGSL nests them.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let step = if rest.starts_with("/*") {
            depth += 1;
            2
        } else if rest.starts_with("*/") {
            depth -= 1;
            2
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at.min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_members_numbers_and_comments() {
        let text = "// by is by\nlet by = by.by + params . by /* by /* by */ by */ * 0xbyu + 1.5f;";
        let renamed = rename(text, |name, is_param| {
            (name == "by").then(|| Cow::from(if is_param { "p_by" } else { "m_by" }))
        });
        assert_eq!(
            renamed,
            "// by is by\nlet m_by = m_by.by + params . p_by /* by /* by */ by */ * 0xbyu + 1.5f;"
        );
    }

    #[test]
    fn the_members_of_a_struct_are_left_where_they_are_declared_too() {
        let text = "struct by { @size(by) by /* by */ : array<by, by>, b: by }\n\
            fn f(by: by) -> f32 { let x = params.by; return by.by + by.params.by; }";
        let renamed = rename(text, |name, is_param| {
            (name == "by").then(|| Cow::from(if is_param { "p_by" } else { "m_by" }))
        });
        assert_eq!(
            renamed,
            "struct m_by { @size(m_by) by /* by */ : array<m_by, m_by>, b: m_by }\n\
            fn f(m_by: m_by) -> f32 { let x = params.p_by; return m_by.by + m_by.params.by; }"
        );
    }

    #[test]
    fn what_stands_outside_of_functions_is_declared() {
        let text = "alias T = f32;\nstruct Pair { a: T, b: T }\nconst K: u32 = 3u;\n\
            var<private> kept: array<T, 2>;\nvar <workgroup> both : u32;\n\
            @must_use fn element(i: u32) -> T { const inner = 1; var local: T; fn_like(); return T(i); }\n// fn not_me()";
        let mut names: Vec<_> = declared(text).into_iter().collect();
        names.sort_unstable();
        assert_eq!(names, ["K", "Pair", "T", "both", "element", "kept"]);
    }
}
