//! [`Words`]: the words of a text, as they are compared.

use bm25::Tokenizer;

/// A longer run of letters is no word that anyone types: packed data, a hash.
const MAX_WORD_BYTES: usize = 64;

/// Splits a text at what is neither letter nor digit, and names where their writing changes case: `minDist` is heard as
/// `min`, `dist` and `mindist`. Case is not heard, nor an `s` at the end of a word of four letters or more.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        words(text)
    }
}

pub(crate) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        let parts = parts(run);
        found.extend(parts.iter().filter_map(|part| heard(part)));
        if parts.len() > 1 && !run.chars().any(stands_alone) {
            found.extend(heard(run));
        }
    }
    found
}

/// The parts of a run of letters: split before a capital that follows a small letter or a digit, before the last of several
/// capitals that a small letter follows (`HTTPServer`), and around each letter of a script without spaces.
fn parts(run: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = run.char_indices().collect();
    let mut cuts = vec![0];
    for place in 1..letters.len() {
        let (at, now) = letters[place];
        let before = letters[place - 1].1;
        let small_follows = letters.get(place + 1).is_some_and(|(_, next)| next.is_lowercase());
        let begins = now.is_uppercase() && (!before.is_uppercase() || small_follows);
        if begins || stands_alone(now) || stands_alone(before) {
            cuts.push(at);
        }
    }
    cuts.push(run.len());
    cuts.windows(2).map(|cut| &run[cut[0]..cut[1]]).collect()
}

/// Whether a letter is of a script that is written without spaces, where it is a word of its own.
fn stands_alone(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

fn heard(word: &str) -> Option<String> {
    if word.len() > MAX_WORD_BYTES {
        return None;
    }
    let mut word = word.to_lowercase();
    if word.len() >= 4 && word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_heard_as_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(words(text), expected, "{text}");
        check("A red door, with hinges.", &["a", "red", "door", "with", "hinge"]);
        check("minDist", &["min", "dist", "mindist"]);
        check("points.on_curve", &["point", "on", "curve"]);
        check("HTTPServer2", &["http", "server2", "httpserver2"]);
        check("glass", &["glass"]);
        check("bus", &["bus"]);
        check("Größe", &["größe"]);
        check("木の門", &["木", "の", "門"]);
        check("", &[]);
        check(&"x".repeat(65), &[]);
    }
}
