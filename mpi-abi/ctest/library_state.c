/* What libc keeps between calls belongs to a rank. */
#define _GNU_SOURCE
#include "testing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int rank, option, verbose = 0;
    const char *name = "";
    MPI_Comm_rank(0, &rank);
    if (optind != 1)
        return 1;
    while ((option = getopt(argc, argv, "vn:")) != -1) {
        MPI_Barrier(0);
        if (option == 'v')
            verbose++;
        else if (option == 'n')
            name = optarg;
    }
    printf("options %d %s %s\n", verbose, name, argv[optind]);
    srand(rank % 2);
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(0);
        printf("%d ", rand());
    }
    srand48(5);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        MPI_Barrier(0);
        sum += drand48();
    }
    printf("%.6f\n", sum);
    char words[] = "one two three";
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        MPI_Barrier(0);
        printf("%s.", word);
    }
    time_t day = 86400 * (rank + 1);
    struct tm *date = gmtime(&day);
    MPI_Barrier(0);
    double (*volatile root)(double) = sqrt;
    printf("\n%d %g\n", date->tm_mday, root(16.0));
    return 0;
}
