//! What is left of a GPU that is lost: errors, no panic, and a new device.
#![cfg(feature = "gpu")]
#![expect(clippy::panic, reason = "the lints spare test functions alone, not what they call")]

mod common;

use zero_compute::{Column, CommandList, Device, Element, Error, Result};

fn fill(device: &Device, column: &Column) -> Result<CommandList> {
    let mut recorder = device.record("fill");
    recorder.fill(column, 7)?;
    recorder.finish()
}

fn is_lost<T>(what: &str, result: Result<T>) {
    match result {
        Err(Error::DeviceLost { reason }) => assert!(reason.contains("Destroyed"), "{what}: {reason}"),
        Err(error) => panic!("{what}: {error}"),
        Ok(_) => panic!("{what} worked on a lost device"),
    }
}

#[test]
fn a_lost_device_answers_with_its_loss_and_another_can_be_made() {
    let Some(device) = common::gpu() else { return };
    let column = device.column(Element::U32, 1, 100).unwrap();
    let list = fill(&device, &column).unwrap();
    let submission = list.submit().unwrap();
    let waiting = column.read::<u32>().unwrap();
    device.wgpu().unwrap().0.destroy();

    is_lost("a wait for what was queued", waiting.wait());
    assert!(
        matches!(submission.error(), Some(Error::DeviceLost { .. })),
        "{submission:?}"
    );
    is_lost("a submission", list.submit());
    is_lost("an upload", device.upload(&[1u32], 1));
    is_lost("a column", device.column(Element::U32, 1, 1 << 20));
    is_lost("a list", fill(&device, &column));
    is_lost("a wait", column.read::<u32>().unwrap().wait());
    device.poll();
    is_lost("a drive", device.drive(&zero_compute::Exec::default()));
    is_lost("an awaited read", pollster::block_on(column.read::<u32>().unwrap()));
    drop((column, list, device));

    let another = common::gpu().unwrap();
    let column = another.column(Element::U32, 1, 100).unwrap();
    fill(&another, &column).unwrap().submit().unwrap();
    assert_eq!(column.read::<u32>().unwrap().wait().unwrap(), [7; 100]);
}

#[test]
fn a_device_that_is_lost_while_it_works_answers_with_its_loss() {
    let Some(device) = common::gpu() else { return };
    let column = device.column(Element::U32, 1, 1 << 20).unwrap();
    let list = fill(&device, &column).unwrap();
    list.submit().unwrap();
    let waiting = column.read::<u32>().unwrap();
    device.drive(&zero_compute::Exec::default()).unwrap();
    device.wgpu().unwrap().0.destroy();
    // What the GPU was handed before may still arrive, in full.
    match waiting.wait() {
        Ok(words) => assert_eq!(words, vec![7; 1 << 20]),
        lost => is_lost("a wait", lost),
    }
    is_lost("a wait", column.read::<u32>().unwrap().wait());
}
