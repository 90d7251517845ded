//! What a registry says of its nodes, finds among them, takes in and lets go of; and hashes of graphs and documents.
#![expect(clippy::unwrap_used, reason = "a test says so by panicking")]

use zero_procgen::nodes::{field, geometry, instances, mesh, points};
use zero_procgen::{
    Compose, DocOutput, Document, Error, Float, Geo, Graph, GraphDef, Node, Outputs, Registry, Result, Type, vec3,
};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/NODES.md");

const HEAD: &str = "# Nodes

What each node of this crate makes, takes and answers, written from what it states of itself. In Rust an input is a setter
in snake_case (`minDist` is `min_dist`), a required one an argument of `new`; in documents and scripts it has the name that
stands here. A number or a vector is one value, or one an element unless *one value* is said. *Plain* is a value that the
build reads.
";

#[test]
fn the_page_says_what_the_nodes_say() {
    let page = format!("{HEAD}{}", Registry::standard().reference());
    if std::env::var_os("ZERO_BLESS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(PAGE).unwrap() == page,
        "NODES.md is not what the nodes state: write it anew with ZERO_BLESS=1"
    );
}

fn found(registry: &Registry, words: &str) -> Vec<&'static str> {
    registry.search(words).iter().map(|node| node.schema.id).collect()
}

#[test]
fn a_search_finds_the_name_before_the_text_and_wants_every_word() {
    let registry = Registry::standard();
    assert_eq!(found(&registry, "disc")[0], "points.disc");
    assert_eq!(found(&registry, "POINTS.DISC")[0], "points.disc");
    assert_eq!(found(&registry, "mindist"), ["points.on_surface"]);
    let family = found(&registry, "points");
    let first = registry
        .schemas()
        .filter(|schema| schema.id.starts_with("points."))
        .count();
    assert!(family[..first].iter().all(|id| id.starts_with("points.")), "{family:?}");
    assert!(
        found(&registry, "disc surfac").is_empty(),
        "both words must be said of one node"
    );
    assert_eq!(found(&registry, "").len(), registry.schemas().count());
    assert!(found(&registry, "zyzzyva").is_empty());
    assert_eq!(
        found(&registry, "points"),
        found(&registry, "points"),
        "equals keep their order"
    );
}

#[test]
fn a_node_says_its_family_and_its_cost() {
    let registry = Registry::standard();
    let families = registry.families();
    assert!(
        families.is_sorted() && families.contains(&"points") && families.contains(&"mesh"),
        "{families:?}"
    );
    let nodes = families.iter().map(|family| registry.family(family).count());
    assert_eq!(nodes.sum::<usize>(), registry.schemas().count());
    assert!(
        registry
            .family("points")
            .all(|node| node.schema.id.starts_with("points."))
    );
    assert_eq!(registry.family("pointless").count(), 0);
    let cost = registry.schema("points.on_surface").unwrap().cost;
    assert!(
        cost.starts_with("7 dispatches for the samples;") && !cost.contains('\n'),
        "{cost}"
    );
    assert_eq!(registry.schema("mesh.box").unwrap().cost, "");
}

#[test]
fn a_graph_says_what_it_makes_and_its_family() {
    let graph = Graph::define("ring", |g| {
        g.describe("A ring of points.");
        g.family("fx");
        g.describe("A ring of points.");
        g.output("ring", g.add(points::Disc::new()));
    })
    .unwrap();
    assert_eq!((graph.description(), graph.family()), ("A ring of points.", "fx"));
    let registry = Registry::standard();
    let document = graph.to_document(&registry).unwrap();
    let read = Document::from_json(&document.to_json().unwrap()).unwrap();
    assert_eq!(read, document);
    let read = read.define(&registry).unwrap();
    assert_eq!((read.description(), read.family()), ("A ring of points.", "fx"));
    // What a graph says of itself is not what it computes.
    let mute = Graph::define("ring", |g| g.output("ring", g.add(points::Disc::new()))).unwrap();
    assert_eq!(mute.description(), "");
    assert_eq!(mute.hash().unwrap(), graph.hash().unwrap());
    let line = line!() + 3;
    let twice = Graph::define("ring", |g| {
        g.family("fx");
        g.family("points");
    });
    let message = twice.unwrap_err().to_string();
    let expected = format!("registry.rs:{line}: g.family failed: \"fx\" was stated before, \"points\" now");
    assert!(message.contains(&expected), "{message}");
}

