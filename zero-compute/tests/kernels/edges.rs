//! The edge table against a map of point pairs.

use std::collections::BTreeMap;

use zero_compute::kernels::{Edges, Primitives, edges, edges_runs, open_edges};
use zero_compute::{Column, Device, Error};

use crate::{Bits, Random, bits, check_all, devices_once, live, live_counts, sizes};

/// The slot, the primitive and whether it is turned.
type Side = (usize, i32, i32);

/// Primitives as the kernels read them.
#[derive(Clone, Debug, Default)]
struct Mesh {
    starts: Vec<i32>,
    counts: Vec<i32>,
    points: Vec<i32>,
    closed: Option<Vec<i32>>,
}

impl Mesh {
    /// Faces, one after the other.
    fn of(faces: &[Vec<i32>]) -> Mesh {
        let mut mesh = Mesh::default();
        for face in faces {
            mesh.starts.push(mesh.points.len() as i32);
            mesh.counts.push(face.len() as i32);
            mesh.points.extend(face);
        }
        mesh
    }

    /// `n` vertex slots of primitives of 0 to 6 vertices with slots between some, over few points and some that are none.
    fn random(random: &mut Random, n: u32, has_curves: bool) -> Mesh {
        let mut mesh = Mesh::default();
        let reach = (n / 2).max(3);
        let near = random.below(reach);
        for _ in 0..n {
            let far = random.below(8) == 0;
            let point = if far {
                random.below(reach)
            } else {
                near + random.below(9)
            };
            mesh.points.push(if random.below(40) == 0 { -1 } else { point as i32 });
        }
        let mut at = 0;
        while at <= n {
            let size = random.below(7).min(n - at);
            mesh.starts.push(at as i32);
            mesh.counts.push(size as i32);
            at += size.max(u32::from(random.below(3) == 0)) + random.below(9) / 8;
            if size == 0 && random.below(5) == 0 {
                at += 1;
            }
        }
        if has_curves {
            mesh.closed = Some(random.flags(mesh.starts.len() as u32, 2));
        }
        mesh
    }

    fn upload(&self, device: &Device, primitives: u32, slots: u32) -> [Column; 4] {
        let up = |words: &[i32]| device.upload(words, 1).unwrap();
        [
            live(device, &up(&self.starts), primitives),
            up(&self.counts),
            live(device, &up(&self.points), slots),
            up(self.closed.as_deref().unwrap_or(&[])),
        ]
    }

    /// The table over the first primitives and slots, in the order in which [`columns`] answers it.
    fn table(&self, primitives: u32, slots: u32) -> Vec<Vec<u32>> {
        let n = self.points.len();
        let slots = (slots as usize).min(n);
        let mut found: BTreeMap<(i32, i32), Vec<Side>> = BTreeMap::new();
        for (face, (&start, &count)) in self
            .starts
            .iter()
            .zip(&self.counts)
            .enumerate()
            .take(primitives as usize)
        {
            let closes = self.closed.as_ref().is_none_or(|closed| closed[face] != 0);
            for k in 0..count as usize {
                let own = start as usize + k;
                let next = match k + 1 == count as usize {
                    false => own + 1,
                    true if closes => start as usize,
                    true => continue,
                };
                if own >= slots || next >= slots {
                    continue;
                }
                let (p, q) = (self.points[own], self.points[next]);
                if p >= 0 && q >= 0 && p != q {
                    let along = found.entry((p.min(q), p.max(q))).or_default();
                    along.push((own, face as i32, i32::from(p > q)));
                }
            }
        }
        let mut side_edge = vec![-1; n];
        let mut table: [Vec<i32>; 8] = Default::default();
        let [a, b, start, count, faces, reversed, open, manifold] = &mut table;
        for (edge, ((low, high), along)) in found.iter_mut().enumerate() {
            along.sort_unstable();
            a.push(*low);
            b.push(*high);
            start.push(faces.len() as i32);
            count.push(along.len() as i32);
            open.push(i32::from(along.len() == 1));
            manifold.push(i32::from(along.len() <= 2));
            for &(slot, face, turned) in along.iter() {
                faces.push(face);
                reversed.push(turned);
                side_edge[slot] = edge as i32;
            }
        }
        let edges = a.len() as u32;
        for (column, inert) in table.iter_mut().zip([-1, -1, -1, 0, 0, 0, 0, 0]) {
            column.resize(n, inert);
        }
        let mut table: Vec<Vec<u32>> = table.iter().map(|column| column.to_words()).collect();
        table.extend([side_edge.to_words(), vec![edges]]);
        table
    }
}

