/* The processors of a rank as the C library tells them; the first argument is their number. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(3); \
        } \
    } while (0)

static long seen_by_system(void) {
    unsigned long set[1024 / sizeof(long) / 8];
    return syscall(SYS_sched_getaffinity, 0, sizeof set, set) == sizeof set ? (long) set[0] : -1;
}

static void *bind(void *unused) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(3, &set);
    CHECK(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
    CPU_SET(7, &set);
    CHECK(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0);
    CHECK(CPU_COUNT(&set) == 1 && CPU_ISSET(3, &set) && sched_getcpu() == 3);
    CHECK(syscall(SYS_gettid) == gettid() && gettid() != getpid());
    return unused;
}

int main(int count, char **words) {
    int provided, processors = atoi(words[count - 1]);
    unsigned number, node;
    cpu_set_t set;
    pthread_t thread;
    MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
    CHECK(sysconf(_SC_NPROCESSORS_ONLN) == processors && sysconf(_SC_NPROCESSORS_CONF) == processors);
    CHECK(get_nprocs() == processors && get_nprocs_conf() == processors);
    CHECK(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == processors);
    CHECK(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == processors);
    CHECK(seen_by_system() == (1L << processors) - 1);
    CHECK(sched_getaffinity(0, 4, &set) == -1 && errno == EINVAL);
    CHECK(sched_getaffinity(1, sizeof set, &set) == -1 && errno == ESRCH);
    CHECK(sched_getcpu() == 0);
    CPU_ZERO(&set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == -1 && errno == EINVAL);
    CPU_SET(5, &set);
    CHECK(sched_setaffinity(getpid(), sizeof set, &set) == 0 && seen_by_system() == 1 << 5);
    CHECK(syscall(SYS_getcpu, &number, &node, NULL) == 0 && number == 5 && node == 0);
    CHECK(pthread_create(&thread, NULL, bind, NULL) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(seen_by_system() == 1 << 5);
    CHECK(sysconf(_SC_PAGESIZE) == 4096);
    MPI_Finalize();
    return 0;
}
