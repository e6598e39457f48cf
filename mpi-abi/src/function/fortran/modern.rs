//! Generates the module `mpi_f08` (MPI section 19.1.1): handles and statuses are derived types,
//! error codes are optional. A handle is one integer and a status eight, so that the procedures of
//! the module `mpi` can be used. A large-count form has the same name where the compiler can
//! distinguish the two by the kinds of the arguments, else its own (MPI 19.1.5).

use std::{ffi::c_int, fmt::Write as _, sync::LazyLock};

use super::{
    super::Export,
    ROWS, Row,
    argument::Shape,
    header::{self, Kind},
    module, own, sentinel,
};

/// The handle types, each with fragments of the names that arguments of the type have.
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
    ("MPI_File", &["fh", "file"]),
];

/// Returns the type of a handle, by the name of the argument.
fn handle(name: &str) -> Option<&'static str> {
    let found = HANDLES.iter().find(|(_, parts)| parts.iter().any(|part| name.contains(part)));
    found.map(|(kind, _)| *kind)
}

fn declaration(row: &Row, name: &str, shape: Shape) -> String {
    let kind = || format!("type({})", handle(name).unwrap_or("MPI_Comm"));
    match shape {
        Shape::Plain(declaration) => declaration.into(),
        Shape::Buffer | Shape::Source if row.described.is_some() => {
            "type(*), dimension(..), target, asynchronous".into()
        }
        Shape::Buffer | Shape::Source => module::buffer(row, shape).into(),
        Shape::Handle => kind(),
        Shape::Handles => format!("{}, dimension(*)", kind()),
        Shape::Status => "type(MPI_Status)".into(),
        Shape::Statuses => "type(MPI_Status), dimension(*)".into(),
    }
}

/// Returns the name that a procedure with buffers passed by descriptor has instead of its generic
/// name (MPI 19.1.5).
fn specific(name: &str) -> String {
    match name.strip_suffix("_c") {
        Some(small) => format!("{small}_f08ts_c"),
        None => format!("{name}_f08ts"),
    }
}

/// Returns the interface of a procedure; `prefix` is `P` for the profiling name.
fn interface(prefix: &str, row: &Row) -> String {
    let mut names = row.names.to_vec();
    names.push("ierror");
    let list = names.join(", &\n        ");
    let mut text = match row.described {
        Some(_) => {
            let name = format!("{prefix}{}", specific(row.name));
            let symbol = name.to_ascii_lowercase();
            format!(
                "    subroutine {name}( &\n        {list}) &\n        bind(C, name='{symbol}_')\n"
            )
        }
        None => format!("    subroutine {prefix}{}( &\n        {list})\n", row.name),
    };
    text.push_str("      import\n");
    for (name, shape) in row.names.iter().zip(row.shapes) {
        if shape.is_buffer() && row.described.is_none() {
            let _ = writeln!(text, "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}");
        }
        let _ = writeln!(text, "      {} :: {name}", declaration(row, name, *shape));
    }
    text.push_str("      integer, optional :: ierror\n    end subroutine\n");
    text
}

/// Returns the procedures that this module declares exactly as the module `mpi` does.
fn alike() -> impl Iterator<Item = &'static Row> {
    let own =
        |row: &Row| DETACHING.iter().any(|(name, _)| row.small().unwrap_or(row.name) == *name);
    ROWS.iter().filter(move |row| !own(row))
}

/// Returns the large-count form that shares the name of a procedure.
fn twin(row: &Row) -> Option<&'static Row> {
    alike().find(|other| other.small() == Some(row.name) && other.shapes != row.shapes)
}

/// Reports whether a procedure shares a generic name with another one.
fn is_generic(row: &Row) -> bool {
    let small = || alike().find(|other| row.small() == Some(other.name));
    twin(row).is_some() || small().is_some_and(|small| twin(small).is_some())
}

/// Returns the interfaces: first the specific procedures, then the generic ones.
fn procedures() -> String {
    let mut text = String::from("  interface\n");
    for prefix in ["", "P"] {
        let own = alike().filter(|row| !is_generic(row) && row.described.is_none());
        own.for_each(|row| text.push_str(&interface(prefix, row)));
    }
    text.push_str(module::PLAIN);
    text.push_str(&module::functions());
    text.push_str("  end interface\n");
    for prefix in ["", "P"] {
        for row in alike() {
            let large = twin(row);
            // A large-count form that shares the name comes with the other.
            if large.is_none() && (is_generic(row) || row.described.is_none()) {
                continue;
            }
            let _ = writeln!(text, "  interface {prefix}{}", row.name);
            text.push_str(&interface(prefix, row));
            large.inspect(|large| text.push_str(&interface(prefix, large)));
            text.push_str("  end interface\n");
            // The name of its own that a large-count form has without descriptors, too.
            if let Some(large) = large.filter(|large| large.described.is_some()) {
                let _ = writeln!(
                    text,
                    "  interface {prefix}{}\n    procedure {prefix}{}\n  end interface",
                    large.name,
                    specific(large.name)
                );
            }
        }
    }
    text
}

