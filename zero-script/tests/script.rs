//! What a host relies on: values come back, limits hold, errors say where, modules come from the tree.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mlua::FromLuaMulti;
use zero_script::{Clock, Error, RunParams, Vm, VmOptions, mlua};
use zero_vfs::{MemorySource, Mount, Vfs, VfsPath};

fn path(text: &str) -> VfsPath {
    VfsPath::parse(text).unwrap()
}

fn vfs(files: &[(&str, &str)]) -> Arc<Vfs> {
    let files = files.iter().map(|(path, text)| (*path, text.as_bytes()));
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(
        VfsPath::root(),
        MemorySource::with_files("world", files).unwrap(),
    ))
    .unwrap();
    Arc::new(vfs)
}

fn vm(files: &[(&str, &str)]) -> Vm {
    Vm::new(vfs(files), VmOptions::default()).unwrap()
}

fn run<R: FromLuaMulti>(vm: &Vm, file: &str) -> Result<R, Error> {
    vm.run(&path(file), &RunParams::default())
}

/// What the one file `source` returns.
fn eval<R: FromLuaMulti>(source: &str) -> Result<R, Error> {
    run(&vm(&[("/main.luau", source)]), "/main.luau")
}

/// A clock on which a millisecond passes at each look.
fn ticking() -> (Clock, Arc<AtomicU64>) {
    let looks = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&looks);
    (
        Clock::new(move || Duration::from_millis(seen.fetch_add(1, Ordering::Relaxed))),
        looks,
    )
}

#[test]
fn a_file_runs_and_its_values_come_back() {
    let (sum, text, list): (f64, String, Vec<i32>) = eval("return 1 + 2, 'a' .. 'b', {1, 2, 3}").unwrap();
    assert_eq!((sum, text.as_str(), list), (3.0, "ab", vec![1, 2, 3]));
    eval::<()>("local x: number = 1").unwrap();
    assert!(matches!(eval::<i32>("return 'no number'"), Err(Error::Returned { .. })));
}

