//! A column: a cheap handle on a device buffer of interleaved 4-byte words.

use std::sync::Arc;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::pool::Buffer;
use crate::readback::Readback;

/// What a column's words are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// 32-bit floats.
    F32,
    /// 32-bit signed integers.
    I32,
    /// 32-bit unsigned integers.
    U32,
}

impl std::fmt::Display for Element {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Element::F32 => "f32",
            Element::I32 => "i32",
            Element::U32 => "u32",
        })
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for i32 {}
    impl Sealed for u32 {}
}

/// A Rust type that is one word of a column: `f32`, `i32` or `u32`.
pub trait Word: bytemuck::Pod + sealed::Sealed + Send + Sync + std::fmt::Debug {
    /// The element that it is.
    const ELEMENT: Element;
}
impl Word for f32 {
    const ELEMENT: Element = Element::F32;
}
impl Word for i32 {
    const ELEMENT: Element = Element::I32;
}
impl Word for u32 {
    const ELEMENT: Element = Element::U32;
}

/// How many elements a column has.
#[derive(Clone, Debug)]
pub enum Len {
    /// That many.
    Known(u32),
    /// As many as the one-word column says on the device, at most `capacity`.
    Live {
        /// One `u32`.
        count: Column,
        /// Elements there is room for.
        capacity: u32,
    },
}

/// Interleaved 4-byte words on a device: `capacity` elements of `lanes` words of one kind. A clone is another handle
/// on the same buffer; dropping the last one gives the buffer back to the device's pool.
#[derive(Clone)]
pub struct Column {
    device: Device,
    buffer: Arc<Buffer>,
    element: Element,
    lanes: u32,
    capacity: u32,
    count: Option<Arc<Buffer>>,
    /// What [`Column::id`] answers: the buffer's own, or one given by [`Column::renamed`].
    id: u64,
}

impl Column {
    pub(crate) fn new(device: Device, buffer: Arc<Buffer>, element: Element, lanes: u32, capacity: u32) -> Self {
        Self {
            id: buffer.id,
            device,
            buffer,
            element,
            lanes,
            capacity,
            count: None,
        }
    }

    pub(crate) fn with_count(mut self, count: Arc<Buffer>) -> Self {
        self.count = Some(count);
        self
    }

    pub(crate) fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    pub(crate) fn count_buffer(&self) -> Option<&Arc<Buffer>> {
        self.count.as_ref()
    }

    /// The device that holds it.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its elements: a number, or a count on the device and a capacity.
    pub fn len(&self) -> Len {
        match self.live_count() {
            None => Len::Known(self.capacity),
            Some(count) => Len::Live {
                count,
                capacity: self.capacity,
            },
        }
    }

    /// Whether there is no room for a single element. A live column whose count is 0 is not empty in this sense.
    pub fn is_empty(&self) -> bool {
        self.capacity == 0
    }

    /// Words an element.
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// What its words are.
    pub fn element(&self) -> Element {
        self.element
    }

    /// Elements there is room for; the number of elements where none of them is uncertain.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Words of its capacity.
    pub fn words(&self) -> u64 {
        u64::from(self.capacity) * u64::from(self.lanes)
    }

    /// Bytes of its capacity.
    pub fn bytes(&self) -> u64 {
        self.words() * 4
    }

    /// A number that no other buffer of this process has or had. Views of one buffer share it, unless one was
    /// [renamed](Self::renamed).
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The same buffer under a number of its own, for who keys results by it and has just had it written anew.
    pub fn renamed(&self) -> Column {
        Column {
            id: self.device.inner.next_id(),
            ..self.clone()
        }
    }

    /// Handles, lists and queued work that stand on the buffer, this handle among them. Nobody else does where it is
    /// what it was when nobody else did.
    pub fn holders(&self) -> usize {
        Arc::strong_count(&self.buffer)
    }

    /// The count of a live column: one `u32`, which may exceed the capacity where elements did not fit.
    pub fn live_count(&self) -> Option<Column> {
        let count = self.count.as_ref()?;
        Some(Column::new(self.device.clone(), count.clone(), Element::U32, 1, 1))
    }

