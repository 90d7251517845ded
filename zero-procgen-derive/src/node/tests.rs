use super::expand;
use crate::testing::{assert_holds, messages, squeezed};
use syn::{DeriveInput, parse_quote};

fn disc() -> DeriveInput {
    parse_quote! {
        /// Points over a disc.
        #[node(id = "points.disc")]
        pub struct Disc<'a> {
            /// The ground.
            pub land: Geo<'a>,
            /// How many.
            #[input(default = 64, min = 0)]
            pub count: Int<'a>,
            /// Radius.
            #[input(default = 1, min = 0.7, max = MOST, unit = "m", uniform)]
            pub max_radius: Float<'a>,
            /// Up.
            #[input(default = [0, 1, 0])]
            pub up: Vec3<'a>,
            /// Whether it closes.
            #[input(default = true)]
            pub closed: Bool<'a>,
            /// Where to keep away from.
            #[input(max = 3)]
            pub away: Option<Float<'a>>,
            /// What is merged.
            pub parts: Vec<Col<'a>>,
            /// Rings.
            #[input(default = 3, max = 9)]
            pub rings: i32,
            /// Bias.
            #[input(default = -1)]
            pub bias: f32,
            /// Label.
            #[input(default = "disc")]
            pub label: String,
            /// Arrangement.
            #[input(default = Fill::PolarGrid, options)]
            pub fill: Fill,
            /// Edge.
            #[input(options)]
            pub edge: Edge,
            /// Salt.
            pub salt: i32,
        }
    }
}

