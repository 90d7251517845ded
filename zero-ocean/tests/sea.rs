//! What a user of the spectra relies on.

use proptest::prelude::*;
use std::f64::consts::TAU;
use zero_ocean::{Band, Bands, Depth, Error, GRAVITY_M_S2, Jonswap, Spectrum};

#[expect(clippy::unwrap_used, reason = "the numbers of these tests are in range")]
fn jonswap(wind_10_m_s: f64, fetch_m: f64, gamma: f64) -> Spectrum {
    Spectrum::jonswap(Jonswap {
        wind_10_m_s,
        fetch_m,
        gamma,
    })
    .unwrap()
}

/// The integral of the density between two frequencies by Simpson's rule over ln w: another way to the same figure.
fn simpson(sea: &Spectrum, from: f64, to: f64) -> f64 {
    let panels = 60_000;
    let step = (to / from).ln() / f64::from(2 * panels);
    let value = |i: u32| {
        let w = from * (step * f64::from(i)).exp();
        w * sea.density(w)
    };
    let pair = |panel: u32| value(2 * panel) + 4.0 * value(2 * panel + 1) + value(2 * panel + 2);
    (0..panels).map(pair).sum::<f64>() * step / 3.0
}

#[test]
fn a_fully_developed_sea_has_the_height_of_its_integral() {
    for (wind, expected) in [(5.0, 0.5332), (10.0, 2.1330), (15.0, 4.7992), (20.0, 8.5319)] {
        let sea = Spectrum::pierson_moskowitz(wind).unwrap();
        assert!((sea.significant_height_m() - expected).abs() < 5e-5, "{wind}: {sea:?}");
        // Hs = 2 sqrt(alpha / beta) U² / g.
        let closed = 2.0 * (0.0081_f64 / 0.74).sqrt() * wind * wind / GRAVITY_M_S2;
        assert!((sea.significant_height_m() / closed - 1.0).abs() < 1e-14);
    }
}

#[test]
fn a_fetch_limited_sea_has_the_height_of_its_integral() {
    for (wind, fetch_m, expected) in [(10.0, 1e5, 2.1386), (15.0, 3e5, 5.6475), (20.0, 5.5e5, 10.2135)] {
        let height = jonswap(wind, fetch_m, 3.3).significant_height_m();
        assert!(
            (height - expected).abs() < 5e-5,
            "{wind} m/s over {fetch_m} m: {height}"
        );
        // Hasselmann's growth law, m0 = 1.6e-7 U² F / g: a third lower.
        let grown = 4.0 * (1.6e-7 * wind * wind * fetch_m / GRAVITY_M_S2).sqrt();
        assert!((1.32..=1.35).contains(&(height / grown)), "{}", height / grown);
    }
}

#[test]
fn integrals_agree_with_another_quadrature() {
    for (wind, fetch_m, gamma) in [(10.0, 1e5, 3.3), (25.0, 1e4, 7.0), (3.0, 1e6, 1.0), (40.0, 5e5, 20.0)] {
        let sea = jonswap(wind, fetch_m, gamma);
        let peak = sea.peak_frequency();
        // Bands over the whole peak, over parts of either flank, astride it, and up the tail.
        for (from, to) in [
            (0.2, 50.0),
            (0.5, 0.93),
            (0.97, 1.02),
            (1.0, 1.31),
            (1.05, 1.8),
            (4.0, 4.1),
        ] {
            let band = Band::new(from * peak, to * peak).unwrap();
            let found = sea.band_variance(band);
            // The density bends sharply at the peak: one rule for each side.
            let other = match from < 1.0 && to > 1.0 {
                true => simpson(&sea, from * peak, peak) + simpson(&sea, peak, to * peak),
                false => simpson(&sea, from * peak, to * peak),
            };
            let error = (found - other).abs() / sea.variance();
            assert!(error < 1e-12, "{sea:?} {from} to {to}: {found} against {other}");
        }
    }
}

