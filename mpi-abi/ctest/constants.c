/* Its constants look like code. */
#include "testing.h"
#include <string.h>

const char bytes[] = BYTES;

int main(int argc, char **argv) {
    (void)argv;
    MPI_Barrier(0);
    return strlen(bytes + argc) > 100;
}
