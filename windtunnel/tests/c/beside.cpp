// Elements of arrays and vectors that are not in them: the buffer is in the variable beside the array, in memory that is only
// reserved, or in none. Those of `sound` are all correct.
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#pragma GCC diagnostic ignored "-Warray-bounds"

#define CASE_OF(name) static __attribute__((noinline)) void name()

static int rank;
static double field[4][4], beside[4][4];
static int numbers[8], more[8];
static char text[16];
static long offsets[4] = {0, 8, 16, 24};
static struct {
    double cells[4], others[4];
} both;

static __attribute__((noinline)) void by_parameter(double *field, int row) {
    if (rank == 0)
        MPI_Send(&field[4 * row], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(field + 4 * row, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void by_parameter_inline(double *beside, int row) {
    if (rank == 0)
        MPI_Send(&beside[4 * row], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(beside + 4 * row, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double *next(double *row) { return row + 4; }

CASE_OF(sound) {
    double own[8] = {1}, *rows[2] = {own, own + 4};
    for (int row = 0; row < 4; row++) {
        if (rank == 0)
            MPI_Send(field[row], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(&beside[row][0], 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    by_parameter(beside[0], 2);
    by_parameter_inline(field[0], 2);
    // An array of pointers, an address of another array plus a number, and a row beyond the array through the structure.
    if (rank == 0) {
        MPI_Send(rows[1], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&both.cells[4], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(next(field[2]), 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&field[4], 0, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Send(numbers[2] + more, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(offsets[1] + text, 4, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        for (int message = 0; message < 4; message++)
            MPI_Recv(own + 4, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(more + numbers[0], 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&text[4], 4, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    {
        // Another variable of the name.
        double *numbers = own + 1;
        if (rank == 0)
            MPI_Send(&numbers[-1], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(numbers + 3, 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    int length = rank + 5;
    double variable[length];
    variable[length - 1] = 1;
    MPI_Bcast(&variable[length - 1], 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double *head = static_cast<double *>(std::calloc(8, 8)) + 8;
    MPI_Bcast(&head[-8], 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::free(head - 8);
    // A vector with more room than elements, its second half, and one of whose memory a part is passed on.
    std::vector<double> grown;
    grown.reserve(100);
    grown.resize(8, 1);
    MPI_Bcast(grown.data(), 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&grown[4], 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    by_parameter(grown.data(), 1);
    std::vector<MPI_Request> requests;
    requests.reserve(4);
    for (int at = 0; at < 4; at++) {
        requests.emplace_back();
        MPI_Ibarrier(MPI_COMM_WORLD, &requests.back());
    }
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
}

CASE_OF(row_behind) {
    if (rank == 0)
        MPI_Send(field[4], 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(beside[0], 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

CASE_OF(row_before) {
    int row = rank - 1;
    if (rank == 0)
        MPI_Send(&beside[row][0],
                 4, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD); // the halo
    else if (rank == 1)
        MPI_Recv(field[0], 4, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

CASE_OF(sum_behind) {
    int width = 8;
    if (rank == 0)
        MPI_Send(numbers + width + 1, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(more, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

CASE_OF(text_behind) {
    if (rank == 0)
        MPI_Send(&text[16], 2, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(text, 2, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

CASE_OF(automatic) {
    int before[6] = {1}, values[4] = {2}, behind[6] = {3};
    MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(before, 6, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(behind, 6, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(&values[-1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static __attribute__((noinline)) int *made(int value) {
    int values[16];
    int *volatile start = values;
    for (int at = 0; at < 16; at++)
        start[at] = value;
    return start;
}

CASE_OF(dead) {
    int *values = made(rank);
    MPI_Bcast(values, 16, MPI_INT, 0, MPI_COMM_WORLD);
}

CASE_OF(reserved) {
    std::vector<double> mine(4, rank), all;
    all.reserve(8);
    MPI_Allgather(mine.data(), 4, MPI_DOUBLE, all.data(), 4, MPI_DOUBLE, MPI_COMM_WORLD);
}

static __attribute__((noinline)) std::vector<int> received() {
    std::vector<int> values(2);
    values.reserve(16);
    if (rank == 0)
        MPI_Send(values.data(), 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(values.data(), 16, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return values;
}

CASE_OF(returned) { received(); }

static __attribute__((noinline)) void fill(std::vector<double> &values) {
    MPI_Bcast(values.data(), 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

CASE_OF(by_reference) {
    std::vector<double> values(4);
    values.clear();
    fill(values);
}

CASE_OF(reserved_requests) {
    std::vector<MPI_Request> requests;
    requests.reserve(2);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#define CASE(name) \
    if (argc > 1 && std::strcmp(argv[1], #name) == 0) name();
    CASE(sound)
    CASE(row_behind)
    CASE(row_before)
    CASE(sum_behind)
    CASE(text_behind)
    CASE(automatic)
    CASE(dead)
    CASE(reserved)
    CASE(returned)
    CASE(by_reference)
    CASE(reserved_requests)
    MPI_Finalize();
}
