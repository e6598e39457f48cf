//! Collective operations (MPI chapter 6).

use std::ffi::c_int;

use super::{
    super::{
        super::{collective, operation},
        Row,
        argument::{
            Flag, FlagOut, Input, Int, Object, Output, Procedure, Take, TypesOf, Value, Variable,
        },
        callback,
        entry::Wrap,
    },
    counted, forms, row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Op_create(user_fn: Procedure, commute: Flag, op: Variable) =
            callback::op_create::<c_int>;
        MPI_Op_create_c(user_fn: Procedure, commute: Flag, op: Variable) =
            callback::op_create::<i64>;
        MPI_Op_free(op: Variable) = operation::op_free;
        MPI_Op_commutative(op: Object, commute: FlagOut) = operation::op_commutative;
        MPI_Barrier(comm: Object) = collective::barrier::<c_int>;
        MPI_Ibarrier(comm: Object, request: Variable) = collective::ibarrier::<c_int>;
        MPI_Barrier_init(comm: Object, info: Object, request: Variable) =
            collective::barrier_init::<c_int>;
    }
    counted! { list:
        MPI_Reduce_local(inbuf: Input, inoutbuf: Output, count: Value<N>, datatype: Object,
            op: Object) = operation::reduce_local;
    }
    forms! { list:
        MPI_Bcast MPI_Ibcast MPI_Bcast_init(buffer: Output, count: Value<N>, datatype: Object,
            root: Int, comm: Object) = collective: bcast ibcast bcast_init;
        MPI_Gather MPI_Igather MPI_Gather_init(sendbuf: Input, sendcount: Value<N>, sendtype: Object,
            recvbuf: Output, recvcount: Value<N>, recvtype: Object, root: Int, comm: Object) =
            collective: gather igather gather_init;
        MPI_Gatherv MPI_Igatherv MPI_Gatherv_init(sendbuf: Input, sendcount: Value<N>,
            sendtype: Object, recvbuf: Output, recvcounts: Take<N>, displs: Take<N>,
            recvtype: Object, root: Int, comm: Object) = collective: gatherv igatherv
            gatherv_init;
        MPI_Scatter MPI_Iscatter MPI_Scatter_init(sendbuf: Input, sendcount: Value<N>,
            sendtype: Object, recvbuf: Output, recvcount: Value<N>, recvtype: Object, root: Int,
            comm: Object) = collective: scatter iscatter scatter_init;
        MPI_Scatterv MPI_Iscatterv MPI_Scatterv_init(sendbuf: Input, sendcounts: Take<N>,
            displs: Take<N>, sendtype: Object, recvbuf: Output, recvcount: Value<N>,
            recvtype: Object, root: Int, comm: Object) = collective: scatterv iscatterv
            scatterv_init;
        MPI_Allgather MPI_Iallgather MPI_Allgather_init(sendbuf: Input, sendcount: Value<N>,
            sendtype: Object, recvbuf: Output, recvcount: Value<N>, recvtype: Object, comm: Object) =
            collective: allgather iallgather allgather_init;
        MPI_Allgatherv MPI_Iallgatherv MPI_Allgatherv_init(sendbuf: Input, sendcount: Value<N>,
            sendtype: Object, recvbuf: Output, recvcounts: Take<N>, displs: Take<N>,
            recvtype: Object, comm: Object) = collective: allgatherv iallgatherv
            allgatherv_init;
        MPI_Alltoall MPI_Ialltoall MPI_Alltoall_init(sendbuf: Input, sendcount: Value<N>,
            sendtype: Object, recvbuf: Output, recvcount: Value<N>, recvtype: Object, comm: Object) =
            collective: alltoall ialltoall alltoall_init;
        MPI_Alltoallv MPI_Ialltoallv MPI_Alltoallv_init(sendbuf: Input, sendcounts: Take<N>,
            sdispls: Take<N>, sendtype: Object, recvbuf: Output, recvcounts: Take<N>,
            rdispls: Take<N>, recvtype: Object, comm: Object) = collective: alltoallv
            ialltoallv alltoallv_init;
        MPI_Alltoallw MPI_Ialltoallw MPI_Alltoallw_init(sendbuf: Input, sendcounts: Take<N>,
            sdispls: Take<N>, sendtypes: TypesOf<8, 0>, recvbuf: Output,
            recvcounts: Take<N>, rdispls: Take<N>, recvtypes: TypesOf<8, 4>,
            comm: Object) = collective: alltoallw ialltoallw alltoallw_init;
        MPI_Reduce MPI_Ireduce MPI_Reduce_init(sendbuf: Input, recvbuf: Output, count: Value<N>,
            datatype: Object, op: Object, root: Int, comm: Object) = collective: reduce ireduce
            reduce_init;
        MPI_Allreduce MPI_Iallreduce MPI_Allreduce_init(sendbuf: Input, recvbuf: Output,
            count: Value<N>, datatype: Object, op: Object, comm: Object) = collective: allreduce
            iallreduce allreduce_init;
        MPI_Scan MPI_Iscan MPI_Scan_init(sendbuf: Input, recvbuf: Output, count: Value<N>,
            datatype: Object, op: Object, comm: Object) = collective: scan iscan scan_init;
        MPI_Exscan MPI_Iexscan MPI_Exscan_init(sendbuf: Input, recvbuf: Output, count: Value<N>,
            datatype: Object, op: Object, comm: Object) = collective: exscan iexscan
            exscan_init;
        MPI_Reduce_scatter MPI_Ireduce_scatter MPI_Reduce_scatter_init(sendbuf: Input,
            recvbuf: Output, recvcounts: Take<N>, datatype: Object, op: Object,
            comm: Object) = collective: reduce_scatter ireduce_scatter reduce_scatter_init;
        MPI_Reduce_scatter_block MPI_Ireduce_scatter_block
            MPI_Reduce_scatter_block_init(sendbuf: Input, recvbuf: Output, recvcount: Value<N>,
            datatype: Object, op: Object, comm: Object) = collective: reduce_scatter_block
            ireduce_scatter_block reduce_scatter_block_init;
    }
}
