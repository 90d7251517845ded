//! What a project of one's own writes around a graph, as the README shows it.

use crate::graphs::forest;

// program: begin
use zero_procgen::compute::{CpuOptions, Device, Exec};
use zero_procgen::export::Glb;
use zero_procgen::{Clock, Play, Present, Store, StoreOptions, inputs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = Store::new(&Device::cpu(CpuOptions::default()), StoreOptions::default());
    let mut play = Play::new(&store, &forest()?, inputs! { tree_height: 4.0 })?;
    if let Present::Whole(frame) = play.present(Clock::default(), &Exec::default())? {
        let (land, trees) = (
            frame.geometry("land")?.download()?,
            frame.geometry("trees")?.download()?,
        );
        let file = std::env::temp_dir().join("forest.glb");
        std::fs::write(&file, Glb::new().add("land", &land)?.add("trees", &trees)?.to_bytes()?)?;
        println!("{}", file.display());
    }
    Ok(())
}
// program: end

#[test]
fn the_program_of_the_readme_writes_its_file() {
    // The file is the person's own where they have run the program, so a run of it is not undone here.
    let file = std::env::temp_dir().join("forest.glb");
    main().unwrap();
    let bytes = std::fs::read(&file).unwrap();
    assert!(
        bytes.starts_with(b"glTF") && bytes.len() > 100_000,
        "{} bytes",
        bytes.len()
    );
}