/// Procedures that detach a buffer of `MPI_BSEND` and return its address, which only this module
/// does (MPI 3.6): name, and the object that the buffer belongs to.
const DETACHING: [(&str, &str); 3] = [
    ("MPI_Buffer_detach", ""),
    ("MPI_Comm_detach_buffer", "comm"),
    ("MPI_Session_detach_buffer", "session"),
];

fn detaching() -> String {
    let mut text = String::new();
    for (prefix, (name, owner)) in ["", "P"].into_iter().flat_map(|p| DETACHING.map(|d| (p, d))) {
        let _ = writeln!(text, "  interface {prefix}{name}");
        for (end, size) in [("", "integer"), ("_c", "integer(8)")] {
            let before = if owner.is_empty() { String::new() } else { format!("{owner}, ") };
            let _ = writeln!(
                text,
                "    subroutine {prefix}{name}_f08{end}({before}buffer_addr, size, ierror)\n      \
                 import"
            );
            if let Some(kind) = handle(owner) {
                let _ = writeln!(text, "      type({kind}) :: {owner}");
            }
            let _ = write!(
                text,
                "      type(c_ptr) :: buffer_addr\n      {size} :: size\n      integer, optional :: \
                 ierror\n    end subroutine\n"
            );
        }
        text.push_str("  end interface\n");
    }
    text
}

/// Returns the derived types and the constants of these types.
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
        text.push_str(&match found.kind {
            Kind::Handle(kind) => {
                format!("  type({kind}), parameter :: {name} = {kind}({})\n", found.value)
            }
            Kind::Integer | Kind::Offset => found.declaration(name),
        });
    }
    text
}

/// The comparisons of handles: name suffix, operator, and function.
const COMPARISONS: [(&str, &str, extern "C-unwind" fn(*const c_int, *const c_int) -> c_int); 2] =
    [("equal", "==", own::equal), ("differ", "/=", own::different)];

/// Symbol and function of each comparison, and of each procedure with buffers passed by descriptor.
static SYMBOLS: LazyLock<Vec<(String, usize)>> = LazyLock::new(|| {
    let of = |(kind, _): &(&str, _)| {
        let name = |end| format!("{}_{end}_", kind.to_ascii_lowercase());
        COMPARISONS.map(|(end, _, function)| (name(end), function as *const () as usize))
    };
    let described = ROWS.iter().filter_map(|row| {
        Some((format!("{}_", specific(row.name).to_ascii_lowercase()), row.described?))
    });
    HANDLES.iter().flat_map(of).chain(described).collect()
});

/// Returns the symbols that only this module has.
pub(super) fn exports() -> impl Iterator<Item = Export> {
    SYMBOLS.iter().map(|(symbol, function)| (&**symbol, *function))
}

/// Returns the declarations of the comparison operators.
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

/// The abstract interfaces of callbacks.
const CALLBACKS: &str = include_str!("callbacks.f90");

/// Procedures that only this module has: name and arguments, with the type of each.
const OWN: [(&str, [(&str, &str); 2]); 2] = [
    ("MPI_Status_f2f08", [FORM_OF_77, FORM_OF_2008]),
    ("MPI_Status_f082f", [FORM_OF_2008, FORM_OF_77]),
];
const FORM_OF_77: (&str, &str) = ("f_status", "integer, dimension(8)");
const FORM_OF_2008: (&str, &str) = ("f08_status", "type(MPI_Status)");

fn conversions() -> String {
    let mut text = String::from("  interface\n");
    for (prefix, (name, [from, into])) in
        ["", "P"].into_iter().flat_map(|p| OWN.map(|own| (p, own)))
    {
        let _ = write!(
            text,
            "    subroutine {prefix}{name}({}, {}, ierror)\n      import\n      {} :: {}\n      \
             {} :: {}\n      integer, optional :: ierror\n    end subroutine\n",
            from.0, into.0, from.1, from.0, into.1, into.0
        );
    }
    text.push_str("  end interface\n");
    text
}

/// Returns the source of the module, in free form.
pub fn text() -> String {
    let mut text = String::from(
        "module mpi_f08\n  use, intrinsic :: iso_c_binding, only: c_ptr\n  implicit none\n",
    );
    text.push_str(&types());
    text.push_str(&sentinel::declarations("TYPE(MPI_Status)", "", "(1)"));
    text.push_str(&header::common(true));
    text.push_str(&procedures());
    text.push_str(&detaching());
    text.push_str(&module::sizes("integer, optional"));
    text.push_str(&comparisons());
    text.push_str(CALLBACKS);
    text.push_str(&conversions());
    text.push_str("end module mpi_f08\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handle_has_a_type() {
        for row in ROWS.iter() {
            for (name, shape) in row.names.iter().zip(row.shapes) {
                let known =
                    !matches!(shape, Shape::Handle | Shape::Handles) || handle(name).is_some();
                assert!(known, "{}: {name}", row.name);
            }
        }
    }
}
