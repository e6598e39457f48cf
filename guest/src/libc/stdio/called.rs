//! Functions of the library that read or write a stream: it may be one of ours, which waits for another rank, so that the
//! place of the call is noted before the library runs.

use crate::{loader::symbol::host_symbol, replacement::Replacement};

const FUNCTIONS: [&str; 31] = [
    "__fgets_chk",
    "__fgets_unlocked_chk",
    "__fprintf_chk",
    "__fread_chk",
    "__fread_unlocked_chk",
    "__getdelim",
    "__isoc23_fscanf",
    "__isoc23_vfscanf",
    "__isoc99_fscanf",
    "__isoc99_vfscanf",
    "__vfprintf_chk",
    "fgetc",
    "fgetc_unlocked",
    "fgets",
    "fgets_unlocked",
    "fprintf",
    "fputc",
    "fputs",
    "fread",
    "fread_unlocked",
    "fscanf",
    "fwrite",
    "getc",
    "getc_unlocked",
    "getdelim",
    "getline",
    "putc",
    "vfprintf",
    "vfscanf",
    "_IO_getc",
    "__uflow",
];

/// Returns the library's functions, which are called through code that notes their caller.
pub(super) fn waiting() -> Vec<Replacement> {
    FUNCTIONS.into_iter().filter_map(|name| Some((name, host_symbol(name)?))).collect()
}
