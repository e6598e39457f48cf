//! The module `mpi_f08` (MPI section 19.1.1): handles and statuses are types, error codes are
//! optional. A handle is one integer and a status eight, so that the procedures are those of the
//! module `mpi`.

use std::{ffi::c_int, fmt::Write as _, sync::LazyLock};

use super::{super::Export, ROWS, Row, argument::Shape, header, module, own, sentinel};

/// The types of handles, each with what names of arguments of that type contain.
const HANDLES: [(&str, &[&str]); 11] = [
    ("MPI_Comm", &["comm", "parent"]),
    ("MPI_Group", &["group"]),
    ("MPI_Datatype", &["type"]),
    ("MPI_Request", &["request"]),
    ("MPI_Op", &["op"]),
    ("MPI_Info", &["info"]),
    ("MPI_Errhandler", &["errhandler"]),
    ("MPI_Message", &["message"]),
    ("MPI_Session", &["session"]),
    ("MPI_Win", &["win"]),
    ("MPI_File", &["fh"]),
];

/// The type of a handle, by the name of the argument.
fn handle(name: &str) -> Option<&'static str> {
    let found = HANDLES.iter().find(|(_, parts)| parts.iter().any(|part| name.contains(part)));
    found.map(|(kind, _)| *kind)
}

fn declaration(name: &str, shape: Shape) -> String {
    let kind = || format!("type({})", handle(name).unwrap_or("MPI_Comm"));
    match shape {
        Shape::Plain(declaration) => declaration.into(),
        Shape::Buffer => "type(*), dimension(*), asynchronous".into(),
        Shape::Handle => kind(),
        Shape::Handles => format!("{}, dimension(*)", kind()),
        Shape::Status => "type(MPI_Status)".into(),
        Shape::Statuses => "type(MPI_Status), dimension(*)".into(),
    }
}

/// `prefix` is `P` for the profiling name.
fn interface(prefix: &str, row: &Row) -> String {
    let mut names: Vec<&str> = row.names.to_vec();
    names.push("ierror");
    let list = names.join(", &\n        ");
    let mut text =
        format!("    subroutine {prefix}{}( &\n        {list})\n      import\n", row.name);
    for (name, shape) in row.names.iter().zip(&row.shapes) {
        if *shape == Shape::Buffer {
            let _ = writeln!(text, "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}");
        }
        let _ = writeln!(text, "      {} :: {name}", declaration(name, *shape));
    }
    text.push_str("      integer, optional :: ierror\n    end subroutine\n");
    text
}

/// Types, and constants of these types.
fn types() -> String {
    let mut text = String::new();
    for (kind, _) in HANDLES {
        let _ = writeln!(text, "  type, bind(C) :: {kind}\n    integer :: MPI_VAL\n  end type");
    }
    text.push_str(
        "  type, bind(C) :: MPI_Status\n    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR\n    \
         integer :: MPI_internal(5)\n  end type\n",
    );
    for (name, found) in header::constants() {
        let value = found.value;
        text.push_str(&match found.handle {
            Some(kind) => format!("  type({kind}), parameter :: {name} = {kind}({value})\n"),
            None => header::integer(name, value),
        });
    }
    text
}

/// The end of the name of each comparison of handles, its operator, and what does it.
const COMPARISONS: [(&str, &str, extern "C" fn(*const c_int, *const c_int) -> c_int); 2] =
    [("equal", "==", own::equal), ("differ", "/=", own::different)];

/// Symbol and function of each comparison.
static SYMBOLS: LazyLock<Vec<(String, usize)>> = LazyLock::new(|| {
    let of = |(kind, _): &(&str, _)| {
        let name = |end| format!("{}_{end}_", kind.to_ascii_lowercase());
        COMPARISONS.map(|(end, _, function)| (name(end), function as *const () as usize))
    };
    HANDLES.iter().flat_map(of).collect()
});

/// The symbols of this module alone.
pub(super) fn exports() -> impl Iterator<Item = Export> {
    SYMBOLS.iter().map(|(symbol, function)| (&**symbol, *function))
}

