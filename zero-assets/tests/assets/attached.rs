//! Behaviours that are attached, replaced and detached while the world runs.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::{Behavior, HookContext, HookResult, Workspace};

use crate::diary::{Diary, open, source, taken};

const NOTE: &[(&str, &str)] = &[("/a.note/note.txt", "x")];

fn update(world: &mut Workspace, secs: u64) {
    world.update(Duration::from_secs(secs));
}

fn edit(world: &Workspace) {
    world.vfs().write(&source("/a.note/extra.txt"), b"more").unwrap();
}

#[test]
fn the_last_that_is_attached_to_a_type_is_called_however_the_type_is_written() {
    for (one, other) in [("poem", "kit.poem"), ("kit.poem", "poem")] {
        let mut world = open(&[
            ("/kit/poem.assetType/type.yaml", "primary: poem.txt\n"),
            ("/kit/poem.assetType/README.md", "x"),
            ("/a.poem/poem.txt", "x"),
        ]);
        let ((first, of_first), (last, of_last)) = (Diary::shared(), Diary::shared());
        world.attach(one, first);
        update(&mut world, 1);
        assert_eq!(taken(&of_first), ["register a"]);
        world.attach(other, last);
        world.vfs().write(&source("/a.poem/poem.txt"), b"more").unwrap();
        update(&mut world, 2);
        assert_eq!(taken(&of_first), [] as [&str; 0], "{one} then {other}");
        assert_eq!(taken(&of_last), ["edited poem.txt of a"], "{one} then {other}");
        // Whichever name it is taken off by, there is one.
        assert!(world.detach(one).is_some() && world.detach(other).is_none());
    }
}

#[test]
fn what_waits_is_called_of_the_behaviour_that_takes_the_place() {
    let mut world = open(NOTE);
    let ((first, of_first), (last, of_last)) = (Diary::shared(), Diary::shared());
    let waits = first.waits.clone();
    world.attach("note", first);
    update(&mut world, 1);
    *waits.lock().unwrap() = 100;
    edit(&world);
    update(&mut world, 2);
    assert_eq!(taken(&of_first), ["register a", "wait extra.txt"]);
    world.attach("note", last);
    update(&mut world, 3);
    assert_eq!(taken(&of_first), [] as [&str; 0]);
    assert_eq!(taken(&of_last), ["edited extra.txt of a"]);
}

#[test]
fn a_detached_behaviour_is_called_no_more() {
    let mut world = open(NOTE);
    let (diary, entries) = Diary::shared();
    let waits = diary.waits.clone();
    world.attach("note", diary.clone());
    update(&mut world, 1);
    *waits.lock().unwrap() = 100;
    edit(&world);
    update(&mut world, 2);
    assert_eq!(taken(&entries), ["register a", "wait extra.txt"]);
    assert!(world.detach("note").is_some());
    let update = world.update(Duration::from_secs(3));
    assert_eq!((update.hooks_done, update.hooks_waiting), (0, 0));
    world.vfs().remove_tree(&source("/a.note")).unwrap();
    world.update(Duration::from_secs(4));
    assert_eq!(taken(&entries), [] as [&str; 0]);
}

#[test]
fn what_is_attached_after_a_detached_one_registers_what_is_there() {
    let mut world = open(NOTE);
    let (diary, entries) = Diary::shared();
    for round in 0..3 {
        world.attach("note", diary.clone());
        update(&mut world, 1 + round);
        assert_eq!(taken(&entries), ["register a"], "round {round}");
        world.detach("note");
    }
}

/// A behaviour with no rules.
struct Silent(Diary);

impl Behavior for Silent {
    fn on_register(&self, asset: &HookContext<'_>) -> HookResult<()> {
        self.0.on_register(asset)
    }
}

#[test]
fn a_built_in_types_own_rules_come_back_and_a_hosts_behaviour_of_it_registers() {
    for written in ["module", "@builtin::module"] {
        let mut world = open(&[
            ("/m.module/init.luau", "local M = {}\n"),
            ("/m.module/README.md", "# m\n\nA module.\n"),
        ]);
        let codes = |world: &Workspace| -> Vec<String> {
            let told = world.validate(&source("/m.module")).unwrap();
            told.iter().map(|told| told.code.to_string()).collect()
        };
        update(&mut world, 1);
        assert!(
            codes(&world).iter().any(|code| code == "module.no_return"),
            "{:?}",
            codes(&world)
        );
        let diary = Diary::default();
        let entries = diary.entries.clone();
        world.attach(written, Arc::new(Silent(diary)));
        update(&mut world, 2);
        assert_eq!(taken(&entries), ["register m"], "{written}");
        assert!(!codes(&world).iter().any(|code| code == "module.no_return"));
        assert!(world.detach("module").is_some());
        assert!(codes(&world).iter().any(|code| code == "module.no_return"), "{written}");
    }
}

#[test]
fn two_names_that_come_to_mean_one_type_are_told() {
    let mut world = open(&[]);
    world.attach("poem", Diary::shared().0);
    world.attach("kit.poem", Diary::shared().0);
    update(&mut world, 1);
    let twice = |world: &Workspace| {
        world
            .diagnostics()
            .iter()
            .filter(|told| told.code == "behavior.twice")
            .count()
    };
    assert_eq!(twice(&world), 0);
    world
        .vfs()
        .write(&source("/kit/poem.assetType/type.yaml"), b"primary: a.txt\n")
        .unwrap();
    update(&mut world, 2);
    assert_eq!(twice(&world), 1);
    world.detach("kit.poem");
    assert_eq!(twice(&world), 0);
}
