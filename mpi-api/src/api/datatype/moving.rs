//! From a buffer to the bytes of a message and back.

use super::{Buffer, BufferMut, Kind, UncommittedDatatype};
use crate::{
    api::Context,
    call::{Layout as Gaps, Payload},
    error::{ErrorClass, MpiError},
    object::{
        datatype::Datatype as Layout,
        signature::{Primitive, Signature},
    },
    policy::Policy,
};

/// A buffer's contents as they travel.
pub(crate) struct Packed {
    pub(crate) bytes: Payload,
    pub(crate) signature: Signature,
}

/// The room a buffer offers.
pub(crate) struct Room {
    pub(crate) bytes: u64,
    pub(crate) signature: Signature,
    pub(crate) gaps: Gaps,
}

fn natural(count: i32) -> Result<usize, MpiError> {
    let negative = || MpiError::new(ErrorClass::Count, format!("count {count} is negative"));
    usize::try_from(count).map_err(|_| negative())
}

impl Kind {
    /// The data of `count` elements at `base`.
    ///
    /// # Safety
    /// They may be read there.
    #[inline]
    pub(crate) unsafe fn payload(&self, base: *const u8, count: usize) -> Payload {
        match self {
            Self::Basic(..) => {
                let length = self.size() as usize * count;
                if length == 0 {
                    return Payload::EMPTY;
                }
                // SAFETY: the caller vouches for the elements, which are these bytes.
                Payload::from_slice(unsafe { std::slice::from_raw_parts(base, length) })
            }
            // SAFETY: the caller vouches for the elements.
            Self::Derived(layout) => unsafe { packed(layout, base, count) },
        }
    }

    /// Puts bytes into `count` elements at `base`: as many as there are, and as fit.
    ///
    /// # Safety
    /// The elements may be written there.
    pub(crate) unsafe fn place(&self, bytes: &[u8], base: *mut u8, count: usize) -> usize {
        match self {
            Self::Basic(primitive, _) => {
                let length = bytes.len().min(self.size() as usize * count);
                let truths: Vec<u8>;
                let mut from = &bytes[..length];
                if *primitive == Primitive::Bool {
                    truths = from.iter().map(|byte| u8::from(*byte != 0)).collect();
                    from = &truths;
                }
                // SAFETY: the caller vouches for the elements, which are at least these bytes.
                unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), base, length) };
                length
            }
            // SAFETY: the caller vouches for the elements.
            Self::Derived(layout) => unsafe { layout.unpack(bytes, base, count) },
        }
    }
}

/// The data of `count` elements of a derived datatype at `base`.
///
/// # Safety
/// They may be read there.
unsafe fn packed(layout: &Layout, base: *const u8, count: usize) -> Payload {
    let mut bytes = Vec::new();
    // SAFETY: the caller vouches for the elements.
    unsafe { layout.pack(base, count, &mut bytes) };
    bytes.into()
}

/// What a buffer's elements are, and how many.
#[inline]
pub(crate) fn described<B: Buffer + ?Sized>(buffer: &B) -> Result<(Kind, usize), MpiError> {
    Ok((buffer.as_datatype().kind(), natural(buffer.count())?))
}

impl Packed {
    #[inline]
    pub(crate) fn of<B: Buffer + ?Sized>(buffer: &B) -> Result<Self, MpiError> {
        let (kind, count) = described(buffer)?;
        let bytes = Self::bytes_of(buffer, &kind, count);
        Ok(Self { bytes, signature: kind.signature(count as u64) })
    }

    /// The contents of a buffer that was [`described`].
    #[inline]
    pub(crate) fn bytes_of<B: Buffer + ?Sized>(buffer: &B, kind: &Kind, count: usize) -> Payload {
        // SAFETY: a buffer vouches for its elements.
        unsafe { kind.payload(buffer.pointer().cast(), count) }
    }
}

/// The room of a buffer to receive into.
pub(crate) fn room<B: BufferMut + ?Sized>(buffer: &B) -> Result<Room, MpiError> {
    let kind = buffer.as_datatype().kind();
    let count = natural(buffer.count())? as u64;
    if let Kind::Derived(layout) = &kind
        && layout.overlaps(count)
        && !Context::follows(Policy::OverlappingReceives)
    {
        let text = "entries of the receive datatype overlap";
        return Err(MpiError::new(ErrorClass::Type, text));
    }
    let signature = kind.signature(count);
    Ok(Room { bytes: kind.size() * count, signature, gaps: kind.gaps() })
}

/// Puts a received message in; it may be shorter than the room.
pub(crate) fn fill<B: BufferMut + ?Sized>(buffer: &mut B, bytes: &[u8]) {
    let kind = buffer.as_datatype().kind();
    let count = usize::try_from(buffer.count()).unwrap_or(0);
    // SAFETY: a buffer vouches for its elements.
    unsafe { kind.place(bytes, buffer.pointer_mut().cast(), count) };
}

/// The contents of a buffer that is also received into.
pub(crate) fn contents<B: BufferMut + ?Sized>(buffer: &mut B) -> Vec<u8> {
    let kind = buffer.as_datatype().kind();
    let count = usize::try_from(buffer.count()).unwrap_or(0);
    let base = buffer.pointer_mut().cast::<u8>().cast_const();
    // SAFETY: a buffer vouches for its elements, which are initialised: it is a Rust value.
    unsafe { kind.payload(base, count) }.as_slice().to_vec()
}