    /// The same buffer, of which as many elements are live as the one word of `count` says.
    ///
    /// # Errors
    /// [`Error::Foreign`] for a count of another device, [`Error::WrongElement`] for one that is no `u32`,
    /// [`Error::WrongShape`] for more or less than one word.
    pub fn with_live(&self, count: &Column) -> Result<Column> {
        if !count.device.is_same(&self.device) {
            return Err(Error::Foreign {
                what: "the live count of a column".to_owned(),
                owner: "device",
            });
        }
        let (kernel, binding) = (|| "with_live".to_owned(), || "count".to_owned());
        if count.element != Element::U32 {
            return Err(Error::WrongElement {
                kernel: kernel(),
                binding: binding(),
                expected: Element::U32,
                found: count.element,
            });
        }
        if count.words() != 1 {
            return Err(Error::WrongShape {
                kernel: kernel(),
                binding: binding(),
                expected: "one word".to_owned(),
                found: format!("{} elements of {} lanes", count.capacity, count.lanes),
            });
        }
        Ok(self.clone().with_count(count.buffer.clone()))
    }

    /// The same buffer with all of its capacity, whatever its count.
    pub fn as_capacity(&self) -> Column {
        Column {
            count: None,
            ..self.clone()
        }
    }

    /// Its first elements, as a column of that many; all of them where it has fewer.
    pub(crate) fn front(&self, elements: u32) -> Column {
        Column {
            capacity: elements.min(self.capacity),
            count: None,
            ..self.clone()
        }
    }

    /// The same words in elements of `lanes` words. The live count, which counts elements, is dropped.
    ///
    /// # Errors
    /// [`Error::BadLanes`] where the words do not divide.
    pub fn reinterpret(&self, lanes: u32) -> Result<Column> {
        let words = self.words();
        let elements = words.checked_div(u64::from(lanes)).and_then(|n| u32::try_from(n).ok());
        match elements {
            Some(capacity) if u64::from(capacity) * u64::from(lanes) == words => Ok(Column {
                lanes,
                capacity,
                count: None,
                ..self.clone()
            }),
            _ => Err(Error::BadLanes {
                what: "reinterpreted column".to_owned(),
                words,
                lanes,
            }),
        }
    }

    /// Refuses a column that a fused list did not have to write.
    pub(crate) fn check_kept(&self) -> Result<()> {
        let counts = self.count.iter().map(|count| (count, "the live count of a column"));
        let mut all = [(&self.buffer, "a column")].into_iter().chain(counts);
        match all.find(|(buffer, _)| !buffer.is_kept()) {
            None => Ok(()),
            Some((_, what)) => Err(Error::NotKept { what }),
        }
    }

    /// Asks for its words: what they are after everything submitted so far has run. Of a live column only the live
    /// front arrives.
    ///
    /// # Errors
    /// [`Error::WrongRead`] where the column's words are not `T`; [`Error::NotKept`] for one that a fused list did not
    /// keep.
    pub fn read<T: Word>(&self) -> Result<Readback<T>> {
        self.check_kept()?;
        if self.element != T::ELEMENT {
            return Err(Error::WrongRead {
                holds: self.element,
                asked: T::ELEMENT,
            });
        }
        Readback::request(self)
    }

    /// The wgpu buffer, for a host that draws from it or binds it; `None` on the CPU. Call
    /// [`Device::poll`] first, so that the work submitted so far is on the queue. The buffer is longer than the
    /// column: bind [`bytes`](Self::bytes) of it from 0.
    #[cfg(feature = "gpu")]
    pub fn wgpu_buffer(&self) -> Option<&wgpu::Buffer> {
        self.buffer.gpu()
    }
}

impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Column")
            .field("id", &self.id())
            .field("element", &self.element)
            .field("lanes", &self.lanes)
            .field("capacity", &self.capacity)
            .field("live", &self.count.is_some())
            .finish()
    }
}
