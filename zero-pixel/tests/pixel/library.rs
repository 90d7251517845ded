//! Templates in memory and on disk.

use crate::ops::palette;
use std::fs;
use std::path::Path;
use zero_pixel::{Canvas, FolderStore, Library, MemoryStore, Metadata, Template, TemplateStore};

fn canvas(entry: u8) -> Canvas {
    Canvas::from_pixels(2, 1, palette(), &[0, entry]).unwrap()
}

fn metadata() -> Metadata {
    Metadata::new("A fire.", ["fire", "light"])
}

/// What holds for every store.
fn a_library<S: TemplateStore>(store: S) {
    let mut library = Library::new(store);
    assert_eq!(library.list().unwrap(), [""; 0]);
    library.save("fire", &canvas(1), metadata()).unwrap();
    library.save("Anvil", &canvas(2), Metadata::default()).unwrap();
    assert_eq!(library.list().unwrap(), ["Anvil", "fire"]);

    let mut instance = library.instantiate("fire").unwrap();
    assert_eq!(instance, canvas(1));
    instance.fill(4).unwrap();
    assert_eq!(library.instantiate("fire").unwrap(), canvas(1), "no live link");

    let message = |result: zero_pixel::Result<()>| result.unwrap_err().to_string();
    assert_eq!(
        message(library.save("fire", &canvas(3), metadata())),
        "a template called \"fire\" exists already"
    );
    assert_eq!(
        message(library.save("FIRE", &canvas(3), metadata())),
        "a template called \"FIRE\" exists already (\"fire\" differs by case alone)"
    );
    assert_eq!(library.instantiate("fire").unwrap(), canvas(1));

    library.replace("fire", &canvas(3)).unwrap();
    assert_eq!(library.instantiate("fire").unwrap(), canvas(3));
    assert_eq!(
        library.load("fire").unwrap().metadata(),
        &metadata(),
        "replacing keeps the metadata"
    );

    let unknown = "no template is called \"ice\"; there are \"Anvil\", \"fire\"";
    assert_eq!(message(library.replace("ice", &canvas(3))), unknown);
    assert_eq!(message(library.delete("ice")), unknown);
    assert_eq!(library.load("ice").unwrap_err().to_string(), unknown);
    assert!(message(library.save("../out", &canvas(3), metadata())).contains("cannot name a template: it has '.'"));

    library.delete("fire").unwrap();
    assert_eq!(library.list().unwrap(), ["Anvil"]);
    assert!(library.load("fire").is_err());
    library.save("fire", &canvas(5), metadata()).unwrap();
    assert_eq!(library.instantiate("fire").unwrap(), canvas(5));
}

#[test]
fn in_memory() {
    a_library(MemoryStore::default());
}

