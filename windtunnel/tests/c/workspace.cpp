// Variables and blocks that functions on the way to a call use as memory for numbers of another type. With one, two or
// three arguments another call is wrong.
#include <mpi.h>

#include <cstdlib>

static double pool[4000];

struct Sparse {
    int *indices;
    double *values;
    int length;
};
struct Tree {
    Sparse *matrix;
    Tree *next;
};
struct View {
    const float *first;
    int length;
    void send() const { MPI_Bcast(const_cast<float *>(first) + 2, length - 2, MPI_FLOAT, 0, MPI_COMM_WORLD); }
};
union Word {
    int number;
    float value;
};

static void broadcast(void *buffer, int count, MPI_Datatype type) {
    MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD);
}

static void integers(int *numbers, int length) {
    for (int i = 0; i < length; i++) numbers[i] = i;
    MPI_Bcast(numbers, length, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(numbers + 6, length - 6, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&numbers[7], length - 7, MPI_INT, 0, MPI_COMM_WORLD);
    int *last = numbers + length;
    MPI_Bcast(last - 3, 3, MPI_INT, 0, MPI_COMM_WORLD);
}

static void bytes(char *text, int count) { MPI_Bcast(text + 8, count, MPI_INT, 0, MPI_COMM_WORLD); }

static void words(Word *all) {
    for (int i = 0; i < 10; i++) all[i].number = i;
    MPI_Bcast(&all[3].number, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void fill(Sparse *matrix, double *memory, int length) {
    matrix->indices = reinterpret_cast<int *>(memory);
    matrix->values = memory + length;
    matrix->length = length;
    for (int i = 0; i < length; i++) matrix->indices[i] = i, matrix->values[i] = i;
}

static void transfer(const Sparse *matrix) {
    int length = matrix->length;
    MPI_Bcast(matrix->indices, length, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix->values, length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix->indices + 1, length - 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(matrix->values + 1, length - 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void descend(const Tree &tree) {
    broadcast(tree.next->matrix->indices + 3, 4, MPI_INT);
}

static void both(int *numbers, double *values, int other) {
    MPI_Sendrecv(values, 4, MPI_DOUBLE, other, 0, values + 4, 4, MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (other == 1)
        MPI_Sendrecv(numbers + 3, 4, MPI_INT, other, 0, values, 2, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    else
        MPI_Recv(numbers + 9, 4, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void rows(int **first) {
    broadcast(first[2] + 5, 3, MPI_INT);
}

static double own[10];

static void wrong_static() { broadcast(own + 3, 4, MPI_FLOAT); }

static void wrong_pointer(double *start) { broadcast(start + 3, 4, MPI_FLOAT); }

static void wrong_automatic() {
    long longs[10] = {0};
    broadcast(longs + 3, 4, MPI_INT);
}

static void wrong(int which) {
    if (which == 1) wrong_static();
    if (which == 2) wrong_pointer(own);
    if (which == 3) wrong_automatic();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double local[1000] = {0};
    double *heap = static_cast<double *>(calloc(1000, sizeof(double)));
    wrong(argc - 1);
    integers(reinterpret_cast<int *>(local + 500), 500);
    integers(reinterpret_cast<int *>(pool + 500), 500);
    integers(reinterpret_cast<int *>(heap), 500);
    bytes(reinterpret_cast<char *>(local), 10);
    words(reinterpret_cast<Word *>(local));
    double *all[] = {pool, heap, local};
    for (double *memory : all) {
        Sparse matrix;
        fill(&matrix, memory, 100);
        transfer(&matrix);
        Tree last = {&matrix, nullptr}, tree = {nullptr, &last};
        descend(tree);
    }
    float *floats = reinterpret_cast<float *>(pool + 2000);
    for (int i = 0; i < 100; i++) floats[i] = 0;
    broadcast(floats, 100, MPI_FLOAT);
    broadcast(floats + 3, 97, MPI_FLOAT);
    View view = {floats, 10};
    view.send();
    both(reinterpret_cast<int *>(heap + 100), heap, 1 - rank % 2);
    both(reinterpret_cast<int *>(local + 100), local, 1 - rank % 2);
    int *table[3];
    for (int i = 0; i < 3; i++) table[i] = reinterpret_cast<int *>(pool + 3000 + 100 * i);
    rows(table);
    free(heap);
    MPI_Finalize();
}