fn columns(edges: Edges) -> Vec<Column> {
    vec![
        edges.a,
        edges.b,
        edges.face_start,
        edges.face_count,
        edges.faces,
        edges.reversed,
        edges.open,
        edges.manifold,
        edges.side_edge,
        edges.count,
    ]
}

fn check(what: &str, mesh: &Mesh, primitives: u32, slots: u32) {
    check_all(what, &mesh.table(primitives, slots), |device, rec| {
        let [starts, counts, points, closed] = mesh.upload(device, primitives, slots);
        let given = Primitives {
            starts: &starts,
            counts: &counts,
            points: &points,
            closed: mesh.closed.as_ref().map(|_| &closed),
        };
        columns(edges(rec, given).unwrap())
    });
}

#[test]
pub(crate) fn random_primitives_make_the_table_of_their_sides() {
    let mut random = Random(101);
    for n in sizes() {
        for has_curves in [false, true] {
            let mesh = Mesh::random(&mut random, n, has_curves);
            let all = mesh.starts.len() as u32;
            for slots in live_counts(n) {
                check(&format!("{slots} of {n} slots, curves {has_curves}"), &mesh, all, slots);
            }
            for primitives in live_counts(all) {
                check(&format!("{primitives} of {all} primitives"), &mesh, primitives, n);
            }
        }
    }
}

#[test]
fn shapes_with_known_tables() {
    let shapes: &[(&str, Vec<Vec<i32>>, u32, u32)] = &[
        // Name, faces, edges, open edges.
        ("nothing", vec![], 0, 0),
        ("a triangle", vec![vec![4, 0, 2]], 3, 3),
        ("a quad and a triangle", vec![vec![0, 1, 2, 3], vec![1, 0, 4]], 6, 5),
        (
            "a fan of three faces",
            vec![vec![0, 1, 2], vec![0, 1, 3], vec![1, 0, 4]],
            7,
            6,
        ),
        (
            "a tetrahedron",
            vec![vec![0, 1, 2], vec![0, 3, 1], vec![1, 3, 2], vec![2, 3, 0]],
            6,
            0,
        ),
        ("sides from a point to itself", vec![vec![3, 3, 5, 5, 5]], 1, 0),
        ("a point and a line", vec![vec![7], vec![8, 9]], 1, 0),
    ];
    for (name, faces, all, open) in shapes {
        let mesh = Mesh::of(faces);
        let table = mesh.table(u32::MAX, u32::MAX);
        let ones = table[6].iter().sum::<u32>();
        assert_eq!((table[9][0], ones), (*all, *open), "{name}: the oracle");
        check(name, &mesh, mesh.starts.len() as u32, mesh.points.len() as u32);
    }
}

/// A sheet of `wide` by `high` quads, each cut into two triangles.
fn sheet(wide: i32, high: i32) -> Vec<Vec<i32>> {
    let mut faces = Vec::new();
    for y in 0..high {
        for x in 0..wide {
            let [a, b] = [y, y + 1].map(|y| y * (wide + 1) + x);
            faces.extend([vec![a, a + 1, b + 1], vec![a, b + 1, b]]);
        }
    }
    faces
}

#[test]
fn a_sheet_of_100_000_triangles_has_the_edges_that_euler_counts() {
    let mesh = Mesh::of(&sheet(250, 200));
    assert_eq!(mesh.starts.len(), 100_000);
    let table = mesh.table(u32::MAX, u32::MAX);
    // Points less edges plus faces is 1 for a disc.
    assert_eq!(251 * 201 - table[9][0] as i32 + 100_000, 1);
    check("sheet", &mesh, 100_000, 300_000);
}