#[test]
fn each_error_says_where() {
    let check = |source: &str, expected: &str| {
        assert_eq!(eval::<()>(source).unwrap_err().to_string(), expected, "{source}");
    };
    check("\n\nerror('boom')", "/main.luau:3: boom");
    check("local function f()\n  error('deep')\nend\nf()", "/main.luau:2: deep");
    check("error('no place', 0)", "/main.luau:1: no place");
    check("local t\nt.x = 1", "/main.luau:2: attempt to index nil with 'x'");
    check("nothing()", "/main.luau:1: attempt to call a nil value");
    match eval::<()>("local x = \n= 2") {
        Err(Error::Syntax { at, message }) => {
            assert_eq!(at.to_string(), "/main.luau:2");
            assert!(message.contains("Expected"), "{message}");
        }
        other => panic!("{other:?}"),
    }
    match eval::<()>("local function f()\n  error('deep')\nend\nf()") {
        Err(Error::Runtime { traceback, .. }) => assert!(traceback.contains("/main.luau:4"), "{traceback}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_missing_file_names_what_is_near() {
    let error = run::<()>(&vm(&[("/main.luau", "")]), "/mian.luau").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`/mian.luau` is not there: `/` has no `mian.luau`; did you mean `main.luau`?"
    );
}

#[test]
fn a_loop_without_end_is_stopped_after_a_counted_number_of_looks() {
    for source in [
        "while true do end",
        "local function f() return f() end f()",
        "for i = 1, math.huge do local x = i end",
        "coroutine.wrap(function() while true do end end)()",
        "repeat until false",
    ] {
        let (clock, looks) = ticking();
        let vm = Vm::new(vfs(&[("/main.luau", source)]), VmOptions::default().clock(clock)).unwrap();
        let params = RunParams::default().time_limit(Duration::from_millis(500));
        let error = vm.run::<()>(&path("/main.luau"), &params).unwrap_err();
        assert_eq!(
            error.to_string(),
            "/main.luau: it was stopped after the 500 ms it may run",
            "{source}"
        );
        // One look begins the run, and the one that finds the time over is the last.
        assert_eq!(looks.load(Ordering::Relaxed), 501, "{source}");
    }
}

#[test]
fn no_pcall_swallows_the_deadline() {
    for source in [
        "while true do pcall(function() while true do end end) end",
        "while true do xpcall(function() while true do end end, function() while true do end end) end",
        "local function again() pcall(again) return again() end again()",
        "pcall(function() while true do end end) return 'went on'",
        "local co = coroutine.create(function() while true do end end) coroutine.resume(co) return 'went on'",
        "local t = setmetatable({}, { __index = function() while true do end end }) pcall(function() return t.x end)",
        "pcall(string.gsub, string.rep('a', 100), 'a', function() while true do end end) return 'went on'",
        "pcall(table.sort, {3, 2, 1}, function() while true do end end) return 'went on'",
    ] {
        let (clock, _) = ticking();
        let files = [("/main.luau", source), ("/after.luau", "return 'fine'")];
        let vm = Vm::new(vfs(&files), VmOptions::default().clock(clock)).unwrap();
        let params = RunParams::default().time_limit(Duration::from_millis(200));
        let result = vm.run::<mlua::Value>(&path("/main.luau"), &params);
        assert!(matches!(result, Err(Error::Deadline { .. })), "{source}: {result:?}");
        // The machine is as good as before, with a time of its own for each run.
        assert_eq!(
            vm.run::<String>(&path("/after.luau"), &params).unwrap(),
            "fine",
            "{source}"
        );
    }
}

#[test]
fn the_deadline_holds_by_the_systems_clock_too() {
    let vm = vm(&[(
        "/main.luau",
        "while true do pcall(function() while true do end end) end",
    )]);
    let params = RunParams::default().time_limit(Duration::from_millis(30));
    assert!(matches!(
        vm.run::<()>(&path("/main.luau"), &params),
        Err(Error::Deadline { .. })
    ));
}

#[test]
fn the_memory_limit_is_met_and_left_again() {
    const LIMIT: usize = 4 << 20;
    for source in [
        "local t = {} for i = 1, 1e9 do t[i] = { i } end",
        "local s = 'x' while true do s = s .. s end",
        "return string.rep('x', 1e8)",
        "return buffer.create(1e8)",
        "return table.create(1e7)",
    ] {
        let files = [
            ("/main.luau", source),
            ("/after.luau", "local t = table.create(1000, 1) return #t"),
        ];
        let vm = Vm::new(vfs(&files), VmOptions::default().memory_limit_bytes(LIMIT)).unwrap();
        let error = run::<()>(&vm, "/main.luau").unwrap_err();
        assert!(
            matches!(error, Error::Memory { limit: LIMIT, .. }),
            "{source}: {error:?}"
        );
        assert!(vm.used_memory_bytes() <= LIMIT, "{source}");
        assert_eq!(run::<i32>(&vm, "/after.luau").unwrap(), 1000, "{source}");
    }
    let tiny = Vm::new(vfs(&[]), VmOptions::default().memory_limit_bytes(1000));
    assert!(matches!(tiny, Err(Error::Setup { .. })));
}

#[test]
fn bytecode_is_refused() {
    let compiled = mlua::chunk::Compiler::new().compile("return 1").unwrap();
    let source = MemorySource::with_files(
        "world",
        [
            ("/main.luau", &compiled[..]),
            ("/module.luau", &compiled[..]),
            ("/uses.luau", b"return require('./module')"),
        ],
    );
    let mut vfs = Vfs::new();
    vfs.mount(Mount::new(VfsPath::root(), source.unwrap())).unwrap();
    let vm = Vm::new(Arc::new(vfs), VmOptions::default()).unwrap();
    for (file, bad) in [("/main.luau", "/main.luau"), ("/uses.luau", "/module.luau")] {
        let error = run::<()>(&vm, file).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("{bad}: this is bytecode; only Luau text is run")
        );
    }
}

#[test]
fn what_reaches_outside_is_not_there() {
    let names = [
        "io",
        "os",
        "package",
        "debug",
        "loadstring",
        "load",
        "loadfile",
        "dofile",
        "getfenv",
        "setfenv",
        "newproxy",
        "collectgarbage",
        "gcinfo",
        "math.random",
        "math.randomseed",
    ];
    for name in names {
        assert!(
            eval::<bool>(&format!("return {name} == nil")).unwrap(),
            "{name} is there"
        );
    }
    assert!(eval::<()>("os.execute('true')").is_err());
    assert!(eval::<()>("io.open('/etc/passwd')").is_err());
    // What is meant to be there is.
    for name in [
        "string.format",
        "table.sort",
        "math.sqrt",
        "buffer.create",
        "bit32.band",
        "utf8.char",
        "vector.create",
    ] {
        assert!(
            eval::<bool>(&format!("return {name} ~= nil")).unwrap(),
            "{name} is missing"
        );
    }
}

