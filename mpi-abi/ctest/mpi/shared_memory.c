/* Ranks share memory and wait for each other there: locks, conditions, barriers, semaphores. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const MPI_Comm W = MPI_COMM_WORLD;

static struct shared {
    pthread_mutex_t mutex, recursive;
    pthread_cond_t condition;
    pthread_barrier_t barrier;
    pthread_rwlock_t lock;
    pthread_spinlock_t spin;
    sem_t semaphore;
    int counter, turn, readers;
    volatile int flag;
} *shared;

static void make(void) {
    pthread_mutexattr_t of_mutex;
    pthread_condattr_t of_condition;
    pthread_barrierattr_t of_barrier;
    pthread_rwlockattr_t of_lock;
    int kind = -1;
    pthread_mutexattr_init(&of_mutex);
    CHECK(pthread_mutexattr_setpshared(&of_mutex, PTHREAD_PROCESS_SHARED) == 0);
    CHECK(pthread_mutexattr_getpshared(&of_mutex, &kind) == 0 && kind == PTHREAD_PROCESS_SHARED);
    CHECK(pthread_mutex_init(&shared->mutex, &of_mutex) == 0);
    pthread_mutexattr_settype(&of_mutex, PTHREAD_MUTEX_RECURSIVE);
    CHECK(pthread_mutexattr_gettype(&of_mutex, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
    CHECK(pthread_mutex_init(&shared->recursive, &of_mutex) == 0);
    pthread_condattr_init(&of_condition);
    pthread_condattr_setpshared(&of_condition, PTHREAD_PROCESS_SHARED);
    pthread_condattr_setclock(&of_condition, CLOCK_MONOTONIC);
    CHECK(pthread_cond_init(&shared->condition, &of_condition) == 0);
    pthread_barrierattr_init(&of_barrier);
    pthread_barrierattr_setpshared(&of_barrier, PTHREAD_PROCESS_SHARED);
    CHECK(pthread_barrier_init(&shared->barrier, &of_barrier, (unsigned)size) == 0);
    pthread_rwlockattr_init(&of_lock);
    pthread_rwlockattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED);
    CHECK(pthread_rwlock_init(&shared->lock, &of_lock) == 0);
    CHECK(pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED) == 0);
    CHECK(sem_init(&shared->semaphore, 1, 0) == 0);
}

/* Each reads the counter, waits, and writes it: lost updates would show. */
static void count(int (*lock)(void), int (*unlock)(void)) {
    for (int round = 0; round < 3; round++) {
        CHECK(lock() == 0);
        int value = shared->counter;
        usleep(20);
        shared->counter = value + 1;
        CHECK(unlock() == 0);
    }
    MPI_Barrier(W);
    CHECK(shared->counter == 3 * size);
    MPI_Barrier(W);
    shared->counter = 0;
    MPI_Barrier(W);
}

static int lock_mutex(void) { return pthread_mutex_lock(&shared->mutex); }
static int unlock_mutex(void) { return pthread_mutex_unlock(&shared->mutex); }
static int lock_twice(void) {
    return pthread_mutex_lock(&shared->recursive) || pthread_mutex_lock(&shared->recursive);
}
static int unlock_twice(void) {
    return pthread_mutex_unlock(&shared->recursive) || pthread_mutex_unlock(&shared->recursive);
}
static int lock_spin(void) { return pthread_spin_lock(&shared->spin); }
static int unlock_spin(void) { return pthread_spin_unlock(&shared->spin); }
static int lock_write(void) { return pthread_rwlock_wrlock(&shared->lock); }
static int unlock_lock(void) { return pthread_rwlock_unlock(&shared->lock); }

static void turns(void) {
    struct timespec end;
    CHECK(pthread_mutex_lock(&shared->mutex) == 0);
    while (shared->turn != rank)
        CHECK(pthread_cond_wait(&shared->condition, &shared->mutex) == 0);
    shared->turn++;
    CHECK(pthread_cond_broadcast(&shared->condition) == 0);
    CHECK(pthread_mutex_unlock(&shared->mutex) == 0);
    MPI_Barrier(W);
    CHECK(shared->turn == size);
    CHECK(pthread_mutex_lock(&shared->mutex) == 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec++;
    double begun = MPI_Wtime();
    CHECK(pthread_cond_timedwait(&shared->condition, &shared->mutex, &end) == ETIMEDOUT);
    CHECK(MPI_Wtime() - begun >= 0.999);
    CHECK(pthread_mutex_unlock(&shared->mutex) == 0);
}

static void readers(void) {
    CHECK(pthread_rwlock_rdlock(&shared->lock) == 0);
    shared->readers++;
    while (shared->readers < size)
        usleep(1);
    CHECK(pthread_rwlock_trywrlock(&shared->lock) == EBUSY);
    MPI_Barrier(W);
    CHECK(pthread_rwlock_unlock(&shared->lock) == 0);
    MPI_Barrier(W);
    CHECK(pthread_rwlock_wrlock(&shared->lock) == 0);
    CHECK(pthread_rwlock_unlock(&shared->lock) == 0);
}

int main(int argc, char **argv) {
    char path[64] = "/tmp/wtXXXXXX";
    int file = -1, serial = 0, all = 0;
    begin(&argc, &argv);
    if (rank == 0) {
        file = mkstemp(path);
        CHECK(file >= 0 && ftruncate(file, sizeof *shared) == 0);
    }
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, W);
    if (rank != 0)
        CHECK((file = open(path, O_RDWR)) >= 0);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(shared != MAP_FAILED);
    if (rank == 0)
        make();
    MPI_Barrier(W);
    count(lock_mutex, unlock_mutex);
    count(lock_twice, unlock_twice);
    count(lock_spin, unlock_spin);
    count(lock_write, unlock_lock);
    turns();
    readers();
    for (int round = 0; round < 3; round++) {
        usleep(100 * ((rank + round) % size));
        serial += pthread_barrier_wait(&shared->barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    MPI_Allreduce(&serial, &all, 1, MPI_INT, MPI_SUM, W);
    CHECK(all == 3);
    if (rank == 0) {
        usleep(700);
        for (int other = 1; other < size; other++)
            CHECK(sem_post(&shared->semaphore) == 0);
    } else {
        CHECK(sem_wait(&shared->semaphore) == 0);
    }
    MPI_Barrier(W);
    if (rank == size - 1) {
        usleep(100);
        shared->flag = 1;
    } else {
        while (!shared->flag)
            sched_yield();
    }
    MPI_Barrier(W);
    munmap(shared, sizeof *shared);
    close(file);
    if (rank == 0)
        unlink(path);
    MPI_Finalize();
    return 0;
}
