/* What threads of a rank wait for each other with, and what is answered to misuse. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

static struct timespec later(clockid_t clock, double by) {
    double end = seconds(clock) + by;
    struct timespec time = {(time_t)end, (long)((end - (time_t)end) * 1e9)};
    return time;
}

static pthread_t start(void *(*function)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function, argument) == 0);
    return thread;
}

static void end(pthread_t thread) { CHECK(pthread_join(thread, NULL) == 0); }

/* Holds a mutex for a millisecond. */
static void *hold(void *mutex) {
    CHECK(pthread_mutex_lock(mutex) == 0);
    usleep(1000);
    CHECK(pthread_mutex_unlock(mutex) == 0);
    return NULL;
}

static void *unlock_foreign(void *mutex) {
    CHECK(pthread_mutex_unlock(mutex) == EPERM);
    CHECK(pthread_mutex_trylock(mutex) == EBUSY);
    return NULL;
}

static void mutexes(void) {
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, checked;
    pthread_mutexattr_t kind;
    int type = -1;
    pthread_mutexattr_init(&kind);
    CHECK(pthread_mutexattr_settype(&kind, 77) == EINVAL);
    CHECK(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK) == 0);
    CHECK(pthread_mutexattr_gettype(&kind, &type) == 0 && type == PTHREAD_MUTEX_ERRORCHECK);
    CHECK(pthread_mutex_init(&checked, &kind) == 0);
    pthread_mutexattr_destroy(&kind);

    double begin = seconds(CLOCK_MONOTONIC);
    pthread_t holder = start(hold, &plain);
    CHECK(pthread_mutex_trylock(&plain) == EBUSY);
    CHECK(pthread_mutex_destroy(&plain) == EBUSY);
    struct timespec soon = later(CLOCK_REALTIME, 0.5e-3);
    CHECK(pthread_mutex_timedlock(&plain, &soon) == ETIMEDOUT);
    CHECK(seconds(CLOCK_MONOTONIC) - begin > 0.49e-3 && seconds(CLOCK_MONOTONIC) - begin < 0.51e-3);
    struct timespec wrong = {0, 2000000000};
    CHECK(pthread_mutex_timedlock(&plain, &wrong) == EINVAL);
    struct timespec late = later(CLOCK_MONOTONIC, 1);
    CHECK(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &late) == 0);
    CHECK(seconds(CLOCK_MONOTONIC) - begin > 0.99e-3 && seconds(CLOCK_MONOTONIC) - begin < 1.01e-3);
    CHECK(pthread_mutex_unlock(&plain) == 0);
    CHECK(pthread_mutex_destroy(&plain) == 0);
    end(holder);

    for (int i = 0; i < 3; i++)
        CHECK(pthread_mutex_lock(&recursive) == 0);
    end(start(unlock_foreign, &recursive));
    for (int i = 0; i < 3; i++)
        CHECK(pthread_mutex_unlock(&recursive) == 0);
    CHECK(pthread_mutex_unlock(&recursive) == EPERM);

    CHECK(pthread_mutex_lock(&checked) == 0);
    CHECK(pthread_mutex_lock(&checked) == EDEADLK);
    end(start(unlock_foreign, &checked));
    CHECK(pthread_mutex_unlock(&checked) == 0);
    CHECK(pthread_mutex_unlock(&checked) == EPERM);
}

