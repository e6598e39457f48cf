/* One-sided accesses with every kind of datatype, operation and completion. */
#include "check.h"

#include <stddef.h>

#define W MPI_COMM_WORLD
enum { N = 8 };

static int next, before;

static void puts_and_gets(void) {
    int board[N], got[N], own[2] = {100 + rank, 200 + rank};
    MPI_Win win;
    for (int i = 0; i < N; i++) board[i] = 1000 * rank + i;
    MPI_Win_create(board, sizeof board, sizeof *board, MPI_INFO_NULL, W, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    CHECK(MPI_Get(got, N - 2, MPI_INT, next, 2, N - 2, MPI_INT, win) == MPI_SUCCESS);
    CHECK(MPI_Put(own, 2, MPI_INT, next, 0, 2, MPI_INT, win) == MPI_SUCCESS);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
    for (int i = 2; i < N; i++) CHECK(got[i - 2] == 1000 * next + i);
    CHECK(board[0] == 100 + before && board[1] == 200 + before && board[2] == 1000 * rank + 2);
    CHECK(MPI_Get_c(got, 2, MPI_INT, next, 0, 2, MPI_INT, win) == MPI_SUCCESS);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    CHECK(got[0] == 100 + rank && got[1] == 200 + rank);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
    CHECK(MPI_Put_c(&rank, 1, MPI_INT, next, 7, 1, MPI_INT, win) == MPI_SUCCESS);
    MPI_Win_unlock(next, win);
    MPI_Win_free(&win);
    CHECK(board[7] == before);
}

/* Rows become columns: the types of the two sides have the same signature. */
static void derived(void) {
    double matrix[4][4], row[4] = {1, 2, 3, 4}, diagonal[4] = {0};
    int lengths[2] = {1, 2}, places[2] = {3, 0};
    struct pair {
        char tag;
        double value;
    } pairs[2] = {{'a', 1.5}, {'b', 2.5}}, taken[2] = {{0, 0}, {0, 0}}, shelf[2];
    MPI_Datatype column, across, odd, pair, kinds[2] = {MPI_CHAR, MPI_DOUBLE};
    MPI_Aint at[2] = {offsetof(struct pair, tag), offsetof(struct pair, value)};
    int ones[2] = {1, 1};
    MPI_Win win, other;
    for (int i = 0; i < 16; i++) matrix[i / 4][i % 4] = i;
    MPI_Type_vector(4, 1, 4, MPI_DOUBLE, &column), MPI_Type_commit(&column);
    MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &across), MPI_Type_commit(&across);
    MPI_Type_indexed(2, lengths, places, MPI_DOUBLE, &odd), MPI_Type_commit(&odd);
    MPI_Type_create_struct(2, ones, at, kinds, &pair), MPI_Type_commit(&pair);
    MPI_Win_create(matrix, sizeof matrix, sizeof(double), MPI_INFO_NULL, W, &win);
    MPI_Win_create(shelf, sizeof shelf, 1, MPI_INFO_NULL, W, &other);
    MPI_Win_fence(0, win), MPI_Win_fence(0, other);
    MPI_Put(row, 4, MPI_DOUBLE, next, 1, 1, column, win);
    MPI_Put(pairs, 2, pair, next, 0, 2, pair, other);
    MPI_Win_fence(0, win), MPI_Win_fence(0, other);
    for (int i = 0; i < 4; i++) CHECK(matrix[i][1] == i + 1 && matrix[i][2] == 4 * i + 2);
    CHECK(shelf[0].tag == 'a' && shelf[1].tag == 'b' && shelf[1].value == 2.5);
    MPI_Get(diagonal, 4, MPI_DOUBLE, next, 0, 1, across, win);
    MPI_Get(taken, 2, pair, next, 0, 2, pair, other);
    MPI_Win_fence(0, win), MPI_Win_fence(0, other);
    CHECK(diagonal[0] == 0 && diagonal[1] == 2 && diagonal[2] == 10 && diagonal[3] == 15);
    CHECK(taken[0].value == 1.5 && taken[1].tag == 'b');
    /* The order of the type map counts: place 3 first, then 0 and 1. */
    MPI_Accumulate(row, 3, MPI_DOUBLE, next, 12, 1, odd, MPI_SUM, win);
    MPI_Win_fence(0, win);
    CHECK(matrix[3][3] == 16 && matrix[3][0] == 14 && matrix[3][1] == 7);
    MPI_Win_free(&win), MPI_Win_free(&other);
    MPI_Type_free(&column), MPI_Type_free(&across), MPI_Type_free(&odd), MPI_Type_free(&pair);
}

