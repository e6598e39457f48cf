/* Buffers that members of structures, elements of arrays and members of classes point to. The argument names the case. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>
#include <vector>

struct Cell {
    double velocity[3];
    int number;
};

struct Field {
    int length;
    double *values;
    Cell *cells;
    void *raw;
};

/* Views of one block, and a pointer to what is no longer there. */
struct Pool {
    void *memory;
    double *reals;
    int *integers;
    double *before;
};

static Field field;

class Halo {
  public:
    explicit Halo(int length) : length_(length), values_(new double[length]()), more_(length) {}
    ~Halo() { delete[] values_; }
    void exchange(MPI_Datatype datatype) { MPI_Bcast(values_, length_, datatype, 0, MPI_COMM_WORLD); }
    void exchange_more(MPI_Datatype datatype)
    {
        MPI_Bcast(more_.data(), length_, datatype, 0, MPI_COMM_WORLD);
    }

  private:
    int length_;
    double *values_;
    std::vector<double> more_;
};

static MPI_Datatype cell_type(MPI_Datatype number)
{
    MPI_Datatype made, types[2] = {number, MPI_INT};
    int lengths[2] = {3, 1};
    MPI_Aint places[2] = {0, 24};
    MPI_Type_create_struct(2, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

static Field *new_field(int length)
{
    Field *made = static_cast<Field *>(calloc(1, sizeof(Field)));
    made->values = static_cast<double *>(calloc(length, sizeof(double)));
    made->cells = static_cast<Cell *>(calloc(length, sizeof(Cell)));
    made->raw = calloc(length, sizeof(double));
    return made;
}

static void free_field(Field *made)
{
    free(made->values);
    free(made->cells);
    free(made->raw);
    free(made);
}

static void through_pointer(MPI_Datatype datatype)
{
    Field *made = new_field(8);
    MPI_Bcast(made->values, 8, datatype, 0, MPI_COMM_WORLD);
    free_field(made);
}

static void through_cells(MPI_Datatype number)
{
    MPI_Datatype cell = cell_type(number);
    Field *made = new_field(8);
    Field copy = *made;
    MPI_Bcast(copy.cells, 1, cell, 0, MPI_COMM_WORLD);
    free_field(made);
    MPI_Type_free(&cell);
}

static void through_static(MPI_Datatype datatype)
{
    field.values = static_cast<double *>(calloc(8, sizeof(double)));
    MPI_Bcast(field.values, 8, datatype, 0, MPI_COMM_WORLD);
    free(field.values);
}

static void through_array(MPI_Datatype datatype)
{
    double *both[2] = {static_cast<double *>(calloc(8, 8)), static_cast<double *>(calloc(8, 8))};
    MPI_Bcast(both[1], 8, datatype, 0, MPI_COMM_WORLD);
    free(both[0]);
    free(both[1]);
}

static void member() { through_pointer(MPI_FLOAT); }
static void cells() { through_cells(MPI_FLOAT); }
static void static_member() { through_static(MPI_LONG); }
static void element() { through_array(MPI_FLOAT); }
static void method() { Halo(8).exchange(MPI_FLOAT); }
static void vector_in_method() { Halo(8).exchange_more(MPI_INT64_T); }

static void sound()
{
    through_pointer(MPI_DOUBLE);
    through_cells(MPI_DOUBLE);
    through_static(MPI_DOUBLE);
    through_array(MPI_DOUBLE);
    Halo(8).exchange(MPI_DOUBLE);
    Halo(8).exchange_more(MPI_DOUBLE);
    Field *made = new_field(8);
    MPI_Bcast(made->raw, 8, MPI_INT, 0, MPI_COMM_WORLD);
    free_field(made);
    Pool pool;
    pool.before = static_cast<double *>(malloc(64));
    free(pool.before);
    pool.memory = malloc(64);
    memset(pool.memory, 0, 64);
    pool.reals = static_cast<double *>(pool.memory);
    pool.integers = static_cast<int *>(pool.memory);
    MPI_Bcast(pool.memory, 16, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(pool.integers, 16, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(pool.reals, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(pool.memory);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "sound";
    MPI_Init(&argc, &argv);
#define CASE(one)                                                                                                      \
    if (!strcmp(name, #one)) one();
    CASE(sound)
    CASE(member)
    CASE(cells)
    CASE(static_member)
    CASE(element)
    CASE(method)
    CASE(vector_in_method)
    MPI_Finalize();
    return 0;
}
