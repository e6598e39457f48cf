//! Rust types with an equivalent MPI datatype.

use super::{Datatype, Equivalence, Kind, SystemDatatype, UncommittedDatatype};
use crate::object::{datatype::Datatype as Layout, signature::Primitive};

macro_rules! system {
    ($($t:ty => $p:ident),* $(,)?) => {$(
        // SAFETY: the representations are equal; a received `bool` is converted to 0 or 1.
        unsafe impl Equivalence for $t {
            type Out = SystemDatatype;
            fn equivalent_datatype() -> Self::Out {
                SystemDatatype::system(Primitive::$p)
            }
        }
    )*};
}

system! {
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64, isize => Int64,
    u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64, usize => UInt64,
    f32 => Float32, f64 => Float64, bool => Bool,
}

/// The datatype of an array.
#[derive(Clone, Debug)]
pub struct ArrayDatatype(Kind);

impl UncommittedDatatype for ArrayDatatype {
    fn kind(&self) -> Kind {
        self.0.clone()
    }
}

impl Datatype for ArrayDatatype {}

// SAFETY: the elements of an array are contiguous.
unsafe impl<T: Equivalence, const N: usize> Equivalence for [T; N] {
    type Out = ArrayDatatype;
    fn equivalent_datatype() -> Self::Out {
        ArrayDatatype(match T::equivalent_datatype().kind() {
            Kind::Basic(primitive, count) => Kind::Basic(primitive, count * N as u64),
            Kind::Derived(layout) => {
                let array = Layout::contiguous(N as i64, &layout);
                Kind::Derived(array.expect("it is a Rust type"))
            }
        })
    }
}

/// The datatype of a tuple or structure: its fields without padding.
#[derive(Clone, Debug)]
pub struct TupleDatatype(Layout);

impl UncommittedDatatype for TupleDatatype {
    fn kind(&self) -> Kind {
        Kind::Derived(self.0.clone())
    }
}

impl Datatype for TupleDatatype {}

/// A field of a Rust type, for [`TupleDatatype::of_fields`].
#[derive(Clone, Debug)]
pub struct Field {
    place: i64,
    layout: Layout,
}

impl Field {
    /// Creates a field of type `T` at `offset` bytes from the start.
    pub fn at<T: Equivalence>(offset: usize) -> Self {
        Self { place: offset as i64, layout: T::equivalent_datatype().kind().layout() }
    }
}

impl TupleDatatype {
    /// Creates the datatype of the Rust type `T` with these fields.
    ///
    /// # Panics
    /// If the size or an offset exceeds the limit of Rust types.
    pub fn of_fields<T>(fields: &[Field]) -> Self {
        let places: Vec<i64> = fields.iter().map(|field| field.place).collect();
        let types: Vec<Layout> = fields.iter().map(|field| field.layout.clone()).collect();
        let whole = Layout::structure(&vec![1; fields.len()], &places, &types)
            .and_then(|fields| fields.resized(0, size_of::<T>() as i64));
        Self(whole.expect("it is a Rust type"))
    }
}

macro_rules! tuples {
    ($(($($t:ident $index:tt),*))*) => {$(
        // SAFETY: each field is at its own offset, and the extent is that of the whole.
        unsafe impl<$($t: Equivalence),*> Equivalence for ($($t,)*) {
            type Out = TupleDatatype;
            fn equivalent_datatype() -> Self::Out {
                TupleDatatype::of_fields::<Self>(&[$(
                    Field::at::<$t>(std::mem::offset_of!(Self, $index))
                ),*])
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
}

/// A value with its index, for `MPI_MINLOC` and `MPI_MAXLOC` (MPI section 6.9.4).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Located<T> {
    /// The value that is compared.
    pub value: T,
    /// Index of the value; among equal values the smallest index wins.
    pub index: i32,
}

macro_rules! located {
    ($($t:ty => $p:ident),* $(,)?) => {$(
        // SAFETY: the pair type has the layout of a C struct, as this type has.
        unsafe impl Equivalence for Located<$t> {
            type Out = SystemDatatype;
            fn equivalent_datatype() -> Self::Out {
                SystemDatatype::system(Primitive::$p)
            }
        }
    )*};
}

located! { f32 => FloatInt, f64 => DoubleInt, i64 => LongInt, i32 => TwoInt, i16 => ShortInt }
