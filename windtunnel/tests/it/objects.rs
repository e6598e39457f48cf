//! Buffers and other arguments are compared with the variables and heap blocks of the program that hold them.

use serde_json::Value;
use tempfile::TempDir;

use super::{
    c_programs::{compile_by, makers, object, windtunnel},
    fortran_programs,
};

/// The cases of `c/objects.cpp`, the code of the first finding, and what it says.
const CASES: [(&str, &str, &str); 40] = [
    ("short_array", "WT0037", "reads 44 bytes from the variable `numbers`, which has 40"),
    ("short_rest", "WT0037", "the variable `table`, which has 32 left of 64"),
    ("before_table", "WT0037", "that begin 16 bytes before the variable `table`"),
    ("short_block", "WT0037", "reads 88 bytes from a heap block, which has 80"),
    ("damaged_heap", "WT0037", "MPI_Allgather writes 8000 bytes to a heap block, which has 7960"),
    ("broadcast_received", "WT0037", "MPI_Bcast writes 32 bytes to the variable `few`"),
    ("early_block", "WT0037", "MPI_Gather writes 8 bytes to a heap block, which has 4"),
    ("short_unpacked", "WT0037", "writes 12 bytes to the variable `name`, which has 8"),
    ("short_packed", "WT0037", "writes 40 bytes to the variable `name`, which has 4 left of 8"),
    ("short_attached", "WT0037", "takes 5000 bytes of the variable `attached`, which has 100"),
    ("short_window", "WT0037", "MPI_Win_create takes 32 bytes of a heap block, which has 16"),
    ("short_reduced", "WT0037", "MPI_Reduce_local writes 32 bytes to a heap block, which has 16"),
    ("block_beyond", "WT0037", "MPI_Gatherv writes 32 bytes to the variable `four`, which has 16"),
    (
        "bytes_beyond",
        "WT0037",
        "MPI_Alltoallw writes 20 bytes to the variable `four`, which has 16",
    ),
    ("neighbor_beyond", "WT0037", "writes 32 bytes to the variable `four`, which has 16"),
    ("short_overlapping", "WT0037", "writes 16 bytes to the variable `pairs`, which has 8 left"),
    ("short_vector", "WT0037", "reads 64 bytes from a heap block, which has 56"),
    ("vector_itself", "WT0037", "MPI_Send reads 56 bytes from the variable `values`, which has 24"),
    ("short_receive", "WT0037", "MPI_Recv writes 48 bytes to the variable `numbers`, which has 40"),
    ("short_column", "WT0037", "reads 52 bytes from the variable `grid`, which has 44 left of 48"),
    ("short_persistent", "WT0037", "MPI_Send_init reads 44 bytes from the variable `numbers`"),
    ("short_partitioned_send", "WT0037", "MPI_Psend_init reads 64 bytes from the variable `part`"),
    (
        "short_partitioned_receive",
        "WT0037",
        "MPI_Precv_init writes 64 bytes to the variable `part`, which has 48",
    ),
    ("far_broadcast", "WT0037", "800000000 bytes from the variable `few`, which has 32"),
    ("far_send", "WT0037", "MPI_Send reads 800000000 bytes from the variable `few`, which has 32"),
    ("far_nonblocking_send", "WT0037", "MPI_Isend reads 800000000 bytes from the variable `few`"),
    ("far_exchange", "WT0037", "MPI_Sendrecv reads 800000000 bytes from the variable `few`"),
    ("far_reduction", "WT0037", "MPI_Iallreduce"),
    ("far_put", "WT0037", "MPI_Put reads 800000000 bytes from the variable `few`"),
    ("far_write", "WT0037", "MPI_File_write reads 800000000 bytes from the variable `few`"),
    ("short_in_place", "WT0037", "reads 16 bytes from a heap block, which has 8"),
    ("operation_beyond", "WT0037", "the function of an operation writes beyond the 3 elements"),
    (
        "operation_one_too_far",
        "WT0037",
        "the function of an operation writes beyond the 3 elements",
    ),
    (
        "structures_beyond",
        "WT0037",
        "MPI_Sendrecv reads 60 bytes from the variable `table`, which has 32 left of 64",
    ),
    ("vector_of_longs_as_ints", "WT0038", "MPI_Bcast holds long int, not MPI_INT"),
    ("float_as_int", "WT0038", "holds float, not MPI_INT"),
    ("long_as_int", "WT0038", "MPI_Allreduce holds long int, not MPI_INT"),
    ("block_of_doubles_as_floats", "WT0038", "holds double, not MPI_FLOAT"),
    ("pair_without_its_gap", "WT0038", "has no double where the datatype has MPI_DOUBLE"),
    ("pair_the_other_way_round", "WT0038", "holds int, not MPI_DOUBLE"),
];

