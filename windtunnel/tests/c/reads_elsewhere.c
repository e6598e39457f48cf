/* A buffer of a pending receive is read by another thread, by the C library or by MPI itself. Without an argument each of
   them reads memory beside it. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 40, BESIDE = LENGTH + 3 };

/* What is read beside the buffer begins three bytes behind it. */
static char memory[128] __attribute__((aligned(64)));
static char *text = memory + BESIDE;
static volatile long seen;

static void *reader(void *unused)
{
    (void)unused;
    seen = text[0];
    return NULL;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    char packed[16], word[8] = "17";
    int rank, level, flag, at = 0, is_all = argc < 2;
    MPI_Request request;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!is_all)
        text = memory;
    strcpy(text, "12 words");
    if (rank == 0) {
        MPI_Irecv(memory, LENGTH, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        if (is_all || !strcmp(how, "thread")) {
            pthread_create(&thread, NULL, reader, NULL);
            pthread_join(thread, NULL); /* thread */
        }
        if (is_all || !strcmp(how, "length"))
            seen = strlen(text);
        if (is_all || !strcmp(how, "equal"))
            seen = memcmp(text, word, 2);
        if (is_all || !strcmp(how, "number"))
            seen = strtol(text, NULL, 10);
        if (is_all || !strcmp(how, "print"))
            printf("%s\n", text);
        if (is_all || !strcmp(how, "pack"))
            MPI_Pack(text, 4, MPI_CHAR, packed, sizeof packed, &at, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        if (!flag)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(memory, LENGTH, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
