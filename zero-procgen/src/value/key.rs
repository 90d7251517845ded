//! Content keys: what a value is filed under. A key is of the operation, its version, its parameters, the keys of its
//! inputs and the device's class, never of the numbers a device computed.

use std::fmt;
use std::hash::Hasher;

/// 128 bits of a BLAKE3 hash: two different contents meet with a chance of 2^-64 among 2^32 values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub(crate) [u8; 16]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Key {
    /// The key of one output of the node with this key.
    pub(crate) fn output(self, index: u16) -> Key {
        // Keys are hashes: two of them that differ in these bits alone don't come up, so that no output is taken for
        // another's, nor for the node.
        let mut key = self;
        let [low, high] = index.wrapping_add(1).to_le_bytes();
        key.0[0] ^= low;
        key.0[1] ^= high;
        key
    }
}

/// Collects what a key is of. Every piece is written with its length or at a fixed width, so that no two lists of
/// pieces read alike.
pub struct KeyHasher(Vec<u8>);

/// What most keys are of fits.
const USUAL_BYTES: usize = 256;
/// Bytes past which a piece is taken in by its hash, so that nothing large is held.
const LARGE_BYTES: usize = 4096;

impl fmt::Debug for KeyHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHasher")
    }
}

impl KeyHasher {
    /// Begins a key of this kind.
    pub fn new(kind: &str) -> KeyHasher {
        let mut hasher = KeyHasher(Vec::with_capacity(USUAL_BYTES));
        hasher.text(kind);
        hasher
    }
    /// Takes a text in.
    pub fn text(&mut self, text: &str) -> &mut KeyHasher {
        self.bytes(text.as_bytes())
    }
    /// Takes bytes in.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut KeyHasher {
        self.u64(bytes.len() as u64);
        match bytes.len() {
            ..=LARGE_BYTES => self.0.extend_from_slice(bytes),
            _ => self.0.extend_from_slice(blake3::hash(bytes).as_bytes()),
        }
        self
    }
    /// Takes a number in.
    pub fn u32(&mut self, value: u32) -> &mut KeyHasher {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }
    /// Takes a number in.
    pub fn u64(&mut self, value: u64) -> &mut KeyHasher {
        self.0.extend_from_slice(&value.to_le_bytes());
        self
    }
    /// Takes a number in, by its bits.
    pub fn f32(&mut self, value: f32) -> &mut KeyHasher {
        self.u32(value.to_bits())
    }
    /// Takes another key in.
    pub fn key(&mut self, key: Key) -> &mut KeyHasher {
        self.0.extend_from_slice(&key.0);
        self
    }
    /// The key of what was taken in.
    pub fn finish(&self) -> Key {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&blake3::hash(&self.0).as_bytes()[..16]);
        Key(bytes)
    }
}

/// Keys are hashes already: eight bytes of one serve as its hash.
#[derive(Debug, Default)]
pub(crate) struct OfKey(u64);

impl Hasher for OfKey {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 = u64::from_le_bytes(*first);
        }
    }
    // How long a key is tells nothing.
    fn write_usize(&mut self, _length: usize) {}
    fn finish(&self) -> u64 {
        self.0
    }
}
