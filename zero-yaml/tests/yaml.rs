//! What a user of the front end relies on: what is read, what is refused and where, what is written.
#![expect(clippy::panic, reason = "a test says so by panicking")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use zero_yaml::Value as Held;
use zero_yaml::{At, Document, Error, Limits, Position, Refusal, from_str, to_string};

fn value(text: &str) -> Value {
    from_str("t.yaml", text).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

#[test]
fn the_subset_is_read() {
    let check = |text: &str, expected: Value| assert_eq!(value(text), expected, "{text:?}");
    check("a: 1\nb:\n  c: [x, 2.5]\n", json!({"a": 1, "b": {"c": ["x", 2.5]}}));
    check("- path: x\n  kind: y\n- z\n", json!([{"path": "x", "kind": "y"}, "z"]));
    check("{ a: 1, b: 'it''s' }", json!({"a": 1, "b": "it's"}));
    check("a: ~\nb: null\nc:\n", json!({"a": null, "b": null, "c": null}));
    check("[true, false, yes, no, on]", json!([true, false, "yes", "no", "on"]));
    check("a: \"\\n\\t\\\\\\\"\"", json!({"a": "\n\t\\\""}));
    check(
        "note: the world's rules # and a comment\n",
        json!({"note": "the world's rules"}),
    );
    check("a: |\n  # kept\n  ---\n  b: c\n", json!({"a": "# kept\n---\nb: c\n"}));
    check("a: >-\n  one\n  two\n", json!({"a": "one two"}));
    check("a: |2+\n   x\n\n", json!({"a": " x\n\n"}));
    check("---\na: 1\n", json!({"a": 1}));
    check("a: 'x\ty'\nb:\tc\n", json!({"a": "x\ty", "b": "c"}));
    check("", json!(null));
    check("# only a comment\n", json!(null));
}

#[test]
fn each_refusal_names_its_place() {
    let check = |text: &str, line, column, expected: Refusal| match Document::parse("t.yaml", text) {
        Err(error @ Error::Refused { .. }) => {
            let Error::Refused { at, what, .. } = &error else {
                unreachable!()
            };
            assert_eq!((*at, what), (Position { line, column }, &expected), "{text:?}");
            let message = format!("t.yaml:{line}:{column}: {expected}");
            assert_eq!(error.to_string(), message);
        }
        other => panic!("{text:?} gave {other:?}"),
    };
    check("a: &x 1\n", 1, 4, Refusal::Anchor);
    check("a:\n  &x\n  b: 1\n", 2, 3, Refusal::Anchor);
    check("a: 1\nb: *x\n", 2, 4, Refusal::Alias);
    check("- 1\n- *bold* text\n", 2, 3, Refusal::Alias);
    check("a: 1\n<<: { b: 2 }\n", 2, 1, Refusal::MergeKey);
    check("a: !!str 1\n", 1, 4, Refusal::Tag);
    check("a:\n  - !mine {}\n", 2, 5, Refusal::Tag);
    check("%YAML 1.2\n---\na: 1\n", 1, 1, Refusal::Directive);
    check("a: 1\n---\nb: 2\n", 2, 1, Refusal::SecondDocument);
    check("a:\n\tb: 1\n", 2, 1, Refusal::TabIndentation);
    check("a: |\n  x\n  \ty\n", 3, 3, Refusal::TabIndentation);
    let first = Position { line: 2, column: 3 };
    check(
        "x:\n  a: 1\n  b: 2\n  a: 3\n",
        4,
        3,
        Refusal::DuplicateKey { key: "a".into(), first },
    );
    let first = Position { line: 1, column: 2 };
    check(
        "{a: 1, \"a\": 2}",
        1,
        8,
        Refusal::DuplicateKey { key: "a".into(), first },
    );
    check("? [a, b]\n: 1\n", 1, 3, Refusal::KeyNotText);
    check("a: .nan\n", 1, 4, Refusal::NotFinite { text: ".nan".into() });
    check("a: [1, -.INF]\n", 1, 8, Refusal::NotFinite { text: "-.INF".into() });
    assert_eq!(
        value("a: '.nan'\n<: '<<'\n"),
        json!({"a": ".nan", "<": "<<"}),
        "quoted, they are texts"
    );
}

#[test]
fn what_is_no_yaml_names_its_place() {
    let check = |text: &str, line| match Document::parse("t.yaml", text) {
        Err(Error::Syntax { at, message, .. }) => {
            assert_eq!(at.line, line, "{text:?}: {message}");
            assert!(!message.is_empty());
        }
        other => panic!("{text:?} gave {other:?}"),
    };
    check("a: 1\n b: 2\n", 2);
    check("a: [1, 2\nb: 3\n", 2);
    check("a: 1\nb: \"open\n", 2);
    check("a:\n  - 1\n - 2\n", 3);
    check("a: |x\n  b\n", 1);
    check("a: {b: 1}}\n", 1);
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "read for their types")]
struct Typed {
    name: String,
    count: u8,
    #[serde(default)]
    scale: f32,
    #[serde(default)]
    kind: Kind,
}

