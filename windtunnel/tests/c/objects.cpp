// Buffers and the objects that hold them. Each case runs on two ranks; those of `sound` are all correct.
#include <mpi.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

struct Particle {
    double x, y, z;
    int number;
    char name[4];
};
struct Pair {
    int number;
    double value;
};
struct Counted {
    int count;
    double values[];
};
enum Color { RED, GREEN };

static double table[8];
static int grid[3][4];

static void broadcast(void *buffer, int count, MPI_Datatype type) {
    MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD);
}

static void backwards(double *first, int count);

static void sound_variables() {
    int number = 1, numbers[10] = {0};
    double values[4] = {0};
    std::size_t size = 1;
    std::int64_t wide = 1;
    long double longest = 1;
    bool truth = true;
    Color color = RED;
    std::complex<double> complex[3];
    std::array<int, 4> array{};
    broadcast(&number, 1, MPI_INT);
    broadcast(&number, 1, MPI_UNSIGNED);
    broadcast(&number, 1, MPI_INT32_T);
    broadcast(numbers + 4, 6, MPI_INT);
    broadcast(values, 4, MPI_DOUBLE);
    broadcast(values, sizeof values, MPI_BYTE);
    broadcast(&size, 1, MPI_UNSIGNED_LONG);
    broadcast(&wide, 1, MPI_LONG_LONG);
    broadcast(&longest, 1, MPI_LONG_DOUBLE);
    broadcast(&truth, 1, MPI_CXX_BOOL);
    broadcast(&color, 1, MPI_INT);
    broadcast(complex, 3, MPI_CXX_DOUBLE_COMPLEX);
    broadcast(complex, 6, MPI_DOUBLE);
    broadcast(array.data(), 4, MPI_INT);
    broadcast(table + 3, 5, MPI_DOUBLE);
    broadcast(&grid[1][2], 6, MPI_INT);
    backwards(table + 4, 3);
}

static void sound_anything() {
    std::uint8_t raw[16] = {0};
    char text[16] = {0};
    union {
        int numbers[2];
        double value;
    } either = {{1, 2}};
    Particle particle{};
    broadcast(raw, 4, MPI_INT);
    broadcast(text, 2, MPI_DOUBLE);
    broadcast(&either, 1, MPI_DOUBLE);
    broadcast(&particle.x, 3, MPI_DOUBLE);
    broadcast(particle.name, 4, MPI_CHAR);
    broadcast(&particle, sizeof particle, MPI_BYTE);
}

static void sound_heap(int length) {
    std::vector<double> values(7);
    std::vector<Particle> particles(5);
    std::vector<std::vector<int>> rows(3, std::vector<int>(5));
    std::string text = "a text that is not kept in the string itself";
    auto floats = std::make_unique<float[]>(9);
    text += " but elsewhere";
    broadcast(values.data(), 7, MPI_DOUBLE);
    broadcast(particles.data(), 5 * sizeof(Particle), MPI_BYTE);
    for (auto &row : rows) broadcast(row.data(), row.size(), MPI_INT);
    broadcast(&text[0], text.size() + 1, MPI_CHAR);
    broadcast(floats.get(), 9, MPI_FLOAT);
    auto *counted = static_cast<Counted *>(malloc(sizeof(Counted) + 16 * sizeof(double)));
    std::memset(counted, 0, sizeof(Counted) + 16 * sizeof(double));
    broadcast(counted->values, 16, MPI_DOUBLE);
    free(counted);
    auto *block = static_cast<double *>(calloc(12, sizeof(double)));
    double *second = block + 4;
    broadcast(second, 8, MPI_DOUBLE);
    block = static_cast<double *>(realloc(block, 40 * sizeof *block));
    std::memset(block, 0, 40 * sizeof *block);
    broadcast(block, 40, MPI_DOUBLE);
    free(block);
    double variable[length];
    std::memset(variable, 0, sizeof variable);
    broadcast(variable, length, MPI_DOUBLE);
}

struct Table {
    std::size_t lengths[15];
};
struct Numbers {
    int *first;
};

// Replaces a table, whose block is used again for something else.
static void load(Table **into) {
    Numbers numbers = {static_cast<int *>(malloc(sizeof(Table)))};
    std::memset(numbers.first, 0, sizeof(Table));
    broadcast(numbers.first, 30, MPI_INT);
    *into = static_cast<Table *>(malloc(sizeof(Table)));
    free(numbers.first);
}

