//! A first hour with a world in a folder: a new type with a behaviour in Rust, an asset of it, a package that holds it; they
//! are renamed and moved on disk while this runs, and the package is installed into a second world.
//!
//! `cargo run -p zero-assets --example new_world -- --out FOLDER`

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use zero_assets::zero_vfs::{Access, FolderSource, FolderWatch, Mount, Vfs, VfsPath, Watching};
use zero_assets::{
    Behavior, Create, Guid, HookContext, HookResult, InstallOptions, Package, Problem, SOURCE, Search, Value,
    Workspace, builtin,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What every quest is made of. The type is written as files, while the program runs.
const TYPE: &str = "primary: quest.yaml
files:
  required:
    - { path: quest.yaml, kind: file, content: [{ check: yaml_field, key: goal, message: A quest has a goal. }] }
    - { path: README.md, kind: file, content: [{ check: described, message: Say what the quest is about. }] }
inspector: { type: inspector.yaml }
references: { keys: [{ key: follows, type: quest }] }
settings:
  values: settings.yaml
  schema: { type: { reward: { type: integer, min: 0, max: 1000, default: 10 } } }
indexing:
  data:
    - { role: identity, extractor: verbatim, source: { file: README.md } }
    - { role: capability, extractor: verbatim, source: { file: quest.yaml } }
  facets:
    reward: { type: number, filter: range, from: { file: settings.yaml, field: reward } }
";

/// What holds quests that belong together: a package of a kind of its own.
const SAGA: &str = "primary: package.yaml
is_container: true
root: true
system: true
files:
  required:
    - { path: package.yaml, kind: file }
    - { path: README.md, kind: file }
";

/// How quests behave: what is said when one comes, and the rule that a person's work is paid.
struct Quests;

impl Behavior for Quests {
    fn on_register(&self, quest: &HookContext<'_>) -> HookResult<()> {
        println!("  a quest is here: {}", quest.asset.identity);
        Ok(())
    }

    fn validate(&self, quest: &HookContext<'_>) -> HookResult<Vec<Problem>> {
        let settings = String::from_utf8(quest.read("settings.yaml")?)?;
        Ok(match settings.contains("reward: 0\n") {
            true => vec![Problem::error("quest.unpaid", "nobody works for nothing").in_file("settings.yaml")],
            false => Vec::new(),
        })
    }

    fn inspect(&self, quest: &HookContext<'_>) -> HookResult<Option<Value>> {
        let text = String::from_utf8(quest.read("quest.yaml")?)?;
        let goal = text.lines().find_map(|line| line.strip_prefix("goal: "));
        Ok(goal.map(Value::from))
    }
}

/// A world in a folder on disk, which others may change too.
struct World {
    assets: Workspace,
    begun: Instant,
    _watch: FolderWatch,
}

impl World {
    fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder)?;
        let source = Arc::new(FolderSource::open(folder, Access::ReadWrite)?);
        let watch = FolderWatch::new(&source, Watching::Native);
        let mut vfs = Vfs::new();
        vfs.mount(builtin()?)?;
        vfs.mount(Mount::new(VfsPath::parse(SOURCE)?, source))?;
        let mut assets = Workspace::open(Arc::new(vfs))?;
        assets.attach("quest", Arc::new(Quests));
        Ok(Self {
            assets,
            begun: Instant::now(),
            _watch: watch,
        })
    }

    fn write(&self, inner: &str, text: &str) -> Result<()> {
        let path = VfsPath::parse(&format!("{SOURCE}/{inner}"))?;
        Ok(self.assets.vfs().write(&path, text.as_bytes())?)
    }

    /// Looks at what changed, as a host does every frame, until `is_so`.
    fn wait(&mut self, what: &str, is_so: impl Fn(&Workspace) -> bool) -> Result<()> {
        let last = self.begun.elapsed() + Duration::from_secs(30);
        while !is_so(&self.assets) {
            if self.begun.elapsed() > last {
                return Err(format!("{what} was not seen within 30 s").into());
            }
            std::thread::sleep(Duration::from_millis(20));
            let update = self.assets.update(self.begun.elapsed());
            update.diagnostics.iter().for_each(|told| println!("  {told}"));
            if !update.changes.added.is_empty() || !update.changes.edited.is_empty() {
                self.assets.settle()?;
            }
        }
        Ok(())
    }
}

/// A type, two quests, and a package that holds one of them.
fn make(world: &mut World) -> Result<Guid> {
    println!("a new type: quest");
    world
        .assets
        .create(&Create::new("assetType", "quest").folder("types"))?;
    world.write("types/quest.assetType/type.yaml", TYPE)?;
    world.write(
        "types/quest.assetType/README.md",
        "# quest\n\nSomething to do, and what it pays.\n",
    )?;
    world.write("types/quest.assetType/template/quest.yaml", "goal: Finish {{name}}.\n")?;
    let old = VfsPath::parse(&format!("{SOURCE}/types/quest.assetType/template/content.yaml"))?;
    world.assets.vfs().remove(&old)?;
    let is_known = |world: &Workspace| {
        let kind = world.assets().types().get("quest");
        kind.is_ok_and(|kind| kind.settings.is_some())
    };
    world.wait("the type", is_known)?;

    println!("and one for packages of quests: saga");
    world.write(
        "types/saga.assetType/README.md",
        "# saga\n\nQuests that belong together.\n",
    )?;
    world.write("types/saga.assetType/template/README.md", "# {{name}}\n")?;
    world.write(
        "types/saga.assetType/template/package.yaml",
        "name: {{name}}\nversion: 0.1.0\n",
    )?;
    world.write("types/saga.assetType/type.yaml", SAGA)?;
    world.wait("the type", |world| world.assets().types().get("saga").is_ok())?;

    println!("two quests, one of them in a package");
    world.assets.create(&Create::new("quest", "prologue"))?;
    world.write("prologue.quest/README.md", "# prologue\n\nA stranger comes to town.\n")?;
    let package = world.assets.create(&Create::new("saga", "tales"))?.path;
    world.write("tales.saga/README.md", "# tales\n\nQuests for a long evening.\n")?;
    let dragon = world
        .assets
        .create(&Create::new("quest", "dragon").into(&package).setting("reward", 0))?;
    for told in world.assets.validate(&dragon.path)? {
        println!("  {told}");
    }
    let pay = [("reward".to_owned(), Value::from(500))].into_iter().collect();
    world.assets.write_settings(&dragon.path, &pay)?;
    let goal = "goal: Drive the dragon from the hill.\nfollows: prologue\n";
    world.write("tales.saga/dragon.quest/quest.yaml", goal)?;
    world.write(
        "tales.saga/dragon.quest/README.md",
        "# dragon\n\nThe dragon beneath the hill is awake.\n",
    )?;
    Ok(dragon.guid)
}

