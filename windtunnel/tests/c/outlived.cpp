// Strings that end while they are sent: their memory is released by the library of C++.
#include <mpi.h>
#include <string>

static void send_string(int to, std::size_t length, MPI_Request *request) {
    std::string text(length, 'x');
    MPI_Isend(text.data(), static_cast<int>(length), MPI_CHAR, to, 0, MPI_COMM_WORLD, request);
} // here

int main(int count, char **words) {
    static char taken[4000];
    int rank;
    MPI_Request requests[2];
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Irecv(taken, 4000, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    send_string(1 - rank, std::stoul(words[1]), &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}
