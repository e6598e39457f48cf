/* Writes below the working folder by absolute paths and reads beside it, and refuses to begin if an
   earlier execution has left something. Shared memory and a semaphore are left behind. */
#define _GNU_SOURCE
#include <mpi.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static void need(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "failed: %s\n", what);
        exit(3);
    }
}

int main(int argc, char **argv) {
    int rank;
    char folder[PATH_MAX], path[PATH_MAX + 32], other[PATH_MAX + 32], text[16] = "";
    struct stat known;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        need(getcwd(folder, sizeof folder) != NULL, "getcwd");
        need(strcmp(folder, argv[1]) == 0, "the folder has its own name");
        snprintf(path, sizeof path, "%s/out.txt", folder);
        need(access(path, F_OK) != 0 && stat(path, &known) != 0, "no output yet");
        FILE *file = fopen(path, "w");
        need(file != NULL, "fopen");
        fputs("result", file);
        fclose(file);
        need(access("out.txt", R_OK) == 0, "the same file by its name");
        snprintf(path, sizeof path, "%s/sub/../kept", folder);
        need(mkdir("sub", 0777) == 0 && mkdir(path, 0777) == 0, "mkdir");
        snprintf(path, sizeof path, "%s/out.txt", folder);
        snprintf(other, sizeof other, "%s/kept/moved.txt", folder);
        need(rename(path, other) == 0, "rename");
        need(chdir("kept") == 0 && access("../sub", X_OK) == 0, "the way back");
        DIR *list = opendir("../kept");
        need(list != NULL, "opendir");
        closedir(list);
        need(realpath("moved.txt", path) && strcmp(path, other) == 0, "realpath");
        snprintf(path, sizeof path, "%s/kept/tempXXXXXX", folder);
        int made = mkstemp(path);
        need(made >= 0 && access(strrchr(path, '/') + 1, R_OK) == 0, "mkstemp");
        close(made);
        need(chdir(folder) == 0, "chdir");
        FILE *beside = fopen("../beside.txt", "r");
        need(beside && fscanf(beside, "%15s", text) == 1 && !strcmp(text, "beside"), "beside");
        fclose(beside);
        int memory = shm_open("/of-folders", O_CREAT | O_EXCL | O_RDWR, 0600);
        need(memory >= 0, "shared memory is new");
        need(sem_open("/of-folders", O_CREAT | O_EXCL, 0600, 1) != SEM_FAILED, "semaphore is new");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
