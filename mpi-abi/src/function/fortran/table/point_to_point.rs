//! Sends, receives, probes and packing (MPI chapters 3 and 5).

use std::ffi::c_int;

use super::{
    super::{
        super::{buffer, external, pack, partitioned, point_to_point, probe},
        Row, adapt,
        argument::{
            FlagOut, Give, Input, Int, Long, Object, Output, StatusOut, Take, Text, Variable,
        },
        entry::Wrap,
    },
    rows, sends,
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
        MPI_Send MPI_Isend MPI_Send_init(buf: Input, count: Int, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: send isend send_init;
        MPI_Bsend MPI_Ibsend MPI_Bsend_init(buf: Input, count: Int, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: bsend ibsend bsend_init;
        MPI_Ssend MPI_Issend MPI_Ssend_init(buf: Input, count: Int, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: ssend issend ssend_init;
        MPI_Rsend MPI_Irsend MPI_Rsend_init(buf: Input, count: Int, datatype: Object, dest: Int,
            tag: Int, comm: Object) = point_to_point: rsend irsend rsend_init;
    }
}

fn receives(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Recv(buf: Output, count: Int, datatype: Object, source: Int, tag: Int, comm: Object,
            status: StatusOut) = point_to_point::recv::<i32>;
        MPI_Irecv(buf: Output, count: Int, datatype: Object, source: Int, tag: Int,
            comm: Object, request: Variable) = point_to_point::irecv::<i32>;
        MPI_Recv_init(buf: Output, count: Int, datatype: Object, source: Int, tag: Int,
            comm: Object, request: Variable) = point_to_point::recv_init::<i32>;
        MPI_Sendrecv(sendbuf: Input, sendcount: Int, sendtype: Object, dest: Int, sendtag: Int,
            recvbuf: Output, recvcount: Int, recvtype: Object, source: Int, recvtag: Int,
            comm: Object, status: StatusOut) = point_to_point::sendrecv::<i32>;
        MPI_Sendrecv_replace(buf: Output, count: Int, datatype: Object, dest: Int, sendtag: Int,
            source: Int, recvtag: Int, comm: Object, status: StatusOut) =
            point_to_point::sendrecv_replace::<i32>;
        MPI_Isendrecv(sendbuf: Input, sendcount: Int, sendtype: Object, dest: Int, sendtag: Int,
            recvbuf: Output, recvcount: Int, recvtype: Object, source: Int, recvtag: Int,
            comm: Object, request: Variable) = point_to_point::isendrecv::<i32>;
        MPI_Isendrecv_replace(buf: Output, count: Int, datatype: Object, dest: Int,
            sendtag: Int, source: Int, recvtag: Int, comm: Object, request: Variable) =
            point_to_point::isendrecv_replace::<i32>;
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
        MPI_Mrecv(buf: Output, count: Int, datatype: Object, message: Variable,
            status: StatusOut) = probe::mrecv::<i32>;
        MPI_Imrecv(buf: Output, count: Int, datatype: Object, message: Variable,
            request: Variable) = probe::imrecv::<i32>;
    }
}

fn partitions(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Psend_init(buf: Input, partitions: Int, count: Long, datatype: Object, dest: Int,
            tag: Int, comm: Object, info: Object, request: Variable) = partitioned::psend_init;
        MPI_Precv_init(buf: Output, partitions: Int, count: Long, datatype: Object, source: Int,
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
        MPI_Buffer_attach(buffer: Output, size: Int) = buffer::buffer_attach::<i32>;
        MPI_Buffer_detach(buffer_addr: Output, size: Give<c_int>) = adapt::buffer_detach;
        MPI_Buffer_flush() = buffer::buffer_flush;
        MPI_Buffer_iflush(request: Variable) = buffer::buffer_iflush;
        MPI_Comm_attach_buffer(comm: Object, buffer: Output, size: Int) =
            buffer::comm_attach::<i32>;
        MPI_Comm_detach_buffer(comm: Object, buffer_addr: Output, size: Give<c_int>) =
            adapt::comm_detach_buffer;
        MPI_Comm_flush_buffer(comm: Object) = buffer::comm_flush;
        MPI_Comm_iflush_buffer(comm: Object, request: Variable) = buffer::comm_iflush;
        MPI_Session_attach_buffer(session: Object, buffer: Output, size: Int) =
            buffer::session_attach::<i32>;
        MPI_Session_detach_buffer(session: Object, buffer_addr: Output, size: Give<c_int>) =
            adapt::session_detach_buffer;
        MPI_Session_flush_buffer(session: Object) = buffer::session_flush;
        MPI_Session_iflush_buffer(session: Object, request: Variable) = buffer::session_iflush;
    }
}

fn packing(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Pack(inbuf: Input, incount: Int, datatype: Object, outbuf: Output, outsize: Int,
            position: Give<c_int>, comm: Object) = pack::pack::<i32>;
        MPI_Unpack(inbuf: Input, insize: Int, position: Give<c_int>, outbuf: Output,
            outcount: Int, datatype: Object, comm: Object) = pack::unpack::<i32>;
        MPI_Pack_size(incount: Int, datatype: Object, comm: Object, size: Give<c_int>) =
            pack::pack_size::<i32>;
        MPI_Pack_external(datarep: Text, inbuf: Input, incount: Int, datatype: Object,
            outbuf: Output, outsize: Long, position: Give<i64>) = external::pack_external::<i32>;
        MPI_Unpack_external(datarep: Text, inbuf: Input, insize: Long, position: Give<i64>,
            outbuf: Output, outcount: Int, datatype: Object) = external::unpack_external::<i32>;
        MPI_Pack_external_size(datarep: Text, incount: Int, datatype: Object, size: Give<i64>) =
            external::pack_external_size::<i32>;
    }
}
