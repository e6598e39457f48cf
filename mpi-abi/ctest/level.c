/* A profiling library that has each barrier done twice: compiled once for each level, with the
   names that this level offers and calls. */
#include "testing.h"

int PMPI_Barrier(void *comm);

static int calls;

int MPI_Barrier(void *comm) {
    calls++;
    PMPI_Barrier(comm);
    return PMPI_Barrier(comm);
}

int LEVEL(void) { return calls; }
