/* Lines of a rank stay whole, whatever writes them. */
#include "testing.h"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int rank;
    MPI_Comm_rank(0, &rank);
    setvbuf(stdout, NULL, _IONBF, 0);
    for (int line = 0; line < 5; line++) {
        printf("rank %d ", rank);
        MPI_Barrier(0);
        putchar('l');
        MPI_Barrier(0);
        fputs("ine ", stdout);
        if (write(STDOUT_FILENO, "= ", 2) != 2)
            return 1;
        MPI_Barrier(0);
        fprintf(stdout, "%d\n", line);
        fprintf(stderr, "error %d\n", line);
    }
    int read = 0;
    if (rank > 0 && scanf("%d", &read) != EOF)
        return 2;
    printf("fileno %d %d, end", fileno(stdout), fileno(stderr));
    return 0;
}
