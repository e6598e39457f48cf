// Pointers and what they point to as buffers. Each case runs on two ranks; those of `sound` are all correct.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

struct Row {
    int length;
    double *values;
};
struct Link {
    Link *next;
    double value;
};
struct Shape {
    virtual ~Shape() = default;
    double area = 0;
};

static double *kept;

static void broadcast(void *buffer, int count, MPI_Datatype type) {
    MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD);
}

// The pointers to the rows and the rows are in one block.
static void sound_matrix() {
    auto **matrix = static_cast<double **>(malloc(3 * sizeof(double *) + 12 * sizeof(double)));
    double *all = reinterpret_cast<double *>(matrix + 3);
    for (int row = 0; row < 3; row++) matrix[row] = all + 4 * row;
    std::memset(all, 0, 12 * sizeof(double));
    MPI_Bcast(matrix[0], 12, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&matrix[1][2], 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix + 3, 12, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(matrix);
}

struct Matrix {
    double **rows;
};

static void sound_matrix_in_a_structure() {
    Matrix matrix = {static_cast<double **>(malloc(2 * sizeof(double *) + 4 * sizeof(double)))};
    matrix.rows[0] = reinterpret_cast<double *>(matrix.rows + 2);
    matrix.rows[1] = matrix.rows[0] + 2;
    std::memset(matrix.rows[0], 0, 4 * sizeof(double));
    MPI_Bcast(matrix.rows[0], 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(matrix.rows);
}

// What is sent of a structure leaves out its pointers, or has them as addresses or bytes.
static void sound_structures() {
    double values[2] = {0};
    Row row = {2, values};
    Link links[2] = {};
    Shape shape;
    int lengths[] = {1, 1};
    MPI_Aint at[] = {offsetof(Row, length), offsetof(Row, values)};
    MPI_Datatype of[] = {MPI_INT, MPI_AINT}, whole, value, every;
    MPI_Type_create_struct(2, lengths, at, of, &whole);
    MPI_Type_commit(&whole);
    MPI_Bcast(&row, 1, whole, 0, MPI_COMM_SELF);
    MPI_Bcast(&row, sizeof row, MPI_BYTE, 0, MPI_COMM_SELF);
    MPI_Bcast(&row.length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Type_create_hindexed_block(1, 1, &(at[0] = offsetof(Link, value)), MPI_DOUBLE, &value);
    MPI_Type_create_resized(value, 0, sizeof(Link), &every);
    MPI_Type_commit(&every);
    MPI_Bcast(links, 2, every, 0, MPI_COMM_WORLD);
    MPI_Bcast(&shape.area, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Type_free(&whole);
    MPI_Type_free(&value);
    MPI_Type_free(&every);
}

static void sound_others() {
    double value = 0, *pointer = &value, &reference = value;
    void *storage[4] = {nullptr};
    char *name = nullptr;
    union {
        double *where;
        double value;
    } either = {nullptr};
    std::string text = "short";
    MPI_Comm handle = MPI_COMM_WORLD;
    std::intptr_t address = 0;
    MPI_Bcast(pointer, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&reference, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(storage, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&either, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&text[0], 5, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(&name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Bcast(&handle, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(&address, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    pointer = &value;
    MPI_Bcast(&pointer, 1, MPI_AINT, 0, MPI_COMM_SELF);
    MPI_Bcast(&pointer, 1, MPI_UINT64_T, 0, MPI_COMM_SELF);
    MPI_Bcast(&pointer, sizeof pointer, MPI_BYTE, 0, MPI_COMM_SELF);
    broadcast(pointer, 1, MPI_DOUBLE);
}

// A block of pointers serves for numbers afterwards.
static void sound_workspace() {
    auto **block = static_cast<double **>(calloc(8, sizeof(double *)));
    double *numbers = reinterpret_cast<double *>(block);
    MPI_Bcast(numbers, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(block);
}

static void sound() {
    sound_matrix();
    sound_matrix_in_a_structure();
    sound_structures();
    sound_others();
    sound_workspace();
}

static void address_in_place() {
    double *value = static_cast<double *>(calloc(1, sizeof *value));
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void address_of_ints() {
    int rank, *numbers = static_cast<int *>(calloc(2, sizeof *numbers));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send(&numbers, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(numbers, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(numbers);
}

static void address_of_one() {
    float *value = static_cast<float *>(calloc(1, sizeof *value));
    MPI_Bcast(&value, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void address_of_static() { MPI_Bcast(&kept, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }

static void share(double values[], int count) {
    MPI_Bcast(&values, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void address_of_parameter() {
    double values[1] = {0};
    share(values, 1);
}

static void address_of_member() {
    Row row = {3, static_cast<double *>(calloc(3, sizeof(double)))};
    MPI_Bcast(&row.values, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void rows() {
    double values[2][2] = {{0}}, *rows[2] = {values[0], values[1]};
    MPI_Bcast(rows, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void rows_on_the_heap() {
    auto **matrix = static_cast<double **>(malloc(2 * sizeof(double *)));
    for (int row = 0; row < 2; row++) matrix[row] = static_cast<double *>(calloc(2, sizeof(double)));
    MPI_Bcast(matrix, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void vector() {
    std::vector<double> values(3);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send(&values, 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    else MPI_Recv(values.data(), 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void vector_of_rows() {
    double values[4] = {0};
    std::vector<double *> rows = {values, values + 2};
    MPI_Bcast(rows.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void unique() {
    auto value = std::make_unique<double>(1);
    double sum;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
#define CASE(name) \
    if (argc > 1 && std::strcmp(argv[1], #name) == 0) name();
    CASE(sound)
    CASE(address_in_place)
    CASE(address_of_ints)
    CASE(address_of_one)
    CASE(address_of_static)
    CASE(address_of_parameter)
    CASE(address_of_member)
    CASE(rows)
    CASE(rows_on_the_heap)
    CASE(vector)
    CASE(vector_of_rows)
    CASE(unique)
    MPI_Finalize();
    // The addresses of other processes are no addresses here.
    std::_Exit(0);
}
