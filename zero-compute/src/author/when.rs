//! `when`: the options with which a binding is there. `"COUNT=plain; COUNT=device STAGE=table"`: alternatives divided
//! by `;`, and of each alternative every choice holds.

use std::borrow::Cow;

use super::declaration::Choice;
use super::names::shown;

/// No alternative at all always holds.
#[derive(Debug, Default)]
pub(super) struct When(Vec<Vec<(usize, &'static str)>>);

impl When {
    pub(super) fn read(text: &str, choices: &[Choice]) -> Result<Self, String> {
        let alternative = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            if words.is_empty() {
                return Err("an alternative of `when` says nothing; write `NAME=option`".to_owned());
            }
            words.into_iter().map(|word| condition(word, choices)).collect()
        };
        text.split(';').map(alternative).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn holds(&self, options: &[Cow<'static, str>]) -> bool {
        let is_chosen = |(at, option): &(usize, &'static str)| options.get(*at).is_some_and(|chosen| chosen == option);
        self.0.is_empty() || self.0.iter().any(|all| all.iter().all(is_chosen))
    }
}

fn condition(word: &str, choices: &[Choice]) -> Result<(usize, &'static str), String> {
    let Some((name, option)) = word.split_once('=') else {
        return Err(format!("`{}` is no condition; write `NAME=option`", shown(word)));
    };
    let found = choices.iter().enumerate().find(|(_, choice)| choice.name == name);
    let Some((at, choice)) = found else {
        return Err(format!("`{}` is no specialization", shown(name)));
    };
    match choice.options.iter().find(|known| **known == option) {
        Some(known) => Ok((at, *known)),
        None if choice.options.is_empty() => Err(format!("`{name}` takes any text, which nothing can depend on")),
        None => Err(format!(
            "`{name}` has no option `{}`; it has {}",
            shown(option),
            choice.options.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> [Choice; 3] {
        let choice = |name, options: &'static [&'static str]| Choice {
            name,
            options,
            default: None,
        };
        [
            choice("COUNT", &["plain", "device"]),
            choice("STAGE", &["heads", "table"]),
            choice("STEP", &[]),
        ]
    }

    #[test]
    fn alternatives_are_ored_and_their_words_anded() {
        let when = When::read("COUNT=plain; COUNT=device STAGE=table", &choices()).unwrap();
        let holds = |count, stage| when.holds(&[Cow::Borrowed(count), Cow::Borrowed(stage), Cow::Borrowed("")]);
        assert!(holds("plain", "heads") && holds("plain", "table") && holds("device", "table"));
        assert!(!holds("device", "heads"));
        assert!(When::default().holds(&[]));
    }

    #[test]
    fn what_is_no_condition_is_told() {
        let check = |text: &str, expected: &str| {
            let error = When::read(text, &choices()).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("", "says nothing");
        check("COUNT=plain;", "says nothing");
        check("COUNT", "`COUNT` is no condition");
        check("SIZE=1", "`SIZE` is no specialization");
        check("COUNT=gpu", "`COUNT` has no option `gpu`; it has plain, device");
        check("STEP=s", "`STEP` takes any text");
    }
}