/// Those of `c/pointers.cpp`.
const POINTERS: [(&str, &str, &str); 11] = [
    ("address_in_place", "WT0038", "MPI_Allreduce holds a pointer (double *), not MPI_DOUBLE"),
    ("address_of_ints", "WT0038", "MPI_Send holds a pointer (int *), not MPI_INT"),
    ("address_of_one", "WT0038", "MPI_Bcast holds a pointer (float *), not MPI_FLOAT"),
    ("address_of_static", "WT0038", "MPI_Bcast holds a pointer (double *), not MPI_DOUBLE"),
    ("address_of_parameter", "WT0038", "MPI_Bcast holds a pointer (double *), not MPI_DOUBLE"),
    ("address_of_member", "WT0038", "MPI_Bcast holds a pointer (double *), not MPI_DOUBLE"),
    ("rows", "WT0038", "MPI_Bcast holds a pointer (double *), not MPI_DOUBLE"),
    ("rows_on_the_heap", "WT0038", "MPI_Bcast holds a pointer (double *), not MPI_DOUBLE"),
    ("vector", "WT0038", "MPI_Send holds a pointer (double *), not MPI_DOUBLE"),
    ("vector_of_rows", "WT0038", "MPI_Bcast holds a pointer (double *), not MPI_DOUBLE"),
    ("unique", "WT0038", "MPI_Allreduce holds a pointer (double *), not MPI_DOUBLE"),
];

/// Those of `c/arguments.cpp`.
const ARGUMENTS: [(&str, &str, &str); 7] = [
    (
        "short_statuses",
        "WT0037",
        "MPI_Waitall writes 64 bytes to the variable `room`, which has 32",
    ),
    ("short_statuses_on_the_heap", "WT0037", "writes 64 bytes to a heap block, which has 32"),
    ("short_counts", "WT0037", "MPI_Gatherv reads 8 bytes from a heap block, which has 4"),
    ("attribute_in_an_int", "WT0037", "writes 8 bytes to the variable `bound`, which has 4"),
    ("flag_in_a_byte", "WT0037", "writes 4 bytes to the variable `flag`, which has 1"),
    ("short_measurement", "WT0037", "MPI_T_pvar_read writes 8 bytes to a heap block, which has 4"),
    ("short_coordinates", "WT0037", "writes 12 bytes to the variable `at`, which has 8"),
];

/// Those of `c/lifetimes.cpp`.
const LIFETIMES: [(&str, &str, &str); 12] = [
    ("freed", "WT0037", "MPI_Send reads 32 bytes from a heap block that has been freed"),
    ("deleted", "WT0037", "MPI_Send reads 16 bytes from a heap block that has been freed"),
    ("grown", "WT0037", "MPI_Send reads 32 bytes from a heap block that has been freed"),
    ("freed_by_mpi", "WT0037", "MPI_Send reads 32 bytes from a heap block that has been freed"),
    ("beyond_mpi", "WT0037", "MPI_Send reads 40 bytes from a heap block, which has 32"),
    ("before", "WT0037", "MPI_Send reads 32 bytes that begin 8 bytes before a heap block"),
    ("before_by_type", "WT0037", "MPI_Send reads 4 bytes that begin 8 bytes before a heap block"),
    ("started_again", "WT0037", "reads 32 bytes from a heap block that has been freed"),
    ("attached", "WT0037", "MPI_Buffer_detach gives back"),
    ("window", "WT0037", "MPI_Win_free gives back 32 bytes of a heap block that has been freed"),
    ("window_part", "WT0037", "MPI_Win_detach gives back 32 bytes of a heap block that has been"),
    ("vector_of_points", "WT0037", "MPI_Send reads 76 bytes from the variable `points`, which"),
];

