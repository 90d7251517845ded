//! A short form of the soak: random command lists on the CPU and the software adapter, compared bit for bit. The long one
//! is the example `soak`.
#![cfg(feature = "gpu")]
#![expect(clippy::panic, reason = "the lints spare test functions alone, not what they call")]

#[path = "../common/mod.rs"]
mod common;
mod frame;
mod kept;
mod lists;

use std::path::Path;

use lists::runs::{Runs, civil};
use lists::tallies::{Plan, SOURCES, Tallies};
use lists::{Devices, FAMILIES, MOST, Row, Tally};
use zero_compute::Device;

fn devices() -> Option<Devices> {
    let cpus: Vec<Device> = common::cpu_devices().into_iter().map(|(_, device)| device).collect();
    Some(Devices {
        cpus,
        gpu: common::gpu()?,
    })
}

fn run(devices: &Devices, numbers: std::ops::Range<u64>, most: u32) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        if let Err(message) = lists::run(devices, number, most, &mut tally) {
            panic!("list {number} of at most {most} elements: {message}");
        }
    }
    tally
}

#[test]
fn random_lists_of_every_family_are_equal_on_both_backends() {
    let Some(devices) = devices() else { return };
    let every = FAMILIES.len() as u64;
    let small = run(&devices, 0..every, 3000);
    let large = run(&devices, 1000..1004, 100_000);
    let tallies = Tallies {
        next: every,
        tally: small.clone(),
        ..Tallies::new(0, 3000)
    };
    assert!(tallies.is_whole());
    assert_eq!(tallies.missing(), [""; 0], "{small:?}");
    assert!(
        small.submissions > every && small.words > 10_000 && small.fused > 10,
        "{small:?}"
    );
    assert!(large.words > 10_000, "{large:?}");
}

#[test]
fn a_list_is_known_by_its_number() {
    let Some(devices) = devices() else { return };
    let first = run(&devices, 7..10, 500);
    assert_eq!(run(&devices, 7..10, 500), first);
    assert_ne!(run(&devices, 8..11, 500), first);
}

fn part(from: u64, next: u64, uses: u64) -> Tallies {
    let row = Row {
        uses,
        elements: 10 * uses,
    };
    Tallies {
        next,
        tally: Tally {
            families: [("gather".to_owned(), row)].into(),
            submissions: uses,
            words: 100 * uses,
            fused: 1,
        },
        ..Tallies::new(from, MOST)
    }
}

#[test]
fn tallies_come_back_from_their_file_and_are_of_one_table() {
    let kept = part(3, 40, 7);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tallies-of-a-test.txt");
    kept.save(&file).unwrap();
    assert_eq!(Tallies::load(&file).unwrap(), Some(kept.clone()));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(Tallies::load(&file).unwrap(), None);
    assert!(Tallies::load(file.parent().unwrap()).is_err(), "a folder");
    assert_eq!(kept.clone().check("f", MOST).unwrap(), kept);
    let refused = |text: &str, most: u32, expected: &str| {
        let error = Tallies::parse("f", text)
            .and_then(|kept| kept.check("f", most))
            .unwrap_err();
        assert!(error.contains(expected) && error.contains("`f`"), "{error}");
    };
    let other = kept
        .text()
        .replace(&format!("table {:016x}", kept.table), "table 00000000000000ff");
    refused(
        &other,
        MOST,
        "another table of families (00000000000000ff, and here it is ",
    );
    let old = "from 0\nnext 4150\nsubmissions 8307\n";
    refused(old, MOST, "another table of families");
    refused(
        &kept.text(),
        5000,
        "of at most 2000000 elements, and these are of at most 5000",
    );
    for line in ["family gather 1", "next x", "next", "table", "other 3", ""] {
        refused(&format!("{}{line}\n", kept.text()), MOST, "is no line of tallies");
    }
    // Families are missing where none of the lists drew them, which a short stretch may leave so.
    assert_eq!(kept.missing().len(), FAMILIES.len() - 1);
    assert!(!kept.is_whole() && part(3, 3 + FAMILIES.len() as u64, 1).is_whole());
}

/// What ran the lists of a file that was gone on with.
fn runs(commit: &str, day: &str) -> Runs {
    let mut runs = Runs::default();
    for (kind, text) in [
        ("version", "0.1.0"),
        ("adapter", "llvmpipe (LLVM 15.0.6, 256 bits) llvmpipe Mesa 22.3.6"),
        ("commit", commit),
        ("day", day),
    ] {
        assert!(runs.take(kind, text), "{kind}");
    }
    runs
}

