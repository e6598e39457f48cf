//! Reduction operations (MPI section 6.9).
#![allow(unsafe_code, reason = "operations of C are called by address")]

use std::{marker::PhantomData, os::raw::c_void, rc::Rc};

use crate::{
    api::{
        Context,
        datatype::{
            Aligned, Buffer, BufferMut, DynBuffer, DynBufferMut, Kind, Packed, UncommittedDatatype,
            fill,
        },
    },
    call::{CommId, Site},
    error::ErrorClass,
    finding::CallPlace,
    object::{datatype::Datatype as Layout, op::Op},
};

/// An operation that can be used in a reduction.
pub trait Operation {
    /// Reports whether the operation is commutative.
    fn is_commutative(&self) -> bool;

    /// Returns the operation for elements of one datatype, for one call.
    #[doc(hidden)]
    fn op(&self, kind: &Kind) -> Op;
}

impl<O: Operation + ?Sized> Operation for &O {
    fn is_commutative(&self) -> bool {
        (**self).is_commutative()
    }

    fn op(&self, kind: &Kind) -> Op {
        (**self).op(kind)
    }
}

/// A predefined operation.
#[derive(Clone, Debug)]
pub struct SystemOperation(Op);

impl Operation for SystemOperation {
    fn is_commutative(&self) -> bool {
        self.0.is_commutative()
    }

    fn op(&self, _kind: &Kind) -> Op {
        self.0.clone()
    }
}

macro_rules! predefined {
    ($($name:ident $op:ident $doc:literal;)*) => {
        impl SystemOperation {
            $(#[doc = $doc]
            pub fn $name() -> Self {
                Self(Op::$op)
            })*
        }
    };
}

predefined! {
    max Max "`MPI_MAX`.";
    min Min "`MPI_MIN`.";
    sum Sum "`MPI_SUM`.";
    product Product "`MPI_PROD`.";
    logical_and LogicalAnd "`MPI_LAND`.";
    logical_or LogicalOr "`MPI_LOR`.";
    logical_xor LogicalXor "`MPI_LXOR`.";
    bitwise_and BitAnd "`MPI_BAND`.";
    bitwise_or BitOr "`MPI_BOR`.";
    bitwise_xor BitXor "`MPI_BXOR`.";
    max_location MaxLoc "`MPI_MAXLOC`.";
    min_location MinLoc "`MPI_MINLOC`.";
}

type Function = Rc<dyn Fn(DynBuffer<'_>, DynBufferMut<'_>)>;

/// An operation defined by a Rust function (`MPI_Op_create`), which leaves `x op y` in its second
/// argument. The kernel may keep it beyond the call, so that the function borrows nothing.
#[derive(Clone)]
pub struct UserOperation<'a> {
    commutative: bool,
    function: Function,
    lifetime: PhantomData<&'a ()>,
}

impl UserOperation<'_> {
    /// Creates a commutative operation.
    pub fn commutative<F>(function: F) -> Self
    where
        F: Fn(DynBuffer<'_>, DynBufferMut<'_>) + 'static,
    {
        Self { commutative: true, function: Rc::new(function), lifetime: PhantomData }
    }

    /// Creates an operation that is only associative: operands are combined in rank order.
    pub fn associative<F>(function: F) -> Self
    where
        F: Fn(DynBuffer<'_>, DynBufferMut<'_>) + 'static,
    {
        Self { commutative: false, function: Rc::new(function), lifetime: PhantomData }
    }
}

impl Operation for UserOperation<'_> {
    fn is_commutative(&self) -> bool {
        self.commutative
    }

    fn op(&self, kind: &Kind) -> Op {
        let (kind, function) = (kind.clone(), Rc::clone(&self.function));
        let combine = move |left: &[u8], right: &mut [u8]| {
            let x = Aligned::unpacked(&kind, left);
            let mut y = Aligned::unpacked(&kind, right);
            function(x.shared(), y.exclusive());
            y.pack_into(right);
        };
        Op::user(self.commutative, Rc::new(combine))
    }
}

/// A datatype as a C function receives it: an address that is valid during the call.
pub type RawDatatype = *const Layout;

/// A reduction function of C: two operands, and pointers to their number and their datatype.
pub type UnsafeUserFunction =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i32, *mut RawDatatype);

/// An operation defined by a C function.
#[derive(Clone, Copy)]
pub struct UnsafeUserOperation {
    commutative: bool,
    function: UnsafeUserFunction,
}

impl UnsafeUserOperation {
    /// Creates a commutative operation.
    ///
    /// # Safety
    /// The function must access no more elements than it is told.
    pub unsafe fn commutative(function: UnsafeUserFunction) -> Self {
        Self { commutative: true, function }
    }

    /// Creates an operation that is only associative: operands are combined in rank order.
    ///
    /// # Safety
    /// The function must access no more elements than it is told.
    pub unsafe fn associative(function: UnsafeUserFunction) -> Self {
        Self { commutative: false, function }
    }
}

impl Operation for UnsafeUserOperation {
    fn is_commutative(&self) -> bool {
        self.commutative
    }

    fn op(&self, kind: &Kind) -> Op {
        let (kind, function, layout) = (kind.clone(), self.function, kind.layout());
        let combine = move |left: &[u8], right: &mut [u8]| {
            let mut x = Aligned::unpacked(&kind, left);
            let mut y = Aligned::unpacked(&kind, right);
            let (from, count) = x.raw();
            let (to, _) = y.raw();
            let (mut count, mut datatype) = (count as i32, std::ptr::from_ref(&layout));
            // SAFETY: both operands hold `count` elements of that datatype; the creator of the
            // operation guarantees that the function accesses no others.
            unsafe { function(from.cast(), to.cast(), &mut count, &mut datatype) };
            y.pack_into(right);
        };
        Op::user(self.commutative, Rc::new(combine))
    }
}

/// Leaves `inbuf op inoutbuf` in `inoutbuf`, without communication (`MPI_Reduce_local`).
#[track_caller]
pub fn reduce_local_into<S, R, O>(inbuf: &S, inoutbuf: &mut R, op: O)
where
    S: Buffer + ?Sized,
    R: Buffer + BufferMut + ?Sized,
    O: Operation,
{
    let site = Site::here();
    let kind = inbuf.as_datatype().kind();
    let op = op.op(&kind);
    let context = Context::current();
    let policies = context.as_ref().map(|context| context.environment().policies);
    let done = Packed::of(inbuf).and_then(|left| {
        let right = Packed::of(inoutbuf)?;
        let reduction = super::part::reduction_of(op, &kind, &policies.unwrap_or_default())?;
        if !left.signature.same(&right.signature) {
            let text = format!("{} against {}", left.signature, right.signature);
            return Err(crate::error::MpiError::new(ErrorClass::Type, text));
        }
        let mut bytes = right.bytes.as_slice().to_vec();
        reduction.op.apply(reduction.primitive, left.bytes.as_slice(), &mut bytes);
        fill(inoutbuf, &bytes);
        Ok(())
    });
    if let (Err(error), Some(context)) = (done, context) {
        context.raise(CallPlace { call: "reduce_local", site }, CommId::WORLD, error);
    }
}
