//! The names of the interface that programs are built against: of its library and of its functions.
//! This is all that the crate knows of MPI; what the functions do is up to [`crate::loader::Exports`].

/// File name of the library that programs are linked with; the simulator takes its place.
pub const LIBRARY: &str = "libmpi_abi.so.1";

/// Name under which the linker finds the library.
pub(crate) const LINK_NAME: &str = "libmpi_abi.so";

/// Beginnings of the names of libraries with the same functions but other constants.
const OTHERS: [&str; 5] =
    ["libmpi.so", "libmpich.so", "libmpi_mpifh.so", "libmpicxx.so", "libmpifort.so"];

/// Name of the common block whose variables are the special addresses of Fortran programs, such as
/// `MPI_BOTTOM`.
pub const FORTRAN_BLOCK: &str = "windtunnel_mpi_";

/// Smallest size of that block in bytes.
pub const FORTRAN_BLOCK_BYTES: usize = 96;

/// Beginnings of the names of functions in C and Fortran, with what a profiling name has before them.
const PREFIXES: [(&str, &str); 2] = [("MPI_", "P"), ("mpi_", "p")];

/// Reports whether a library is the one whose place the simulator takes.
pub(crate) fn is_library(name: &str) -> bool {
    name.starts_with(LINK_NAME)
}

/// Reports whether a library has the same functions but other constants.
pub(crate) fn is_other_library(name: &str) -> bool {
    OTHERS.iter().any(|other| name.starts_with(other))
}

/// Reports whether a symbol of C has a name that is reserved for the functions.
pub(crate) fn is_reserved(symbol: &str) -> bool {
    symbol.starts_with("MPI_") || symbol.starts_with("PMPI_")
}

/// Returns the profiling name of a function, if it has one.
pub(crate) fn profiling_name(symbol: &str) -> Option<String> {
    let (_, before) = PREFIXES.iter().find(|(prefix, _)| symbol.starts_with(prefix))?;
    Some(format!("{before}{symbol}"))
}

/// Reports whether a symbol is the profiling name of a function.
pub(crate) fn is_profiling_name(symbol: &str) -> bool {
    PREFIXES.iter().any(|(prefix, before)| {
        symbol.strip_prefix(before).is_some_and(|rest| rest.starts_with(prefix))
    })
}

/// Spells the name of a function as the standard does: all letters of a Fortran procedure after
/// `MPI_` but the first are lower case (MPI 5.0, 2.6.2).
pub(crate) fn spelled(symbol: &str) -> String {
    let Some(rest) = symbol.strip_prefix("mpi_") else { return symbol.to_string() };
    let rest = rest.trim_end_matches('_').trim_end_matches("_f08ts").trim_end_matches("_f08");
    let mut letters = rest.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("MPI_{}{}", first.map(String::from).unwrap_or_default(), letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_profiling_names_and_spellings() {
        assert_eq!(profiling_name("MPI_Send").as_deref(), Some("PMPI_Send"));
        assert_eq!(profiling_name("mpi_send_").as_deref(), Some("pmpi_send_"));
        assert_eq!(profiling_name("PMPI_Send"), None);
        assert!(is_profiling_name("pmpi_send_") && !is_profiling_name("MPI_Send"));
        for (symbol, name) in [
            ("MPI_Send", "MPI_Send"),
            ("mpi_comm_rank_", "MPI_Comm_rank"),
            ("mpi_isend_f08_", "MPI_Isend"),
        ] {
            assert_eq!(spelled(symbol), name);
        }
    }

    #[test]
    fn libraries_are_told_apart() {
        assert!(is_library(LIBRARY) && !is_other_library(LIBRARY));
        assert!(is_other_library("libmpi.so.40"));
    }
}