#[test]
fn tallies_say_who_ran_them_and_when() {
    let kept = Tallies {
        runs: runs("0123456789ab", "2026-03-01"),
        ..part(0, 10, 1)
    };
    let text = kept.text();
    let line = "adapter llvmpipe (LLVM 15.0.6, 256 bits) llvmpipe Mesa 22.3.6\ncommit 0123456789ab\nday 2026-03-01\n";
    assert!(text.contains(line), "{text}");
    assert_eq!(Tallies::parse("f", &text), Ok(kept.clone()));
    // Of several runs all are told, and of the days the first and the last.
    let parts = [
        ("b", 10, "2026-03-05"),
        ("a", 20, "2026-02-27"),
        ("0123456789ab", 30, "2026-03-02"),
    ];
    let parts = parts.map(|(commit, from, day)| Tallies {
        runs: runs(commit, day),
        ..part(from, from + 10, 1)
    });
    let named = [kept].into_iter().chain(parts).map(|part| (String::new(), part));
    let all = Tallies::merged(named.collect()).unwrap();
    let texts = |at: usize| Vec::from_iter(all.runs.kinds()[at].1.iter().map(String::as_str));
    assert_eq!(texts(0), ["0.1.0"]);
    assert_eq!(texts(2), ["0123456789ab", "a", "b"]);
    assert_eq!(texts(3), ["2026-02-27", "2026-03-05"]);

    let Some(device) = common::gpu() else { return };
    let today = Runs::today(&device, None);
    let days = today.days.first().unwrap();
    assert_eq!((days.len(), today.days.len()), ("2026-03-01".len(), 1), "{days}");
    assert!(today.adapters.first().unwrap().contains(&device.info().name));
    assert!(today.commits.len() == 1 && today.versions.contains(env!("CARGO_PKG_VERSION")));
    let told = Runs::today(&device, Some("0123456789ab"));
    assert_eq!(told.commits.first().map(String::as_str), Some("0123456789ab"));
}

#[test]
fn days_are_dates() {
    for (days, date) in [
        (0, (1970, 1, 1)),
        (58, (1970, 2, 28)),
        (59, (1970, 3, 1)),
        (11_016, (2000, 2, 29)),
        (11_017, (2000, 3, 1)),
        (20_788, (2026, 12, 1)),
        (47_540, (2100, 2, 28)),
        (47_541, (2100, 3, 1)),
    ] {
        assert_eq!(civil(days), date, "{days}");
    }
}

#[test]
fn the_readme_says_of_how_many_elements_lists_are() {
    let readme = include_str!("../../README.md")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert_eq!(MOST, 2_000_000);
    assert!(readme.contains("up to 2 million elements"));
    for (what, most) in lists::families::MOST {
        assert!(most.is_power_of_two(), "{what}");
        let told = format!("{what} of 2^{}", most.ilog2());
        assert!(readme.contains(&told), "the README does not say `{told}`");
    }
}

#[test]
fn every_text_that_lists_are_drawn_by_is_part_of_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soak/lists");
    let mut found = Vec::new();
    for folder in ["", "families/"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".rs") && !["tallies.rs", "runs.rs"].contains(&name.as_str()) {
                found.push(format!("{folder}{name}"));
            }
        }
    }
    found.sort();
    let mut known: Vec<_> = SOURCES.iter().map(|(name, _)| (*name).to_owned()).collect();
    known.sort();
    assert_eq!(known, found);
}

#[test]
fn a_run_goes_on_where_its_tallies_end_or_is_not_counted() {
    let kept = part(100, 140, 7);
    let count = |kept: Option<&Tallies>, from| Plan::new(kept.cloned(), from, 50, MOST);
    assert_eq!(count(None, None), Plan::Count(Tallies::new(0, MOST), 50));
    assert_eq!(count(None, Some(7)), Plan::Count(Tallies::new(7, MOST), 57));
    assert_eq!(count(Some(&kept), None), Plan::Count(kept.clone(), 190));
    assert_eq!(count(Some(&kept), Some(140)), Plan::Count(kept.clone(), 190));
    assert_eq!(
        count(Some(&kept), Some(100)),
        Plan::Count(kept.clone(), 150),
        "the same command again"
    );
    assert_eq!(count(Some(&kept), Some(120)), Plan::Apart(Tallies::new(120, MOST), 170));
}