static void sound_pointers() {
    auto *table = static_cast<Table *>(malloc(sizeof(Table)));
    free(table);
    load(&table);
    free(table);
}

static void sound_types() {
    double value = 1;
    float small = 2;
    int number = 3;
    MPI_Aint at[3];
    MPI_Get_address(&value, &at[0]);
    MPI_Get_address(&small, &at[1]);
    MPI_Get_address(&number, &at[2]);
    for (int i = 2; i >= 0; i--) at[i] -= at[0];
    int lengths[3] = {1, 1, 1};
    MPI_Datatype of[3] = {MPI_DOUBLE, MPI_FLOAT, MPI_INT}, three, column;
    MPI_Type_create_struct(3, lengths, at, of, &three);
    MPI_Type_commit(&three);
    broadcast(&value, 1, three);
    MPI_Type_free(&three);
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    broadcast(&grid[0][3], 1, column);
    MPI_Type_free(&column);
    struct {
        double value;
        int place;
    } mine = {1, 0}, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
}

// Blocks in two variables, from their addresses.
static void sound_addresses() {
    static int one, other, first = 1, second = 2;
    const MPI_Count large[] = {1, 1};
    MPI_Aint from[2], to[2];
    MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Get_address(&first, &from[0]), MPI_Get_address(&second, &from[1]);
    MPI_Get_address(&one, &to[0]), MPI_Get_address(&other, &to[1]);
    MPI_Alltoallw_c(MPI_BOTTOM, large, from, types, MPI_BOTTOM, large, to, types, MPI_COMM_WORLD);
}

