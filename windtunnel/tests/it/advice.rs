//! Notes and help of findings fit the fault: they say what is missing, and by which call.

use tempfile::TempDir;

use super::{
    c_programs::{compile, windtunnel},
    right_names::report,
};

/// A function of a program in C, the codes of the findings on two ranks, and what the first one says.
pub(super) type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

/// The functions of `c/advice.c`.
const CASES: [Case; 119] = [
    (
        "receive_against_barrier",
        &["WT0001"],
        &["let rank 1 send to rank 0 before it calls MPI_Barrier"],
    ),
    (
        "cancelled_send",
        &["WT0002"],
        &[
            "rank 0 has cancelled the send of the message that rank 1 waits for",
            "this send was cancelled",
            "do not cancel the send",
            "rank 0 has finalized MPI and will not come",
        ],
    ),
    (
        "detached_before_the_receive",
        &["WT0001"],
        &[
            "MPI_Buffer_detach returns when the messages that the buffer holds have left it",
            "receive the messages that the attached buffers hold before the buffers are detached",
        ],
    ),
    (
        "accepts_nobody",
        &["WT0002"],
        &[
            "rank 0 waits in MPI_Comm_accept for others that connect to its port",
            "call MPI_Comm_connect with the name of the port in other processes",
        ],
    ),
    ("sends_what_it_receives", &["WT0003", "WT0024"], &["send and receive at once (MPI_Sendrecv)"]),
    (
        "counts_other_numbers",
        &["WT0009"],
        &[
            "rank 1: MPI_Get_count counts MPI_FLOAT in a message of MPI_DOUBLE",
            "after a probe that of the message",
        ],
    ),
    (
        "broadcast_to_receivers",
        &["WT0002"],
        &[
            "rank 0 calls MPI_Bcast here, and no other rank joins it",
            "let all ranks of the communicator call MPI_Bcast",
        ],
    ),
    (
        "received_out_of_order",
        &["WT0001"],
        &["give both the same tag, or let rank 1 receive in the order in which rank 0 sends"],
    ),
    (
        "gathered_by_the_count_of_all",
        &["WT0007"],
        &["let the receive count be that of the block of one rank"],
    ),
    (
        "scattered_to_less",
        &["WT0007"],
        &["let the lists of counts have for each rank the count that this rank passes itself"],
    ),
    ("displacement_in_bytes", &["WT0011"], &["counts units of 4 bytes, as the window says"]),
    ("copy_of_a_request", &["WT0013"], &["a copy of the handle of a request that is complete"]),
    ("handle_of_another_library", &["WT0011"], &["the handle is one of MPICH"]),
    ("both_receive_from_any", &["WT0001"], &["send what another one waits for"]),
    (
        "never_completes",
        &["WT0001"],
        &["call MPI_Win_complete after the accesses", "has not completed what it starts here"],
    ),
    ("never_posts", &["WT0001"], &["call MPI_Win_post before MPI_Win_start"]),
    (
        "posts_to_others",
        &["WT0001"],
        &["rank 1 does not expose its memory to rank 0 here", "the group of MPI_Win_post"],
    ),
    (
        "starts_for_others",
        &["WT0001"],
        &[
            "rank 0 starts an epoch here, but never one for rank 1",
            "rank 1 exposes its memory here to rank 0",
            "that of MPI_Win_start the ranks whose memory is accessed",
        ],
    ),
    (
        "never_starts",
        &["WT0001"],
        &[
            "rank 1 exposes its memory here to rank 0, which has never called MPI_Win_start",
            "call MPI_Win_start and MPI_Win_complete before MPI_Win_wait",
        ],
    ),
    (
        "etype_of_other_data",
        &["WT0009"],
        &[
            "the data of MPI_File_write_at are not of the etype of the view: MPI_FLOAT against MPI_DOUBLE",
        ],
    ),
    (
        "filetype_of_other_numbers",
        &["WT0009"],
        &[
            "the filetype of MPI_File_set_view is not made of the etype",
            "make the filetype of the etype",
        ],
    ),
    ("writes_one_element", &[], &[]),
    (
        "writes_more_than_one_element",
        &["WT0011"],
        &["elements of the file type overlap, and the access writes some bytes twice"],
    ),
    (
        "keeps_its_lock",
        &["WT0001"],
        &["has not given back the lock that it takes here", "release a lock (MPI_Win_unlock)"],
    ),
    (
        "partition_never_ready",
        &["WT0001"],
        &["1 partition of the send is not declared ready", "MPI_Pready"],
    ),
    (
        "partitions_with_another_tag",
        &["WT0001"],
        &["nearest miss: rank 0 sends tag 6, rank 1 receives tag 5"],
    ),
    ("partitioned_receive_never_started", &["WT0001"], &["MPI_Start"]),
    (
        "nobody_completes",
        &["WT0002"],
        &["a request that nothing completes", "waits in MPI_Wait for MPI_Grequest_complete"],
    ),
    (
        "nobody_signals",
        &["WT0001"],
        &[
            "cycle: thread 0 of rank 0 -> thread 1 of rank 0 -> thread 0 of rank 0",
            "have a thread of the rank signal",
        ],
    ),
    (
        "polls_for_another_tag",
        &["WT0025"],
        &["nearest miss: rank 0 sends tag 5, rank 1 receives tag 6", "give both the same tag"],
    ),
    (
        "probes_for_another_tag",
        &["WT0025"],
        &["nearest miss: rank 0 sends tag 5, rank 1 receives tag 6"],
    ),
    (
        "taken_and_waited_for",
        &["WT0002"],
        &["deadlock: rank 0: a message that MPI_Mprobe has taken", "MPI_Mrecv"],
    ),
    ("taken_and_lost", &["WT0016"], &["a message that MPI_Mprobe has taken", "MPI_Mrecv"]),
    (
        "fences_in_two_orders",
        &["WT0035"],
        &["rank 0 has the window of ", "use the same window on all ranks"],
    ),
    (
        "files_in_two_orders",
        &["WT0035"],
        &["rank 0 has the file of ", "use the same file on all ranks"],
    ),
    ("detached_twice", &["WT0033"], &["detach memory once"]),
    ("request_between_fences", &["WT0033"], &["MPI_Put for MPI_Rput"]),
    ("target_not_in_the_group", &["WT0033"], &["add the rank to the group of MPI_Win_start"]),
    (
        "flush_of_another_rank",
        &["WT0033"],
        &["a flush of rank 1 of the window, which is not locked", "lock this rank as well"],
    ),
    ("operation_freed_twice", &["WT0011"], &["the operation is null"]),
    ("file_kept", &["WT0017"], &["2 files that were never closed", "MPI_File_close"]),
    (
        "buffer_kept",
        &["WT0017"],
        &["2 attached buffers that were never detached", "MPI_Buffer_detach"],
    ),
    ("memory_kept", &["WT0017"], &["2 memory blocks that were never freed", "MPI_Free_mem"]),
    (
        "nobody_is_root",
        &["WT0006"],
        &["rank 0 and rank 1, of different groups, both name a root in the other group"],
    ),
    ("two_are_root", &["WT0006"], &["rank 0 and rank 1 both give MPI_ROOT"]),
    ("both_groups_have_the_root", &["WT0006"], &["both say that the root is in their own group"]),
    (
        "in_place_on_one_rank",
        &["WT0030"],
        &[
            "rank 1 has a send buffer where rank 0 has MPI_IN_PLACE",
            "give MPI_IN_PLACE on all ranks",
        ],
    ),
    ("communicators_of_one_line", &["WT0035"], &["(made first)", "(made later)"]),
    (
        "types_given_back",
        &["WT0024"],
        &["rank 0 frees a buffer that MPI_Ialltoallw still owns", "its memory is released here"],
    ),
    (
        "place_for_a_neighbour_moved",
        &["WT0024"],
        &["a buffer that MPI_Ineighbor_alltoallw still owns"],
    ),
    (
        "start_unchecked",
        &["WT0033"],
        &[
            "an epoch is started with MPI_MODE_NOCHECK, and rank 0 posts without it",
            "the memory is exposed here",
        ],
    ),
    (
        "post_unchecked",
        &["WT0033"],
        &["an epoch is started without MPI_MODE_NOCHECK, and rank 0 posts with it"],
    ),
    ("both_unchecked", &[], &[]),
    (
        "first_count_of_both",
        &["WT0024"],
        &["share 8 bytes: the last of 16 bytes of the pending MPI_Irecv, all 8 bytes of this call"],
    ),
    (
        "receives_over_the_end",
        &["WT0024"],
        &[
            "share 4 bytes: the first of 8 bytes of the pending MPI_Irecv, the last of 8 bytes of this",
        ],
    ),
    (
        "duplicate_used_too_early",
        &["WT0011"],
        &["that of MPI_Comm_idup is there when the request is complete"],
    ),
    ("fetched_into_its_data", &["WT0014"], &["the origin buffer and the result buffer overlap"]),
    ("entries_over_each_other", &["WT0014"], &["MPI_Bcast on rank 1", "overlap"]),
    ("counts_given_back", &["WT0024"], &["MPI_Iallgatherv", "its memory is released here"]),
    ("started_twice", &["WT0013"], &["a request is started while it is active"]),
    (
        "closed_too_early",
        &["WT0013"],
        &["a file is closed while an access to it is not complete", "end the split access"],
    ),
    ("barrier_of_one_rank", &["WT0022"], &["waits for rank 0, which finished without calling it"]),
    (
        "started_on_one_rank",
        &["WT0022"],
        &["finished without starting it", "start the request of MPI_Barrier_init on all ranks"],
    ),
    (
        "neighbours_that_disagree",
        &["WT0030"],
        &[
            "rank 1 has an edge to rank 0 where rank 0 has no edge from rank 1",
            "MPI_Dist_graph_create_adjacent",
        ],
    ),
    ("neighbours_that_agree", &[], &[]),
    ("no_room_for_all", &["WT0037"], &["writes 8 bytes to"]),
    (
        "neighbours_in_one_buffer",
        &["WT0014"],
        &["the receive buffer needs room for a block of each neighbour"],
    ),
    ("session_strings", &["WT0030"], &["the string \\\"org.example.one\\\""]),
    ("session_left", &["WT0017"], &["2 groups that were never freed"]),
    ("beside_the_attached", &[], &[]),
    (
        "attached_and_changed",
        &["WT0024"],
        &["a buffer that MPI_Buffer_attach still owns", "detach the buffer"],
    ),
    (
        "attached_to_both",
        &["WT0024"],
        &["share 512 bytes: the last of 1,024 bytes of the pending MPI_Buffer_attach"],
    ),
    ("freed_with_its_buffer", &["WT0017"], &["buffer"]),
    (
        "two_types_of_resources",
        &["WT0030"],
        &["MPI_COMM_TYPE_HW_UNGUIDED where rank 0 has MPI_COMM_TYPE_SHARED"],
    ),
    ("one_in_no_part", &[], &[]),
    (
        "split_by_type_and_by_colour",
        &["WT0005"],
        &["MPI_Comm_split_type where rank 0 has MPI_Comm_split"],
    ),
    ("session_beyond_the_world", &[], &[]),
    ("session_beyond_the_world_kept", &["WT0017"], &["2 communicators that were never freed"]),
    ("session_of_a_thread", &[], &[]),
    ("session_by_itself", &["WT0023"], &["MPI is called before MPI_Init"]),
    ("session_in_the_world", &["WT0023"], &["MPI is called before MPI_Init"]),
    (
        "session_ended",
        &["WT0023", "WT0017"],
        &["MPI is called after MPI_Session_finalize", "before MPI_Session_finalize"],
    ),
    (
        "cancelled_or_not",
        &["WT0004"],
        &["whether MPI_Cancel cancels an operation", "ask MPI_Test_cancelled"],
    ),
    ("sought_differently", &["WT0030"], &["rank 1 has offset 4 with MPI_SEEK_SET"]),
    (
        "view_from_here",
        &["WT0011"],
        &["MPI_DISPLACEMENT_CURRENT is for files opened with MPI_MODE_SEQUENTIAL"],
    ),
    ("sent_from_any", &["WT0011"], &["the tag is -2 (MPI_ANY_TAG)"]),
    (
        "probed_too_early",
        &["WT0011"],
        &[
            "source rank -1234567890 is out of range",
            "the value is that of a status which MPI has not set",
            "use the status only where the flag is true",
        ],
    ),
    ("probed_until_it_is_there", &[], &[]),
    (
        "counted_by_another_type",
        &["WT0011", "WT0009"],
        &[
            "the count is -32766 (MPI_UNDEFINED); allowed is 0 or more",
            "are no whole number of elements",
            "give MPI_Get_count the datatype that the message is sent with",
        ],
    ),
    ("sent_to_nobody", &["WT0011"], &["destination rank -32766 (MPI_UNDEFINED) is out of range"]),
    ("received_into_a_send", &["WT0024"], &["MPI_Recv uses a buffer that MPI_Isend still owns"]),
    ("barrier_given_up", &["WT0013"], &["(MPI 5.0, 6.12 and 12.3.5)"]),
    ("partitions_of_other_types", &["WT0009"], &["MPI_DOUBLE against MPI_FLOAT"]),
    (
        "put_through_two_windows",
        &["WT0034"],
        &["accesses through two windows to the same bytes of rank 0", "rank 1 writes to memory"],
    ),
    (
        "opened_beside_a_unique",
        &["WT0036"],
        &["once with MPI_MODE_UNIQUE_OPEN", "opened here, too"],
    ),
    ("uniques_of_all_ranks", &["WT0036"], &["the file advice.own is open twice"]),
    ("uniques_in_turn", &[], &[]),
    (
        "disconnected_too_early",
        &["WT0013"],
        &["a communicator is disconnected while an operation on it", "MPI_Irecv"],
    ),
    ("disconnected_and_forgotten", &["WT0013"], &["MPI_Ibarrier", "MPI_Comm_disconnect"]),
    ("disconnected_in_time", &[], &[]),
    (
        "any_source_denied",
        &["WT0011"],
        &["MPI_Recv names MPI_ANY_SOURCE", "MPI_Comm_dup_with_info", "is set to true here"],
    ),
    ("any_tag_denied", &["WT0011"], &["MPI_Probe names MPI_ANY_TAG", "MPI_Comm_set_info"]),
    ("length_denied", &["WT0007"], &["receives a shorter message than its buffer"]),
    ("assertions_kept", &[], &[]),
    ("locks_denied", &["WT0033"], &["MPI_Win_lock locks the window, and no_locks is true"]),
    ("same_size_denied", &["WT0030"], &["a size of 8 bytes", "same_size is true"]),
    ("same_unit_denied", &["WT0030"], &["displacement unit 4", "same_disp_unit is true"]),
    ("same_unit_of_two_sizes", &[], &[]),
    (
        "missing_edge",
        &["WT0030"],
        &["rank 1 has an edge to rank 0 where rank 0 has no edge from rank 1"],
    ),
    (
        "edge_of_two_counts",
        &["WT0030"],
        &["rank 0 has an edge to rank 1 where rank 1 has 2 edges from rank 0"],
    ),
    (
        "edge_of_two_weights",
        &["WT0030"],
        &["an edge to rank 0 of weight 4 where rank 0 has an edge from rank 1 of weight 3"],
    ),
    ("edges_of_one_weight", &[], &[]),
    ("port_never_closed", &["WT0017"], &["a port that was never closed", "MPI_Close_port"]),
    ("port_closed", &[], &[]),
    ("keys_never_freed", &["WT0017"], &["2 attribute keys that were never freed"]),
    ("key_of_the_run", &[], &[]),
    (
        "displacement_of_garbage",
        &["WT0011"],
        &[
            "displacement 6510615555426900570 is far outside of the window at rank 1, which has 4 bytes",
        ],
    ),
    ("packed_broadcast", &[], &[]),
    ("accumulated_nothing", &["WT0011"], &["MPI_NO_OP is for accesses that fetch"]),
];

