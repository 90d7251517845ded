//! Plays on several threads, over one store and one device.

use crate::common::{bits, cpu_with, devices, play, still, whole};
use crate::graphs::tower;
use zero_compute::Isa;
use zero_procgen::{Frame, Graph, GraphDef, Play, Store, StoreOptions, inputs};

#[test]
fn what_a_host_holds_may_be_sent() {
    fn send<T: Send>() {}
    fn shared<T: Send + Sync>() {}
    send::<Play>();
    shared::<Store>();
    shared::<Frame>();
    shared::<GraphDef>();
}

#[test]
fn plays_on_several_threads_share_a_store_and_a_device() {
    let graph = Graph::define("tower", |g| g.output("tower", tower(g))).unwrap();
    for device in devices().into_iter().chain([cpu_with(2, Isa::Auto)]) {
        let store = Store::new(&device, StoreOptions { budget_bytes: 1 << 20 });
        let widths = [3.0f32, 4.0, 5.0, 6.0, 3.5, 4.5];
        let found: Vec<Vec<Vec<u32>>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..3)
                .map(|thread| {
                    let (graph, store, device) = (&graph, &store, &device);
                    scope.spawn(move || {
                        let mut play = Play::new(store, graph, inputs! {}).unwrap();
                        let mut shown = Vec::new();
                        for turn in 0..widths.len() {
                            let width = widths[(turn + thread) % widths.len()];
                            play.set_inputs(inputs! { width: width }).unwrap();
                            shown.push(bits(whole(&mut play, device, still()).geometry("tower").unwrap()));
                        }
                        shown
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for (turn, width) in widths.iter().enumerate() {
            let mut alone = play(&device, &graph, inputs! { width: *width }, false);
            let expected = bits(whole(&mut alone, &device, still()).geometry("tower").unwrap());
            for (thread, shown) in found.iter().enumerate() {
                let place = (turn + widths.len() - thread) % widths.len();
                assert_eq!(shown[place], expected, "thread {thread}, width {width}");
            }
        }
    }
}
