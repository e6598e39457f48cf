/* Changes a column that a send owns, then only what lies between the columns. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double matrix[4][4] = {{0}}, other[4][4];
    MPI_Datatype column;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Irecv(&other[0][1], 1, column, 0, 0, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(&matrix[0][2], 1, column, 0, 0, MPI_COMM_SELF, &requests[1]);
        matrix[2][2 + turn] = 1;
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
