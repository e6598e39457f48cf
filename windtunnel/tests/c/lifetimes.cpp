// Buffers in blocks that have been freed, or that begin in front of one. Those of `sound` are all correct.
#include <mpi.h>

#include <cstdlib>
#include <cstring>
#include <vector>

struct Point {
    double at;
    int number;
};

static int rank;

static void pass(int *buffer, int count) {
    int taken[16];
    if (rank == 0)
        MPI_Send(buffer, count, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(taken, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int *numbers(int count) { return static_cast<int *>(std::calloc(count, sizeof(int))); }

static MPI_Datatype point_type() {
    MPI_Datatype plain, resized;
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, sizeof(double)};
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, &plain);
    MPI_Type_create_resized(plain, 0, sizeof(Point), &resized);
    MPI_Type_commit(&resized);
    MPI_Type_free(&plain);
    return resized;
}

static void sound() {
    // Blocks of all sizes come and go, and their memory is used again.
    for (int round = 0; round < 200; round++) {
        int *block = numbers(8 + round % 5);
        pass(block, 8);
        std::free(block);
        std::vector<int> growing;
        for (int i = 0; i < 16; i++)
            growing.push_back(i);
        pass(growing.data(), 16);
        char *text = strdup("a text of the C library in a block of its own");
        MPI_Bcast(text, 16, MPI_CHAR, 0, MPI_COMM_WORLD);
        std::free(text);
    }
    int *moved = numbers(4);
    moved = static_cast<int *>(std::realloc(moved, 40000 * sizeof(int)));
    pass(moved + 3, 16);
    std::free(moved);
    MPI_Datatype point = point_type();
    std::vector<Point> points(5);
    MPI_Bcast(points.data(), 5, point, 0, MPI_COMM_WORLD);
    // Members of two variables, of which each is an array.
    double values[3] = {0};
    int counts[3] = {0};
    MPI_Datatype both, columns;
    int lengths[2] = {1, 3};
    MPI_Aint places[2];
    MPI_Get_address(values, &places[0]);
    MPI_Get_address(counts, &places[1]);
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, &both);
    MPI_Type_commit(&both);
    MPI_Bcast(MPI_BOTTOM, 1, both, 0, MPI_COMM_WORLD);
    MPI_Type_vector(2, 1, 2, point, &columns);
    MPI_Type_commit(&columns);
    MPI_Bcast(points.data(), 1, columns, 0, MPI_COMM_WORLD);
    MPI_Type_free(&columns);
    MPI_Type_free(&both);
    MPI_Type_free(&point);
    void *attached = std::malloc(1000 + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(attached, 1000 + MPI_BSEND_OVERHEAD);
    int size;
    MPI_Buffer_detach(&attached, &size);
    std::free(attached);
    MPI_Alloc_mem(64, MPI_INFO_NULL, &attached);
    pass(static_cast<int *>(attached), 16);
    MPI_Free_mem(attached);
}

static void freed() {
    int *block = numbers(8);
    std::free(block);
    pass(block, 8);
}

static void deleted() {
    int *block = new int[8]();
    int *inside = block + 4;
    delete[] block;
    pass(inside, 4);
}

static void grown() {
    std::vector<int> values(8);
    int *before = values.data();
    values.resize(100);
    pass(before, 8);
}

static void freed_by_mpi() {
    int *block;
    MPI_Alloc_mem(32, MPI_INFO_NULL, &block);
    std::memset(block, 0, 32);
    MPI_Free_mem(block);
    pass(block, 8);
}

static void beyond_mpi() {
    int *block;
    MPI_Alloc_mem(32, MPI_INFO_NULL, &block);
    pass(block, 10);
    MPI_Free_mem(block);
}

static void before() {
    int *block = numbers(8);
    pass(block - 2, 8);
    std::free(block);
}

static void before_by_type() {
    int *block = numbers(8);
    MPI_Datatype type;
    int length = 1;
    MPI_Aint place = -8;
    MPI_Type_create_hindexed(1, &length, &place, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(block, 1, type, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(block, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    std::free(block);
}

static void started_again() {
    int *block = numbers(8), other[8];
    MPI_Request request;
    if (rank == 0)
        MPI_Send_init(block, 8, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(other, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (int round = 0; round < 2; round++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (round == 0)
            std::free(block);
    }
    MPI_Request_free(&request);
}

static void attached() {
    int size = 4 + MPI_BSEND_OVERHEAD, value = 5;
    void *block = std::malloc(size), *back;
    MPI_Buffer_attach(block, size);
    if (rank == 0)
        MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    std::free(block);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&back, &size);
}

static void window() {
    int *block = numbers(8);
    MPI_Win window;
    MPI_Win_create(block, 32, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    std::free(block);
    MPI_Win_free(&window);
}

static void window_part() {
    int *block = numbers(8);
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, block, 32);
    std::free(block);
    MPI_Win_detach(window, block);
    MPI_Win_free(&window);
}

static void vector_of_points() {
    MPI_Datatype point = point_type();
    std::vector<Point> points(5);
    if (rank == 0)
        MPI_Send(&points, 5, point, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(points.data(), 5, point, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&point);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#define CASE(name) \
    if (argc > 1 && std::strcmp(argv[1], #name) == 0) name();
    CASE(sound)
    CASE(freed)
    CASE(deleted)
    CASE(grown)
    CASE(freed_by_mpi)
    CASE(beyond_mpi)
    CASE(before)
    CASE(before_by_type)
    CASE(started_again)
    CASE(attached)
    CASE(window)
    CASE(window_part)
    CASE(vector_of_points)
    MPI_Finalize();
}
