/* Two rounds of exchanges whose end nobody knows beforehand: each rank sends its neighbour one message, probes for messages, and
   leaves a round when a nonblocking barrier has ended, which it enters when its own message has been received. With one tag
   for both rounds, a rank that learns of the end late takes a message of the next round for one of this. */
#include <mpi.h>
#include <string.h>

int main(int count, char **words) {
    int rank, size, same_tag = count > 1 && strcmp(words[1], "same") == 0;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 2; round++) {
        int tag = same_tag ? 0 : round, mine = round, theirs, there, over = 0, inside = 0;
        MPI_Request sent, end;
        MPI_Status status;
        MPI_Issend(&mine, 1, MPI_INT, (rank + 1) % size, tag, MPI_COMM_WORLD, &sent);
        while (!over) {
            MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &status);
            if (there) {
                MPI_Recv(&theirs, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                if (theirs != round) MPI_Abort(MPI_COMM_WORLD, 3);
            }
            if (inside) {
                MPI_Test(&end, &over, MPI_STATUS_IGNORE);
            } else {
                MPI_Test(&sent, &inside, MPI_STATUS_IGNORE);
                if (inside) MPI_Ibarrier(MPI_COMM_WORLD, &end);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
