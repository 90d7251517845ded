//! The order in which a host is called, and what stands where it refuses.

use crate::common::{play, present, stones, with};
use std::error::Error as _;
use zero_procgen::nodes::mesh;
use zero_procgen::values::Value;
use zero_procgen::{Document, Error, Graph, Host, HostResult, Inputs, Registry, Stage, Stand, Stood};

/// Writes down what it is asked; a handle is the number of the call that showed it.
#[derive(Debug, Default)]
struct Log {
    calls: Vec<String>,
    shown: usize,
    /// What everyone sees.
    seen: Vec<String>,
    refuses: Option<&'static str>,
}

impl Host for Log {
    type Handle = usize;

    fn show(&mut self, output: &str, _: &Value, stood: Option<&usize>) -> HostResult<usize> {
        self.calls.push(format!("show {output} over {stood:?}"));
        if self.refuses == Some(output) {
            return Err("the scene is full".into());
        }
        self.shown += 1;
        Ok(self.shown)
    }

    fn commit(&mut self, stands: &[Stand<'_, usize>]) -> HostResult<()> {
        if self.refuses == Some("commit") {
            self.calls.push("commit refused".to_owned());
            return Err("the scene is locked".into());
        }
        self.calls.push("commit".to_owned());
        let seen = stands.iter();
        self.seen = seen.map(|stand| format!("{} {}", stand.output, stand.handle)).collect();
        Ok(())
    }

    fn retire(&mut self, output: &str, handle: usize) {
        self.calls.push(format!("retire {output} {handle}"));
    }
}

fn calls(stage: &mut Stage<Log>) -> Vec<String> {
    std::mem::take(&mut stage.host_mut().calls)
}

fn counts(stood: &Stood) -> [usize; 3] {
    [stood.shown, stood.kept, stood.retired]
}

#[test]
fn what_changed_is_shown_all_of_it_stands_and_then_the_rest_is_retired() {
    let mut play = play(&stones(), Inputs::default());
    let mut stage = Stage::new(Log::default());
    let stood = stage.stand(&present(&mut play)).unwrap();
    assert_eq!(counts(&stood), [2, 0, 0]);
    assert_eq!(
        calls(&mut stage),
        ["show floor over None", "show stones over None", "commit"]
    );
    assert_eq!(stage.host().seen, ["floor 1", "stones 2"]);

    // Nothing moved: the host is not called.
    let stood = stage.stand(&present(&mut play)).unwrap();
    assert_eq!((counts(&stood), calls(&mut stage).len()), ([0, 2, 0], 0));

    // By a cook, by the recording's first replay and by replays alone.
    for (turn, radius) in [4.0, 5.0, 6.0, 7.0].into_iter().enumerate() {
        let stood = stage.stand(&with(&mut play, radius)).unwrap();
        assert_eq!(counts(&stood), [1, 1, 1]);
        let before = turn + 2;
        let expected = [
            format!("show stones over Some({before})"),
            "commit".to_owned(),
            format!("retire stones {before}"),
        ];
        assert_eq!(calls(&mut stage), expected);
    }
    assert_eq!(stage.host().seen, ["floor 1", "stones 6"]);
    // A cook that comes to what stands shows nothing: the floor is the same node of another graph.
    let other = Graph::define("other", |g| {
        g.output("floor", g.add(mesh::Grid::new().size([9.0, 1.0, 9.0])))
    })
    .unwrap();
    play.set_graph(&other).unwrap();
    let stood = stage.stand(&present(&mut play)).unwrap();
    assert_eq!(counts(&stood), [0, 1, 1]);
    assert_eq!(calls(&mut stage), ["commit", "retire stones 6"]);
    assert_eq!(stage.host().seen, ["floor 1"]);

    let host = stage.release().unwrap();
    assert_eq!(host.calls, ["commit", "retire floor 1"]);
    assert!(host.seen.is_empty());
}

#[test]
fn an_output_that_fails_leaves_all_that_stood() {
    let graph = Graph::define("two", |g| {
        let width = g.float("radius", 1.0);
        g.output("a", g.add(mesh::Cone::new().radius(width)));
        g.output("b", g.add(mesh::Cone::new().height(width)));
    })
    .unwrap();
    let mut play = play(&graph, Inputs::default());
    let mut stage = Stage::new(Log::default());
    stage.stand(&present(&mut play)).unwrap();
    calls(&mut stage);

    let frame = with(&mut play, 2.0);
    for (refuses, expected) in [
        ("b", vec!["show a over Some(1)", "show b over Some(2)", "retire a 3"]),
        (
            "commit",
            vec![
                "show a over Some(1)",
                "show b over Some(2)",
                "commit refused",
                "retire a 4",
                "retire b 5",
            ],
        ),
    ] {
        stage.host_mut().refuses = Some(refuses);
        let error = stage.stand(&frame).unwrap_err();
        assert_eq!(calls(&mut stage), expected);
        assert_eq!(stage.host().seen, ["a 1", "b 2"]);
        assert_eq!(stage.standing().map(|(_, handle)| *handle).collect::<Vec<_>>(), [1, 2]);
        match (&error, refuses) {
            (Error::Show { output, .. }, "b") => assert_eq!(output, "b"),
            (Error::Stand { graph, .. }, "commit") => assert_eq!(graph, "two"),
            other => panic!("{other:?}"),
        }
        assert!(
            error
                .source()
                .is_some_and(|source| source.to_string().starts_with("the scene is"))
        );
    }
    // The same frame stands once it can.
    stage.host_mut().refuses = None;
    assert_eq!(counts(&stage.stand(&frame).unwrap()), [2, 0, 2]);
    assert_eq!(stage.host().seen, ["a 6", "b 7"]);
}

#[test]
fn a_release_that_is_refused_gives_the_stage_back() {
    let mut play = play(&stones(), Inputs::default());
    let mut stage = Stage::new(Log::default());
    stage.stand(&present(&mut play)).unwrap();
    stage.host_mut().refuses = Some("commit");
    let (stage, error) = stage.release().unwrap_err();
    assert_eq!(
        (error.to_string().as_str(), stage.standing().count()),
        ("the scene is locked", 2)
    );
}

#[test]
fn a_failing_output_is_named_with_the_line_that_declared_it() {
    let line = line!() + 2;
    let graph = Graph::define("room", |g| {
        g.output("table", g.add(mesh::Box::new()));
    })
    .unwrap();
    let text = r#"{ "version": 1, "name": "room",
  "nodes": { "top": { "node": "mesh.box" } },
  "outputs": {
    "table": { "node": "top" }
  } }"#;
    let read = Document::from_json_file("room.json", text).unwrap();
    let read = read.define(&Registry::standard()).unwrap();
    for (graph, site) in [(graph, format!("{}:{line}", file!())), (read, "room.json:4".to_owned())] {
        let mut stage = Stage::new(Log {
            refuses: Some("table"),
            ..Log::default()
        });
        let frame = present(&mut play(&graph, Inputs::default()));
        let message = stage.stand(&frame).unwrap_err().to_string();
        let expected = format!("{site}: output 'table' could not be shown: the scene is full");
        assert_eq!(message, expected);
    }
}

