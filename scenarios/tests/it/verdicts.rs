//! What the safety check says about the built-in programs.

use mpi_api::finding::Verdict;
use scenarios::{
    safety::{self, Report},
    scenario::Request,
};

fn check(program: &str, ranks: u32) -> Report {
    let request = Request::new(program, ranks);
    safety::check(&request.resolve().expect("a valid scenario"))
}

/// While rank 0 keeps away, rank j can send j blocks: the last one fills n - 1 blocks.
#[test]
fn the_worst_peak_of_the_ring_is_all_passes_of_one_rank() {
    for ranks in [2, 3, 4, 8] {
        let report = check("allgather-ring", ranks);
        assert_eq!(report.verdict, Verdict::Buffering);
        let minimum = report.minimum.expect("buffering decides");
        assert_eq!(minimum.bytes_per_rank, 4);
        assert_eq!((minimum.total_bytes, minimum.ranks), (4, 1));
        assert_eq!(minimum.peak_bytes, u64::from(4 * (ranks - 1)));
    }
}
