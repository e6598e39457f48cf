//! Streams of C++ on files (`std::fstream`): the library of C++ is the host's, shared by all ranks, and its calls of the C
//! library are led to our functions, so that files take simulated time where they do, and a rank that waits at a pipe lets
//! the others run. So are its releases of memory: those of strings are in the library. That is done once for the process, when the first program in C++ begins.
#![allow(unsafe_code, reason = "writes the addresses through which a library calls others")]

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr, slice,
    sync::Once,
};

use object::{
    LittleEndian,
    elf::{DT_JMPREL, DT_PLTRELSZ, DT_STRTAB, DT_SYMTAB, Dyn64, R_X86_64_JUMP_SLOT, Rela64, Sym64},
};

use super::{File, modelled, number, open, shown_input, system, wide};
use crate::{
    libc::{cxx, cxx_globals, heap},
    loader::symbol::host_symbol,
    site,
};

/// What a program calls the library.
const LIBRARY: &[u8] = b"/libstdc++.so";

static LED: Once = Once::new();

/// Leads the calls of the C++ library here, if programs use it.
pub(super) fn begin_rank() {
    if cxx::is_there() {
        LED.call_once(|| {
            // SAFETY: the function has the required type, and needs no data.
            unsafe { libc::dl_iterate_phdr(Some(lead), ptr::null_mut()) };
        });
    }
}

/// Runs what the library calls, in a function of it that is not ours: the call of the program is not known.
fn in_stream<T>(body: impl FnOnce() -> T) -> T {
    site::forget_caller();
    modelled::in_stream(body)
}

unsafe extern "C" fn read(descriptor: c_int, bytes: *mut c_void, count: usize) -> isize {
    // SAFETY: the library vouches for the arguments, which are passed on.
    in_stream(|| unsafe { system::read(descriptor, bytes, count) })
}

unsafe extern "C" fn write(descriptor: c_int, bytes: *const c_void, count: usize) -> isize {
    // SAFETY: as above.
    in_stream(|| unsafe { system::write(descriptor, bytes, count) })
}

unsafe extern "C" fn writev(descriptor: c_int, parts: *const libc::iovec, count: c_int) -> isize {
    // SAFETY: as above.
    in_stream(|| unsafe { system::writev(descriptor, parts, count) })
}

unsafe extern "C" fn fopen(path: *const c_char, mode: *const c_char) -> File {
    // SAFETY: as above.
    in_stream(|| unsafe { open::fopen(path, mode) })
}

unsafe extern "C" fn fdopen(descriptor: c_int, mode: *const c_char) -> File {
    // SAFETY: as above.
    in_stream(|| unsafe { open::fdopen(descriptor, mode) })
}

extern "C" fn fclose(file: File) -> c_int {
    in_stream(|| open::fclose(file))
}

/// Returns the stream of the running rank that `std::wcin` reads, which knows that of the process, or another stream as it
/// is.
fn of_rank(file: File) -> File {
    if host_symbol("_IO_2_1_stdin_") == Some(file as usize) { shown_input() } else { file }
}

unsafe extern "C" fn getwc(file: File) -> c_uint {
    // SAFETY: the library passes an open stream.
    in_stream(|| unsafe { wide::get(of_rank(file)) })
}

unsafe extern "C" fn ungetwc(character: c_uint, file: File) -> c_uint {
    // SAFETY: as above.
    in_stream(|| unsafe { wide::unget(character, of_rank(file)) })
}

unsafe extern "C" fn putwc(character: libc::wchar_t, file: File) -> c_uint {
    // SAFETY: as above.
    in_stream(|| unsafe { wide::put(character, file) })
}

/// Releases memory for the library, such as that of a `std::string`, which it shares with the program.
extern "C" fn delete(block: *mut c_void) {
    site::forget_caller();
    // SAFETY: the library passes a block, or none; its operators allocate with `malloc`.
    unsafe { heap::free(block) };
}

extern "C" fn delete_sized(block: *mut c_void, _: usize) {
    delete(block);
}

