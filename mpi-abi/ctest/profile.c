/* A program may put its own MPI function in front of ours. */
#include "testing.h"
#include <stdio.h>

int PMPI_Barrier(void *comm);

static int barriers;

int MPI_Barrier(void *comm) {
    barriers++;
    return PMPI_Barrier(comm);
}

int main(void) {
    MPI_Barrier(0);
    MPI_Barrier(0);
    printf("%d\n", barriers);
    return 0;
}
