//! Decides which source files belong to the user rather than to a toolchain or library.

/// Folders that contain the system's headers.
const SYSTEM: [&str; 2] = ["/usr/include/", "/usr/lib/"];
/// Path fragments that mark files installed by a toolchain or a package manager: Rust's standard
/// library (as distributed, and as installed from source), and crates from registries and from
/// version control.
const BROUGHT: [&str; 4] = ["/rustc/", "/lib/rustlib/src/", "/registry/src/", "/git/checkouts/"];

/// Reports whether a source file is the user's own, so that a finding should point to it. Headers
/// of the system, the standard library and libraries from a package manager are not. A file with an
/// unknown path counts as the user's.
pub(crate) fn is_users_own(path: &str) -> bool {
    let brought = || BROUGHT.iter().any(|part| path.contains(part));
    !path.starts_with('/') || !(SYSTEM.iter().any(|folder| path.starts_with(folder)) || brought())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_brought_along_is_not_the_users() {
        for own in
            ["main.c", "src/main.rs", "/home/a/solver/src/main.rs", "/work/usr/include/a.h", ""]
        {
            assert!(is_users_own(own), "{own}");
        }
        for other in [
            "/usr/include/c++/12/thread",
            "/usr/lib/gcc/x86_64-linux-gnu/12/include/omp.h",
            "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/ops/function.rs",
            "/root/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/rt.rs",
            "/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/mpi-0.8.2/src/lib.rs",
            "/root/.cargo/git/checkouts/rsmpi-0123/abc/src/lib.rs",
        ] {
            assert!(!is_users_own(other), "{other}");
        }
    }
}
