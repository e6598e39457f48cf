//! Names of the functions and libraries of OpenMP and OpenACC.

/// Reports whether a function belongs to a run-time library of OpenMP.
pub(crate) fn is_of_openmp(name: &str) -> bool {
    name.starts_with("GOMP_") || name.starts_with("omp_")
}

/// Beginnings of the names that compiled code calls, and the constructs that they stand for.
const CONSTRUCTS: [(&str, &str); 17] = [
    ("GOMP_parallel_loop", "omp parallel for"),
    ("GOMP_parallel_sections", "omp parallel sections"),
    ("GOMP_parallel", "omp parallel"),
    ("GOMP_loop", "omp for"),
    ("GOMP_sections", "omp sections"),
    ("GOMP_single", "omp single"),
    ("GOMP_critical", "omp critical"),
    ("GOMP_atomic", "omp atomic"),
    ("GOMP_barrier", "omp barrier"),
    ("GOMP_ordered", "omp ordered"),
    ("GOMP_doacross", "omp ordered"),
    ("GOMP_cancel", "omp cancel"),
    ("GOMP_taskgroup", "omp taskgroup"),
    ("GOMP_taskwait", "omp taskwait"),
    ("GOMP_task", "omp task"),
    ("GOMP_target", "omp target"),
    ("GOMP_teams", "omp teams"),
];

/// Returns the name of a function as the user knows it: the construct that it stands for, or the
/// function of the specification.
pub(crate) fn shown(name: &'static str) -> &'static str {
    let known = CONSTRUCTS.iter().find(|(start, _)| name.starts_with(start));
    match known {
        Some((_, construct)) => construct,
        None if name.starts_with("omp_") => name.trim_end_matches('_'),
        None => name,
    }
}

/// Reports whether a function belongs to the run-time library of OpenACC, which is part of gcc's library
/// and executes regions on the thread that reaches them.
pub(crate) fn is_of_openacc(name: &str) -> bool {
    name.starts_with("GOACC_") || name.starts_with("acc_")
}

/// Reports whether a library is the run-time library of OpenMP whose place we take.
pub(crate) fn is_library(name: &str) -> bool {
    name.starts_with("libgomp.so")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_shown_as_the_user_knows_them() {
        for (name, text) in [
            ("GOMP_parallel", "omp parallel"),
            ("GOMP_parallel_loop_dynamic", "omp parallel for"),
            ("GOMP_loop_ull_guided_start", "omp for"),
            ("GOMP_taskwait_depend", "omp taskwait"),
            ("omp_set_lock_", "omp_set_lock"),
            ("pthread_mutex_lock", "pthread_mutex_lock"),
        ] {
            assert_eq!(shown(name), text);
        }
    }
}
