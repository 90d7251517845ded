//! The conformance kernels as files: through the call layer each does what its declaration in Rust does.

use zero_compute::author::Loader;
use zero_compute::call::{Call, Called, Record};
use zero_compute::{Access, Column, Device, Kernel, KernelRef};

use crate::common::{self, cpu_devices};
use crate::{builtin, folder, gpu, sample};

/// Those whose file declares what the Rust does. `abi_inplace` and `abi_spec` are of other elements there.
const NAMES: [&str; 10] = [
    "abi_add",
    "abi_columns",
    "abi_filter",
    "abi_inout",
    "abi_len",
    "abi_live",
    "abi_nothing",
    "abi_ordered",
    "abi_pair",
    "abi_scale",
];
const SIZES: [u32; 5] = [1, 255, 256, 257, 70_001];

fn declared(name: &str) -> &'static Kernel {
    let found = builtin::ALL.iter().find(|kernel| kernel.name() == name);
    found.copied().unwrap()
}

/// A call with values for all that the kernel of that name takes.
fn call(name: &str, kernel: impl Into<KernelRef>, domain: &Column, x: &Column, y: &Column) -> Call {
    let call = Call::new(kernel, domain);
    match name {
        "abi_pair" => call.bind("a", x).bind("b", y),
        "abi_columns" => call.bind("cols", Record::new().with("b", x).with("a", y)),
        "abi_ordered" => call.bind("cols", Record::new().with("head", x).with("tail", y)),
        "abi_inout" => call.bind("src", x).bind("dst", y).bind("mode", 1),
        "abi_add" => call.bind("src", x).bind("delta", 0.3),
        "abi_scale" => call.bind("src", x).bind("scale", 0.3),
        "abi_filter" => call.bind("src", x).bind("threshold", 100.0),
        _ => call.bind("src", x),
    }
}

/// What a call wrote, word for word; what was appended in ascending order, since a GPU appends in any.
fn written(kernel: &Kernel, called: &Called) -> Vec<(&'static str, Vec<u32>)> {
    let outputs = kernel.bindings().filter(|binding| binding.access != Access::Read);
    let words = outputs.map(|binding| {
        let column = called.column(binding.name).unwrap();
        let appends = binding.access == Access::Append;
        let column = if appends { column } else { column.as_capacity() };
        let words = column.read::<f32>().unwrap().wait().unwrap();
        let mut words: Vec<u32> = words.iter().map(|word| word.to_bits()).collect();
        if appends {
            words.sort_unstable();
        }
        (binding.name, words)
    });
    words.collect()
}

/// Runs both over a plain and over a live domain, and compares what they wrote.
fn check(device: &Device, name: &str, of_files: impl Into<KernelRef> + Clone) {
    let kernel = declared(name);
    for n in SIZES {
        let numbers = |step: f32| (0..n).map(|i| i as f32 * step - 1_000.0).collect::<Vec<f32>>();
        let x = device.upload(&numbers(0.37), 1).unwrap();
        let y = device.upload(&numbers(-1.3), 1).unwrap();
        let count = device.upload(&[n / 2], 1).unwrap();
        for domain in [x.clone(), x.with_live(&count).unwrap()] {
            let run = |call: Call| {
                let counting = device.counting();
                let called = call.run(device).unwrap();
                let found = written(kernel, &called);
                // What writes nothing is waited for by nobody.
                device.poll();
                (found, called.info.variant.clone(), counting.delta().dispatches)
            };
            let files = run(call(name, of_files.clone(), &domain, &x, &y));
            let rust = run(call(name, kernel, &domain, &x, &y));
            assert_eq!(files, rust, "{name} over {n}, live: {}", domain.live_count().is_some());
            assert!(files.2 > 0, "{name} was dispatched");
        }
    }
}

#[test]
fn on_a_gpu_files_do_what_declarations_do() {
    // Its own: other tests dispatch on the shared one meanwhile, and what is counted is the device's.
    let Some(device) = common::gpu() else { return };
    for name in NAMES {
        check(&device, name, sample(name));
    }
}

#[test]
fn with_a_rust_function_they_do_on_the_cpu() {
    for (_, device) in cpu_devices() {
        for name in NAMES {
            let loader = Loader::new().twin(name, declared(name).twin().unwrap());
            check(&device, name, loader.load_folder(&folder(name)).unwrap());
        }
    }
}

#[test]
fn a_kernel_that_writes_nothing_answers_nothing() {
    let Some(device) = gpu() else { return };
    let src = device.upload(&[1.0f32, 2.0], 1).unwrap();
    let called = Call::new(sample("abi_nothing"), &src)
        .bind("src", &src)
        .run(device)
        .unwrap();
    assert_eq!(called.columns.iter().count(), 0);
    assert_eq!((called.info.kernel.as_str(), called.info.elements), ("abi_nothing", 2));
    let error = called.column("dst").unwrap_err().to_string();
    assert!(error.contains("`dst`"), "{error}");
}
