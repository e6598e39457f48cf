/* Files without MPI: each rank uses its part of a file as the second argument says, by descriptors or by streams. What is
 * written is read again, so that the bytes are right whatever time it takes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"

#define BYTES 1200

static char path[4096], data[BYTES], got[BYTES];

static int is(const char *how, const char *wanted) { return !strcmp(how, wanted); }

static void descriptors(const char *how) {
    int flags = is(how, "append") ? O_WRONLY | O_CREAT | O_APPEND : O_RDWR | O_CREAT;
    int file = open(path, flags, 0666);
    off_t at = rank * BYTES;
    CHECK(file > 2);
    if (is(how, "pwrite") || is(how, "twice") || is(how, "read") || is(how, "sync") || is(how, "past"))
        CHECK(pwrite(file, data, BYTES, at) == BYTES);
    if (is(how, "twice")) CHECK(pwrite(file, data, BYTES, at) == BYTES);
    if (is(how, "write") || is(how, "append")) CHECK(write(file, data, BYTES) == BYTES);
    if (is(how, "small"))
        for (int i = 0; i < 12; i++) CHECK(write(file, data + 100 * i, 100) == 100);
    if (is(how, "vector")) {
        struct iovec parts[2] = {{data, 500}, {data + 500, BYTES - 500}};
        CHECK(writev(file, parts, 2) == BYTES);
    }
    if (is(how, "sync")) CHECK(!fsync(file));
    if (is(how, "sync") || is(how, "read")) {
        CHECK(pread(file, got, BYTES, at) == BYTES && !memcmp(got, data, BYTES));
        CHECK(lseek(file, 0, SEEK_CUR) == 0);
    }
    /* 200 bytes are there, and then none. */
    if (is(how, "past")) {
        CHECK(lseek(file, at + 1000, SEEK_SET) == at + 1000);
        CHECK(read(file, got, BYTES) == 200 && read(file, got, BYTES) == 0);
    }
    if (is(how, "truncate")) CHECK(!ftruncate(file, 10));
    if (is(how, "copied")) {
        int copy = dup(file);
        CHECK(copy > 2 && write(copy, data, BYTES) == BYTES && !close(copy));
    }
    CHECK(!close(file));
    errno = 0;
    CHECK(write(file, data, 1) == -1 && errno == EBADF);
}

static void streams(const char *how) {
    FILE *file = fopen(path, "w+");
    CHECK(file && fileno(file) > 2);
    CHECK(fwrite(data, 1, BYTES, file) == BYTES);
    if (is(how, "stream read")) {
        rewind(file);
        CHECK(fread(got, 1, BYTES, file) == BYTES && !memcmp(got, data, BYTES));
        CHECK(fgetc(file) == EOF && feof(file));
    }
    CHECK(!fclose(file));
}

/* What else streams can do, on a file of the rank's own. */
static void every_stream(void) {
    char line[64];
    int number = 0;
    FILE *file, *second;
    snprintf(path + strlen(path), 8, ".%d", rank);
    CHECK(!fopen("/nowhere/at/all", "r") && errno == ENOENT);
    CHECK(!fopen(path, "r") && errno == ENOENT);
    CHECK(!fopen(path, "q") && errno == EINVAL);
    file = fopen(path, "w");
    CHECK(file && fprintf(file, "%d apples\n", 17) == 10 && fputs("pears\n", file) >= 0 && fputc('x', file) == 'x');
    CHECK(ftell(file) == 17 && !fseek(file, 3, SEEK_SET) && fputc('A', file) == 'A' && !fseek(file, 0, SEEK_END));
    CHECK(fflush(file) == 0 && ftell(file) == 17 && fgetc(file) == EOF && ferror(file));
    CHECK(!fclose(file));
    CHECK(!fopen(path, "wx") && errno == EEXIST);
    file = fopen(path, "a");
    CHECK(file && fputs("yz\n", file) >= 0 && !fclose(file));
    file = fopen(path, "r");
    CHECK(file && fscanf(file, "%d %63s", &number, line) == 2 && number == 17 && is(line, "Apples"));
    CHECK(fgetc(file) == '\n' && ungetc('P', file) == 'P' && fgets(line, 64, file) && is(line, "Ppears\n"));
    CHECK(fgets(line, 64, file) && is(line, "xyz\n") && !fgets(line, 64, file) && feof(file));
    rewind(file);
    CHECK(fgetc(file) == '1' && ftell(file) == 1 && fputc('x', file) == EOF);
    second = fdopen(dup(fileno(file)), "r");
    CHECK(second && !fseek(second, 10, SEEK_SET) && fgetc(second) == 'p' && !fclose(second));
    CHECK(!fclose(file));
    file = fopen(path, "r+");
    CHECK(file && !fseek(file, -4, SEEK_END) && fputs("abc", file) >= 0 && !fseek(file, -4, SEEK_CUR));
    CHECK(fgetc(file) == '\n' && fgets(line, 64, file) && is(line, "abc\n"));
    CHECK(!ftruncate(fileno(file), 5) && !fseek(file, 0, SEEK_END) && ftell(file) == 5);
    CHECK(!fclose(file));
    struct stat kind;
    CHECK(!stat(path, &kind) && kind.st_size == 5);
    /* A stream of a file that has been opened before, unbuffered. */
    file = fdopen(open(path, O_WRONLY | O_APPEND), "a");
    CHECK(file && !setvbuf(file, NULL, _IONBF, 0) && fputs("12", file) >= 0);
    CHECK(!stat(path, &kind) && kind.st_size == 7 && !fclose(file));
    /* Left to the end of the program. */
    CHECK((file = fopen(path, "a")) && fputs("!", file) >= 0);
    CHECK((file = tmpfile()) && fputs("!", file) >= 0 && !fclose(file));
}

/* What is no file takes no time. */
static void no_files(void) {
    int ends[2];
    FILE *nothing = fopen("/dev/null", "w");
    CHECK(nothing && fputs("nothing\n", nothing) >= 0 && !fclose(nothing));
    CHECK(!pipe(ends) && write(ends[1], data, 10) == 10 && read(ends[0], got, 10) == 10);
    CHECK(!close(ends[0]) && !close(ends[1]));
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status && fgetc(status) != EOF && !fclose(status));
}

int main(int argc, char **argv) {
    const char *how = argv[2];
    CHECK(argc == 3);
    for (int i = 0; i < BYTES; i++) data[i] = (char)(i * 7);
    snprintf(path, sizeof path, "%s/plain", argv[1]);
    if (is(how, "without MPI")) {
        int file = open(path, O_WRONLY | O_CREAT, 0666);
        CHECK(write(file, data, BYTES) == BYTES && !close(file));
        return 0;
    }
    begin(&argc, &argv);
    if (is(how, "no files")) no_files();
    else if (is(how, "every stream")) every_stream();
    else if (!strncmp(how, "stream", 6)) streams(how);
    else if (!is(how, "by MPI")) descriptors(how);
    else {
        MPI_File file;
        int plain = open(path, O_RDWR | O_CREAT, 0666);
        CHECK(write(plain, data, BYTES) == BYTES);
        CHECK(!MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
        CHECK(!MPI_File_read(file, got, BYTES, MPI_CHAR, MPI_STATUS_IGNORE) && !memcmp(got, data, BYTES));
        CHECK(!MPI_File_close(&file) && !close(plain));
    }
    MPI_Finalize();
    return 0;
}
