/* What is called before init and after finalize, by the word of the argument. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
    int flag;
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "finalized-before-init") == 0) {
        MPI_Finalized(&flag);
    }
    MPI_Initialized(&flag);
    MPI_Init(NULL, NULL);
    if (strcmp(what, "init-again") == 0) {
        MPI_Init(NULL, NULL);
    }
    MPI_Finalize();
    if (strcmp(what, "finalized-after-finalize") == 0) {
        MPI_Finalized(&flag);
    }
    return 0;
}
