// Streams of C++ on files: what is written is read again.
#include <fstream>
#include <string>

#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const std::string path = std::string(argv[1]) + "/streamed", data(1200, 'x');
    std::string got(1200, ' ');
    std::ofstream(path) << data;
    std::ifstream in(path);
    in.read(got.data(), 1200);
    if (!in || got != data) MPI_Abort(MPI_COMM_WORLD, 1);
    in.close();
    MPI_Finalize();
}