/// Comparisons of handles.
fn comparisons() -> String {
    let mut text = String::new();
    for (end, operator, _) in COMPARISONS {
        let _ = writeln!(text, "  interface operator({operator})");
        for (kind, _) in HANDLES {
            let _ = writeln!(
                text,
                "    pure logical function {kind}_{end}(a, b)\n      import\n      type({kind}), \
                 intent(in) :: a, b\n    end function"
            );
        }
        text.push_str("  end interface\n");
    }
    text
}

/// What callbacks look like.
const CALLBACKS: &str = "\
  abstract interface
    subroutine MPI_User_function(invec, inoutvec, len, datatype)
      import
      type(c_ptr), value :: invec, inoutvec
      integer :: len
      type(MPI_Datatype) :: datatype
    end subroutine
    subroutine MPI_Comm_copy_attr_function(oldcomm, comm_keyval, extra_state, attribute_val_in, &
        attribute_val_out, flag, ierror)
      import
      type(MPI_Comm) :: oldcomm
      integer :: comm_keyval, ierror
      integer(8) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_Comm_delete_attr_function(comm, comm_keyval, attribute_val, extra_state, ierror)
      import
      type(MPI_Comm) :: comm
      integer :: comm_keyval, ierror
      integer(8) :: attribute_val, extra_state
    end subroutine
    subroutine MPI_Type_copy_attr_function(oldtype, type_keyval, extra_state, attribute_val_in, &
        attribute_val_out, flag, ierror)
      import
      type(MPI_Datatype) :: oldtype
      integer :: type_keyval, ierror
      integer(8) :: extra_state, attribute_val_in, attribute_val_out
      logical :: flag
    end subroutine
    subroutine MPI_Type_delete_attr_function(datatype, type_keyval, attribute_val, extra_state, &
        ierror)
      import
      type(MPI_Datatype) :: datatype
      integer :: type_keyval, ierror
      integer(8) :: attribute_val, extra_state
    end subroutine
    subroutine MPI_Comm_errhandler_function(comm, error_code)
      import
      type(MPI_Comm) :: comm
      integer :: error_code
    end subroutine
    subroutine MPI_Grequest_query_function(extra_state, status, ierror)
      import
      integer(8) :: extra_state
      type(MPI_Status) :: status
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_free_function(extra_state, ierror)
      integer(8) :: extra_state
      integer :: ierror
    end subroutine
    subroutine MPI_Grequest_cancel_function(extra_state, complete, ierror)
      integer(8) :: extra_state
      logical :: complete
      integer :: ierror
    end subroutine
  end interface
";

/// Procedures that only this module has.
const OWN: &str = "\
  interface MPI_Buffer_detach
    subroutine MPI_Buffer_detach_f08(buffer_addr, size, ierror)
      import
      type(c_ptr) :: buffer_addr
      integer :: size
      integer, optional :: ierror
    end subroutine
  end interface
  interface
    subroutine MPI_Status_f2f08(f_status, f08_status, ierror)
      import
      integer, dimension(8) :: f_status
      type(MPI_Status) :: f08_status
      integer, optional :: ierror
    end subroutine
    subroutine MPI_Status_f082f(f08_status, f_status, ierror)
      import
      type(MPI_Status) :: f08_status
      integer, dimension(8) :: f_status
      integer, optional :: ierror
    end subroutine
  end interface
";

/// Source of the module, in free form.
pub fn text() -> String {
    let mut text = String::from(
        "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  implicit none\n",
    );
    text.push_str(&types());
    text.push_str(&sentinel::declarations("TYPE(MPI_Status)", "", "(1)"));
    text.push_str(&header::common());
    text.push_str("  interface\n");
    for prefix in ["", "P"] {
        let alike = ROWS.iter().filter(|row| row.name != "MPI_Buffer_detach");
        alike.for_each(|row| text.push_str(&interface(prefix, row)));
    }
    text.push_str(module::PLAIN);
    text.push_str("  end interface\n");
    text.push_str(&module::sizes());
    text.push_str(&comparisons());
    text.push_str(CALLBACKS);
    text.push_str(OWN);
    text.push_str("end module mpi_f08\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handle_has_a_type() {
        for row in ROWS.iter() {
            for (name, shape) in row.names.iter().zip(&row.shapes) {
                let known =
                    !matches!(shape, Shape::Handle | Shape::Handles) || handle(name).is_some();
                assert!(known, "{}: {name}", row.name);
            }
        }
    }
}
