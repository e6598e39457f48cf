/* Lines of calls. The tests know the numbers. */
#include "testing.h"

__attribute__((noinline)) static int inner(void) {
    MPI_Barrier(0); /* line 5 */
    return 1;
}

__attribute__((noinline)) static int outer(int x) {
    return inner() + x; /* line 10 */
}

int main(void) {
    int sum = outer(1); /* line 14 */
    MPI_Barrier(0); /* line 15 */
    return sum - 2;
}
