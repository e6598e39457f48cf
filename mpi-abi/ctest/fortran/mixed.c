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

void hand_over_(MPI_Fint *status, MPI_Fint *source) {
    MPI_Status ours;
    MPI_Status_f2c(status, &ours);
    MPI_Wait(&under_way, MPI_STATUS_IGNORE);
    *source = ours.MPI_TAG == 8 ? ours.MPI_SOURCE : -1;
}
