/* Rank 0 reads standard input; a prompt appears before it does. */
#include "testing.h"
#include <stdio.h>

int main(void) {
    int rank, first = -1, second = -1, read;
    MPI_Comm_rank(0, &rank);
    printf("n? ");
    fflush(stdout);
    read = scanf("%d", &first);
    MPI_Barrier(0);
    read += scanf("%d", &second) == 1;
    printf("%d %d %d %d\n", read, first, second, fileno(stdin));
    return 0;
}
