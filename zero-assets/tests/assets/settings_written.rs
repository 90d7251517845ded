//! What a write of settings keeps, and what follows from it.

use std::sync::Arc;

use zero_assets::types::Schema;
use zero_assets::{Behavior, Error, HookResult, Value, Values, Workspace};
use zero_vfs::VfsPath;

use crate::diary::{Diary, open, source, text, values};

/// A note whose settings file holds `content`, with the diary's behaviour.
fn note(content: &str) -> (Workspace, VfsPath) {
    let mut world = open(&[("/a.note/note.txt", "x"), ("/a.note/settings.yaml", content)]);
    world.attach("note", Diary::shared().0);
    (world, source("/a.note"))
}

fn stored(world: &Workspace) -> String {
    text(world.vfs(), "/a.note/settings.yaml")
}

#[test]
fn a_write_keeps_what_a_read_repaired() {
    let (mut world, note) = note("broken: true\nsize: 10\n");
    assert_eq!(world.settings(&note).unwrap().unwrap().values["size"], 50);
    let now = world
        .write_settings(&note, &values(&[("color", "blue".into())]))
        .unwrap();
    assert_eq!(
        (&now.values["size"], &now.values["color"]),
        (&50.into(), &"blue".into())
    );
    assert!(stored(&world).contains("size: 50"), "{}", stored(&world));
    assert_eq!(world.settings(&note).unwrap().unwrap().values, now.values);
}

#[test]
fn a_repair_may_take_away_the_key_that_it_was_made_by() {
    struct Healer;
    impl Behavior for Healer {
        fn settings_healed(&self, mut values: Values, _: &Values) -> HookResult<Values> {
            if let Some(old) = values.remove("half").and_then(|half| half.as_i64()) {
                values.insert("size".to_owned(), (old * 2).into());
            }
            Ok(values)
        }
    }
    let mut world = open(&[
        ("/a.note/note.txt", "x"),
        ("/a.note/settings.yaml", "half: 20\nodd: kept\n"),
    ]);
    world.attach("note", Arc::new(Healer));
    let note = source("/a.note");
    let read = world.settings(&note).unwrap().unwrap();
    assert_eq!(read.values["size"], 40);
    let told: Vec<_> = read.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["/zero/source/a.note/settings.yaml:2:6: warning[settings.unknown]: there is no setting `odd`"]
    );
    world.write_settings(&note, &values(&[("size", 60.into())])).unwrap();
    assert!(!stored(&world).contains("half"), "{}", stored(&world));
    assert!(stored(&world).contains("odd: kept"), "{}", stored(&world));
    assert_eq!(world.settings(&note).unwrap().unwrap().values["size"], 60);
}

#[test]
fn a_write_keeps_and_tells_what_it_does_not_understand() {
    let (mut world, note) = note("size: 300\nmood: warm\ncolor: red\n");
    let now = world
        .write_settings(&note, &values(&[("title", "new".into())]))
        .unwrap();
    assert_eq!(now.values["size"], 10, "the default stands in for what does not fit");
    let told: Vec<_> = now.diagnostics.iter().map(|told| &*told.code).collect();
    assert_eq!(told, ["settings.unknown", "settings.value"]);
    let kept = stored(&world);
    assert!(
        kept.contains("size: 300") && kept.contains("mood: warm") && kept.contains("title: new"),
        "{kept}"
    );
    // Written over, it is gone, be it with the default itself.
    let now = world.write_settings(&note, &values(&[("size", 10.into())])).unwrap();
    let told: Vec<_> = now.diagnostics.iter().map(|told| &*told.code).collect();
    assert_eq!(told, ["settings.unknown"]);
    assert!(stored(&world).contains("size: 10\n"), "{}", stored(&world));
}

#[test]
fn what_follows_goes_on_following_until_it_is_said() {
    let (mut world, note) = note("size: 10\n");
    let mut write =
        |wrote: &[(&str, Value)]| world.write_settings(&note, &values(wrote)).unwrap().values["twice"].clone();
    assert_eq!(write(&[("size", 40.into())]), 80);
    assert_eq!(write(&[("size", 50.into())]), 100);
    assert_eq!(write(&[("color", "blue".into())]), 100);
    assert_eq!(write(&[("twice", 7.into())]), 7);
    assert_eq!(write(&[("size", 20.into())]), 7, "what was said stays");
    assert_eq!(write(&[("size", 30.into())]), 7);
}