#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    File,
    Folder,
}

fn expect_value_error<T: DeserializeOwned + Debug>(text: &str, line: u32, column: u32, part: &str) {
    match from_str::<T>("t.yaml", text) {
        Err(Error::Value { at, message, .. }) => {
            assert_eq!(at, Position { line, column }, "{text:?}: {message}");
            assert!(message.contains(part), "{message:?} does not say {part:?}");
            assert!(!message.contains("line "), "the place is said twice: {message:?}");
        }
        other => panic!("{text:?} gave {other:?}"),
    }
}

#[test]
fn what_does_not_fit_a_type_names_its_place() {
    expect_value_error::<Typed>("name: a\ncount: 256\n", 2, 8, "256");
    expect_value_error::<Typed>("name: a\ncount: -1\n", 2, 8, "-1");
    expect_value_error::<Typed>("name: a\ncount: many\n", 2, 8, "many");
    expect_value_error::<Typed>("name: a\n", 1, 1, "count");
    expect_value_error::<Typed>("name: a\ncount: 1\ncuont: 2\n", 3, 1, "cuont");
    expect_value_error::<Typed>("name: [a]\ncount: 1\n", 1, 7, "string");
    expect_value_error::<Typed>("name: a\ncount: 1\nkind: link\n", 3, 7, "link");
    expect_value_error::<Typed>("name: a\ncount: 1\nscale: 1e999\n", 3, 8, "1e999");
    expect_value_error::<Vec<bool>>("- true\n- yes\n", 2, 3, "bool");
    expect_value_error::<Typed>("", 1, 1, "");
}

