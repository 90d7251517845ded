//! The play shadow: what play does is seen, and stays only if that is asked for.

use std::sync::Arc;

use zero_vfs::{Error, MemorySource, Mount, PlayShadow, Source, Vfs, VfsPath, WriteOptions};

use crate::path;

type World = Arc<PlayShadow<Arc<MemorySource>>>;

fn world(files: &[(&str, &str)]) -> (Vfs, World) {
    let base = MemorySource::with_files("world", files.iter().map(|(path, text)| (*path, text.as_bytes()))).unwrap();
    let shadow = Arc::new(PlayShadow::new(Arc::new(base)));
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(path("/zero"), shadow.clone())).unwrap();
    (vfs, shadow)
}

/// Every file of the tree as `path=text`.
fn seen(source: &dyn Source) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![VfsPath::root()]);
    while let Some(folder) = open.pop() {
        for entry in source.list(&folder).unwrap().entries {
            let path = folder.join(&entry.name).unwrap();
            match entry.stat.kind {
                zero_vfs::Kind::File => {
                    let text = String::from_utf8(source.read(&path, 99).unwrap()).unwrap();
                    found.push(format!("{path}={text}"));
                }
                zero_vfs::Kind::Folder => open.push(path),
            }
        }
    }
    found.sort();
    found
}

const FILES: [(&str, &str); 4] = [("/a", "1"), ("/d/b", "2"), ("/d/e/c", "3"), ("/f", "4")];

/// Some of everything.
fn play(vfs: &Vfs) {
    vfs.write(&path("/zero/a"), b"played").unwrap();
    vfs.write(&path("/zero/new/file"), b"new").unwrap();
    vfs.remove(&path("/zero/f")).unwrap();
    vfs.rename(&path("/zero/d"), &path("/zero/moved/d")).unwrap();
    // A file where a folder was, and a folder where a file was.
    vfs.write(&path("/zero/d"), b"now a file").unwrap();
    vfs.write(&path("/zero/f/in"), b"now a folder").unwrap();
}

const PLAYED: [&str; 6] = [
    "/a=played",
    "/d=now a file",
    "/f/in=now a folder",
    "/moved/d/b=2",
    "/moved/d/e/c=3",
    "/new/file=new",
];

#[test]
fn what_play_does_is_seen_and_a_discard_takes_all_of_it_back() {
    let (vfs, shadow) = world(&FILES);
    let before = seen(&*shadow);
    shadow.begin();
    play(&vfs);
    assert_eq!(seen(&*shadow), PLAYED);
    assert_eq!(seen(&**shadow.base()), before, "the base is as it was");
    assert!(shadow.held().contains(&path("/new/file")) && shadow.held().contains(&path("/moved/d/b")));
    assert!(!shadow.discard().is_empty());
    assert!(!shadow.is_playing() && shadow.held().is_empty());
    assert_eq!(seen(&*shadow), before);
    vfs.write(&path("/zero/a"), b"edited").unwrap();
    assert_eq!(seen(&**shadow.base())[0], "/a=edited");
}

#[test]
fn a_promotion_does_to_the_base_what_was_seen() {
    let (vfs, shadow) = world(&FILES);
    shadow.begin();
    play(&vfs);
    shadow.promote(&VfsPath::root()).unwrap();
    assert_eq!(seen(&*shadow), PLAYED);
    assert_eq!(seen(&**shadow.base()), PLAYED);
    assert!(shadow.held().is_empty() && shadow.is_playing());
    shadow.discard();
    assert_eq!(seen(&*shadow), PLAYED);
}

#[test]
fn one_asset_is_promoted_and_the_rest_discarded() {
    let (vfs, shadow) = world(&[("/x.module/init.luau", "old"), ("/y", "old")]);
    shadow.begin();
    for (file, text) in [
        ("x.module/init.luau", "new"),
        ("x.module/README.md", "new"),
        ("y", "new"),
        ("z/w", "new"),
    ] {
        vfs.write(&path("/zero").join(file).unwrap(), text.as_bytes()).unwrap();
    }
    let promoted = shadow.promote(&path("/x.module")).unwrap();
    assert_eq!(promoted, [path("/x.module/README.md"), path("/x.module/init.luau")]);
    assert_eq!(shadow.held(), [path("/y"), path("/z/w")]);
    shadow.discard();
    assert_eq!(
        seen(&*shadow),
        ["/x.module/README.md=new", "/x.module/init.luau=new", "/y=old"]
    );
}

