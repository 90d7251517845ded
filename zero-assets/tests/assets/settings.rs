//! Settings in their layers, and the file that is computed from an asset.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use zero_assets::{Behavior, Create, Error, HookContext, HookResult, Interface, Unreadable, Value, Workspace};

use crate::diary::{Diary, open, source, taken, text, values};

#[test]
fn each_layer_of_settings_overrides_exactly_those_below() {
    let mut world = open(&[]);
    let (diary, _) = Diary::shared();
    let read = |world: &Workspace, name: &str| {
        world
            .settings(&source(&format!("/{name}.note")))
            .unwrap()
            .unwrap()
            .values
    };
    // Without a behaviour: the schema's defaults alone.
    world.create(&Create::new("note", "plain")).unwrap();
    let plain = values(&[("size", 10.into()), ("twice", 20.into()), ("color", "red".into())]);
    assert_eq!(read(&world, "plain"), plain);
    world.attach("note", diary);
    // The behaviour's, over them; it sees what the layers above name.
    world.create(&Create::new("note", "hooked")).unwrap();
    assert_eq!(read(&world, "hooked")["title"], "hooked");
    assert_eq!(read(&world, "hooked")["color"], "red");
    let mut new = Create::new("note", "all");
    new.settings.preset = values(&[("size", 30.into()), ("twice", 1.into()), ("title", "preset".into())]);
    new.settings.importer = values(&[("twice", 2.into()), ("title", "import".into())]);
    let new = new.setting("title", "caller");
    world.create(&new).unwrap();
    let expected = values(&[
        ("size", 30.into()),
        ("twice", 2.into()),
        ("title", "caller".into()),
        ("color", "blue".into()),
    ]);
    assert_eq!(read(&world, "all"), expected);
    // A correction is silent over a preset, and refuses a caller.
    let mut new = Create::new("note", "odd");
    new.settings.preset = values(&[("size", 31.into())]);
    world.create(&new).unwrap();
    assert_eq!(read(&world, "odd")["size"], 32);
    assert!(matches!(
        world.create(&Create::new("note", "odder").setting("size", 31)),
        Err(Error::Corrected { .. })
    ));
    // An option that is called as a setting is one; an input of the type's is none.
    world
        .create(
            &Create::new("note", "opt")
                .option("size", 44)
                .option("title", "ignored as a setting"),
        )
        .unwrap();
    assert_eq!(
        (&read(&world, "opt")["size"], &read(&world, "opt")["title"]),
        (&44.into(), &"opt".into())
    );
}

#[test]
fn settings_are_read_and_written_through_the_hooks() {
    let mut world = open(&[]);
    let (diary, entries) = Diary::shared();
    world.attach("note", diary);
    let note = world.create(&Create::new("note", "a")).unwrap().path;
    world.update(Duration::from_secs(1));
    taken(&entries);
    // What follows from another follows it, unless it is said itself.
    let now = world.write_settings(&note, &values(&[("size", 40.into())])).unwrap();
    assert_eq!(now.values["twice"], 80);
    let now = world
        .write_settings(&note, &values(&[("size", 50.into()), ("twice", 7.into())]))
        .unwrap();
    assert_eq!(now.values["twice"], 7);
    world.update(Duration::from_secs(2));
    assert_eq!(
        taken(&entries),
        ["edited settings.yaml of a [\"size\", \"twice\"] of 4"]
    );
    // An earlier spelling is read and written as the present one.
    world
        .write_settings(&note, &values(&[("colour", "blue".into())]))
        .unwrap();
    assert!(text(world.vfs(), "/a.note/settings.yaml").contains("color: blue"));
    for (wrong, expected) in [
        (("size", Value::from(41)), "it must be 42, as sizes are even"),
        (("size", Value::from("x")), "it is a whole number, and \"x\" is here"),
        (("tilte", Value::from("x")), "did you mean `title`?"),
        (
            ("title", Value::from("123456789")),
            "it has 9 bytes, more than the 8 allowed",
        ),
        (
            ("color", Value::from("green")),
            "it is one of `red`, `blue`, and \"green\" is here",
        ),
    ] {
        let before = text(world.vfs(), "/a.note/settings.yaml");
        let error = world.write_settings(&note, &values(&[wrong])).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(text(world.vfs(), "/a.note/settings.yaml"), before);
    }
    world
        .write_settings(&note, &values(&[("title", "12345678".into())]))
        .unwrap();
    // What a person broke in the file is told, and the default stands; the behaviour may repair it.
    let file = source("/a.note/settings.yaml");
    world
        .vfs()
        .write(&file, b"version: 1\nsize: 300\ncolor: blue\nsome: 1\n")
        .unwrap();
    let read = world.settings(&note).unwrap().unwrap();
    assert_eq!(
        (&read.values["size"], &read.values["color"]),
        (&10.into(), &"blue".into())
    );
    let told: Vec<_> = read.diagnostics.iter().map(|told| &*told.code).collect();
    assert_eq!(told, ["settings.value", "settings.unknown"]);
    world.vfs().write(&file, b"broken: true\n").unwrap();
    assert_eq!(world.settings(&note).unwrap().unwrap().values["size"], 50);
    world.vfs().write(&file, b"version: 2\n").unwrap();
    let told = world.validate(&note).unwrap();
    assert!(told.iter().any(|told| {
        told.message
            .contains("it is of version 2; this program reads versions up to 1")
    }));
    assert!(matches!(
        world.settings(&source("/none.note")),
        Err(Error::NoAsset { .. })
    ));
}

