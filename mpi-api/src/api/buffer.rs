//! Buffers: what can be sent and received.

use crate::{
    call::{Layout as Gaps, Payload},
    object::{
        datatype::Layout,
        signature::{Primitive, Signature},
    },
};

/// A Rust type with an equivalent MPI datatype (MPI section 3.2.2).
pub trait Equivalence: Copy + Default + 'static {
    /// The MPI datatype.
    const PRIMITIVE: Primitive;
    /// Appends the value's bytes.
    fn write(self, out: &mut Vec<u8>);
    /// A value from exactly as many bytes as it has.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! equivalence {
    ($($t:ty => $p:ident),* $(,)?) => {$(
        impl Equivalence for $t {
            const PRIMITIVE: Primitive = Primitive::$p;
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_ne_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                Self::from_ne_bytes(bytes.try_into().expect("as many bytes as the type has"))
            }
        }
    )*};
}
equivalence! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, isize => Int64,
    u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64, usize => UInt64,
    f32 => Float32, f64 => Float64,
}

impl Equivalence for bool {
    const PRIMITIVE: Primitive = Primitive::Bool;
    fn write(self, out: &mut Vec<u8>) {
        out.push(u8::from(self));
    }
    fn read(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
}

/// Something that can be sent.
pub trait Buffer {
    /// Its data, packed.
    fn bytes(&self) -> Vec<u8>;
    /// Its types.
    fn signature(&self) -> Signature;
    /// Whether its data have gaps.
    fn gaps(&self) -> Gaps {
        Gaps::Dense
    }
    /// Its data as a message.
    fn payload(&self) -> Payload {
        self.bytes().into()
    }
}

/// Something that can be received into.
pub trait BufferMut {
    /// Room in bytes.
    fn capacity(&self) -> u64;
    /// Types of the room.
    fn room(&self) -> Signature;
    /// Whether the room has gaps.
    fn room_gaps(&self) -> Gaps {
        Gaps::Dense
    }
    /// Puts a received message in; it may be shorter than the room.
    fn fill(&mut self, bytes: &[u8]);
}

fn size<T: Equivalence>() -> usize {
    T::PRIMITIVE.size()
}

impl<T: Equivalence> Buffer for [T] {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(size_of_val(self));
        self.iter().for_each(|value| value.write(&mut out));
        out
    }

    fn signature(&self) -> Signature {
        Signature::of(T::PRIMITIVE, self.len() as u64)
    }

    fn payload(&self) -> Payload {
        if size_of_val(self) > 16 {
            return self.bytes().into();
        }
        let mut bytes = Vec::new();
        let mut small = [0; 16];
        let mut used = 0;
        for value in self {
            bytes.clear();
            value.write(&mut bytes);
            small[used..used + bytes.len()].copy_from_slice(&bytes);
            used += bytes.len();
        }
        Payload::Small(small, used as u8)
    }
}

impl<T: Equivalence> BufferMut for [T] {
    fn capacity(&self) -> u64 {
        size_of_val(self) as u64
    }

    fn room(&self) -> Signature {
        Signature::of(T::PRIMITIVE, self.len() as u64)
    }

    fn fill(&mut self, bytes: &[u8]) {
        for (place, chunk) in self.iter_mut().zip(bytes.chunks_exact(size::<T>())) {
            *place = T::read(chunk);
        }
    }
}

macro_rules! as_slice {
    ([$($generics:tt)*] $t:ty, $slice:ident => $as:expr, $as_mut:expr) => {
        impl<$($generics)*> Buffer for $t {
            fn bytes(&self) -> Vec<u8> {
                let $slice = self;
                Buffer::bytes($as)
            }
            fn signature(&self) -> Signature {
                let $slice = self;
                Buffer::signature($as)
            }
        }
        impl<$($generics)*> BufferMut for $t {
            fn capacity(&self) -> u64 {
                let $slice = self;
                BufferMut::capacity($as)
            }
            fn room(&self) -> Signature {
                let $slice = self;
                BufferMut::room($as)
            }
            fn fill(&mut self, bytes: &[u8]) {
                let $slice = self;
                BufferMut::fill($as_mut, bytes);
            }
        }
    };
}
as_slice!([T: Equivalence] T, value => std::slice::from_ref(value), std::slice::from_mut(value));
as_slice!([T: Equivalence] Vec<T>, v => v.as_slice(), v.as_mut_slice());
as_slice!([T: Equivalence, const N: usize] [T; N], a => a.as_slice(), a.as_mut_slice());

/// Elements of a slice that a layout picks, to be sent (a derived datatype).
pub struct View<'a, T> {
    /// Memory; the layout's displacement 0 is its first element.
    pub memory: &'a [T],
    /// Which elements.
    pub layout: &'a Layout,
}

impl<T: Equivalence> Buffer for View<'_, T> {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.layout.elements() * size::<T>());
        for (at, length) in self.layout.blocks() {
            self.memory[*at..at + length].iter().for_each(|value| value.write(&mut out));
        }
        out
    }

    fn signature(&self) -> Signature {
        Signature::of(T::PRIMITIVE, self.layout.elements() as u64)
    }

    fn gaps(&self) -> Gaps {
        Gaps::Strided
    }
}

/// Elements of a slice that a layout picks, to be received into (a derived datatype).
pub struct ViewMut<'a, T> {
    /// Memory; the layout's displacement 0 is its first element.
    pub memory: &'a mut [T],
    /// Which elements.
    pub layout: &'a Layout,
}

impl<T: Equivalence> BufferMut for ViewMut<'_, T> {
    fn capacity(&self) -> u64 {
        (self.layout.elements() * size::<T>()) as u64
    }

    fn room(&self) -> Signature {
        Signature::of(T::PRIMITIVE, self.layout.elements() as u64)
    }

    fn room_gaps(&self) -> Gaps {
        Gaps::Strided
    }

    fn fill(&mut self, bytes: &[u8]) {
        for (at, chunk) in self.layout.positions().zip(bytes.chunks_exact(size::<T>())) {
            self.memory[at] = T::read(chunk);
        }
    }
}