#[test]
fn tallies_of_several_runs_are_summed_where_they_lie_end_to_end() {
    let merged = |parts: &[Tallies]| {
        let named = parts
            .iter()
            .enumerate()
            .map(|(at, part)| (format!("f{at}"), part.clone()));
        Tallies::merged(named.collect())
    };
    let (a, b, c) = (part(0, 10, 1), part(10, 30, 2), part(30, 31, 4));
    let all = merged(&[b.clone(), c.clone(), a.clone()]).unwrap();
    let expected = Tallies {
        tally: Tally {
            fused: 3,
            ..part(0, 31, 7).tally
        },
        ..part(0, 31, 7)
    };
    assert_eq!(all, expected);
    let refused = |parts: &[Tallies], expected: &str| {
        let error = merged(parts).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    refused(
        &[a.clone(), c],
        "list 10 is in none of the files (and those below 30); `f1` begins at 30",
    );
    refused(
        &[a.clone(), part(8, 30, 2)],
        "list 8 is in two files (and those below 10)",
    );
    refused(
        &[a.clone(), Tallies { table: 1, ..b }],
        "`f1` counts lists of another table",
    );
    refused(
        &[
            a,
            Tallies {
                most: 9,
                ..part(10, 30, 1)
            },
        ],
        "`f1` counts lists of at most 9 elements",
    );
    refused(&[], "nothing to merge");
}

/// The text of tallies that a full soak would leave, all its numbers small.
fn whole() -> String {
    let row = Row { uses: 200, elements: 9 };
    let families = FAMILIES.iter().map(|family| (family.name.to_owned(), row));
    let tallies = Tallies {
        runs: runs("0123456789ab", "2026-03-01"),
        tally: Tally {
            families: families.collect(),
            submissions: 20_000,
            words: 1,
            fused: 1,
        },
        next: 10_000,
        ..Tallies::new(0, MOST)
    };
    tallies.text()
}

#[test]
fn tallies_are_kept_of_a_full_soak_alone() {
    assert!(kept::check("f", &whole()).is_ok());
    for (from, to, expected) in [
        ("next 10000", "next 9999", "from 0 up to 9999 of at most 2000000"),
        ("from 0", "from 1", "from 1 up to 10000"),
        ("most 2000000", "most 3000", "of at most 3000 elements"),
        ("family guard 200 9\n", "", "no list drew guard"),
        ("submissions 20000", "submissions 9999", "in 9999 runs"),
        ("words 1", "words 0", "0 words compared"),
        ("commit 0123456789ab\n", "", "no line tells its commit"),
        ("day 2026-03-01\n", "", "no line tells its day"),
        ("version 0.1.0\n", "", "no line tells its version"),
        ("0123456789ab", "0123456789ab-dirty", "names no commit"),
        ("0123456789ab", "unknown", "names no commit"),
        ("words 1", "word 1", "is no line of tallies"),
    ] {
        assert!(whole().contains(from), "{from}");
        let error = kept::check("f", &whole().replace(from, to)).unwrap_err();
        assert!(error.contains(expected) && error.contains("`f`"), "{from}: {error}");
    }
}

#[test]
fn options_are_pairs_of_what_a_soak_takes() {
    let parse = |words: &[&str]| {
        let words = words.iter().map(|word| (*word).to_owned());
        frame::Options::parse(words, &["--from", "--merge"])
    };
    let options = parse(&["--from", "3", "--merge", "a", "--from", "4", "--merge", "b"]).unwrap();
    assert_eq!(options.number("--from"), Ok(Some(4)));
    assert_eq!(options.files("--merge"), [Path::new("a"), Path::new("b")]);
    assert_eq!(options.file("--merge").as_deref(), Some(Path::new("b")), "the last");
    assert_eq!((options.text("--count"), options.number("--count")), (None, Ok(None)));
    let refused = |words: &[&str]| parse(words).and_then(|options| options.number("--from")).unwrap_err();
    assert_eq!(refused(&["--from"]), "`--from` needs a value");
    assert_eq!(refused(&["--from", "x"]), "`--from` needs a whole number, found `x`");
    assert_eq!(refused(&["--to", "3"]), "there is no `--to`; there are --from, --merge");
}

/// A run counts up to where it fails, and keeps no more than it did before.
#[test]
fn a_run_ends_at_the_first_failure() {
    let ran = |fails_at: u64| {
        let (mut counted, mut kept) = (5, Vec::new());
        let one = |_: &mut u64, number: u64| {
            if number == fails_at {
                Err("differs".to_owned())
            } else {
                Ok(())
            }
        };
        let ended = frame::go(
            "lists",
            &mut counted,
            |next| next,
            40,
            one,
            |next| {
                kept.push(*next);
                Ok(())
            },
        );
        (ended.is_ok(), counted, kept)
    };
    assert_eq!(ran(40), (true, 40, vec![30, 40]));
    assert_eq!(ran(39), (false, 39, vec![30]));
    assert!(frame::tell("", &["guard"], true).is_err() && frame::tell("", &["guard"], false).is_ok());
}

#[test]
fn the_kept_tallies_are_of_a_full_soak() {
    let kept = kept::check("tests/soak/kept.txt", include_str!("kept.txt")).unwrap();
    assert!(kept.tally.fused > 0, "{kept:?}");
    let readme = include_str!("../../README.md");
    assert!(readme.contains("tests/soak/kept.txt"), "the README names the file");
}
