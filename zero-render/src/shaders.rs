//! The shaders, put together from the files beside this one.

/// The uniform, sky and shadow functions that every shader of a frame starts with (bind group 0). A feature of your own
/// that binds [`FeatureFrame::frame_group`](crate::FeatureFrame::frame_group) puts this before its text.
pub const FRAME: &str = include_str!("shaders/frame.wgsl");

/// A vertex shader `vs_fullscreen` that covers the picture at the depth of the farthest.
pub const FULLSCREEN: &str = include_str!("shaders/fullscreen.wgsl");

macro_rules! shader {
    ($name:ident = $($file:literal),+) => {
        pub(crate) const $name: &str = concat!($(include_str!(concat!("shaders/", $file, ".wgsl")), "\n"),+);
    };
}

shader!(SURFACE = "frame", "noise", "vertex", "surface");
shader!(DEPTH_ONLY = "vertex", "depth_only");
shader!(SKY = "frame", "fullscreen", "sky");
shader!(WATER = "frame", "noise", "water");
shader!(TONE_MAP = "frame", "fullscreen", "tone_map");
shader!(RESOLVE_COLOR = "fullscreen", "resolve_color");
shader!(RESOLVE_DEPTH_X4 = "fullscreen", "resolve_depth_x4");
shader!(RESOLVE_DEPTH_X1 = "fullscreen", "resolve_depth_x1");
shader!(SKY_TRANSMITTANCE = "fullscreen", "sky_model", "sky_transmittance");
shader!(SKY_MULTIPLE = "fullscreen", "sky_model", "sky_light", "sky_multiple");
shader!(SKY_VIEW = "fullscreen", "sky_model", "sky_light", "sky_view");
shader!(SKY_IRRADIANCE = "frame", "sky_irradiance");

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [(&str, &str); 12] = [
        ("surface", SURFACE),
        ("depth_only", DEPTH_ONLY),
        ("sky", SKY),
        ("water", WATER),
        ("tone_map", TONE_MAP),
        ("resolve_color", RESOLVE_COLOR),
        ("resolve_depth_x4", RESOLVE_DEPTH_X4),
        ("resolve_depth_x1", RESOLVE_DEPTH_X1),
        ("sky_transmittance", SKY_TRANSMITTANCE),
        ("sky_multiple", SKY_MULTIPLE),
        ("sky_view", SKY_VIEW),
        ("sky_irradiance", SKY_IRRADIANCE),
    ];

    #[test]
    fn every_shader_is_valid_without_any_optional_capability() {
        for (name, source) in ALL {
            let module = match naga::front::wgsl::parse_str(source) {
                Ok(module) => module,
                Err(error) => panic!("{name}: {}", error.emit_to_string(source)),
            };
            let flags = naga::valid::ValidationFlags::all();
            let mut validator = naga::valid::Validator::new(flags, naga::valid::Capabilities::empty());
            if let Err(error) = validator.validate(&module) {
                panic!("{name}: {}", error.emit_to_string(source));
            }
        }
    }

    #[test]
    fn every_file_belongs_to_a_validated_shader() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/shaders");
        let mut files = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(
                ALL.iter().any(|(_, source)| source.contains(&text)),
                "{} is in no shader",
                path.display()
            );
            files += 1;
        }
        assert!(files >= 15, "only {files} files in {folder}");
    }
}
