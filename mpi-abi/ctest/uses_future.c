/* Uses functions of a later MPI. */
int MPI_Future_one(void);
int MPI_Future_two(void);

int main(void) { return MPI_Future_one() + MPI_Future_two(); }
