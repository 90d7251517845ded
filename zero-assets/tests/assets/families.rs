//! Families of nodes and tools: what a box holds is called by the box's name wherever the box lies.

use zero_assets::{Assets, Error, Query};

use crate::{path, world};

const NODE: &str = "return proc.define(function(g) end)";
const PACKAGE: &str = "version: 1.0.0\n";

fn assets() -> Assets {
    Assets::load(&world(&[
        // In the world's own folder, in a folder of it, and in a package.
        ("/points.nodebox/disc.procNode/init.luau", NODE),
        ("/fx/lines.nodebox/arc.procNode/init.luau", NODE),
        ("/kit.package/package.yaml", PACKAGE),
        ("/kit.package/walls.nodebox/brick.procNode/init.luau", NODE),
        ("/kit.package/walls.nodebox/parts.module/init.luau", "return {}"),
        ("/kit.package/doors.toolbox/hang.tool/init.luau", ""),
        ("/kit.package/own.module/init.luau", "return {}"),
        // A family of one name in two packages.
        ("/one.package/package.yaml", PACKAGE),
        ("/one.package/roofs.nodebox/tile.procNode/init.luau", NODE),
        ("/two.package/package.yaml", PACKAGE),
        ("/two.package/roofs.nodebox/tile.procNode/init.luau", NODE),
        ("/town.procGraph/init.luau", NODE),
    ]))
    .unwrap()
}

#[test]
fn a_node_is_called_by_its_family_wherever_that_lies() {
    let assets = assets();
    let check = |from: &str, kind: &str, name: &str, expected: &str| {
        let from = path(&format!("/zero/source{from}"));
        let found = assets.resolve(&Query::new(name).category(kind).from(&from)).unwrap();
        assert_eq!(found.path, path(&format!("/zero/source{expected}")), "{name} in {from}");
    };
    let town = "/town.procGraph/init.luau";
    check(town, "procNode", "points.disc", "/points.nodebox/disc.procNode");
    check(town, "procNode", "lines.arc", "/fx/lines.nodebox/arc.procNode");
    check(town, "procNode", "lines.arc.procNode", "/fx/lines.nodebox/arc.procNode");
    check(
        town,
        "procNode",
        "walls.brick",
        "/kit.package/walls.nodebox/brick.procNode",
    );
    check(town, "tool", "doors.hang", "/kit.package/doors.toolbox/hang.tool");
    // The last name alone, where nothing hides the box.
    check(town, "procNode", "disc", "/points.nodebox/disc.procNode");
    check(town, "procNode", "arc", "/fx/lines.nodebox/arc.procNode");
    // Within a package its own family is meant.
    let tile = "/one.package/roofs.nodebox/tile.procNode";
    check("/one.package/package.yaml", "procNode", "roofs.tile", tile);
    check("/one.package/package.yaml", "procNode", "tile", tile);
}

#[test]
fn a_family_of_two_packages_is_an_error_that_names_both_and_what_a_package_holds_stays_its_own() {
    let assets = assets();
    let town = path("/zero/source/town.procGraph/init.luau");
    let ask = |name: &str| assets.resolve(&Query::new(name).from(&town));
    assert!(matches!(
        ask("roofs.tile"),
        Err(Error::Ambiguous { candidates, .. }) if candidates.len() == 2
    ));
    // A package does not broadcast: neither the short name of what it holds, nor that of what its boxes hold.
    for name in ["own", "brick", "walls.stone", "walls.", ".walls"] {
        assert!(matches!(ask(name), Err(Error::NoAsset { .. })), "{name}");
    }
}
