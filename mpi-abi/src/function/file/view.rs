//! File views and data representations (MPI sections 14.3 and 14.5).
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::{
    ffi::{c_char, c_int, c_void},
    rc::Rc,
};

use mpi_api::{
    call::{Brought, FileMeeting, Pointer},
    check::type_mismatch::{self, Typed},
    finding::{CallPlace, Code},
    object::{datatype::Datatype, primitive::Primitive, signature::Signature, view::View},
};

use super::{
    super::{contents, external, info, text},
    for_file, meet, offset, on_file, with_all,
};
use crate::{
    constant::{Handle, class, number},
    state::{Compared, Fault, Mpi, Number, Representation, Seen, State, Type, always, put, wanted},
};

/// Returns a committed type.
fn committed(state: &State, datatype: Handle) -> Mpi<(Handle, Rc<Type>)> {
    let found = state.any_type(datatype)?;
    if !found.committed.get() {
        return Err(Fault::new(class::TYPE, "the datatype was not committed"));
    }
    Ok((datatype, found))
}

/// Returns the runs of bytes of one element of a type in a file, and its extent there.
fn layout(datatype: &Datatype, representation: Representation) -> Mpi<(Vec<(i64, u64)>, i64)> {
    let (here, there) = (datatype.size(), external::size_in(representation, datatype));
    if here == there {
        return Ok((datatype.blocks(), datatype.extent()));
    }
    if datatype.is_contiguous() {
        return Ok((vec![(0, there)], there as i64));
    }
    let scaled = portable(datatype, representation);
    scaled.ok_or_else(|| {
        let text = format!(
            "the type has gaps, its {here} bytes of data are {there} in this representation, and it is not \
             made of whole elements of one basic type"
        );
        Fault::new(class::UNSUPPORTED_DATAREP, text)
    })
}

/// Returns the layout in a file of a portable type (MPI 2.4): one basic type, at displacements that count its
/// elements, which have another size there.
fn portable(datatype: &Datatype, representation: Representation) -> Option<(Vec<(i64, u64)>, i64)> {
    let basic = Datatype::predefined(datatype.signature().uniform()?);
    let (here, there) = (basic.size() as i64, external::size_in(representation, &basic) as i64);
    let scale = |bytes: i64| (bytes % here == 0).then_some(bytes / here * there);
    let run = |(at, bytes): (i64, u64)| Some((scale(at)?, scale(bytes as i64)? as u64));
    let runs: Option<Vec<_>> = datatype.blocks().into_iter().map(run).collect();
    Some((runs?, scale(datatype.extent())?))
}

/// Checks an elementary type and a file type, and returns the bytes that they stand for.
fn view_of(
    displacement: i64,
    (etype, filetype): (&Datatype, &Datatype),
    representation: Representation,
    writes: bool,
) -> Mpi<View> {
    let displacement = u64::try_from(displacement).map_err(|_| {
        let half = displacement as i32;
        let is_wide = i64::from(half) != displacement && half >= 0;
        // An integer of 4 bytes has been passed, with whatever follows it in memory.
        let hint = match displacement {
            number::DISPLACEMENT_CURRENT => {
                ": MPI_DISPLACEMENT_CURRENT is for files opened with MPI_MODE_SEQUENTIAL (MPI 5.0, 14.3)"
                    .into()
            }
            _ if is_wide => format!(
                ", the lower half of which is {half}: it has 8 bytes (MPI_Offset, in Fortran INTEGER(KIND=MPI_OFFSET_KIND))"
            ),
            _ => String::new(),
        };
        Fault::new(class::ARG, format!("the displacement is {displacement}{hint}"))
    })?;
    let size = |datatype| external::size_in(representation, datatype);
    let tile = layout(filetype, representation)?;
    Ok(View::of(displacement, (size(etype), size(filetype)), tile, writes)?)
}

