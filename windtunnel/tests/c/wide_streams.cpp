// Wide streams of C++ read and write what those of the rank do.
#include <iostream>
#include <mpi.h>
#include <string>

int main(int argc, char **argv)
{
    std::setlocale(LC_ALL, "C.UTF-8");
    MPI_Init(&argc, &argv);
    int rank, number = 0;
    std::wstring word;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::wcout << L"rank " << rank << L" größer" << std::endl;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && std::wcin >> number >> word)
        std::wcout << L"read " << number << L" and " << word << std::endl;
    std::wcerr << L"end" << std::endl;
    MPI_Finalize();
}
