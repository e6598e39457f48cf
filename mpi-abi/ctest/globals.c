/* Globals, statics and what points to them belong to a rank. */
#include "testing.h"
#include <errno.h>
#include <stdio.h>

struct node {
    const char *name;
    int *value;
    struct node *next;
    int (*step)(int);
};

static int twice(int x) { return 2 * x; }
static int first = 1, second = 2;
static struct node last = {"last", &second, 0, twice};
static struct node head = {"head", &first, &last, twice};
int counter;
double table[128] = {1.5};
_Thread_local int own = 7;
static _Thread_local int hidden;

static int calls(void) {
    static int n = 10;
    return ++n;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(0, &rank);
    for (int i = 0; i < 3; i++) {
        counter += rank;
        own += rank;
        hidden += 2 * rank;
        *head.next->value += rank;
        table[i] += rank;
        errno = rank;
        MPI_Barrier(0);
        if (errno != rank) return 3;
        calls();
    }
    printf("%d %d %d %d %d %s %d %g %d %s\n", counter, own, hidden, second, calls(),
           head.next->name, head.step(rank), table[0], argc, argv[argc - 1]);
    return counter == 3 * rank && own == 7 + 3 * rank ? 0 : 1;
}
