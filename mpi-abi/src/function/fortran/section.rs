//! Sections of arrays as buffers of the module `mpi_f08` (MPI 19.1.12).
//!
//! Procedures whose buffers MPI keeps beyond the call take them by the descriptors of the language
//! (`CFI_cdesc_t`, Fortran 2018, 18.5.3), so that they get the elements themselves. For a dummy argument
//! without descriptor the compiler copies a section with gaps, and releases the copy when the call returns. A
//! section with gaps is described by a datatype that lives as long as the call.

use std::{cell::Cell, ffi::c_int, rc::Rc};

use smallvec::SmallVec;

use super::{
    super::sectioned::{self, Array},
    ROWS, Row,
    argument::Shape,
};
use crate::{
    constant::{Handle, class},
    memory::read,
    state::{Fault, State, Type, local},
};

/// Returns the type of a handle, if it can be used in communication.
fn usable(state: &State, datatype: Handle) -> Option<Rc<Type>> {
    state.any_type(datatype).ok().filter(|found| found.committed.get())
}

/// What a procedure does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Only its address counts.
    Address,
    /// `count` elements of a datatype are used, which the next two arguments give.
    Elements,
    /// As many such blocks as the communicator has ranks.
    Blocks,
    /// The operation of a reduction is applied to its elements.
    Reduced,
    /// It must have no gaps.
    Whole,
}

impl Use {
    /// Returns the use of argument `at`.
    fn of(row: &Row, at: usize) -> Self {
        let name = row.small().unwrap_or(row.name);
        if ["MPI_Get_address", "MPI_Address", "MPI_Fetch_and_op", "MPI_Compare_and_swap"]
            .contains(&name)
            || name.ends_with("_end")
        {
            return Self::Address;
        }
        let is_count = |shape: &Shape| matches!(shape, Shape::Plain("integer" | "integer(8)"));
        let is_typed = matches!(row.shapes[at..], [_, ref count, Shape::Handle, ..]
            if is_count(count));
        let is_reduction = row.names.contains(&"op") && row.names.contains(&"recvbuf");
        if is_reduction {
            return Self::Reduced;
        }
        if !is_typed {
            return Self::Whole;
        }
        let is = |word: &str| name.contains(word);
        let is_many = match row.names[at] {
            "recvbuf" => is("gather") || is("alltoall"),
            "sendbuf" => is("scatter") || is("alltoall"),
            _ => false,
        };
        if is_many { Self::Blocks } else { Self::Elements }
    }
}

/// The count of a described section: its datatype has all elements.
static ONE: i64 = 1;

/// Arguments in place of those that describe sections.
pub(super) struct Sections {
    /// The handles of datatypes, where Fortran's are read.
    handles: [Cell<c_int>; 2],
    used: usize,
    /// Addresses of the sections that a reduction uses.
    reduced: SmallVec<[usize; 2]>,
}

impl Sections {
    pub(super) fn new() -> Self {
        Self { handles: Default::default(), used: 0, reduced: SmallVec::new() }
    }

    /// Replaces the descriptors among the arguments of the procedure at `address` by addresses of
    /// buffers, and the count and the datatype of each section that has gaps.
    ///
    /// # Errors
    ///
    /// The error code of the call, after the error handler.
    pub(super) fn replace(
        &mut self,
        shapes: &[Shape],
        given: &mut [usize],
        address: usize,
    ) -> Result<(), c_int> {
        for at in 0..shapes.len() {
            if !shapes[at].is_buffer() {
                continue;
            }
            let array = Array::at(given[at]);
            given[at] = array.base;
            if !array.is_contiguous() {
                self.describe(array, at, given, address)?;
            }
        }
        Ok(())
    }

    #[cold]
    fn describe(
        &mut self,
        array: Array,
        at: usize,
        given: &mut [usize],
        address: usize,
    ) -> Result<(), c_int> {
        let Some(row) = ROWS.iter().find(|row| row.described == Some(address)) else {
            return Ok(());
        };
        let used = Use::of(row, at);
        match used {
            Use::Address => return Ok(()),
            Use::Reduced => {
                self.reduced.push(array.base);
                sectioned::add_reduced(array);
                return Ok(());
            }
            Use::Elements | Use::Blocks | Use::Whole => {}
        }
        let code = local(|state, _| {
            if used == Use::Whole {
                let text = format!(
                    "argument {} of {} is a section of an array with gaps; it must be contiguous",
                    row.names[at], row.name
                );
                return Err(Fault::new(class::BUFFER, text));
            }
            let count = match row.shapes[at + 1] {
                Shape::Plain("integer(8)") => read(given[at + 1] as *const i64),
                _ => i64::from(read(given[at + 1] as *const c_int)),
            };
            let datatype = read(given[at + 2] as *const c_int) as u32 as Handle;
            // What is wrong with these the procedure itself says.
            let Some(part) = usable(state, datatype).filter(|_| count >= 0) else {
                return Ok(());
            };
            let made = match used {
                Use::Blocks => array.repeated(count, &part.datatype)?,
                Use::Elements | Use::Address | Use::Reduced | Use::Whole => {
                    array.described(count, &part.datatype)?
                }
            };
            let made = Type::of_section(made, (datatype, part));
            let place = &self.handles[self.used];
            place.set(state.types.borrow_mut().insert(Rc::new(made)) as c_int);
            self.used += 1;
            given[at + 1] = &raw const ONE as usize;
            given[at + 2] = place.as_ptr() as usize;
            Ok(())
        });
        if code == 0 { Ok(()) } else { Err(code) }
    }
}

impl Drop for Sections {
    fn drop(&mut self) {
        self.reduced.iter().for_each(|base| sectioned::forget_reduced(*base));
        let Some(state) = State::current().filter(|_| self.used > 0) else { return };
        for place in &self.handles[..self.used] {
            state.types.borrow_mut().remove(place.get() as u32 as Handle);
        }
    }
}
