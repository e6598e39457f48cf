/* Says where it works, what it was given, and what it reads. "changes" has each rank change its own,
 * "thread" has a thread of each rank do so. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static const char *variable(const char *name)
{
    const char *text = getenv(name);
    return text ? text : "-";
}

static void change(int rank)
{
    char text[32], *kept = strdup("B=put");
    snprintf(text, sizeof text, "%d", rank);
    setenv("A", text, 1);
    setenv("A", "no", 0);
    putenv(kept);
    mkdir(text, 0777);
    if (chdir(text) != 0)
        abort();
    MPI_Barrier(MPI_COMM_WORLD);
    kept[2] = 'P';
    if (rank == 1)
        unsetenv("A");
    if (rank == 2 && (clearenv() != 0 || setenv("", "x", 1) == 0))
        abort();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *change_in_thread(void *rank)
{
    usleep(1);
    change(*(int *)rank);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    char folder[4096], line[64] = "nothing";
    int rank, level, count = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "changes") == 0)
        change(rank);
    if (argc > 1 && strcmp(argv[1], "thread") == 0) {
        pthread_create(&thread, NULL, change_in_thread, &rank);
        setenv("A", "main", 1);
        pthread_join(thread, NULL);
    }
    if (fgets(line, sizeof line, stdin))
        line[strcspn(line, "\n")] = 0;
    for (char **text = environ; text && *text; text++)
        count++;
    const char *last = strrchr(getcwd(folder, sizeof folder), '/');
    printf("%d %s A=%s B=%s %s %s\n", rank, last, variable("A"), variable("B"), line,
           count == 0 ? "bare" : "full");
    MPI_Finalize();
    return 0;
}
