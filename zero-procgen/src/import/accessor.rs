//! The numbers of a glTF accessor, whatever they are packed as: section 3.6.2 of glTF 2.0.

use gltf::accessor::{DataType, Dimensions};
use gltf::{Accessor, Semantic};

/// What went wrong, without the file's name.
pub(super) type Fault = String;

/// The bytes of a document's buffers, by index.
pub(super) struct Buffers<'a>(pub(super) Vec<std::borrow::Cow<'a, [u8]>>);

/// The lanes of an accessor's elements.
pub(super) fn lanes(accessor: &Accessor<'_>) -> usize {
    match accessor.dimensions() {
        Dimensions::Scalar => 1,
        Dimensions::Vec2 => 2,
        Dimensions::Vec3 => 3,
        Dimensions::Vec4 | Dimensions::Mat2 => 4,
        Dimensions::Mat3 => 9,
        Dimensions::Mat4 => 16,
    }
}

/// How an error calls an attribute.
pub(super) fn called(semantic: &Semantic) -> String {
    semantic.to_string()
}

fn component(ty: DataType) -> usize {
    match ty {
        DataType::I8 | DataType::U8 => 1,
        DataType::I16 | DataType::U16 => 2,
        DataType::U32 | DataType::F32 => 4,
    }
}

impl Buffers<'_> {
    /// The bytes of a run of elements: `count` of `size` bytes, `stride` apart, from `offset` in a view.
    fn run(
        &self,
        view: &gltf::buffer::View<'_>,
        offset: usize,
        count: usize,
        size: usize,
    ) -> Result<Vec<&[u8]>, Fault> {
        let bytes = self
            .0
            .get(view.buffer().index())
            .and_then(|bytes| bytes.get(view.offset()..)?.get(..view.length()))
            .ok_or_else(|| format!("buffer view {} lies outside its buffer", view.index()))?;
        let stride = view.stride().unwrap_or(size);
        if stride < size {
            return Err(format!(
                "elements of {size} bytes {stride} bytes apart in buffer view {}",
                view.index()
            ));
        }
        let mut elements = Vec::new();
        for index in 0..count {
            let from = index.checked_mul(stride).and_then(|from| from.checked_add(offset));
            let element = from.and_then(|from| bytes.get(from..)?.get(..size));
            elements.push(element.ok_or_else(|| {
                format!(
                    "element {index} of {count} lies outside the {} bytes of buffer view {}",
                    bytes.len(),
                    view.index()
                )
            })?);
        }
        Ok(elements)
    }

    /// Every number of an accessor as a double, element by element: normalized integers are brought to [0, 1] or
    /// [-1, 1], and sparse elements are put in their places.
    pub(super) fn numbers(&self, accessor: &Accessor<'_>) -> Result<Vec<f64>, Fault> {
        let (lanes, ty) = (lanes(accessor), accessor.data_type());
        if matches!(
            accessor.dimensions(),
            Dimensions::Mat2 | Dimensions::Mat3 | Dimensions::Mat4
        ) {
            return Err("an attribute of matrices".to_owned());
        }
        let size = lanes * component(ty);
        let value = |bytes: &[u8]| number(ty, accessor.normalized(), bytes);
        let mut numbers = Vec::new();
        match accessor.view() {
            Some(view) => {
                for element in self.run(&view, accessor.offset(), accessor.count(), size)? {
                    numbers.extend(element.chunks(component(ty)).map(value));
                }
            }
            // Without a view all are 0. No byte of the file stands for them, so their number is held to what a
            // geometry may have.
            None if accessor.count() <= crate::cook::construct::MAX_ELEMENTS as usize => {
                numbers.resize(accessor.count() * lanes, 0.0);
            }
            None => return Err(format!("{} elements without a buffer view", accessor.count())),
        }
        if let Some(sparse) = accessor.sparse() {
            let (indices, values) = (sparse.indices(), sparse.values());
            let index_type = match indices.index_type() {
                gltf::accessor::sparse::IndexType::U8 => DataType::U8,
                gltf::accessor::sparse::IndexType::U16 => DataType::U16,
                gltf::accessor::sparse::IndexType::U32 => DataType::U32,
            };
            let count = sparse.count();
            let places = self.run(&indices.view(), indices.offset(), count, component(index_type))?;
            let elements = self.run(&values.view(), values.offset(), count, size)?;
            for (place, element) in places.into_iter().zip(elements) {
                let from = number(index_type, false, place) as usize * lanes;
                let to = numbers.get_mut(from..).and_then(|rest| rest.get_mut(..lanes));
                let to = to.ok_or_else(|| format!("a sparse index past {} elements", accessor.count()))?;
                to.iter_mut()
                    .zip(element.chunks(component(ty)).map(value))
                    .for_each(|(to, from)| *to = from);
            }
        }
        Ok(numbers)
    }
}

/// One component. Normalized integers follow the equations of section 3.6.2.2.
fn number(ty: DataType, normalized: bool, bytes: &[u8]) -> f64 {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let (value, most) = match ty {
        DataType::I8 => (f64::from(byte(0).cast_signed()), f64::from(i8::MAX)),
        DataType::U8 => (f64::from(byte(0)), f64::from(u8::MAX)),
        DataType::I16 => (f64::from(i16::from_le_bytes([byte(0), byte(1)])), f64::from(i16::MAX)),
        DataType::U16 => (f64::from(u16::from_le_bytes([byte(0), byte(1)])), f64::from(u16::MAX)),
        DataType::U32 => {
            let word = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
            (f64::from(word), f64::from(u32::MAX))
        }
        DataType::F32 => {
            let word = f32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
            return f64::from(word);
        }
    };
    if normalized { (value / most).max(-1.0) } else { value }
}
