//! Every form of name, said by a file.

use zero_assets::{Assets, Error, Query};

use crate::{path, world};

const BOX: &str = "primary: box.yaml\nis_container: true\nroot: true\n";
const KIT: &str = "primary: README.md\nis_container: true\nbroadcasts_subassets: true\n";
const NOTE: &str = "primary: note.txt\naliases_from: [{ file: names.yaml, key: also.known }]\n";

fn assets() -> Assets {
    Assets::load(&world(&[
        ("/types/box.assetType/type.yaml", BOX),
        ("/types/box.assetType/README.md", "x"),
        ("/types/box.assetType/shared.script/init.luau", ""),
        ("/types/box.assetType/behavior.luau", ""),
        ("/types/kit.assetType/type.yaml", KIT),
        ("/types/kit.assetType/README.md", "x"),
        ("/types/note.assetType/type.yaml", NOTE),
        ("/types/note.assetType/README.md", "x"),
        ("/one.box/box.yaml", ""),
        ("/one.box/parts/leaf.note/note.txt", ""),
        ("/one.box/parts/stem.note/note.txt", ""),
        ("/one.box/tools.kit/README.md", ""),
        ("/one.box/tools.kit/hammer.note/note.txt", ""),
        ("/one.box/tools.kit/hammer.note/deep/more.txt", ""),
        ("/two.box/box.yaml", ""),
        ("/two.box/parts/leaf.note/note.txt", ""),
        ("/shed.kit/README.md", ""),
        ("/shed.kit/rake.note/note.txt", ""),
        ("/shed.kit/rake.note/names.yaml", "also: { known: [harrow, comb] }"),
        ("/parts/leaf.note/note.txt", ""),
        ("/libs/@stone/one.box/box.yaml", ""),
        ("/libs/@stone/parts/leaf.note/note.txt", ""),
        ("/libs/@stone/parts/stem.note/note.txt", ""),
    ]))
    .unwrap()
}

#[test]
fn each_form_means_what_it_means_where_it_stands() {
    let assets = assets();
    let check = |from: &str, name: &str, expected: &str| {
        let from = path(&format!("/zero/source{from}"));
        match assets.resolve(&Query::new(name).from(&from)) {
            Ok(asset) => assert_eq!(
                asset.path.as_str(),
                format!("/zero/source{expected}"),
                "{name} in {from}"
            ),
            Err(error) => panic!("{name} in {from}: {error}"),
        }
    };
    let leaf = "/one.box/parts/leaf.note/note.txt";
    // The nearest root: the box, and its parts by their place in it.
    check(leaf, "~.parts.stem", "/one.box/parts/stem.note");
    check(leaf, "~/parts/stem", "/one.box/parts/stem.note");
    check(leaf, "~/parts/stem.note", "/one.box/parts/stem.note");
    check(leaf, "~.tools.hammer", "/one.box/tools.kit/hammer.note");
    check(leaf, "~.parts.leaf.note", "/one.box/parts/leaf.note");
    // A root by its name.
    check(leaf, "~two.parts.leaf", "/two.box/parts/leaf.note");
    check(
        "/parts/leaf.note/note.txt",
        "~one.parts.stem",
        "/one.box/parts/stem.note",
    );
    // Outside any box the world is the root.
    check("/parts/leaf.note/note.txt", "~.parts.leaf", "/parts/leaf.note");
    check(
        "/libs/@stone/parts/leaf.note/note.txt",
        "~.parts.stem",
        "/libs/@stone/parts/stem.note",
    );
    // A type's folder is a root, and its own files say `.shared` of what lies beside them.
    check(
        "/types/box.assetType/behavior.luau",
        "~.shared",
        "/types/box.assetType/shared.script",
    );
    check(
        "/types/box.assetType/behavior.luau",
        ".shared",
        "/types/box.assetType/shared.script",
    );
    // Beside the asset, for a file that stands for all of it; beside the file, for another.
    check(leaf, ".stem", "/one.box/parts/stem.note");
    check(leaf, "..tools", "/one.box/tools.kit");
    check(leaf, "..tools.hammer", "/one.box/tools.kit/hammer.note");
    check("/one.box/tools.kit/hammer.note/note.txt", "...two", "/two.box");
    check(
        "/one.box/tools.kit/hammer.note/deep/more.txt",
        "...hammer",
        "/one.box/tools.kit/hammer.note",
    );
    // The asker's own root.
    check(leaf, "@root::parts.leaf", "/parts/leaf.note");
    check(
        "/libs/@stone/one.box/box.yaml",
        "@root::parts.leaf",
        "/libs/@stone/parts/leaf.note",
    );
    check(
        "/libs/@stone/one.box/box.yaml",
        "parts.leaf",
        "/libs/@stone/parts/leaf.note",
    );
    check(leaf, "parts.leaf", "/parts/leaf.note");
    check(leaf, "@stone::parts.leaf", "/libs/@stone/parts/leaf.note");
    // Short names: what a kit holds is seen by its own, and what holds the asker hides nothing from it.
    check("/parts/leaf.note/note.txt", "rake", "/shed.kit/rake.note");
    check("/parts/leaf.note/note.txt", "comb", "/shed.kit/rake.note");
    check(leaf, "hammer", "/one.box/tools.kit/hammer.note");
    check(leaf, "/zero/source/two.box", "/two.box");
}

