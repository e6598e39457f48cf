/* What the programs of this folder share: a condition that must hold, told with its line. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* A call must give a code of this class. */
#define GIVES(expected, call) CHECK(class_of(call) == (expected))

static int rank, size;

static inline int class_of(int code) {
    int found = -1;
    CHECK(MPI_Error_class(code, &found) == MPI_SUCCESS);
    return found;
}

static inline void begin(int *argc, char ***argv) {
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Errors come back to the caller, also those that are about no communicator. */
static inline void return_errors(void) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}
