/* Structures that are the heads of the data behind them, by a flexible array, by an array of one element, and by a cast: correct. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

enum { LENGTH = 6 };

struct flexible {
    int length, tag;
    double data[];
};

struct one {
    int length, tag;
    double data[1];
};

struct head {
    int length, kind;
    char *body;
};

static MPI_Datatype type_of(int length) {
    int lengths[2] = {2, length};
    MPI_Aint places[2] = {0, offsetof(struct flexible, data)};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, type;
    MPI_Type_create_struct(2, lengths, places, types, &type);
    MPI_Type_commit(&type);
    return type;
}

static void share_flexible(struct flexible *all, MPI_Datatype type) {
    MPI_Bcast(all, 1, type, 0, MPI_COMM_WORLD);
    MPI_Bcast(all->data, all->length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void share_one(struct one *all, MPI_Datatype type) {
    MPI_Bcast(all, 1, type, 0, MPI_COMM_WORLD);
    MPI_Bcast(&all->data[2], all->length - 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void sum(struct head *head) {
    double all[LENGTH];
    MPI_Allreduce(head->body, all, LENGTH, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(head + 1, all, LENGTH, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Datatype type = type_of(LENGTH);
    struct flexible *flexible = calloc(1, sizeof *flexible + LENGTH * sizeof(double));
    flexible->length = LENGTH;
    share_flexible(flexible, type);
    free(flexible);
    struct one *one = calloc(1, sizeof *one + (LENGTH - 1) * sizeof(double));
    one->length = LENGTH;
    share_one(one, type);
    free(one);
    struct head *head = calloc(1, sizeof *head + LENGTH * sizeof(double));
    head->body = (char *)(head + 1);
    sum(head);
    free(head);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