#[test]
pub(crate) fn open_edges_run_as_their_face_does() {
    let mesh = Mesh::of(&[vec![0, 1, 2, 3], vec![1, 0, 4], vec![3, 9, 8], vec![-1, 3, 8]]);
    // By lower point, then higher: 0-1 is shared; 3-8 is too.
    let from = [3, 0, 1, 4, 2, 3, 9];
    let to = [0, 4, 2, 1, 3, 9, 8];
    for (name, device) in devices_once() {
        let mut rec = device.record("open");
        let [starts, counts, points, _] = mesh.upload(device, 4, 13);
        let given = Primitives {
            starts: &starts,
            counts: &counts,
            points: &points,
            closed: None,
        };
        let table = edges(&mut rec, given).unwrap();
        let open = open_edges(&mut rec, &table).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let read = |column: &Column| column.read::<i32>().unwrap().wait().unwrap();
        assert_eq!(
            (read(&open.from), read(&open.to)),
            (from.to_vec(), to.to_vec()),
            "{name}"
        );
        assert_eq!(bits(&open.count), [7], "{name}");
        let source = read(&open.source);
        assert!(source.is_sorted() && source.len() == 7, "{name}: {source:?}");
        let ends: Vec<_> = from.iter().zip(to).map(|(&p, q)| (p.min(q), p.max(q))).collect();
        let found: Vec<_> = read(&open.a).into_iter().zip(read(&open.b)).collect();
        assert_eq!(found, ends, "{name}");
        assert!(bits(&open.from)[7..].iter().all(|&word| word == u32::MAX), "{name}");
    }
}

#[test]
fn primitives_that_do_not_fit_are_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let (four, three) = (
            device.upload(&[0i32; 4], 1).unwrap(),
            device.upload(&[0i32; 3], 1).unwrap(),
        );
        let fine = Primitives {
            starts: &four,
            counts: &four,
            points: &three,
            closed: None,
        };
        let pairs = four.reinterpret(2).unwrap();
        for bad in [
            Primitives { counts: &three, ..fine },
            Primitives {
                closed: Some(&three),
                ..fine
            },
            Primitives { starts: &pairs, ..fine },
            Primitives { points: &pairs, ..fine },
        ] {
            let error = edges(&mut rec, bad).map(drop);
            assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
        }
        let floats = device.upload(&[0.0f32; 4], 1).unwrap();
        for bad in [
            Primitives {
                points: &floats,
                ..fine
            },
            Primitives {
                starts: &floats,
                ..fine
            },
        ] {
            let error = edges(&mut rec, bad).map(drop);
            assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
        }
    }
}

/// Two sides along every edge but the last, of which the order lists as many as its live count says.
#[test]
fn runs_end_where_the_order_does() {
    let n = 600u32;
    for listed in [0, 1, 2, 7, 256, 599, 600, 900] {
        let live_sides = listed.min(n) as i32;
        let edges = (live_sides + 1) / 2;
        let table = |of: &dyn Fn(i32) -> i32, inert: i32| -> Vec<u32> {
            let row = |edge: i32| if edge < edges { of(edge) } else { inert };
            (0..n as i32).map(row).collect::<Vec<i32>>().to_words()
        };
        let expected = [
            table(&|edge| edge, -1),
            table(&|edge| edge + 1, -1),
            table(&|edge| 2 * edge, -1),
            table(&|edge| (live_sides - 2 * edge).min(2), 0),
            vec![edges as u32],
        ];
        check_all(&format!("{listed} of {n} sides"), &expected, |device, rec| {
            let order: Vec<i32> = (0..n as i32).collect();
            let low: Vec<u32> = (0..n).map(|side| side / 2).collect();
            let high: Vec<u32> = (0..n).map(|side| side / 2 + 1).collect();
            let order = live(device, &device.upload(&order, 1).unwrap(), listed);
            let (low, high) = (device.upload(&low, 1).unwrap(), device.upload(&high, 1).unwrap());
            let runs = edges_runs(rec, &order, &low, &high).unwrap();
            let count = runs.a.live_count().unwrap();
            vec![runs.a, runs.b, runs.starts, runs.counts, count]
        });
    }
}
