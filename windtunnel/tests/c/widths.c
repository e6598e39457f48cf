/* Rank 0 sends rank 1 what the first argument says. */
#include <mpi.h>
#include <stdint.h>
#include <string.h>

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    long small = -5, large = 3000000000L;
    int64_t fixed = 3000000000;
    long double third = 1.0L / 3, huge = 1e4000L;
    struct { const char *name; void *data; MPI_Datatype type; int bytes; } cases[] = {
        {"small", &small, MPI_LONG, sizeof small},
        {"large", &large, MPI_LONG, sizeof large},
        {"fixed", &fixed, MPI_INT64_T, sizeof fixed},
        {"bytes", &large, MPI_BYTE, sizeof large},
        {"third", &third, MPI_LONG_DOUBLE, sizeof third},
        {"huge", &huge, MPI_LONG_DOUBLE, sizeof huge},
    };
    int rank, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 6; i++) {
        if (strcmp(cases[i].name, what) != 0) {
            continue;
        }
        int count = cases[i].type == MPI_BYTE ? cases[i].bytes : 1;
        if (rank == 0) {
            MPI_Send(cases[i].data, count, cases[i].type, 1, 0, MPI_COMM_WORLD);
        } else {
            char before[16], after[16];
            memcpy(before, cases[i].data, cases[i].bytes);
            memset(cases[i].data, 0, cases[i].bytes);
            MPI_Recv(cases[i].data, count, cases[i].type, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            memcpy(after, cases[i].data, cases[i].bytes);
            /* The ten bytes of a long double; all of the others. */
            bad = memcmp(before, after, cases[i].bytes < 10 ? cases[i].bytes : 10) != 0;
            if (strcmp(what, "third") == 0) {
                bad = third != (long double)(double)(1.0L / 3);
            }
        }
    }
    if (strcmp(what, "broadcast") == 0) {
        long value = rank == 0 ? large : 0;
        MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return bad;
}
