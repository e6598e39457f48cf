//! Generates the module `mpi`: the constants of `mpif.h`, and an interface for each procedure, so
//! that the compiler finds wrong arguments. Buffers may be of any type. They are declared as
//! targets, because otherwise the compiler may assume that no later call changes them, while
//! `MPI_WAIT` does.

use std::fmt::Write as _;

use super::{ROWS, Row, argument::Shape, header, own};

/// Returns the declaration of a buffer that is passed by its address. The compiler copies a section of an array with gaps,
/// and what is read must not be copied back: it may be constant, or an operation may own it.
pub(super) fn buffer(row: &Row, shape: Shape) -> &'static str {
    match shape == Shape::Source && !row.is_kept {
        true => "type(*), dimension(*), target, intent(in)",
        false => "type(*), dimension(*), target",
    }
}

/// Returns the declaration of an argument.
fn declaration(row: &Row, shape: Shape) -> &'static str {
    match shape {
        Shape::Plain(declaration) => declaration,
        Shape::Buffer | Shape::Source => buffer(row, shape),
        Shape::Handle => "integer",
        Shape::Handles => "integer, dimension(*)",
        Shape::Status => "integer, dimension(8)",
        Shape::Statuses => "integer, dimension(8, *)",
    }
}

/// Returns the interface of a procedure; `prefix` is `P` for the profiling name.
fn interface(prefix: &str, row: &Row) -> String {
    let mut names = row.names.to_vec();
    names.push("ierror");
    let mut text = format!(
        "    subroutine {prefix}{}( &\n        {})\n",
        row.name,
        names.join(", &\n        ")
    );
    for (name, shape) in row.names.iter().zip(row.shapes) {
        if shape.is_buffer() {
            let _ = writeln!(text, "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}");
        }
        let _ = writeln!(text, "      {} :: {name}", declaration(row, *shape));
    }
    let _ = writeln!(text, "      integer :: ierror\n    end subroutine");
    text
}

/// Returns the interfaces of `MPI_SIZEOF`: one procedure for each type, of any rank. `error` declares the type of the error
/// code, which may be left out in one module (MPI 5.0, 19.1.2).
pub(super) fn sizes(error: &str) -> String {
    let mut text = String::from("  interface MPI_Sizeof\n");
    let all = own::SIZES.iter().map(|(declaration, symbol, _)| (*declaration, *symbol));
    for (declaration, symbol) in all.chain([("character(*)", own::SIZE_OF_TEXT)]) {
        let name = symbol.trim_end_matches('_');
        let _ = write!(
            text,
            "    subroutine {name}(x, size, ierror)\n      {declaration}, dimension(..) :: x\n      \
             integer :: size\n      {error} :: ierror\n    end subroutine\n"
        );
    }
    text.push_str("  end interface\n");
    text
}

/// Interfaces of procedures without an error code.
pub(super) const PLAIN: &str = "\
    subroutine MPI_Pcontrol(level)
      integer :: level
    end subroutine
    subroutine PMPI_Pcontrol(level)
      integer :: level
    end subroutine
    subroutine MPI_F_sync_reg(buf)
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buf
      type(*), dimension(*), target :: buf
    end subroutine
    subroutine windtunnel_compute(seconds)
      double precision :: seconds
    end subroutine
";

/// Returns the interfaces of what Fortran calls as functions.
pub(super) fn functions() -> String {
    let mut text = String::new();
    for prefix in ["", "P"] {
        for name in ["Wtime", "Wtick"] {
            let name = format!("{prefix}MPI_{name}");
            let _ = writeln!(
                text,
                "    function {name}()\n      double precision :: {name}\n    end function"
            );
        }
        for (name, arguments) in [("add", "base, disp"), ("diff", "addr1, addr2")] {
            let name = format!("{prefix}MPI_Aint_{name}");
            let _ = writeln!(
                text,
                "    function {name}({arguments})\n      integer(kind=8), intent(in) :: {arguments}\n      \
                 integer(kind=8) :: {name}\n    end function"
            );
        }
    }
    text
}

/// Returns the source of the module, in free form.
pub fn text() -> String {
    let mut text = format!("module mpi\n  implicit none\n{}  interface\n", header::values());
    for prefix in ["", "P"] {
        let rows = ROWS.iter().filter(|row| row.small().is_none());
        rows.for_each(|row| text.push_str(&interface(prefix, row)));
    }
    text.push_str(PLAIN);
    text.push_str(&functions());
    text.push_str("  end interface\n");
    text.push_str(&sizes("integer"));
    text.push_str("end module mpi\n");
    text
}