#[test]
fn findings_say_what_is_missing() {
    tell("advice.c", &CASES);
}

/// Checks what is found in each case of a program on two ranks.
pub(super) fn tell(source: &str, cases: &[Case]) {
    let folder = TempDir::new().expect("a folder");
    let program = compile(source, &folder);
    for (case, codes, told) in cases {
        let report = report(&[&program, "-n", "2", "--", case], &folder);
        let findings = report["findings"].as_array().expect("a list");
        let found: Vec<_> =
            findings.iter().filter_map(|finding| finding["code"].as_str()).collect();
        assert_eq!(found, *codes, "{case}: {report}");
        let first = findings.first().map(ToString::to_string).unwrap_or_default();
        for text in *told {
            assert!(first.contains(text), "{case} does not say {text}: {first}");
        }
    }
}

#[test]
fn a_source_that_has_ended_may_lack_a_send() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("advice.c", &folder);
    let report = report(&[&program, "-n", "3", "--", "source_that_has_ended"], &folder);
    let told =
        "correct the source of the receive, or let rank 2 send this message before it finalizes";
    assert_eq!(report["findings"][0]["help"], told, "{report}");
}

/// The receive that is meant follows the send which waits for it.
#[test]
fn a_receive_before_a_send_that_waits_is_no_near_miss() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("advice.c", &folder);
    let report = report(&[&program, "-n", "2", "--", "sends_what_it_receives"], &folder);
    assert!(!report.to_string().contains("nearest miss"), "{report}");
}