#[test]
fn a_narrow_band_far_up_the_tail_keeps_its_digits() {
    let sea = Spectrum::pierson_moskowitz(10.0).unwrap();
    let peak = sea.peak_frequency();
    let (from, to) = (100.0 * peak, 100.1 * peak);
    let found = sea.band_variance(Band::new(from, to).unwrap());
    assert!(found < 1e-10 * sea.variance());
    assert!((found / simpson(&sea, from, to) - 1.0).abs() < 1e-9);
}

#[test]
fn the_density_is_highest_at_the_peak_and_nothing_where_there_is_no_wave() {
    let sea = jonswap(12.0, 2e5, 3.3);
    let peak = sea.peak_frequency();
    let highest = sea.density(peak);
    assert!((1..400).all(|i| i == 100 || sea.density(peak * f64::from(i) / 100.0) < highest));
    for none in [0.0, -1.0, 1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(sea.density(none), 0.0, "{none}");
    }
    // Gamma is how much higher the peak is than without it.
    assert!((highest / jonswap(12.0, 2e5, 1.0).density(peak) - 3.3).abs() < 1e-13);
}

#[test]
fn a_cut_belongs_to_the_band_above_it() {
    let bands = Bands::cut_at_frequencies(&[0.5, 1.0, 2.0]).unwrap();
    let places = [0.0, 0.4999, 0.5, 0.9999, 1.0, 2.0, 1e9, -0.1, f64::NAN, f64::INFINITY].map(|w| bands.band_of(w));
    let expected = [
        Some(0),
        Some(0),
        Some(1),
        Some(1),
        Some(2),
        Some(3),
        Some(3),
        None,
        None,
        None,
    ];
    assert_eq!(places, expected);
}

#[test]
fn wavelengths_cut_where_their_frequencies_are() {
    for depth in [Depth::DEEP, Depth::metres(7.0).unwrap()] {
        let bands = Bands::cut_at_wavelengths(&[100.0, 10.0], depth).unwrap();
        for (cut, wavelength_m) in [(0, 100.0), (1, 10.0)] {
            let found = depth.wavelength_m(bands.as_slice()[cut].to()).unwrap();
            assert!((found / wavelength_m - 1.0).abs() < 1e-14, "{found}");
        }
    }
}

#[test]
fn waves_slow_down_over_shallow_ground() {
    let w = TAU / 10.0;
    let deep = Depth::DEEP;
    assert!((deep.phase_speed_m_s(w).unwrap() - GRAVITY_M_S2 / w).abs() < 1e-12);
    assert!((deep.group_speed_m_s(w).unwrap() * 2.0 - GRAVITY_M_S2 / w).abs() < 1e-12);
    // At a hundredth of the wavelength both speeds near sqrt(g h).
    let shallow = Depth::metres(0.01).unwrap();
    let limit = (GRAVITY_M_S2 * 0.01).sqrt();
    assert!((shallow.phase_speed_m_s(w).unwrap() / limit - 1.0).abs() < 1e-4);
    assert!((shallow.group_speed_m_s(w).unwrap() / limit - 1.0).abs() < 1e-3);
    // The group speed is the slope of the relation.
    let depth = Depth::metres(6.0).unwrap();
    let k = depth.wavenumber(w).unwrap();
    let slope = (depth.frequency(k * 1.0001).unwrap() - depth.frequency(k * 0.9999).unwrap()) / (0.0002 * k);
    assert!((depth.group_speed_m_s(w).unwrap() / slope - 1.0).abs() < 1e-6);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn bands_add_up_to_the_whole(
        wind in 0.1..100.0_f64,
        fetch_m in 100.0..1e7_f64,
        gamma in 1.0..20.0_f64,
        shares in prop::collection::vec(0.01..0.6_f64, 0..12),
    ) {
        let sea = jonswap(wind, fetch_m, gamma);
        let mut cut = 0.3 * sea.peak_frequency();
        let cuts: Vec<f64> = shares.iter().map(|share| { cut *= 1.0 + share; cut }).collect();
        let bands = Bands::cut_at_frequencies(&cuts).unwrap();
        prop_assert_eq!(bands.as_slice().len(), cuts.len() + 1);
        let sum: f64 = bands.as_slice().iter().map(|band| sea.band_variance(*band)).sum();
        prop_assert!((sum / sea.variance() - 1.0).abs() < 1e-12, "{} against {}", sum, sea.variance());
        for w in cuts.iter().flat_map(|cut| [cut * 0.999_999, *cut, cut * 1.000_001]) {
            let holding = bands.as_slice().iter().filter(|band| band.contains(w)).count();
            prop_assert_eq!(holding, 1, "{}", w);
        }
    }

    #[test]
    fn a_wavenumber_solves_the_relation(log_w in -9.2..9.2_f64, log_h in -6.9..11.5_f64) {
        let (w, h) = (log_w.exp(), log_h.exp());
        let k = Depth::metres(h).unwrap().wavenumber(w).unwrap();
        let residual = (w * w - GRAVITY_M_S2 * k * (k * h).tanh()).abs();
        prop_assert!(residual <= 4e-15 * w * w, "{} of {}", residual / (w * w), w);
    }
}

