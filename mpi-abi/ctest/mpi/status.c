/* Statuses: what they tell of a message, what a program may put into them, other languages. */
#include "check.h"

static MPI_Datatype pair(void) {
    int lengths[2] = {1, 2};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE}, made;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

/* So many integers, received from this process itself. */
static MPI_Status received(int count, MPI_Datatype type, int room) {
    static char out[400], in[400];
    MPI_Status status;
    MPI_Sendrecv(out, count, type, 0, 3, in, room, type, 0, 3, MPI_COMM_SELF, &status);
    return status;
}

static int count_of(MPI_Status *status, MPI_Datatype type) {
    int count = -7;
    MPI_Count large = -7;
    CHECK(MPI_Get_count(status, type, &count) == MPI_SUCCESS);
    CHECK(MPI_Get_count_c(status, type, &large) == MPI_SUCCESS && large == count);
    return count;
}

static int elements_of(MPI_Status *status, MPI_Datatype type) {
    int count = -7;
    MPI_Count large = -7, larger = -7;
    CHECK(MPI_Get_elements(status, type, &count) == MPI_SUCCESS);
    CHECK(MPI_Get_elements_c(status, type, &large) == MPI_SUCCESS && large == count);
    CHECK(MPI_Get_elements_x(status, type, &larger) == MPI_SUCCESS && larger == count);
    return count;
}

static void counts(void) {
    MPI_Datatype two = pair(), triple, none;
    MPI_Status status;
    MPI_Type_contiguous(3, MPI_INT, &triple), MPI_Type_commit(&triple);
    MPI_Type_contiguous(0, MPI_INT, &none), MPI_Type_commit(&none);
    status = received(2, MPI_INT, 5);
    CHECK(count_of(&status, MPI_INT) == 2 && elements_of(&status, MPI_INT) == 2);
    CHECK(count_of(&status, MPI_BYTE) == 8);
    CHECK(count_of(&status, triple) == MPI_UNDEFINED && elements_of(&status, triple) == 2);
    CHECK(count_of(&status, none) == MPI_UNDEFINED);
    status = received(6, MPI_INT, 6);
    CHECK(count_of(&status, triple) == 2 && elements_of(&status, triple) == 6);
    status = received(0, MPI_INT, 6);
    CHECK(count_of(&status, triple) == 0 && elements_of(&status, triple) == 0);
    CHECK(count_of(&status, none) == 0 && elements_of(&status, none) == 0);
    status = received(2, two, 3);
    CHECK(count_of(&status, two) == 2 && elements_of(&status, two) == 6);
    CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 3);
    MPI_Type_free(&two), MPI_Type_free(&triple), MPI_Type_free(&none);
}

/* A message that ends inside an element. */
static void parts(void) {
    MPI_Datatype two = pair();
    struct { int n; double x[2]; } out = {1, {2, 3}}, in[2];
    MPI_Status status;
    MPI_Request request;
    char packed[64];
    int at = 0;
    for (int i = 0; i < 2; i++) MPI_Pack(&out, 1, two, packed, 64, &at, MPI_COMM_SELF);
    MPI_Irecv(in, 2, two, 0, 1, MPI_COMM_SELF, &request);
    MPI_Send(packed, at - 8, MPI_PACKED, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    CHECK(count_of(&status, two) == MPI_UNDEFINED && elements_of(&status, two) == 5);
    CHECK(in[1].n == 1 && in[1].x[0] == 2);
    MPI_Type_free(&two);
}

static void set(void) {
    MPI_Datatype two = pair();
    MPI_Status status;
    int flag, value;
    memset(&status, 0, sizeof status);
    CHECK(MPI_Status_set_elements(&status, MPI_INT, 5) == MPI_SUCCESS);
    CHECK(count_of(&status, MPI_INT) == 5 && elements_of(&status, MPI_INT) == 5);
    MPI_Status_set_elements_x(&status, two, 7);
    CHECK(elements_of(&status, two) == 7 && count_of(&status, two) == MPI_UNDEFINED);
    MPI_Status_set_elements_c(&status, two, 6);
    CHECK(elements_of(&status, two) == 6 && count_of(&status, two) == 2);
    MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)5000000000);
    MPI_Count large;
    CHECK(MPI_Get_count(&status, MPI_BYTE, &value) == MPI_SUCCESS && value == MPI_UNDEFINED);
    CHECK(MPI_Get_elements(&status, MPI_BYTE, &value) == MPI_SUCCESS && value == MPI_UNDEFINED);
    CHECK(MPI_Get_count_c(&status, MPI_BYTE, &large) == MPI_SUCCESS && large == 5000000000);
    CHECK(MPI_Get_elements_x(&status, MPI_INT, &large) == MPI_SUCCESS && large == 1250000000);
    MPI_Status_set_cancelled(&status, 1);
    CHECK(MPI_Test_cancelled(&status, &flag) == MPI_SUCCESS && flag);
    MPI_Status_set_cancelled(&status, 0);
    CHECK(MPI_Test_cancelled(&status, &flag) == MPI_SUCCESS && !flag);
