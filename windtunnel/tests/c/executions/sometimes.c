/* Leaves something behind in those executions in which rank 0 hears of rank 2 first, and refuses to begin if an
   earlier execution has left it. The first argument says what, the second may name a file. */
#include <fcntl.h>
#include <mpi.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY = 0x57a9b4 };

static const char *const name = "/windtunnel-sometimes";

/* Leaves it, or reports whether it is there. `path` is that of the file, or null for one in the working folder. */
static int thing(const char *what, const char *path, int leaves) {
    const int flags = leaves ? O_CREAT | O_EXCL | O_RDWR : O_RDWR;
    const int get = (leaves ? IPC_CREAT | IPC_EXCL : 0) | 0600;
    struct stat folder;
    if (!strcmp(what, "file")) {
        const char *left = path ? path : "left";
        return leaves ? open(left, flags, 0600) >= 0 : access(left, F_OK) == 0;
    }
    if (!strcmp(what, "inside")) {
        return leaves ? open("inner/left", flags, 0600) >= 0 : access("inner/left", F_OK) == 0;
    }
    if (!strcmp(what, "removed")) {
        const char *given = path ? path : "given";
        return leaves ? unlink(given) == 0 : access(given, F_OK) != 0;
    }
    if (!strcmp(what, "changed")) {
        int given = open("given", leaves ? O_RDWR : O_RDONLY);
        char first = 0;
        return leaves ? write(given, "!", 1) == 1 : read(given, &first, 1) == 1 && first == '!';
    }
    if (!strcmp(what, "mode")) {
        return leaves ? chmod(".", 0711) == 0 : stat(".", &folder) == 0 && (folder.st_mode & 0777) == 0711;
    }
    if (!strcmp(what, "late")) {
        return leaves ? system("(sleep 0.3; touch late) &") == 0 : access("late", F_OK) == 0;
    }
    if (!strcmp(what, "memory")) {
        return shm_open(name, flags, 0600) >= 0;
    }
    if (!strcmp(what, "semaphore")) {
        return (leaves ? sem_open(name, O_CREAT | O_EXCL, 0600, 1) : sem_open(name, 0)) != SEM_FAILED;
    }
    if (!strcmp(what, "queue")) {
        return (leaves ? mq_open(name, flags, 0600, NULL) : mq_open(name, flags)) != (mqd_t)-1;
    }
    if (!strcmp(what, "shmget")) {
        return shmget(KEY, 4096, get) >= 0;
    }
    if (!strcmp(what, "msgget")) {
        return msgget(KEY, get) >= 0;
    }
    return semget(KEY, 1, get) >= 0;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, first = 0, other;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        if (thing(argv[1], argv[2], 0)) {
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        for (int left = size - 1; left > 0; left--) {
            MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            first = first ? first : other;
        }
        if (first == 2 && !thing(argv[1], argv[2], 1)) {
            perror(argv[1]);
            MPI_Abort(MPI_COMM_WORLD, 4);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