#[test]
fn a_file_of_values_in_json_is_held_to_its_version() {
    let kind =
        "primary: a.txt\nsettings: { values: v.json, schema: { type: { size: { type: integer, default: 3 } } } }\n";
    let check = |content: &str, expected: &str| {
        let world = open(&[
            ("/dial.assetType/type.yaml", kind),
            ("/one.dial/a.txt", ""),
            ("/one.dial/v.json", content),
        ]);
        let told = world.validate(&source("/one.dial")).unwrap();
        let told: Vec<_> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told, [format!("/zero/source/one.dial/v.json{expected}")], "{content}");
    };
    check(
        "{\"version\": 0}",
        ":1:13: error[settings.broken]: versions count from 1",
    );
    check(
        "{\n\t\"version\": \"x\"\n}",
        ":2:13: error[settings.broken]: a version is a whole number, and a text is here",
    );
    check(
        "{\"version\": 2, \"size\": 4}",
        ": error[settings.broken]: it is of version 2; this program reads versions up to 1",
    );
    check(
        "{\n  \"size\": }",
        ":2:11: error[settings.broken]: this is no JSON: expected value",
    );
    check(
        "[3]",
        ":1:1: error[settings.broken]: settings are a mapping, and a list is here",
    );
    check(
        "{\n  \"size\": \"big\"\n}",
        ":2:11: error[settings.value]: `size` does not fit: it is a whole number, and \"big\" is here; \
         the default stands in for it",
    );
}

/// What no read would take is refused where it is written, and the file stays as it was.
#[test]
fn settings_that_could_not_be_read_again_are_not_written() {
    for file in ["v.yaml", "v.json"] {
        let kind = format!(
            "primary: a.txt\nsettings: {{ values: {file}, schema: {{ type: {{ text: {{ type: text, default: x }}, any: {{ type: any }} \
             }} }} }}\n"
        );
        let mut world = open(&[("/dial.assetType/type.yaml", &kind), ("/one.dial/a.txt", "")]);
        let mut write = |name: &str, value: Value| {
            let written = world.write_settings(&source("/one.dial"), &values(&[(name, value)]));
            written.map(drop).map_err(|error| error.to_string())
        };
        write("text", "fine".into()).unwrap();
        let long = "x".repeat(2 << 20);
        let error = write("text", long.into()).unwrap_err();
        assert!(error.contains("more than the 1048576 allowed here"), "{error}");
        let many = Value::Array(vec![Value::from(1); 60_000]);
        let yaml = file.ends_with("yaml");
        let many = write("any", many);
        assert_eq!(many.is_err(), yaml, "{many:?}");
        write("text", "better".into()).unwrap();
        let settings = world.settings(&source("/one.dial")).unwrap().unwrap();
        assert_eq!(settings.values["text"], "better");
    }
}

#[test]
fn no_setting_is_called_as_the_version_of_the_file_is() {
    let parse = |text: &str, export| Schema::parse(&source("/own.yaml"), text.as_bytes(), export);
    let told = |text: &str, export| -> Vec<String> {
        let (schema, told) = parse(text, export);
        assert_eq!(schema, None);
        told.iter().map(ToString::to_string).collect()
    };
    let said = told("knobs:\n  version: { type: bool }\n", Some("knobs"));
    assert_eq!(
        said,
        [
            "/zero/source/own.yaml:2:3: error[settings.schema]: no setting is called `version`: a file of values says its own \
          version under that key"
        ]
    );
    let (schema, told) = parse("version: 1\nsize: { type: bool }\n", None);
    assert_eq!(
        (schema.unwrap().fields.len(), told),
        (1, vec![]),
        "a whole file says its version"
    );
    let inline = "primary: a\nsettings: { values: v, schema: { type: { version: { type: bool } } } }\n";
    let (kind, told) = zero_assets::AssetType::parse(&source("/x.assetType"), inline.as_bytes()).unwrap();
    assert_eq!(kind.unwrap().settings, None);
    assert!(told[0].message.contains("no setting is called `version`"), "{told:?}");
}

#[test]
fn a_schema_is_read_up_to_its_limit() {
    let schema = |bytes: usize| {
        let text = "knob: { type: bool }\n#".to_owned();
        text.clone() + &"x".repeat(bytes - text.len())
    };
    let kind = "primary: a.txt\nsettings: { values: v.yaml, schema: { instance: own.yaml } }\n";
    let check = |bytes: usize| {
        let own = schema(bytes);
        let world = open(&[
            ("/dial.assetType/type.yaml", kind),
            ("/one.dial/a.txt", ""),
            ("/one.dial/own.yaml", &own),
        ]);
        world.settings(&source("/one.dial"))
    };
    assert!(check(1 << 20).unwrap().is_some());
    let error = check((1 << 20) + 1).unwrap_err();
    assert!(matches!(error, Error::Vfs(zero_vfs::Error::TooLarge { .. })), "{error}");
}

#[test]
fn a_repair_that_does_not_fit_is_told_and_never_written() {
    struct Harm;
    impl Behavior for Harm {
        fn settings_healed(&self, mut values: Values, _: &Values) -> HookResult<Values> {
            values.insert("size".to_owned(), 100_000.into());
            Ok(values)
        }
    }
    let mut world = open(&[("/a.note/note.txt", "x"), ("/a.note/settings.yaml", "size: 20\n")]);
    world.attach("note", Arc::new(Harm));
    let note = source("/a.note");
    let read = world.settings(&note).unwrap().unwrap();
    assert_eq!(read.values["size"], 10, "the default stands in");
    let told: Vec<_> = read.diagnostics.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("error[settings.value]: what the type's repair makes of `size` does not fit"),
        "{told:?}"
    );
    world
        .write_settings(&note, &values(&[("color", "blue".into())]))
        .unwrap();
    assert!(stored(&world).contains("size: 20\n"), "{}", stored(&world));
}

