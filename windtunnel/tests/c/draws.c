/* Draws from the system's randomness in several ways. */
#include <mpi.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

int main(int argc, char **argv) {
    unsigned long numbers[3];
    int rank, file = open("/dev/urandom", O_RDONLY);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (read(file, &numbers[0], sizeof *numbers) < 0 || getentropy(&numbers[1], sizeof *numbers))
        return 1;
    close(file);
    if (getrandom(&numbers[2], sizeof *numbers, 0) < 0)
        return 1;
    printf("%d %lx %lx %lx\n", rank, numbers[0], numbers[1], numbers[2]);
    fprintf(stderr, "error of %d\n", rank);
    MPI_Finalize();
    return 0;
}