#[test]
fn limits_hold_exactly() {
    let parse = |text: &str, limits: Limits| Document::parse_within("t.yaml", text.as_bytes(), &limits);
    let text = "- 1\n- 2\n";
    assert!(parse(text, Limits::default().max_bytes(text.len())).is_ok());
    assert!(matches!(
        parse(text, Limits::default().max_bytes(text.len() - 1)),
        Err(Error::TooLong { .. })
    ));
    // The sequence and its two items.
    assert!(parse(text, Limits::default().max_nodes(3)).is_ok());
    let refusal = |result| match result {
        Err(Error::Refused { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        refusal(parse(text, Limits::default().max_nodes(2))),
        Refusal::TooManyNodes { limit: 2 }
    );
    for nested in ["[[[1]]]", "{a: {a: {a: 1}}}", "a:\n  b:\n    - 1\n"] {
        let document = parse(nested, Limits::default().max_depth(3)).unwrap();
        assert!(document.read::<Value>().is_ok(), "{nested}");
        assert_eq!(
            refusal(parse(nested, Limits::default().max_depth(2))),
            Refusal::TooDeep { limit: 2 }
        );
    }
    // The default limits are refused as gently, however far beyond them a text goes.
    for open in ["[", "{a: ", "- "] {
        let text = open.repeat(100_000);
        assert_eq!(
            refusal(parse(&text, Limits::default())),
            Refusal::TooDeep { limit: 64 },
            "{open}"
        );
    }
    // A document at the limits is read as well as checked.
    let wide = "- 1\n".repeat(10_000);
    let document = parse(&wide, Limits::default().max_nodes(10_001)).unwrap();
    assert_eq!(document.read::<Vec<u8>>().unwrap().len(), 10_000);
}

#[test]
fn bytes_that_are_no_text_name_their_place() {
    let error = Document::parse_within("t.yaml", "a: 1\nü: \u{0}".as_bytes(), &Limits::default());
    assert!(error.is_err(), "a NUL is no YAML");
    match Document::parse_within("t.yaml", b"a: 1\n\xc3\xbc: \xff", &Limits::default()) {
        Err(Error::NotUtf8 { at, .. }) => assert_eq!(at, Position { line: 2, column: 4 }),
        other => panic!("{other:?}"),
    }
}

#[test]
fn places_are_kept() {
    let text = "files:\n  required:\n    - path: a\n    - path: b\n      kind: file\nname: x\n";
    let document = Document::parse("t.yaml", text).unwrap();
    let place = |steps: &[&str]| document.position_of(steps).map(|at| (at.line, at.column));
    assert_eq!(place(&[]), Some((1, 1)));
    assert_eq!(place(&["files", "required", "1", "kind"]), Some((5, 13)));
    assert_eq!(place(&["name"]), Some((6, 7)));
    assert_eq!(place(&["files", "required", "2"]), None);
    let keys: Vec<_> = document.keys_of(&[]).map(|(key, at)| (key, at.line)).collect();
    assert_eq!(keys, [("files", 1), ("name", 6)]);
    assert_eq!(document.keys_of(&["files", "required", "1"]).count(), 2);
    assert_eq!(
        document.keys_of(&["name"]).count() + document.keys_of(&["none"]).count(),
        0
    );
    let error = document.error_at(&["files", "required", "0", "kind"], "a kind is missing");
    assert_eq!(error.to_string(), "t.yaml:3:7: a kind is missing");

    let read: BTreeMap<String, At<Value>> = document.read().unwrap();
    assert_eq!(read["name"].at, Position { line: 6, column: 7 });
    assert_eq!(to_string(&read["name"]).unwrap().trim(), "x");
}

#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct Written {
    text: String,
    list: Vec<f32>,
    none: Option<u8>,
    map: BTreeMap<String, bool>,
}

#[test]
fn what_is_written_is_pinned() {
    let written = Written {
        text: "two\nlines\n".into(),
        list: vec![0.1, 1.0, -2.5e-7],
        none: None,
        map: [("b".into(), true), ("a b".into(), false), ("yes".into(), true)].into(),
    };
    let text = to_string(&written).unwrap();
    assert_eq!(
        text,
        "text: |\n  two\n  lines\nlist:\n- 0.1\n- 1.0\n- -2.5e-7\nnone: null\nmap:\n  a b: false\n  b: true\n  \"yes\": true\n"
    );
    assert_eq!(from_str::<Written>("t.yaml", &text).unwrap(), written);
}

#[test]
fn what_has_no_text_is_not_written() {
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = to_string(&[wrong]).unwrap_err();
        assert!(matches!(error, Error::Encode { .. }), "{error:?}");
    }
    let keyed_by_lists: BTreeMap<Vec<u8>, u8> = [(vec![1], 2)].into();
    assert!(matches!(to_string(&keyed_by_lists), Err(Error::Encode { .. })));
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[-\\?:,\\[\\]{}#&*!|>'\"%@` \t\n~.a0=<]{0,12}",
        prop::sample::select(vec![
            "true",
            "no",
            "null",
            "~",
            "0x1f",
            "1e3",
            ".nan",
            "<<",
            "---",
            "1_000",
            "2001-01-01"
        ])
        .prop_map(str::to_owned),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("finite", |f| f.is_finite())
            .prop_map(Value::from),
        any_text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any_text(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_gives_a_document_or_an_error(text in any::<String>()) {
        survives(&text)?;
    }

    /// Texts made of what YAML means something by.
    #[test]
    fn near_yaml_gives_a_document_or_an_error(text in "([-?:,\\[\\]{}#&*!|>'\"%~ \t\n.a0<\\\\]|- |: |\n  |---\n|<<: |\\r\n){0,60}") {
        survives(&text)?;
    }

    #[test]
    fn any_bytes_give_a_document_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(document) = Document::parse_within("t.yaml", &bytes, &Limits::default()) {
            prop_assert_eq!(document.text().as_bytes(), &bytes[..]);
        }
    }

    #[test]
    fn what_is_written_is_read_back(value in any_value()) {
        let text = to_string(&value).unwrap();
        let back: Value = from_str("t.yaml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        prop_assert_eq!(back, value, "{}", text);
    }
}

/// Whatever the text, parsing and reading end; an error's place lies within the text.
fn survives(text: &str) -> Result<(), TestCaseError> {
    let result = Document::parse("t.yaml", text).and_then(|document| document.read::<Value>());
    if let Some(at) = result.err().and_then(|error| error.position()) {
        let lines = text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).count() as u32;
        prop_assert!(at.line >= 1 && at.line <= lines + 1, "{at} of {lines} lines");
        prop_assert!(at.column >= 1 && at.column as usize <= text.chars().count() + 1, "{at}");
    }
    Ok(())
}

#[test]
fn a_tree_holds_every_value_with_the_place_of_value_and_key() {
    let text = "# first\nname: bark\nsizes: [1, -2.5]\nnested:\n  deep: { on: true, off: ~ }\n  list:\n    - 'x y'\n    - |\n      two\n      lines\nempty:\n";
    let tree = Document::parse("t.yaml", text).unwrap().tree().unwrap();
    let check = |path: &str, line: u32, column: u32, value: Held| {
        let node = tree.at_path(path).unwrap_or_else(|| panic!("{path}"));
        assert_eq!((node.at.line, node.at.column), (line, column), "{path}");
        assert_eq!(node.value, value, "{path}");
    };
    check("name", 2, 7, Held::Text("bark".to_owned()));
    check("sizes.0", 3, 9, Held::Integer(1));
    check("sizes.1", 3, 12, Held::Float(-2.5));
    check("nested.deep.on", 5, 15, Held::Bool(true));
    assert_eq!(tree.at_path("nested.deep.off").unwrap().value, Held::Null);
    check("nested.list.0", 7, 7, Held::Text("x y".to_owned()));
    assert_eq!(tree.at_path("nested.list.1").unwrap().text(), Some("two\nlines\n"));
    assert_eq!(tree.get("empty").unwrap().value, Held::Null);
    assert!(tree.at_path("nested.list.2").is_none() && tree.at_path("name.x").is_none());
    let keys: Vec<_> = tree
        .fields()
        .iter()
        .map(|field| (field.key.as_str(), field.at.line))
        .collect();
    assert_eq!(keys, [("name", 2), ("sizes", 3), ("nested", 4), ("empty", 11)]);
    let number = Document::parse("n.yaml", "18446744073709551615")
        .unwrap()
        .tree()
        .unwrap();
    assert_eq!(number.value, Held::Unsigned(u64::MAX));
    let none = Document::parse("n.yaml", "# nothing\n").unwrap().tree().unwrap();
    assert_eq!((none.value, none.at), (Held::Null, Position::START));
}

proptest! {
    /// Whatever the text, a tree that is made agrees with the places that the document knows.
    #[test]
    fn a_trees_places_are_the_documents(text in "([a-c]: [a-z0-9]{1,3}\n|[d-f]:\n  - 1\n  - \\{x: 2\\}\n|\n){0,4}") {
        if let Ok(document) = Document::parse("t.yaml", &text) {
            let tree = document.tree().unwrap();
            for field in tree.fields() {
                prop_assert_eq!(Some(field.node.at), document.position_of(&[&field.key]));
                for (number, item) in field.node.items().iter().enumerate() {
                    prop_assert_eq!(Some(item.at), document.position_of(&[&field.key, &number.to_string()]));
                }
            }
        }
    }
}
