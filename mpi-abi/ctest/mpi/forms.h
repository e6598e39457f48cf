/* Every form of a collective, one after the other, on the same data. */
#include "check.h"

enum { MOST = 8 };

static int in[MOST * 2], out[MOST * 2];

static void fresh(void) {
    for (int i = 0; i < MOST * 2; i++)
        in[i] = 100 * rank + i, out[i] = -1;
}

/* `holds` says what is right after each form. */
#define UNPACK(...) __VA_ARGS__
#define COMPLETE(holds, call)                                                                      \
    fresh(); CHECK((call) == MPI_SUCCESS); MPI_Wait(&request, MPI_STATUS_IGNORE); holds
#define REPEAT(holds, call)                                                                        \
    CHECK((call) == MPI_SUCCESS);                                                                  \
    for (int again = 0; again < 2; again++) {                                                      \
        fresh(), MPI_Start(&request), MPI_Wait(&request, MPI_STATUS_IGNORE); holds;                \
    }                                                                                              \
    MPI_Request_free(&request)
#define ALL(blocking, nonblocking, holds, small, large)                                            \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        fresh(); CHECK(MPI_##blocking(UNPACK small) == MPI_SUCCESS); holds;                        \
        fresh(); CHECK(MPI_##blocking##_c(UNPACK large) == MPI_SUCCESS); holds;                    \
        COMPLETE(holds, MPI_##nonblocking(UNPACK small, &request));                                \
        COMPLETE(holds, MPI_##nonblocking##_c(UNPACK large, &request));                            \
        REPEAT(holds, MPI_##blocking##_init(UNPACK small, MPI_INFO_NULL, &request));               \
        REPEAT(holds, MPI_##blocking##_init_c(UNPACK large, MPI_INFO_NULL, &request));             \
    } while (0)
