/* Relaxation on a square, 16 by 16 points a rank: halos by nonblocking operations, columns by a
   derived type. The argument is the number of sweeps. */
#include <mpi.h>
#include <stdlib.h>

enum { POINTS = 16, WIDTH = POINTS + 2 };

int main(int argc, char **argv)
{
    static double now[WIDTH][WIDTH], next[WIDTH][WIDTH];
    int sweeps = atoi(argv[1]), size, shape[2] = {0, 0}, open[2] = {0, 0}, peer[4];
    MPI_Comm grid;
    MPI_Datatype column;
    MPI_Request requests[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, shape);
    MPI_Cart_create(MPI_COMM_WORLD, 2, shape, open, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &peer[0], &peer[1]);
    MPI_Cart_shift(grid, 1, 1, &peer[2], &peer[3]);
    MPI_Type_vector(POINTS, 1, WIDTH, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (int at = 0; at < WIDTH; at++)
        now[0][at] = next[0][at] = 1;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double *halo[4] = {&now[0][1], &now[POINTS + 1][1], &now[1][0], &now[1][POINTS + 1]};
        double *edge[4] = {&now[1][1], &now[POINTS][1], &now[1][1], &now[1][POINTS]};
        for (int side = 0; side < 4; side++) {
            int count = side < 2 ? POINTS : 1;
            MPI_Datatype type = side < 2 ? MPI_DOUBLE : column;
            MPI_Irecv(halo[side], count, type, peer[side], side ^ 1, grid, &requests[side]);
        }
        for (int side = 0; side < 4; side++) {
            int count = side < 2 ? POINTS : 1;
            MPI_Datatype type = side < 2 ? MPI_DOUBLE : column;
            MPI_Isend(edge[side], count, type, peer[side], side, grid, &requests[4 + side]);
        }
        MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
        for (int row = 1; row <= POINTS; row++)
            for (int at = 1; at <= POINTS; at++)
                next[row][at] = 0.25 * (now[row - 1][at] + now[row + 1][at] + now[row][at - 1] +
                                        now[row][at + 1]);
        for (int row = 1; row <= POINTS; row++)
            for (int at = 1; at <= POINTS; at++)
                now[row][at] = next[row][at];
    }
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
