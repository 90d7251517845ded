//! How assets are pictured: what each recipe comes to, what it needs, and whether the picture that is kept is of today.

use std::sync::Arc;
use std::time::Duration;

use zero_assets::{
    Behavior, EntityId, Error, HookContext, HookResult, Instance, Instantiable, InstantiateOptions, Kept, Picture,
    SceneHost, Shown, Value, Workspace,
};

use crate::diary::source;
use crate::world;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nand so on";

const FILES: &[(&str, &str)] = &[
    (
        "/stood.assetType/type.yaml",
        "primary: a.yaml\npreview: { kind: instantiate, angle: [30, -10] }\n",
    ),
    (
        "/drawn.assetType/type.yaml",
        "primary: a.yaml\npreview: { kind: image, source: { files: [preview.png, '*.jpg'] } }\n",
    ),
    (
        "/painted.assetType/type.yaml",
        "primary: a.yaml\npreview: { kind: surface, mesh: sphere }\n",
    ),
    (
        "/made.assetType/type.yaml",
        "primary: a.yaml\npreview: { kind: custom }\n",
    ),
    ("/plain.assetType/type.yaml", "primary: a.yaml\nis_container: true\n"),
    ("/a.stood/a.yaml", "x: 1\n"),
    ("/a.stood/deep.plain/a.yaml", "x: 1\n"),
    ("/a.drawn/a.yaml", ""),
    ("/a.drawn/one.jpg", ""),
    ("/a.painted/a.yaml", ""),
    ("/a.made/a.yaml", ""),
    ("/a.plain/a.yaml", ""),
];

/// What makes pictures as it is told to.
#[derive(Clone, Copy, Default)]
struct Studio {
    stands: bool,
    paints: bool,
    makes: bool,
}

impl Behavior for Studio {
    fn instantiable(&self) -> Option<&dyn Instantiable> {
        self.stands.then_some(self)
    }

    fn preview(&self, asset: &HookContext<'_>, options: &Value) -> HookResult<Option<Vec<u8>>> {
        Ok(self
            .makes
            .then(|| format!("{} {options}", asset.asset.name).into_bytes()))
    }

    fn preview_material(&self, asset: &HookContext<'_>) -> HookResult<Option<String>> {
        Ok(self.paints.then(|| format!("{}.gold", asset.asset.name)))
    }
}

impl Instantiable for Studio {
    fn instantiate(
        &self,
        _: &HookContext<'_>,
        host: &mut dyn SceneHost,
        target: Option<EntityId>,
        options: &InstantiateOptions,
    ) -> HookResult<Instance> {
        Ok(Instance::new(host.spawn(target, options)?))
    }
}

fn open(studio: Studio) -> Workspace {
    let mut world = Workspace::open(Arc::new(world(FILES))).unwrap();
    for kind in ["stood", "drawn", "painted", "made", "plain"] {
        world.attach(kind, Arc::new(studio));
    }
    world
}

fn shows(world: &Workspace, asset: &str) -> Option<Shown> {
    world.picture(&source(asset)).unwrap().map(|picture| picture.shows)
}

#[test]
fn each_recipe_says_what_a_host_draws() {
    let all = Studio {
        stands: true,
        paints: true,
        makes: true,
    };
    let world = open(all);
    let picture: Picture = world.picture(&source("/a.stood")).unwrap().unwrap();
    assert_eq!(
        (picture.shows, picture.angle_deg, picture.kept),
        (Shown::Instance, Some([30.0, -10.0]), Kept::Missing)
    );
    assert_eq!(shows(&world, "/a.drawn"), Some(Shown::File(source("/a.drawn/one.jpg"))));
    let (mesh, material) = ("sphere".to_owned(), "a.gold".to_owned());
    assert_eq!(shows(&world, "/a.painted"), Some(Shown::Surface { mesh, material }));
    assert_eq!(shows(&world, "/a.made"), Some(Shown::Custom));
    let made = world.preview(&source("/a.made"), &Value::from(3)).unwrap();
    assert_eq!(made.as_deref(), Some(&b"a 3"[..]));
    // A type that declares nothing is pictured where it can be put into a scene, and keeps no picture.
    let plain = world.picture(&source("/a.plain")).unwrap().unwrap();
    assert_eq!((plain.shows, plain.kept), (Shown::Instance, Kept::Never));
    for asset in ["/a.stood", "/a.drawn", "/a.painted", "/a.made", "/a.plain"] {
        assert!(world.can_preview(&source(asset)).unwrap(), "{asset}");
    }
}

