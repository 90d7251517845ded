//! A node with every kind of input: what the derives write, used as an author, a document and a registry use it.
#![expect(clippy::panic, reason = "a helper of tests fails as a test does")]

use std::collections::BTreeMap;
use zero_procgen::{
    AnySocket, Argument, Bool, Choice, Compose, Error, Float, FromWires, Geo, Graph, InputDefault, InputKind,
    InputValue, Int, Node, NodeInfo, Outputs, Raster, Registry, Result, Socket, Sockets, Type, Vec3, Wire, Wires,
};

#[derive(Choice, Clone, Copy, Debug, PartialEq)]
enum Fill {
    Sunflower,
    PolarGrid,
}

/// Every kind of input.
#[derive(Clone, Debug, Node)]
#[node(id = "test.every_kind")]
struct EveryKind<'g> {
    /// The first term.
    first: Float<'g>,
    /// How many.
    ///
    /// Whole numbers only.
    #[input(default = 64, min = 0, max = 100)]
    count: Int<'g>,
    /// How far apart.
    #[input(default = 1, min = 0.7, unit = "m", uniform)]
    min_dist: Float<'g>,
    /// Which way is up.
    #[input(default = [0, 1, 0], min = -1, max = 1)]
    up: Vec3<'g>,
    /// Whether it is doubled.
    #[input(default = false)]
    doubled: Bool<'g>,
    /// A term that may be left out.
    #[input(max = 5)]
    bonus: Option<Float<'g>>,
    /// A surface that may be left out.
    surface: Option<Geo<'g>>,
    /// A ground that may be left out.
    ground: Option<Raster<'g>>,
    /// More terms.
    #[input(min = 0)]
    terms: Vec<Float<'g>>,
    /// Passes of the loop.
    #[input(default = 2, min = 1)]
    passes: i32,
    /// A factor the build reads.
    #[input(default = 0.5, max = 0.7)]
    bias: f32,
    /// Whether the loop is skipped.
    #[input(default = false)]
    flat: bool,
    /// A label.
    #[input(default = "plain")]
    label: String,
    /// An arrangement.
    #[input(default = Fill::PolarGrid, options)]
    fill: Fill,
}

/// What it answers.
#[derive(Clone, Copy, Debug, Outputs)]
struct Sums<'g> {
    sum: Float<'g>,
    count: Int<'g>,
}

impl<'g> Compose<'g> for EveryKind<'g> {
    type Out = Sums<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Sums<'g>> {
        let passes = if self.flat { 0 } else { self.passes };
        let mut sum = self.first;
        for _ in 0..passes {
            sum = sum + self.min_dist * self.bias;
        }
        for term in self.terms.into_iter().chain(self.bonus) {
            sum = sum + term;
        }
        Ok(Sums {
            sum: self.doubled.choose(sum + sum, sum),
            count: self.count,
        })
    }
}

/// A node that reads no graph.
#[derive(Debug, Node)]
#[node(id = "test.constant")]
struct Constant {
    /// The number.
    #[input(default = 3)]
    value: i32,
}

impl<'g> Compose<'g> for Constant {
    type Out = Int<'g>;
    fn compose(self, _g: &'g Graph) -> Result<Int<'g>> {
        Ok(self.value.into())
    }
}

fn wires<'g, N: NodeInfo>(given: impl IntoIterator<Item = (&'static str, Argument<'g>)>) -> Result<Wires<'g>> {
    let given: BTreeMap<String, Argument<'g>> = given
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Wires::new(N::schema(), given)
}

fn plain<'g>(value: impl Into<InputValue>) -> Argument<'g> {
    Argument::Plain(value.into())
}

fn socket<'g>(value: impl Into<AnySocket<'g>>) -> Argument<'g> {
    Argument::Socket(value.into())
}

/// The arguments without which no call of the node stands.
fn least<'g>() -> Vec<(&'static str, Argument<'g>)> {
    vec![
        ("first", plain(2.0)),
        ("terms", Argument::List(vec![Float::from(4.0).into()])),
    ]
}

#[test]
fn what_is_required_is_given_to_new_and_the_rest_stands_at_its_default() {
    let node = EveryKind::new(2, [Float::from(4.0)]);
    assert_eq!(node.first.wire(), Wire::Float(2.0));
    assert_eq!(node.count.wire(), Wire::Int(64));
    assert_eq!(node.min_dist.wire(), Wire::Float(1.0));
    assert_eq!(node.up.wire(), Wire::Vec3([0.0, 1.0, 0.0]));
    assert_eq!(node.doubled.wire(), Wire::Bool(false));
    assert!(node.bonus.is_none() && node.surface.is_none() && node.ground.is_none());
    assert_eq!(
        node.terms.iter().map(|term| term.wire()).collect::<Vec<_>>(),
        [Wire::Float(4.0)]
    );
    assert_eq!((node.passes, node.bias, node.flat), (2, 0.5, false));
    assert_eq!((node.label.as_str(), node.fill), ("plain", Fill::PolarGrid));
    assert_eq!(Constant::default().value, Constant::new().value);
    assert_eq!(Constant::new().value, 3);
}

