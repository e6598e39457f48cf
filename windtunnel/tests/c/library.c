/* Rank 1 passes what is not there to functions of the C library, or damages the heap: the first argument says which. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile nothing = NULL;
static FILE *volatile no_file = NULL;
static char *volatile heap = NULL;

static void misuse(const char *how) {
    int number;
    char *block = heap;
    if (strcmp(how, "strlen") == 0)
        number = (int) strlen(nothing); /* strlen */
    if (strcmp(how, "atoi") == 0)
        number = atoi(nothing); /* atoi */
    if (strcmp(how, "fscanf") == 0)
        number = fscanf(no_file, "%d", &number); /* fscanf */
    if (strcmp(how, "fclose") == 0)
        number = fclose(no_file); /* fclose */
    if (strcmp(how, "printf") == 0)
        number = printf("%s %s\n", how, nothing + 8); /* printf */
    if (strcmp(how, "free") == 0)
        free(block + 8); /* free */
    if (strcmp(how, "twice") == 0) {
        free(heap);
        free(heap); /* twice */
    }
    if (strcmp(how, "beyond") == 0) {
        for (number = 0; number < 200; number++)
            block[number] = 1;
        heap = malloc(5000); /* beyond */
    }
}

int main(int count, char **words) {
    int rank;
    MPI_Init(&count, &words);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    heap = malloc(24);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        misuse(words[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
