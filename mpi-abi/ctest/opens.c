/* Opens a library, whose path is the last argument: its variables belong to the rank. */
#define _GNU_SOURCE
#include "testing.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int program_value(void) {
    int rank;
    MPI_Comm_rank(0, &rank);
    return rank + 7;
}

/* Stands before the function of the library, and calls it. */
int MPI_Comm_rank(void *comm, int *rank) {
    static int (*next)(void *, int *);
    if (!next)
        next = (int (*)(void *, int *))dlsym(RTLD_NEXT, "MPI_Comm_rank");
    return next(comm, rank);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(0, &rank);
    MPI_Barrier(0);
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (!library) {
        puts(dlerror());
        return 1;
    }
    int (*add)(int) = (int (*)(int))dlsym(library, "plugin_add");
    int (*back)(void) = (int (*)(void))dlsym(library, "plugin_of_program");
    const char *(*name)(int) = (const char *(*)(int))dlsym(library, "plugin_name");
    int *count = dlsym(library, "plugin_count");
    for (int round = 0; round < 3; round++)
        if (add(rank + 1) != rank * 10000 + (10 + (round + 1) * (rank + 1)) * 100 +
                                 (2 + (round + 1) * (rank + 1)) * 10 + 5)
            return 2;
    if (back() != rank + 7 || strcmp(name(1), "two") != 0 || *count != 13 + 3 * rank)
        return 3;
    if (dlopen(argv[argc - 1], RTLD_LAZY) != library || dlsym(library, "nothing"))
        return 4;
    const char *error = dlerror();
    if (!error || !strstr(error, "nothing") || dlerror())
        return 5;
    if (dlsym(RTLD_DEFAULT, "program_value") != (void *)program_value)
        return 6;
    if (dlsym(RTLD_DEFAULT, "plugin_count") || dlopen("/no/such/library.so", RTLD_NOW))
        return 7;
    error = dlerror();
    if (!error || !strstr(error, "/no/such/library.so"))
        return 8;
    Dl_info info;
    if (!dladdr((char *)add + 1, &info) || strcmp(info.dli_sname, "plugin_add") != 0 ||
        !strstr(info.dli_fname, "libplugin.so") || info.dli_saddr != (void *)add)
        return 9;
    if (!dladdr((void *)main, &info) || strcmp(info.dli_sname, "main") != 0)
        return 10;
    void *math = dlopen("libm.so.6", RTLD_NOW);
    double (*root)(double) = (double (*)(double))dlsym(math, "sqrt");
    if (root(49) != 7 || dlclose(math) != 0)
        return 11;
    if (dlclose(library) != 0 || dlclose(library) != 0 || dlclose(library) == 0)
        return 12;
    void *own = dlopen(NULL, RTLD_NOW);
    return dlsym(own, "program_value") != (void *)program_value;
}
