/* What operations own, beside what the program, its C library and the system use meanwhile: on pages
   with other variables, in every kind of memory. */
#define _GNU_SOURCE
#include "faults.h"
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int initialised[8] = {1, 2, 3}, zeros[8];
static __thread int own[8];
static const int table[4] = {3, 1, 4, 1};
static volatile int sink;
static volatile sig_atomic_t handled;

static void on_signal(int number) {
    char room[512];
    memset(room, number, sizeof room);
    handled += room[100] == number;
}

/* Sends one number around the ring: from one place, to another. */
static void begin(int *from, int *to) {
    MPI_Irecv(to, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Isend(from, 1, MPI_INT, next, 0, WORLD, &requests[1]);
}
static void end(const int *to, int expected) {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (*to != expected)
        MPI_Abort(WORLD, 1);
}

CASE(heap_and_stack, 2, ok) {
    int val = rank, *p = malloc(64);
    begin(&val, p);
    end(p, prev);
    free(p);
}

CASE(heap_then_stack, 2, ok) {
    int x, y = 2, z = 3, *p = malloc(64);
    if (rank == 0) {
        MPI_Irecv(p, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
        MPI_Irecv(&x, 1, MPI_INT, 1, 1, WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (p[0] != 2 || x != 3)
            MPI_Abort(WORLD, 1);
    } else {
        MPI_Send(&y, 1, MPI_INT, 0, 0, WORLD);
        MPI_Send(&z, 1, MPI_INT, 0, 1, WORLD);
    }
    free(p);
}

CASE(collective_from_the_stack_into_the_heap, 4, ok) {
    int r = rank, *p = malloc(size * sizeof *p);
    MPI_Iallgather(&r, 1, MPI_INT, p, 1, MPI_INT, WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        if (p[i] != i)
            MPI_Abort(WORLD, 1);
    free(p);
}

CASE(ends_with_a_request_pending, 2, request-lifecycle) {
    int *p = malloc(64), x;
    MPI_Irecv(p, 1, MPI_INT, prev, 0, WORLD, &requests[0]);
    MPI_Irecv(&x, 1, MPI_INT, prev, 1, WORLD, &requests[1]);
    printf("the end\n");
    MPI_Finalize();
    exit(0);
}

CASE(both_kinds_on_one_page, 2, ok) {
    int x[8] = {rank}, i;
    begin(&x[0], &x[1]);
    for (i = 2; i < 8; i++)
        x[i] = x[0] + i;
    sink = x[5];
    end(&x[1], prev);
}

CASE(read_owned_beside_write_owned_is_written, 2, local-concurrency) {
    int *p = calloc(16, sizeof *p);
    begin(&p[0], &p[1]);
    p[0] = p[0];
    *(volatile int *)p = 0;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    free(p);
}

CASE(write_owned_beside_read_owned_is_read, 2, local-concurrency) {
    int x[8] = {rank};
    begin(&x[0], &x[1]);
    sink = *(volatile int *)&x[1];
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

CASE(variables_of_the_program, 3, ok) {
    initialised[0] = rank;
    begin(&initialised[0], &zeros[0]);
    initialised[1]++;
    zeros[1] = initialised[1];
    end(&zeros[0], prev);
}

CASE(variables_of_the_program_read, 3, local-concurrency) {
    begin(&initialised[0], &zeros[0]);
    sink = *(volatile int *)zeros;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

CASE(thread_local_memory, 3, ok) {
    own[0] = rank;
    begin(&own[0], &own[4]);
    own[1] = 5;
    sink = own[1];
    end(&own[4], prev);
}

CASE(thread_local_memory_read, 3, local-concurrency) {
    begin(&own[0], &own[4]);
    sink = *(volatile int *)&own[4];
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

CASE(constants_are_sent, 3, ok) {
    int x;
    begin((int *)table, &x);
    sink = table[1];
    end(&x, 3);
}

CASE(memory_of_alloca, 3, ok) {
    int *p = alloca(2 * sizeof *p), *q = alloca(100 * sizeof *q);
    p[0] = rank;
    begin(p, &q[50]);
    q[49] = q[51] = 7;
    end(&q[50], prev);
}

CASE(mapped_memory, 3, ok) {
    int *p = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), x;
    p[0] = rank;
    begin(p, &p[1024]);
    x = p[1025] = p[1] = 4;
    end(&p[1024], prev + 0 * x);
    munmap(p, 8192);
}

CASE(mapped_memory_is_unmapped_meanwhile, 3, ok) {
    int *p = malloc(1 << 20), *q = malloc(1 << 20), x = rank, y;
    p[0] = 1;
    begin(&x, &y);
    free(p);
    q[7] = 1;
    q = realloc(q, 1 << 22);
    end(&y, prev + q[7] - 1);
    free(q);
}

CASE(the_library_writes_to_the_stack, 3, ok) {
    int x = rank, y;
    char text[64], name[] = "a name beside";
    begin(&x, &y);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    time_t date = time(0);
    struct tm *parts = localtime(&date);
    snprintf(text, sizeof text, "%d %s %zu %.3f", rank, name, strlen(name), now.tv_sec + 0.5);
    if (!strchr(text, 'b') || strcmp(name, "a name beside") || parts->tm_year < 100)
        MPI_Abort(WORLD, 2);
    printf("%s\n", text);
    end(&y, prev);
}

CASE(the_system_writes_to_the_stack, 3, ok) {
    int x = rank, y;
    char text[32] = {0}, file[64];
    struct stat about;
    struct timespec short_time = {0, 1000};
    begin(&x, &y);
    /* In the working folder, of which each execution has a view of its own. */
    snprintf(file, sizeof file, "written-by-watched-rank-%d", rank);
    int fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || write(fd, file, 20) != 20 || fstat(fd, &about) != 0 || about.st_size != 20)
        MPI_Abort(WORLD, 2);
    if (lseek(fd, 0, SEEK_SET) != 0 || read(fd, text, 20) != 20 || memcmp(text, file, 20) != 0)
        MPI_Abort(WORLD, 3);
    if (stat(file, &about) != 0 || stat("/no/such/file", &about) == 0 || errno != ENOENT)
        MPI_Abort(WORLD, 4);
    close(fd);
    unlink(file);
    nanosleep(&short_time, 0);
    if (!getcwd(file, sizeof file))
        MPI_Abort(WORLD, 5);
    end(&y, prev);
}

CASE(streams_share_the_heap, 3, ok) {
    int *p = malloc(64), x = rank;
    char *line = 0, word[16];
    size_t room = 0;
    FILE *file = tmpfile();
    begin(&x, p);
    fprintf(file, "one two %d\nthree\n", rank);
    fwrite("four\n", 1, 5, file);
    rewind(file);
    if (getline(&line, &room, file) <= 0 || strncmp(line, "one two", 7) != 0)
        MPI_Abort(WORLD, 2);
    if (fscanf(file, "%15s", word) != 1 || strcmp(word, "three") != 0)
        MPI_Abort(WORLD, 3);
    free(line);
    fclose(file);
    end(p, prev);
    free(p);
}

CASE(much_is_computed_on_the_page, 3, ok) {
    int x = rank, y;
    volatile double sum[4] = {0};
    begin(&x, &y);
    for (int i = 0; i < 20000; i++)
        sum[i % 4] += i;
    end(&y, prev);
    sink = sum[1];
}

CASE(signals_are_handled, 3, ok) {
    int x = rank, y, *p = malloc(64);
    signal(SIGUSR1, on_signal);
    signal(SIGFPE, on_signal);
    begin(&x, &y);
    raise(SIGUSR1);
    raise(SIGFPE);
    end(&y, prev);
    begin(&x, p);
    raise(SIGUSR1);
    end(p, prev);
    free(p);
    if (handled != 3)
        MPI_Abort(WORLD, 2);
}

CASE(a_mask_is_changed, 3, ok) {
    int x = rank, y;
    sigset_t set, before;
    begin(&x, &y);
    sigemptyset(&set);
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    sink = x + rank;
    sigprocmask(SIG_SETMASK, &before, 0);
    end(&y, prev);
}

CASE(a_command_runs_meanwhile, 2, ok) {
    int x = rank, y;
    char text[32] = {0};
    begin(&x, &y);
    FILE *pipe = popen("echo out", "r");
    if (!pipe || !fgets(text, sizeof text, pipe) || strcmp(text, "out\n") != 0)
        MPI_Abort(WORLD, 2);
    pclose(pipe);
    end(&y, prev);
}

CASE(a_copy_reads_what_is_received, 3, local-concurrency) {
    int x = rank, y = -1, z[2];
    begin(&x, &y);
    memcpy(z, &y, sizeof y + 0 * size);
    sink = z[0];
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

CASE(the_system_reads_what_is_received, 2, local-concurrency) {
    int x = rank, y = 0, fd = open("/dev/null", O_WRONLY);
    begin(&x, &y);
    sink = write(fd, &y, sizeof y);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    close(fd);
}

CASE(the_system_writes_to_what_is_sent, 2, local-concurrency) {
    int x = 0, y, fd = open("/dev/zero", O_RDONLY);
    begin(&x, &y);
    sink = read(fd, &x, sizeof x);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    close(fd);
}

CASE(the_system_reads_what_is_sent, 2, ok) {
    int x = rank, y, fd = open("/dev/null", O_WRONLY);
    begin(&x, &y);
    sink = write(fd, &x, sizeof x);
    end(&y, prev);
    close(fd);
}

CASE(a_rank_is_struck_while_pages_are_closed, 2, error) {
    int x = rank, y, *p = malloc(64);
    begin(&x, p);
    *(volatile int *)8 = 1;
    end(p, prev);
    sink = y = 0;
}

CASE(a_rank_exits_while_pages_are_closed, 2, error) {
    int x = rank, *p = malloc(64);
    begin(&x, p);
    if (rank == 1)
        exit(3);
    end(p, prev);
}

CASE(a_buffer_is_unmapped_and_written, 2, error) {
    int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), x = 1;
    begin(&x, p);
    munmap(p, 4096);
    *(volatile int *)p = 5;
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
