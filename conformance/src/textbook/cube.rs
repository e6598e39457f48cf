//! The hypercube allgather: its verdict, its table of partners, its nonblocking form.

use mpi_api::api::{initialize, traits::*};

use super::{
    super::{Case, Expect, Row},
    freed,
};
use scenarios::program::{allgather_cube::stages_of, by_name};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "P13.2",
            "Pacheco, Parallel Programming with MPI, section 13.2.2",
            "the number of stages by counting shifts",
            &[1, 2, 3, 7, 8, 9],
            "the largest power of two that is not above p",
            shifts,
        ),
        Row::new(
            "P13.3",
            "Pacheco, Parallel Programming with MPI, section 13.2.2",
            "hypercube allgather, partners send and then receive",
            vec![Case::new(
                &[2, 4, 8],
                |p| Expect::buffering(u64::from(p / 2) * u64::from(p / 2) * 64, p / 2),
                "one of each pair must be able to leave its largest message, p/2 blocks; the ranks \
                 of one parity are enough because partners differ in one bit",
                || by_name("allgather-cube"),
            )],
        ),
        Row::safe(
            "P13.4",
            "Pacheco, Parallel Programming with MPI, table 13.1",
            "partners and places of the exchange of eight",
            &[8],
            "the partner differs in the stage's bit; the places are the ranks' lower bits",
            partners,
        ),
        Row::new(
            "P13.8",
            "Pacheco, Parallel Programming with MPI, section 13.5.2",
            "hypercube allgather without blocking, a new datatype for each stage",
            vec![
                Case::safe(
                    &[1, 2, 4, 8],
                    "both operations of a stage are under way before either is waited for",
                    || by_name("allgather-cube-nonblocking"),
                ),
                Case::safe(
                    &[1, 2, 4, 8],
                    "a datatype may be freed while operations that use it are pending; they go on",
                    freed::allgather,
                )
                .named("freed"),
            ],
        ),
    ]
}

fn shifts() {
    let universe = initialize().expect("once");
    let size = universe.world().size();
    let mut stages = 0;
    let mut left = size;
    while left > 1 {
        left >>= 1;
        stages += 1;
    }
    assert_eq!(stages, size.ilog2());
    assert!(1 << stages <= size && size < 2 << stages);
}

/// Partner, place sent from and place received at, of each stage and rank.
const TABLE: [[(i32, usize, usize); 3]; 8] = [
    [(4, 0, 4), (2, 0, 2), (1, 0, 1)],
    [(5, 1, 5), (3, 1, 3), (0, 1, 0)],
    [(6, 2, 6), (0, 2, 0), (3, 0, 1)],
    [(7, 3, 7), (1, 3, 1), (2, 1, 0)],
    [(0, 4, 0), (6, 0, 2), (5, 0, 1)],
    [(1, 5, 1), (7, 1, 3), (4, 1, 0)],
    [(2, 6, 2), (4, 2, 0), (7, 0, 1)],
    [(3, 7, 3), (5, 3, 1), (6, 1, 0)],
];

fn partners() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank() as usize;
    let stages = stages_of(rank, world.size() as usize, 1);
    assert_eq!(stages.len(), 3);
    for (stage, expected) in stages.iter().zip(&TABLE[rank]) {
        assert_eq!(&(stage.partner, stage.send_at, stage.receive_at), expected);
    }
}