#[test]
fn what_a_recipe_needs_is_checked() {
    let mut world = open(Studio::default());
    let check = |world: &Workspace, asset: &str, why: &str| {
        let error = world.picture(&source(asset)).unwrap_err();
        assert!(matches!(&error, Error::NoPicture { .. }), "{error}");
        assert!(error.to_string().ends_with(why), "{error}");
        assert!(!world.can_preview(&source(asset)).unwrap(), "{asset}");
    };
    check(&world, "/a.stood", "its type does not say how it is put into a scene");
    check(&world, "/a.painted", "its type names no `preview_material`");
    assert_eq!(shows(&world, "/a.plain"), None);
    assert!(!world.can_preview(&source("/a.plain")).unwrap());
    let error = world.preview(&source("/a.made"), &Value::Null).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`/zero/source/a.made` cannot be pictured as its type `made` says: its type made none"
    );
    // The others leave the picture to their recipe.
    assert_eq!(world.preview(&source("/a.drawn"), &Value::Null).unwrap(), None);
    world.vfs().remove(&source("/a.drawn/one.jpg")).unwrap();
    world.update(Duration::from_secs(1));
    check(&world, "/a.drawn", "it holds none of `preview.png`, `*.jpg`");
    world.detach("made");
    check(&world, "/a.made", "its type has no behaviour to make it");
    // Told of the type, too, where that can be known of all its assets.
    let told = |world: &Workspace, kind: &str| {
        let told = world.validate(&source(kind)).unwrap().into_iter();
        let told = told.filter(|told| told.code == "type.preview");
        told.map(|told| told.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        told(&world, "/stood.assetType"),
        [
            "/zero/source/stood.assetType/type.yaml: warning[type.preview]: its assets are pictured by `instantiate`, and its \
             behaviour does not put them into a scene"
        ]
    );
    world.attach(
        "stood",
        Arc::new(Studio {
            stands: true,
            ..Studio::default()
        }),
    );
    assert_eq!(told(&world, "/stood.assetType"), [] as [&str; 0]);
}

#[test]
fn a_kept_picture_is_stale_once_what_it_shows_changed() {
    let mut world = open(Studio {
        stands: true,
        ..Studio::default()
    });
    let asset = source("/a.stood");
    let kept = |world: &Workspace| world.picture(&asset).unwrap().unwrap().kept;
    let write = |world: &mut Workspace, inner: &str, bytes: &[u8]| {
        world.vfs().write(&asset.join(inner).unwrap(), bytes).unwrap();
        static SECONDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        let now = SECONDS.fetch_add(10, std::sync::atomic::Ordering::Relaxed);
        world.update(Duration::from_secs(now));
    };
    world.keep_preview(&asset, PNG).unwrap();
    assert_eq!(world.vfs().read(&source("/a.stood/preview.png")).unwrap(), PNG);
    assert_eq!(kept(&world), Kept::Current);
    // What a picture does not show leaves it as it is; so does what is written of the asset's names and guid.
    write(&mut world, "README.md", b"# a\n");
    world.settle().unwrap();
    assert_eq!(kept(&world), Kept::Current);
    write(&mut world, "a.yaml", b"x: 2\n");
    assert_eq!(kept(&world), Kept::Stale);
    write(&mut world, "a.yaml", b"x: 1\n");
    assert_eq!(kept(&world), Kept::Current);
    // What it holds of other assets is seen in it.
    write(&mut world, "deep.plain/a.yaml", b"x: 2\n");
    assert_eq!(kept(&world), Kept::Stale);
    world.keep_preview(&asset, PNG).unwrap();
    assert_eq!(kept(&world), Kept::Current);
    // It is known where the world is opened again, and goes along with a move.
    let moved = source("/b.stood");
    world.move_asset(&asset, &moved).unwrap();
    let again = Workspace::open(world.vfs().clone()).unwrap();
    assert!(
        matches!(again.picture(&moved), Err(Error::NoPicture { .. })),
        "no behaviour is attached"
    );
    assert_eq!(world.picture(&moved).unwrap().unwrap().kept, Kept::Current);
    world.vfs().remove(&source("/b.stood/preview.png")).unwrap();
    world.update(Duration::from_secs(1000));
    assert_eq!(world.picture(&moved).unwrap().unwrap().kept, Kept::Missing);
}

#[test]
fn only_a_picture_of_a_type_that_keeps_one_is_kept() {
    let mut world = open(Studio::default());
    let mut check = |asset: &str, bytes: &[u8], why: &str| {
        let error = world.keep_preview(&source(asset), bytes).unwrap_err();
        assert!(error.to_string().ends_with(why), "{error}");
    };
    check("/a.plain", PNG, "its type declares no `preview:`");
    check("/a.stood", b"GIF89a", "what came is no PNG");
    assert_eq!(world.vfs().stat(&source("/a.stood/preview.png")).unwrap(), None);
}

/// A picture that was kept shows the file that it was made of, and is never what the next one is made of.
#[test]
fn a_kept_picture_is_no_source_of_the_next() {
    let mut world = open(Studio::default());
    let asset = source("/a.drawn");
    let image = Some(Shown::File(source("/a.drawn/one.jpg")));
    assert_eq!(shows(&world, "/a.drawn"), image);
    world.keep_preview(&asset, PNG).unwrap();
    assert_eq!(shows(&world, "/a.drawn"), image);
    // One that a person put there is.
    world.vfs().write(&source("/b.drawn/preview.png"), PNG).unwrap();
    world.vfs().write(&source("/b.drawn/one.jpg"), b"x").unwrap();
    world.vfs().write(&source("/b.drawn/a.yaml"), b"x: 1\n").unwrap();
    world.update(Duration::from_secs(1));
    assert_eq!(
        shows(&world, "/b.drawn"),
        Some(Shown::File(source("/b.drawn/preview.png")))
    );
}
