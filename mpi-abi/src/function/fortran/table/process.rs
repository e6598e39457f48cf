//! Process creation and connection (MPI sections 11.8 to 11.10).

use std::ffi::c_int;

use super::{
    super::{
        super::{port, process},
        Row,
        argument::{
            CodesOut, CountedTexts, Int, Object, RootObjects, RowsOfTexts, Take, Text, TextOut,
            Texts, Variable,
        },
        entry::Wrap,
    },
    row, rows,
};

pub(super) fn add(list: &mut Vec<Row>) {
    rows! { list:
        MPI_Comm_spawn(command: Text, argv: Texts<4>, maxprocs: Int, info: Object, root: Int,
            comm: Object, intercomm: Variable, array_of_errcodes: CodesOut) =
            process::comm_spawn;
        MPI_Comm_spawn_multiple(count: Int, array_of_commands: CountedTexts<0, 5>,
            array_of_argv: RowsOfTexts<0, 5>,
            array_of_maxprocs: Take<c_int>, array_of_info: RootObjects<0, 5>, root: Int, comm: Object,
            intercomm: Variable, array_of_errcodes: CodesOut) =
            process::comm_spawn_multiple;
        MPI_Open_port(info: Object, port_name: TextOut<1024>) = port::open_port;
        MPI_Close_port(port_name: Text) = port::close_port;
        MPI_Comm_accept(port_name: Text, info: Object, root: Int, comm: Object,
            newcomm: Variable) = port::comm_accept;
        MPI_Comm_connect(port_name: Text, info: Object, root: Int, comm: Object,
            newcomm: Variable) = port::comm_connect;
        MPI_Comm_join(fd: Int, intercomm: Variable) = port::comm_join;
        MPI_Publish_name(service_name: Text, info: Object, port_name: Text) =
            port::publish_name;
        MPI_Unpublish_name(service_name: Text, info: Object, port_name: Text) =
            port::unpublish_name;
        MPI_Lookup_name(service_name: Text, info: Object, port_name: TextOut<1024>) =
            port::lookup_name;
    }
}