/// Those of `c/behind_members.cpp`.
const BEHIND_MEMBERS: [(&str, &str, &str); 6] = [
    ("member", "WT0038", "MPI_Bcast holds double, not MPI_FLOAT"),
    ("cells", "WT0038", "MPI_Bcast"),
    ("static_member", "WT0038", "MPI_Bcast holds double, not MPI_LONG"),
    ("element", "WT0038", "MPI_Bcast holds double, not MPI_FLOAT"),
    ("method", "WT0038", "MPI_Bcast holds double, not MPI_FLOAT"),
    ("vector_in_method", "WT0038", "MPI_Bcast holds double, not MPI_INT64_T"),
];

/// Those of `c/beside.cpp`.
const BESIDE: [(&str, &str, &str); 10] = [
    ("row_behind", "WT0037", "begin at the end of the variable `field`, which has 128"),
    ("row_before", "WT0037", "begin 32 bytes before the variable `beside`"),
    ("sum_behind", "WT0037", "begin 4 bytes behind the variable `numbers`, which has 32"),
    ("text_behind", "WT0037", "begin at the end of the variable `text`, which has 16"),
    ("automatic", "WT0037", "begin 4 bytes before the variable `values`"),
    ("dead", "WT0037", "reads 64 bytes from the frame of a function that has returned"),
    ("reserved", "WT0037", "to the variable `all`, which has 0 bytes of elements there"),
    ("returned", "WT0037", "to the variable `values`, which has 8 bytes of elements there"),
    ("by_reference", "WT0037", "from the variable `values`, which has 0 bytes of elements there"),
    ("reserved_requests", "WT0037", "to the variable `requests`, which has 0 bytes of elements"),
];

fn check(words: &[&str], folder: &TempDir) -> Value {
    object(&[&["check", "-n", "2", "--json"], words].concat(), folder.path()).1
}

/// Reports whether a check has a finding of a code whose message has a text in it.
fn tells(report: &Value, code: &str, text: &str) -> bool {
    report["findings"].as_array().expect("findings").iter().any(|finding| {
        let message = finding["message"].as_str().unwrap_or_default();
        finding["code"] == code && message.contains(text)
    })
}

#[test]
fn buffers_fit_into_their_objects() {
    compare("objects.cpp", &CASES);
}

#[test]
fn addresses_are_not_taken_for_the_data() {
    compare("pointers.cpp", &POINTERS);
}

#[test]
fn the_cure_for_an_address_in_place_of_the_data_is_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_by("", &["-O0"], "pointers.cpp", &folder);
    for (case, text) in [
        ("address_of_one", "the data, `value`, not that of the pointer, `&value`"),
        ("vector", "`values.data()`"),
        ("unique", "`value.get()`"),
        ("rows_on_the_heap", "a call for each such array"),
    ] {
        let report = check(&[&program, "--", case], &folder);
        let help = report["findings"][0]["help"].as_str().unwrap_or_default();
        assert!(help.contains(text), "{case}: {report}");
    }
}

#[test]
fn arguments_fit_into_their_objects() {
    compare("arguments.cpp", &ARGUMENTS);
}

#[test]
fn a_short_array_for_a_text_that_has_room_is_a_note() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_by("", &["-O0"], "arguments.cpp", &folder);
    for (case, severity, verdict, text) in [
        (
            "short_processor_name",
            "note",
            "ok",
            "writes 256 bytes to the variable `name`, which has 64",
        ),
        ("short_error_string", "note", "ok", "writes 512 bytes to a heap block, which has 100"),
        ("short_key", "note", "ok", "MPI_Info_get_nthkey writes 256 bytes to the variable `key`"),
        ("tiny_processor_name", "error", "invalid-argument", "the variable `name`, which has 4"),
    ] {
        let report = check(&[&program, "--", case], &folder);
        assert_eq!(report["verdict"], verdict, "{report}");
        assert_eq!(report["findings"][0]["severity"], severity, "{report}");
        assert!(tells(&report, "WT0037", text), "{report}");
    }
}

#[test]
fn buffers_are_in_blocks_that_are_there() {
    compare("lifetimes.cpp", &LIFETIMES);
}

#[test]
fn elements_are_in_the_array_that_is_named() {
    compare("beside.cpp", &BESIDE);
}

#[test]
fn members_that_point_to_blocks_tell_what_these_hold() {
    compare("behind_members.cpp", &BEHIND_MEMBERS);
}