#[test]
fn new_takes_what_is_required_and_fills_in_the_rest() {
    assert_holds(
        expand(disc()),
        &["impl<'a> Disc<'a> {
                #[doc = r\" Points over a disc.\"] #[must_use] #[track_caller]
                pub fn new(
                    land: impl ::core::convert::Into<Geo<'a>>,
                    parts: impl ::core::convert::Into<Vec<Col<'a>>>,
                    edge: impl ::core::convert::Into<Edge>,
                    salt: i32
                ) -> Self {
                    Self {
                        land: ::core::convert::Into::into(land),
                        count: <Int<'a> as ::core::convert::From<i32>>::from(64),
                        max_radius: <Float<'a> as ::core::convert::From<f32>>::from(1.0),
                        up: <Vec3<'a> as ::core::convert::From<[f32; 3]>>::from([0.0, 1.0, 0.0]),
                        closed: <Bool<'a> as ::core::convert::From<bool>>::from(true),
                        away: ::core::option::Option::None,
                        parts: ::core::convert::Into::into(parts),
                        rings: 3,
                        bias: -1.0,
                        label: <String as ::core::convert::From<&str>>::from(\"disc\"),
                        fill: Fill::PolarGrid,
                        edge: ::core::convert::Into::into(edge),
                        salt: salt
                    }
                }"],
    );
}

#[test]
fn an_input_that_is_not_required_has_a_setter_with_its_doc() {
    assert_holds(
        expand(disc()),
        &[
            "#[doc = r\" How many.\"] #[must_use] #[track_caller]
            pub fn count(mut self, count: impl ::core::convert::Into<Int<'a>>) -> Self {
                self.count = ::core::convert::Into::into(count);
                self
            }",
            "pub fn away(mut self, away: impl ::core::convert::Into<Float<'a>>) -> Self {
                self.away = ::core::option::Option::Some(::core::convert::Into::into(away));
                self
            }",
            "pub fn rings(mut self, rings: i32) -> Self { self.rings = rings; self }",
            "pub fn label(mut self, label: impl ::core::convert::Into<String>) -> Self",
        ],
    );
    let code = squeezed(expand(disc()).unwrap().to_string());
    assert!(
        !code.contains("fnland") && !code.contains("fnparts") && !code.contains("fnedge"),
        "required: no setter"
    );
}

#[test]
fn the_schema_states_every_attribute() {
    let input = "::zero_procgen::InputSchema::new";
    let socket = "::zero_procgen::InputKind::Socket(::zero_procgen::Type::";
    let default = "::zero_procgen::InputDefault::";
    let expected = [
        format!("{input}(\"land\", \"The ground.\", {socket}Geometry)).required(),"),
        format!("{input}(\"count\", \"How many.\", {socket}Int)).default({default}Int(64)).min({{ let bound: i32 = 0; bound as f64 }}),"),
        format!(
            "{input}(\"maxRadius\", \"Radius.\", {socket}Float)).default({default}Float(1.0))
            .min({{ let bound: f32 = 0.7; bound as f64 }}).max({{ let bound: f32 = MOST; bound as f64 }}).unit(\"m\").uniform(),"
        ),
        format!("{socket}Vec3)).default({default}Vec3([0.0, 1.0, 0.0])),"),
        format!("{socket}Bool)).default({default}Bool(true)),"),
        format!("{input}(\"away\", \"Where to keep away from.\", {socket}Float)).max({{ let bound: f32 = 3.0; bound as f64 }}),"),
        "::zero_procgen::InputKind::List(::zero_procgen::Type::Column)).required(),".to_owned(),
        format!("::zero_procgen::InputKind::PlainInt).default({default}Int(3)).max({{ let bound: i32 = 9; bound as f64 }}),"),
        format!("::zero_procgen::InputKind::PlainFloat).default({default}Float(-1.0)),"),
        format!("::zero_procgen::InputKind::PlainText).default({default}Text(\"disc\")),"),
        format!(
            "::zero_procgen::InputKind::Choice).default({default}Text(\"polar_grid\"))
            .options(<Fill as ::zero_procgen::Choice>::OPTIONS),"
        ),
        "::zero_procgen::InputKind::Choice).required().options(<Edge as ::zero_procgen::Choice>::OPTIONS),".to_owned(),
        "static INPUTS: [::zero_procgen::InputSchema; 13usize] =".to_owned(),
        "::zero_procgen::Schema::new(\"points.disc\", \"Points over a disc.\", &INPUTS)".to_owned(),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_holds(expand(disc()), &expected);
}

#[test]
fn every_number_is_held_against_its_range() {
    let check = "::zero_procgen::check_range(schema, &schema.inputs";
    let wire = "::zero_procgen::Socket::wire";
    let expected = [
        "impl ::zero_procgen::NodeInfo for Disc<'_>".to_owned(),
        format!("{check}[1usize], {wire}(self.count))?;"),
        format!("{check}[3usize], {wire}(self.up))?;"),
        format!("if let ::core::option::Option::Some(socket) = self.away {{ {check}[5usize], {wire}(socket))?; }}"),
        format!("{check}[7usize], ::zero_procgen::Wire::Int(self.rings))?;"),
        format!("{check}[8usize], ::zero_procgen::Wire::Float(self.bias))?;"),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_holds(expand(disc()), &expected);
    let list = expand(parse_quote! {
        /// Sums.
        #[node(id = "math.sum")]
        struct Sum<'g> {
            /// Terms.
            #[input(min = 0)]
            terms: Vec<Float<'g>>,
        }
    });
    assert_holds(
        list,
        &[&format!(
            "for socket in &self.terms {{ {check}[0usize], {wire}(*socket))?; }}"
        )],
    );
}

#[test]
fn wires_become_fields_by_their_names_in_documents() {
    let some = "::core::option::Option::Some(given) => given, ::core::option::Option::None =>";
    let refused = "return ::core::result::Result::Err(::zero_procgen::Error::Refused";
    let expected = [
        "impl<'a> ::zero_procgen::FromWires<'a> for Disc<'a>".to_owned(),
        "land: wires.required::<Geo<'a>>(\"land\")?,".to_owned(),
        format!(
            "max_radius: match wires.socket::<Float<'a>>(\"maxRadius\")? {{ {some} <Float<'a> as ::core::convert::From<f32>>::from(1.0), }}"
        ),
        "away: wires.socket::<Float<'a>>(\"away\")?,".to_owned(),
        format!(
            "parts: match wires.list::<Col<'a>>(\"parts\")? {{ {some} {refused}(::std::string::String::from(
            \"points.disc.parts: expected a list of Column, got nothing\"))), }}"
        ),
        format!("rings: match wires.plain::<i32>(\"rings\")? {{ {some} 3, }}"),
        format!("fill: match wires.choice::<Fill>(\"fill\")? {{ {some} Fill::PolarGrid, }}"),
        format!(
            "edge: match wires.choice::<Edge>(\"edge\")? {{ {some} {refused}(::std::format!(\"{{}}.{{}}: expected one of {{}}, got nothing\", \"points.disc\", \"edge\","
        ),
        format!("{refused}(::std::string::String::from(\"points.disc.salt: expected a Int, got nothing\"))"),
        "impl ::zero_procgen::NodeType for Disc<'_> { type On<'graph> = Disc<'graph>; }".to_owned(),
    ];
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    assert_holds(expand(disc()), &expected);
}

#[test]
fn a_node_that_requires_nothing_has_a_default_and_may_have_no_lifetime() {
    let code = expand(parse_quote! {
        /// The origin.
        #[node(id = "points.origin")]
        pub(crate) struct Origin;
    });
    assert_holds(
        code,
        &[
            "impl Origin {",
            "pub(crate) fn new() -> Self { Self {} }",
            "impl ::core::default::Default for Origin { fn default() -> Self { Self::new() } }",
            "impl ::zero_procgen::NodeInfo for Origin {",
            "fn check(&self) -> ::zero_procgen::Result<()> { ::core::result::Result::Ok(()) }",
            "impl<'g> ::zero_procgen::FromWires<'g> for Origin { fn from_wires(_wires: ::zero_procgen::Wires<'g>)",
            "impl ::zero_procgen::NodeType for Origin { type On<'graph> = Origin; }",
        ],
    );
    assert!(
        !squeezed(expand(disc()).unwrap().to_string()).contains("core::default"),
        "land is required"
    );
}

fn refused(node: DeriveInput, expected: &[&str]) {
    assert_eq!(messages(expand(node)), expected);
}

#[test]
fn a_node_without_a_doc_an_id_or_named_fields_is_refused() {
    refused(
        parse_quote!(
            struct A<'g>(Geo<'g>);
        ),
        &[
            "node 'A' needs a doc comment: it is the description that tools show",
            "a node needs an id: add #[node(id = \"family.name\")]",
            "a node is a struct with named fields, or with none",
        ],
    );
    refused(
        parse_quote!(
            #[doc = "A."]
            #[node(id = "disc")]
            enum A<'g, T> {
                B(&'g T),
            }
        ),
        &[
            "a node has at most one generic parameter, the lifetime of its graph",
            "'disc' is no id: expected words of letters, digits and _ joined by dots, such as points.disc",
            "a node is a struct with named fields, or with none",
        ],
    );
    refused(
        parse_quote!(
            #[doc = "A."]
            #[node(id = "a.b")]
            struct A<T>
            where
                T: Copy, {}
        ),
        &["a node has at most one generic parameter, the lifetime of its graph"],
    );
}

/// The messages for a node of one field.
fn field(field: syn::Field, expected: &str) {
    refused(
        parse_quote!(#[doc = "A."] #[node(id = "a.b")] struct A<'g> { #field }),
        &[expected],
    );
}

#[test]
fn an_input_without_a_doc_or_by_the_name_of_the_constructor_is_refused() {
    field(
        parse_quote!(a: i32),
        "input 'a' needs a doc comment: it is the description that tools show",
    );
    field(
        parse_quote!(#[doc = "N."] new: i32),
        "'new' is the name of the constructor; name the input otherwise",
    );
    let twice = parse_quote! {
        #[doc = "A."]
        #[node(id = "a.b")]
        struct A { #[doc = "X."] min_dist: i32, #[doc = "Y."] _min_dist: i32 }
    };
    refused(twice, &["two inputs are named 'minDist' in documents"]);
}

#[test]
fn an_attribute_that_the_kind_can_not_follow_is_refused() {
    let types = format!("no input has this type; {}", crate::kind::TYPES);
    field(parse_quote!(#[doc = "A."] a: Fill), &types);
    field(
        parse_quote!(#[doc = "A."] #[input(options)] a: i32),
        "'a' is no choice: options is for an enum that derives Choice",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(default = 1.0)] a: Option<Float<'g>>),
        "'a' has no default: an Option that a call leaves out is nothing",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(default = [])] a: Vec<Geo<'g>>),
        "'a' has no default: a list is stated by every call",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(default = 1)] a: Geo<'g>),
        "'a' has no default: only a number or a truth can be a constant",
    );
    for default in ["FILL", "Fill::DEFAULT", "Sunflower", "fill()"] {
        let default: syn::Expr = syn::parse_str(default).unwrap();
        field(
            parse_quote!(#[doc = "A."] #[input(default = #default, options)] a: Fill),
            "'a' has no default: that of a choice is the path of a variant, such as Fill::Sunflower",
        );
    }
    field(
        parse_quote!(#[doc = "A."] #[input(min = 0)] a: bool),
        "'a' is no number: it has no min",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(max = 0)] a: Geo<'g>),
        "'a' is no number: it has no max",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(unit = "m")] a: String),
        "'a' is no number: it has no unit",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(uniform)] a: f32),
        "'a' is one value as it is: uniform is for a number, a truth or a vector",
    );
}

#[test]
fn a_range_that_holds_no_number_or_not_the_default_is_refused() {
    field(
        parse_quote!(#[doc = "A."] #[input(min = 2, max = 1)] a: i32),
        "'a' takes no number: 2 to 1 is empty",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(default = 0.5, min = 1)] a: Float<'g>),
        "the default of 'a', 0.5, is outside its range",
    );
    field(
        parse_quote!(#[doc = "A."] #[input(default = [0, -2, 0], min = -1.0)] a: Vec3<'g>),
        "the default of 'a', -2, is outside its range",
    );
}

#[test]
fn every_mistake_is_reported_at_once() {
    refused(
        parse_quote! {
            struct A<'g> {
                a: Int<'g>,
                /// B.
                #[input(typo)]
                b: Int<'g>,
            }
        },
        &[
            "node 'A' needs a doc comment: it is the description that tools show",
            "a node needs an id: add #[node(id = \"family.name\")]",
            "input 'a' needs a doc comment: it is the description that tools show",
            "no key 'typo'; #[input] takes default, min, max, unit, uniform and options",
        ],
    );
}
