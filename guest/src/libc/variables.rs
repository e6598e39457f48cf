//! Variables of the C library of which each rank has its own.

/// Addresses of the C library variables that are private to a rank.
#[derive(Clone, Copy, Default)]
pub(crate) struct CVariables {
    /// Addresses of `optarg`, `optind`, `opterr` and `optopt`.
    pub(crate) getopt: [usize; 4],
    /// Address of `environ`.
    pub(crate) environment: usize,
    /// Addresses of `stdin`, `stdout` and `stderr`.
    pub(crate) streams: [usize; 3],
    /// Addresses of `tzname`, `timezone` and `daylight`.
    pub(crate) zone: [usize; 3],
    /// Addresses of `program_invocation_name` and `program_invocation_short_name`.
    pub(crate) program_name: [usize; 2],
    /// Address of `signgam`.
    pub(crate) sign_of_gamma: usize,
    /// Address of `error_message_count`.
    pub(crate) errors: usize,
    /// Address of `__libc_single_threaded`.
    pub(crate) single_threaded: usize,
    /// Address of `std::cin`; 0 if the program does not use it.
    pub(crate) cin: usize,
}
