/* Ranks that share the memory of their node: a rank reads what its neighbour has stored. The argument leaves out the
   synchronisation between them. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
    MPI_Comm node;
    MPI_Win window;
    MPI_Aint bytes;
    int rank, unit, *mine, *left;
    MPI_Init(&argc, &argv);
    int races = argc > 1 && !strcmp(argv[1], "races");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node, &mine, &window);
    MPI_Win_shared_query(window, rank > 0 ? rank - 1 : 0, &bytes, &unit, &left);
    MPI_Win_fence(0, window);
    *mine = rank;
    if (!races) MPI_Win_fence(0, window);
    if (rank > 0 && *left != rank - 1 && !races) MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
