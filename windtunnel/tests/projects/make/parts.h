#include <mpi.h>
int part(void);
int other(void);
int shared(void);