/// Compares types with the elementary datatype of a view, in runs that compare types. Types of equal representation are alike
/// here, and bytes in the view are anything.
#[cold]
pub(super) fn look_at_types(
    (state, compared): (&State, &Compared),
    origin: CallPlace,
    (etype, typed): (&Datatype, Signature),
    what: Typed,
) {
    let is_bytes = etype.signature_of(1).same(&Signature::of(Primitive::Byte, etype.size()));
    let bytes = typed.bytes();
    if is_bytes || bytes == 0 || etype.size() == 0 {
        return;
    }
    let elements = etype.signature_of(bytes.div_ceil(etype.size()));
    let alike = elements.representation().receive_matches(&typed.representation());
    if let Err(difference) = alike
        && compared.is_first(Code::TypeMismatch, origin.site)
    {
        // In the names that the program uses.
        let difference = elements.receive_matches(&typed).err().unwrap_or(difference);
        let finding = type_mismatch::of_view(state.number(), origin, what, &difference);
        state.keep_finding(compared, finding);
    }
}

pub(in super::super) extern "C-unwind" fn set_view(
    file: Handle,
    displacement: i64,
    etype: Handle,
    filetype: Handle,
    name: *const c_char,
    hints: Handle,
) -> c_int {
    with_all(file, |state, site, file| {
        let hints = info::of(state, hints)?;
        let name = text::read(name)?;
        let representation = Representation::of(&name).ok_or_else(|| {
            let text = format!("there is no data representation {name}");
            Fault::new(class::UNSUPPORTED_DATAREP, text)
        })?;
        let sequential = file.is_sequential();
        let displacement = match displacement {
            number::DISPLACEMENT_CURRENT if sequential => {
                let call = mpi_api::call::FileCall::Position(file.id(), Pointer::Shared);
                let present = offset(state, site, call)?;
                offset(state, site, mpi_api::call::FileCall::Byte(file.id(), present))?
            }
            given => given,
        };
        let (etype, filetype) = (committed(state, etype)?, committed(state, filetype)?);
        let types = (&etype.1.datatype, &filetype.1.datatype);
        let writes = file.mode & number::MODE_RDONLY == 0;
        let view = view_of(displacement, types, representation, writes)?;
        if let Some(compared) = &state.compared {
            let types = (types.0, types.1.signature_of(1));
            look_at_types(
                (state, compared),
                CallPlace { call: "MPI_File_set_view", site },
                types,
                Typed::View,
            );
        }
        let what = FileMeeting::SetView(view.etype, name);
        let brought = Brought::View(Box::new(view), Box::new(for_file(&hints)));
        meet(state, site, file, what, brought)?;
        file.seen.replace(Seen { displacement, etype, filetype, representation });
        file.hints.borrow_mut().update(hints);
        Ok(())
    })
}

pub(in super::super) extern "C-unwind" fn get_view(
    file: Handle,
    displacement: *mut i64,
    etype: *mut Handle,
    filetype: *mut Handle,
    name: *mut c_char,
) -> c_int {
    on_file(file, |state, site, file| {
        wanted(etype)?;
        wanted(filetype)?;
        let seen = file.seen.borrow().clone();
        put(displacement, seen.displacement)?;
        contents::hand_out(state, site, (seen.etype.0, &seen.etype.1), etype)?;
        contents::hand_out(state, site, (seen.filetype.0, &seen.filetype.1), filetype)?;
        text::copy_into(seen.representation.name(), text::DATAREP, name)
    })
}

pub(in super::super) extern "C-unwind" fn get_type_extent(
    file: Handle,
    datatype: Handle,
    place: *mut i64,
) -> c_int {
    on_file(file, |state, _, file| {
        let representation = file.seen.borrow().representation;
        let datatype = state.any_type(datatype)?.datatype.clone();
        put(place, layout(&datatype, representation)?.1)
    })
}

/// The function that converts data, and the function that returns extents.
type Convert<N> =
    extern "C-unwind" fn(*mut c_void, Handle, N, *mut c_void, i64, *mut c_void) -> c_int;