// A rank at the border fills its halo itself: nothing comes from the null process.
static void sound_border() {
    double halo[4];
    MPI_Request request;
    MPI_Precv_init(halo, 2, 2, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (double &value : halo) value = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Psend_init(halo, 2, 2, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Pready_range(0, 1, request);
    for (double &value : halo) value = 2;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void sound() {
    sound_border();
    sound_addresses();
    sound_variables();
    sound_anything();
    sound_heap(5);
    sound_pointers();
    sound_types();
}

static void short_array() {
    int numbers[10] = {0};
    broadcast(numbers, 11, MPI_INT);
}

static void short_rest() { broadcast(table + 4, 5, MPI_DOUBLE); }

// Every second element of `table`, from one of them backwards.
static void backwards(double *first, int count) {
    MPI_Datatype type;
    MPI_Type_vector(count, 1, -2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(first, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
}

static void before_table() { backwards(table + 2, 3); }

static void short_block() {
    double *values = static_cast<double *>(calloc(10, sizeof(double)));
    broadcast(values, 11, MPI_DOUBLE);
    free(values);
}

// The C library finds the heap damaged when the block is freed, and ends the program.
static void damaged_heap() {
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> mine(1000, rank);
    int *all = static_cast<int *>(malloc((1000 * size - 10) * sizeof *all));
    MPI_Allgather(mine.data(), 1000, MPI_INT, all, 1000, MPI_INT, MPI_COMM_WORLD);
    free(all);
}

static void broadcast_received() {
    int rank;
    long many[4] = {1, 2, 3, 4};
    int few[2] = {0, 0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Bcast(many, 4, MPI_LONG, 0, MPI_COMM_WORLD);
    else MPI_Bcast(few, 4, MPI_LONG, 0, MPI_COMM_WORLD);
}

// Other ranks begin after the block is there.
static void early_block() {
    int rank, *all = static_cast<int *>(malloc(sizeof *all));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free(all);
}

static void short_unpacked() {
    char name[8], packed[100] = "";
    int place = 0;
    MPI_Unpack(packed, 100, &place, name, 12, MPI_CHAR, MPI_COMM_WORLD);
}

static void short_packed() {
    char name[8] = "", packed[100];
    int place = 4;
    MPI_Pack(packed, 40, MPI_CHAR, name, 100, &place, MPI_COMM_WORLD);
}

static char attached[100];

static void short_attached() {
    void *detached;
    int size;
    MPI_Buffer_attach(attached, 5000);
    MPI_Buffer_detach(&detached, &size);
}

static void short_window() {
    int *block = static_cast<int *>(malloc(4 * sizeof *block));
    MPI_Win window;
    MPI_Win_create(block, 8 * sizeof *block, sizeof *block, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    free(block);
}

static void short_reduced() {
    int *block = static_cast<int *>(calloc(4, sizeof *block)), numbers[8] = {};
    MPI_Reduce_local(numbers, block, 8, MPI_INT, MPI_SUM);
    free(block);
}

static int four[4];

// The block of the second rank begins where the variable ends.
static void block_beyond() {
    int mine[4] = {}, counts[] = {4, 4}, places[] = {0, 4};
    MPI_Gatherv(mine, 4, MPI_INT, four, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
}

// Displacements are in bytes: the second block is one element too far, and begins where the variable ends.
static void bytes_beyond() {
    int mine[2] = {}, counts[] = {1, 1}, from[] = {0, 4}, places[] = {0, 16};
    MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Alltoallw(mine, counts, from, types, four, counts, places, types, MPI_COMM_WORLD);
}

static void neighbor_beyond() {
    int length = 2, around = 1, mine[4] = {};
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &length, &around, 0, &ring);
    MPI_Neighbor_allgather(mine, 4, MPI_INT, four, 4, MPI_INT, ring);
    MPI_Comm_free(&ring);
}

// The fault is that they are short, not that they overlap.
static void short_overlapping() {
    struct { int from[2], into[2]; } pairs = {};
    MPI_Allreduce(pairs.from, pairs.into, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void short_vector() {
    std::vector<double> values(7);
    broadcast(values.data(), 8, MPI_DOUBLE);
}

static void vector_itself() {
    std::vector<double> values(7);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send(&values, 7, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(values.data(), 7, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void short_receive() {
    int numbers[10] = {0}, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(numbers, 12, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void short_column() {
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    broadcast(&grid[0][1], 1, column);
    MPI_Type_free(&column);
}

static void short_persistent() {
    int numbers[10] = {0}, rank;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) MPI_Send_init(numbers, 11, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Recv_init(grid, 11, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

// The data of all ranks are in the buffer.
static void short_partitioned(bool sends) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double part[6] = {0}, whole[8] = {0};
    MPI_Request request;
    if (rank == 0)
        MPI_Psend_init(sends ? part : whole, 4, 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(sends ? whole : part, 4, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    if (rank == 0) MPI_Pready_range(0, 3, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void short_partitioned_send() { short_partitioned(true); }

static void short_partitioned_receive() { short_partitioned(false); }

// So far that there is no memory.
enum { FAR = 100000000 };

static void far_broadcast() {
    double few[4] = {0};
    MPI_Bcast(few, FAR, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void far_send() {
    double few[4] = {0};
    MPI_Send(few, FAR, MPI_DOUBLE, 0, 0, MPI_COMM_SELF);
}

static void far_nonblocking_send() {
    double few[4] = {0};
    MPI_Request request;
    MPI_Isend(few, FAR, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void far_exchange() {
    double few[4] = {0}, other[4];
    MPI_Sendrecv(few, FAR, MPI_DOUBLE, 0, 0, other, 4, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

static void far_reduction() {
    double few[4] = {0}, sum[4];
    MPI_Request request;
    MPI_Iallreduce(few, sum, FAR, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void far_put() {
    double few[4] = {0}, *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof few, sizeof(double), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window);
    MPI_Win_fence(0, window);
    MPI_Put(few, FAR, MPI_DOUBLE, 0, 0, FAR, MPI_DOUBLE, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static void far_write() {
    double few[4] = {0};
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "far.data", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write(file, few, FAR, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
}

static void short_in_place() {
    std::vector<int> mine(2);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, mine.data(), 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void sum_of_bytes(void *from, void *into, int *length, MPI_Datatype *type) {
    int bytes;
    MPI_Type_size(*type, &bytes);
    for (int at = 0; at < *length * bytes; at++)
        static_cast<double *>(into)[at] += static_cast<double *>(from)[at];
}

static void operation_beyond() {
    MPI_Op sum;
    MPI_Op_create(sum_of_bytes, 1, &sum);
    double mine[3] = {0}, all[3];
    MPI_Allreduce(mine, all, 3, MPI_DOUBLE, sum, MPI_COMM_WORLD);
    MPI_Op_free(&sum);
}

struct Best {
    double value;
    int rank;
};

// One element too many; both operands end in padding, which belongs to their last elements.
static void best_and_one_more(void *from, void *into, int *length, MPI_Datatype *) {
    const Best *given = static_cast<Best *>(from);
    Best *best = static_cast<Best *>(into);
    for (int at = 0; at <= *length; at++)
        if (best[at].value < given[at].value) best[at] = given[at];
}

static void operation_one_too_far() {
    MPI_Op most;
    MPI_Op_create(best_and_one_more, 1, &most);
    int lengths[] = {1, 1};
    MPI_Aint places[] = {offsetof(Best, value), offsetof(Best, rank)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT}, best;
    MPI_Type_create_struct(2, lengths, places, types, &best);
    MPI_Type_commit(&best);
    Best mine[3] = {}, all[3];
    for (int turn = 0; turn < 2; turn++) MPI_Allreduce(mine, all, 3, best, most, MPI_COMM_WORLD);
    MPI_Type_free(&best);
    MPI_Op_free(&most);
}

// The second block begins where the array ends, beside other variables.
static void structures_beyond() {
    int lengths[] = {1, 1}, blocks[] = {1, 2}, firsts[] = {0, 2};
    MPI_Aint places[] = {offsetof(Best, value), offsetof(Best, rank)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT}, best, some;
    MPI_Type_create_struct(2, lengths, places, types, &best);
    MPI_Type_indexed(2, blocks, firsts, best, &some);
    MPI_Type_commit(&some);
    Best table[4] = {}, others[4] = {};
    int rank, other;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Sendrecv(table + 2, 1, some, other, 0, others, 1, some, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&some);
    MPI_Type_free(&best);
}

static void pass_longs(const std::vector<long> &values) {
    MPI_Bcast(const_cast<long *>(values.data()), 4, MPI_INT, 0, MPI_COMM_WORLD);
}

static void vector_of_longs_as_ints() { pass_longs(std::vector<long>(4)); }

static void float_as_int() {
    float value = 1;
    broadcast(&value, 1, MPI_INT);
}

static void long_as_int() {
    long mine = 1, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void block_of_doubles_as_floats() {
    double *values = static_cast<double *>(calloc(10, sizeof(double)));
    MPI_Bcast(values, 10, MPI_FLOAT, 0, MPI_COMM_WORLD);
    free(values);
}

static void pair_without_its_gap() {
    Pair pair = {1, 2};
    int lengths[2] = {1, 1};
    MPI_Aint at[2] = {0, sizeof(int)};
    MPI_Datatype of[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Type_create_struct(2, lengths, at, of, &type);
    MPI_Type_commit(&type);
    broadcast(&pair, 1, type);
    MPI_Type_free(&type);
}

static void pair_the_other_way_round() {
    Pair pair = {1, 2};
    broadcast(&pair, 1, MPI_DOUBLE_INT);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
#define CASE(name) \
    if (argc > 1 && std::strcmp(argv[1], #name) == 0) name();
    CASE(sound)
    CASE(short_array)
    CASE(short_rest)
    CASE(before_table)
    CASE(short_block)
    CASE(damaged_heap)
    CASE(broadcast_received)
    CASE(early_block)
    CASE(short_unpacked)
    CASE(short_packed)
    CASE(short_attached)
    CASE(short_window)
    CASE(short_reduced)
    CASE(block_beyond)
    CASE(bytes_beyond)
    CASE(neighbor_beyond)
    CASE(short_overlapping)
    CASE(short_vector)
    CASE(vector_itself)
    CASE(short_receive)
    CASE(short_column)
    CASE(short_persistent)
    CASE(short_partitioned_send)
    CASE(short_partitioned_receive)
    CASE(far_broadcast)
    CASE(far_send)
    CASE(far_nonblocking_send)
    CASE(far_exchange)
    CASE(far_reduction)
    CASE(far_put)
    CASE(far_write)
    CASE(short_in_place)
    CASE(operation_beyond)
    CASE(operation_one_too_far)
    CASE(structures_beyond)
    CASE(vector_of_longs_as_ints)
    CASE(float_as_int)
    CASE(long_as_int)
    CASE(block_of_doubles_as_floats)
    CASE(pair_without_its_gap)
    CASE(pair_the_other_way_round)
    MPI_Finalize();
}