#[test]
fn the_line_that_frees_a_block_too_early_is_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_by("", &["-O0"], "lifetimes.cpp", &folder);
    for (case, line) in [("started_again", "std::free(block);"), ("grown", "values.resize(100);")] {
        let (_, text) = windtunnel(&["check", "-n", "2", &program, "--", case], folder.path());
        let mut lines = text.lines().skip_while(|shown| !shown.ends_with(line));
        let (shown, marked) = (lines.next(), lines.next());
        assert!(shown.is_some(), "{case}: {text}");
        assert!(marked.is_some_and(|it| it.ends_with("the block is freed here")), "{case}: {text}");
        assert!(!text.contains("WT0024"), "{case}: what others write there follows: {text}");
    }
}

/// Checks the cases of a source, and those that are all right, as each compiler translates them.
fn compare(source: &str, cases: &[(&str, &str, &str)]) {
    let folder = TempDir::new().expect("a folder");
    // Some systems compress debug information.
    let all = [&["-O0", "-gz"][..], &["-O2"]];
    // Where units are merged at link time, variables are described in other units than code; and the oldest edition has lists
    // of frame bases.
    let of_gcc = [&["-O0", "-flto"][..], &["-O0", "-gdwarf-2"]];
    let ways = makers().into_iter().flat_map(|maker| all.map(|options| (maker, options)));
    for (maker, options) in ways.chain(of_gcc.map(|options| ("", options))) {
        let program = compile_by(maker, options, source, &folder);
        let sound = check(&[&program, "--", "sound"], &folder);
        assert_eq!(sound["verdict"], "ok", "{maker} {options:?}: {sound}");
        for &(case, code, text) in cases {
            let report = check(&[&program, "--", case], &folder);
            let first = &report["findings"][0];
            // Where a pointer lies in a register nothing is known of what it points to, and nothing of one that is passed on
            // to a function inlined here.
            let by_pointer = [
                "member",
                "cells",
                "static_member",
                "element",
                "method",
                "vector_in_method",
                "block_of_doubles_as_floats",
                "vector_of_longs_as_ints",
                "address_of_parameter",
                "rows_on_the_heap",
                "vector_of_rows",
                "returned",
                "reserved",
                "by_reference",
                "reserved_requests",
            ];
            if options.contains(&"-O2") && by_pointer.contains(&case) {
                continue;
            }
            let told = format!("{maker} {options:?} {case}");
            // Clang has a shorter name for the type.
            let text = match maker {
                "clang" => text.replace("long int", "long"),
                _ => text.to_string(),
            };
            assert_eq!(first["code"], code, "{told}: {report}");
            let message = first["message"].as_str().unwrap_or_default();
            assert!(message.contains(&text), "{told}: {message}");
            let verdict = if code == "WT0037" { "invalid-argument" } else { "parameter-matching" };
            assert_eq!(report["verdict"], verdict, "{told}: {report}");
        }
    }
}

#[test]
fn arguments_of_fortran_fit_into_their_variables() {
    let folder = TempDir::new().expect("a folder");
    let Some(program) = fortran_programs::compile("arguments.f90", &folder) else { return };
    let sound = check(&[&program], &folder);
    assert_eq!(sound["verdict"], "ok", "{sound}");
    for (case, text) in [
        ("status", "MPI_Sendrecv writes 32 bytes to the variable `one`, which has 4"),
        ("extent", "MPI_Type_get_extent writes 8 bytes to the variable `low`, which has 4"),
        ("requests", "MPI_Testall reads 8 bytes from a heap block, which has 4"),
    ] {
        let report = check(&[&program, "--", case], &folder);
        assert!(tells(&report, "WT0037", text), "{case}: {report}");
    }
    // The compiler's own main function is no caller.
    let (_, text) = windtunnel(&["check", "-n", "2", &program, "--", "status"], folder.path());
    let called = text.lines().find(|line| line.contains("is called from arguments at"));
    assert!(called.is_some_and(|line| !line.contains("from main at")), "{text}");
}

/// Optimised code keeps temporaries where variables lie that are not in use, and old programs keep all kinds of numbers
/// in one array.
#[test]
fn memory_that_serves_several_purposes_is_not_judged() {
    let folder = TempDir::new().expect("a folder");
    for source in [
        "temporaries.f90",
        "blocks.f90",
        "workspace.f90",
        "work_arrays.f90",
        "several_statements.f90",
        "common.f",
    ] {
        for options in [&["-O0"][..], &["-O2", "-fno-inline"], &["-O3"]] {
            let program = fortran_programs::compile_with(options, source, &folder);
            let Some(program) = program else { return };
            let report = check(&[&program], &folder);
            assert_eq!(report["verdict"], "ok", "{source} {options:?}: {report}");
        }
    }
}