static void operations(void) {
    long board[6] = {0, 1, 5, 5, 12, 1}, one[6] = {rank, 2, rank, rank, 10, 0}, old[2];
    struct {
        double value;
        int index;
    } best = {0, -1}, mine = {1 + rank % 3, rank};
    MPI_Win win, top;
    MPI_Op ops[6] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_BAND, MPI_LAND};
    long sum = 0, product = 1;
    for (int i = 0; i < size; i++) sum += i, product *= 2;
    MPI_Win_create(board, rank ? 0 : sizeof board, sizeof *board, MPI_INFO_NULL, W, &win);
    MPI_Win_create(&best, rank ? 0 : sizeof best, 1, MPI_INFO_NULL, W, &top);
    MPI_Win_fence(0, win), MPI_Win_fence(0, top);
    for (int i = 0; i < 6; i++)
        CHECK(MPI_Accumulate(&one[i], 1, MPI_LONG, 0, i, 1, MPI_LONG, ops[i], win) == MPI_SUCCESS);
    CHECK(MPI_Accumulate_c(&mine, 1, MPI_DOUBLE_INT, 0, 0, 1, MPI_DOUBLE_INT, MPI_MAXLOC, top) ==
          MPI_SUCCESS);
    MPI_Win_fence(0, win), MPI_Win_fence(0, top);
    if (rank == 0) {
        CHECK(board[0] == sum && board[1] == product && board[2] == (size > 6 ? size - 1 : 5));
        CHECK(board[3] == 0 && board[4] == (12 & 10) && board[5] == 0);
        CHECK(best.value == (size > 2 ? 3 : size) && best.index == (size > 2 ? 2 : size - 1));
    }
    MPI_Win_free(&top);
    MPI_Win_lock_all(0, win);
    CHECK(MPI_Get_accumulate(NULL, 0, MPI_LONG, old, 2, MPI_LONG, 0, 0, 2, MPI_LONG, MPI_NO_OP, win) ==
          MPI_SUCCESS);
    MPI_Win_flush_all(win);
    CHECK(old[0] == sum && old[1] == product);
    MPI_Barrier(W);
    if (rank == size - 1) {
        long replaced[2] = {-1, -2};
        CHECK(MPI_Get_accumulate_c(replaced, 2, MPI_LONG, old, 2, MPI_LONG, 0, 0, 2, MPI_LONG,
                                   MPI_REPLACE, win) == MPI_SUCCESS);
        MPI_Win_flush(0, win);
        CHECK(old[0] == sum);
        CHECK(MPI_Fetch_and_op(NULL, old, MPI_LONG, 0, 1, MPI_NO_OP, win) == MPI_SUCCESS);
        MPI_Win_flush_local(0, win);
        CHECK(old[0] == -2);
    }
    MPI_Barrier(W);
    long expected = -1, wanted = 7 + rank, found = 0;
    CHECK(MPI_Compare_and_swap(&wanted, &expected, &found, MPI_LONG, 0, 0, win) == MPI_SUCCESS);
    MPI_Win_flush_local_all(win);
    int won = found == -1, winners;
    CHECK(won || (found >= 7 && found < 7 + size));
    MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, W);
    CHECK(winners == 1);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

