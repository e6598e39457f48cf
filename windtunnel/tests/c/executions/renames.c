/* Rank 0 keeps the folder of an earlier run under another name, and makes a new one. */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *from, const char *to, int error)
{
    errno = 0;
    return rename(from, to) == -1 && errno == error;
}

static int keeps(void)
{
    char text[8] = "", link[16] = "";
    struct stat details;
    FILE *file;
    if (!fails("plot", "full", ENOTEMPTY) || !fails("plot", "file", ENOTDIR) ||
        !fails("plot", "plot/below", EINVAL) || !fails("nothing", "plot", ENOENT))
        return 1;
    if (rename("plot", "plot.old") || mkdir("plot", 0777) || !access("plot/inner/data", F_OK))
        return 2;
    file = fopen("plot.old/inner/data", "r");
    if (!file || !fgets(text, sizeof text, file) || strcmp(text, "three") || fclose(file))
        return 3;
    if (readlink("plot.old/link", link, sizeof link - 1) < 0 || strcmp(link, "inner/data"))
        return 4;
    if (stat("plot.old", &details) || (details.st_mode & 0777) != 0750)
        return 5;
    /* An empty folder is replaced, and what this run has made is renamed as well. */
    return rename("plot.old", "empty") || rename("plot", "plot.new") || access("empty/inner", F_OK) ? 6 : 0;
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        wrong = keeps();
    if (wrong) {
        fprintf(stderr, "step %d: %s\n", wrong, strerror(errno));
        MPI_Abort(MPI_COMM_WORLD, wrong);
    }
    MPI_Finalize();
    return 0;
}
