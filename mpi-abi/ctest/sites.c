/* Lines of calls. The tests know the numbers. */
#include "testing.h"

__attribute__((noinline)) static int inner(void) {
    return MPI_Barrier(0); /* line 5 */
}

__attribute__((noinline)) static int outer(void) {
    return inner(); /* line 9 */
}

int main(void) {
    int result = outer(); /* line 13 */
    MPI_Barrier(0); /* line 14 */
    return result;
}