static void requests(void) {
    int board[N] = {0}, value = rank + 1, got = -1, sum = -1, flag = 0;
    MPI_Win win;
    MPI_Request all[3];
    MPI_Status status;
    MPI_Win_create(board, sizeof board, sizeof *board, MPI_INFO_NULL, W, &win);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    CHECK(MPI_Rput(&value, 1, MPI_INT, next, 0, 1, MPI_INT, win, &all[0]) == MPI_SUCCESS);
    CHECK(MPI_Raccumulate(&value, 1, MPI_INT, next, 1, 1, MPI_INT, MPI_SUM, win, &all[1]) == MPI_SUCCESS);
    CHECK(MPI_Rget(&got, 1, MPI_INT, next, 2, 1, MPI_INT, win, &all[2]) == MPI_SUCCESS);
    CHECK(MPI_Waitall(3, all, MPI_STATUSES_IGNORE) == MPI_SUCCESS && all[2] == MPI_REQUEST_NULL);
    CHECK(got == 0);
    MPI_Win_flush(next, win);
    MPI_Barrier(W);
    CHECK(MPI_Rget_accumulate(&value, 1, MPI_INT, &sum, 1, MPI_INT, next, 1, 1, MPI_INT, MPI_SUM, win,
                              &all[0]) == MPI_SUCCESS);
    while (!flag) CHECK(MPI_Test(&all[0], &flag, &status) == MPI_SUCCESS);
    CHECK(sum == rank + 1);
    CHECK(MPI_Rput_c(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &all[0]) == MPI_SUCCESS);
    CHECK(MPI_Rget_c(&got, 1, MPI_INT, next, 0, 1, MPI_INT, win, &all[1]) == MPI_SUCCESS);
    CHECK(MPI_Raccumulate_c(&value, 1, MPI_INT, next, 3, 1, MPI_INT, MPI_REPLACE, win, &all[2]) ==
          MPI_SUCCESS);
    CHECK(MPI_Waitall(3, all, MPI_STATUSES_IGNORE) == MPI_SUCCESS && got == rank + 1);
    CHECK(MPI_Rget_accumulate_c(NULL, 0, MPI_INT, &sum, 1, MPI_INT, next, 3, 1, MPI_INT, MPI_NO_OP, win,
                                &all[0]) == MPI_SUCCESS);
    CHECK(MPI_Wait(&all[0], MPI_STATUS_IGNORE) == MPI_SUCCESS && sum == rank + 1);
    /* A synchronisation completes them, too: the buffers are free, and the requests wait to be freed. */
    got = -1;
    MPI_Rget(&got, 1, MPI_INT, next, 0, 1, MPI_INT, win, &all[0]);
    MPI_Rput(&value, 1, MPI_INT, next, 2, 1, MPI_INT, win, &all[1]);
    MPI_Win_flush(next, win);
    CHECK(got == rank + 1);
    value = got = -5;
    CHECK(MPI_Waitall(2, all, MPI_STATUSES_IGNORE) == MPI_SUCCESS && got == -5);
    MPI_Rget_accumulate(NULL, 0, MPI_INT, &sum, 1, MPI_INT, next, 2, 1, MPI_INT, MPI_NO_OP, win, &all[0]);
    MPI_Win_unlock_all(win);
    CHECK(sum == rank + 1);
    CHECK(MPI_Test(&all[0], &flag, &status) == MPI_SUCCESS && flag && all[0] == MPI_REQUEST_NULL);
    MPI_Win_free(&win);
    CHECK(board[0] == before + 1 && board[1] == 2 * (before + 1) && board[3] == before + 1);
    CHECK(board[2] == before + 1);
}

/* Memory that is attached later, by its addresses. */
static void dynamic(void) {
    int *piece = calloc(4, sizeof *piece), got = -1;
    MPI_Aint mine, *places = malloc(size * sizeof *places);
    MPI_Win win;
    MPI_Win_create_dynamic(MPI_INFO_NULL, W, &win);
    CHECK(MPI_Win_attach(win, piece, 4 * sizeof *piece) == MPI_SUCCESS);
    MPI_Get_address(piece, &mine);
    MPI_Allgather(&mine, 1, MPI_AINT, places, 1, MPI_AINT, W);
    MPI_Win_lock_all(0, win);
    MPI_Put(&rank, 1, MPI_INT, next, MPI_Aint_add(places[next], 2 * sizeof(int)), 1, MPI_INT, win);
    MPI_Win_flush(next, win);
    MPI_Get(&got, 1, MPI_INT, next, places[next] + 8, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    CHECK(got == rank);
    MPI_Barrier(W);
    CHECK(piece[2] == before && MPI_Win_detach(win, piece) == MPI_SUCCESS);
    MPI_Win_free(&win);
    free(piece), free(places);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    next = (rank + 1) % size, before = (rank + size - 1) % size;
    puts_and_gets();
    derived();
    operations();
    requests();
    dynamic();
    MPI_Finalize();
    return 0;
}
