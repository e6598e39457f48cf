/* Opens the library that it is linked with, whose path is the last argument: it is the one that is there. */
#define _GNU_SOURCE
#include "testing.h"
#include <dlfcn.h>
#include <stdio.h>

extern int counted;
int count(void);

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(0, &rank);
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (!library || dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD) != library)
        return 1;
    if (dlsym(library, "count") != (void *)count)
        return 2;
    if (dlsym(library, "main") || !dlerror())
        return 3;
    if (dlclose(library) != 0)
        return 4;
    counted += rank;
    count();
    printf("%d\n", counted);
    return 0;
}