#[test]
fn a_collective_on_a_larger_communicator_is_told_as_that() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("advice.c", &folder);
    let report = report(&[&program, "-n", "4", "--", "world_for_a_half"], &folder);
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 1, "{report}");
    assert_eq!(findings[0]["code"], "WT0035", "{report}");
    let message = findings[0]["message"].as_str().expect("a text");
    assert!(message.starts_with("rank 1 has MPI_COMM_WORLD where rank 0 has"), "{message}");
}

#[test]
fn one_rank_is_not_told_to_inform_another() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("advice.c", &folder);
    let case = "put_after_a_get_of_the_same";
    let report = report(&[&program, "-n", "2", "--", case], &folder);
    let findings = report["findings"].as_array().expect("a list");
    let race = findings.iter().find(|finding| finding["code"] == "WT0034").expect("a race");
    let help = race["help"].as_str().expect("a help");
    assert!(help.contains("before the second one") && !help.contains("other rank"), "{help}");
}

#[test]
fn a_cycle_of_one_rank_is_not_drawn() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("advice.c", &folder);
    let (_, text) =
        windtunnel(&["check", &program, "-n", "1", "--", "nobody_signals"], folder.path());
    assert!(text.contains("WT0001") && !text.contains("cycle: 0"), "{text}");
}