/* Threads take a mutex in the order in which they asked for it. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int order[4], turns;

static void *take_turn(void *number) {
    pthread_mutex_lock(&turn);
    order[turns++] = *(int *)number;
    usleep(10);
    pthread_mutex_unlock(&turn);
    return NULL;
}

static void turns_are_fair(void) {
    pthread_t threads[4];
    int numbers[4];
    pthread_mutex_lock(&turn);
    for (int i = 0; i < 4; i++) {
        numbers[i] = i;
        threads[i] = start(take_turn, &numbers[i]);
    }
    pthread_mutex_unlock(&turn);
    for (int i = 0; i < 4; i++)
        end(threads[i]);
    for (int i = 0; i < 4; i++)
        CHECK(order[i] == i);
}

static void conditions(void) {
    pthread_mutex_t mutex;
    pthread_mutexattr_t kind;
    pthread_cond_t condition;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    CHECK(pthread_condattr_setclock(&clock, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    CHECK(pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0);
    pthread_cond_init(&condition, &clock);
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &kind);
    CHECK(pthread_cond_wait(&condition, &mutex) == EPERM);
    pthread_mutex_lock(&mutex);
    double begin = seconds(CLOCK_MONOTONIC);
    struct timespec soon = later(CLOCK_MONOTONIC, 2e-3);
    CHECK(pthread_cond_timedwait(&condition, &mutex, &soon) == ETIMEDOUT);
    CHECK(seconds(CLOCK_MONOTONIC) - begin > 1.99e-3);
    CHECK(pthread_mutex_lock(&mutex) == EDEADLK);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    CHECK(pthread_cond_signal(&condition) == 0);
    CHECK(pthread_cond_destroy(&condition) == 0);
}

static pthread_barrier_t barrier;
static int serial;

static void *meet(void *argument) {
    for (int i = 0; i < 5; i++) {
        int code = pthread_barrier_wait(&barrier);
        CHECK(code == 0 || code == PTHREAD_BARRIER_SERIAL_THREAD);
        serial += code == PTHREAD_BARRIER_SERIAL_THREAD;
    }
    return argument;
}

static void barriers(void) {
    pthread_t threads[3];
    CHECK(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    CHECK(pthread_barrier_init(&barrier, NULL, 4) == 0);
    for (int i = 0; i < 3; i++)
        threads[i] = start(meet, NULL);
    meet(NULL);
    for (int i = 0; i < 3; i++)
        end(threads[i]);
    CHECK(serial == 5);
    CHECK(pthread_barrier_destroy(&barrier) == 0);
}

static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *read_value(void *place) {
    CHECK(pthread_rwlock_rdlock(&readers) == 0);
    usleep(100);
    *(int *)place = value;
    CHECK(pthread_rwlock_unlock(&readers) == 0);
    return NULL;
}

static void read_write_locks(void) {
    int seen[3] = {0};
    pthread_t threads[3];
    CHECK(pthread_rwlock_wrlock(&readers) == 0);
    CHECK(pthread_rwlock_rdlock(&readers) == EDEADLK);
    CHECK(pthread_rwlock_tryrdlock(&readers) == EBUSY);
    for (int i = 0; i < 3; i++)
        threads[i] = start(read_value, &seen[i]);
    value = 17;
    CHECK(pthread_rwlock_unlock(&readers) == 0);
    CHECK(pthread_rwlock_trywrlock(&readers) == EBUSY);
    struct timespec soon = later(CLOCK_REALTIME, 50e-6);
    CHECK(pthread_rwlock_timedwrlock(&readers, &soon) == ETIMEDOUT);
    double begin = seconds(CLOCK_MONOTONIC);
    CHECK(pthread_rwlock_wrlock(&readers) == 0);
    /* All have read at the same time. */
    CHECK(seconds(CLOCK_MONOTONIC) - begin < 51e-6);
    CHECK(pthread_rwlock_unlock(&readers) == 0);
    for (int i = 0; i < 3; i++) {
        end(threads[i]);
        CHECK(seen[i] == 17);
    }
    CHECK(pthread_rwlock_unlock(&readers) == EPERM);
}

static void *post_twice(void *semaphore) {
    usleep(10);
    sem_post(semaphore);
    sem_post(semaphore);
    return NULL;
}

static void semaphores(void) {
    sem_t semaphore;
    int left = -1;
    CHECK(sem_init(&semaphore, 0, 1) == 0);
    CHECK(sem_wait(&semaphore) == 0);
    CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    struct timespec soon = later(CLOCK_REALTIME, 1e-6);
    CHECK(sem_timedwait(&semaphore, &soon) == -1 && errno == ETIMEDOUT);
    pthread_t poster = start(post_twice, &semaphore);
    CHECK(sem_wait(&semaphore) == 0);
    end(poster);
    CHECK(sem_getvalue(&semaphore, &left) == 0 && left == 1);
    CHECK(sem_destroy(&semaphore) == 0);
}

static pthread_spinlock_t spin;

static void *hold_spin(void *argument) {
    CHECK(pthread_spin_lock(&spin) == 0);
    usleep(10);
    CHECK(pthread_spin_unlock(&spin) == 0);
    return argument;
}

static void spin_locks(void) {
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_t holder = start(hold_spin, NULL);
    CHECK(pthread_spin_trylock(&spin) == EBUSY);
    CHECK(pthread_spin_lock(&spin) == 0);
    CHECK(pthread_spin_unlock(&spin) == 0);
    end(holder);
}

/* The threads of C11. */
static mtx_t own;
static cnd_t told;
static once_flag once = ONCE_FLAG_INIT;
static int said, calls;

static void count_call(void) { calls++; }

static int tell(void *argument) {
    call_once(&once, count_call);
    mtx_lock(&own);
    said = *(int *)argument;
    cnd_signal(&told);
    mtx_unlock(&own);
    return 3;
}

static void threads_of_c11(void) {
    thrd_t thread;
    int number = 11, result = 0;
    mtx_init(&own, mtx_plain);
    cnd_init(&told);
    mtx_lock(&own);
    CHECK(thrd_create(&thread, tell, &number) == thrd_success);
    while (said != 11)
        cnd_wait(&told, &own);
    mtx_unlock(&own);
    CHECK(thrd_join(thread, &result) == thrd_success && result == 3);
    call_once(&once, count_call);
    CHECK(calls == 1 && mtx_trylock(&own) == thrd_success && mtx_trylock(&own) == thrd_busy);
    cnd_destroy(&told);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    mutexes();
    turns_are_fair();
    conditions();
    barriers();
    read_write_locks();
    semaphores();
    spin_locks();
    threads_of_c11();
    MPI_Finalize();
    return 0;
}
