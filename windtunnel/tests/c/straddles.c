/* Single instructions access several pages that hold memory of pending receives, beside it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096
#define PAGES 24

int main(int argc, char **argv) {
    int rank;
    MPI_Request requests[PAGES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *memory = NULL;
    if (posix_memalign((void **)&memory, PAGE, PAGES * PAGE) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(memory, 0, PAGES * PAGE);
    if (rank == 0) {
        for (int i = 0; i < PAGES; i++)
            MPI_Irecv(memory + i * PAGE + 2000, 8, MPI_CHAR, 1, i, MPI_COMM_WORLD, &requests[i]);
        for (int i = 1; i < PAGES; i++) {
            /* A store across the edge of two pages. */
            unsigned long value = 0x0102030405060708ul * i;
            *(volatile unsigned long __attribute__((aligned(1))) *)(memory + i * PAGE - 3) = value;
            /* A copy from one page to another. */
            char *from = memory + i * PAGE - 64, *to = memory + (i - 1) * PAGE + 100;
            unsigned long count = 64;
            __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
        }
        unsigned long sum = 0;
        for (int i = 1; i < PAGES; i++)
            sum += *(volatile unsigned long __attribute__((aligned(1))) *)(memory + i * PAGE - 3);
        if (argc > 1)
            sum += memory[5 * PAGE + 2003];
        MPI_Waitall(PAGES, requests, MPI_STATUSES_IGNORE);
        printf("%lx %d %d\n", sum, memory[2 * PAGE + 162], memory[9 * PAGE + 2007]);
    } else if (rank == 1) {
        for (int i = 0; i < PAGES; i++) {
            char text[8] = {1, 2, 3, 4, 5, 6, 7, (char)i};
            MPI_Send(text, 8, MPI_CHAR, 0, i, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    free(memory);
    return 0;
}
