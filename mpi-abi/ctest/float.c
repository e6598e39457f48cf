/* Each rank has floating-point modes and flags of its own. */
#include "testing.h"
#include <fenv.h>
#include <stdio.h>
#include <xmmintrin.h>

static const int MODES[4] = {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO};

int main(void) {
    int rank;
    volatile double one = 1, three = 3, zero = 0;
    volatile long double wide = 1;
    MPI_Comm_rank(0, &rank);
    if (fetestexcept(FE_ALL_EXCEPT) || fegetround() != FE_TONEAREST)
        return 1;
    fesetround(MODES[rank % 4]);
    if (rank % 4 == 3)
        feraiseexcept(FE_DIVBYZERO);
    if (rank % 4 == 2)
        _mm_setcsr(_mm_getcsr() | 0x8040);
    if (rank % 4 == 0)
        feenableexcept(FE_INVALID);
    volatile double third = one / three;
    volatile long double thin = wide / 3;
    if (rank % 4 == 1)
        __asm__ volatile("fld1\n\tfldpi");
    for (int round = 0; round < 3; round++) {
        MPI_Barrier(0);
        if (fegetround() != MODES[rank % 4])
            return 2;
        if (!fetestexcept(FE_DIVBYZERO) != (rank % 4 != 3) || !fetestexcept(FE_INEXACT))
            return 3;
        if (fetestexcept(FE_OVERFLOW))
            return 4;
        if (!(_mm_getcsr() & 0x8040) != (rank % 4 != 2))
            return 5;
        if (one / three != third || wide / 3 != thin)
            return 6;
        if (rank % 4 != 0) {
            volatile double nothing = zero / zero;
            if (nothing == nothing)
                return 7;
        }
    }
    if (rank % 4 == 1) {
        double first, second;
        __asm__ volatile("fstpl %0\n\tfstpl %1" : "=m"(first), "=m"(second));
        if (first < 3.14 || second != 1)
            return 8;
    }
    printf("%d\n", MODES[rank % 4] == fegetround());
    return 0;
}
