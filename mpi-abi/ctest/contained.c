/* Leaves something in the process only if it is asked to. */
#include "testing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int runs;

int main(int argc, char **argv) {
    char text[40];
    double *root = malloc(sizeof *root);
    *root = sqrt(argc * 2.0);
    snprintf(text, sizeof text, "%d %.3f", ++runs, *root);
    puts(text);
    free(root);
    MPI_Barrier(0);
    if (argc > 1 && !strcmp(argv[1], "opens")) fclose(fopen("/dev/null", "r"));
    if (argc > 1 && !strcmp(argv[1], "asks")) return getpid() == 0;
    return 0;
}
