//! Complex numbers of the crate `num-complex` (feature `complex`).

use num_complex::{Complex32, Complex64};

use super::{Equivalence, SystemDatatype};
use crate::object::signature::Primitive;

// SAFETY: real and imaginary part are adjacent, as in C; any bytes are valid numbers.
unsafe impl Equivalence for Complex32 {
    type Out = SystemDatatype;

    fn equivalent_datatype() -> Self::Out {
        SystemDatatype::system(Primitive::FloatComplex)
    }
}

// SAFETY: as above.
unsafe impl Equivalence for Complex64 {
    type Out = SystemDatatype;

    fn equivalent_datatype() -> Self::Out {
        SystemDatatype::system(Primitive::DoubleComplex)
    }
}
