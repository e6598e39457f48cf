/* A later MPI has functions that ours has not. */
int MPI_Future_one(void) { return 1; }
int MPI_Future_two(void) { return 2; }
