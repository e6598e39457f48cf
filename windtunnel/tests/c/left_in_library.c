/* Variables and streams of the C library that belong to the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <locale.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(int argc, char **argv)
{
    int rank;
    wchar_t word[16];
    double x = argc > 1 ? -0.5 : 0;
    setlocale(LC_ALL, "C.UTF-8");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double logarithm = lgamma(x + rank);
    MPI_Barrier(MPI_COMM_WORLD);
    wprintf(L"rank %d: gamma(%g) = %.4f, %ls\n", rank, x + rank, signgam * exp(logarithm), L"größer");
    fwprintf(stdout, L"%s %d|", "bytes", 1);
    fputws(L"text ", stdout);
    putwchar(L'é');
    putwc(L'\n', stdout);
    if (rank == 0) {
        if (wscanf(L"%15ls", word) == 1)
            wprintf(L"read %ls, then %lc\n", word, getwchar());
        error(0, ENOENT, "not %s", "here");
        fprintf(stderr, "%s, %u message\n", program_invocation_short_name, error_message_count);
        if (!strstr(program_invocation_name, "/") || strstr(program_invocation_short_name, "/"))
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Finalize();
    return 0;
}
