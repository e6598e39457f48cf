//! Conversion between buffers and the bytes of messages.

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

/// The packed contents of a buffer.
pub(crate) struct Packed {
    pub(crate) bytes: Payload,
    pub(crate) signature: Signature,
}

/// The size and signature of a receive buffer.
pub(crate) struct Room {
    pub(crate) bytes: u64,
    pub(crate) signature: Signature,
    pub(crate) gaps: Gaps,
}

/// Messages of at most this many bytes are packed without asking whether the run carries them: the
/// kernel leaves out what it does not.
const ALWAYS_CARRIED: u64 = 64;

fn natural(count: i32) -> Result<usize, MpiError> {
    let negative = || MpiError::new(ErrorClass::Count, format!("count {count} is negative"));
    usize::try_from(count).map_err(|_| negative())
}

impl Kind {
    /// Returns the packed data of `count` elements at `base`.
    ///
    /// # Safety
    /// The elements may be read.
    #[inline]
    pub(crate) unsafe fn payload(&self, base: *const u8, count: usize) -> Payload {
        match self {
            Self::Basic(..) => {
                let length = self.size() as usize * count;
                if length == 0 {
                    return Payload::EMPTY;
                }
                // SAFETY: the caller guarantees the elements, which are exactly these bytes.
                Payload::from_slice(unsafe { std::slice::from_raw_parts(base, length) })
            }
            // SAFETY: guaranteed by the caller.
            Self::Derived(layout) => unsafe { packed(layout, base, count) },
        }
    }

    /// Unpacks bytes into `count` elements at `base`; surplus bytes or elements are left alone.
    ///
    /// # Safety
    /// The elements may be written.
    #[inline]
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
                let from = from.as_ptr();
                // SAFETY: the caller guarantees the elements, which have at least this many bytes.
                unsafe {
                    match length {
                        // Single numbers are copied as words, without a call.
                        4 => std::ptr::copy_nonoverlapping(from, base, 4),
                        8 => std::ptr::copy_nonoverlapping(from, base, 8),
                        _ => std::ptr::copy_nonoverlapping(from, base, length),
                    }
                }
                length
            }
            // SAFETY: guaranteed by the caller.
            Self::Derived(layout) => unsafe { layout.unpack(bytes, base, count) },
        }
    }
}

/// Returns the packed data of `count` elements of a derived datatype at `base`.
///
/// # Safety
/// The elements may be read.
unsafe fn packed(layout: &Layout, base: *const u8, count: usize) -> Payload {
    let mut bytes = Vec::new();
    // SAFETY: guaranteed by the caller.
    unsafe { layout.pack(base, count, &mut bytes) };
    bytes.into()
}

/// Returns the type and the number of a buffer's elements.
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

    /// Like [`Packed::of`], for a message: data that the run does not carry are not packed.
    pub(crate) fn of_message<B: Buffer + ?Sized>(buffer: &B) -> Result<Self, MpiError> {
        let (kind, count) = described(buffer)?;
        let bytes = Self::message_of(buffer, &kind, count);
        Ok(Self { bytes, signature: kind.signature(count as u64) })
    }

    /// Like [`Packed::of`], for equal blocks: data whose blocks the run does not carry are not packed.
    pub(crate) fn of_blocks<B: Buffer + ?Sized>(
        buffer: &B,
        blocks: usize,
    ) -> Result<Self, MpiError> {
        let (kind, count) = described(buffer)?;
        let size = kind.size() * count as u64;
        let bytes = match Self::is_left_out(size / blocks.max(1) as u64) {
            true => Payload::Absent(size),
            false => Self::bytes_of(buffer, &kind, count),
        };
        Ok(Self { bytes, signature: kind.signature(count as u64) })
    }

    /// Returns whether the run simulates only the size of a message, or of a block.
    #[inline]
    fn is_left_out(size: u64) -> bool {
        size > ALWAYS_CARRIED && Context::leaves_out(size)
    }

    /// Returns the contents of a buffer that was [`described`], as a message has them.
    #[inline]
    pub(crate) fn message_of<B: Buffer + ?Sized>(buffer: &B, kind: &Kind, count: usize) -> Payload {
        let size = kind.size() * count as u64;
        if Self::is_left_out(size) {
            return Payload::Absent(size);
        }
        Self::bytes_of(buffer, kind, count)
    }

    #[inline]
    fn bytes_of<B: Buffer + ?Sized>(buffer: &B, kind: &Kind, count: usize) -> Payload {
        // SAFETY: a buffer guarantees its elements.
        unsafe { kind.payload(buffer.pointer().cast(), count) }
    }
}

/// Returns the type and the number of the elements that a buffer can receive.
#[inline]
pub(crate) fn receivable<B: BufferMut + ?Sized>(buffer: &B) -> Result<(Kind, u64), MpiError> {
    let kind = buffer.as_datatype().kind();
    let count = natural(buffer.count())? as u64;
    if let Kind::Derived(layout) = &kind
        && layout.overlaps(count)
        && !Context::follows(Policy::OverlappingReceives)
    {
        let text = "entries of the receive datatype overlap";
        return Err(MpiError::new(ErrorClass::Type, text));
    }
    Ok((kind, count))
}

impl Room {
    /// Returns the room of this many elements.
    #[inline]
    pub(crate) fn of(kind: &Kind, count: u64) -> Self {
        let signature = kind.signature(count);
        Self { bytes: kind.size() * count, signature, gaps: kind.gaps() }
    }
}

/// Returns the room of a receive buffer.
pub(crate) fn room<B: BufferMut + ?Sized>(buffer: &B) -> Result<Room, MpiError> {
    let (kind, count) = receivable(buffer)?;
    Ok(Room::of(&kind, count))
}

/// Unpacks a received message into a buffer; it may be shorter than the buffer.
pub(crate) fn fill<B: BufferMut + ?Sized>(buffer: &mut B, bytes: &[u8]) {
    let kind = buffer.as_datatype().kind();
    let count = usize::try_from(buffer.count()).unwrap_or(0);
    // SAFETY: a buffer guarantees its elements.
    unsafe { kind.place(bytes, buffer.pointer_mut().cast(), count) };
}

/// Returns the packed contents of a buffer that is also received into.
pub(crate) fn contents<B: BufferMut + ?Sized>(buffer: &mut B) -> Vec<u8> {
    let kind = buffer.as_datatype().kind();
    let count = usize::try_from(buffer.count()).unwrap_or(0);
    let base = buffer.pointer_mut().cast::<u8>().cast_const();
    // SAFETY: a buffer guarantees its elements, and as a Rust value it is initialised.
    unsafe { kind.payload(base, count) }.as_slice().to_vec()
}