/// The two halves of a sheet.
#[derive(Outputs)]
struct Halves<'g> {
    near: Geo<'g>,
    far_away: Geo<'g>,
}

/// Cuts points in two by a plane.
#[derive(Clone, Debug, Node)]
#[node(id = "test.cut")]
struct Cut<'g> {
    /// What is cut.
    geometry: Geo<'g>,
    /// Where the plane stands along X.
    #[input(default = 0.0, unit = "m")]
    at: Float<'g>,
}

impl<'g> Compose<'g> for Cut<'g> {
    type Out = Halves<'g>;
    fn compose(self, g: &'g Graph) -> Result<Halves<'g>> {
        let side = g.position().x() - self.at;
        Ok(Halves {
            near: g.add(points::Filter::new(self.geometry, -side).threshold(0.0)),
            far_away: g.add(points::Filter::new(self.geometry, side).threshold(0.0)),
        })
    }
}

fn pack(registry: &mut Registry) {
    registry.add::<Cut<'_>>();
}

#[test]
fn a_pack_comes_and_goes_whole() {
    let mut registry = Registry::standard();
    let before = (registry.revision(), registry.schemas().count());
    registry.add_pack("cutting", pack).unwrap();
    assert!(registry.revision() > before.0);
    assert_eq!(registry.packs().collect::<Vec<_>>(), ["cutting"]);
    let outputs = &registry.node("test.cut").unwrap().outputs;
    let expected = [
        ("near".to_owned(), Type::Geometry),
        ("farAway".to_owned(), Type::Geometry),
    ];
    assert_eq!(*outputs, expected);
    // Again is a replacement; another pack of the same id is refused and changes nothing.
    registry.add_pack("cutting", pack).unwrap();
    let revision = registry.revision();
    let error = registry.add_pack("other", pack).unwrap_err().to_string();
    assert!(
        error.contains("'test.cut' is taken") && error.contains("'cutting'"),
        "{error}"
    );
    let error = registry.add_pack("other", points::register).unwrap_err().to_string();
    assert!(error.contains("is taken by a node of no pack"), "{error}");
    assert_eq!(registry.revision(), revision);
    assert!(registry.remove_pack("cutting") && !registry.remove_pack("cutting"));
    assert_eq!(registry.schemas().count(), before.1);
    let error = registry.schema("test.cut").unwrap_err();
    assert!(matches!(error, Error::Unknown { .. }), "{error}");
}

const CUT: &str = r#"{
  "version": 1, "name": "cut",
  "nodes": {
    "disc": { "node": "points.disc", "inputs": { "count": 9 } },
    "cut": { "node": "test.cut", "inputs": { "geometry": { "node": "disc" } } }
  },
  "outputs": { "far": { "node": "cut", "output": "farAway" }, "near": { "node": "cut" } }
}"#;

