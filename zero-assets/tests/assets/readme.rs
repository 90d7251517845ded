//! The declarations that the README shows are read as they stand there.

use zero_assets::types::{Indexing, Inspector};
use zero_assets::{AssetType, Diagnostic};

use crate::path;

/// The YAML blocks of the README, each with the file that its first line names.
fn blocks() -> Vec<(String, String)> {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```yaml\n# ").skip(1);
    let read = blocks.map(|block| {
        let text = block.split("```").next().unwrap();
        let (file, text) = text.split_once('\n').unwrap();
        (file.to_owned(), text.to_owned())
    });
    read.collect()
}

fn plain(told: &[Diagnostic]) -> Vec<String> {
    told.iter().map(ToString::to_string).collect()
}

#[test]
fn the_types_and_interfaces_of_the_readme_stand_up() {
    let blocks = blocks();
    let files: Vec<&str> = blocks.iter().map(|(file, _)| file.as_str()).collect();
    assert_eq!(files, ["quest.assetType/type.yaml", "quest.assetType/inspector.yaml"]);

    let (kind, told) = AssetType::parse(&path("/quest.assetType"), blocks[0].1.as_bytes()).unwrap();
    assert_eq!(plain(&told), [] as [&str; 0]);
    let kind = kind.unwrap();
    assert!(kind.settings.is_some() && kind.preview.is_some() && kind.describe.is_some());
    let Some(Indexing::Recipe(recipe)) = kind.indexing else {
        unreachable!("it is searched")
    };
    assert_eq!(
        (recipe.data.len(), recipe.content.len(), recipe.facets.keys.len()),
        (2, 1, 3)
    );
    let names = &kind.references;
    assert_eq!(
        (
            names.keys.len(),
            names.args.len(),
            names.fields.len(),
            names.calls.len()
        ),
        (2, 1, 1, 1)
    );

    let (inspector, told) = Inspector::parse(&path("/inspector.yaml"), blocks[1].1.as_bytes());
    assert_eq!(plain(&told), [] as [&str; 0]);
    assert_eq!(inspector.unwrap().sections.len(), 8);
}