/// An array of variable length is known by its name where the compiler keeps its length, and what lies behind it is no part
/// of a buffer in it.
#[test]
fn arrays_of_variable_length_are_not_taken_for_their_neighbours() {
    let folder = TempDir::new().expect("a folder");
    for maker in makers() {
        for level in ["-O0", "-O2"] {
            let program = compile_by(maker, &[level], "lengths.c", &folder);
            let sound = check(&[&program], &folder);
            assert_eq!(sound["verdict"], "ok", "{maker} {level}: {sound}");
            let (short, other) = (
                check(&[&program, "--", "short"], &folder),
                check(&[&program, "--", "type"], &folder),
            );
            let findings = short["findings"].to_string();
            assert!(
                !findings.contains("behind") && !findings.contains("WT0038"),
                "{maker} {level}: {short}"
            );
            if maker == "clang" || level == "-O2" {
                continue;
            }
            let text = "MPI_Recv writes 112 bytes to the variable `values`, which has 16";
            assert!(tells(&short, "WT0037", text), "{maker}: {short}");
            assert!(tells(&other, "WT0038", "holds int, not MPI_FLOAT"), "{maker}: {other}");
        }
    }
}

/// A pointer to a structure tells nothing of what lies behind the structure.
#[test]
fn data_behind_their_head_are_not_taken_for_more_heads() {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O0", "-O2"] {
        let program = compile_by("", &[level], "heads.c", &folder);
        let report = check(&[&program], &folder);
        assert_eq!(report["verdict"], "ok", "{level}: {report}");
    }
}

/// A buffer may begin anywhere in the memory that a function has taken for numbers of another type.
#[test]
fn memory_that_a_function_uses_as_another_type_is_not_judged() {
    let folder = TempDir::new().expect("a folder");
    for maker in makers() {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let program = compile_by(maker, &[level], "workspace.cpp", &folder);
            let report = check(&[&program], &folder);
            assert_eq!(report["verdict"], "ok", "{maker} {level}: {report}");
            for (case, text) in [
                (&["static"][..], "holds double, not MPI_FLOAT"),
                (&["by", "pointer"], "holds double, not MPI_FLOAT"),
                (&["a", "local", "variable"], "holds long int, not MPI_INT"),
            ] {
                let report = check(&[&[&*program, "--"], case].concat(), &folder);
                let told = [text, &text.replace("long int", "long")];
                let is_told = told.iter().any(|text| tells(&report, "WT0038", text));
                // Variables of inlined functions share memory.
                let may_share = case.len() == 3 && level != "-O0";
                assert!(is_told || may_share, "{maker} {level} {case:?}: {report}");
            }
        }
    }
    let program = fortran_programs::compile_with(&["-O0"], "work_arrays.f90", &folder);
    let Some(program) = program else { return };
    let report = check(&[&program, "--", "wrong"], &folder);
    assert!(tells(&report, "WT0038", "holds real(kind=8), not MPI_REAL"), "{report}");
}

/// What the declared type of a polymorphic object describes is a part of it.
#[test]
fn objects_of_derived_types_are_not_taken_for_more_of_their_base() {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O0", "-O1", "-O2"] {
        let program = fortran_programs::compile_with(&[level], "polymorphic.f90", &folder);
        let Some(program) = program else { break };
        let report = check(&[&program], &folder);
        assert_eq!(report["verdict"], "ok", "{level}: {report}");
        let wrong = check(&[&program, "--", "wrong"], &folder);
        let text = "holds real(kind=8), not MPI_REAL";
        assert!(level != "-O0" || tells(&wrong, "WT0038", text), "{level}: {wrong}");
    }
    for maker in makers() {
        for level in ["-O0", "-O2"] {
            let program = compile_by(maker, &[level], "derived.cpp", &folder);
            let report = check(&[&program], &folder);
            assert_eq!(report["verdict"], "ok", "{maker} {level}: {report}");
            let wrong = check(&[&program, "--", "wrong"], &folder);
            let is_told = tells(&wrong, "WT0038", "holds double, not MPI_FLOAT");
            assert!(level != "-O0" || is_told, "{maker} {level}: {wrong}");
            for (case, text) in [
                ("object", "holds a pointer to virtual functions, not MPI_DOUBLE"),
                ("function", "holds a pointer to a function, not MPI_DOUBLE"),
            ] {
                let report = check(&[&program, "--", case], &folder);
                let is_told = tells(&report, "WT0038", text);
                assert!(level != "-O0" || is_told, "{maker} {level} {case}: {report}");
            }
        }
    }
}

