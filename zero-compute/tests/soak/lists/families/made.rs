//! What is made of numbers alone.

use zero_compute::{Domain, Result, kernels};

use super::super::world::World;

pub(super) fn ramp(w: &mut World<'_>) -> Result<()> {
    let n = w.size();
    let domain = if w.random.one_in(2) {
        let count = w.live_count(n);
        Domain::live(&w.upload(&[count], 1)?, n)
    } else {
        Domain::count(n)
    };
    let (start, step) = (w.random.word() as i32, w.random.below(7) as i32 - 3);
    w.elements += u64::from(n);
    let made = kernels::ramp(&mut w.rec, domain, start, step)?;
    w.keep(&made);
    Ok(())
}

/// Points along three axes, some `n` of them together.
pub(super) fn counts(w: &mut World<'_>, n: u32) -> [u32; 3] {
    let x = 1 + w.random.log_uniform(n.saturating_sub(1).min(4095));
    let y = 1 + w.random.log_uniform((n / x.max(1)).saturating_sub(1).min(4095));
    let z = (n / (x * y).max(1)).clamp(1, 4095);
    [x, y, z]
}

/// A lattice of those points, its numbers tame.
pub(super) fn lattice_of(w: &mut World<'_>, counts: [u32; 3]) -> kernels::Lattice {
    kernels::Lattice {
        counts,
        origin: [0; 3].map(|_: i32| w.random.tame()),
        spacing: [0; 3].map(|_: i32| (1 + w.random.below(4096)) as f32 / 256.0),
    }
}

pub(super) fn lattice(w: &mut World<'_>) -> Result<()> {
    let n = w.size();
    let counts = counts(w, n);
    let lattice = lattice_of(w, counts);
    w.elements += u64::from(n);
    let made = kernels::lattice(&mut w.rec, lattice)?;
    w.keep(&made);
    Ok(())
}

pub(super) fn grid_faces(w: &mut World<'_>) -> Result<()> {
    let n = w.size();
    let [x, z, _] = counts(w, n);
    w.elements += u64::from(x) * u64::from(z);
    let made = kernels::grid_faces(&mut w.rec, x, z)?;
    w.keep(&made);
    Ok(())
}

pub(super) fn fan(w: &mut World<'_>) -> Result<()> {
    let ring = w.size();
    let (hub, first) = (w.random.below(100), w.random.below(1000));
    w.elements += u64::from(ring);
    let made = kernels::fan(&mut w.rec, hub, first, ring)?;
    w.keep(&made);
    Ok(())
}

/// Words that a slot changes.
pub(super) fn slots(w: &mut World<'_>) -> Result<()> {
    w.mixed().map(|_| ())
}
