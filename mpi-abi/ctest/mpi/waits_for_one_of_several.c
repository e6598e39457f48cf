/* Ranks wait for each other in select, poll, epoll_wait and queues of messages. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[64];
static const MPI_Comm W = MPI_COMM_WORLD;
enum way { SELECT, PSELECT, POLL, PPOLL, EPOLL, EPOLL_PWAIT, WAYS };

/* Whether a descriptor can be read before the time is over, asked in one of the ways. */
static int readable(enum way way, int file, double seconds) {
    struct timeval micros = {(time_t)seconds, (suseconds_t)((seconds - (time_t)seconds) * 1e6)};
    struct timespec nanos = {micros.tv_sec, micros.tv_usec * 1000};
    struct pollfd place = {.fd = file, .events = POLLIN};
    struct epoll_event event = {.events = EPOLLIN, .data.fd = file}, found;
    fd_set set;
    int answer, object;
    sigset_t none;
    sigemptyset(&none);
    FD_ZERO(&set);
    if (file >= 0)
        FD_SET(file, &set);
    switch (way) {
    case SELECT:
        answer = select(file + 1, &set, NULL, NULL, &micros);
        CHECK(answer != 0 || (micros.tv_sec == 0 && micros.tv_usec == 0));
        return answer;
    case PSELECT: return pselect(file + 1, &set, NULL, NULL, &nanos, &none);
    case POLL: return poll(&place, 1, (int)(seconds * 1000));
    case PPOLL: return ppoll(&place, 1, &nanos, &none);
    default:
        object = epoll_create1(0);
        CHECK(object >= 0 && epoll_ctl(object, EPOLL_CTL_ADD, file, &event) == 0);
        answer = way == EPOLL ? epoll_wait(object, &found, 1, (int)(seconds * 1000))
                              : epoll_pwait(object, &found, 1, (int)(seconds * 1000), &none);
        CHECK(answer < 1 || found.data.fd == file);
        close(object);
        return answer;
    }
}

/* Rank 0 serves the others, which come one after another. */
static void served(enum way way) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s/door%d", folder, way);
    if (rank == 0) {
        int door = socket(AF_UNIX, SOCK_STREAM, 0), sum = 0;
        CHECK(bind(door, (struct sockaddr *)&name, sizeof name) == 0 && listen(door, 16) == 0);
        MPI_Barrier(W);
        CHECK(size == 1 || readable(way, door, 100) == 1);
        for (int other = 1; other < size; other++) {
            int value = -1, file = accept(door, NULL, NULL);
            CHECK(file >= 0 && readable(way, file, 100) == 1);
            CHECK(recv(file, &value, sizeof value, 0) == sizeof value);
            sum += value;
            close(file);
        }
        CHECK(sum == size * (size - 1) / 2);
        double begun = MPI_Wtime();
        CHECK(readable(way, door, 0.25) == 0);
        CHECK(MPI_Wtime() - begun > 0.2499 && MPI_Wtime() - begun < 0.3);
        close(door);
        unlink(name.sun_path);
    } else {
        MPI_Barrier(W);
        usleep(1000 * rank);
        int file = socket(AF_UNIX, SOCK_STREAM, 0);
        CHECK(connect(file, (struct sockaddr *)&name, sizeof name) == 0);
        usleep(300);
        CHECK(send(file, &rank, sizeof rank, 0) == sizeof rank);
        close(file);
    }
    MPI_Barrier(W);
}

/* Rank 1 sends more than the queue holds, rank 0 takes its time. */
static void queued(void) {
    char name[80];
    struct mq_attr shape = {.mq_maxmsg = 2, .mq_msgsize = sizeof(int)};
    struct timespec soon = {946684801, 0};
    snprintf(name, sizeof name, "/wt%s", folder + 7);
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &shape);
    if (queue == (mqd_t)-1)
        return;
    MPI_Barrier(W);
    if (rank == 1)
        for (int i = 0; i < 10; i++)
            CHECK(mq_send(queue, (char *)&i, sizeof i, 0) == 0);
    for (int i = 0, value; rank == 0 && size > 1 && i < 10; i++) {
        usleep(50);
        CHECK(mq_receive(queue, (char *)&value, sizeof value, NULL) == sizeof value && value == i);
    }
    MPI_Barrier(W);
    if (rank == 0) {
        char place[8];
        CHECK(mq_timedreceive(queue, place, sizeof place, NULL, &soon) == -1 && errno == ETIMEDOUT);
    }
    MPI_Barrier(W);
    mq_close(queue);
    mq_unlink(name);
}

static volatile sig_atomic_t rung;

static void ring(int signal) {
    rung += signal == SIGALRM;
}

/* A handler ends such a wait; a mask that is given for the wait holds meanwhile. */
static void interrupted(void) {
    struct itimerval once = {.it_value = {0, 1500}};
    struct timespec nanos = {1, 0};
    sigset_t bell, none;
    sigemptyset(&none);
    sigemptyset(&bell);
    sigaddset(&bell, SIGALRM);
    signal(SIGALRM, ring);
    rung = 0;
    setitimer(ITIMER_REAL, &once, NULL);
    double begun = MPI_Wtime();
    CHECK(select(0, NULL, NULL, NULL, &(struct timeval){1, 0}) == -1 && errno == EINTR && rung == 1);
    CHECK(MPI_Wtime() - begun > 0.00149 && MPI_Wtime() - begun < 0.0016);
    sigprocmask(SIG_BLOCK, &bell, NULL);
    setitimer(ITIMER_REAL, &once, NULL);
    usleep(2000);
    CHECK(rung == 1);
    CHECK(pselect(0, NULL, NULL, NULL, &nanos, &none) == -1 && errno == EINTR && rung == 2);
    sigprocmask(SIG_UNBLOCK, &bell, NULL);
    CHECK(rung == 2);
    signal(SIGALRM, SIG_DFL);
}

/* A number of its own for each rank, so high that nothing else in this process takes it meanwhile. */
static void closed(void) {
    int low = socket(AF_UNIX, SOCK_STREAM, 0), file = fcntl(low, F_DUPFD, 1000 + rank);
    fd_set set;
    CHECK(file == 1000 + rank && close(low) == 0);
    FD_ZERO(&set);
    FD_SET(file, &set);
    close(file);
    CHECK(select(file + 1, &set, NULL, NULL, &(struct timeval){0, 0}) == -1 && errno == EBADF);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    strcpy(folder, "/tmp/wtXXXXXX");
    if (rank == 0)
        CHECK(mkdtemp(folder));
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, W);
    for (enum way way = 0; way < WAYS; way++)
        served(way);
    queued();
    interrupted();
    closed();
    if (rank == 0)
        CHECK(rmdir(folder) == 0);
    MPI_Finalize();
    return 0;
}