/// The debug information of instructions that serve several calls names one of them and its variables.
#[test]
fn calls_that_the_compiler_has_merged_are_not_judged_by_one_of_them() {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O1", "-O2", "-O3", "-Os"] {
        let options = [level, "-fcrossjumping", "-ftree-tail-merge", "-fipa-icf"];
        let program = compile_by("", &options, "merged.c", &folder);
        for case in ["0", "1", "2", "3"] {
            let report = check(&[&program, "--", case], &folder);
            assert_eq!(report["verdict"], "ok", "{level} {case}: {report}");
        }
    }
}

#[test]
fn equal_calls_keep_their_own_lines_in_optimised_code() {
    let folder = TempDir::new().expect("a folder");
    let levels = makers().into_iter().flat_map(|maker| [(maker, "-O1"), (maker, "-O2")]);
    for (maker, level) in levels {
        let program = compile_by(maker, &[level], "twice.c", &folder);
        for (words, lines) in [(&[][..], [19, 22]), (&["--", "functions"], [6, 11])] {
            let report = check(&[&[&*program], words].concat(), &folder);
            let sites = report["findings"][0]["sites"].as_array().expect("sites").clone();
            let found: Vec<u64> = sites.iter().filter_map(|site| site["line"].as_u64()).collect();
            assert_eq!(found, lines, "{maker} {level}: {report}");
        }
    }
}

#[test]
fn a_call_without_a_line_of_its_own_is_not_said_to_lack_debug_information() {
    let folder = TempDir::new().expect("a folder");
    let without = "no debug information";
    for maker in makers() {
        let program = compile_by(maker, &["-O2"], "indirect.c", &folder);
        let (_, text) = windtunnel(&["check", "-n", "2", &program], folder.path());
        let is_placed = text.contains("indirect.c:17:") || text.contains("-O0 keeps them apart");
        assert!(is_placed && !text.contains(without), "{maker}: {text}");
        let program = compile_by(maker, &["-O2", "-g0"], "indirect.c", &folder);
        let (_, text) = windtunnel(&["check", "-n", "2", &program], folder.path());
        assert!(text.contains(without), "{maker}: {text}");
    }
}

#[test]
fn buffers_fit_into_common_blocks() {
    let folder = TempDir::new().expect("a folder");
    let program = fortran_programs::compile_with(&["-O0"], "common.f", &folder);
    let Some(program) = program else { return };
    let report = check(&[&program, "--", "wrong"], &folder);
    let told = |code: &str, text: &str| {
        assert!(tells(&report, code, text), "{code} {text}: {report}");
    };
    told("WT0038", "holds real(kind=8), not MPI_REAL");
    told("WT0037", "112 bytes from the variable `a`, which has 8");
}

/// Without an explicit interface the compiler accepts any number of arguments; most calls go on with what they find.
#[test]
fn arguments_that_a_call_lacks_are_counted_in_its_source() {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O0", "-O2"] {
        let program = fortran_programs::compile_with(&[level], "arguments_left_out.f", &folder);
        let Some(program) = program else { return };
        let report = check(&[&program], &folder);
        let told = report["findings"].as_array().expect("findings");
        let told = told.iter().filter(|finding| finding["code"] == "WT0037");
        let told: Vec<(&str, u64)> = told
            .filter_map(|it| {
                Some((
                    it["message"].as_str()?.split(": ").last()?,
                    it["sites"][0]["line"].as_u64()?,
                ))
            })
            .collect();
        let all = [
            ("MPI_Type_commit has 1 argument, not 2", 8),
            ("MPI_Barrier has 1 argument, not 2", 9),
            ("MPI_Barrier has 1 argument, not 2", 10),
            ("MPI_Type_free has 3 arguments, not 2", 12),
            ("MPI_Finalize has 0 arguments, not 1", 13),
        ];
        assert!(all.iter().all(|one| told.contains(one)), "{level}: {report}");
    }
}

