//! The interface that people use an asset by, and what is reported of a type and of code.

use std::sync::Arc;

use zero_assets::types::{Section, SectionKind, Title};
use zero_assets::{Behavior, Error, Value, Workspace, serde_json};

use crate::diary::{open, source};

const KIND: &str = "primary: a.txt\ninspector: { type: inspector.yaml, instance: own.yaml }\n";
const OF_TYPE: &str = "version: 1
sections:
  - { id: notes, title: Notes, kind: text, file: a.txt }
  - { id: more, title: { i18n: kit.more }, kind: detail }
replace:
  contents: { title: Parts, kind: files, matches: ['*.txt'] }
order: [notes, contents]
";

fn shelf(own: Option<&str>) -> Workspace {
    let mut files = vec![
        ("/shelf.assetType/type.yaml", KIND),
        ("/shelf.assetType/inspector.yaml", OF_TYPE),
        ("/one.shelf/a.txt", "x"),
    ];
    files.extend(own.map(|own| ("/one.shelf/own.yaml", own)));
    open(&files)
}

fn ids(sections: &[Section]) -> Vec<&str> {
    sections.iter().map(|section| section.id.as_str()).collect()
}

#[test]
fn an_interface_is_laid_over_what_every_asset_has_and_the_assets_own_over_that() {
    let one = source("/one.shelf");
    let (sections, told) = shelf(None).inspector(&one).unwrap();
    assert_eq!(
        (ids(&sections), told),
        (vec!["notes", "contents", "references", "problems", "more"], vec![])
    );
    assert_eq!(sections[1].title, Title::Text("Parts".to_owned()));
    assert_eq!(
        sections[1].kind,
        SectionKind::Files {
            matches: vec!["*.txt".to_owned()]
        }
    );
    assert_eq!(sections[4].title, Title::Catalog("kit.more".to_owned()));

    let own = "sections:\n  - { id: mine, title: Mine, kind: preview }\n  - { id: more, title: Less, kind: settings }\n\
               replace:\n  problems: { title: Faults, kind: problems }\norder: [mine, problems, notes]\n";
    let (sections, told) = shelf(Some(own)).inspector(&one).unwrap();
    assert_eq!(
        (ids(&sections), told),
        (
            vec!["mine", "problems", "notes", "contents", "references", "more"],
            vec![]
        )
    );
    assert_eq!(sections[1].title, Title::Text("Faults".to_owned()));
    assert_eq!(
        sections[5].kind,
        SectionKind::Settings,
        "a section of the same name is that one, said anew"
    );

    // One that does not stand up is told, and takes nothing away.
    let (sections, told) = shelf(Some("sections: [{ id: mine, kind: preview }]\n"))
        .inspector(&one)
        .unwrap();
    assert_eq!(ids(&sections), ["notes", "contents", "references", "problems", "more"]);
    let told: Vec<_> = told.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["/zero/source/one.shelf/own.yaml:1:12: error[assetType.inspector_invalid]: it has no `title` or `label`"]
    );
    assert!(matches!(
        shelf(None).inspector(&source("/none.shelf")),
        Err(Error::NoAsset { .. })
    ));
}

#[test]
fn an_interface_is_read_up_to_its_limit() {
    let file = |bytes: usize| {
        let text = "sections: [{ id: mine, title: Mine, kind: preview }]\n#".to_owned();
        text.clone() + &"x".repeat(bytes - text.len())
    };
    let one = source("/one.shelf");
    let (sections, told) = shelf(Some(&file(1 << 20))).inspector(&one).unwrap();
    assert!(ids(&sections).contains(&"mine") && told.is_empty(), "{told:?}");
    let (sections, told) = shelf(Some(&file((1 << 20) + 1))).inspector(&one).unwrap();
    assert!(!ids(&sections).contains(&"mine"));
    assert_eq!(
        (told[0].code.as_ref(), &told[0].path),
        ("assetType.inspector_invalid", &source("/one.shelf/own.yaml"))
    );
}

