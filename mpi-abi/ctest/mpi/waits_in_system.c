/* Ranks wait for each other in the system: locks of files, pipes with names, sockets, semaphores. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char folder[64], path[128];
static const MPI_Comm W = MPI_COMM_WORLD;

static const char *at(const char *name) {
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* A counter in a file, which every rank reads, waits, and writes: lost updates would show. */
static void counted(int kind) {
    int value = 0, file = open(at("counter"), O_RDWR | O_CREAT, 0600);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    CHECK(file >= 0);
    if (rank == 0)
        CHECK(pwrite(file, &value, sizeof value, 0) == sizeof value);
    MPI_Barrier(W);
    for (int round = 0; round < 3; round++) {
        CHECK((kind == 0   ? flock(file, LOCK_EX)
               : kind == 1 ? fcntl(file, F_SETLKW, &lock)
                           : lockf(file, F_LOCK, 0)) == 0);
        CHECK(pread(file, &value, sizeof value, 0) == sizeof value);
        value++;
        usleep(100);
        CHECK(pwrite(file, &value, sizeof value, 0) == sizeof value);
        lock.l_type = F_UNLCK;
        CHECK((kind == 0   ? flock(file, LOCK_UN)
               : kind == 1 ? fcntl(file, F_SETLK, &lock)
                           : lockf(file, F_ULOCK, 0)) == 0);
        lock.l_type = F_WRLCK;
    }
    MPI_Barrier(W);
    CHECK(pread(file, &value, sizeof value, 0) == sizeof value && value == 3 * size);
    close(file);
    MPI_Barrier(W);
}

static void pipes(int streams) {
    static char big[200000];
    const char *name = streams ? "stream" : "pipe";
    if (rank > 1)
        return;
    if (rank == 0) {
        for (size_t i = 0; i < sizeof big; i++)
            big[i] = (char)(i * 7);
        FILE *file = streams ? fopen(at(name), "w") : NULL;
        int end = streams ? -1 : open(at(name), O_WRONLY);
        size_t written = file ? fwrite(big, 1, sizeof big, file) : (size_t)write(end, big, sizeof big);
        CHECK(written == sizeof big);
        CHECK((file ? fclose(file) : close(end)) == 0);
        return;
    }
    FILE *file = streams ? fopen(at(name), "r") : NULL;
    int end = streams ? -1 : open(at(name), O_RDONLY);
    size_t all = 0, got;
    usleep(50);
    while ((got = file ? fread(big + all, 1, sizeof big - all, file)
                       : (size_t)read(end, big + all, sizeof big - all)) > 0)
        all += got;
    CHECK(all == sizeof big);
    for (size_t i = 0; i < all; i++)
        CHECK(big[i] == (char)(i * 7));
    CHECK((file ? fclose(file) : close(end)) == 0);
}

static void semaphores(void) {
    char name[128];
    int number = rank == 0 ? (int)getpid() + (int)(MPI_Wtime() * 1e9) : 0;
    struct timespec soon = {946684801, 0};
    MPI_Bcast(&number, 1, MPI_INT, 0, W);
    snprintf(name, sizeof name, "/wt-%s-%d", folder + 5, number);
    sem_t *named = sem_open(name, O_CREAT, 0600, 0);
    CHECK(named != SEM_FAILED);
    MPI_Barrier(W);
    if (rank == 0) {
        usleep(1000);
        for (int other = 1; other < size; other++)
            CHECK(sem_post(named) == 0);
    } else {
        CHECK(sem_wait(named) == 0);
    }
    MPI_Barrier(W);
    CHECK(sem_trywait(named) == -1 && errno == EAGAIN);
    CHECK(sem_timedwait(named, &soon) == -1 && errno == ETIMEDOUT);
    MPI_Barrier(W);
    sem_close(named);
    sem_unlink(name);
}

static void sockets(void) {
    int ends[2] = {-1, -1}, value = 0;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    struct pollfd place = {.fd = ends[0], .events = POLLIN};
    double begun = MPI_Wtime();
    CHECK(poll(&place, 1, 20) == 0 && MPI_Wtime() - begun >= 0.02);
    CHECK(write(ends[1], &rank, sizeof rank) == sizeof rank);
    CHECK(poll(&place, 1, -1) == 1 && recv(ends[0], &value, sizeof value, 0) == sizeof value);
    CHECK(value == rank);
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    CHECK(syscall(SYS_getpid) == getpid());
    strcpy(folder, "/tmp/wtXXXXXX");
    if (rank == 0)
        CHECK(mkdtemp(folder) && mkfifo(at("pipe"), 0600) == 0 && mkfifo(at("stream"), 0600) == 0);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, W);
    for (int kind = 0; kind < 3; kind++)
        counted(kind);
    if (size > 1) {
        pipes(0);
        pipes(1);
    }
    semaphores();
    sockets();
    MPI_Barrier(W);
    if (rank == 0) {
        CHECK(unlink(at("pipe")) == 0 && unlink(at("stream")) == 0 && unlink(at("counter")) == 0);
        CHECK(rmdir(folder) == 0);
    }
    MPI_Finalize();
    syscall(SYS_exit_group, 0);
    return 1;
}
