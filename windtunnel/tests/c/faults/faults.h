/* Small programs, each a case by name: CASE(name, ranks, verdict) stands before its body, and faults.rs
   reads the last two. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD

#define CASE(name, ranks, verdict) \
    static void name(void); \
    __attribute__((constructor)) static void add_##name(void) { add(#name, name); } \
    static void name(void)

static int rank, size, next, prev;
static int a[4096], b[4096], c[4096], counts[64], places[64];
static double d[4096], e[4096];
static int flag, which, count;
static MPI_Request request, second, requests[16];
static MPI_Status status;
static MPI_Comm comm, other, inter;
static MPI_Group g, g2;
static MPI_Datatype type, type2;
static MPI_Op op;

static struct {
    const char *name;
    void (*function)(void);
} cases[96];
static int known;

static void add(const char *name, void (*function)(void)) {
    cases[known].name = name;
    cases[known++].function = function;
}

/* What operations and error handlers of the cases do: nothing. */
static void combine(void *left, void *right, int *length, MPI_Datatype *elements) {}
static void hear(MPI_Comm *where, int *code, ...) {}

static void prepare(void) {
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    next = (rank + 1) % size;
    prev = (rank + size - 1) % size;
    for (int i = 0; i < 4096; i++) {
        a[i] = i + 1;
        b[i] = -i - 1;
    }
    for (int i = 0; i < 64; i++) {
        counts[i] = 1;
        places[i] = i;
    }
}

int main(int argc, char **argv) {
    int at = 0;
    while (at < known && strcmp(cases[at].name, argv[1]) != 0)
        at++;
    if (at == known)
        return 77;
    MPI_Init(&argc, &argv);
    prepare();
    cases[at].function();
    MPI_Finalize();
    return 0;
}
