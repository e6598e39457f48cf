/* What mixed.f90 calls. */
#include <mpi.h>
#include <string.h>

static MPI_Request under_way;

void look_at_(MPI_Fint *comm, MPI_Fint *rank, MPI_Fint *wrong) {
    char name[MPI_MAX_OBJECT_NAME];
    int length, mine;
    MPI_Comm here = MPI_Comm_fromint(*comm);
    MPI_Comm_get_name(here, name, &length);
    MPI_Comm_rank(here, &mine);
    *wrong = strcmp(name, "from Fortran") != 0 || mine != *rank ||
             MPI_Comm_toint(MPI_COMM_WORLD) != 257 || MPI_Type_fromint(0x219) != MPI_INTEGER;
}

void send_from_bottom_(MPI_Fint *comm, MPI_Fint *type, MPI_Fint *to) {
    MPI_Isend(MPI_BOTTOM, 1, MPI_Type_f2c(*type), *to, 8, MPI_Comm_f2c(*comm), &under_way);
}

/* An attribute that Fortran has set is seen by its address; ours is seen as an address. */
void exchange_attributes_(MPI_Fint *comm, MPI_Fint *theirs, MPI_Fint *ours, MPI_Aint *address) {
    static int value = 3;
    MPI_Aint *seen = 0;
    int flag = 0;
    MPI_Comm here = MPI_Comm_f2c(*comm);
    MPI_Comm_get_attr(here, *theirs, &seen, &flag);
    if (!flag || *seen != -5000000000)
        MPI_Abort(here, 4);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, ours, 0);
    MPI_Comm_set_attr(here, *ours, &value);
    *address = (MPI_Aint)&value;
}

void hand_over_(MPI_Fint *status, MPI_Fint *source) {
    MPI_Status ours;
    MPI_Status_f2c(status, &ours);
    MPI_Wait(&under_way, MPI_STATUS_IGNORE);
    *source = ours.MPI_TAG == 8 ? ours.MPI_SOURCE : -1;
}
