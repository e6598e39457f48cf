//! Recognises programs of which an execution leaves nothing in its process but freed or lost memory.
//!
//! Static variables of a program belong to its images, and the C library's state of a rank ends with it. What is
//! left are things of the process: descriptors, files, signal handlers, mappings, other processes. A program that
//! calls nothing but the functions listed here and those that the simulator exports, and makes no system calls itself,
//! can reach them through the latter only, which their crate has to judge.

use iced_x86::{Decoder, DecoderOptions, Mnemonic};

use super::{elf::Elf, exports::Exports};

/// Functions and variables of the C library: pure ones, allocation, and those whose state is a rank's own.
const NAMES: &str = "\
    __libc_start_main __cxa_finalize __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable \
    __stack_chk_fail __errno_location __assert_fail exit abort \
    malloc calloc realloc free aligned_alloc posix_memalign \
    memcpy memmove memset memcmp memchr strlen strnlen strcmp strncmp strcasecmp strncasecmp strcpy strncpy strcat \
    strncat strchr strrchr strstr strspn strcspn strpbrk strtok strtok_r strdup strndup stpcpy \
    __memcpy_chk __memmove_chk __memset_chk __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk \
    atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof \
    __isoc23_strtol __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull abs labs llabs div ldiv \
    __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc isalpha isdigit isspace tolower toupper \
    qsort bsearch rand srand rand_r random srandom drand48 srand48 \
    printf fprintf puts putchar putc fputs fputc fputs fwrite fflush vprintf vfprintf setvbuf setbuf \
    snprintf sprintf vsnprintf sscanf __isoc99_sscanf __isoc23_sscanf stdout stderr \
    __printf_chk __fprintf_chk __snprintf_chk __sprintf_chk __vsnprintf_chk __vfprintf_chk \
    time clock clock_gettime gettimeofday difftime usleep sleep nanosleep getenv";

/// Functions of the mathematical library, each also for `float` (with an `f`).
const MATHEMATICS: &str = "\
    sqrt cbrt sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p \
    pow hypot fabs floor ceil trunc round rint nearbyint lround llround lrint llrint fmod remainder fmin fmax fdim fma \
    copysign ldexp frexp modf scalbn erf erfc tgamma __isnan __isinf __finite";

/// Reports whether executions of these objects leave nothing behind that another one could notice, unless a
/// function of `exports` does.
pub(super) fn is_contained(objects: &[Elf], exports: &Exports) -> bool {
    let refers_to_harmless = |object: &Elf| {
        let mut foreign =
            object.symbols.iter().filter(|symbol| !symbol.defined && !symbol.name.is_empty());
        foreign.all(|symbol| is_harmless(&symbol.name, exports))
    };
    // The code of large libraries is looked through last: most of them refer to something else.
    objects.iter().all(refers_to_harmless) && !objects.iter().any(makes_system_calls)
}

fn is_harmless(name: &str, exports: &Exports) -> bool {
    let mathematical = |name: &str| MATHEMATICS.split_ascii_whitespace().any(|known| known == name);
    if NAMES.split_ascii_whitespace().any(|known| known == name)
        || mathematical(name)
        || name.strip_suffix('f').is_some_and(mathematical)
    {
        return true;
    }
    exports.get(name).is_some()
}

/// Bits of an x86-64 instruction stream.
const BITS: u32 = 64;

/// Reports whether the code of an object contains instructions that call the system.
fn makes_system_calls(object: &Elf) -> bool {
    object.code().any(|code| {
        // The bytes may be part of a constant or of an address: then the code is decoded from its start.
        let has_bytes = |bytes: &[u8]| matches!(bytes, [0x0f, 0x05 | 0x34] | [0xcd, _]);
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
    fn harmless_functions_are_listed_or_exported() {
        extern "C" fn function() {}
        let exports =
            Exports::new(&[("exported", function as *const () as usize)], crate::replacements());
        let exports = exports.expect("executable memory");
        for (name, harmless) in [
            ("exported", true),
            ("of_another_library", false),
            ("printf", true),
            ("sqrtf", true),
            ("fopen", false),
            ("getpid", false),
        ] {
            assert_eq!(is_harmless(name, &exports), harmless, "{name}");
        }
    }
}