#[test]
fn a_setter_takes_what_becomes_the_field() {
    let node = EveryKind::new(0.0, [])
        .count(7)
        .min_dist(2)
        .up([1.0, 0.0, 0.0])
        .doubled(true)
        .bonus(1.5);
    let node = node
        .passes(3)
        .bias(0.25)
        .flat(true)
        .label("other")
        .fill(Fill::Sunflower);
    assert_eq!(node.count.wire(), Wire::Int(7));
    assert_eq!(node.min_dist.wire(), Wire::Float(2.0));
    assert_eq!(node.up.wire(), Wire::Vec3([1.0, 0.0, 0.0]));
    assert_eq!(node.doubled.wire(), Wire::Bool(true));
    assert_eq!(node.bonus.map(Socket::wire), Some(Wire::Float(1.5)));
    assert_eq!((node.passes, node.bias, node.flat), (3, 0.25, true));
    assert_eq!((node.label.as_str(), node.fill), ("other", Fill::Sunflower));
}

#[test]
fn the_schema_holds_what_the_struct_states() {
    let schema = EveryKind::schema();
    assert_eq!(
        (schema.id, schema.description),
        ("test.every_kind", "Every kind of input.")
    );
    let names: Vec<&str> = schema.inputs.iter().map(|input| input.name).collect();
    let expected = [
        "first", "count", "minDist", "up", "doubled", "bonus", "surface", "ground", "terms", "passes",
    ];
    assert_eq!(names[..10], expected);
    let input = |name: &str| schema.inputs.iter().find(|input| input.name == name).unwrap();

    assert!(input("first").required && input("terms").required);
    assert_eq!(schema.inputs.iter().filter(|input| input.required).count(), 2);
    assert_eq!(input("count").kind, InputKind::Socket(Type::Int));
    assert_eq!(input("count").description, "How many.\n\nWhole numbers only.");
    assert_eq!((input("count").min, input("count").max), (Some(0.0), Some(100.0)));
    assert_eq!(input("count").default, Some(InputDefault::Int(64)));
    assert_eq!(input("minDist").default, Some(InputDefault::Float(1.0)));
    assert_eq!(input("minDist").min, Some(f64::from(0.7_f32)));
    assert_eq!((input("minDist").unit, input("minDist").uniform), ("m", true));
    assert_eq!(input("up").default, Some(InputDefault::Vec3([0.0, 1.0, 0.0])));
    assert_eq!(input("surface").kind, InputKind::Socket(Type::Geometry));
    assert_eq!((input("bonus").default, input("bonus").required), (None, false));
    assert_eq!(input("terms").kind, InputKind::List(Type::Float));
    assert_eq!(input("passes").kind, InputKind::PlainInt);
    assert_eq!(input("bias").kind, InputKind::PlainFloat);
    assert_eq!(input("flat").kind, InputKind::PlainBool);
    assert_eq!(input("label").default, Some(InputDefault::Text("plain")));
    assert_eq!(input("fill").kind, InputKind::Choice);
    assert_eq!(input("fill").default, Some(InputDefault::Text("polar_grid")));
    assert_eq!(input("fill").options, ["sunflower", "polar_grid"]);
}

#[test]
fn a_choice_goes_by_its_name_both_ways() {
    for fill in [Fill::Sunflower, Fill::PolarGrid] {
        assert_eq!(Fill::from_name(fill.name()), Some(fill));
    }
    assert_eq!(Fill::OPTIONS, ["sunflower", "polar_grid"]);
    assert_eq!(Fill::from_name("PolarGrid"), None);
}

#[test]
fn wires_give_what_the_setters_give() {
    let mut given = least();
    given.extend([
        ("count", plain(7)),
        ("minDist", plain(2)),
        ("up", socket(Vec3::from([1.0, 0.0, 0.0]))),
        ("doubled", plain(true)),
        ("bonus", plain(1.5)),
        ("passes", plain(3)),
        ("bias", plain(0.25)),
        ("flat", plain(true)),
        ("label", plain("other")),
        ("fill", plain("sunflower")),
    ]);
    let wired = EveryKind::from_wires(wires::<EveryKind>(given).unwrap()).unwrap();
    let set = EveryKind::new(2, [Float::from(4.0)])
        .count(7)
        .min_dist(2)
        .up([1.0, 0.0, 0.0])
        .doubled(true)
        .bonus(1.5);
    let set = set.passes(3).bias(0.25).flat(true).label("other").fill(Fill::Sunflower);
    assert_eq!(format!("{wired:?}"), format!("{set:?}"));

    let wired = EveryKind::from_wires(wires::<EveryKind>(least()).unwrap()).unwrap();
    assert_eq!(
        format!("{wired:?}"),
        format!("{:?}", EveryKind::new(2, [Float::from(4.0)]))
    );
}

