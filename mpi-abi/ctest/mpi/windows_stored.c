/* Ranks store to memory of their windows while others access it, and while they do not. */
#include "check.h"

#define W MPI_COMM_WORLD
#define IS(name) (!strcmp(how, name))

static int board[16], value = 5, got;
static MPI_Win win;

static void fences(const char *how) {
    MPI_Win_fence(0, win);
    if (IS("put over a store")) rank ? (void)(board[3] = 7) : (void)MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    if (IS("get of a store")) rank ? (void)(board[3] = 7) : (void)MPI_Get(&got, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    if (IS("neighbouring bytes")) rank ? (void)(board[2] = board[4] = 7) : (void)MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (IS("stores between")) board[3] = 8 + rank;
    MPI_Win_fence(0, win);
    if (IS("stores between") && rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (IS("stores between") && rank == 1) CHECK(board[3] == 5);
}

/* Each rank gets its left neighbour's value into its own window, and passes it on in the next epoch. */
static void halos(void) {
    int left = (rank + size - 1) % size;
    board[1] = rank;
    for (int step = 0; step < 4; step++) {
        MPI_Win_fence(0, win);
        MPI_Get(&board[0], 1, MPI_INT, left, 1, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        MPI_Get(&board[2], 1, MPI_INT, left, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        board[1] = board[2];
    }
}

static void exposure(const char *how) {
    MPI_Group all, first, second;
    int zero = 0, one = 1;
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, 1, &zero, &first), MPI_Group_incl(all, 1, &one, &second);
    if (rank == 0) {
        MPI_Win_start(second, 0, win);
        MPI_Put(&value, 1, MPI_INT, 1, 3, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    if (rank == 1) {
        board[3] = 1;
        MPI_Win_post(first, 0, win);
        if (IS("store while exposed")) board[3] = 7;
        MPI_Win_wait(win);
        if (IS("store after exposure")) {
            CHECK(board[3] == 5);
            board[3] = 7;
        }
    }
    MPI_Group_free(&all), MPI_Group_free(&first), MPI_Group_free(&second);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    begin(&argc, &argv);
    MPI_Win_create(board, sizeof board, sizeof *board, MPI_INFO_NULL, W, &win);
    if (strstr(how, "expos")) exposure(how);
    else if (IS("halos")) halos();
    else fences(how);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
