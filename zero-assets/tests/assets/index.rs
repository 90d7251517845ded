//! What is found, by which name, and what is said when it is not.

use zero_assets::{Assets, Error};

use crate::{path, told, world};

/// A world with two scripts of one name, a landscape that holds a texture, and a library.
fn assets() -> Assets {
    Assets::load(&world(&[
        ("/tools/start.script/init.luau", ""),
        ("/games/start.script/init.luau", ""),
        ("/games/start.texture/texture.yaml", ""),
        ("/games/start.texture/image.png", ""),
        ("/dunes.terrainData/terrain.yaml", ""),
        ("/dunes.terrainData/height.texture/texture.yaml", ""),
        ("/dunes.terrainData/height.texture/image.exr", ""),
        ("/libs/@stone/kit/wall.script/init.luau", ""),
        ("/libs/@stone/wall.script/init.luau", ""),
        ("/libs/@stone/wall.script/parts/deep.script/init.luau", ""),
        ("/wall.script/init.luau", ""),
    ]))
    .unwrap()
}

#[test]
fn each_form_of_name_finds_its_asset() {
    let assets = assets();
    let check = |name: &str, expected: &str| match assets.find(name) {
        Ok(asset) => assert_eq!(asset.path, path(expected), "{name}"),
        Err(error) => panic!("{name}: {error}"),
    };
    check("/zero/source/tools/start.script", "/zero/source/tools/start.script");
    check("tools.start", "/zero/source/tools/start.script");
    check("games.start.texture", "/zero/source/games/start.texture");
    check("start.texture", "/zero/source/games/start.texture");
    check("dunes", "/zero/source/dunes.terrainData");
    check("dunes.height", "/zero/source/dunes.terrainData/height.texture");
    check("@stone::kit.wall", "/zero/source/libs/@stone/kit/wall.script");
    check("kit.wall", "/zero/source/libs/@stone/kit/wall.script");
    check("@stone::wall", "/zero/source/libs/@stone/wall.script");
    check("@stone::wall.script", "/zero/source/libs/@stone/wall.script");
    // The world's own before a library's.
    check("wall", "/zero/source/wall.script");
    // A script is no container: what it holds is named with its suffix.
    check(
        "@stone::wall.script.parts.deep",
        "/zero/source/libs/@stone/wall.script/parts/deep.script",
    );
    let of_type = assets.find_of("texture", "games.start").unwrap();
    assert_eq!(of_type.path, path("/zero/source/games/start.texture"));
}

#[test]
fn two_answers_are_an_error_that_names_both() {
    let assets = assets();
    let check = |name: &str, expected: &[&str]| match assets.find(name) {
        Err(Error::Ambiguous { candidates, .. }) => {
            assert_eq!(
                candidates.iter().map(|path| path.as_str()).collect::<Vec<_>>(),
                expected,
                "{name}"
            );
        }
        other => panic!("{name}: {other:?}"),
    };
    check(
        "games.start",
        &["/zero/source/games/start.script", "/zero/source/games/start.texture"],
    );
    check(
        "start.script",
        &["/zero/source/games/start.script", "/zero/source/tools/start.script"],
    );
}

#[test]
fn a_miss_names_the_nearest() {
    let assets = assets();
    let check = |name: &str, expected: &str| {
        assert_eq!(assets.find(name).unwrap_err().to_string(), expected);
    };
    check(
        "tools.strat",
        "no asset answers to `tools.strat`; did you mean `tools.start`?",
    );
    check("Dunes", "no asset answers to `Dunes`; did you mean `dunes`?");
    check(
        "@ston::kit.wall",
        "there is no library `@ston`, which `@ston::kit.wall` is in; did you mean one of `@stone::kit.wall`, `@stone::wall`?",
    );
    check("nothing_like_it", "no asset answers to `nothing_like_it`");
    check(
        "/zero/source/wall.scrip",
        "no asset answers to `/zero/source/wall.scrip`; did you mean `/zero/source/wall.script`?",
    );
    assert!(matches!(assets.find("/zero/../etc"), Err(Error::Vfs(_))));
    assert!(matches!(
        assets.find_of("texture", "tools.start"),
        Err(Error::OtherType { .. })
    ));
}

#[test]
fn a_path_inside_an_asset_leads_to_the_deepest_one() {
    let assets = assets();
    let containing = |text: &str| assets.containing(&path(text)).map(|asset| asset.name.as_str());
    assert_eq!(containing("/zero/source/dunes.terrainData/terrain.yaml"), Some("dunes"));
    assert_eq!(
        containing("/zero/source/dunes.terrainData/height.texture/image.exr"),
        Some("height")
    );
    assert_eq!(containing("/zero/source/tools"), None);
}

#[test]
fn lists_are_sorted_and_of_one_type() {
    let assets = assets();
    let paths: Vec<_> = assets
        .list("texture")
        .unwrap()
        .map(|asset| asset.path.as_str())
        .collect();
    assert_eq!(
        paths,
        [
            "/zero/source/dunes.terrainData/height.texture",
            "/zero/source/games/start.texture"
        ]
    );
    assert!(assets.iter().map(|asset| &asset.path).is_sorted());
    let twice = (told(&assets), assets.iter().cloned().collect::<Vec<_>>());
    let again = self::assets();
    assert_eq!((told(&again), again.iter().cloned().collect::<Vec<_>>()), twice);
}

#[test]
fn what_is_wrong_with_content_is_told_and_the_rest_is_found() {
    let assets = Assets::load(&world(&[
        ("/bark.texture/texture.yaml", ""),
        ("/bark.texture/image.png", ""),
        ("/bark.texture/notes.txt", ""),
        ("/empty.texture/texture.yaml", ""),
        ("/hill.terrainData/other.yaml", ""),
        ("/two words.script/init.luau", ""),
        ("/rock.textur/texture.yaml", ""),
        ("/old.notes/readme", ""),
        ("/v1.2/readme", ""),
        ("/.hidden/readme", ""),
    ]))
    .unwrap();
    assert_eq!(
        told(&assets),
        [
            "/zero/source/bark.texture/notes.txt: warning[asset.unlisted_file]: a texture does not hold such a file",
            "/zero/source/empty.texture: error[asset.missing_file]: a texture needs `*.png` or `*.exr`",
            "/zero/source/hill.terrainData: error[asset.missing_file]: a terrainData needs `terrain.yaml`",
            "/zero/source/hill.terrainData/other.yaml: warning[asset.unlisted_file]: a terrainData does not hold such a file",
            "/zero/source/old.notes: warning[asset.unknown_type]: no type has the suffix `.notes`, so this is no asset; \
         make the type first",
            "/zero/source/rock.textur: warning[asset.unknown_type]: no type has the suffix `.textur`, so this is no asset; \
         did you mean `.texture`?",
            "/zero/source/two words.script: warning[asset.name]: `two words` is no plain name (a letter, then letters, \
         digits or `_`); code cannot write it",
        ]
    );
    assert!(assets.find("bark").is_ok() && assets.find("two words").is_ok());
    assert!(assets.find("rock").is_err());
}