type Extent = extern "C-unwind" fn(Handle, *mut i64, *mut c_void) -> c_int;

/// Refuses representations of programs: only the predefined ones are there.
pub(in super::super) extern "C-unwind" fn register_datarep<N: Number>(
    name: *const c_char,
    _read: Option<Convert<N>>,
    _write: Option<Convert<N>>,
    _extent: Option<Extent>,
    _state: *mut c_void,
) -> c_int {
    always(|_, _| {
        let name = text::read(name)?;
        if name.len() >= number::MAX_DATAREP_STRING {
            let text = format!("the name of a representation of {} bytes", name.len());
            return Err(Fault::new(class::ARG, text));
        }
        if Representation::of(&name).is_some() {
            let text = format!("the data representation {name} is predefined");
            return Err(Fault::new(class::DUP_DATAREP, text));
        }
        let text = "data representations of programs are not modelled";
        Err(Fault::new(class::UNSUPPORTED_OPERATION, text))
    })
}

#[cfg(test)]
mod tests {
    use mpi_api::object::signature::Primitive;

    use super::*;

    fn view(filetype: &Datatype, etype: &Datatype, representation: Representation) -> Mpi<View> {
        view_of(16, (etype, filetype), representation, true)
    }

    #[test]
    fn a_view_is_the_file_type_again_and_again() {
        let int = Datatype::predefined(Primitive::Int);
        let vector = Datatype::vector(2, 1, 3, &int).and_then(|one| one.resized(0, 24));
        let seen = view(&vector.expect("a type"), &int, Representation::Native).expect("a view");
        let expected =
            View { displacement: 16, etype: 4, tile: [(0, 4), (12, 4)].into(), extent: 24 };
        assert_eq!(seen, expected);
    }

    #[test]
    fn numbers_may_be_shorter_in_the_file() {
        let long = Datatype::predefined(Primitive::Long);
        let row = Datatype::contiguous(3, &long).expect("a type");
        let seen = view(&row, &long, Representation::External32).expect("a view");
        let expected = View { displacement: 16, etype: 4, tile: [(0, 12)].into(), extent: 12 };
        assert_eq!(seen, expected);
        let gaps = Datatype::vector(2, 1, 3, &long).expect("a type");
        let seen = view(&gaps, &long, Representation::External32).expect("a view");
        let expected =
            View { displacement: 16, etype: 4, tile: [(0, 4), (12, 4)].into(), extent: 16 };
        assert_eq!(seen, expected);
        let askew = Datatype::hvector(2, 1, 12, &long).expect("a type");
        let code = view(&askew, &long, Representation::External32).err().map(|fault| fault.code);
        assert_eq!(code, Some(class::UNSUPPORTED_DATAREP));
    }

    #[test]
    fn file_types_that_go_back_or_overlap_are_refused() {
        let int = Datatype::predefined(Primitive::Int);
        let double = Datatype::predefined(Primitive::Float64);
        let made = |lengths: &[i64], at: &[i64]| Datatype::indexed(lengths, at, &int).expect("one");
        let code = |filetype: &Datatype, etype: &Datatype| {
            view(filetype, etype, Representation::Native).err().map(|fault| fault.code)
        };
        assert_eq!(code(&made(&[1, 2], &[0, 4]), &int), None);
        assert_eq!(code(&made(&[1, 1], &[4, 0]), &int), Some(class::TYPE));
        assert_eq!(code(&made(&[2, 1], &[0, 1]), &int), Some(class::TYPE));
        assert_eq!(code(&made(&[1], &[-1]), &int), Some(class::TYPE));
        assert_eq!(code(&made(&[3], &[0]), &double), Some(class::TYPE));
        // Only elements of it overlap: to write several is an error.
        let narrow = made(&[2], &[0]).resized(0, 4).expect("a type");
        assert_eq!(code(&narrow, &int), None);
    }
}
