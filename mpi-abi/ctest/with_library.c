/* A program with a library of its own: the library's variables are private, too. */
#include "testing.h"
#include <stdio.h>

extern int counted;
extern _Thread_local int steps;
int count(void);

int main(void) {
    int rank;
    MPI_Comm_rank(0, &rank);
    counted += rank;
    for (int i = 0; i < 3; i++)
        count();
    printf("%d %d %d\n", counted, steps, count());
    return 0;
}
