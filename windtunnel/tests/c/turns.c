/* Each rank draws a number from a counter at rank 0: by an atomic access, or under an exclusive lock. The program ends with
   code 3 if the given rank draws the given number. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    int rank, *counter, one = 1, number, next;
    MPI_Win window;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    *counter = 0;
    MPI_Win_unlock(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (count > 3 && strcmp(words[1], "atomic") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Fetch_and_op(&one, &number, MPI_INT, 0, 0, MPI_SUM, window);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&number, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        next = number + 1;
        MPI_Put(&next, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    }
    MPI_Win_unlock(0, window);
    if (count > 3 && rank == atoi(words[2]) && number == atoi(words[3])) exit(3);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