#[test]
fn a_durable_write_skips_the_shadow_and_is_seen() {
    let (vfs, shadow) = world(&[("/a", "old"), ("/b", "old"), ("/c/d", "old")]);
    let durable = WriteOptions::default().durable();
    shadow.begin();
    vfs.write(&path("/zero/a"), b"played").unwrap();
    vfs.write_with(&path("/zero/a"), b"kept", &durable).unwrap();
    vfs.write_with(&path("/zero/new"), b"kept", &durable).unwrap();
    vfs.remove(&path("/zero/b")).unwrap();
    vfs.write_with(&path("/zero/b"), b"kept", &durable).unwrap();
    vfs.write(&path("/zero/c/d"), b"played").unwrap();
    let files = [(path("/x"), b"kept".to_vec())];
    vfs.write_tree(&path("/zero/tree"), files, &durable).unwrap();
    let expected = ["/a=kept", "/b=kept", "/c/d=played", "/new=kept", "/tree/x=kept"];
    assert_eq!(seen(&*shadow), expected);
    shadow.discard();
    assert_eq!(
        seen(&*shadow),
        ["/a=kept", "/b=kept", "/c/d=old", "/new=kept", "/tree/x=kept"]
    );
    assert!(matches!(
        vfs.write_with(&path("/zero/c"), b"", &durable),
        Err(Error::NotAFile { .. })
    ));
}

/// Files that others put into a folder which play removed are not lost by promoting that.
#[test]
fn a_promotion_removes_only_what_play_removed() {
    let (vfs, shadow) = world(&[("/d/a", "1"), ("/d/b", "2")]);
    shadow.begin();
    vfs.remove_tree(&path("/zero/d")).unwrap();
    shadow.base().write(&path("/d/theirs"), b"3").unwrap();
    assert!(seen(&*shadow).is_empty(), "play has removed the folder");
    shadow.promote(&VfsPath::root()).unwrap();
    assert_eq!(seen(&*shadow), ["/d/theirs=3"]);
}

