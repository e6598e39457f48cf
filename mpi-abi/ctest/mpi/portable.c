/* Types by precision, range and size; pairs of a value and an index. */
#include "check.h"

static void contents(MPI_Datatype type, int combiner, int count, int first, int second) {
    int integers, addresses, datatypes, kind, values[2] = {0, 0};
    MPI_Datatype again = type;
    CHECK(MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &kind) == MPI_SUCCESS);
    CHECK(kind == combiner && integers == count && !addresses && !datatypes);
    CHECK(MPI_Type_get_contents(type, count, 0, 0, values, NULL, NULL) == MPI_SUCCESS);
    CHECK(values[0] == first && values[1] == second);
    CHECK(MPI_Type_commit(&again) == MPI_SUCCESS);
    GIVES(MPI_ERR_TYPE, MPI_Type_free(&again));
}

static int bytes_of(MPI_Datatype type) {
    int bytes;
    MPI_Type_size(type, &bytes);
    return bytes;
}

static void by_precision(void) {
    MPI_Datatype type, same;
    const int digits[5] = {2, 4, 9, 18, 38};
    for (int i = 0; i < 5; i++) {
        CHECK(MPI_Type_create_f90_integer(digits[i], &type) == MPI_SUCCESS);
        CHECK(bytes_of(type) == 1 << i);
        contents(type, MPI_COMBINER_F90_INTEGER, 1, digits[i], 0);
        MPI_Type_create_f90_integer(digits[i], &same);
        CHECK(same == type);
    }
    CHECK(MPI_Type_create_f90_real(6, 37, &type) == MPI_SUCCESS && bytes_of(type) == 4);
    contents(type, MPI_COMBINER_F90_REAL, 2, 6, 37);
    CHECK(MPI_Type_create_f90_real(15, MPI_UNDEFINED, &type) == MPI_SUCCESS && bytes_of(type) == 8);
    contents(type, MPI_COMBINER_F90_REAL, 2, 15, MPI_UNDEFINED);
    CHECK(MPI_Type_create_f90_real(MPI_UNDEFINED, 300, &type) == MPI_SUCCESS);
    CHECK(bytes_of(type) == 8);
    CHECK(MPI_Type_create_f90_complex(15, 300, &type) == MPI_SUCCESS && bytes_of(type) == 16);
    contents(type, MPI_COMBINER_F90_COMPLEX, 2, 15, 300);
    CHECK(MPI_Type_create_f90_complex(6, 30, &type) == MPI_SUCCESS && bytes_of(type) == 8);
    GIVES(MPI_ERR_ARG, MPI_Type_create_f90_integer(39, &type));
    GIVES(MPI_ERR_ARG, MPI_Type_create_f90_real(100, 10, &type));
    GIVES(MPI_ERR_ARG, MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &type));
}

static void sent(void) {
    double out = 2.5, in = 0;
    MPI_Datatype type, three;
    MPI_Type_create_f90_real(15, 300, &type);
    MPI_Sendrecv(&out, 1, type, 0, 1, &in, 1, type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK(in == 2.5);
    MPI_Reduce_local(&out, &in, 1, type, MPI_SUM);
    CHECK(in == 5);
    MPI_Type_contiguous(3, type, &three);
    CHECK(bytes_of(three) == 24);
    MPI_Datatype part;
    int count;
    MPI_Type_get_contents(three, 1, 0, 1, &count, NULL, &part);
    CHECK(part == type && count == 3);
    MPI_Type_free(&three);
}

static void by_size(void) {
    MPI_Datatype type;
    for (int bytes = 1; bytes <= 8; bytes *= 2) {
        CHECK(MPI_Type_match_size(MPI_TYPECLASS_INTEGER, bytes, &type) == MPI_SUCCESS);
        CHECK(bytes_of(type) == bytes);
    }
    CHECK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, &type) == MPI_SUCCESS && bytes_of(type) == 4);
    CHECK(MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &type) == MPI_SUCCESS && bytes_of(type) == 8);
    CHECK(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 8, &type) == MPI_SUCCESS);
    CHECK(bytes_of(type) == 8);
    CHECK(MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &type) == MPI_SUCCESS);
    CHECK(bytes_of(type) == 16);
    GIVES(MPI_ERR_ARG, MPI_Type_match_size(MPI_TYPECLASS_REAL, 7, &type));
    GIVES(MPI_ERR_ARG, MPI_Type_match_size(-1, 4, &type));
}

static void pairs(void) {
#if MPI_VERSION >= 5
    MPI_Datatype type;
    CHECK(MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &type) == MPI_SUCCESS);
    CHECK(type == MPI_DOUBLE_INT);
    MPI_Type_get_value_index(MPI_INT, MPI_INT, &type);
    CHECK(type == MPI_2INT);
    CHECK(MPI_Type_get_value_index(MPI_BYTE, MPI_BYTE, &type) == MPI_SUCCESS);
    CHECK(type == MPI_DATATYPE_NULL);
    GIVES(MPI_ERR_TYPE, MPI_Type_get_value_index(MPI_DATATYPE_NULL, MPI_INT, &type));
#endif
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    by_precision();
    sent();
    by_size();
    pairs();
    MPI_Finalize();
    return 0;
}
