//! The settings that an asset is made with: presets, earlier spellings, and settings of its own.

use std::sync::Arc;

use zero_assets::types::{FieldType, Schema};
use zero_assets::{Behavior, Create, Creation, Error, Files, HookResult, Values, Workspace};

use crate::diary::{Diary, open, source, text, values};

fn read(world: &Workspace, name: &str) -> Values {
    world.settings(&source(name)).unwrap().unwrap().values
}

#[test]
fn a_preset_stands_above_what_the_type_gives_and_below_the_importer_and_the_caller() {
    let mut world = open(&[
        (
            "/looks/big.preset/preset.yaml",
            "for: note\nvalues: { size: 30, twice: 1, title: preset, color: red }\n",
        ),
        ("/looks/broken.preset/preset.yaml", "values: 3\n"),
        ("/looks/other.preset/preset.yaml", "for: crate\n"),
        ("/looks/wrong.preset/preset.yaml", "for: note\nvalues: { siez: 3 }\n"),
        ("/looks/old.preset/preset.yaml", "for: note\nvalues: { colour: red }\n"),
    ]);
    world.attach("note", Diary::shared().0);
    let mut new = Create::new("note", "all")
        .preset("looks.big")
        .setting("title", "caller");
    new.settings.importer = values(&[("twice", 2.into()), ("title", "import".into())]);
    world.create(&new).unwrap();
    let expected = values(&[
        ("size", 30.into()),
        ("twice", 2.into()),
        ("title", "caller".into()),
        ("color", "red".into()),
    ]);
    assert_eq!(
        read(&world, "/all.note"),
        expected,
        "the type's own default of the colour is blue"
    );
    // By its path, under values that are handed in as a preset's.
    let mut new = Create::new("note", "path").preset("/zero/source/looks/big.preset");
    new.settings.preset = values(&[("twice", 5.into())]);
    world.create(&new).unwrap();
    assert_eq!(
        (
            &read(&world, "/path.note")["size"],
            &read(&world, "/path.note")["twice"]
        ),
        (&30.into(), &5.into())
    );
    // Said from where the asset will be.
    world
        .create(&Create::new("note", "near").folder("looks").preset(".big"))
        .unwrap();
    assert_eq!(read(&world, "/looks/near.note")["size"], 30);
    world.create(&Create::new("note", "old").preset("old")).unwrap();
    assert_eq!(read(&world, "/old.note")["color"], "red");

    let mut fails = |preset: &str, expected: &str| {
        let error = world.create(&Create::new("note", "none").preset(preset)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(world.vfs().stat(&source("/none.note")).unwrap(), None);
    };
    fails("bog", "no asset answers to `bog`");
    fails(
        "broken",
        "preset.yaml:1:1: error[preset.broken]: the key `for` is missing",
    );
    fails("wrong", "`none` has no setting `siez`; did you mean `size`?");
    fails(
        "other",
        "the preset `/zero/source/looks/other.preset` is for `crate`, and a note is made with it",
    );
}

#[test]
fn every_layer_of_a_new_asset_may_be_in_an_earlier_spelling() {
    let mut world = open(&[]);
    world.attach("note", Diary::shared().0);
    let old = |layer: &mut Values| *layer = values(&[("colour", "red".into()), ("size", 20.into())]);
    let mut new = [
        Create::new("note", "a"),
        Create::new("note", "b"),
        Create::new("note", "c"),
    ];
    old(&mut new[0].settings.preset);
    old(&mut new[1].settings.importer);
    old(&mut new[2].settings.caller);
    for new in new {
        let made = world.create(&new).unwrap();
        assert_eq!(
            world.settings(&made.path).unwrap().unwrap().values["color"],
            "red",
            "{new:?}"
        );
    }
}

#[test]
fn the_stored_values_are_shown_where_others_are_written_over_them() {
    struct Respells;
    impl Behavior for Respells {
        fn normalize_settings(&self, mut values: Values, stored: Option<&Values>) -> HookResult<Values> {
            // A step is relative to what is there.
            if let Some(step) = values.remove("step").and_then(|step| step.as_i64()) {
                let size = stored.and_then(|stored| stored.get("size")?.as_i64()).unwrap_or(1);
                values.insert("size".to_owned(), (size + step).into());
            }
            Ok(values)
        }
    }
    let mut world = open(&[]);
    world.attach("note", Arc::new(Respells));
    let made = world.create(&Create::new("note", "a").setting("step", 4)).unwrap().path;
    assert_eq!(read(&world, "/a.note")["size"], 5);
    let now = world.write_settings(&made, &values(&[("step", 4.into())])).unwrap();
    assert_eq!(now.values["size"], 9);
}

/// A type whose assets declare their own settings, in a file that its behaviour may write.
struct Dial;

impl Behavior for Dial {
    fn create_options(&self) -> Option<Schema> {
        let (schema, _) = Schema::parse(&source("/options.yaml"), b"own: { type: text }\n", None);
        schema
    }

    fn on_create(&self, new: &Creation<'_>) -> HookResult<Files> {
        let own = new.options["own"].as_str();
        Ok(own
            .map(|own| ("own.yaml".to_owned(), own.as_bytes().to_vec()))
            .into_iter()
            .collect())
    }

    fn settings_schema_problem(&self, schema: &Schema, asset: &zero_assets::Asset) -> Option<String> {
        let is_list = |field: &zero_assets::types::SettingField| matches!(field.value_type, FieldType::List { .. });
        schema
            .fields
            .values()
            .any(is_list)
            .then(|| format!("`{}` keeps no lists", asset.name))
    }
}

#[test]
fn an_asset_that_declares_its_own_settings_is_made_with_them() {
    let mut world = open(&[
        (
            "/dial.assetType/type.yaml",
            "primary: a.txt\nsettings: { values: v.yaml, schema: { instance: own.yaml } }\n",
        ),
        ("/dial.assetType/README.md", "x"),
        ("/dial.assetType/template/a.txt", ""),
        (
            "/dial.assetType/template/own.yaml",
            "volume: { type: number, min: 0, default: 3 }\nmute: { type: bool, default: false }\n",
        ),
        ("/loud.preset/preset.yaml", "for: dial\nvalues: { volume: 11 }\n"),
    ]);
    // As the template declares them.
    world.create(&Create::new("dial", "plain")).unwrap();
    assert_eq!(
        text(world.vfs(), "/plain.dial/v.yaml"),
        "mute: false\nversion: 1\nvolume: 3\n"
    );
    world
        .create(&Create::new("dial", "loud").preset("loud").option("mute", true))
        .unwrap();
    assert_eq!(
        text(world.vfs(), "/loud.dial/v.yaml"),
        "mute: true\nversion: 1\nvolume: 11\n"
    );
    // As the behaviour declares them; what it does not declare is refused, and so is what the schema does not allow.
    world.attach("dial", Arc::new(Dial));
    let own = "bass: { type: integer, default: 1 }\n";
    world
        .create(&Create::new("dial", "own").option("own", own).setting("bass", 4))
        .unwrap();
    assert_eq!(text(world.vfs(), "/own.dial/v.yaml"), "bass: 4\nversion: 1\n");
    let dial = || Create::new("dial", "none");
    let mut fails = |new: &Create, expected: &str| {
        let error = world.create(new).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(world.vfs().stat(&source("/none.dial")).unwrap(), None);
    };
    fails(
        &dial().setting("volum", 1),
        "`none` has no setting `volum`; did you mean `volume`?",
    );
    fails(&dial().setting("volume", -1), "-1 is out of its range, at least 0");
    fails(
        &dial().option("volum", 1),
        "a dial cannot be made with the option `volum`: there is no such option",
    );
    fails(
        &dial().option("own", 3),
        "the option `own`: it is a text, and a number is here",
    );
    fails(
        &dial().option("own", "a: 3\n"),
        "none.dial/own.yaml:1:4: error[settings.schema]: a setting is a mapping",
    );
    fails(
        &dial().option("own", "a: { type: list, item: { type: bool } }\n"),
        "none.dial/own.yaml: error[settings.schema]: `none` keeps no lists",
    );
    // One that declares none has none.
    world
        .vfs()
        .remove(&source("/dial.assetType/template/own.yaml"))
        .unwrap();
    world.create(&Create::new("dial", "bare")).unwrap();
    assert_eq!(world.vfs().stat(&source("/bare.dial/v.yaml")).unwrap(), None);
    let error = world.create(&dial().setting("volume", 1)).unwrap_err();
    assert!(matches!(error, Error::NoSetting { .. }), "{error}");
}