#[test]
fn nothing_that_is_shared_can_be_changed() {
    for source in [
        "string.format = nil",
        "_G.x = 1",
        "rawset(_G, 'x', 1)",
        "math.pi = 3",
        "getmetatable('').__index = {}",
        "rawset(getmetatable(''), '__index', {})",
        "setmetatable(_G, {})",
        "host.number = 3",
    ] {
        let set_up = |lua: &mlua::Lua, globals: &mlua::Table| {
            let host = lua.create_table()?;
            host.set("number", 21)?;
            globals.set("host", host)
        };
        let files = vfs(&[
            ("/main.luau", source),
            ("/after.luau", "return host.number, string.format('%d', 1), x"),
        ]);
        let vm = Vm::with_globals(files, VmOptions::default(), set_up).unwrap();
        assert!(run::<()>(&vm, "/main.luau").is_err(), "{source} succeeded");
        let after: (i32, String, Option<i32>) = run(&vm, "/after.luau").unwrap();
        assert_eq!(after, (21, "1".to_owned(), None), "{source}");
    }
}

#[test]
fn a_file_has_an_environment_of_its_own() {
    let vm = vm(&[
        ("/a.luau", "shared = 1 function get() return shared end return get()"),
        ("/b.luau", "return shared"),
    ]);
    assert_eq!(run::<i32>(&vm, "/a.luau").unwrap(), 1);
    assert_eq!(run::<Option<i32>>(&vm, "/b.luau").unwrap(), None);
}

#[test]
fn a_chain_of_modules_is_found_run_once_and_shared() {
    let vm = vm(&[
        (
            "/main.luau",
            "local a, b = require('./a'), require('./lib/b')\nreturn a.name, b.a == a, a.runs()",
        ),
        (
            "/a.luau",
            "local runs = 0\nruns += 1\nreturn { name = 'a', runs = function() return runs end }",
        ),
        (
            "/lib/b/init.luau",
            "return { a = require('../a'), part = require('@self/part') }",
        ),
        ("/lib/b/part.luau", "return require('../other')"),
        ("/lib/other.luau", "return require('./kit')"),
        ("/lib/kit.script/init.luau", "return require('@self/piece')"),
        ("/lib/kit.script/piece.luau", "return 'piece'"),
        ("/part.luau", "return require('./lib/b').part"),
        ("/alias.luau", "return require('@tools/hammer')"),
    ]);
    assert_eq!(
        run::<(String, bool, i32)>(&vm, "/main.luau").unwrap(),
        ("a".to_owned(), true, 1)
    );
    assert_eq!(run::<String>(&vm, "/part.luau").unwrap(), "piece");
    assert!(run::<()>(&vm, "/alias.luau").is_err(), "no alias was given");
}

#[test]
fn an_alias_is_a_folder_that_the_host_names() {
    let files = vfs(&[
        ("/main.luau", "return require('@Tools/hammer')"),
        ("/shared/tools/hammer.luau", "return require('./nail')"),
        ("/shared/tools/nail.luau", "return 'nail'"),
    ]);
    let vm = Vm::new(files, VmOptions::default().alias("tools", path("/shared/tools"))).unwrap();
    assert_eq!(run::<String>(&vm, "/main.luau").unwrap(), "nail");
}