/// What others wrote, made or removed where play did too is not lost: the promotion is refused whole, and names the file.
#[test]
fn a_promotion_does_not_go_over_what_others_changed_meanwhile() {
    let check = |others: &dyn Fn(&MemorySource), changed: &str| {
        let (vfs, shadow) = world(&FILES);
        shadow.begin();
        play(&vfs);
        others(shadow.base());
        let before = seen(&**shadow.base());
        let error = shadow.promote(&VfsPath::root()).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{changed}` was changed by others since play changed it, and promoting would lose their change; take \
                 theirs, or accept what the base holds and promote again"
            )
        );
        assert_eq!(seen(&**shadow.base()), before, "nothing was done");
        assert_eq!(seen(&*shadow), PLAYED, "and play goes on");
        assert_eq!(shadow.accept_base(&VfsPath::root()).unwrap(), [path(changed)]);
        assert_eq!(shadow.accept_base(&VfsPath::root()).unwrap(), []);
        shadow.promote(&VfsPath::root()).unwrap();
        assert_eq!(seen(&**shadow.base()), PLAYED);
    };
    // Edited where play wrote, where it removed, where it moved away, and made where it made one.
    check(&|base| base.write(&path("/a"), b"theirs").unwrap(), "/a");
    check(&|base| base.write(&path("/f"), b"theirs").unwrap(), "/f");
    check(&|base| base.write(&path("/d/e/c"), b"theirs").unwrap(), "/d/e/c");
    check(&|base| base.write(&path("/new/file"), b"theirs").unwrap(), "/new/file");
    check(&|base| base.remove(&path("/a")).unwrap(), "/a");
}

#[test]
fn a_promotion_goes_ahead_where_others_did_the_same_or_worked_elsewhere() {
    let (vfs, shadow) = world(&FILES);
    shadow.begin();
    play(&vfs);
    let base = shadow.base();
    base.write(&path("/a"), b"played").unwrap();
    base.remove(&path("/d/b")).unwrap();
    base.write(&path("/theirs"), b"5").unwrap();
    shadow.promote(&VfsPath::root()).unwrap();
    let mut expected: Vec<String> = PLAYED.map(str::to_owned).into();
    expected.push("/theirs=5".to_owned());
    assert_eq!(seen(&*shadow), expected);
    // From here on play has seen what is there.
    base.write(&path("/a"), b"edited").unwrap();
    vfs.write(&path("/zero/a"), b"played on").unwrap();
    shadow.promote(&path("/a")).unwrap();
    assert_eq!(seen(&*shadow)[0], "/a=played on");
    // A durable write is what the base holds: it is no change of others.
    vfs.write(&path("/zero/a"), b"played").unwrap();
    vfs.write_with(&path("/zero/a"), b"kept", &WriteOptions::default().durable())
        .unwrap();
    vfs.write(&path("/zero/a"), b"played last").unwrap();
    shadow.promote(&VfsPath::root()).unwrap();
    assert_eq!(seen(&*shadow)[0], "/a=played last");
}

/// Fails at every single change of the base in turn: what is seen stays what play made of it, and a second promotion
/// finishes.
#[test]
fn a_promotion_that_fails_midway_loses_nothing() {
    for fails_at in 0.. {
        let base = MemorySource::with_files("world", FILES.map(|(path, text)| (path, text.as_bytes()))).unwrap();
        let base = Arc::new(Failing::new(base));
        let shadow = Arc::new(PlayShadow::new(base.clone()));
        let mut vfs = Vfs::new();
        vfs.mount(Mount::new(path("/zero"), shadow.clone())).unwrap();
        shadow.begin();
        play(&vfs);
        base.fail_at(fails_at);
        let failed = shadow.promote(&VfsPath::root()).is_err();
        assert_eq!(seen(&*shadow), PLAYED, "failed at change {fails_at}");
        base.fail_at(usize::MAX);
        shadow.promote(&VfsPath::root()).unwrap();
        assert_eq!(seen(&*base), PLAYED);
        if !failed {
            assert!(fails_at > 5, "the promotion is more than {fails_at} changes");
            return;
        }
    }
}

/// A source whose changes fail from some one on.
#[derive(Debug)]
pub(crate) struct Failing<S> {
    inner: S,
    left: std::sync::atomic::AtomicUsize,
}

impl<S: Source> Failing<S> {
    pub(crate) fn new(inner: S) -> Self {
        let left = usize::MAX.into();
        Self { inner, left }
    }

    /// After `changes` more, the next ones fail.
    pub(crate) fn fail_at(&self, changes: usize) {
        self.left.store(changes, std::sync::atomic::Ordering::Relaxed);
    }

    fn change(&self, path: &VfsPath) -> zero_vfs::Result<&S> {
        use std::sync::atomic::Ordering::Relaxed;
        match self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)) {
            Ok(_) => Ok(&self.inner),
            Err(_) => Err(Error::Io {
                action: "change",
                path: path.clone(),
                source: std::io::ErrorKind::StorageFull.into(),
            }),
        }
    }
}

impl<S: Source> Source for Failing<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }
    fn is_writable(&self) -> bool {
        true
    }
    fn stat(&self, path: &VfsPath) -> zero_vfs::Result<Option<zero_vfs::Stat>> {
        self.inner.stat(path)
    }
    fn list(&self, folder: &VfsPath) -> zero_vfs::Result<zero_vfs::Listing> {
        self.inner.list(folder)
    }
    fn read(&self, path: &VfsPath, limit: u64) -> zero_vfs::Result<Vec<u8>> {
        self.inner.read(path, limit)
    }
    fn write(&self, path: &VfsPath, bytes: &[u8]) -> zero_vfs::Result<()> {
        self.change(path)?.write(path, bytes)
    }
    fn remove(&self, path: &VfsPath) -> zero_vfs::Result<()> {
        self.change(path)?.remove(path)
    }
    fn rename(&self, from: &VfsPath, to: &VfsPath) -> zero_vfs::Result<()> {
        self.change(from)?.rename(from, to)
    }
}