#[test]
fn bad_numbers_are_refused_by_name() {
    fn check<T: std::fmt::Debug>(result: Result<T, Error>, message: &str) {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
    let sea = Jonswap::default();
    check(
        Spectrum::pierson_moskowitz(f64::NAN),
        "the wind at 19.5 m: expected 0.1 to 100 m/s, got NaN",
    );
    check(
        Spectrum::jonswap(Jonswap {
            wind_10_m_s: -3.0,
            ..sea
        }),
        "the wind at 10 m: expected 0.1 to 100 m/s, got -3",
    );
    check(
        Spectrum::jonswap(Jonswap { fetch_m: 0.0, ..sea }),
        "the fetch: expected 100 to 10000000 m, got 0",
    );
    check(
        Spectrum::jonswap(Jonswap { gamma: 0.5, ..sea }),
        "gamma: expected 1 to 20, got 0.5",
    );
    check(
        Depth::metres(f64::INFINITY),
        "the depth of the water: expected 0.001 to 100000 m, got inf",
    );
    check(
        Depth::DEEP.wavenumber(0.0),
        "the angular frequency: expected 0.0001 to 10000 rad/s, got 0",
    );
    check(
        Band::new(2.0, 2.0),
        "the upper end of the band: expected more than its lower end, 2 rad/s, got 2",
    );
    check(
        Band::new(-1.0, 2.0),
        "the lower end of the band: expected a finite frequency from 0 rad/s up, got -1",
    );
    check(
        Bands::cut_at_frequencies(&[1.0, 0.5]),
        "cut 1 of the bands: expected more than the cut before it, 1 rad/s, got 0.5",
    );
    check(
        Bands::cut_at_wavelengths(&[10.0, 0.0], Depth::DEEP),
        "the wavenumber: expected 0.000000001 to 10000000 rad/m, got inf",
    );
}

// Other bits on a machine mean that two machines would show two seas.
#[test]
fn bits_are_pinned() {
    let (fetch, depth) = (jonswap(15.0, 3e5, 3.3), Depth::metres(12.5).unwrap());
    let found = [
        Spectrum::pierson_moskowitz(12.5).unwrap().significant_height_m(),
        fetch.significant_height_m(),
        fetch.peak_frequency(),
        fetch.density(0.7),
        fetch.band_variance(Band::new(0.55, 0.9).unwrap()),
        depth.wavenumber(0.8).unwrap(),
        depth.group_speed_m_s(0.8).unwrap(),
    ];
    let bits = found.map(f64::to_bits);
    assert_eq!(bits, PINNED, "{bits:#018x?}");
}
const PINNED: [u64; 7] = [
    0x400aa98ca77fb538,
    0x40169708e8e7e062,
    0x3fe38a820bffc0d2,
    0x400cd77ffcaca54a,
    0x3ff7761cc1d58506,
    0x3fb5693780742383,
    0x401d2b6720204e5e,
];