/// A write changes what it changes, and leaves a person's file as that person wrote it.
#[test]
fn a_write_keeps_order_and_comments() {
    let check = |before: &str, writes: &[(&str, Value)], after: &str| {
        let kind = "primary: a.txt\nsettings: { values: v.yaml, schema: { type: { size: { type: integer, default: 3 }, \
                    any: { type: any, default: 0 }, text: { type: text, default: x } } } }\n";
        let mut world = open(&[
            ("/dial.assetType/type.yaml", kind),
            ("/one.dial/a.txt", ""),
            ("/one.dial/v.yaml", before),
        ]);
        let dial = source("/one.dial");
        let now = world.write_settings(&dial, &values(writes)).unwrap();
        assert_eq!(text(world.vfs(), "/one.dial/v.yaml"), after, "from {before:?}");
        assert_eq!(world.settings(&dial).unwrap().unwrap().values, now.values);
    };
    let written = "# Of dials.\nversion: 1\ntext: 'so, # it is' # said\n\n# How big.\nsize:   7   # px\n\nany:\n  # inner\n  - 1\n\
                   # The end.\n";
    check(
        written,
        &[("size", 9.into())],
        &written.replace("size:   7   # px", "size: 9   # px"),
    );
    check(written, &[("size", 7.into())], written);
    check(
        written,
        &[("any", "one".into())],
        &written.replace("any:\n  # inner\n  - 1\n", "any: one\n"),
    );
    check(
        written,
        &[("text", Value::from(vec![1, 2]).to_string().into())],
        &written.replace("'so, # it is' # said", "\"[1,2]\" # said"),
    );
    check(
        written,
        &[("size", 9.into()), ("any", vec![1, 2].into())],
        &written
            .replace("size:   7   # px", "size: 9   # px")
            .replace("  # inner\n  - 1\n", "- 1\n- 2\n"),
    );
    // What is new comes last; the lines end as they did, be it without an end.
    check(
        "size: 5 # px\r\nany: 1",
        &[("size", 6.into())],
        "size: 6 # px\r\nany: 1\r\ntext: x\r\nversion: 1\r\n",
    );
    check(
        "# None yet.\n",
        &[("size", 6.into())],
        "# None yet.\nany: 0\nsize: 6\ntext: x\nversion: 1\n",
    );
    // What is not written key by key is written anew.
    check(
        "{ size: 5, any: 1 } # odd\n",
        &[("size", 6.into())],
        "any: 1\nsize: 6\ntext: x\nversion: 1\n",
    );
    check(
        "any: |+\n  # no comment\n\n\nsize: 5\n",
        &[("size", 6.into())],
        "any: |+\n  # no comment\n\n\nsize: 6\ntext: x\nversion: 1\n",
    );
    let lines = "text: a\nb";
    check(
        "text: one # why\nany: 1\nsize: 5\nversion: 1\n",
        &[("text", lines.into())],
        "# why\ntext: |-\n  text: a\n  b\nany: 1\nsize: 5\nversion: 1\n",
    );
}

#[test]
fn a_setting_goes_back_to_what_it_is_by_itself() {
    let (mut world, note) = note("# Mine.\nsize: 40\ntwice: 7\nmood: warm # odd\ntitle: t\n");
    let now = world.reset_settings(&note, &["twice"]).unwrap();
    assert_eq!(now.values["twice"], 80, "it follows again");
    let now = world.reset_settings(&note, &["size", "title"]).unwrap();
    assert_eq!((&now.values["size"], &now.values["twice"]), (&10.into(), &20.into()));
    assert!(stored(&world).starts_with("# Mine.\nsize: 10\ntwice: 20\nmood: warm # odd\n"));
    let now = world.reset_settings(&note, &["mood"]).unwrap();
    assert_eq!(now.diagnostics, []);
    assert!(!stored(&world).contains("mood"), "{}", stored(&world));
    let error = world.reset_settings(&note, &["sise"]).unwrap_err().to_string();
    assert_eq!(error, "`a` has no setting `sise`; did you mean `size`?");
}

/// Whole numbers up to those of 64 bits are kept to the last digit.
#[test]
fn a_large_whole_number_stays_itself() {
    let kind = "primary: a.txt\nsettings: { values: FILE, schema: { type: { seed: { type: any } } } }\n";
    for file in ["v.yaml", "v.json"] {
        let mut world = open(&[
            ("/dial.assetType/type.yaml", &kind.replace("FILE", file)),
            ("/one.dial/a.txt", ""),
        ]);
        let dial = source("/one.dial");
        for seed in [u64::MAX, u64::MAX - 1, i64::MAX as u64 + 1] {
            world.write_settings(&dial, &values(&[("seed", seed.into())])).unwrap();
            assert_eq!(
                world.settings(&dial).unwrap().unwrap().values["seed"],
                Value::from(seed),
                "{file}"
            );
        }
    }
}