#[test]
fn the_outputs_that_are_asked_for_stand_alone() {
    let mut play = play(&stones(), Inputs::default());
    let mut stage = Stage::new(Log::default()).only(["stones"]);
    let frame = present(&mut play);
    stage.stand(&frame).unwrap();
    assert_eq!(stage.host().seen, ["stones 1"]);
    let mut stage = Stage::new(Log::default()).only(["stone"]);
    let message = stage.stand(&frame).unwrap_err().to_string();
    assert!(
        message.contains("no output named 'stone'") && message.contains("stones"),
        "{message}"
    );
    assert!(stage.host().calls.is_empty());
}

#[test]
fn what_stands_is_written_by_nobody() {
    let mut play = play(&stones(), Inputs::default());
    let mut stage = Stage::new(Keeper(Vec::new()));
    let mut expected = Vec::new();
    for radius in [3.0, 4.0, 5.0, 6.0, 7.0, 8.0] {
        let frame = with(&mut play, radius);
        expected.push(frame.geometry("stones").unwrap().download().unwrap());
        stage.stand(&frame).unwrap();
    }
    for (value, expected) in stage.host().0.iter().zip(&expected) {
        assert_eq!(value.geometry().unwrap().download().unwrap(), *expected);
    }
}

/// Keeps every population that it was shown.
struct Keeper(Vec<Value>);

impl Host for Keeper {
    type Handle = ();
    fn show(&mut self, output: &str, value: &Value, _: Option<&()>) -> HostResult<()> {
        if output == "stones" {
            self.0.push(value.clone());
        }
        Ok(())
    }
    fn commit(&mut self, _: &[Stand<'_, ()>]) -> HostResult<()> {
        Ok(())
    }
    fn retire(&mut self, _: &str, (): ()) {}
}
