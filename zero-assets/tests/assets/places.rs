//! Where what is wrong is told: the file, its line and its column.

use zero_assets::Assets;

use crate::diary::{open, source};
use crate::world;

#[test]
fn what_is_broken_in_the_settings_is_told_of_the_file_that_is() {
    let kind = "primary: a.txt\nsettings: { values: v.yaml, schema: { instance: own.yaml } }\n";
    let check = |own: Option<&str>, values: &str, expected: &str| {
        let mut files = vec![
            ("/dial.assetType/type.yaml", kind),
            ("/one.dial/a.txt", ""),
            ("/one.dial/v.yaml", values),
        ];
        files.extend(own.map(|own| ("/one.dial/own.yaml", own)));
        let told = open(&files).validate(&source("/one.dial")).unwrap();
        let told: Vec<_> = told.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with(&format!("/zero/source/one.dial/{expected}")),
            "{told:?}"
        );
    };
    let knob = Some("knob: { type: bool }\n");
    check(knob, "a: 1\nb: [\n", "v.yaml:2:4: error[settings.broken]: ");
    check(
        knob,
        "knob: true\nversion: 9\n",
        "v.yaml: error[settings.broken]: it is of version 9; this program reads versions up to 1",
    );
    check(
        knob,
        "knob: 1\n",
        "v.yaml:1:7: error[settings.value]: `knob` does not fit",
    );
    check(Some("knob: [\n"), "", "own.yaml:1:7: error[settings.schema]: ");
    check(
        None,
        "",
        "own.yaml: error[settings.broken]: `/zero/source/one.dial/own.yaml` is not there",
    );
}

#[test]
fn what_is_wrong_with_json_is_told_with_its_line_and_column() {
    let kind = "primary: a.json\nfiles:\n  required:\n    - path: a.json\n      kind: file\n      content:\n        \
                - { check: json_field, key: size.width, type: integer, accept: [1, 2] }\n        \
                - { check: json_field, key: name, non_empty: true, message: Name it. }\n\
                aliases_from: [{ file: a.json, key: also }]\n\
                contract_ref: { field: base, category: sheet }\n";
    let check = |content: &str, expected: &[&str]| {
        let vfs = world(&[("/sheet.assetType/type.yaml", kind), ("/one.sheet/a.json", content)]);
        let assets = Assets::load(&vfs).unwrap();
        let told = assets.check(&vfs, assets.find("one").unwrap()).unwrap();
        let told: Vec<_> = told.iter().map(ToString::to_string).collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|told| format!("/zero/source/one.sheet/a.json{told}"))
            .collect();
        assert_eq!(told, expected, "{content}");
    };
    check("{\"size\": {\"width\": 1}, \"name\": \"x\", \"also\": [\"two\"]}", &[]);
    check(
        "{\n\t\"size\": {\n\t\t\"width\": 3\n\t},\n\t\"name\": \"\",\n\t\"also\": [1]\n}",
        &[
            ": warning[asset.alias]: `also` holds names, and something else is here",
            ":3:12: error[asset.content]: `size.width` is one of 1, 2, and 3 is here",
            ":5:10: error[asset.content]: Name it; `name` is empty",
        ],
    );
    check(
        "{\"size\": {\"width\": \"wide\"}, \"name\": 1, \"base\": \"none\"}",
        &[
            ":1:20: error[asset.content]: `size.width` is a whole number, and a text is here",
            ":1:48: error[reference.unresolved]: no asset answers to `none`; did you mean `one`?",
        ],
    );
    check(
        "{}",
        &[
            ": error[asset.content]: Name it; the key `name` is missing",
            ": error[asset.content]: the key `size.width` is missing",
        ],
    );
    check(
        "{\n\"size\" 3}",
        &[
            ":2:8: error[asset.alias]: this is no JSON: expected `:`",
            ":2:8: error[asset.content]: Name it; this is no JSON: expected `:`",
            ":2:8: error[asset.content]: this is no JSON: expected `:`",
            ":2:8: error[asset.contract]: this is no JSON: expected `:`",
        ],
    );
}