#[test]
fn a_document_reads_an_output_by_name_or_by_place() {
    let mut registry = Registry::standard();
    registry.add_pack("cutting", pack).unwrap();
    let by_name = Document::from_json(CUT).unwrap();
    let by_place = Document::from_json(&CUT.replace(r#""farAway""#, "1")).unwrap();
    let hash = |document: &Document| document.define(&registry).unwrap().hash().unwrap();
    assert_eq!(hash(&by_name), hash(&by_place));
    assert_ne!(by_name.hash(), by_place.hash(), "two documents, one graph");
    let wrong = Document::from_json(&CUT.replace("farAway", "farAwya")).unwrap();
    let error = wrong.define(&registry).unwrap_err().to_string();
    assert!(
        error.contains("no output named 'farAwya'") && error.contains("farAway"),
        "{error}"
    );
    let past = Document::from_json(&CUT.replace(r#""farAway""#, "2")).unwrap();
    let error = past.define(&registry).unwrap_err().to_string();
    assert!(error.contains("an output below 2"), "{error}");
    assert_eq!(DocOutput::default(), DocOutput::Place(0));
}

/// The same graph: inputs declared and nodes made in one order or the other.
fn hills(turned: bool) -> GraphDef {
    Graph::define("hills", move |g| {
        if turned {
            let _ = g.float("scale", 2.0);
        }
        let relief = g.float("relief", 4.0);
        let (stone, sheet);
        if turned {
            stone = g.add(mesh::Box::new());
            sheet = g.add(mesh::Grid::new());
        } else {
            sheet = g.add(mesh::Grid::new());
            stone = g.add(mesh::Box::new());
        }
        let height = g.add(field::Fbm::new(g.position())) * relief;
        let raised = g.add(geometry::SetPosition::new(sheet, g.position() + vec3(0.0, height, 0.0)));
        let grown = g.fold(2, raised, |i, so_far| {
            g.add(geometry::SetPosition::new(
                so_far,
                g.position() * (relief + i.to_float()),
            ))
        });
        let placed = g.add(instances::Place::new(grown, stone).scale(g.float("scale", 2.0)));
        g.output("land", placed);
        g.output("stone", stone);
    })
    .unwrap()
}

#[test]
fn a_graph_s_hash_is_of_what_it_computes() {
    let hash = hills(false).hash().unwrap();
    assert_eq!(hills(true).hash().unwrap(), hash, "neither order nor line moves it");
    assert_eq!(hash.to_string().len(), 32);
    let other = |build: fn(&Graph)| Graph::define("hills", build).unwrap().hash().unwrap();
    let small = other(|g| g.output("a", g.add(mesh::Box::new())));
    assert_ne!(small, other(|g| g.output("b", g.add(mesh::Box::new()))));
    assert_ne!(
        small,
        other(|g| g.output("a", g.add(mesh::Box::new().size([1.0, 2.0, 1.0]))))
    );
    let moved = |default: f32| {
        let build = move |g: &Graph| g.output("a", g.add(mesh::Box::new().size(g.float("size", default))));
        Graph::define("hills", build).unwrap().hash().unwrap()
    };
    assert_ne!(moved(1.0), moved(2.0));
    let checked = other(|g| {
        g.check(g.float("size", 1.0).gt(0.0), "size");
        g.output("a", g.add(mesh::Box::new()));
    });
    assert_ne!(small, checked);
}

#[test]
fn a_document_s_hash_stands_through_formats_and_moves_with_its_content() {
    let document = Document::from_json(CUT).unwrap();
    let json = Document::from_json(&document.to_json().unwrap()).unwrap();
    // Any format of serde's that describes itself will do.
    let value: Document = serde_json::from_value(serde_json::to_value(&document).unwrap()).unwrap();
    assert_eq!((&json, &value), (&document, &document));
    assert_eq!((json.hash(), value.hash()), (document.hash(), document.hash()));
    // Its nodes in another order are the same document.
    let turned = r#"{ "outputs": { "near": { "node": "cut" }, "far": { "node": "cut", "output": "farAway" } },
        "nodes": { "cut": { "inputs": { "geometry": { "node": "disc" } }, "node": "test.cut" },
                   "disc": { "inputs": { "count": 9 }, "node": "points.disc" } }, "name": "cut", "version": 1 }"#;
    assert_eq!(Document::from_json(turned).unwrap().hash(), document.hash());
    assert_ne!(
        Document::from_json(&CUT.replace('9', "8")).unwrap().hash(),
        document.hash()
    );
}

#[test]
fn a_graph_from_rust_and_from_a_document_hash_alike() {
    let document = r#"{ "version": 1, "name": "d", "inputs": { "r": { "type": "Float", "default": 3.0 } },
        "nodes": { "p": { "node": "points.disc", "inputs": { "count": 12, "radius": { "input": "r" } } } },
        "outputs": { "points": { "node": "p" } } }"#;
    let document = Document::from_json(document)
        .unwrap()
        .define(&Registry::standard())
        .unwrap();
    let rust = Graph::define("d", |g| {
        g.output("points", g.add(points::Disc::new().count(12).radius(g.float("r", 3.0))));
    })
    .unwrap();
    assert_eq!(document.hash().unwrap(), rust.hash().unwrap());
}
