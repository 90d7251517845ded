//! Names close to a wanted one, for "did you mean".

/// At most three of `candidates` that someone may have meant by `wanted`, closest first; ties by name.
///
/// Closeness is the optimal string alignment distance (insert, delete, replace, swap of neighbours) over
/// lower case, so that a name equal but for case comes first. A name further off than a third of the
/// wanted one's length, plus one, is not offered. Cost: the product of the lengths, a candidate.
pub fn nearest_names<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted: Vec<char> = fold(wanted);
    let furthest = wanted.len() / 3 + 1;
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|name| {
            let chars = fold(name);
            // The distance is at least the difference of lengths: most names cost nothing.
            if chars.len().abs_diff(wanted.len()) > furthest {
                return None;
            }
            let distance = distance(&wanted, &chars);
            (distance <= furthest).then_some((distance, name))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(3);
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn fold(text: &str) -> Vec<char> {
    text.chars().flat_map(char::to_lowercase).collect()
}

/// Optimal string alignment distance, by three rolling rows.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let check = |a: &str, b: &str, expected| {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            assert_eq!(distance(&a, &b), expected);
            assert_eq!(distance(&b, &a), expected);
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
