/* Deadlocks, dependence on buffering, and outcomes that time decides. */
#include "faults.h"

#include <unistd.h>

CASE(all_send_synchronously, 3, deadlock) {
    MPI_Ssend(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(message_to_oneself, 3, buffering) {
    MPI_Send(a, 1, MPI_INT, rank, 0, WORLD);
    MPI_Recv(b, 1, MPI_INT, rank, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(wait_before_the_receive, 3, buffering) {
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(wait_before_the_send, 3, deadlock) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
}

CASE(even_and_odd, 3, ok) {
    if (rank%2 == 0) {
        MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
        MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    }
}

CASE(one_message_too_few, 3, deadlock) {
    if (rank == 0)
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    if (rank == 1) {
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    }
}

CASE(another_source, 3, deadlock) {
    if (rank == 0)
        MPI_Send(a, 1, MPI_INT, 1, 1, WORLD);
    if (rank == 1)
        MPI_Recv(b, 1, MPI_INT, 2, 1, WORLD, MPI_STATUS_IGNORE);
}

CASE(all_receive_from_anyone, 3, deadlock) {
    MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, MPI_STATUS_IGNORE);
}

CASE(barrier_before_the_send, 3, deadlock) {
    if (rank == 0) {
        MPI_Barrier(WORLD);
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    } else if (rank == 1) {
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(WORLD);
    } else
        MPI_Barrier(WORLD);
}

CASE(barrier_before_the_receive, 3, buffering) {
    if (rank == 0) {
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
        MPI_Barrier(WORLD);
    } else if (rank == 1) {
        MPI_Barrier(WORLD);
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Barrier(WORLD);
}

CASE(probe_for_nothing, 3, deadlock) {
    if (rank == 1)
        MPI_Probe(0, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(polls_for_nothing, 2, deadlock) {
    flag = 0;
    if (rank == 1)
        while (!flag)
            MPI_Iprobe(0, 0, WORLD, &flag, MPI_STATUS_IGNORE);
}

CASE(tags_in_another_order, 2, buffering) {
    if (rank == 0) {
        MPI_Send(a, 1, MPI_INT, 1, 1, WORLD);
        MPI_Send(a, 1, MPI_INT, 1, 2, WORLD);
    } else {
        MPI_Recv(b, 1, MPI_INT, 0, 2, WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 1, MPI_INT, 0, 1, WORLD, MPI_STATUS_IGNORE);
    }
}

CASE(waits_for_all_too_early, 3, deadlock) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Irecv(b+1, 1, MPI_INT, prev, 1, WORLD, &requests[1]);
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Send(a, 1, MPI_INT, next, 1, WORLD);
}

CASE(barrier_entered_too_late, 2, deadlock) {
    if (rank == 0) {
        MPI_Ibarrier(WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    } else {
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Ibarrier(WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

CASE(halo_exchange, 3, ok) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Irecv(b+1, 1, MPI_INT, next, 1, WORLD, &requests[1]);
    MPI_Isend(a, 1, MPI_INT, next, 0, WORLD, &requests[2]);
    MPI_Isend(a, 1, MPI_INT, prev, 1, WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

CASE(receives_between_groups, 4, deadlock) {
    MPI_Comm_split(WORLD, rank < 2, rank, &comm);
    MPI_Intercomm_create(comm, 0, WORLD, rank < 2 ? 2 : 0, 7, &inter);
    MPI_Recv(b, 1, MPI_INT, rank%2, 0, inter, MPI_STATUS_IGNORE);
    MPI_Send(a, 1, MPI_INT, rank%2, 0, inter);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&inter);
}

CASE(deadlock_before_a_leak, 3, deadlock) {
    MPI_Comm_dup(WORLD, &comm);
    MPI_Recv(b, 1, MPI_INT, prev, 0, WORLD, MPI_STATUS_IGNORE);
}

CASE(assertion_on_the_order, 3, message-race) {
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
            assert(b[0] == i);
        }
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
}

CASE(types_from_anyone, 3, message-race) {
    if (rank == 0) {
        MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(d, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1)
        MPI_Send(a, 1, MPI_INT, 0, 0, WORLD);
    else
        MPI_Send(d, 1, MPI_DOUBLE, 0, 0, WORLD);
}

CASE(any_order_will_do, 3, ok) {
    int s = 0;
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
            s += b[0];
        }
        if (s != size*(size-1)/2)
            abort();
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
}

CASE(probed_and_another_taken, 3, message-race) {
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            flag = 0;
            while (!flag)
                MPI_Iprobe(MPI_ANY_SOURCE, 0, WORLD, &flag, &status);
            int n;
            MPI_Get_count(&status, MPI_INT, &n);
            MPI_Recv(b, n, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
        }
    } else
        MPI_Send(a, rank*2, MPI_INT, 0, 0, WORLD);
}

CASE(probed_and_taken, 3, ok) {
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status);
            int n;
            MPI_Get_count(&status, MPI_INT, &n);
            MPI_Recv(b, n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, WORLD, MPI_STATUS_IGNORE);
        }
    } else
        MPI_Send(a, rank*2, MPI_INT, 0, 0, WORLD);
}

CASE(first_to_complete, 3, message-race) {
    if (rank == 0) {
        MPI_Irecv(b, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
        MPI_Irecv(b+1, 1, MPI_INT, 2, 0, WORLD, &requests[1]);
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
        if (which != 0)
            abort();
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
    } else
        MPI_Send(a, 1, MPI_INT, 0, 0, WORLD);
}

CASE(test_trusted_to_fail, 2, message-race) {
    MPI_Irecv(b, 1, MPI_INT, prev, 0, WORLD, &request);
    MPI_Send(a, 1, MPI_INT, next, 0, WORLD);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (flag)
        abort();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

CASE(probe_trusted_to_find, 2, message-race) {
    if (rank == 0) {
        MPI_Isend(a, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Barrier(WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Iprobe(0, 0, WORLD, &flag, MPI_STATUS_IGNORE);
        if (!flag)
            abort();
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    }
}

CASE(received_if_probed, 2, call-ordering) {
    if (rank == 0) {
        MPI_Isend(a, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Barrier(WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(WORLD);
        MPI_Iprobe(0, 0, WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag)
            MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    }
}

CASE(probed_until_there, 2, ok) {
    if (rank == 0)
        MPI_Send(a, 1, MPI_INT, 1, 0, WORLD);
    else {
        flag = 0;
        while (!flag)
            MPI_Iprobe(0, 0, WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(b, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    }
}

CASE(message_stolen, 3, message-race) {
    if (rank == 0) {
        MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 1, MPI_INT, 1, 0, WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Send(a, 1, MPI_INT, 0, 0, WORLD);
}

CASE(named_source_first, 3, ok) {
    if (rank == 0) {
        MPI_Recv(b, 1, MPI_INT, 1, 0, WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
    } else
        MPI_Send(a, 1, MPI_INT, 0, 0, WORLD);
}

CASE(master_and_workers, 3, ok) {
    int left = 6, done = 0;
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Send(&left, 1, MPI_INT, i, 1, WORLD);
            left--;
        }
        while (done < 6) {
            MPI_Recv(b, 1, MPI_INT, MPI_ANY_SOURCE, 2, WORLD, &status);
            done++;
            if (left > 0) {
                MPI_Send(&left, 1, MPI_INT, status.MPI_SOURCE, 1, WORLD);
                left--;
            }
        }
        for (int i = 1; i < size; i++)
            MPI_Send(&left, 1, MPI_INT, i, 0, WORLD);
    } else for (; ; ) {
        MPI_Recv(b, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &status);
        if (status.MPI_TAG == 0)
            break;
        MPI_Send(b, 1, MPI_INT, 0, 2, WORLD);
    }
}

/* Rank 0 accepts both other ranks one after the other, and gets their ranks in that order. */
static void serve(int ranks[2]) {
    char port[MPI_MAX_PORT_NAME];
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, WORLD);
    for (int i = 0; i < (rank ? 1 : 2); i++) {
        if (rank) {
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
            MPI_Send(&rank, 1, MPI_INT, 0, 0, inter);
        } else {
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter);
            MPI_Recv(&ranks[i], 1, MPI_INT, 0, 0, inter, MPI_STATUS_IGNORE);
        }
        MPI_Comm_disconnect(&inter);
    }
    if (rank == 0)
        MPI_Close_port(port);
}

CASE(first_to_connect_is_relied_on, 3, message-race) {
    int ranks[2];
    serve(ranks);
    if (rank == 0 && ranks[0] != 1)
        exit(5);
}

CASE(second_to_connect_is_relied_on, 3, message-race) {
    int ranks[2];
    serve(ranks);
    if (rank == 0 && ranks[0] != 2)
        exit(5);
}

CASE(any_order_of_connecting, 3, ok) {
    int ranks[2];
    serve(ranks);
    if (rank == 0 && ranks[0] + ranks[1] != 3)
        exit(5);
}

/* Two ranks that sleep between their polls, each while the other one polls. */
CASE(polls_with_naps, 3, deadlock) {
    int found = 0;
    if (rank == 0)
        MPI_Probe(MPI_ANY_SOURCE, 7, WORLD, MPI_STATUS_IGNORE);
    while (rank > 0 && !found) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &found, MPI_STATUS_IGNORE);
        usleep(20000 + rank);
    }
}

CASE(polls_with_naps_until_the_answer, 3, ok) {
    int found = 0;
    if (rank == 0) {
        for (int step = 0; step < 3000; step++)
            usleep(1000);
        for (int other = 1; other < size; other++)
            MPI_Send(a, 1, MPI_INT, other, 0, WORLD);
    }
    while (rank > 0 && !found) {
        MPI_Iprobe(0, 0, WORLD, &found, MPI_STATUS_IGNORE);
        usleep(20 + rank);
    }
    if (rank > 0)
        MPI_Recv(a, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
}
