// Statuses, arrays and results, and the objects that hold them. Each case runs on two ranks; those of `sound` are all
// correct.
#include <mpi.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

struct Peers {
    int count;
    MPI_Request requests[];
};
struct Halo {
    int count = 0;
    std::vector<MPI_Request> requests;
    std::array<MPI_Status, 2> statuses;
};

static MPI_Status statuses_of_all[8];
static int rank, other;

// Starts a receive and a send.
static void start(MPI_Request *requests, int *received) {
    MPI_Irecv(received, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &requests[1]);
}

static void sound() {
    int received, count, flag, named;
    auto *peers = static_cast<Peers *>(malloc(sizeof(Peers) + 2 * sizeof(MPI_Request)));
    start(peers->requests, &received);
    MPI_Waitall(2, peers->requests, statuses_of_all);
    free(peers);
    Halo halo;
    halo.requests.resize(2);
    start(halo.requests.data(), &received);
    MPI_Waitall(2, halo.requests.data(), halo.statuses.data());
    MPI_Request two[2];
    int places[2], done;
    start(two, &received);
    do
        MPI_Waitsome(2, two, &done, places, halo.statuses.data());
    while (done != MPI_UNDEFINED);
    union {
        MPI_Status status;
        char bytes[64];
    } either;
    MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &received, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &either.status);
    MPI_Get_count(&either.status, MPI_INT, &count);
    int size, *bound, all[2];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int counts[size], places_of_all[size];
    auto more = std::make_unique<int[]>(size);
    for (int i = 0; i < size; i++) counts[i] = 1, more[i] = places_of_all[i] = i;
    MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, places_of_all, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, more.get(), MPI_INT, MPI_COMM_WORLD);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Get_processor_name(name, &named);
    long numbers[3];
    MPI_Comm_rank(MPI_COMM_WORLD, reinterpret_cast<int *>(&numbers[1]));
}

static void short_statuses() {
    MPI_Request requests[2];
    struct {
        MPI_Status statuses[1];
    } room;
    int received;
    start(requests, &received);
    MPI_Waitall(2, requests, room.statuses);
}

static void short_statuses_on_the_heap() {
    MPI_Request requests[2];
    std::vector<MPI_Status> statuses(1);
    statuses.reserve(1);
    int received;
    start(requests, &received);
    MPI_Waitall(2, requests, statuses.data());
}

static void short_counts() {
    int *counts = static_cast<int *>(calloc(1, sizeof(int))), places[2] = {0, 1}, all[2];
    counts[0] = 1;
    MPI_Gatherv(&rank, rank == 0 ? 1 : 0, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    free(counts);
}

static void attribute_in_an_int() {
    int bound = 0, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
}

static void flag_in_a_byte() {
    bool flag = false;
    MPI_Initialized(reinterpret_cast<int *>(&flag));
}

static void short_coordinates() {
    // Static, so that it does not lie behind the coordinates.
    static MPI_Comm grid;
    int sizes[3] = {2, 1, 1}, periods[3] = {0, 0, 0}, at[2] = {0, 0};
    MPI_Cart_create(MPI_COMM_WORLD, 3, sizes, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 3, at);
    MPI_Comm_free(&grid);
}

static void short_measurement() {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int level, count;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, 0, nullptr, &handle, &count);
    int *value = static_cast<int *>(malloc(sizeof(int)));
    MPI_T_pvar_read(session, handle, value);
    free(value);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

static void short_processor_name() {
    char name[64];
    int length;
    MPI_Get_processor_name(name, &length);
}

static void tiny_processor_name() {
    char name[4];
    int length;
    MPI_Get_processor_name(name, &length);
}

static void short_error_string() {
    char *text = static_cast<char *>(malloc(100));
    int length;
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    free(text);
}

static void short_key() {
    char key[8];
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get_nthkey(info, 0, key);
    MPI_Info_free(&info);
}

// Texts of any length, in arrays that are as long as the standard says.
static void sound_texts() {
    char processor[MPI_MAX_PROCESSOR_NAME], version[MPI_MAX_LIBRARY_VERSION_STRING];
    char error[MPI_MAX_ERROR_STRING], object[MPI_MAX_OBJECT_NAME], port[MPI_MAX_PORT_NAME];
    char key[MPI_MAX_INFO_KEY], value[6];
    int length, found;
    MPI_Info info;
    MPI_Get_processor_name(processor, &length);
    MPI_Get_library_version(version, &length);
    MPI_Error_string(MPI_ERR_RANK, error, &length);
    MPI_Comm_get_name(MPI_COMM_WORLD, object, &length);
    MPI_Type_get_name(MPI_INT, object, &length);
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Close_port(port);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_get_nthkey(info, 0, key);
    // Here the program says how long the array is.
    MPI_Info_get(info, "key", 5, value, &found);
    MPI_Info_free(&info);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
#define CASE(name) \
    if (argc > 1 && std::strcmp(argv[1], #name) == 0) name();
    CASE(sound)
    CASE(short_statuses)
    CASE(short_statuses_on_the_heap)
    CASE(short_counts)
    CASE(attribute_in_an_int)
    CASE(flag_in_a_byte)
    CASE(short_coordinates)
    CASE(short_measurement)
    CASE(short_processor_name)
    CASE(tiny_processor_name)
    CASE(short_error_string)
    CASE(short_key)
    if (argc > 1 && std::strcmp(argv[1], "sound") == 0) sound_texts();
    MPI_Finalize();
}
