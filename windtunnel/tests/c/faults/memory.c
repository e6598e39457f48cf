/* Memory that operations under way own: touched, shared, and left alone. */
#include "faults.h"

CASE(send_buffer_written, 3, local-concurrency) {
    MPI_Isend(a, 100, MPI_INT, next, 0, WORLD, &request);
    a[57] = 99;
    MPI_Recv(b, 100, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(written_and_written_back, 3, local-concurrency) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    a[0]++;
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    a[0]--;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(send_buffer_read, 3, ok) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    int x = a[0];
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    a[1] = x;
}

CASE(same_value_written, 3, local-concurrency) {
    b[0] = 0;
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    b[0] = 0;
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(receive_buffer_read, 3, local-concurrency) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    volatile int x = b[0];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(variable_read, 3, local-concurrency) {
    int x = 0, y = 1;
    MPI_Irecv(&x, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(&y, 1, MPI_INT, next, 0, WORLD);
    y = x;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(allocated_memory_read, 3, local-concurrency) {
    int*x = calloc(10, 4);
    MPI_Irecv(x, 10, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(a, 10, MPI_INT, next, 0, WORLD);
    a[0] = x[3];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(x);
}

CASE(neighbouring_memory_read, 3, ok) {
    int x[4] = {0};
    MPI_Irecv(x, 2, MPI_INT, prev, 0, WORLD, &request);
    x[2] = x[3]+1;
    MPI_Send(a, 2, MPI_INT, next, 0, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(receive_buffer_sent, 3, local-concurrency) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(b, 1, MPI_INT, next, 0, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(received_into_what_is_sent, 3, local-concurrency) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Recv(a, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(receive_buffer_reduced, 3, local-concurrency) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Allreduce(b, c, 1, MPI_INT, MPI_SUM, WORLD);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(two_receives_in_one_place, 3, local-concurrency) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Irecv(b, 1, MPI_INT, prev, 1, WORLD, &requests[1]);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Send(a, 1, MPI_INT, next, 1, WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

CASE(two_sends_of_one_place, 3, ok) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Irecv(b+1, 1, MPI_INT, prev, 0, WORLD, &requests[1]);
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &requests[2]);
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

CASE(root_changes_a_broadcast, 3, local-concurrency) {
    MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &request);
    if (rank == 0)
        a[0] = 55;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(broadcast_read_too_early, 3, local-concurrency) {
    MPI_Ibcast(a, 1, MPI_INT, 0, WORLD, &request);
    if (rank == 1)
        printf("%d", a[0]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(contribution_changed, 3, local-concurrency) {
    MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, WORLD, &request);
    a[0] = 55;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(result_read_too_early, 3, local-concurrency) {
    MPI_Iallreduce(a, b, 1, MPI_INT, MPI_SUM, WORLD, &request);
    printf("%d", b[0]);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(persistent_send_changed, 3, local-concurrency) {
    MPI_Send_init(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Start(&request);
    a[0] = 9;
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(changed_between_rounds, 3, ok) {
    MPI_Send_init(a, 1, MPI_INT, next, 0, WORLD, &request);
    for (int i = 0; i < 3; i++) {
        a[0] = i;
        MPI_Start(&request);
        MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

CASE(persistent_contribution_changed, 3, local-concurrency) {
    MPI_Allreduce_init(a, b, 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    a[0] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(ready_partition_written, 2, local-concurrency) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (int i = 0; i < 4; i++) {
            MPI_Pready(i, request);
            a[i] = 77;
        }
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(written_before_it_is_ready, 2, ok) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (int i = 0; i < 4; i++) {
            a[i] = 77;
            MPI_Pready(i, request);
        }
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(partition_read_too_early, 2, local-concurrency) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        printf("%d", b[2]);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(arrived_partition_used, 2, ok) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        flag = 0;
        while (!flag)
            MPI_Parrived(request, 1, &flag);
        b[1]++;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(another_partition_written, 2, local-concurrency) {
    if (rank == 0) {
        MPI_Psend_init(a, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
    } else {
        MPI_Precv_init(b, 4, 1, MPI_INT, 0, 0, WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        flag = 0;
        while (!flag)
            MPI_Parrived(request, 1, &flag);
        b[3] = 100;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

CASE(gap_written, 3, ok) {
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Isend(a, 1, type, next, 0, WORLD, &request);
    a[1] = 5;
    MPI_Recv(b, 4, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

CASE(strided_send_written, 3, local-concurrency) {
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Isend(a, 1, type, next, 0, WORLD, &request);
    a[2] = 5;
    MPI_Recv(b, 4, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

CASE(test_ignored, 3, local-concurrency) {
    b[0] = 0;
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    printf("%d", b[0]);
    if (!flag)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(test_heeded, 3, ok) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    flag = 0;
    while (!flag) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    a[0] = 2;
}

CASE(buffered_send_changed, 3, local-concurrency) {
    static char bf[2000];
    void*p;
    int s;
    MPI_Buffer_attach(bf, 2000);
    MPI_Ibsend(a, 1, MPI_INT, next, 0, WORLD, &request);
    a[0] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&p, &s);
}
