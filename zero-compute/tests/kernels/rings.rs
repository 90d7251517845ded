//! Rings and chains against following edges one by one.

use std::collections::{BTreeMap, VecDeque};

use zero_compute::Error;
use zero_compute::kernels::{Loops, Primitives, edges, loops, open_edges};
use zero_compute::{Column, Device};

use crate::{Bits, Random, bits, check_all, devices_once, live, live_counts, sizes};

/// Directed edges.
#[derive(Clone, Debug, Default)]
struct Directed {
    from: Vec<i32>,
    to: Vec<i32>,
}

/// A list of edges with whether it is a ring.
type List = (Vec<usize>, bool);

impl Directed {
    fn of(pairs: &[(i32, i32)]) -> Directed {
        let (from, to) = pairs.iter().copied().unzip();
        Directed { from, to }
    }

    /// The edges of walks over points of their own, in a shuffled order; each is a ring or not.
    fn walks(random: &mut Random, walks: &[(u32, bool)]) -> Directed {
        let mut pairs = Vec::new();
        let mut point = 0;
        for &(length, closes) in walks {
            let first = point;
            for k in 0..length as i32 {
                let last = k + 1 == length as i32;
                pairs.push((first + k, if last && closes { first } else { first + k + 1 }));
            }
            point += length as i32 + 1;
        }
        for at in (1..pairs.len()).rev() {
            pairs.swap(at, random.below(at as u32 + 1) as usize);
        }
        Directed::of(&pairs)
    }

    /// Pairs the edges at each point in their order and follows them.
    fn lists(&self, count: usize) -> Vec<List> {
        let mut leaving: BTreeMap<i32, VecDeque<usize>> = BTreeMap::new();
        for (edge, &from) in self.from.iter().enumerate().take(count) {
            leaving.entry(from).or_default().push_back(edge);
        }
        let mut next = vec![None; count];
        let mut is_followed = vec![false; count];
        for (edge, &to) in self.to.iter().enumerate().take(count) {
            let after = leaving.get_mut(&to).filter(|_| to >= 0).and_then(VecDeque::pop_front);
            if let Some(after) = after {
                next[edge] = Some(after);
                is_followed[after] = true;
            }
        }
        let mut seen = vec![false; count];
        let mut lists: Vec<List> = Vec::new();
        // The chains first: what is left is on rings, each met at its smallest edge.
        let heads = (0..count).filter(|&edge| !is_followed[edge]).chain(0..count);
        for head in heads.collect::<Vec<_>>() {
            let mut list = Vec::new();
            let mut at = Some(head);
            while let Some(edge) = at.filter(|&edge| !seen[edge]) {
                seen[edge] = true;
                list.push(edge);
                at = next[edge];
            }
            if !list.is_empty() {
                lists.push((list, at.is_some()));
            }
        }
        lists.sort_unstable();
        lists
    }

    /// What [`loops`] answers, in the order of [`columns`].
    fn expected(&self, count: u32) -> Vec<Vec<u32>> {
        let n = self.from.len();
        let lists = self.lists((count as usize).min(n));
        let (mut ring, mut position) = (vec![-1; n], vec![0; n]);
        let (mut order, mut lengths, mut closed) = (Vec::new(), Vec::new(), Vec::new());
        let mut starts = Vec::new();
        for (number, (list, is_ring)) in lists.iter().enumerate() {
            starts.push(order.len() as u32);
            lengths.push(list.len() as i32);
            closed.push(i32::from(*is_ring));
            for (place, &edge) in list.iter().enumerate() {
                (ring[edge], position[edge]) = (number as i32, place as i32);
                order.push(edge as i32);
            }
        }
        starts.resize(n, order.len() as u32);
        lengths.resize(n, 0);
        closed.resize(n, 0);
        order.resize(n, -1);
        vec![
            ring.to_words(),
            position.to_words(),
            order.to_words(),
            starts,
            lengths.to_words(),
            closed.to_words(),
            vec![lists.len() as u32],
        ]
    }

    fn upload(&self, device: &Device, count: u32) -> (Column, Column) {
        let from = device.upload(&self.from, 1).unwrap();
        (live(device, &from, count), device.upload(&self.to, 1).unwrap())
    }
}

fn columns(loops: Loops) -> Vec<Column> {
    vec![
        loops.ring,
        loops.position,
        loops.order,
        loops.starts,
        loops.lengths,
        loops.closed,
        loops.count,
    ]
}

fn check(what: &str, edges: &Directed, count: u32) {
    check_all(what, &edges.expected(count), |device, rec| {
        let (from, to) = edges.upload(device, count);
        columns(loops(rec, &from, &to).unwrap())
    });
}

#[test]
pub(crate) fn random_edges_are_followed() {
    let mut random = Random(111);
    for n in sizes() {
        // As many edges as points: walks meet in points that several reach and several leave.
        let reach = n.max(4);
        let mut end = || {
            if random.below(50) == 0 {
                -1
            } else {
                random.below(reach) as i32
            }
        };
        let pairs: Vec<_> = (0..n).map(|_| (end(), end())).collect();
        let edges = Directed::of(&pairs);
        for count in live_counts(n) {
            check(&format!("{count} of {n} edges"), &edges, count);
        }
    }
}

