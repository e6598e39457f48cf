//! The command `windtunnel`.

/// Small blocks come and go with every message: this allocator gives them out faster than the
/// system's, and keeps large tables from being handed back and forth.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    windtunnel::main()
}
