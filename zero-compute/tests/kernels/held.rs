//! Every kernel that is shipped is held to a plain oracle: what the tests below run is all of `kernels::ALL`.

use std::collections::BTreeSet;

use zero_compute::Exec;
use zero_compute::kernels::ALL;

use crate::{reference_alone, with_reference_alone};

/// Tests that compare what their kernels write with a plain oracle, at least one for every kernel.
const HELD: &[fn()] = &[
    crate::indexed::gather_reads_through_the_index,
    crate::indexed::scatter_folds_where_elements_meet,
    crate::indexed::floats_are_added_in_fixed_point,
    crate::indexed::compact_keeps_the_order,
    crate::indexed::flags_of_every_kind_are_read_by_value,
    crate::indexed::expand_lays_out_runs_and_tells_what_did_not_fit,
    crate::sums::integer_scans_wrap,
    crate::sums::float_scans_keep_the_stated_order,
    crate::sums::offsets_count_a_negative_as_nothing,
    crate::sums::reductions_agree_with_their_oracles,
    crate::sums::questions_about_flags,
    crate::sums::segments_fold_their_runs,
    crate::runs::a_mean_is_its_sum_divided_once,
    crate::runs::runs_have_means_and_answer_questions,
    crate::runs::prefix_sums_begin_anew_at_heads,
    crate::order::keys_of_every_kind_sort_stably,
    crate::order::descending_keys_sort_stably,
    crate::joined::columns_are_laid_end_to_end,
    crate::joined::live_columns_leave_no_gaps,
    crate::near::points_near_places_are_listed_in_order,
    crate::near::points_learn_from_those_near_them,
    crate::near::the_nearest_come_first,
    crate::lattices::at_a_lattice_point_is_its_value,
    crate::lattices::splats_are_shared_among_the_points_around,
    crate::lattices::tiles_are_read_and_added_to_as_the_whole_lattice_is,
    crate::trees::trees_are_those_built_from_the_root_down,
    crate::trees::points_are_balls_of_one_radius,
    crate::rays::rays_meet_what_is_nearest,
    crate::probes::places_find_what_is_nearest,
    crate::probes::boxes_find_what_they_overlap,
    crate::jumps::roots_ranks_and_least_values_are_found,
    crate::edges::random_primitives_make_the_table_of_their_sides,
    crate::edges::open_edges_run_as_their_face_does,
    crate::rings::random_edges_are_followed,
    crate::rasters::aprons_are_what_their_owners_hold,
    crate::rasters::what_falls_into_aprons_reaches_the_owner_once,
    crate::rasters::stencils_weigh_the_cells_around,
    crate::rasters::values_gather_in_the_cells_they_name,
    crate::rasters::points_give_to_the_cells_around_them,
    crate::raster_samples::points_read_the_cells_around_them_over_tiles,
    crate::rasters::layers_are_kept_put_back_and_cleared,
    crate::fourier::lines_agree_with_the_true_transform,
    crate::kinds::runs_of_integers_fold_and_wrap,
    crate::kinds::flags_of_words_and_of_floats_answer_questions,
    crate::kinds::lanes_of_integers_are_copied,
    crate::proc_fields::a_column_is_scaled_lane_by_lane,
    crate::proc_fields::noise_is_read_where_the_coordinates_are,
    crate::made::a_ramp_counts_and_wraps,
    crate::made::a_lattice_is_a_product_and_a_sum_each_rounded,
    crate::made::grid_faces_cover_the_sheet_and_look_up,
    crate::made::a_fan_closes_its_ring,
    crate::made::lanes_are_copied_and_the_others_stand,
];

#[test]
fn every_shipped_kernel_is_compared_with_an_oracle() {
    let device = &reference_alone().devices()[0].1;
    let profile = device.profile();
    with_reference_alone(|| HELD.iter().for_each(|test| test()));
    let report = profile.report(&Exec::default()).unwrap();
    let ran: BTreeSet<&str> = report.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    let missing: Vec<&str> = ALL
        .iter()
        .map(|kernel| kernel.name())
        .filter(|name| !ran.contains(name))
        .collect();
    assert!(
        missing.is_empty(),
        "no test of HELD runs {missing:?}: name one that compares them with an oracle"
    );
}