fn run(out: &Path) -> Result<String> {
    let mut report = String::new();
    let mut first = World::open(&out.join("first"))?;
    let dragon = make(&mut first)?;

    println!("someone renames the package and moves it, with the program still running");
    std::fs::create_dir(out.join("first/library"))?;
    std::fs::rename(out.join("first/tales.saga"), out.join("first/library/stories.saga"))?;
    let is_moved = |world: &Workspace| {
        let found = world.assets().by_guid(dragon);
        found.is_ok_and(|found| found.identity == "library.stories.dragon")
    };
    first.wait("the move", is_moved)?;
    writeln!(report, "moved: {}", first.assets.assets().by_guid(dragon)?.identity)?;

    println!("so do the type, and the quest that it follows");
    let guid_of = |world: &Workspace, name: &str| world.assets().find(name).ok().and_then(|found| found.guid);
    let kind = guid_of(&first.assets, "types.quest").ok_or("the type has no guid")?;
    let prologue = guid_of(&first.assets, "prologue").ok_or("the prologue has no guid")?;
    std::fs::rename(out.join("first/types"), out.join("first/kinds"))?;
    std::fs::create_dir(out.join("first/town"))?;
    std::fs::rename(out.join("first/prologue.quest"), out.join("first/town/stranger.quest"))?;
    let are_moved = |world: &Workspace| {
        let is_now = |guid, identity: &str| {
            world
                .assets()
                .by_guid(guid)
                .is_ok_and(|found| found.identity == identity)
        };
        is_now(kind, "kinds.quest") && is_now(prologue, "town.stranger")
    };
    first.wait("the moves", are_moved)?;
    for guid in [kind, prologue] {
        writeln!(report, "moved: {}", first.assets.assets().by_guid(guid)?.identity)?;
    }
    // What names it by its old name is told, and knows it by its guid.
    let dragon_path = first.assets.assets().by_guid(dragon)?.path.clone();
    for told in first.assets.validate(&dragon_path)? {
        println!("  {told}");
    }

    println!("it is found by what it is about, and by what it pays");
    let search = Search::new("dragons of the hill")
        .category("quest")
        .range("reward", 100.0, 1000.0);
    for hit in first.assets.search(&search)? {
        println!("  {} pays {}", hit.identity, hit.facets["reward"]);
        writeln!(report, "found: {}", hit.identity)?;
    }

    println!("it is packed, with the type and the quest that it follows");
    let folder = VfsPath::parse(&format!("{SOURCE}/library/stories.saga"))?;
    let packed = first.assets.pack(&folder)?.to_zip()?;
    std::fs::write(out.join("stories.zip"), &packed)?;

    println!("and installed into a second world");
    let mut second = World::open(&out.join("second"))?;
    let package = Package::from_zip("stories.zip", packed)?;
    let preview = second.assets.preview_install(&package, &InstallOptions::default())?;
    for part in &preview.parts {
        println!("  {} would come: {} files, {} bytes", part.path, part.files, part.bytes);
        writeln!(report, "part: {}", part.path)?;
    }
    second.assets.install(&package, &InstallOptions::default())?;
    let record = second
        .assets
        .inspect(&second.assets.assets().by_guid(dragon)?.path.clone())?;
    let goal = record.detail.unwrap_or_default();
    println!("  the same quest, with its goal: {goal}");
    writeln!(report, "installed: {} {goal}", record.identity)?;
    for told in second.assets.diagnostics() {
        writeln!(report, "{told}")?;
    }
    Ok(report)
}

/// `--out FOLDER`, which holds no worlds yet. `--headless` changes nothing: there is no window.
fn folder() -> Result<PathBuf> {
    let mut out = PathBuf::from("new_world");
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--headless" => {}
            "--out" => out = arguments.next().ok_or("`--out` needs a folder")?.into(),
            other => return Err(format!("there is no option `{other}`; there are --out FOLDER and --headless").into()),
        }
    }
    for name in ["first", "second"] {
        if out.join(name).exists() {
            return Err(format!(
                "{} is there already; name another folder by --out",
                out.join(name).display()
            )
            .into());
        }
    }
    std::fs::create_dir_all(&out)?;
    Ok(out)
}

fn main() -> ExitCode {
    let done = folder().and_then(|out| {
        let report = run(&out)?;
        print!("{report}");
        Ok(std::fs::write(out.join("report.txt"), report)?)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("new_world: {error}");
            ExitCode::FAILURE
        }
    }
}