/// Returns our function of a name that the library calls.
fn ours(name: &CStr) -> Option<usize> {
    Some(match name.to_bytes() {
        b"read" => read as *const () as usize,
        b"write" => write as *const () as usize,
        b"writev" => writev as *const () as usize,
        b"lseek64" | b"lseek" => system::lseek as *const () as usize,
        b"fopen64" | b"fopen" => fopen as *const () as usize,
        b"fdopen" => fdopen as *const () as usize,
        b"fclose" => fclose as *const () as usize,
        b"getwc" => getwc as *const () as usize,
        b"putwc" => putwc as *const () as usize,
        b"ungetwc" => ungetwc as *const () as usize,
        b"fileno" => number as *const () as usize,
        b"_ZdlPv" => delete as *const () as usize,
        b"_ZdlPvm" => delete_sized as *const () as usize,
        b"_ZSt15get_new_handlerv" => cxx_globals::get_new_handler as *const () as usize,
        b"_ZNSt6localeC1Ev" | b"_ZNSt6localeC2Ev" => cxx_globals::make as *const () as usize,
        _ => return None,
    })
}

/// The order of bytes in the tables of a library.
const ORDER: LittleEndian = LittleEndian;

/// Leads the calls of a library that is loaded here, if it is that of C++. Returns whether the search is over.
unsafe extern "C" fn lead(info: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
    // SAFETY: the system passes the description of a library that stays loaded.
    let info = unsafe { &*info };
    if info.dlpi_name.is_null() {
        return 0;
    }
    // SAFETY: as above; the name is a C string.
    let name = unsafe { CStr::from_ptr(info.dlpi_name) }.to_bytes();
    if !name.windows(LIBRARY.len()).any(|part| part == LIBRARY) {
        return 0;
    }
    // SAFETY: as above.
    let headers = unsafe { slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let base = info.dlpi_addr;
    let of_type = |kind| headers.iter().find(|header| header.p_type == kind);
    let Some(dynamic) = of_type(libc::PT_DYNAMIC) else { return 1 };
    let entries = (base + dynamic.p_vaddr) as *const Dyn64<LittleEndian>;
    let count = dynamic.p_memsz as usize / size_of::<Dyn64<LittleEndian>>();
    // SAFETY: the dynamic section of the library.
    let entries = unsafe { slice::from_raw_parts(entries, count) };
    let value = |tag| {
        let entry = entries.iter().find(|entry| entry.d_tag.get(ORDER) == tag);
        entry.map(|entry| entry.d_val.get(ORDER))
    };
    // Some loaders replace addresses in the section, some do not.
    let address = |tag| value(tag).map(|value| if value < base { base + value } else { value });
    let tables = (address(DT_STRTAB), address(DT_SYMTAB), address(DT_JMPREL), value(DT_PLTRELSZ));
    let (Some(strings), Some(symbols), Some(calls), Some(bytes)) = tables else { return 1 };
    let count = bytes as usize / size_of::<Rela64<LittleEndian>>();
    // SAFETY: the table is that of the library.
    let calls = unsafe { slice::from_raw_parts(calls as *const Rela64<LittleEndian>, count) };
    let closed = of_type(libc::PT_GNU_RELRO)
        .map_or(0..0, |header| base + header.p_vaddr..base + header.p_vaddr + header.p_memsz);
    let jumps = |call: &&Rela64<LittleEndian>| call.r_type(ORDER, false) == R_X86_64_JUMP_SLOT;
    for call in calls.iter().filter(jumps) {
        // SAFETY: the symbol and its name are in the tables of the library.
        let name = unsafe {
            let symbol =
                (symbols as *const Sym64<LittleEndian>).add(call.r_sym(ORDER, false) as usize);
            CStr::from_ptr((strings as *const c_char).add((*symbol).st_name.get(ORDER) as usize))
        };
        if let Some(ours) = ours(name) {
            let slot = base + call.r_offset.get(ORDER);
            // SAFETY: a slot of the library, in which the system would write the address of such a function.
            unsafe { set(slot as *mut usize, ours, closed.contains(&slot)) };
        }
    }
    1
}

/// Writes a slot, which may lie in memory that was closed after the library had been loaded.
///
/// # Safety
/// It is a slot through which functions of this type are called.
unsafe fn set(slot: *mut usize, function: usize, is_closed: bool) {
    // SAFETY: asks for the size of pages.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
    let start = (slot as usize / page * page) as *mut c_void;
    // SAFETY: the page of the slot, which is opened and closed again; a word is written at once.
    unsafe {
        if is_closed && libc::mprotect(start, page, libc::PROT_READ | libc::PROT_WRITE) != 0 {
            return;
        }
        slot.write_volatile(function);
        if is_closed {
            libc::mprotect(start, page, libc::PROT_READ);
        }
    }
}
