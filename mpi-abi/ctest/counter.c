/* A library that a program brings along. */
#include "testing.h"

int counted = 100;
_Thread_local int steps;

int count(void) {
    MPI_Barrier(0);
    steps++;
    return ++counted + steps;
}
