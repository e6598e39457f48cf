// Containers own their memory beside what operations own; objects live on the rank's stack.
#include <mpi.h>
#include <iostream>
#include <map>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> from(10), into(10);
    std::iota(from.begin(), from.end(), 10 * rank);
    int number = rank, other = -1;
    std::vector<MPI_Request> requests(4);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Irecv(into.data(), 10, MPI_INT, previous, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&other, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(from.data(), 10, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&number, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[3]);
    std::map<std::string, int> words;
    if (argc > 1)
        words["wrong"] = into[3];
    std::ostringstream text;
    for (int i = 0; i < 20; i++) {
        text << "word" << i % 7;
        words[text.str()]++;
    }
    try {
        throw std::runtime_error("caught while pages are closed");
    } catch (const std::exception &error) {
        words[error.what()]++;
    }
    std::cout << "rank " << rank << " knows " << words.size() << std::endl;
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    if (other != previous || into[9] != 10 * previous + 9)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
}
