//! Names close to a wanted one, for "did you mean".

/// At most three of `candidates` that someone may have meant by `wanted`, closest first; ties by name.
///
/// Closeness is the optimal string alignment distance (insert, delete, replace, swap of neighbours) over
/// lower case, so that a name equal but for case comes first. A name further off than a third of the
/// wanted one's length, plus one, is not offered. Cost: a look at a candidate's letters, and for those that have nearly the
/// same the product of the lengths.
pub fn nearest_names<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted: Vec<char> = fold(wanted).collect();
    let letters = letters(wanted.iter().copied());
    let furthest = wanted.len() / 3 + 1;
    let mut rows = Rows::default();
    let mut chars = Vec::new();
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|name| {
            // The distance is at least the difference of lengths, and as large as the number of letters that one has and
            // the other has not: most names cost a look.
            let (length, other) = match name.is_ascii() {
                true => (
                    name.len(),
                    self::letters(name.bytes().map(|byte| byte.to_ascii_lowercase().into())),
                ),
                false => (fold(name).count(), self::letters(fold(name))),
            };
            let lacking = (letters & !other).count_ones().max((other & !letters).count_ones());
            if length.abs_diff(wanted.len()) > furthest || lacking as usize > furthest {
                return None;
            }
            chars.clear();
            chars.extend(fold(name));
            let distance = rows.distance(&wanted, &chars);
            (distance <= furthest).then_some((distance, name))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn fold(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase)
}

/// A set of letters: a bit for all whose numbers are equal but for multiples of 64.
fn letters(chars: impl Iterator<Item = char>) -> u64 {
    chars.fold(0, |set, letter| set | 1 << (letter as u32 % 64))
}

/// The three rows of the table of distances that a step looks at.
#[derive(Default)]
struct Rows {
    before_last: Vec<usize>,
    last: Vec<usize>,
    row: Vec<usize>,
}

impl Rows {
    /// Optimal string alignment distance.
    fn distance(&mut self, a: &[char], b: &[char]) -> usize {
        let Self { before_last, last, row } = self;
        last.clear();
        last.extend(0..=b.len());
        for row in [&mut *before_last, &mut *row] {
            row.clear();
            row.resize(b.len() + 1, 0);
        }
        for i in 1..=a.len() {
            row[0] = i;
            for j in 1..=b.len() {
                let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
                row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    row[j] = row[j].min(before_last[j - 2] + 1);
                }
            }
            std::mem::swap(before_last, last);
            std::mem::swap(last, row);
        }
        last[b.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(Rows::default().distance(&a, &b), expected);
            assert_eq!(Rows::default().distance(&b, &a), expected);
        };
        check("", "", 0);
        check("", "abc", 3);
        check("kitten", "sitting", 3);
        check("texture", "textrue", 1);
        check("ca", "abc", 3); // the restricted form: a swapped pair is not edited again
    }

    #[test]
    fn closest_first_and_far_ones_left_out() {
        let names = ["bark", "Barn", "barque", "leaf", "BARK", "brak"];
        assert_eq!(nearest_names("bark", names), ["BARK", "bark", "Barn"]);
        assert_eq!(nearest_names("stone", names), Vec::<String>::new());
    }
}
