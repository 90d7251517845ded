//! The features that the crate brings: sky, water and tone mapping.

mod sky;
mod tone_map;
mod water;

pub use sky::Sky;
pub use tone_map::{ToneMap, ToneMapOptions};
pub use water::Water;

use crate::Feature;

/// The list that a renderer starts with: [`Sky`], [`Water`], [`ToneMap`].
#[must_use]
pub fn builtin_features() -> Vec<Box<dyn Feature>> {
    vec![
        Box::new(Sky::default()),
        Box::new(Water::default()),
        Box::new(ToneMap::default()),
    ]
}

/// A bind group that is made again only when one of the views in it is another.
#[derive(Debug, Default)]
pub(crate) struct CachedGroup {
    views: Vec<wgpu::TextureView>,
    group: Option<wgpu::BindGroup>,
}

impl CachedGroup {
    pub(crate) fn get(
        &mut self,
        views: &[&wgpu::TextureView],
        make: impl FnOnce() -> wgpu::BindGroup,
    ) -> &wgpu::BindGroup {
        if !self.views.iter().eq(views.iter().copied()) {
            self.views = views.iter().map(|view| (*view).clone()).collect();
            self.group = None;
        }
        self.group.get_or_insert_with(make)
    }
}

/// What a feature says when it is drawn before it was prepared: our own bug, told as an error all the same.
pub(crate) fn unprepared(feature: &str) -> crate::RenderError {
    let source = "it was drawn before it was prepared".into();
    crate::RenderError::Feature {
        feature: feature.to_owned(),
        source,
    }
}