#if MPI_VERSION >= 5
    MPI_Status_set_source(&status, 3), MPI_Status_set_tag(&status, 4);
    MPI_Status_set_error(&status, MPI_ERR_TAG);
    CHECK(status.MPI_SOURCE == 3 && status.MPI_TAG == 4 && status.MPI_ERROR == MPI_ERR_TAG);
    CHECK(MPI_Status_get_error(&status, &value) == MPI_SUCCESS && value == MPI_ERR_TAG);
    CHECK(MPI_Status_get_source(&status, &value) == MPI_SUCCESS && value == 3);
    CHECK(MPI_Status_get_tag(&status, &value) == MPI_SUCCESS && value == 4);
#endif
    GIVES(MPI_ERR_COUNT, MPI_Status_set_elements(&status, MPI_INT, -1));
    GIVES(MPI_ERR_TYPE, MPI_Get_count(&status, MPI_DATATYPE_NULL, &value));
    MPI_Type_free(&two);
}

static void languages(void) {
    MPI_Status status = received(3, MPI_INT, 3), back;
    MPI_Fint words[MPI_F_STATUS_SIZE], more[MPI_F_STATUS_SIZE];
    MPI_F08_status modern;
    status.MPI_ERROR = 9;
    CHECK(MPI_Status_c2f(&status, words) == MPI_SUCCESS && words[MPI_F_SOURCE] == 0);
    CHECK(words[MPI_F_TAG] == 3 && words[MPI_F_ERROR] == 9);
    CHECK(MPI_Status_f2c(words, &back) == MPI_SUCCESS && back.MPI_TAG == 3);
    CHECK(count_of(&back, MPI_INT) == 3);
    CHECK(MPI_Status_c2f08(&status, &modern) == MPI_SUCCESS && modern.MPI_TAG == 3);
    CHECK(MPI_Status_f082c(&modern, &back) == MPI_SUCCESS && count_of(&back, MPI_INT) == 3);
    CHECK(MPI_Status_f082f(&modern, more) == MPI_SUCCESS && more[MPI_F_TAG] == 3);
    CHECK(MPI_Status_f2f08(more, &modern) == MPI_SUCCESS && modern.MPI_ERROR == 9);
    GIVES(MPI_ERR_ARG, MPI_Status_f2c(MPI_F_STATUS_IGNORE, &back));
    GIVES(MPI_ERR_ARG, MPI_Status_f082c(MPI_F08_STATUS_IGNORE, &back));
    GIVES(MPI_ERR_ARG, MPI_Status_f082c(MPI_F08_STATUSES_IGNORE, &back));
    GIVES(MPI_ERR_ARG, MPI_Status_c2f08(MPI_STATUS_IGNORE, &modern));
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    return_errors();
    counts();
    parts();
    set();
    languages();
    MPI_Finalize();
    return 0;
}
