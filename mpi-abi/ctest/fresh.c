/* Finds its variables as a new process does, and leaves them changed. */
#include "testing.h"

static int zero[5000], one = 1;
static _Thread_local int own[10];

int main(void) {
    int rank, sum = one - 1;
    MPI_Comm_rank(0, &rank);
    for (int i = 0; i < 5000; i++) {
        sum += zero[i];
        zero[i] = 7;
    }
    for (int i = 0; i < 10; i++) {
        sum += own[i];
        own[i] = 7;
    }
    one = 5;
    return sum;
}
