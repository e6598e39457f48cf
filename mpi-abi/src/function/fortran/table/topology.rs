//! Topologies and neighbourhood collectives (MPI chapter 8).

use std::ffi::c_int;

use super::{
    super::{
        super::{graph, neighborhood, topology},
        Row,
        argument::{
            Flag, FlagOut, Flags, FlagsOut, Give, GiveMany, Input, Int, Object, Output, Take,
            TypesNear, Value, Variable, Weights, WeightsOut,
        },
        entry::Wrap,
    },
    counted, forms, row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Dims_create(nnodes: Int, ndims: Int, dims: GiveMany<c_int>) = topology::dims_create;
        MPI_Cart_create(comm_old: Object, ndims: Int, dims: Take<c_int>, periods: Flags,
            reorder: Flag, comm_cart: Variable) = topology::cart_create;
        MPI_Cart_coords(comm: Object, rank: Int, maxdims: Int, coords: GiveMany<c_int>) =
            topology::cart_coords;
        MPI_Cart_rank(comm: Object, coords: Take<c_int>, rank: Give<c_int>) =
            topology::cart_rank;
        MPI_Cart_shift(comm: Object, direction: Int, disp: Int, rank_source: Give<c_int>,
            rank_dest: Give<c_int>) = topology::cart_shift;
        MPI_Cart_get(comm: Object, maxdims: Int, dims: GiveMany<c_int>, periods: FlagsOut,
            coords: GiveMany<c_int>) = topology::cart_get;
        MPI_Cartdim_get(comm: Object, ndims: Give<c_int>) = topology::cartdim_get;
        MPI_Cart_sub(comm: Object, remain_dims: Flags, newcomm: Variable) = topology::cart_sub;
        MPI_Cart_map(comm: Object, ndims: Int, dims: Take<c_int>, periods: Flags,
            newrank: Give<c_int>) = topology::cart_map;
        MPI_Topo_test(comm: Object, status: Give<c_int>) = topology::topo_test;
        MPI_Graph_create(comm_old: Object, nnodes: Int, index: Take<c_int>, edges: Take<c_int>,
            reorder: Flag, comm_graph: Variable) = graph::graph_create;
        MPI_Graphdims_get(comm: Object, nnodes: Give<c_int>, nedges: Give<c_int>) =
            graph::graphdims_get;
        MPI_Graph_get(comm: Object, maxindex: Int, maxedges: Int, index: GiveMany<c_int>,
            edges: GiveMany<c_int>) = graph::graph_get;
        MPI_Graph_neighbors_count(comm: Object, rank: Int, nneighbors: Give<c_int>) =
            graph::graph_neighbors_count;
        MPI_Graph_neighbors(comm: Object, rank: Int, maxneighbors: Int,
            neighbors: GiveMany<c_int>) = graph::graph_neighbors;
        MPI_Graph_map(comm: Object, nnodes: Int, index: Take<c_int>, edges: Take<c_int>,
            newrank: Give<c_int>) = graph::graph_map;
        MPI_Dist_graph_create(comm_old: Object, n: Int, sources: Take<c_int>,
            degrees: Take<c_int>, destinations: Take<c_int>, weights: Weights, info: Object,
            reorder: Flag, comm_dist_graph: Variable) = graph::dist_graph_create;
        MPI_Dist_graph_create_adjacent(comm_old: Object, indegree: Int, sources: Take<c_int>,
            sourceweights: Weights, outdegree: Int, destinations: Take<c_int>,
            destweights: Weights, info: Object, reorder: Flag, comm_dist_graph: Variable) =
            graph::dist_graph_create_adjacent;
        MPI_Dist_graph_neighbors_count(comm: Object, indegree: Give<c_int>,
            outdegree: Give<c_int>, weighted: FlagOut) = graph::dist_graph_neighbors_count;
        MPI_Dist_graph_neighbors(comm: Object, maxindegree: Int, sources: GiveMany<c_int>,
            sourceweights: WeightsOut, maxoutdegree: Int, destinations: GiveMany<c_int>,
            destweights: WeightsOut) = graph::dist_graph_neighbors;
    }
    forms! { list:
        MPI_Neighbor_allgather MPI_Ineighbor_allgather
            MPI_Neighbor_allgather_init(sendbuf: Input, sendcount: Value<N>, sendtype: Object,
            recvbuf: Output, recvcount: Value<N>, recvtype: Object, comm: Object) = neighborhood:
            neighbor_allgather ineighbor_allgather neighbor_allgather_init;
        MPI_Neighbor_allgatherv MPI_Ineighbor_allgatherv
            MPI_Neighbor_allgatherv_init(sendbuf: Input, sendcount: Value<N>, sendtype: Object,
            recvbuf: Output, recvcounts: Take<N>, displs: Take<N>, recvtype: Object,
            comm: Object) = neighborhood: neighbor_allgatherv ineighbor_allgatherv
            neighbor_allgatherv_init;
        MPI_Neighbor_alltoall MPI_Ineighbor_alltoall MPI_Neighbor_alltoall_init(sendbuf: Input,
            sendcount: Value<N>, sendtype: Object, recvbuf: Output, recvcount: Value<N>, recvtype: Object,
            comm: Object) = neighborhood: neighbor_alltoall ineighbor_alltoall
            neighbor_alltoall_init;
        MPI_Neighbor_alltoallv MPI_Ineighbor_alltoallv
            MPI_Neighbor_alltoallv_init(sendbuf: Input, sendcounts: Take<N>,
            sdispls: Take<N>, sendtype: Object, recvbuf: Output, recvcounts: Take<N>,
            rdispls: Take<N>, recvtype: Object, comm: Object) = neighborhood:
            neighbor_alltoallv ineighbor_alltoallv neighbor_alltoallv_init;
        MPI_Neighbor_alltoallw MPI_Ineighbor_alltoallw
            MPI_Neighbor_alltoallw_init(sendbuf: Input, sendcounts: Take<N>,
            sdispls: Take<i64>, sendtypes: TypesNear<8, true>, recvbuf: Output,
            recvcounts: Take<N>, rdispls: Take<i64>, recvtypes: TypesNear<8, false>,
            comm: Object) = neighborhood: neighbor_alltoallw ineighbor_alltoallw
            neighbor_alltoallw_init;
    }
}