#[test]
fn a_type_is_reported_with_what_it_declares() {
    struct Silent;
    impl Behavior for Silent {}
    let own = "primary: [a.txt, b.txt]\nsuffix: .dl\nis_container: true\ninspector: { type: i.yaml }\n\
               settings: { values: v.yaml, schema: { instance: own.yaml } }\n";
    let mut world = open(&[
        ("/a.note/note.txt", "x"),
        ("/b.note/note.txt", "x"),
        ("/dial.assetType/type.yaml", own),
        (
            "/lost.assetType/type.yaml",
            "primary: a\nsettings: { values: v, schema: { type: schema.yaml } }\n",
        ),
    ]);
    world.attach("dial", Arc::new(Silent));
    let reported = |name: &str| -> Value {
        let record = world.inspect(&source(name)).unwrap();
        record.detail.unwrap_or_default()["type"].clone()
    };
    assert_eq!(
        reported("/note.assetType"),
        serde_json::json!({
            "behavior": false,
            "container": false,
            "inspector": null,
            "instances": 2,
            "primary": ["note.txt"],
            "settings": {
                "declared_in": "type.yaml",
                "of_each_asset": false,
                "schema": {
                    "color": { "default": "red", "type": "word", "words": ["red", "blue"] },
                    "size": { "default": 10, "max": 100, "min": 1, "type": "integer" },
                    "title": { "max_bytes": 8, "type": "text" },
                    "twice": { "default": 20, "type": "integer" },
                },
                "values": "settings.yaml",
            },
            "suffix": ".note",
        })
    );
    assert_eq!(
        reported("/dial.assetType"),
        serde_json::json!({
            "behavior": true,
            "container": true,
            "inspector": { "instance": null, "type": "i.yaml" },
            "instances": 0,
            "primary": ["a.txt", "b.txt"],
            "settings": { "declared_in": "own.yaml", "of_each_asset": true, "schema": null, "values": "v.yaml" },
            "suffix": ".dl",
        })
    );
    assert_eq!(reported("/crate.assetType")["settings"], Value::Null);
    // The schema of a type whose file is not there is the record's warning.
    let lost = world.inspect(&source("/lost.assetType")).unwrap();
    assert!(lost.warning.unwrap().contains("schema.yaml"));

    let schema = world.type_schema(&source("/note.assetType")).unwrap().unwrap();
    assert_eq!(schema.fields["size"].default, 10);
    assert_eq!(world.type_schema(&source("/dial.assetType")).unwrap(), None);
    assert_eq!(world.type_schema(&source("/crate.assetType")).unwrap(), None);
    assert!(matches!(
        world.type_schema(&source("/a.note")),
        Err(Error::NoType { .. })
    ));
    let (sections, _) = world.inspector(&source("/note.assetType")).unwrap();
    let schema = sections.iter().find(|section| section.id == "schema").unwrap();
    assert_eq!(schema.kind, SectionKind::Schema);
}

#[test]
fn code_is_reported_with_its_contracts() {
    let tool = "local M = {}\n--!desc Spawns one.\n--!arg kind Its shape.\n--!arg opts Where it goes.\n--!return What came.\n\
                --!example \"cube\"\n--!example \"cube\", { count = 4 }\n\
                typed function M.spawn(kind: (\"cube\" | \"plane\"), opts: Opts?): { Entity }\n  return {}\nend\nreturn M\n";
    let module = "local M = {}\nM.limit = 3\nfunction M.add(a: number, b: number): number return a + b end\nreturn M\n";
    let world = open(&[
        ("/kit.toolbox/README.md", "x"),
        ("/kit.toolbox/spawn.tool/init.luau", tool),
        ("/add.module/init.luau", module),
    ]);
    let detail = |path: &str| world.inspect(&source(path)).unwrap().detail.unwrap();
    assert_eq!(
        detail("/kit.toolbox/spawn.tool")["functions"],
        serde_json::json!([{
            "arguments": [
                { "description": "Its shape.", "name": "kind", "type": "(\"cube\" | \"plane\")" },
                { "description": "Where it goes.", "name": "opts", "type": "Opts?" },
            ],
            "description": "Spawns one.",
            "examples": ["\"cube\"", "\"cube\", { count = 4 }"],
            "line": 8,
            "name": "M.spawn",
            "returns": { "description": "What came.", "type": "{ Entity }" },
            "signature": "M.spawn(kind: (\"cube\" | \"plane\"), opts: Opts?): { Entity }",
            "typed": true,
        }])
    );
    assert_eq!(
        detail("/add.module")["exports"],
        serde_json::json!([
            { "kind": "function", "name": "add", "signature": "add(a: number, b: number): number" },
            { "kind": "value", "name": "limit", "signature": null },
        ])
    );
}

#[test]
fn a_type_has_the_sections_that_it_declares_for_its_own_page() {
    let of_type = "sections:
  - { id: notes, title: Notes, kind: text, file: a.txt }
  - { id: kit, title: Kit, kind: text, file: README.md, page: type }
  - { id: both, title: Both, kind: preview, page: both }
order: [kit, notes, schema]
";
    let world = open(&[
        ("/shelf.assetType/type.yaml", KIND),
        ("/shelf.assetType/README.md", "x"),
        ("/shelf.assetType/inspector.yaml", of_type),
        ("/one.shelf/a.txt", "x"),
    ]);
    let (sections, told) = world.inspector(&source("/shelf.assetType")).unwrap();
    assert_eq!(told, []);
    let all = ids(&sections);
    assert_eq!(all[..2], ["kit", "schema"], "{all:?}");
    assert!(all.contains(&"declared") && all.contains(&"both") && !all.contains(&"notes"));
    let (sections, _) = world.inspector(&source("/one.shelf")).unwrap();
    assert_eq!(ids(&sections), ["notes", "contents", "references", "problems", "both"]);
    // `schema` is on the page of every type.
    let told = world.validate(&source("/shelf.assetType")).unwrap();
    assert!(told.iter().all(|told| !told.code.starts_with("inspector")), "{told:?}");
}

