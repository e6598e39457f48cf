/* Calls of a second thread, under the level that is the first argument. The calls of the second argument are not its
 * to make, though no other rank takes part in them; those of "free" are. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *what;

static void free_calls(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int flag, length, number;
    MPI_Info info;
    MPI_Aint address = 8;
    MPI_Initialized(&flag);
    MPI_Finalized(&flag);
    MPI_Query_thread(&flag);
    MPI_Is_thread_main(&flag);
    MPI_Get_version(&number, &length);
    MPI_Get_library_version(version, &length);
    MPI_Info_create(&info);
    MPI_Info_set(info, "a", "b");
    MPI_Info_free(&info);
    MPI_Error_class(MPI_SUCCESS, &number);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &number);
    MPI_T_finalize();
    address = MPI_Aint_add(address, (MPI_Aint)(MPI_Wtime() * MPI_Wtick()));
    if (address < 0) abort();
}

static void *second(void *unused)
{
    int number = 0, sum = 0, flag, place = 0;
    char room[64];
    void *value;
    MPI_Group group;
    MPI_Request request = MPI_REQUEST_NULL;
    if (strcmp(what, "free") == 0) free_calls();
    if (strcmp(what, "rank") == 0) MPI_Comm_rank(MPI_COMM_WORLD, &number);
    if (strcmp(what, "size") == 0) MPI_Comm_size(MPI_COMM_WORLD, &number);
    if (strcmp(what, "pack") == 0) MPI_Pack(&number, 1, MPI_INT, room, 64, &place, MPI_COMM_WORLD);
    if (strcmp(what, "group") == 0) MPI_Comm_group(MPI_COMM_WORLD, &group);
    if (strcmp(what, "attribute") == 0) MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    if (strcmp(what, "reduce") == 0) MPI_Reduce_local(&number, &sum, 1, MPI_INT, MPI_SUM);
    if (strcmp(what, "wait") == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

int main(int argc, char **argv)
{
    int required = atoi(argv[1]), provided, rank;
    pthread_t thread;
    what = argc > 2 ? argv[2] : "free";
    MPI_Init_thread(&argc, &argv, required == 0 ? MPI_THREAD_SINGLE : required == 1 ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED, &provided);
    pthread_create(&thread, NULL, second, NULL);
    pthread_join(thread, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return 0;
}
