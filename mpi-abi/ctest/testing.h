/* What the programs here need of MPI: the tests offer these functions. */
#ifndef TESTING_H
#define TESTING_H
#ifdef __cplusplus
extern "C" {
#endif
int MPI_Comm_rank(void *comm, int *rank);
int MPI_Comm_size(void *comm, int *size);
int MPI_Barrier(void *comm);
int MPI_Probe_nothing(void *comm);
#ifdef __cplusplus
}
#endif
#endif