#[test]
fn what_does_not_answer_says_why() {
    let assets = assets();
    let from = path("/zero/source/one.box/parts/leaf.note/note.txt");
    let check = |name: &str, expected: &str| {
        let error = assets.resolve(&Query::new(name).from(&from)).unwrap_err();
        assert!(error.to_string().contains(expected), "{name}: {error}");
    };
    check("~.parts.stme", "did you mean one of `one.parts.stem`");
    check(".stme", "did you mean one of `one.parts.stem`");
    check("~.hammer", "no asset answers to `~.hammer`");
    check("....stem", "no asset answers to `....stem`");
    check("......stem", "no asset answers to `......stem`");
    check(
        "@clay::parts.leaf",
        "there is no library `@clay`, which `@clay::parts.leaf` is in",
    );
    check("@stnoe::parts.leaf", "did you mean one of `@stone::parts.leaf`");
    check("@stone::parts.laef", "did you mean one of `@stone::parts.leaf`");
    // Seen from the box only: its holder does not broadcast.
    let outside = path("/zero/source/parts/leaf.note/note.txt");
    assert!(matches!(
        assets.resolve(&Query::new("hammer").from(&outside)),
        Err(Error::NoAsset { .. })
    ));
    for name in ["~.parts.stem", ".stem", "@root::parts.leaf"] {
        assert!(matches!(assets.find(name), Err(Error::NoReferrer { .. })), "{name}");
    }
    // A root of this name is in the world and in a library: said by no file, it is the world's.
    assert_eq!(
        assets.find("~one.parts.leaf").unwrap().path,
        path("/zero/source/one.box/parts/leaf.note")
    );
    let kind = assets.resolve(&Query::new("rake").category("notes")).unwrap_err();
    assert_eq!(kind.to_string(), "there is no asset type `notes`; did you mean `note`?");
    let kind = assets.resolve(&Query::new("rake").category("kit")).unwrap_err();
    assert_eq!(
        kind.to_string(),
        "`rake` is `/zero/source/shed.kit/rake.note`, a note, and a kit is asked for"
    );
}

#[test]
fn loose_files_are_assets_of_the_type_that_claims_them() {
    let vfs = world(&[
        (
            "/sound.assetType/type.yaml",
            "primary: '*'\nplural_dir: sounds\nclassify_exts: [wav]\n",
        ),
        ("/sound.assetType/README.md", "x"),
        ("/pack.assetType/type.yaml", "primary: pack.yaml\nis_container: true\n"),
        ("/pack.assetType/README.md", "x"),
        ("/bang.wav", ""),
        ("/bang.wav.refs", "guid: 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n"),
        ("/sounds/rain.ogg", ""),
        ("/sounds/.keep", ""),
        ("/sounds/deep/wind.ogg", ""),
        ("/big.pack/pack.yaml", ""),
        ("/big.pack/boom.wav", ""),
        ("/hello.script/init.luau", ""),
        ("/hello.script/own.wav", ""),
    ]);
    let assets = Assets::load(&vfs).unwrap();
    let sounds: Vec<_> = assets
        .list("sound")
        .unwrap()
        .map(|asset| (asset.identity.as_str(), asset.path.as_str()))
        .collect();
    assert_eq!(
        sounds,
        [
            ("bang", "/zero/source/bang.wav"),
            ("big.boom", "/zero/source/big.pack/boom.wav"),
            ("sounds.rain", "/zero/source/sounds/rain.ogg"),
        ]
    );
    let bang = assets.find("0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d").unwrap();
    assert_eq!((bang.name.as_str(), bang.form), ("bang", zero_vfs::Kind::File));
    assert_eq!(assets.files_of(bang), std::slice::from_ref(&bang.path));
}

/// An alias that is read as something else could never answer: it is told where it is written.
#[test]
fn what_cannot_be_an_alias_is_told() {
    let names = "also: { known: ['', ' x', '@root::x', '~', ~.x, .x, /zero/source/b, 5f2c01fe-8f6c-4c8a-9a3e-0d8f6f1f3b52, fine] }";
    let files = [
        ("/note.assetType/type.yaml", NOTE),
        ("/note.assetType/README.md", "x"),
        ("/a.note/note.txt", ""),
        ("/a.note/names.yaml", names),
    ];
    let assets = Assets::load(&world(&files)).unwrap();
    assert_eq!(assets.find("fine").unwrap().aliases, ["fine"]);
    let told: Vec<_> = assets
        .diagnostics()
        .iter()
        .filter(|told| told.code == "asset.alias")
        .collect();
    assert_eq!(told.len(), 8, "{told:?}");
    assert!(assets.find("").is_err());
}
