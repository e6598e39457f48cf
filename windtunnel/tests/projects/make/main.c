#include "parts.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int own = part();
    printf("%d %d\n", own, shared());
    MPI_Finalize();
    return 0;
}
