/* What some policies change, by the word of the argument. Ends with 1 if nothing was
   changed and the program can tell. */
#include <mpi.h>
#include <string.h>

static int order[2], deleted;

static int forget(MPI_Comm comm, int key, void *value, void *extra) {
    order[deleted++] = *(int *)value;
    return MPI_SUCCESS;
}

/* Only rank 0 asks where it would be: alone it would wait for ever in a collective. */
static int map(int rank) {
    int dims[1] = {1}, periods[1] = {0}, place;
    if (rank == 0) {
        MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &place);
    }
    return 0;
}

static int graph(void) {
    int index[2] = {1, 1}, edges[1] = {1};
    MPI_Comm made;
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &made);
    MPI_Comm_free(&made);
    return 1;
}

static int point(void) {
    MPI_Comm made;
    MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &made);
    if (made != MPI_COMM_NULL) {
        MPI_Comm_free(&made);
    }
    return 1;
}

/* Two bytes eight apart, or eight items apart. */
static int indexed(void) {
    int lengths[2] = {1, 1}, places[2] = {0, 8};
    MPI_Aint low, extent;
    MPI_Datatype type;
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    MPI_Type_get_extent(type, &low, &extent);
    MPI_Type_free(&type);
    return extent != 12;
}

static int attributes(void) {
    static int first = 1, second = 2;
    int keys[2];
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    for (int i = 0; i < 2; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keys[i], NULL);
    }
    MPI_Comm_set_attr(made, keys[0], &first);
    MPI_Comm_set_attr(made, keys[1], &second);
    MPI_Comm_free(&made);
    MPI_Comm_free_keyval(&keys[0]);
    MPI_Comm_free_keyval(&keys[1]);
    return order[0] != 1;
}

/* The duplicate has the hint of its parent. */
static int hints(void) {
    char text[8];
    int found, length = sizeof text;
    MPI_Comm parent, made;
    MPI_Info given, kept;
    MPI_Info_create(&given);
    MPI_Info_set(given, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, given, &parent);
    MPI_Comm_dup(parent, &made);
    MPI_Comm_get_info(made, &kept);
    MPI_Info_get_string(kept, "mpi_assert_no_any_tag", &length, text, &found);
    MPI_Info_free(&given);
    MPI_Info_free(&kept);
    MPI_Comm_free(&parent);
    MPI_Comm_free(&made);
    return !found;
}

static int dims(void) {
    int dims[2] = {0, 0};
    MPI_Dims_create(16, 2, dims);
    return dims[0] != 8 || dims[1] != 2;
}

/* The other names are always there; one of them is written. */
static int names(void) {
    char text[MPI_MAX_ERROR_STRING], room[100];
    void *back;
    int length;
    MPI_Buffer_attach(room, sizeof room);
    MPI_Buffer_free(&back, &length);
    if (back != room || MPI_I_O != MPI_IO) {
        return 2;
    }
    MPI_Error_string(MPI_PENDING, text, &length);
    return strncmp(text, "MPI_PENDING:", 12) != 0;
}

/* The least and the sum of characters, of which one is negative. */
static int characters(int rank) {
    char own = rank ? -3 : 5, least = 0, sum = 1;
    MPI_Allreduce(&own, &least, 1, MPI_CHAR, MPI_MIN, MPI_COMM_WORLD);
    MPI_Reduce_local(&own, &sum, 1, MPI_CHAR, MPI_SUM);
    return least != -3 || sum != own + 1;
}

int main(int argc, char **argv) {
    int rank, same = 1;
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(what, "map-functions") == 0) same = map(rank);
    if (strcmp(what, "graph-symmetry") == 0) same = graph();
    if (strcmp(what, "zero-dimensional-grids") == 0) same = point();
    if (strcmp(what, "indexed-displacements") == 0) same = indexed();
    if (strcmp(what, "attribute-delete-order") == 0) same = attributes();
    if (strcmp(what, "hints-of-duplicates") == 0) same = hints();
    if (strcmp(what, "dims-order") == 0) same = dims();
    if (strcmp(what, "constant-names") == 0) same = names();
    if (strcmp(what, "characters-in-reductions") == 0) same = characters(rank);
    MPI_Finalize();
    return same;
}
