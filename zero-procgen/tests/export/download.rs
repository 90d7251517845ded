//! What is read back is what lives, in one drive.

use crate::common::{SQUARE, cook, cpu, dots, grove};
use zero_procgen::values::{Geometry, Raster, Value};
use zero_procgen::{Class, Error, HostColumn, HostDetail, HostRaster, Type};

#[test]
fn a_download_brings_what_lives_and_drives_once() {
    let device = cpu();
    cook(&device, grove, |geometry| {
        let counting = device.counting();
        let download = geometry.start_download().unwrap();
        // P, scale and yaw and the live count; P, N, pt, vstart and vcount of the tree.
        assert_eq!(
            device.queued(),
            9,
            "every read-back is asked for before one is waited for"
        );
        let host = download.wait().unwrap();
        assert_eq!((device.queued(), counting.delta().readbacks), (0, 9));
        assert_eq!(counting.delta().dispatches, 0);
        // Of 9 columns from -8 m to 8 m those above 0.5 m stay: 4 of them, by 7 rows.
        assert_eq!(geometry.count(Class::Point).capacity(), 63);
        assert_eq!(host.count(Class::Point), 28);
        let places = host.vec3s(Class::Point, "P").unwrap();
        let expected = (0..7).flat_map(|z| (1..5).map(move |x| [2.0 * x as f32, 0.0, 2.0 * z as f32 - 6.0]));
        assert_eq!(places, expected.collect::<Vec<_>>());
        for (place, scale) in places.iter().zip(host.floats(Class::Point, "scale").unwrap()) {
            assert_eq!(*scale, place[2] * 0.05 + 1.0);
        }
        let tree = host.mesh().unwrap();
        assert_eq!((tree.count(Class::Point), tree.count(Class::Primitive)), (49, 24));
        assert_eq!(tree.ints(Class::Vertex, "pt").unwrap().len(), 72);
    });
}

#[test]
fn an_awaited_download_is_the_waited_one() {
    cook(&cpu(), grove, |geometry| {
        let waited = geometry.download().unwrap();
        let mut arriving = std::pin::pin!(geometry.start_download().unwrap().arrive());
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let arrived = loop {
            if let std::task::Poll::Ready(arrived) = arriving.as_mut().poll(&mut context) {
                break arrived.unwrap();
            }
        };
        assert_eq!(waited, arrived);
    });
}

#[test]
fn a_class_brings_as_many_elements_as_live() {
    let device = cpu();
    let lives = |count: u32| {
        let count = device.upload(&[count], 1).unwrap();
        let values = device.upload(&[1.0f32, 2.0, 3.0, 4.0], 1).unwrap();
        let mut geometry = Geometry::new();
        let live = values.with_live(&count).unwrap();
        geometry.set(Class::Point, "live", live, Type::Float).unwrap();
        geometry.set(Class::Point, "plain", values, Type::Float).unwrap();
        geometry.download().unwrap()
    };
    let front: [&[f32]; 4] = [&[], &[1.0, 2.0], &[1.0, 2.0, 3.0, 4.0], &[1.0, 2.0, 3.0, 4.0]];
    // The last count is past the room there is.
    for (count, expected) in [0, 2, 4, 9].into_iter().zip(front) {
        let host = lives(count);
        assert_eq!(host.count(Class::Point) as usize, expected.len());
        assert_eq!(host.floats(Class::Point, "live").unwrap(), expected);
        assert_eq!(host.floats(Class::Point, "plain").unwrap(), expected);
    }
}

#[test]
fn details_come_along() {
    let device = cpu();
    let mut geometry = Geometry::new();
    let samples = device.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], 1).unwrap();
    let raster = Raster::new(samples, 3, 2, [2.0, 4.0], [-3.0, -4.0]).unwrap();
    geometry.set_detail("height", Value::Raster(raster));
    geometry.set_detail("ids", Value::Column(device.upload(&[3i32, -1], 1).unwrap()));
    let host = geometry.download().unwrap();
    assert_eq!(host.names(Class::Detail), ["height", "ids"]);
    let height = HostRaster {
        width: 3,
        height: 2,
        spacing_m: [2.0, 4.0],
        origin_m: [-3.0, -4.0],
        samples: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    };
    assert_eq!(host.detail("height"), Some(&HostDetail::Raster(height)));
    assert_eq!(
        host.detail("ids"),
        Some(&HostDetail::Column(HostColumn::Int(vec![3, -1])))
    );
    geometry.set_detail("pairs", Value::Column(device.upload(&[1i32, 2], 2).unwrap()));
    let error = geometry.download().unwrap_err().to_string();
    assert!(
        error.contains("detail.pairs") && error.contains("2 lanes of i32"),
        "{error}"
    );
}

#[test]
fn a_host_geometry_refuses_what_does_not_fit() {
    let mut host = dots(&SQUARE);
    let short = host
        .set(Class::Point, "N", HostColumn::Vec3(vec![[0.0; 3]; 3]))
        .unwrap_err();
    assert_eq!(short.to_string(), "point.N: expected 4 elements, got 3");
    let kind = host.floats(Class::Point, "P").unwrap_err();
    assert_eq!(kind.to_string(), "point.P: expected Float, got Vec3");
    assert!(matches!(host.column(Class::Vertex, "pt"), Err(Error::Unknown { .. })));
    assert!(host.set(Class::Detail, "x", HostColumn::Int(vec![1])).is_err());
}
