//! The data of messages, packed.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Serialize};

/// Up to 16 bytes, aligned so that they are copied as two words.
#[derive(Clone, Copy)]
#[repr(align(8))]
pub struct Few([u8; 16]);

/// The packed data of a message.
///
/// Laid out as three words that are each written at once: a value that is written in parts and read
/// as a whole soon afterwards has to wait for all earlier stores of the processor.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "Data", into = "Data")]
#[repr(u32)]
pub enum Payload {
    /// Up to 16 bytes stored inline, preceded by their number.
    Small(u32, Few),
    /// More than 16 bytes.
    Heap(Box<[u8]>),
    /// Data of which only the size is known, in bytes.
    Absent(u64),
}

/// A payload as it is serialized.
#[derive(Serialize, Deserialize)]
enum Data {
    Present(Vec<u8>),
    Absent(u64),
}

impl Payload {
    /// A payload of no bytes.
    pub const EMPTY: Self = Self::Small(0, Few([0; 16]));

    /// Creates a payload with a copy of `bytes`.
    // Inlined for messages of one number; the rest is a call.
    #[inline(always)]
    pub fn from_slice(bytes: &[u8]) -> Self {
        // The sizes of single numbers are written as whole words: reading back a word before its
        // parts have reached the cache costs more than the copy.
        if let Ok(word) = <[u8; 4]>::try_from(bytes) {
            return Self::word(u64::from(u32::from_le_bytes(word)), 4);
        }
        if let Ok(word) = <[u8; 8]>::try_from(bytes) {
            return Self::word(u64::from_le_bytes(word), 8);
        }
        Self::of_any_size(bytes)
    }

    #[inline(never)]
    fn of_any_size(bytes: &[u8]) -> Self {
        if bytes.len() > 16 {
            return Self::Heap(bytes.into());
        }
        let mut few = [0; 16];
        few[..bytes.len()].copy_from_slice(bytes);
        Self::Small(bytes.len() as u32, Few(few))
    }

    #[inline]
    fn word(word: u64, length: u32) -> Self {
        Self::Small(length, Few(u128::from(word).to_le_bytes()))
    }

    /// Reports whether the data are stored in the value itself, which then need not be dropped.
    #[inline]
    pub fn is_inline(&self) -> bool {
        matches!(self, Self::Small(..))
    }

    /// Returns the bytes that are there: none of absent data.
    #[inline]
    pub fn as_slice(&self) -> &[u8] {
        match self {
            Self::Small(length, bytes) => &bytes.0[..*length as usize],
            Self::Heap(bytes) => bytes,
            Self::Absent(_) => &[],
        }
    }

    /// Returns the bytes that are there without a copy of large ones: none of absent data.
    pub(crate) fn into_vec(self) -> Vec<u8> {
        match self {
            Self::Heap(bytes) => bytes.into_vec(),
            Self::Small(..) | Self::Absent(_) => self.as_slice().to_vec(),
        }
    }

    /// Returns the size of the data.
    #[inline]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Small(length, _) => u64::from(*length),
            Self::Heap(bytes) => bytes.len() as u64,
            Self::Absent(bytes) => *bytes,
        }
    }

    /// Returns the data, with zeros for absent ones.
    pub(crate) fn contents(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Absent(bytes) => vec![0; *bytes as usize].into(),
            Self::Small(..) | Self::Heap(_) => self.as_slice().into(),
        }
    }

    /// Returns the first `bytes` bytes, or all if there are not more.
    pub(crate) fn first(&self, bytes: u64) -> Self {
        match self {
            Self::Absent(all) => Self::Absent(bytes.min(*all)),
            Self::Small(..) | Self::Heap(_) => {
                let data = self.as_slice();
                let kept = usize::try_from(bytes).map_or(data.len(), |bytes| bytes.min(data.len()));
                Self::from_slice(&data[..kept])
            }
        }
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        if bytes.len() <= 16 { Self::from_slice(&bytes) } else { Self::Heap(bytes.into()) }
    }
}

impl From<Data> for Payload {
    fn from(data: Data) -> Self {
        match data {
            Data::Present(bytes) => bytes.into(),
            Data::Absent(bytes) => Self::Absent(bytes),
        }
    }
}

impl From<Payload> for Data {
    fn from(payload: Payload) -> Self {
        match payload {
            Payload::Absent(bytes) => Self::Absent(bytes),
            Payload::Small(..) | Payload::Heap(_) => Self::Present(payload.contents().into_owned()),
        }
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.bytes())
    }
}
