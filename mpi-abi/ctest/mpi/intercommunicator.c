/* Two groups and what goes between them. */
#include "check.h"

/* Both sides share what they are split by, or there is nobody on the other side. */
static void split_type(MPI_Comm inter) {
    MPI_Comm same, none, smaller;
    MPI_Info info;
    int compared;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_pset_name", "mpi://WORLD");
    MPI_Comm_split_type(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &same);
    MPI_Comm_compare(inter, same, &compared);
    CHECK(compared == MPI_CONGRUENT);
    MPI_Comm_split_type(same, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &smaller);
    CHECK(smaller == MPI_COMM_NULL);
    MPI_Comm_free(&same);
    MPI_Info_set(info, "mpi_pset_name", "mpi://SELF");
    MPI_Comm_split_type(inter, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &none);
    CHECK(none == MPI_COMM_NULL);
    MPI_Info_free(&info);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    if (size > 1) {
        int low = rank < size / 2, remote, mine, flag, got, sum, one = 1;
        MPI_Comm half, both, inter;
        MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? size / 2 : 0, 7, &inter);
        MPI_Comm_test_inter(inter, &flag);
        MPI_Comm_remote_size(inter, &remote);
        MPI_Comm_size(inter, &mine);
        CHECK(flag && mine + remote == size);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, inter);
        CHECK(sum == remote);
        got = rank;
        int root = low ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
        MPI_Bcast(&got, 1, MPI_INT, root, inter);
        CHECK(low || got == 0);
        split_type(inter);
        MPI_Intercomm_merge(inter, !low, &both);
        MPI_Comm_rank(both, &got);
        CHECK(got == rank);
        MPI_Comm_free(&both);
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    MPI_Finalize();
    return 0;
}