#[test]
fn on_disk() {
    let root = tempfile::tempdir().unwrap();
    a_library(FolderStore::open(root.path()).unwrap());
    let mut left: Vec<String> = names(root.path());
    left.sort();
    assert_eq!(
        left,
        ["Anvil.pixelTemplate", "fire.pixelTemplate"],
        "no temporary is left"
    );
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

#[test]
fn the_folder_holds_the_payload_and_the_metadata_and_keeps_what_an_agent_wrote() {
    let root = tempfile::tempdir().unwrap();
    let mut library = Library::new(FolderStore::open(root.path()).unwrap());
    library.save("fire", &canvas(1), metadata()).unwrap();
    let folder = root.path().join("fire.pixelTemplate");
    let mut files = names(&folder);
    files.sort();
    assert_eq!(files, [".metadata", "template.pixbin"]);
    assert_eq!(fs::read(folder.join("template.pixbin")).unwrap(), canvas(1).to_pixbin());
    assert_eq!(
        fs::read_to_string(folder.join(".metadata")).unwrap(),
        "{\n  \"description\": \"A fire.\",\n  \"tags\": [\n    \"fire\",\n    \"light\"\n  ]\n}\n"
    );

    let written = "{\"tags\": [\"warm\"], \"tier\": \"core\", \"by\": {\"hand\": 1}}";
    fs::write(folder.join(".metadata"), written).unwrap();
    fs::write(folder.join("preview.png"), "a picture").unwrap();
    library.replace("fire", &canvas(2)).unwrap();
    let kept = library.load("fire").unwrap();
    assert_eq!(kept.sheet(), &canvas(2));
    assert_eq!(kept.metadata().tags, ["warm"]);
    assert_eq!(kept.metadata().fields["tier"], "core");
    assert_eq!(kept.metadata().fields["by"]["hand"], 1);
    assert_eq!(fs::read_to_string(folder.join(".metadata")).unwrap(), written);
    assert_eq!(fs::read(folder.join("preview.png")).unwrap(), b"a picture");
}

#[test]
fn metadata_that_would_not_read_back_is_not_written() {
    let mut library = Library::new(MemoryStore::default());
    for field in ["description", "tags"] {
        let mut metadata = metadata();
        metadata.fields.insert(field.to_owned(), "twice".into());
        let error = library.save("fire", &canvas(1), metadata).unwrap_err().to_string();
        let expected =
            format!(".metadata: `{field}` is among `Metadata::fields`; it has a place of its own, `Metadata::{field}`");
        assert_eq!(error, expected);
        assert!(library.list().unwrap().is_empty());
    }
    let mut metadata = metadata();
    metadata.fields.insert("tier".to_owned(), "core".into());
    library.save("fire", &canvas(1), metadata.clone()).unwrap();
    assert_eq!(library.load("fire").unwrap().metadata(), &metadata);
}

#[test]
fn a_folder_that_lacks_a_file_or_holds_a_wrong_one_is_refused_by_its_name() {
    let root = tempfile::tempdir().unwrap();
    let mut library = Library::new(FolderStore::open(root.path()).unwrap());
    library.save("fire", &canvas(1), metadata()).unwrap();
    let folder = root.path().join("fire.pixelTemplate");
    fs::write(folder.join(".metadata"), "{\"tags\": 3}").unwrap();
    let error = library.load("fire").unwrap_err().to_string();
    assert!(
        error.starts_with(".metadata: invalid type: integer `3`, expected a sequence"),
        "{error}"
    );
    fs::remove_file(folder.join(".metadata")).unwrap();
    let error = library.load("fire").unwrap_err().to_string();
    assert!(error.starts_with(".metadata: this file is missing"), "{error}");
    fs::write(folder.join(".metadata"), "{}").unwrap();
    assert!(library.load("fire").is_ok());
    fs::remove_file(folder.join("template.pixbin")).unwrap();
    assert_eq!(
        library.load("fire").unwrap_err().to_string(),
        "template.pixbin: this file is missing: the template has no saved sheet; `Library::replace` saves one"
    );
    assert_eq!(library.list().unwrap(), ["fire"]);
    library.replace("fire", &canvas(2)).unwrap();
    assert_eq!(library.instantiate("fire").unwrap(), canvas(2));
    // What is no template is left alone, as is a file beside them.
    fs::create_dir(folder.join("more")).unwrap();
    fs::write(folder.join("more/notes.txt"), "text").unwrap();
    assert!(library.replace("fire", &canvas(3)).is_err());
    let files = Template::new(&canvas(3), metadata()).to_files().unwrap();
    let mut store = FolderStore::open(root.path()).unwrap();
    let error = store.write("fire", &files).unwrap_err().to_string();
    assert!(
        error.ends_with("what stands there is no pixel template: in it, more is no file"),
        "{error}"
    );
    assert_eq!(fs::read_to_string(folder.join("more/notes.txt")).unwrap(), "text");
    fs::write(root.path().join("notes.pixelTemplate"), "text").unwrap();
    assert!(store.write("notes", &files).is_err());
    assert_eq!(library.list().unwrap(), ["fire"]);
    assert!(FolderStore::open(root.path().join("nowhere")).is_err());
    assert!(FolderStore::open(folder.join(".metadata")).is_err());
}

#[test]
fn a_write_that_fails_midway_leaves_the_old_template_whole() {
    let root = tempfile::tempdir().unwrap();
    let mut store = FolderStore::open(root.path()).unwrap();
    let files = Template::new(&canvas(1), metadata()).to_files().unwrap();
    store.write("fire", &files).unwrap();
    // A name that no file can have fails after other files of the new template were written.
    let mut broken = Template::new(&canvas(2), metadata()).to_files().unwrap();
    broken.insert("zz/none/there".to_owned(), Vec::new());
    assert!(store.write("fire", &broken).is_err());
    assert_eq!(store.read("fire").unwrap().unwrap(), files);
    assert!(store.write("ice", &broken).is_err());
    assert_eq!(store.read("ice").unwrap(), None);
    assert_eq!(names(root.path()), ["fire.pixelTemplate"], "nothing is left beside");
}
