/* Starts workers of other programs, which it finds beside itself. */
#include "check.h"

static MPI_Info keys(const char *key, const char *value) {
    MPI_Info info;
    MPI_Info_create(&info);
    if (key) MPI_Info_set(info, key, value);
    return info;
}

/* As many as may be, of the numbers that will do. */
static void soft(MPI_Comm self) {
    MPI_Comm workers;
    MPI_Info info = keys("soft", "1:8:2");
    int codes[4], number;
    MPI_Comm_spawn("worker", MPI_ARGV_NULL, 4, info, 0, self, &workers, codes);
    MPI_Comm_remote_size(workers, &number);
    CHECK(number == 3 && codes[2] == MPI_SUCCESS && codes[3] == MPI_ERR_SPAWN);
    MPI_Comm_disconnect(&workers);
    MPI_Info_free(&info);
}

/* Two commands, one world: the workers' first reports who runs what. */
static void several(MPI_Comm self) {
    char *commands[] = {"worker", "./worker"}, *one[] = {"a", NULL}, *none[] = {NULL};
    char **arguments[] = {one, none};
    int most[] = {2, 1}, numbers[3], counts[3];
    MPI_Info infos[] = {MPI_INFO_NULL, keys("wdir", "/")};
    MPI_Comm workers;
    MPI_Comm_spawn_multiple(2, commands, arguments, most, infos, 0, self, &workers,
                            MPI_ERRCODES_IGNORE);
    MPI_Recv(numbers, 3, MPI_INT, 0, 1, workers, MPI_STATUS_IGNORE);
    MPI_Recv(counts, 3, MPI_INT, 0, 1, workers, MPI_STATUS_IGNORE);
    CHECK(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 1);
    CHECK(counts[0] == 2 && counts[1] == 2 && counts[2] == 1);
    MPI_Comm_disconnect(&workers);
    /* They end meanwhile: there is room for others. */
    windtunnel_compute(1.0);
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, most, infos, 0, self, &workers,
                            MPI_ERRCODES_IGNORE);
    MPI_Recv(numbers, 3, MPI_INT, 0, 1, workers, MPI_STATUS_IGNORE);
    MPI_Recv(counts, 3, MPI_INT, 0, 1, workers, MPI_STATUS_IGNORE);
    CHECK(counts[0] == 1 && counts[1] == 1 && counts[2] == 1);
    MPI_Comm_disconnect(&workers);
    MPI_Info_free(&infos[1]);
}

/* What cannot be started is told to all, with a class; nobody is disturbed. */
static void failing(void) {
    char *commands[] = {"worker", "no such worker"};
    int most[] = {1, 2}, codes[4] = {0, 0, 0, 9};
    MPI_Comm comm = MPI_COMM_WORLD, world = MPI_COMM_WORLD;
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    MPI_Info bad[] = {keys("soft", "4:1"), keys("asp", "none"), keys("host", "node9999")};
    return_errors();
    GIVES(MPI_ERR_SPAWN, MPI_Comm_spawn("./nobody", MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, world, &comm,
                                        codes));
    CHECK(comm == MPI_COMM_NULL && codes[0] == MPI_ERR_SPAWN && codes[2] == MPI_ERR_SPAWN);
    CHECK(codes[3] == 9);
    codes[2] = 0;
    GIVES(MPI_ERR_SPAWN, MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, most, infos, 0, world,
                                                 &comm, codes));
    CHECK(codes[2] == MPI_ERR_SPAWN && codes[3] == 9);
    /* A text is no program, and neither is a program without MPI. */
    GIVES(MPI_ERR_SPAWN, MPI_Comm_spawn("/etc/passwd", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, world,
                                        &comm, MPI_ERRCODES_IGNORE));
    GIVES(MPI_ERR_SPAWN, MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, world, &comm,
                                        MPI_ERRCODES_IGNORE));
    int expected[] = {MPI_ERR_INFO_VALUE, MPI_ERR_INFO_VALUE, MPI_ERR_SPAWN};
    for (int at = 0; at < 3; at++) {
        GIVES(expected[at], MPI_Comm_spawn("worker", MPI_ARGV_NULL, 1, bad[at], 0, world, &comm,
                                           MPI_ERRCODES_IGNORE));
        MPI_Info_free(&bad[at]);
    }
    GIVES(MPI_ERR_ARG, MPI_Comm_spawn("worker", MPI_ARGV_NULL, -1, MPI_INFO_NULL, 0, world, &comm,
                                      MPI_ERRCODES_IGNORE));
    GIVES(MPI_ERR_SPAWN, MPI_Comm_spawn("worker", MPI_ARGV_NULL, 0, MPI_INFO_NULL, 0, world, &comm,
                                        MPI_ERRCODES_IGNORE));
    GIVES(MPI_ERR_COUNT, MPI_Comm_spawn_multiple(0, commands, MPI_ARGVS_NULL, most, infos, 0, world,
                                                 &comm, MPI_ERRCODES_IGNORE));
    GIVES(MPI_ERR_ARG, MPI_Comm_spawn(NULL, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, world, &comm,
                                      MPI_ERRCODES_IGNORE));
    GIVES(MPI_ERR_ROOT, MPI_Comm_spawn("worker", MPI_ARGV_NULL, 1, MPI_INFO_NULL, size, world, &comm,
                                       MPI_ERRCODES_IGNORE));
    GIVES(MPI_ERR_COMM, MPI_Comm_spawn("worker", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_NULL,
                                       &comm, MPI_ERRCODES_IGNORE));
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, world);
    CHECK(sum == size * (size - 1) / 2);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    int universe = 7;
    if (rank == 0) {
        int *value, flag;
        MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
        CHECK(flag && *value == universe);
        several(MPI_COMM_SELF);
        windtunnel_compute(1.0);
        soft(MPI_COMM_SELF);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    failing();
    MPI_Finalize();
    return 0;
}
