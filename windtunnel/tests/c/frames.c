/* Functions that keep other numbers where others keep the pointer to their frame call MPI and the allocator. */
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

void with_frame(void (*function)(void), long frame);
__asm__(".text\n"
        ".type with_frame, @function\n"
        "with_frame:\n"
        "    push %rbp\n"
        "    mov %rsi, %rbp\n"
        "    call *%rdi\n"
        "    pop %rbp\n"
        "    ret\n");

static int sum;

static void calls(void) {
    int *one = malloc(sizeof(int)), all;
    *one = 1;
    MPI_Allreduce(one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sum += all;
    free(one);
}

int main(int count, char **words) {
    int size;
    MPI_Init(&count, &words);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long here = (long) &size & ~7;
    const long frames[] = {0, -8, -16, -24, 8, LONG_MIN, LONG_MAX - 7, here + 8, here - 65536, here + (1L << 40)};
    const int turns = sizeof frames / sizeof frames[0];
    for (int turn = 0; turn < turns; turn++)
        with_frame(calls, frames[turn]);
    MPI_Finalize();
    return sum != turns * size;
}
