//! Sends, receives, probes and packing (MPI chapters 3 and 5).

use std::ffi::c_int;

use super::{
    super::{
        super::{buffer, external, pack, partitioned, point_to_point, probe},
        Row, adapt,
        argument::{
            FlagOut, Give, Input, Int, Long, Object, Output, StatusOut, Take, Text, Value, Variable,
        },
        entry::Wrap,
    },
    counted, row, rows, sends,
};

pub(super) fn add(list: &mut Vec<Row>) {
    sends(list);
    receives(list);
    probes(list);
    partitions(list);
    buffers(list);
    packing(list);
}

fn sends(list: &mut Vec<Row>) {
    sends! { list:
        MPI_Send MPI_Isend MPI_Send_init(buf: Input, count: Value<N>, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: send isend send_init;
        MPI_Bsend MPI_Ibsend MPI_Bsend_init(buf: Input, count: Value<N>, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: bsend ibsend bsend_init;
        MPI_Ssend MPI_Issend MPI_Ssend_init(buf: Input, count: Value<N>, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: ssend issend ssend_init;
        MPI_Rsend MPI_Irsend MPI_Rsend_init(buf: Input, count: Value<N>, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: rsend irsend rsend_init;
    }
}

fn receives(list: &mut Vec<Row>) {
    counted! { list:
        MPI_Recv(buf: Output, count: Value<N>, datatype: Object, source: Int, tag: Int, comm: Object,
            status: StatusOut) = point_to_point::recv;
        MPI_Irecv(buf: Output, count: Value<N>, datatype: Object, source: Int, tag: Int,
            comm: Object, request: Variable) = point_to_point::irecv;
        MPI_Recv_init(buf: Output, count: Value<N>, datatype: Object, source: Int, tag: Int,
            comm: Object, request: Variable) = point_to_point::recv_init;
        MPI_Sendrecv(sendbuf: Input, sendcount: Value<N>, sendtype: Object, dest: Int, sendtag: Int,
            recvbuf: Output, recvcount: Value<N>, recvtype: Object, source: Int, recvtag: Int,
            comm: Object, status: StatusOut) = point_to_point::sendrecv;
        MPI_Sendrecv_replace(buf: Output, count: Value<N>, datatype: Object, dest: Int, sendtag: Int,
            source: Int, recvtag: Int, comm: Object, status: StatusOut) =
            point_to_point::sendrecv_replace;
        MPI_Isendrecv(sendbuf: Input, sendcount: Value<N>, sendtype: Object, dest: Int, sendtag: Int,
            recvbuf: Output, recvcount: Value<N>, recvtype: Object, source: Int, recvtag: Int,
            comm: Object, request: Variable) = point_to_point::isendrecv;
        MPI_Isendrecv_replace(buf: Output, count: Value<N>, datatype: Object, dest: Int,
            sendtag: Int, source: Int, recvtag: Int, comm: Object, request: Variable) =
            point_to_point::isendrecv_replace;
    }
}

fn probes(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Probe(source: Int, tag: Int, comm: Object, status: StatusOut) =
            probe::probe;
        MPI_Iprobe(source: Int, tag: Int, comm: Object, flag: FlagOut, status: StatusOut) =
            probe::iprobe;
        MPI_Mprobe(source: Int, tag: Int, comm: Object, message: Variable, status: StatusOut) =
            probe::mprobe;
        MPI_Improbe(source: Int, tag: Int, comm: Object, flag: FlagOut, message: Variable,
            status: StatusOut) = probe::improbe;
    }
    counted! { list:
        MPI_Mrecv(buf: Output, count: Value<N>, datatype: Object, message: Variable,
            status: StatusOut) = probe::mrecv;
        MPI_Imrecv(buf: Output, count: Value<N>, datatype: Object, message: Variable,
            request: Variable) = probe::imrecv;
    }
}

fn partitions(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Psend_init(buf: Input, partitions: Int, count: Long, datatype: Object, dest: Int,
            tag: Int, comm: Object, info: Object, request: Variable) = partitioned::psend_init;
        MPI_Psend_init_c(buf: Input, partitions: Int, count: Long, datatype: Object, dest: Int,
            tag: Int, comm: Object, info: Object, request: Variable) = partitioned::psend_init;
        MPI_Precv_init(buf: Output, partitions: Int, count: Long, datatype: Object, source: Int,
            tag: Int, comm: Object, info: Object, request: Variable) = partitioned::precv_init;
        MPI_Precv_init_c(buf: Output, partitions: Int, count: Long, datatype: Object, source: Int,
            tag: Int, comm: Object, info: Object, request: Variable) = partitioned::precv_init;
        MPI_Pready(partition: Int, request: Object) = partitioned::pready;
        MPI_Pready_range(partition_low: Int, partition_high: Int, request: Object) =
            partitioned::pready_range;
        MPI_Pready_list(length: Int, array_of_partitions: Take<c_int>, request: Object) =
            partitioned::pready_list;
        MPI_Parrived(request: Object, partition: Int, flag: FlagOut) = partitioned::parrived;
    }
}

fn buffers(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Buffer_flush() = buffer::buffer_flush;
        MPI_Buffer_iflush(request: Variable) = buffer::buffer_iflush;
        MPI_Comm_flush_buffer(comm: Object) = buffer::comm_flush;
        MPI_Comm_iflush_buffer(comm: Object, request: Variable) = buffer::comm_iflush;
        MPI_Session_flush_buffer(session: Object) = buffer::session_flush;
        MPI_Session_iflush_buffer(session: Object, request: Variable) = buffer::session_iflush;
    }
    counted! { list:
        MPI_Buffer_attach(buffer: Output, size: Value<N>) = buffer::buffer_attach;
        MPI_Buffer_detach(buffer_addr: Output, size: Give<N>) = adapt::buffer_detach;
        MPI_Comm_attach_buffer(comm: Object, buffer: Output, size: Value<N>) =
            buffer::comm_attach;
        MPI_Comm_detach_buffer(comm: Object, buffer_addr: Output, size: Give<N>) =
            adapt::comm_detach_buffer;
        MPI_Session_attach_buffer(session: Object, buffer: Output, size: Value<N>) =
            buffer::session_attach;
        MPI_Session_detach_buffer(session: Object, buffer_addr: Output, size: Give<N>) =
            adapt::session_detach_buffer;
    }
}

fn packing(list: &mut Vec<Row>) {
    counted! { list:
        MPI_Pack(inbuf: Input, incount: Value<N>, datatype: Object, outbuf: Output, outsize: Value<N>,
            position: Give<N>, comm: Object) = pack::pack;
        MPI_Unpack(inbuf: Input, insize: Value<N>, position: Give<N>, outbuf: Output,
            outcount: Value<N>, datatype: Object, comm: Object) = pack::unpack;
        MPI_Pack_size(incount: Value<N>, datatype: Object, comm: Object, size: Give<N>) =
            pack::pack_size;
        MPI_Pack_external(datarep: Text, inbuf: Input, incount: Value<N>, datatype: Object,
            outbuf: Output, outsize: Long, position: Give<i64>) = external::pack_external;
        MPI_Unpack_external(datarep: Text, inbuf: Input, insize: Long, position: Give<i64>,
            outbuf: Output, outcount: Value<N>, datatype: Object) = external::unpack_external;
        MPI_Pack_external_size(datarep: Text, incount: Value<N>, datatype: Object, size: Give<i64>) =
            external::pack_external_size;
    }
}
