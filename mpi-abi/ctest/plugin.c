/* A library that programs open while they run. */
#include "testing.h"

int plugin_count = 10;
static int begun;
static __thread int own[3] = {1, 2, 3};
static const char *const names[] = {"one", "two"};

int program_value(void);

__attribute__((constructor)) static void begin(void) { begun = 5; }

int plugin_add(int by) {
    int rank;
    MPI_Comm_rank(0, &rank);
    own[1] += by;
    plugin_count += by;
    MPI_Barrier(0); /* line 18 */
    return rank * 10000 + plugin_count * 100 + own[1] * 10 + begun;
}

int plugin_of_program(void) { return program_value(); }
const char *plugin_name(int which) { return names[which]; }
