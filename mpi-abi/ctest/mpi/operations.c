/* Operations of the program: order, derived types, what they may call, how long they live. */
#include "check.h"

/* 2x2 matrices multiply, which no order may change. */
typedef struct { long a, b, c, d; } Matrix;

static Matrix times(Matrix x, Matrix y) {
    Matrix z = {(x.a * y.a + x.b * y.c) % 9973, (x.a * y.b + x.b * y.d) % 9973,
                (x.c * y.a + x.d * y.c) % 9973, (x.c * y.b + x.d * y.d) % 9973};
    return z;
}

static int same(Matrix x, Matrix y) { return !memcmp(&x, &y, sizeof x); }
static Matrix of(int who) { return (Matrix){who + 1, 2, who % 3, 1}; }
static const Matrix one = {1, 0, 0, 1};

static Matrix product(int first, int last) {
    Matrix all = one;
    for (int i = first; i < last; i++)
        all = times(all, of(i));
    return all;
}

static int called;
static MPI_Datatype expected;

static void multiply(void *in, void *inout, int *length, MPI_Datatype *type) {
    Matrix *x = in, *y = inout;
    MPI_Aint lb, extent;
    CHECK(*type == expected);
    CHECK(MPI_Type_get_extent(*type, &lb, &extent) == MPI_SUCCESS && extent == sizeof(Matrix));
    called += 1;
    for (int i = 0; i < *length; i++)
        y[i] = times(x[i], y[i]);
}

static void multiply_many(void *in, void *inout, MPI_Count *length, MPI_Datatype *type) {
    int count = (int)*length;
    multiply(in, inout, &count, type);
}

static void ordered(MPI_Op op) {
    Matrix mine[4], got[4], blocks[8];
    for (int i = 0; i < 4; i++)
        mine[i] = of(rank);
    for (int root = 0; root < size; root++) {
        CHECK(MPI_Reduce(mine, got, 4, expected, op, root, MPI_COMM_WORLD) == MPI_SUCCESS);
        CHECK(rank != root || (same(got[0], product(0, size)) && same(got[3], product(0, size))));
    }
    CHECK(MPI_Allreduce(mine, got, 4, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[2], product(0, size)));
    CHECK(MPI_Scan(mine, got, 3, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[2], product(0, rank + 1)));
    got[1] = of(77);
    CHECK(MPI_Exscan(mine, got, 1, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(rank == 0 || same(got[0], product(0, rank)));
    CHECK(same(got[1], of(77)));
    int counts[8];
    for (int i = 0; i < 8; i++)
        blocks[i] = of(rank), counts[i] = i % 2;
    CHECK(MPI_Reduce_scatter_block(blocks, got, 1, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[0], product(0, size)));
    got[0] = of(5);
    CHECK(MPI_Reduce_scatter(blocks, got, counts, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[0], rank % 2 ? product(0, size) : of(5)));
    /* In place. */
    got[0] = of(rank);
    CHECK(MPI_Allreduce(MPI_IN_PLACE, got, 1, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[0], product(0, size)));
    got[0] = of(rank);
    CHECK(MPI_Scan(MPI_IN_PLACE, got, 1, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[0], product(0, rank + 1)));
    got[0] = of(rank);
    CHECK(MPI_Exscan(MPI_IN_PLACE, got, 1, expected, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(same(got[0], rank ? product(0, rank) : of(0)));
}

/* Elements with gaps: the function sees them laid out, gaps and all. */
static void add_gappy(void *in, void *inout, int *length, MPI_Datatype *type) {
    int *x = in, *y = inout;
    (void)type;
    for (int i = 0; i < *length; i++)
        y[3 * i] += x[3 * i], y[3 * i + 2] += x[3 * i + 2];
}

static void gaps(void) {
    MPI_Datatype pair, gappy;
    MPI_Op op;
    int mine[9], got[9];
    MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 3 * sizeof(int), &gappy);
    MPI_Type_commit(&gappy);
    MPI_Type_free(&pair);
    MPI_Op_create(add_gappy, 1, &op);
    for (int i = 0; i < 9; i++)
        mine[i] = i, got[i] = -1;
    CHECK(MPI_Allreduce(mine, got, 3, gappy, op, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < 9; i++)
        CHECK(got[i] == (i % 3 == 1 ? -1 : size * i));
    CHECK(MPI_Reduce_local(mine, got, 3, gappy, op) == MPI_SUCCESS);
    CHECK(got[8] == (size + 1) * 8 && got[7] == -1);
    MPI_Op_free(&op);
    MPI_Type_free(&gappy);
}

/* What a function of the program may do: print, allocate, ask MPI about objects and its own rank. */
static void busy(void *in, void *inout, int *length, MPI_Datatype *type) {
    int bytes, me, flag;
    int *copy = malloc(*length * sizeof(int));
    memcpy(copy, in, *length * sizeof(int));
    MPI_Type_size(*type, &bytes);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Initialized(&flag);
    CHECK(bytes == sizeof(int) && me == rank && flag);
    char text[32];
    snprintf(text, sizeof text, "%d", copy[0]);
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += copy[i];
    free(copy);
    called += 1;
}

static void lives(void) {
    MPI_Op op, twin;
    MPI_Request request;
    int mine = rank, got = -1, flag = -1;
    called = 0;
    CHECK(MPI_Op_create(busy, 1, &op) == MPI_SUCCESS);
    twin = op;
    CHECK(MPI_Op_commutative(op, &flag) == MPI_SUCCESS && flag == 1);
    CHECK(MPI_Iallreduce(&mine, &got, 1, MPI_INT, op, MPI_COMM_WORLD, &request) == MPI_SUCCESS);
    CHECK(MPI_Op_free(&op) == MPI_SUCCESS && op == MPI_OP_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(got == size * (size - 1) / 2);
    CHECK(class_of(MPI_Op_free(&twin)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Op_free(&op)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Op_commutative(MPI_OP_NULL, &flag)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Op_create(NULL, 1, &op)) == MPI_ERR_ARG);
    MPI_Op all[] = {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND,
                    MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (int i = 0; i < 12; i++) {
        flag = 0;
        CHECK(MPI_Op_commutative(all[i], &flag) == MPI_SUCCESS && flag);
        CHECK(class_of(MPI_Op_free(&all[i])) == MPI_ERR_OP);
    }
    CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
}

int main(int argc, char **argv) {
    MPI_Op op;
    int flag = -1;
    begin(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(4, MPI_LONG, &expected);
    MPI_Type_commit(&expected);
    CHECK(MPI_Op_create(multiply, 0, &op) == MPI_SUCCESS);
    CHECK(MPI_Op_commutative(op, &flag) == MPI_SUCCESS && flag == 0);
    ordered(op);
    MPI_Op_free(&op);
    CHECK(MPI_Op_create_c(multiply_many, 0, &op) == MPI_SUCCESS);
    ordered(op);
    CHECK(called > 0 || size == 1);
    MPI_Op_free(&op);
    MPI_Type_free(&expected);
    gaps();
    lives();
    MPI_Finalize();
    return 0;
}
