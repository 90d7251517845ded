//! Programs that install into one world, each with a view of its own.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use zero_assets::{Create, InstallOptions, Package, Workspace, builtin};
use zero_vfs::{MemorySource, Mount, Source, Vfs};

use crate::faulty::Faulty;
use crate::path;

fn open(source: impl Source + 'static) -> Workspace {
    let mut vfs = Vfs::new();
    vfs.mount(builtin().unwrap()).unwrap();
    vfs.mount(Mount::new(path("/zero/source"), source)).unwrap();
    Workspace::open(Arc::new(vfs)).unwrap()
}

/// A package of this name with nothing in it.
fn packed(name: &str) -> Package {
    let mut world = open(MemorySource::new("workshop"));
    let package = world.create(&Create::new("package", name)).unwrap();
    world.pack(&package.path).unwrap()
}

fn installed(world: &Workspace) -> Vec<String> {
    world
        .installed()
        .unwrap()
        .into_iter()
        .map(|package| package.name)
        .collect()
}

/// What one program installed while another was stopped in an installation stays written down when that one goes on.
#[test]
fn an_installation_that_goes_on_leaves_the_others_record() {
    let (source, faults) = Faulty::new(&[]);
    let source = Arc::new(source);
    let (mut one, mut other) = (open(source.clone()), open(source.clone()));
    // It is stopped where it would write down that it is done.
    let is_stopped = AtomicBool::new(false);
    faults.set(move |_, at| {
        let stops = at.as_str() == "/.packages" || is_stopped.load(Ordering::Relaxed);
        is_stopped.store(stops, Ordering::Relaxed);
        stops.then_some(ErrorKind::PermissionDenied)
    });
    one.install(&packed("doors"), &InstallOptions::default()).unwrap_err();
    faults.none();
    assert_eq!(installed(&other), [] as [&str; 0]);
    other.install(&packed("walls"), &InstallOptions::default()).unwrap();
    assert_eq!(installed(&other), ["walls"]);
    let third = open(source);
    assert_eq!(installed(&third), ["doors", "walls"]);
    assert!(third.assets().find("doors").is_ok() && third.assets().find("walls").is_ok());
}