#[test]
fn rings_and_chains_come_out_whole() {
    let mut random = Random(112);
    for walks in [
        vec![(1, false)],
        vec![(1, true)],
        vec![(2, true), (1, true), (3, false)],
        vec![(1024, true)],
        vec![(1025, false), (7, true), (256, true), (1, false)],
        (1..80).map(|length| (length, length % 3 != 0)).collect(),
        vec![(20_000, true), (20_000, false)],
    ] {
        let edges = Directed::walks(&mut random, &walks);
        let mut found: Vec<_> = edges
            .lists(edges.from.len())
            .iter()
            .map(|(list, is_ring)| (list.len() as u32, *is_ring))
            .collect();
        let mut expected = walks.clone();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "the oracle");
        check(&format!("walks {:?}", &walks[..walks.len().min(5)]), &edges, u32::MAX);
    }
}

#[test]
fn edges_that_meet_in_a_point_are_paired_in_their_order() {
    // Two rings that touch in point 0; the first to reach it goes on with the first to leave it.
    let edges = Directed::of(&[(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0), (5, 5), (-1, 7), (7, -1)]);
    let lists = edges.lists(9);
    let expected: Vec<List> = vec![
        (vec![0, 1, 2], true),
        (vec![3, 4, 5], true),
        (vec![6], true),
        (vec![7, 8], false),
    ];
    assert_eq!(lists, expected, "the oracle");
    check("meeting in a point", &edges, 9);
}

/// A sheet of triangles with holes of a quad each, as faces.
fn sheet_with_holes(wide: i32, high: i32, holes: &[(i32, i32)]) -> (Vec<i32>, Vec<i32>, Vec<i32>) {
    let (mut starts, mut counts, mut points) = (Vec::new(), Vec::new(), Vec::new());
    for y in 0..high {
        for x in 0..wide {
            if holes.contains(&(x, y)) {
                continue;
            }
            let [a, b] = [y, y + 1].map(|y| y * (wide + 1) + x);
            for face in [[a, a + 1, b + 1], [a, b + 1, b]] {
                starts.push(points.len() as i32);
                counts.push(3);
                points.extend(face);
            }
        }
    }
    (starts, counts, points)
}

#[test]
fn the_boundary_of_a_sheet_is_its_rim_and_its_holes() {
    let (wide, high) = (250, 200);
    let holes = [(1, 1), (3, 3), (10, 60), (200, 150)];
    let (starts, counts, points) = sheet_with_holes(wide, high, &holes);
    for (name, device) in devices_once() {
        let mut rec = device.record("boundary");
        let up = |words: &[i32]| device.upload(words, 1).unwrap();
        let (starts, counts, points) = (up(&starts), up(&counts), up(&points));
        let given = Primitives {
            starts: &starts,
            counts: &counts,
            points: &points,
            closed: None,
        };
        let table = edges(&mut rec, given).unwrap();
        let open = open_edges(&mut rec, &table).unwrap();
        let rings = loops(&mut rec, &open.from, &open.to).unwrap();
        rec.finish().unwrap().submit().unwrap();
        let read = |column: &Column| column.read::<i32>().unwrap().wait().unwrap();
        let lengths = read(&rings.lengths);
        assert_eq!(lengths, [2 * (wide + high), 4, 4, 4, 4], "{name}");
        assert_eq!(read(&rings.closed), [1; 5], "{name}");
        assert_eq!(bits(&rings.count), [5], "{name}");
        // Walking along, every edge begins where the one before it ends.
        let (from, to, order) = (read(&open.from), read(&open.to), read(&rings.order));
        let mut walk = order.as_slice();
        for length in lengths {
            let (ring, rest) = walk.split_at(length as usize);
            for (k, &edge) in ring.iter().enumerate() {
                let after = ring[(k + 1) % ring.len()];
                assert_eq!(to[edge as usize], from[after as usize], "{name}");
            }
            walk = rest;
        }
        assert!(walk.is_empty(), "{name}");
    }
}

#[test]
fn a_closed_surface_has_no_ring() {
    let faces = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]].concat();
    for (name, device) in devices_once() {
        let mut rec = device.record("closed");
        let up = |words: &[i32]| device.upload(words, 1).unwrap();
        let (starts, counts, points) = (up(&[0, 3, 6, 9]), up(&[3; 4]), up(&faces));
        let given = Primitives {
            starts: &starts,
            counts: &counts,
            points: &points,
            closed: None,
        };
        let table = edges(&mut rec, given).unwrap();
        let open = open_edges(&mut rec, &table).unwrap();
        let rings = loops(&mut rec, &open.from, &open.to).unwrap();
        rec.finish().unwrap().submit().unwrap();
        assert_eq!((bits(&open.count), bits(&rings.count)), (vec![0], vec![0]), "{name}");
        assert_eq!(rings.order.read::<i32>().unwrap().wait().unwrap(), [], "{name}");
    }
}

#[test]
fn edges_that_do_not_fit_are_refused() {
    for (name, device) in devices_once() {
        let mut rec = device.record("refused");
        let four = device.upload(&[0i32; 4], 1).unwrap();
        for bad in [device.upload(&[0i32; 3], 1).unwrap(), four.reinterpret(2).unwrap()] {
            for error in [loops(&mut rec, &four, &bad), loops(&mut rec, &bad, &four)] {
                assert!(matches!(error, Err(Error::WrongShape { .. })), "{name}: {error:?}");
            }
        }
        let floats = device.upload(&[0.0f32; 4], 1).unwrap();
        for error in [loops(&mut rec, &four, &floats), loops(&mut rec, &floats, &four)] {
            assert!(matches!(error, Err(Error::WrongElement { .. })), "{name}: {error:?}");
        }
    }
}