#[test]
fn an_asset_may_have_a_schema_of_its_own() {
    struct Strict;
    impl Behavior for Strict {
        fn settings_schema_problem(
            &self,
            schema: &zero_assets::types::Schema,
            _: &zero_assets::Asset,
        ) -> Option<String> {
            (schema.fields.len() > 1).then(|| "one setting is enough".to_owned())
        }
    }
    let kind = "primary: a.txt\nsettings: { values: values.json, schema: { instance: own.yaml, export: knobs } }\n";
    let mut world = open(&[
        ("/dial.assetType/type.yaml", kind),
        ("/dial.assetType/README.md", "x"),
        ("/one.dial/a.txt", ""),
        (
            "/one.dial/own.yaml",
            "knobs: { volume: { type: number, default: 3 } }\n",
        ),
        ("/two.dial/a.txt", ""),
        (
            "/two.dial/own.yaml",
            "knobs: { a: { type: bool }, b: { type: bool } }\n",
        ),
        ("/bad.dial/a.txt", ""),
        ("/bad.dial/own.yaml", "other: 1\n"),
    ]);
    world.attach("dial", Arc::new(Strict));
    let one = source("/one.dial");
    world.write_settings(&one, &values(&[("volume", 7.5.into())])).unwrap();
    assert_eq!(
        text(world.vfs(), "/one.dial/values.json"),
        "{\n  \"version\": 1,\n  \"volume\": 7.5\n}\n"
    );
    assert_eq!(world.settings(&one).unwrap().unwrap().values["volume"], 7.5);
    let refused = world.settings(&source("/two.dial")).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("own.yaml: error[settings.schema]: one setting is enough"),
        "{refused}"
    );
    let bad = world.settings(&source("/bad.dial")).unwrap_err();
    assert!(bad.to_string().contains("the file has no `knobs`"), "{bad}");
}

#[test]
fn a_computed_file_is_made_when_what_it_is_made_of_changed() {
    struct Count(Mutex<u32>);
    impl Behavior for Count {
        fn derive(&self, asset: &HookContext<'_>) -> HookResult<Option<Vec<u8>>> {
            *self.0.lock().unwrap() += 1;
            Ok(Some(asset.read("a.txt")?.len().to_string().into_bytes()))
        }
        fn interface(&self, _: &HookContext<'_>) -> HookResult<Interface> {
            let (path, message) = (Some("a.txt".to_owned()), "it is odd".to_owned());
            Ok(Interface {
                value: Value::from("a"),
                unreadable: vec![Unreadable {
                    path,
                    at: None,
                    message,
                }],
            })
        }
    }
    let mut world = open(&[
        (
            "/sum.assetType/type.yaml",
            "primary: a.txt\nderive: { output: out.txt, matches: ['a.*'], required: true }\n",
        ),
        ("/sum.assetType/README.md", "x"),
        ("/one.sum/a.txt", "four"),
    ]);
    let count = Arc::new(Count(Mutex::new(0)));
    let one = source("/one.sum");
    let told = |world: &Workspace| -> Vec<String> {
        let told = world.validate(&one).unwrap();
        told.iter().map(|told| told.code.to_string()).collect()
    };
    let blocked = |world: &Workspace| world.publish_blockers([&one], |_| true).unwrap().len();
    // Who computes it is not here yet: the asset waits for it.
    assert_eq!(
        (told(&world), blocked(&world)),
        (vec!["asset.not_derived".to_owned()], 1)
    );
    world.attach("sum", count.clone());
    assert_eq!(told(&world), ["asset.not_derived", "interface.unreadable"]);
    assert_eq!(world.derive(&one).unwrap(), Some(source("/one.sum/out.txt")));
    assert_eq!(text(world.vfs(), "/one.sum/out.txt"), "4");
    assert_eq!(told(&world), ["interface.unreadable"]);
    assert_eq!(world.derive(&one).unwrap(), None);
    world.vfs().write(&source("/one.sum/b.txt"), b"no input").unwrap();
    world.update(Duration::from_secs(1));
    assert_eq!(world.derive(&one).unwrap(), None);
    world.vfs().write(&source("/one.sum/a.txt"), b"fives").unwrap();
    assert!(world.derive(&one).unwrap().is_some());
    assert_eq!(
        (text(world.vfs(), "/one.sum/out.txt").as_str(), *count.0.lock().unwrap()),
        ("5", 2)
    );
    assert_eq!(world.interface(&one).unwrap().0, "a");
    // And nobody knows of one that is there.
    world.detach("sum");
    assert_eq!(
        (told(&world), blocked(&world)),
        (vec!["asset.not_derived".to_owned()], 0)
    );
}