#[test]
fn wires_that_do_not_fit_are_refused_by_the_name_of_the_input() {
    let refusal = |given: Vec<(&'static str, Argument<'_>)>| {
        wires::<EveryKind>(given)
            .and_then(|wires| EveryKind::from_wires(wires).map(drop))
            .unwrap_err()
            .to_string()
    };
    let with = |name, value| least().into_iter().chain([(name, value)]).collect();
    let without = |name| least().into_iter().filter(|(held, _)| *held != name).collect();
    assert_eq!(
        refusal(without("first")),
        "test.every_kind.first: expected a Float, got nothing"
    );
    assert_eq!(
        refusal(without("terms")),
        "test.every_kind.terms: expected a list of Float, got nothing"
    );
    assert_eq!(
        refusal(with("count", plain(1.5))),
        "test.every_kind.count: expected a Int, got the Float 1.5"
    );
    let fill = "test.every_kind.fill: expected one of sunflower, polar_grid, got \"spiral\"";
    assert_eq!(refusal(with("fill", plain("spiral"))), fill);
}

#[test]
fn an_input_it_does_not_take_is_refused_with_the_nearest() {
    let error = wires::<EveryKind>([("min_dist", plain(1.0))]).unwrap_err().to_string();
    assert!(
        error.starts_with("test.every_kind: ") && error.contains("'min_dist'"),
        "{error}"
    );
    assert!(error.contains("nearest") && error.contains("minDist"), "{error}");
}

/// Asserts that the node is refused for the input, or for none.
fn check(node: EveryKind<'_>, refused: Option<&str>) {
    let message = node.check().err().map(|error| error.to_string());
    match (refused, &message) {
        (None, None) => {}
        (Some(input), Some(message)) if message.starts_with(&format!("test.every_kind.{input} is ")) => {}
        _ => panic!("expected a refusal of {refused:?}, got {message:?}"),
    }
}

#[test]
fn a_constant_outside_its_range_is_refused_and_the_bounds_are_inside() {
    let node = || EveryKind::new(0.0, []);
    check(node(), None);
    check(node().count(0), None);
    check(node().count(100), None);
    check(node().count(101), Some("count"));
    // Neither 0.7 is an f32: the bound is the f32 nearest to it.
    check(node().min_dist(0.7).bias(0.7), None);
    check(node().min_dist(0.69), Some("minDist"));
    check(node().bias(0.71), Some("bias"));
    check(node().up([0.0, 0.0, -1.5]), Some("up"));
    check(node().bonus(5.5), Some("bonus"));
    check(node().passes(0), Some("passes"));
    check(EveryKind::new(f32::NAN, []), Some("first"));
    check(
        EveryKind::new(0.0, [Float::from(1.0), Float::from(-1.0)]),
        Some("terms"),
    );
}

#[test]
fn a_refused_constant_is_reported_at_the_line_of_the_call() {
    let line = line!() + 2;
    let defined = Graph::define("refused", |g| {
        let sums = g.add(EveryKind::new(0.0, []).count(-1));
        g.output("sum", sums.sum);
    });
    let Err(Error::Build { errors, .. }) = defined else {
        panic!("expected a refusal, got {defined:?}")
    };
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!((&*errors[0].site.file, errors[0].site.line), (file!(), line));
    assert_eq!(errors[0].what, "test.every_kind");
    assert_eq!(errors[0].message, "count is -1, expected 0 to 100");
}

#[test]
fn a_number_that_only_the_cook_knows_passes_the_check() {
    let defined = Graph::define("unknown", |g| {
        let sums = g.add(EveryKind::new(0.0, []).count(g.int("count", -1)));
        g.output("count", sums.count);
    });
    assert!(defined.is_ok(), "{defined:?}");
}

#[test]
fn outputs_keep_their_order_and_a_missing_one_stands_refused() {
    assert_eq!(<Sums<'_> as Sockets<'_>>::types(), [Type::Float, Type::Int]);
    let sums = Sums {
        sum: Float::from(1.0),
        count: Int::from(2),
    };
    assert_eq!(sums.wires(), [Wire::Float(1.0), Wire::Int(2)]);
    let defined = Graph::define("outputs", |g| {
        let back = Sums::from_wires(g, &[Wire::Float(1.0)]);
        assert_eq!((back.sum.wire(), back.count.wire()), (Wire::Float(1.0), Wire::Refused));
    });
    assert!(defined.is_ok(), "{defined:?}");
}

#[test]
fn a_registry_calls_a_node_by_its_id() {
    let defined = Graph::define("registry", |g| {
        let mut registry = Registry::new();
        registry.add::<EveryKind>().add::<Constant>();
        let ids: Vec<&str> = registry.schemas().map(|schema| schema.id).collect();
        assert_eq!(ids, ["test.constant", "test.every_kind"]);
        let answer = registry
            .call(g, "test.constant", wires::<Constant>([("value", plain(9))]).unwrap())
            .unwrap();
        assert_eq!(
            answer.iter().map(|socket| socket.wire()).collect::<Vec<_>>(),
            [Wire::Int(9)]
        );
        let answer = registry
            .call(g, "test.every_kind", wires::<EveryKind>(least()).unwrap())
            .unwrap();
        assert_eq!(
            answer.iter().map(|socket| socket.ty()).collect::<Vec<_>>(),
            [Type::Float, Type::Int]
        );
    });
    assert!(defined.is_ok(), "{defined:?}");
}
