/* Draws a random number from the processor. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    unsigned long long number = 0;
    unsigned char drawn = 1;
    MPI_Init(&argc, &argv);
    if (argc > 1)
        __asm__ volatile("rdrand %0\n\tsetc %1" : "=r"(number), "=qm"(drawn) : : "cc");
    printf("%d\n", number != 0 && drawn);
    MPI_Finalize();
    return 0;
}
