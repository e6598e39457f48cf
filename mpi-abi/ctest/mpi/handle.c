/* Handles as integers and back, in the words of MPI 5.0 and of the editions before. */
#include "check.h"

#define BOTH_WAYS(kind, handle)                                                                    \
    do {                                                                                           \
        CHECK(MPI_##kind##_fromint(MPI_##kind##_toint(handle)) == (handle));                       \
        CHECK(MPI_##kind##_f2c(MPI_##kind##_c2f(handle)) == (handle));                             \
    } while (0)

static void predefined(void) {
    /* The names in full, for whoever looks for them here. */
    CHECK(MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD)) == MPI_COMM_WORLD);
    CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) == MPI_COMM_SELF);
    CHECK(MPI_Group_fromint(MPI_Group_toint(MPI_GROUP_EMPTY)) == MPI_GROUP_EMPTY);
    CHECK(MPI_Group_f2c(MPI_Group_c2f(MPI_GROUP_NULL)) == MPI_GROUP_NULL);
    CHECK(MPI_Type_fromint(MPI_Type_toint(MPI_DOUBLE)) == MPI_DOUBLE);
    CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_DATATYPE_NULL)) == MPI_DATATYPE_NULL);
    CHECK(MPI_Op_fromint(MPI_Op_toint(MPI_SUM)) == MPI_SUM);
    CHECK(MPI_Op_f2c(MPI_Op_c2f(MPI_OP_NULL)) == MPI_OP_NULL);
    CHECK(MPI_Request_fromint(MPI_Request_toint(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    CHECK(MPI_Request_f2c(MPI_Request_c2f(MPI_REQUEST_NULL)) == MPI_REQUEST_NULL);
    CHECK(MPI_Info_fromint(MPI_Info_toint(MPI_INFO_ENV)) == MPI_INFO_ENV);
    CHECK(MPI_Info_f2c(MPI_Info_c2f(MPI_INFO_NULL)) == MPI_INFO_NULL);
    CHECK(MPI_Errhandler_fromint(MPI_Errhandler_toint(MPI_ERRORS_RETURN)) == MPI_ERRORS_RETURN);
    CHECK(MPI_Errhandler_f2c(MPI_Errhandler_c2f(MPI_ERRHANDLER_NULL)) == MPI_ERRHANDLER_NULL);
    CHECK(MPI_Message_fromint(MPI_Message_toint(MPI_MESSAGE_NO_PROC)) == MPI_MESSAGE_NO_PROC);
    CHECK(MPI_Message_f2c(MPI_Message_c2f(MPI_MESSAGE_NULL)) == MPI_MESSAGE_NULL);
    CHECK(MPI_Session_fromint(MPI_Session_toint(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
    CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
}

/* What came through an integer is the object itself. */
static void made(void) {
    int value = 4, n, result;
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Request request;
    MPI_Info info;
    MPI_Message message;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    BOTH_WAYS(Comm, comm);
    MPI_Comm same = MPI_Comm_f2c(MPI_Comm_c2f(comm));
    MPI_Comm_compare(comm, same, &result);
    CHECK(result == MPI_IDENT);
    MPI_Comm_group(comm, &group);
    BOTH_WAYS(Group, group);
    MPI_Type_contiguous(3, MPI_INT, &type);
    BOTH_WAYS(Type, type);
    MPI_Type_size(MPI_Type_f2c(MPI_Type_c2f(type)), &n);
    CHECK(n == 12);
    MPI_Info_create(&info);
    BOTH_WAYS(Info, info);
    MPI_Isend(&value, 1, MPI_INT, 0, 1, same, &request);
    BOTH_WAYS(Request, request);
    MPI_Mprobe(0, 1, same, &message, MPI_STATUS_IGNORE);
    BOTH_WAYS(Message, message);
    message = MPI_Message_f2c(MPI_Message_c2f(message));
    MPI_Mrecv(&n, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    CHECK(n == 4);
    request = MPI_Request_f2c(MPI_Request_c2f(request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Info_free(&info), MPI_Type_free(&type), MPI_Group_free(&group), MPI_Comm_free(&same);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    predefined();
    made();
    /* A program without Fortran has no variables of Fortran. */
    CHECK(MPI_F_STATUS_IGNORE == NULL && MPI_F_STATUSES_IGNORE == NULL);
    MPI_Finalize();
    return 0;
}
