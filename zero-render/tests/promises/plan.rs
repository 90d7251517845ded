//! The plan of a frame, without any device.

use zero_render::{Channel, FeatureDesc, FramePlan, Seam, builtin_features, wgpu::TextureFormat};

fn builtin() -> Vec<FeatureDesc> {
    builtin_features().iter().map(|f| f.desc()).collect()
}

fn steps(features: &[FeatureDesc]) -> String {
    FramePlan::new(features).unwrap().describe(features).join(" ")
}

fn refusal(extra: FeatureDesc) -> String {
    let mut features = builtin();
    features.push(extra);
    FramePlan::new(&features).unwrap_err().to_string()
}

#[test]
fn the_built_in_features_run_in_order_with_resolves_only_where_something_reads() {
    let all = "shadows depthPrepass opaque sky resolve depth resolve sceneColor water resolve sceneColor toneMap";
    assert_eq!(steps(&builtin()), all);
    let without_water: Vec<_> = builtin().into_iter().filter(|f| f.name != "water").collect();
    assert_eq!(
        steps(&without_water),
        "shadows depthPrepass opaque sky resolve sceneColor toneMap"
    );
}

#[test]
fn features_run_by_seam_then_order_then_as_listed() {
    let at = |name, seam, order| FeatureDesc::new(name, seam, order);
    let mut features = vec![
        at("late", Seam::AfterTransparent, -5),
        at("b", Seam::AfterOpaque, 7),
        at("early", Seam::AfterDepthPrepass, 900),
        at("c", Seam::AfterOpaque, 7),
        at("a", Seam::AfterOpaque, -1),
    ];
    features.extend(builtin().into_iter().filter(|f| f.name != "water"));
    let order = "shadows depthPrepass early opaque a sky b c late resolve sceneColor toneMap";
    assert_eq!(steps(&features), order);
}

#[test]
fn a_channel_that_nothing_writes_is_an_error_that_names_both() {
    let error = refusal(FeatureDesc::new("blur", Seam::Post, 0).reads(Channel::VELOCITY));
    assert!(
        error.contains("`blur`") && error.contains("`velocity`") && error.contains("sceneColor"),
        "{error}"
    );
    let error = refusal(FeatureDesc::new("blur", Seam::Post, 0).reads(Channel::named("fogMask")));
    assert!(error.contains("`fogMask`"), "{error}");
    let error = refusal(FeatureDesc::new("blur", Seam::Post, 0).reads_previous(Channel::VELOCITY));
    assert!(error.contains("`velocity`"), "{error}");
}

#[test]
fn a_channel_that_is_written_only_later_is_an_error_that_says_by_whom() {
    let error = refusal(FeatureDesc::new("ssr", Seam::AfterDepthPrepass, 60).reads(Channel::SCENE_COLOR));
    assert!(
        error.contains("`ssr`") && error.contains("opaque") && error.contains("readsPrevious"),
        "{error}"
    );
    let mut features = builtin();
    let mask = Channel::named("mask");
    features.push(FeatureDesc::new("user", Seam::AfterOpaque, 5).reads(mask.clone()));
    features.push(FeatureDesc::new("maker", Seam::AfterOpaque, 6).writes_own(mask, TextureFormat::Rgba8Unorm));
    let error = FramePlan::new(&features).unwrap_err().to_string();
    assert!(error.contains("maker") && error.contains("`user`"), "{error}");
}

#[test]
fn a_feature_of_reflections_is_planned_as_the_three_users_need_it() {
    let mut features = builtin();
    features.push(
        FeatureDesc::new("ssr_trace", Seam::AfterDepthPrepass, 60)
            .reads(Channel::DEPTH)
            .reads(Channel::COLOR_HISTORY)
            .reads_previous(Channel::NORMAL)
            .reads_previous(Channel::MATERIAL)
            .writes(Channel::REFLECTION),
    );
    let plan = FramePlan::new(&features).unwrap();
    let order = "shadows depthPrepass resolve depth ssr_trace opaque sky resolve sceneColor water resolve sceneColor \
                 keepHistory toneMap";
    assert_eq!(plan.describe(&features).join(" "), order);
    assert!(plan.surface_channels);
    assert!(plan.channels[&Channel::NORMAL].keeps_previous && plan.channels[&Channel::MATERIAL].keeps_previous);
    assert!(!plan.channels[&Channel::DEPTH].keeps_previous);
}

#[test]
fn a_feature_that_writes_over_normals_gets_those_of_the_opaque_pass_below() {
    assert!(!FramePlan::new(&builtin()).unwrap().surface_channels);
    for written in [
        vec![Channel::NORMAL],
        vec![Channel::MATERIAL],
        vec![Channel::NORMAL, Channel::MATERIAL],
    ] {
        let mut features = builtin();
        let decals = FeatureDesc::new("decals", Seam::AfterOpaque, 5);
        features.push(written.into_iter().fold(decals, FeatureDesc::writes));
        let plan = FramePlan::new(&features).unwrap();
        assert!(plan.surface_channels);
        assert!(plan.channels.contains_key(&Channel::NORMAL) && plan.channels.contains_key(&Channel::MATERIAL));
    }
}

#[test]
fn writes_that_would_be_lost_are_refused() {
    let write = |seam, channel| refusal(FeatureDesc::new("f", seam, 0).writes(channel));
    for (error, says) in [
        (write(Seam::AfterDepthPrepass, Channel::SCENE_COLOR), "clears"),
        (write(Seam::AfterOpaque, Channel::OUTPUT), "post"),
        (write(Seam::Post, Channel::COLOR_HISTORY), "frame itself"),
        (write(Seam::Post, Channel::DEPTH), "closed"),
        (write(Seam::AfterOpaque, Channel::REFLECTION), "opaque"),
        (write(Seam::AfterOpaque, Channel::named("mine")), "writes_own"),
    ] {
        assert!(error.contains(says), "{error}");
    }
    let previous = |channel| refusal(FeatureDesc::new("f", Seam::AfterOpaque, 0).reads_previous(channel));
    assert!(previous(Channel::SCENE_COLOR).contains("colorHistory"));
    assert!(previous(Channel::OUTPUT).contains("host"));
}

#[test]
fn names_differ_formats_agree_and_something_reaches_the_view() {
    let twice = refusal(FeatureDesc::new("sky", Seam::Post, 0));
    assert!(twice.contains("`sky`"), "{twice}");
    let mask = Channel::named("mask");
    let mut features = builtin();
    features.push(FeatureDesc::new("a", Seam::AfterOpaque, 0).writes_own(mask.clone(), TextureFormat::R32Float));
    features.push(FeatureDesc::new("b", Seam::AfterOpaque, 0).writes_own(mask, TextureFormat::Rgba8Unorm));
    let error = FramePlan::new(&features).unwrap_err().to_string();
    assert!(error.contains("`mask`") && error.contains("another format"), "{error}");
    let blind: Vec<_> = builtin().into_iter().filter(|f| f.name != "toneMap").collect();
    assert!(FramePlan::new(&blind).unwrap_err().to_string().contains("output"));
}

#[test]
fn a_post_feature_that_reads_and_writes_the_picture_gets_two_textures() {
    let mut features = builtin();
    features.push(
        FeatureDesc::new("bloom", Seam::Post, 0)
            .reads(Channel::SCENE_COLOR)
            .writes(Channel::SCENE_COLOR),
    );
    assert!(FramePlan::new(&features).unwrap().swaps_scene_color);
    assert!(!FramePlan::new(&builtin()).unwrap().swaps_scene_color);
}
