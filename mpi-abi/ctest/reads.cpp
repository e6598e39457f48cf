// Reads the input of the process.
#include "testing.h"
#include <iostream>

int main() {
    int number = 0;
    MPI_Barrier(nullptr);
    std::cin >> number;
    return 0;
}