#[test]
fn an_id_that_no_section_has_is_told_with_its_place() {
    let world = open(&[
        ("/shelf.assetType/type.yaml", KIND),
        ("/shelf.assetType/README.md", "x"),
        (
            "/shelf.assetType/inspector.yaml",
            "replace:\n  content: { title: Parts, kind: files }\norder: [problem, contents]\n",
        ),
        ("/one.shelf/a.txt", "x"),
        ("/one.shelf/own.yaml", "order: [nothing]\n"),
        ("/two.shelf/a.txt", "x"),
        ("/two.shelf/own.yaml", "order: 3\nsections: [{}]\n"),
    ]);
    let told = |at: &str, code: &str| -> Vec<String> {
        let told = world.validate(&source(at)).unwrap();
        let told = told.iter().filter(|told| told.code.contains(code));
        told.map(|told| told.to_string().replace("/zero/source", "")).collect()
    };
    assert_eq!(
        told("/shelf.assetType", "unknown_section"),
        [
            "/shelf.assetType/inspector.yaml:2:3: warning[inspector.unknown_section]: there is no section `content`; \
             did you mean `contents`?",
            "/shelf.assetType/inspector.yaml:3:9: warning[inspector.unknown_section]: there is no section `problem`; \
             did you mean `problems`?",
        ]
    );
    let (_, of_one) = world.inspector(&source("/one.shelf")).unwrap();
    assert!(
        of_one.iter().any(|told| told.path == source("/one.shelf/own.yaml")),
        "{of_one:?}"
    );
    assert!(
        !told("/two.shelf", "inspector_invalid").is_empty(),
        "an asset's own is read too"
    );
}

#[test]
fn a_type_whose_assets_bring_their_own_interfaces_has_one() {
    let world = open(&[
        (
            "/shelf.assetType/type.yaml",
            "primary: a.txt\ninspector: { instance: own.yaml }\n",
        ),
        ("/shelf.assetType/README.md", "x"),
    ]);
    let told = world.validate(&source("/shelf.assetType")).unwrap();
    assert!(
        told.iter().all(|told| told.code != "assetType.inspector_required"),
        "{told:?}"
    );
}

#[test]
fn a_type_of_which_a_part_is_broken_is_reported_with_the_rest() {
    let world = open(&[
        (
            "/shelf.assetType/type.yaml",
            "primary: a.txt\nsettings: { values: v.yaml, schema: { type: schema.yaml } }\n",
        ),
        ("/shelf.assetType/README.md", "# shelf\n\nHolds things.\n"),
        ("/shelf.assetType/about.yaml", "intent: [\n"),
        ("/shelf.assetType/schema.yaml", "size: { type: nothing }\n"),
    ]);
    let record = world.inspect(&source("/shelf.assetType")).unwrap();
    let detail = record.detail.unwrap();
    assert_eq!(detail["readme"], "# shelf\n\nHolds things.\n");
    assert_eq!(detail["type"]["settings"]["values"], "v.yaml");
    let warning = record.warning.unwrap();
    assert!(warning.contains("about.yaml"), "{warning}");
    assert!(world.type_guide("shelf").unwrap().contains("Holds things."));
}

#[test]
fn a_component_is_reported_with_its_fields_and_events() {
    let text = "public = {\n  --!desc How fast it turns.\n  speed = Field.number(3.5, Sync),\n  map = Field.assetRef('inputMap', \
                \"@builtin::maps.default\"),\n}\nevents = {\n  --!desc It hit something.\n  hit = Event({ by = 'Entity' }, NoSync),\n}\n\
                function update(seconds: number) end\n";
    let world = open(&[("/spin.component/init.luau", text)]);
    let detail = world.inspect(&source("/spin.component")).unwrap().detail.unwrap();
    assert_eq!(
        detail["fields"],
        serde_json::json!([
            { "category": null, "default": "3.5", "description": "How fast it turns.", "kind": "number", "name": "speed", "sync": "Sync" },
            {
                "category": "'inputMap'", "default": "\"@builtin::maps.default\"", "description": null, "kind": "assetRef",
                "name": "map", "sync": null,
            },
        ])
    );
    assert_eq!(
        detail["events"],
        serde_json::json!([{ "description": "It hit something.", "name": "hit", "payload": "{ by = 'Entity' }", "sync": "NoSync" }])
    );
    assert_eq!(detail["functions"][0]["name"], "update");
}
