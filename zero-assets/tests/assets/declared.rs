//! Keys of a `type.yaml` whose meaning is known of an asset alone: files that share its identity, and examples.

use zero_assets::{Assets, Error, Query};

use crate::{path, world};

#[test]
fn a_file_that_stands_for_an_asset_names_it_and_says_names_where_it_lies() {
    let kind = "primary: a.yaml\nentry_files: [start.luau]\nprimary_aliases: [init.*]\n";
    let assets = Assets::load(&world(&[
        ("/lamp.assetType/type.yaml", kind),
        ("/kit/desk.lamp/a.yaml", ""),
        ("/kit/desk.lamp/start.luau", ""),
        ("/kit/desk.lamp/init.luau", ""),
        ("/kit/desk.lamp/other.luau", ""),
        ("/kit/desk.lamp/deep/init.luau", ""),
        ("/kit/wall.lamp/a.yaml", ""),
    ]))
    .unwrap();
    let file = |inner: &str| format!("/zero/source/kit/desk.lamp/{inner}");
    for inner in ["a.yaml", "start.luau", "init.luau"] {
        let name = file(inner);
        assert_eq!(assets.find(&name).unwrap().identity, "kit.desk", "{inner}");
        let from = path(&name);
        let beside = assets.resolve(&Query::new(".wall").from(&from)).unwrap();
        assert_eq!(beside.identity, "kit.wall", "{inner}");
        assert!(assets.find_of("script", &name).is_err(), "{inner}");
    }
    for inner in ["other.luau", "deep/init.luau"] {
        let name = file(inner);
        assert!(matches!(assets.find(&name), Err(Error::NoAsset { .. })), "{inner}");
        assert!(
            assets.resolve(&Query::new(".wall").from(&path(&name))).is_err(),
            "{inner}"
        );
    }
    assert!(assets.find(&file("init.none")).is_err(), "no such file is there");
}

const LAMP: &str = "primary: a.yaml
files:
  required:
    - { path: README.md, kind: file, content: [{ check: described }] }
describe:
  examples:
    - kit.good
    - '@root::kit.scaffold'
    - kit.bare
    - kit.other
    - gone
";

#[test]
fn an_example_of_a_description_is_an_asset_of_the_type_whose_own_is_written() {
    let vfs = world(&[
        ("/lamp.assetType/type.yaml", LAMP),
        ("/kit/good.lamp/a.yaml", ""),
        ("/kit/good.lamp/README.md", "# good\n\nIt stands on a desk.\n"),
        ("/kit/scaffold.lamp/a.yaml", ""),
        (
            "/kit/scaffold.lamp/README.md",
            "# scaffold\n\n[[describe]] Say what it is.\n",
        ),
        ("/kit/bare.lamp/a.yaml", ""),
        ("/kit/other.script/init.luau", "return 1"),
    ]);
    let mut assets = Assets::load(&vfs).unwrap();
    let examples = |assets: &Assets| -> Vec<String> {
        let kind = assets.find_of("assetType", "lamp").unwrap();
        let told = assets.check(&vfs, kind).unwrap().into_iter();
        let told = told.filter(|told| told.code == "type.example");
        told.map(|told| format!("{}: {}", told.at.unwrap(), told.message))
            .collect()
    };
    assert_eq!(
        examples(&assets),
        [
            "8:7: the example `@root::kit.scaffold` is none: the description of `/zero/source/kit/scaffold.lamp` is still to \
             be written",
            "9:7: the example `kit.bare` is none: the description of `/zero/source/kit/bare.lamp` is still to be written",
            "10:7: the example `kit.other` is none: `kit.other` is `/zero/source/kit/other.script`, a script, and a lamp is \
             asked for",
            "11:7: the example `gone` is none: no asset answers to `gone`; did you mean `good`?",
        ]
    );
    // None is no fault.
    let file = path("/zero/source/lamp.assetType/type.yaml");
    vfs.write(&file, LAMP.split("describe:").next().unwrap().as_bytes())
        .unwrap();
    assets.apply(&vfs, [file]).unwrap();
    assert_eq!(examples(&assets), [] as [&str; 0]);
}
