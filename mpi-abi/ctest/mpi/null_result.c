/* Results that are wanted nowhere: the call fails, and nothing has begun or is lost. */
#include "check.h"

#define W MPI_COMM_WORLD

int main(int argc, char **argv) {
    int value = 5, in = 0, flag;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    begin(&argc, &argv);
    return_errors();
    GIVES(MPI_ERR_ARG, MPI_Isend(&value, 1, MPI_INT, rank, 0, W, NULL));
    GIVES(MPI_ERR_ARG, MPI_Irecv(&value, 1, MPI_INT, rank, 0, W, NULL));
    GIVES(MPI_ERR_ARG, MPI_Send_init(&value, 1, MPI_INT, rank, 0, W, NULL));
    GIVES(MPI_ERR_ARG, MPI_Recv_init(&value, 1, MPI_INT, rank, 0, W, NULL));
    GIVES(MPI_ERR_ARG, MPI_Isendrecv_replace(&value, 1, MPI_INT, rank, 0, rank, 0, W, NULL));
    GIVES(MPI_ERR_ARG, MPI_Type_contiguous(2, MPI_INT, NULL));
    GIVES(MPI_ERR_ARG, MPI_Type_commit(NULL));
    GIVES(MPI_ERR_ARG, MPI_Wait(NULL, &status));
    GIVES(MPI_ERR_ARG, MPI_Get_count(&status, MPI_INT, NULL));
    GIVES(MPI_ERR_ARG, MPI_Get_address(&value, NULL));
    GIVES(MPI_ERR_ARG, MPI_Buffer_iflush(NULL));
    MPI_Isend(&value, 1, MPI_INT, rank, 1, W, &request);
    GIVES(MPI_ERR_ARG, MPI_Mprobe(rank, 1, W, NULL, &status));
    MPI_Mprobe(rank, 1, W, &message, &status);
    GIVES(MPI_ERR_ARG, MPI_Imrecv(&in, 1, MPI_INT, &message, NULL));
    MPI_Mrecv(&in, 1, MPI_INT, &message, &status);
    CHECK(in == 5);
    GIVES(MPI_ERR_ARG, MPI_Test(&request, NULL, &status));
    GIVES(MPI_ERR_ARG, MPI_Waitany(1, &request, NULL, &status));
    GIVES(MPI_ERR_ARG, MPI_Testall(1, &request, NULL, &status));
    GIVES(MPI_ERR_ARG, MPI_Testany(1, &request, NULL, &flag, &status));
    GIVES(MPI_ERR_ARG, MPI_Waitsome(1, &request, NULL, &flag, &status));
    CHECK(request != MPI_REQUEST_NULL && MPI_Wait(&request, &status) == MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
