//! Recognises programs of which an execution leaves nothing in its process but freed or lost memory.
//!
//! Static variables of a program belong to its images, and the C library's state of a rank ends with it. What is
//! left are things of the process: descriptors, files, mappings, other processes, and variables of libraries that all
//! ranks share. A program that makes no system calls itself and uses none of a few streams can reach them only
//! by calling functions. Those that may are called through code that notes it ([`Guards`]), so that the same program
//! is contained in one execution and not in another. Of the functions that the simulator exports, their crate says which
//! may ([`Exports::new`]).

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::LazyLock,
};

use iced_x86::{Decoder, DecoderOptions, Mnemonic};

use super::{
    elf::Elf,
    exports::Exports,
    guard::Guards,
    library,
    symbol::{Libraries, Owner, host_symbol},
};

/// Functions of the C library: pure ones, allocation, and those whose state is a rank's own.
const NAMES: &str = "\
    __libc_start_main __cxa_finalize __cxa_atexit __cxa_thread_atexit __stack_chk_fail __errno_location __assert_fail \
    exit abort \
    malloc calloc realloc free aligned_alloc posix_memalign \
    memcpy memmove memset memcmp memchr strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy strncpy strcat \
    strncat strchr strrchr strstr strspn strcspn strpbrk strtok strtok_r strdup strndup stpcpy strerror \
    __memcpy_chk __memmove_chk __memset_chk __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk \
    atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof strtold \
    __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull abs labs llabs div ldiv \
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isalpha isdigit isspace tolower toupper \
    qsort bsearch rand srand rand_r random srandom drand48 srand48 getentropy \
    printf fprintf puts putchar putc fputs fputc fputs fwrite fflush vprintf vfprintf setvbuf setbuf write writev \
    snprintf sprintf vsnprintf sscanf __isoc99_sscanf __isoc23_sscanf perror \
    __printf_chk __fprintf_chk __snprintf_chk __sprintf_chk __vsnprintf_chk __vfprintf_chk \
    time clock clock_gettime gettimeofday difftime usleep sleep nanosleep gmtime_r localtime_r getrusage \
    getenv secure_getenv gethostname getpagesize isatty fstat newlocale uselocale freelocale \
    signal sigaction sigemptyset sigaddset sigfillset raise setjmp _setjmp __sigsetjmp longjmp siglongjmp \
    getopt getopt_long __tls_get_addr __pthread_key_create pthread_key_create pthread_key_delete \
    pthread_getspecific pthread_setspecific pthread_once pthread_self pthread_mutex_init pthread_mutex_destroy \
    pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock";

/// Variables of libraries that are states of the process: the input, and streams of wide characters, after which
/// standard output takes no others.
const STREAMS: [&str; 6] =
    ["stdin", "_ZSt3cin", "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"];

/// Parts of the names of functions in the C++ library that open something, start threads or set what all ranks share.
const CXX_OUTSIDE: [&str; 12] = [
    "filebuf",
    "fstream",
    "filesystem",
    "6locale6global",
    "random_device",
    "thread",
    "condition_variable",
    "future",
    "terminate",
    "unexpected",
    "new_handler",
    "sync_with_stdio",
];

/// Why executions of a program leave nothing in their process, as far as this can be known before they are made.
pub(super) struct Containment {
    /// Whether nothing but a guarded call can.
    pub(super) is_possible: bool,
    /// The functions that could.
    pub(super) guards: Guards,
}

impl Containment {
    /// Judges the objects of a program.
    ///
    /// # Errors
    /// If the system refuses executable memory.
    pub(super) fn new(objects: &[Elf], exports: &Exports) -> io::Result<Self> {
        // Libraries of the system call it by functions only.
        let mut own = objects.iter().filter(|object| !library::is_private(&object.path));
        let uses = |object: &Elf| STREAMS.iter().any(|stream| object.names(stream));
        let is_possible = !own.clone().any(uses) && !own.any(makes_system_calls);
        let mut guarded = BTreeMap::new();
        if is_possible {
            let libraries = Libraries::loaded();
            let outside =
                |name: &str| Some((name.to_string(), reaches_out(name, exports, &libraries)?));
            guarded.extend(foreign(objects).into_iter().filter_map(outside));
        }
        Ok(Self { is_possible, guards: Guards::new(guarded)? })
    }
}

/// Returns the names that objects refer to and none of them defines.
fn foreign(objects: &[Elf]) -> BTreeSet<&str> {
    let all = || objects.iter().flat_map(|object| &object.symbols);
    let defined = all().filter(|symbol| symbol.defined && !symbol.local);
    let defined: BTreeSet<&str> = defined.map(|symbol| symbol.name.as_str()).collect();
    let wanted = all().filter(|symbol| !symbol.defined).map(|symbol| symbol.name.as_str());
    wanted.filter(|name| !defined.contains(name)).collect()
}

/// Returns the address of a function if it may leave something in the process.
fn reaches_out(name: &str, exports: &Exports, libraries: &Libraries) -> Option<usize> {
    static HARMLESS: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| NAMES.split_ascii_whitespace().collect());
    if HARMLESS.contains(name) || exports.has_contained(name) {
        return None;
    }
    let (ours, theirs) = (exports.offered(name), host_symbol(name));
    match theirs.and_then(|address| libraries.owner(address)) {
        Some(Owner::Data | Owner::Mathematics) => None,
        Some(Owner::Cxx) if !CXX_OUTSIDE.iter().any(|part| name.contains(part)) => None,
        Some(Owner::Cxx | Owner::Other) | None => ours.or(theirs),
    }
}

/// Bits of an x86-64 instruction stream.
const BITS: u32 = 64;

/// Reports whether the code of an object contains instructions that call the system.
fn makes_system_calls(object: &Elf) -> bool {
    object.code().any(|code| {
        // The bytes may be part of a constant or of an address: then the code is decoded from its start.
        let has_bytes = |bytes: &[u8]| matches!(bytes, [0x0f, 0x05 | 0x34] | [0xcd, 0x80]);
        code.windows(2).any(has_bytes) && has_instruction(code)
    })
}

fn has_instruction(code: &[u8]) -> bool {
    let calls = [Mnemonic::Syscall, Mnemonic::Sysenter, Mnemonic::Int];
    Decoder::new(BITS, code, DecoderOptions::NONE)
        .iter()
        .any(|instruction| calls.contains(&instruction.mnemonic()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_system_are_told_from_addresses() {
        // mov eax, 39; syscall
        assert!(has_instruction(&[0xb8, 0x27, 0, 0, 0, 0x0f, 0x05]));
        // lea rax, [rip + 0x50f]
        assert!(!has_instruction(&[0x48, 0x8d, 0x05, 0x0f, 0x05, 0, 0]));
    }

    #[test]
    fn harmless_functions_are_listed_exported_or_mathematical() {
        extern "C" fn function() {}
        let function = function as *const () as usize;
        let exported = [("exported", function), ("opens", function)];
        let exports = Exports::new(&exported, crate::replacements(), |name| name == "opens");
        let exports = exports.expect("executable memory");
        let libraries = Libraries::loaded();
        for (name, guarded) in [
            ("exported", false),
            ("opens", true),
            ("in_no_library", false),
            ("printf", false),
            ("sqrtf", false),
            ("environ", false),
            ("fopen", true),
            ("open", true),
            ("getpid", true),
            ("syscall", true),
        ] {
            assert_eq!(reaches_out(name, &exports, &libraries).is_some(), guarded, "{name}");
        }
    }
}
