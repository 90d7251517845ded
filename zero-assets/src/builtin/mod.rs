//! The content that comes with this crate: the built-in types, and their rules.

mod code;
mod compute;
mod contract;
mod copies;
mod declared;
mod entities;
mod files;
mod glb;
mod graph_file;
mod graphs;
mod held;
mod landscape;
mod mesh;
mod papers;
mod payload;
mod records;
mod sheet;
mod source;
mod splat;
mod surfaces;
mod texture;

use std::sync::Arc;

use zero_vfs::{EmbeddedSource, Mount, VfsPath};

use crate::behavior::{Behavior, HookContext, HookResult, Interface, Problem};
use crate::error::Result;
use crate::value::Value;
use held::Held;

/// The name of the library that [`builtin`] is.
pub(crate) const BUILTIN: &str = "builtin";
/// Where [`builtin`] is mounted: the library `@builtin`.
pub const BUILTIN_PREFIX: &str = "/zero/source/libs/@builtin";

/// The built-in types as a read-only mount, each a folder with a `type.yaml`, its papers, its interface and its template.
/// Mount it, and [`crate::Assets::load`] finds them as it finds anyone's; [`crate::Workspace::open`] attaches their rules.
///
/// # Errors
/// None in a program that was built from this source: the table is checked by a test.
pub fn builtin() -> Result<Mount> {
    let source = EmbeddedSource::new("built-in content", files::FILES)?;
    // Below everything else, so that nothing a host mounts is hidden by it.
    Ok(Mount::new(VfsPath::parse(BUILTIN_PREFIX)?, source)
        .read_only()
        .priority(i32::MIN))
}

/// What a built-in type looks at in its assets.
struct Kind {
    name: &'static str,
    rules: fn(&mut Held<'_>),
    detail: fn(&mut Held<'_>) -> Option<Value>,
    interface: Option<fn(&mut Held<'_>) -> Interface>,
    /// Whether a picture of it is a mesh that wears it.
    paints_itself: bool,
}

const KINDS: &[Kind] = &[
    kind("bundle", entities::bundle, entities::detail),
    kind("component", code::component, code::component_detail),
    kind("computeShader", compute::compute_shader, compute::detail),
    kind("data", records::data, records::data_detail),
    kind("effect", copies::effect, copies::effect_detail),
    kind("gaussianSplat", splat::splat, splat::detail),
    kind("guide", papers::guide, papers::guide_detail),
    kind("importer", papers::importer, records::importer_detail),
    Kind {
        paints_itself: true,
        ..kind("material", surfaces::material, surfaces::material_detail)
    },
    kind("mesh", mesh::mesh, mesh::detail),
    kind("module", code::module, code::detail),
    kind("nodebox", graphs::nodebox, graphs::nodebox_detail),
    kind("package", papers::package, papers::package_detail),
    kind("pixelTemplate", sheet::pixels, sheet::detail),
    kind("population", copies::population, copies::population_detail),
    kind("preset", records::preset, records::preset_detail),
    Kind {
        interface: Some(graphs::interface),
        ..kind("procGraph", graphs::proc_graph, graphs::detail)
    },
    Kind {
        interface: Some(graphs::interface),
        ..kind("procNode", graphs::proc_node, graphs::detail)
    },
    kind("procPack", graphs::proc_pack, code::detail),
    kind("procRecord", graphs::proc_record, graphs::record_detail),
    kind("renderFeature", surfaces::render_feature, surfaces::feature_detail),
    kind("scene", entities::scene, entities::detail),
    kind("script", code::script, code::detail),
    kind("shader", surfaces::shader, surfaces::shader_detail),
    kind("terrainData", landscape::terrain, landscape::terrain_detail),
    kind("testSuite", code::test_suite, code::detail),
    kind("texture", texture::texture, texture::detail),
    kind("tool", code::tool, code::detail),
    kind("toolbox", code::toolbox, code::toolbox_detail),
];

const fn kind(name: &'static str, rules: fn(&mut Held<'_>), detail: fn(&mut Held<'_>) -> Option<Value>) -> Kind {
    Kind {
        name,
        rules,
        detail,
        interface: None,
        paints_itself: false,
    }
}

impl Behavior for &'static Kind {
    fn follows_names(&self) -> bool {
        false
    }

    fn validate(&self, asset: &HookContext<'_>) -> HookResult<Vec<Problem>> {
        let mut held = Held::by(asset);
        (self.rules)(&mut held);
        Ok(held.problems())
    }

    fn inspect(&self, asset: &HookContext<'_>) -> HookResult<Option<Value>> {
        Ok((self.detail)(&mut Held::by(asset)))
    }

    fn interface(&self, asset: &HookContext<'_>) -> HookResult<Interface> {
        let read = self.interface.map(|read| read(&mut Held::by(asset)));
        Ok(read.unwrap_or_default())
    }

    fn preview_material(&self, asset: &HookContext<'_>) -> HookResult<Option<String>> {
        Ok(self.paints_itself.then(|| asset.asset.path.to_string()))
    }
}

/// The behaviours of the built-in types that have rules of their own, by the identity of the type (`@builtin::module`).
/// [`crate::Workspace::open`] attaches those whose type is there. They validate and inspect; what only a running system can
/// do (`instantiate`, a picture) is that system's: a behaviour that a host attaches under the type's plain name takes the
/// place of ours, and may ask ours for what it leaves alone.
#[must_use]
pub fn builtin_behaviors() -> Vec<(String, Arc<dyn Behavior>)> {
    let attached =
        |kind: &'static Kind| -> (String, Arc<dyn Behavior>) { (format!("@{BUILTIN}::{}", kind.name), Arc::new(kind)) };
    KINDS.iter().map(attached).collect()
}