/// What the call before has left in the registers is nobody's memory.
#[test]
fn a_procedure_takes_no_address_that_it_is_not_given() {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O0", "-O2"] {
        let program = fortran_programs::compile_with(&[level], "left_in_registers.f90", &folder);
        let Some(program) = program else { return };
        for _ in 0..3 {
            let report = check(&[&program], &folder);
            let is_told = tells(&report, "WT0037", "MPI_Wait has 2 arguments, not 3");
            assert!(is_told && report["verdict"] == "invalid-argument", "{level}: {report}");
        }
    }
}

/// What is told of a case in Fortran: the argument that is no variable, and the number of lines between the marked one and
/// that of the call.
type Temporary = (&'static str, &'static str, u64);

/// Checks the cases of a Fortran program that are right, and what is told of those that give a call what is no variable.
fn compare_temporaries(
    (name, source): (&str, &str),
    sound: &[&str],
    wrong: &[Temporary],
    told: &str,
) {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O0", "-O2"] {
        let program = fortran_programs::compile_with(&[level], name, &folder);
        let Some(program) = program else { return };
        for case in sound {
            let report = check(&[&program, "--", case], &folder);
            assert_eq!(report["verdict"], "ok", "{level} {case}: {report}");
        }
        for (case, argument, before) in wrong {
            let report = check(&[&program, "--", case], &folder);
            let first = &report["findings"][0];
            let marked = source.lines().position(|line| line.ends_with(&format!("! {case}")));
            let line = marked.map(|at| at as u64 + 1 - before);
            assert_eq!(first["code"], "WT0037", "{level} {case}: {report}");
            assert_eq!(first["sites"][0]["line"].as_u64(), line, "{level} {case}: {report}");
            let message = first["message"].as_str().unwrap_or_default();
            assert!(message.contains(argument) && message.contains(told), "{message}");
        }
    }
}

/// A receive into an array section is right: the copy that the compiler passes is copied back.
#[test]
fn data_for_what_is_no_variable_are_lost() {
    let source = ("temporaries_received.f90", include_str!("../fortran/temporaries_received.f90"));
    let wrong = [
        ("parentheses", "`(y)`", 0),
        ("subscript", "`x([1, 3, 5])`", 1),
        ("exchange", "`(part)`", 0),
    ];
    compare_temporaries(source, &["section", "element", "placed", "sound"], &wrong, "are lost");
    // What the compiler makes of a macro is not known.
    let source = ("macros.F90", include_str!("../fortran/macros.F90"));
    let wrong = [("subscript", "`v([1, 3, 5])`", 0)];
    compare_temporaries(source, &["sound", "macro"], &wrong, "are lost");
}

/// The value of an expression lasts as long as the call that is given its address.
#[test]
fn operations_on_what_is_no_variable_are_told() {
    let source = ("temporaries_sent.f90", include_str!("../fortran/temporaries_sent.f90"));
    let wrong = [
        ("sum", "`x(1:3) + n`", 0),
        ("list", "`[(i * n, i = 1, 3)]`", 0),
        ("value", "`abs(x(1:3) - n)`", 0),
    ];
    compare_temporaries(source, &["sound", "constant", "nothing"], &wrong, "no variable");
}

#[test]
fn buffers_of_fortran_fit_into_their_variables() {
    let folder = TempDir::new().expect("a folder");
    let Some(program) = fortran_programs::compile("objects.f90", &folder) else { return };
    let sound = check(&[&program], &folder);
    assert_eq!(sound["verdict"], "ok", "{sound}");
    let report = check(&[&program, "--", "wrong"], &folder);
    let told = |code: &str, text: &str| {
        assert!(tells(&report, code, text), "{code} {text}: {report}");
    };
    told("WT0037", "reads 408 bytes from a heap block, which has 400");
    told("WT0037", "the variable `x`, which has 64 left of 80");
    told("WT0038", "holds integer(kind=4), not MPI_REAL");
    told("WT0037", "begin at the end of the variable `m`, which has 96");
    told("WT0037", "begin 8 bytes before the variable `x`");
    // An allocatable array, whose variable is a descriptor.
    told("WT0038", "holds integer(kind=4), not MPI_DOUBLE_PRECISION");
}
