/* Requests and objects over their lives: misused, lost, and as they should be. */
#include "faults.h"

CASE(synchronous_send_not_awaited, 3, request-lifecycle) {
    MPI_Issend(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(collective_not_awaited, 3, request-lifecycle) {
    MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &request);
}

CASE(handles_overwritten, 3, request-lifecycle) {
    for (int i = 0; i < 4; i++)
        MPI_Isend(a+i, 1, MPI_INT, next, i, WORLD, &request);
    for (int i = 0; i < 4; i++)
        MPI_Recv(b, 1, MPI_INT, prev, i, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(one_of_two_awaited, 3, request-lifecycle) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &requests[1]);
    MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
}

CASE(receive_tested_once, 3, request-lifecycle) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

CASE(send_tested_once, 3, request-lifecycle) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

CASE(tested_until_done, 3, ok) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    flag = 0;
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

CASE(tested_then_awaited, 3, ok) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &second);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (!flag)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
}

CASE(never_started, 3, request-lifecycle) {
    MPI_Recv_init(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send_init(a, 1, MPI_INT, next, 0, WORLD, &second);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Request_free(&second);
}

CASE(collective_started_twice, 3, request-lifecycle) {
    MPI_Bcast_init(a, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(plain_request_started, 3, request-lifecycle) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Start(&request);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(freed_while_active, 3, request-lifecycle) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &second);
    MPI_Send_init(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Start(&request);
    MPI_Request_free(&request);
    MPI_Wait(&second, MPI_STATUS_IGNORE);
}

CASE(freed_and_never_heard_of, 3, request-lifecycle) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(freed_and_heard_of, 2, ok) {
    if (rank == 0) {
        MPI_Isend(a, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(b, 1, MPI_INT, 1, 1, WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Send(a, 1, MPI_INT, 0, 1, WORLD);
    }
}

CASE(cancelled_and_left, 3, request-lifecycle) {
    MPI_Irecv(b, 1, MPI_INT, prev, 9, WORLD, &request);
    MPI_Cancel(&request);
}

CASE(cancelled_and_awaited, 3, ok) {
    MPI_Irecv(b, 1, MPI_INT, prev, 9, WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    if (!flag)
        abort();
}

CASE(partition_never_ready, 2, deadlock) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 2, request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(partition_ready_twice, 2, request-lifecycle) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
        MPI_Pready(0, request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(ready_before_the_start, 2, request-lifecycle) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Pready_range(0, 3, request);
        MPI_Start(&request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(partitions_round_after_round, 2, ok) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
    } else
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
    for (int k = 0; k < 3; k++) {
        MPI_Start(&request);
        if (rank == 0)
            for (int i = 0; i < 4; i++) {
            a[i] = k+i;
            MPI_Pready(i, request);
        } else for (int i = 0; i < 4; i++) {
            flag = 0;
            while (!flag)
                MPI_Parrived(request, i, &flag);
            if (b[i] != k+i)
                abort();
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

CASE(ready_send_too_early, 2, request-lifecycle) {
    if (rank == 0)
        MPI_Rsend(a, 1, MPI_INT, 1, 0, WORLD);
    if (rank == 1)
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(ready_send_after_a_barrier, 2, ok) {
    if (rank == 1)
        MPI_Irecv(b, 1, MPI_INT, 0, 0, WORLD, &request);
    MPI_Barrier(WORLD);
    if (rank == 0)
        MPI_Rsend(a, 1, MPI_INT, 1, 0, WORLD);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(grid_kept, 3, resource-leak) {
    int dims = size, per = 1;
    MPI_Cart_create(WORLD, 1, &dims, &per, 0, &comm);
}

CASE(operation_kept, 3, resource-leak) {
    MPI_Op op;
    MPI_Op_create(combine, 1, &op);
}

CASE(handler_kept, 3, resource-leak) {
    MPI_Errhandler eh;
    MPI_Comm_create_errhandler(hear, &eh);
}

CASE(info_kept, 3, resource-leak) {
    MPI_Info i;
    MPI_Info_create(&i);
}

CASE(attached_buffer_kept, 3, resource-leak) {
    static char bf[2000];
    MPI_Buffer_attach(bf, 2000);
}

CASE(type_overwritten, 3, resource-leak) {
    for (int i = 0; i < 3; i++) {
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
    }
    MPI_Type_free(&type);
}

CASE(persistent_collective_kept, 3, resource-leak) {
    MPI_Bcast_init(a, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(all_given_back, 3, ok) {
    int dims = size, per = 1;
    MPI_Cart_create(WORLD, 1, &dims, &per, 0, &comm);
    MPI_Comm_free(&comm);
    MPI_Comm_group(WORLD, &g);
    MPI_Group_free(&g);
    MPI_Info i;
    MPI_Info_create(&i);
    MPI_Info_free(&i);
    int kv;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &kv, 0);
    MPI_Comm_free_keyval(&kv);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_free(&type);
}

CASE(handler_in_use, 3, ok) {
    MPI_Errhandler eh;
    MPI_Comm_create_errhandler(hear, &eh);
    MPI_Comm_set_errhandler(WORLD, eh);
    MPI_Errhandler_free(&eh);
}