#[test]
fn a_circle_of_modules_names_its_chain() {
    let files = [
        ("/main.luau", "return require('./a')"),
        ("/a.luau", "return 1, require('./b')"),
        ("/b.luau", "local c = 1\nreturn require('./c')"),
        ("/c.luau", "\n\nreturn require('./a')"),
        ("/self.luau", "return require('./self')"),
        (
            "/caught.luau",
            "local fine, why = pcall(require, './a')\nreturn fine, tostring(why)",
        ),
        ("/fine.luau", "return 7"),
        ("/after.luau", "return require('./fine')"),
    ];
    let vm = vm(&files);
    let chain = "modules require one another in a circle: /a.luau -> /b.luau -> /c.luau -> /a.luau";
    let error = run::<()>(&vm, "/main.luau").unwrap_err();
    assert_eq!(error.to_string(), format!("/c.luau:3: {chain}"));
    match error {
        Error::Cycle { chain, .. } => assert_eq!(chain.len(), 4),
        other => panic!("{other:?}"),
    }
    let error = run::<()>(&vm, "/self.luau").unwrap_err();
    assert!(
        error.to_string().ends_with("in a circle: /self.luau -> /self.luau"),
        "{error}"
    );
    let (fine, why): (bool, String) = run(&vm, "/caught.luau").unwrap();
    assert!(!fine && why.contains(chain), "{why}");
    assert_eq!(
        run::<i32>(&vm, "/after.luau").unwrap(),
        7,
        "a circle that was met leaves nothing behind"
    );
}

#[test]
fn a_module_that_is_not_there_names_what_is_near() {
    let check = |source: &str, expected: &str| {
        let vm = vm(&[
            ("/main.luau", source),
            ("/shapes/circle.luau", "return 1"),
            ("/shapes/square/init.luau", "return 1"),
            ("/twice.luau", "return 1"),
            ("/twice/init.luau", "return 1"),
        ]);
        assert_eq!(
            run::<()>(&vm, "/main.luau").unwrap_err().to_string(),
            expected,
            "{source}"
        );
    };
    check(
        "\nrequire('./shapes/cirle')",
        "/main.luau:2: `/shapes` has no module `cirle`; did you mean `circle`?",
    );
    check(
        "require('./shape/circle')",
        "/main.luau:1: `/` has no module `shape`; did you mean `shapes`?",
    );
    check(
        "require('./shapes/Square')",
        "/main.luau:1: `/shapes` has no module `Square`; did you mean `square`?",
    );
    check(
        "require('./twice')",
        "/main.luau:1: a module `twice` in `/` may be any of `twice.luau`, `twice/init.luau`",
    );
    check("require('./a:b')", "/main.luau:1: `/` has no module `a:b`");
    for escape in [
        "../x",
        "../../etc/passwd",
        "./..",
        "/main",
        "shapes.circle",
        "@none/x",
        "",
    ] {
        let vm = vm(&[("/main.luau", &format!("return require('{escape}')"))]);
        let error = run::<()>(&vm, "/main.luau").unwrap_err();
        assert!(error.to_string().starts_with("/main.luau:1: "), "{escape}: {error}");
    }
}

#[test]
fn an_error_in_a_module_says_where_in_the_module() {
    let vm = vm(&[
        ("/main.luau", "return require('./bad')"),
        ("/bad.luau", "local x = 1\nerror('in the module')"),
        ("/main2.luau", "return require('./syntax')"),
        ("/syntax.luau", "\nlocal = 1"),
    ]);
    assert_eq!(
        run::<()>(&vm, "/main.luau").unwrap_err().to_string(),
        "/bad.luau:2: in the module"
    );
    let error = run::<()>(&vm, "/main2.luau").unwrap_err();
    assert!(
        matches!(&error, Error::Syntax { at, .. } if at.to_string() == "/syntax.luau:2"),
        "{error:?}"
    );
}

#[test]
fn printed_lines_come_to_the_host() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let taker = Arc::clone(&lines);
    let options = VmOptions::default().print(move |line| taker.lock().unwrap().push(line.to_owned()));
    let vm = Vm::new(vfs(&[("/main.luau", "print('a', 1, nil, true) print()")]), options).unwrap();
    run::<()>(&vm, "/main.luau").unwrap();
    assert_eq!(*lines.lock().unwrap(), ["a\t1\tnil\ttrue", ""]);
    eval::<()>("print('to nobody')").unwrap();
}

#[test]
fn a_source_that_is_too_large_is_refused() {
    let mut options = VmOptions::default();
    options.max_source_bytes = 10;
    let vm = Vm::new(vfs(&[("/main.luau", "return 12345")]), options).unwrap();
    let error = run::<()>(&vm, "/main.luau").unwrap_err();
    assert!(
        error.to_string().contains("12 bytes, more than the 10 allowed"),
        "{error}"
    );
}
