/* Windows used wrongly, one mistake for each argument. */
#include "check.h"

#define W MPI_COMM_WORLD
#define IS(name) (!strcmp(how, name))

static int board[16], value, other, got;
static MPI_Win win;

static void put(int target, MPI_Aint at) { MPI_Put(&value, 1, MPI_INT, target, at, 1, MPI_INT, win); }

static void with_fences(const char *how) {
    MPI_Win_fence(IS("promised none") ? MPI_MODE_NOSUCCEED : 0, win);
    if ((IS("promised none") || IS("promised before")) && rank == 0) put(1, 0);
    if (IS("two puts") && rank) put(0, 0);
    if (IS("put and get")) rank ? put(0, 0) : (void)MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (IS("put and sum"))
        rank ? put(0, 0) : (void)MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    if (IS("two operations"))
        MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, rank ? MPI_SUM : MPI_MAX, win);
    if (IS("request") && rank == 0) {
        MPI_Request request;
        MPI_Rput(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
    }
    if (IS("buffer sent") && rank < 2) {
        if (rank == 0) MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Sendrecv(&got, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, W, MPI_STATUS_IGNORE);
    }
    if (IS("buffer changed") && rank == 0) put(1, 0), value = 99;
    if (IS("own memory sent")) {
        if (rank == 0) put(1, 3);
        MPI_Barrier(W);
        if (rank == 1) MPI_Send(&board[3], 1, MPI_INT, 0, 0, W);
        if (rank == 0) MPI_Recv(&got, 1, MPI_INT, 1, 0, W, MPI_STATUS_IGNORE);
    }
    if (IS("lock inside") && rank == 0) put(1, 0), MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Win_fence(IS("promised before") ? MPI_MODE_NOPRECEDE : IS("promised no put") ? MPI_MODE_NOPUT : 0, win);
    if (IS("promised no put") && rank) put(0, rank);
    if (IS("promised no store"))
        MPI_Sendrecv(&value, 1, MPI_INT, rank, 0, &board[1], 1, MPI_INT, rank, 0, W, MPI_STATUS_IGNORE);
    int last = IS("some promise") && rank ? MPI_MODE_NOSUCCEED : IS("promised no store") ? MPI_MODE_NOSTORE : 0;
    MPI_Win_fence(last, win);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "none";
    MPI_Group all, first, second;
    int zero = 0, one = 1;
    begin(&argc, &argv);
    value = rank;
    MPI_Win_create(board, IS("nowhere") ? 1L << 40 : sizeof board, sizeof *board, MPI_INFO_NULL, W, &win);
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, 1, &zero, &first), MPI_Group_incl(all, 1, &one, &second);
    if (IS("no epoch") && rank == 0) put(1, 0);
    if (IS("not locked") && rank == 0) MPI_Win_unlock(1, win);
    if (IS("locked twice") && rank == 0)
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win), MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    if (IS("freed locked")) MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    if (IS("not started") && rank == 0) MPI_Win_complete(win);
    if (IS("not posted") && rank == 0) MPI_Win_wait(win);
    if (IS("never waited") && rank < 2) {
        if (rank == 0) MPI_Win_start(second, 0, win), MPI_Win_complete(win);
        if (rank == 1) MPI_Win_post(first, 0, win);
    }
    if (IS("never completed") && rank < 2) {
        if (rank == 0) MPI_Win_start(second, 0, win);
        if (rank == 1) MPI_Win_post(first, 0, win), MPI_Win_wait(win);
    }
    if (IS("never posted") && rank == 0) MPI_Win_start(second, 0, win), MPI_Win_complete(win);
    if (IS("locked exposed")) {
        if (rank == 1) MPI_Win_post(first, 0, win);
        MPI_Barrier(W);
        if (rank == 2) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    }
    if (IS("lock not free")) {
        if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Barrier(W);
        if (rank == 2) MPI_Win_lock(MPI_LOCK_SHARED, 1, MPI_MODE_NOCHECK, win);
    }
    if (IS("crossed locks") && rank < 2) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 0, &got, 1, MPI_INT, 1 - rank, 0, W, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
        MPI_Win_unlock(1 - rank, win), MPI_Win_unlock(rank, win);
    }
    if (IS("shared locks") && rank) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        put(0, 0);
        MPI_Win_unlock(0, win);
    }
    if (IS("outside")) {
        MPI_Win_fence(0, win);
        if (rank == 0) put(1, 16);
    }
    if (IS("nowhere") && !rank) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win), put(1, 1L << 37), MPI_Win_unlock(1, win);
    MPI_Barrier(W);
    if (IS("fence or free") && rank == 0) MPI_Win_fence(0, win);
    if (argc > 2) with_fences(how);
    MPI_Group_free(&all), MPI_Group_free(&first), MPI_Group_free(&second);
    if (!IS("leaked")) MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
