//! What programs ask: statuses of nothing, topologies, the environment.

use mpi_api::api::{
    ANY_SOURCE, ANY_TAG, PROC_NULL, environment, initialize,
    request::scope,
    topology::{Adjacency, Topology},
    traits::*,
};

use crate::holds;

#[test]
fn an_empty_status_is_of_any_source_and_not_of_the_null_process() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let mut room = 7;
        let null = world.null_process().receive_into(&mut room);
        assert_eq!(
            (null.source_rank(), null.tag(), null.bytes(), room),
            (PROC_NULL, ANY_TAG, 0, 7)
        );
        assert_eq!(world.null_process().probe().source_rank(), PROC_NULL);
        scope(|scope| {
            let other = world.process_at_rank(1 - world.rank());
            let send = other.immediate_send(scope, &5);
            let receive = other.immediate_receive_into(scope, &mut room);
            assert_eq!(receive.wait().source_rank(), 1 - world.rank());
            let sent = send.wait();
            assert_eq!((sent.source_rank(), sent.tag()), (ANY_SOURCE, ANY_TAG));
        });
        let mut idle = world.this_process().send_init(&0u8, 0);
        let inactive = idle.wait_active();
        assert_eq!((inactive.source_rank(), inactive.bytes()), (ANY_SOURCE, 0));
        idle.free();
    });
}

#[test]
fn communicators_know_their_topology_and_duplicates_keep_it() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        assert_eq!(world.topology(), Topology::Undefined);
        let grid = world.create_cartesian_communicator(&[2], &[true], false).expect("all fit");
        let twin = grid.duplicate_with_topology().expect("no error");
        assert_eq!((twin.topology(), twin.get_layout()), (Topology::Cartesian, grid.get_layout()));
        assert_eq!(grid.duplicate().topology(), Topology::Cartesian);
        let graph = world.create_graph_communicator(&[1, 2], &[1, 0], false).expect("all fit");
        let twin = graph.duplicate_with_topology().expect("no error");
        assert_eq!((twin.topology(), twin.neighbors(0)), (Topology::Graph, &[1][..]));
        let other = vec![1 - world.rank()];
        let adjacency =
            Adjacency { sources: other.clone(), destinations: other, ..Default::default() };
        let ring = world.create_adjacent_graph_communicator(adjacency.clone(), true);
        let twin = ring.expect("no error").duplicate_with_topology().expect("no error");
        assert_eq!((twin.topology(), twin.neighbors()), (Topology::DistributedGraph, &adjacency));
        let mut got = [0];
        twin.neighbor_all_gather_into(&world.rank(), &mut got[..]);
        assert_eq!(got, [1 - world.rank()], "neighbours exchange on a duplicate");
    });
}

#[test]
fn the_environment_answers_with_what_holds() {
    holds(2, || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let tag = environment::tag_upper_bound();
        assert!(tag >= 32767);
        world
            .this_process()
            .immediate_send_with_tag(mpi_api::api::request::StaticScope, &1, tag)
            .free();
        assert_eq!(world.this_process().receive_with_tag::<i32>(tag).1.tag(), tag);
        assert!(environment::time_is_global());
        assert_eq!((environment::io_rank(), environment::host_rank()), (ANY_SOURCE, PROC_NULL));
        assert_eq!(environment::version(), (5, 0));
    });
}
