/* A small application: heat conduction on a plate, cut into blocks on a grid of ranks, with a table of materials that
 * the first rank deals out, halo exchange in both directions, norms, a balance of the work left, which ranks take from
 * the first one as they finish, and a summary. Right, whatever the order of messages. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 10, SWEEPS = 6, MATERIALS = 3, TASK = 40, RESULT = 41, STOP = 42 };

struct block {
    int rows, columns;
    double *now, *next;
};

struct material {
    int number;
    double conductivity;
    char name[12];
};

static MPI_Comm grid;
static int rank, size, place[2], extent[2];
static int up, down, left, right;

static double *at(struct block *b, double *values, int row, int column) {
    return &values[row * (b->columns + 2) + column];
}

static void arrange(void) {
    int periodic[2] = {0, 1};
    extent[0] = extent[1] = 0;
    MPI_Dims_create(size, 2, extent);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extent, periodic, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, place);
    MPI_Cart_shift(grid, 0, 1, &up, &down);
    MPI_Cart_shift(grid, 1, 1, &left, &right);
}

static void deal_materials(struct material table[]) {
    int lengths[3] = {1, 1, 12}, i;
    MPI_Aint places[3], start;
    MPI_Datatype parts[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR}, plain, type;
    MPI_Get_address(&table[0], &start);
    MPI_Get_address(&table[0].number, &places[0]);
    MPI_Get_address(&table[0].conductivity, &places[1]);
    MPI_Get_address(table[0].name, &places[2]);
    for (i = 0; i < 3; i++) places[i] -= start;
    MPI_Type_create_struct(3, lengths, places, parts, &plain);
    MPI_Type_create_resized(plain, 0, sizeof table[0], &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        for (i = 0; i < MATERIALS; i++) {
            table[i].number = i;
            table[i].conductivity = 0.1 + 0.05 * i;
            snprintf(table[i].name, sizeof table[i].name, "material %d", i);
        }
    MPI_Bcast(table, MATERIALS, type, 0, grid);
    MPI_Type_free(&type);
    MPI_Type_free(&plain);
}

static void begin(struct block *b) {
    int row, column;
    b->rows = ROWS / extent[0];
    b->columns = COLUMNS / extent[1];
    b->now = calloc((b->rows + 2) * (b->columns + 2), sizeof(double));
    b->next = calloc((b->rows + 2) * (b->columns + 2), sizeof(double));
    for (row = 1; row <= b->rows; row++)
        for (column = 1; column <= b->columns; column++)
            *at(b, b->now, row, column) = place[0] + 0.25 * place[1] + 0.01 * row * column;
}

static void exchange(struct block *b, MPI_Datatype column) {
    MPI_Request requests[8];
    double *v = b->now;
    MPI_Irecv(at(b, v, 0, 1), b->columns, MPI_DOUBLE, up, 1, grid, &requests[0]);
    MPI_Irecv(at(b, v, b->rows + 1, 1), b->columns, MPI_DOUBLE, down, 2, grid, &requests[1]);
    MPI_Irecv(at(b, v, 1, 0), 1, column, left, 3, grid, &requests[2]);
    MPI_Irecv(at(b, v, 1, b->columns + 1), 1, column, right, 4, grid, &requests[3]);
    MPI_Isend(at(b, v, b->rows, 1), b->columns, MPI_DOUBLE, down, 1, grid, &requests[4]);
    MPI_Isend(at(b, v, 1, 1), b->columns, MPI_DOUBLE, up, 2, grid, &requests[5]);
    MPI_Isend(at(b, v, 1, b->columns), 1, column, right, 3, grid, &requests[6]);
    MPI_Isend(at(b, v, 1, 1), 1, column, left, 4, grid, &requests[7]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

static double sweep(struct block *b, double conductivity) {
    double change = 0, *swap;
    int row, column;
    for (row = 1; row <= b->rows; row++)
        for (column = 1; column <= b->columns; column++) {
            double here = *at(b, b->now, row, column);
            double around = *at(b, b->now, row - 1, column) + *at(b, b->now, row + 1, column) +
                            *at(b, b->now, row, column - 1) + *at(b, b->now, row, column + 1);
            double then = here + conductivity * (around - 4 * here);
            *at(b, b->next, row, column) = then;
            change += (then - here) * (then - here);
        }
    swap = b->now, b->now = b->next, b->next = swap;
    return change;
}

/* The first rank hands out columns to whoever asks; the sum does not depend on who does what. */
static double balance(int tasks) {
    double sum = 0, value;
    MPI_Status status;
    int task = 0, working;
    if (size == 1) return 0;
    if (rank == 0) {
        for (working = 1; working < size; working++, task++)
            MPI_Send(&task, 1, MPI_INT, working, task < tasks ? TASK : STOP, grid);
        for (working = tasks; working > 0; working--, task++) {
            MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, grid, &status);
            sum += value;
            MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, task < tasks ? TASK : STOP, grid);
        }
    } else {
        for (;;) {
            MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, grid, &status);
            if (status.MPI_TAG == STOP) break;
            value = 1.0 / (1 + task);
            MPI_Send(&value, 1, MPI_DOUBLE, 0, RESULT, grid);
        }
    }
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, grid);
    return sum;
}

static void summary(struct block *b, double change, double worth) {
    double own = 0, *all = NULL;
    int row, column, i;
    for (row = 1; row <= b->rows; row++)
        for (column = 1; column <= b->columns; column++) own += *at(b, b->now, row, column);
    if (rank == 0) all = malloc(size * sizeof(double));
    MPI_Gather(&own, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, grid);
    if (rank == 0) {
        for (own = 0, i = 0; i < size; i++) own += all[i];
        printf("heat %.3f, change %.3g, worth %.3f\n", own, change, worth);
    }
    free(all);
}

int main(int argc, char **argv) {
    struct material table[MATERIALS];
    struct block block;
    MPI_Datatype column;
    double change = 0, mine, worth;
    int i, tasks = argc > 1 ? atoi(argv[1]) : 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    arrange();
    memset(table, 0, sizeof table);
    deal_materials(table);
    begin(&block);
    MPI_Type_vector(block.rows, 1, block.columns + 2, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    for (i = 0; i < SWEEPS; i++) {
        exchange(&block, column);
        mine = sweep(&block, table[i % MATERIALS].conductivity);
        MPI_Allreduce(&mine, &change, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    worth = balance(tasks);
    summary(&block, change, worth);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    free(block.now);
    free(block.next);
    MPI_Finalize();
    return 0;
}
