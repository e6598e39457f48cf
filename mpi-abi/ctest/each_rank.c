/* What the C library keeps, and what a process has, belongs to a rank: a case by name, each with other
   ranks in the middle of it. A case that fails says where. */
#define _GNU_SOURCE
#include "testing.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <poll.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static int rank;
/* Larger than all of the file, and all zeros. */
static __thread char zeros[1 << 20];
static char path[300];

/* Other ranks run here. */
static void others(void) { MPI_Barrier(0); }

#define HOLDS(condition) \
    do { \
        if (!(condition)) { \
            dprintf(2, "rank %d, line %d: %s\n", rank, __LINE__, #condition); \
            return 1; \
        } \
    } while (0)

static int content(const char *expected) {
    char text[200] = {0};
    int file = open(path, O_RDONLY);
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length >= 0 && strcmp(text, expected) == 0;
}

static int short_options(void) {
    char *words[] = {"program", "rest", "-xv", "-n", "5", "-n6", "more", "-e", 0};
    char found[32] = {0};
    int option, number = 0;
    HOLDS(optind == 1);
    while ((option = getopt(8, words, "n:exv")) != -1) {
        found[strlen(found)] = (char)option;
        if (option == 'n')
            number = 10 * number + atoi(optarg);
        others();
    }
    HOLDS(strcmp(found, "xvnne") == 0 && number == 56);
    HOLDS(optind == 6 && strcmp(words[6], "rest") == 0 && strcmp(words[7], "more") == 0);
    return 0;
}

static int different_options(void) {
    char *own = rank % 2 ? "-abc" : "-cba";
    char *words[] = {"program", own, 0};
    for (int i = 1; i < 4; i++) {
        HOLDS(getopt(2, words, "abc") == own[i]);
        others();
    }
    HOLDS(getopt(2, words, "abc") == -1 && optind == 2);
    return 0;
}

static int faulty_options(void) {
    char *words[] = {"program", "-z", "-n", 0};
    opterr = rank != 0;
    HOLDS(getopt(3, words, "n:") == '?' && optopt == 'z');
    others();
    HOLDS(getopt(3, words, "n:") == '?' && optopt == 'n');
    others();
    optind = 0;
    HOLDS(getopt(3, words, ":n:") == '?' && getopt(3, words, ":n:") == ':');
    optind = 0;
    char *stop[] = {"program", "word", "-n", 0};
    HOLDS(getopt(3, stop, "+n") == -1 && optind == 1);
    optind = 0;
    HOLDS(getopt(3, stop, "-n") == 1 && strcmp(optarg, "word") == 0 && getopt(3, stop, "-n") == 'n');
    optind = 0;
    char *dashes[] = {"program", "-n", "--", "-n", 0};
    HOLDS(getopt(4, dashes, "n") == 'n' && getopt(4, dashes, "n") == -1 && optind == 3);
    return 0;
}

static int long_options(void) {
    int flag = 0, at = -1;
    struct option options[] = {{"size", required_argument, 0, 's'}, {"verbose", no_argument, &flag, 7},
                               {"verify", no_argument, 0, 'y'}, {"level", optional_argument, 0, 'l'},
                               {0, 0, 0, 0}};
    char *words[] = {"program", "--size=12", "--verb", "file", "--si", "30", "--level=3", "-sv", "--ver",
                     "--none", "--verify=1", "--size", 0};
    HOLDS(getopt_long(12, words, "s:", options, &at) == 's' && at == 0 && strcmp(optarg, "12") == 0);
    others();
    HOLDS(getopt_long(12, words, "s:", options, &at) == 0 && at == 1 && flag == 7);
    others();
    HOLDS(getopt_long(12, words, "s:", options, 0) == 's' && strcmp(optarg, "30") == 0);
    others();
    HOLDS(getopt_long(12, words, "s:", options, 0) == 'l' && strcmp(optarg, "3") == 0);
    HOLDS(getopt_long(12, words, "s:", options, 0) == 's' && strcmp(optarg, "v") == 0);
    others();
    HOLDS(getopt_long(12, words, "s:", options, 0) == '?' && optopt == 0);
    HOLDS(getopt_long(12, words, "s:", options, 0) == '?');
    HOLDS(getopt_long(12, words, "s:", options, 0) == '?' && optopt == 'y');
    HOLDS(getopt_long(12, words, "s:", options, 0) == '?' && optopt == 's');
    HOLDS(getopt_long(12, words, "s:", options, 0) == -1 && optind == 11);
    HOLDS(strcmp(words[11], "file") == 0);
    optind = 0;
    char *single[] = {"program", "-size", "4", "-ab", "-b", 0};
    HOLDS(getopt_long_only(5, single, "ab", options, 0) == 's' && strcmp(optarg, "4") == 0);
    others();
    HOLDS(getopt_long_only(5, single, "ab", options, 0) == 'a');
    others();
    HOLDS(getopt_long_only(5, single, "ab", options, 0) == 'b');
    HOLDS(getopt_long_only(5, single, "ab", options, 0) == 'b' && optind == 5);
    return 0;
}

static int thread_local_zeros(void) {
    int sum = 0;
    for (int i = 0; i < 1 << 20; i++)
        sum += zeros[i];
    zeros[12345] = (char)(rank + 1);
    others();
    HOLDS(sum == 0 && zeros[12345] == rank + 1);
    return 0;
}

static int tables(void) {
    HOLDS(hcreate(30) != 0);
    others();
    ENTRY entry = {"key", (void *)(size_t)(rank + 1)}, wanted = {"key", 0};
    HOLDS(hsearch(entry, ENTER));
    others();
    HOLDS(hsearch(wanted, FIND)->data == (void *)(size_t)(rank + 1));
    others();
    hdestroy();
    return 0;
}

static int unknown_errors(void) {
    char expected[40];
    snprintf(expected, sizeof expected, "Unknown error %d", 1000 + rank);
    char *text = strerror(1000 + rank), *known = strerror(ENOENT), *other = strerror(EACCES);
    others();
    HOLDS(strcmp(text, expected) == 0 && strcmp(known, other) != 0);
    return 0;
}

static int unknown_signals(void) {
    char expected[40];
    snprintf(expected, sizeof expected, "Unknown signal %d", 1000 + rank);
    char *text = strsignal(1000 + rank);
    others();
    HOLDS(strcmp(text, expected) == 0 && strcmp(strsignal(SIGSEGV), "Segmentation fault") == 0);
    return 0;
}

static int addresses(void) {
    char expected[20];
    struct in_addr address = {htonl(0x0a000001 + rank)};
    snprintf(expected, sizeof expected, "10.0.0.%d", 1 + rank);
    char *text = inet_ntoa(address);
    others();
    HOLDS(strcmp(text, expected) == 0);
    return 0;
}

static int temporary_names(void) {
    char *name = tmpnam(0), copy[L_tmpnam];
    strcpy(copy, name);
    others();
    HOLDS(strcmp(name, copy) == 0);
    return 0;
}

static int base_64(void) {
    char *text = l64a(12345678 + rank);
    others();
    HOLDS(a64l(text) == 12345678 + rank && *l64a(0) == 0);
    return 0;
}

static int digits(void) {
    int point, sign;
    char *one = ecvt(1.5 + rank, 4, &point, &sign), *two = fcvt(0.25 + rank, 2, &point, &sign);
    char first[] = "1500", second[] = "025";
    first[0] += rank;
    second[0] += rank;
    others();
    HOLDS(strcmp(one, first) == 0 && strcmp(two, rank ? second : "25") == 0);
    return 0;
}

static int characters_given_back(void) {
    HOLDS(ungetc('a' + rank, stdin) == 'a' + rank);
    others();
    HOLDS(getchar() == 'a' + rank);
    others();
    HOLDS(rank == 0 || (getchar() == EOF && feof(stdin)));
    return 0;
}

static int masks(void) {
    umask(rank);
    struct stat about;
    others();
    int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0777);
    HOLDS(fstat(file, &about) == 0 && (about.st_mode & 0777) == (0777 & ~rank));
    close(file);
    others();
    HOLDS(umask(0) == rank);
    return 0;
}

static int locales(void) {
    int odd = rank % 2;
    HOLDS(strcmp(setlocale(LC_ALL, NULL), "C") == 0);
    char *name = setlocale(LC_CTYPE, odd ? "C.UTF-8" : "POSIX");
    others();
    HOLDS(strcmp(name, odd ? "C.UTF-8" : "C") == 0 && !strcmp(setlocale(LC_CTYPE, NULL), name));
    HOLDS((MB_CUR_MAX > 1) == odd && strcmp(setlocale(LC_NUMERIC, NULL), "C") == 0);
    locale_t other = newlocale(LC_ALL_MASK, odd ? "C" : "C.UTF-8", 0);
    HOLDS(uselocale(other) == LC_GLOBAL_LOCALE);
    others();
    HOLDS((MB_CUR_MAX > 1) != odd && uselocale(0) == other);
    HOLDS(uselocale(LC_GLOBAL_LOCALE) == other && (MB_CUR_MAX > 1) == odd);
    freelocale(other);
    HOLDS(!setlocale(LC_ALL, "no such locale") && !setlocale(99, "C"));
    char *all = setlocale(LC_ALL, NULL);
    HOLDS(!strncmp(all, odd ? "LC_CTYPE=C.UTF-8;LC_NUMERIC=C;LC_TIME=C;" : "C", odd ? 40 : 2));
    setenv("LC_ALL", odd ? "C" : "C.UTF-8", 1);
    HOLDS(strcmp(setlocale(LC_ALL, ""), odd ? "C" : "C.UTF-8") == 0);
    others();
    HOLDS((MB_CUR_MAX > 1) != odd && setlocale(LC_ALL, all) == all);
    others();
    HOLDS((MB_CUR_MAX > 1) == odd);
    return 0;
}

static int zones(void) {
    static const char *zones[] = {"UTC0", "EST5EDT", "XYZ-3", "CET-1"};
    static const int west[] = {0, 5, -3, -1};
    int at = rank % 4;
    time_t noon = 43200;
    HOLDS(strcmp(tzname[0], "GMT") == 0 && timezone == 0 && daylight == 0);
    others();
    setenv("TZ", zones[at], 1);
    tzset();
    others();
    HOLDS(!strncmp(tzname[0], zones[at], 3) && timezone == 3600 * west[at] && daylight == (at == 1));
    struct tm *local = localtime(&noon);
    others();
    HOLDS(local->tm_hour == 12 - west[at] && !strncmp(local->tm_zone, zones[at], 3));
    HOLDS(mktime(local) == noon && strcmp(tzname[1], at == 1 ? "EDT" : tzname[0]) == 0);
    setenv("TZ", "ABC1", 1);
    others();
    HOLDS(localtime(&noon)->tm_hour == 11 && strcmp(tzname[0], "ABC") == 0);
    return 0;
}

static int characters_in_parts(void) {
    wchar_t letter = 0;
    setlocale(LC_ALL, "C.UTF-8");
    HOLDS(mbrtowc(&letter, "\xc3", 1, NULL) == (size_t)-2 && mbrlen("\xe2", 1, NULL) == (size_t)-2);
    others();
    const char *rest = rank % 2 ? "\xa9" : "\xa4";
    HOLDS(mbrlen("\x82", 1, NULL) == (size_t)-2);
    HOLDS(mbrtowc(&letter, rest, 1, NULL) == 1 && letter == (rank % 2 ? 0xe9 : 0xe4));
    others();
    HOLDS(mbrlen("\xac", 1, NULL) == 1 && mbtowc(&letter, "\xc3\xa9", 2) == 2 && letter == 0xe9);
    HOLDS(mbtowc(NULL, NULL, 0) == 0 && mbtowc(&letter, "", 1) == 0 && letter == 0);
    HOLDS(mbtowc(&letter, "\xff", 1) == -1);
    return 0;
}

static int generators(void) {
    static char one[64], two[64];
    srandom(rank + 1);
    long first = random(), second = random();
    srandom(rank + 1);
    others();
    HOLDS(random() == first);
    char *usual = initstate(7 + rank, one, sizeof one);
    long third = random();
    others();
    long fourth = random();
    HOLDS(usual && setstate(usual) == one);
    others();
    HOLDS(random() == second);
    HOLDS(initstate(7 + rank, two, sizeof two) == usual && random() == third);
    others();
    HOLDS(random() == fourth && setstate(usual) == two && !initstate(1, one, 4));
    return 0;
}

static int limits(void) {
    struct rlimit limit, before;
    HOLDS(getrlimit(RLIMIT_NOFILE, &before) == 0);
    limit = before;
    limit.rlim_cur = 20 + rank;
    HOLDS(before.rlim_cur > 100 && setrlimit(RLIMIT_NOFILE, &limit) == 0);
    others();
    HOLDS(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 20 + rank);
    limit.rlim_cur = limit.rlim_max + 1;
    HOLDS(limit.rlim_cur == 0 || (setrlimit(RLIMIT_NOFILE, &limit) == -1 && errno == EINVAL));
    return 0;
}

static int environment(void) {
    char own[40], *variables[2] = {own, 0};
    snprintf(own, sizeof own, "OWN=%d", rank);
    HOLDS(!getenv("OWN") && getenv("PATH"));
    others();
    environ = variables;
    others();
    HOLDS(getenv("OWN") && atoi(getenv("OWN")) == rank && !getenv("PATH"));
    HOLDS(setenv("MORE", "1", 1) == 0 && !strcmp(getenv("MORE"), "1"));
    others();
    HOLDS(atoi(getenv("OWN")) == rank && environ != variables);
    return 0;
}

static int assigned_output(void) {
    FILE *before = stdout;
    others();
    stdout = fopen(path, "w");
    others();
    printf("one %d\n", rank);
    puts("two");
    others();
    putchar('3');
    fclose(stdout);
    stdout = before;
    char expected[40];
    snprintf(expected, sizeof expected, "one %d\ntwo\n3", rank);
    HOLDS(content(expected));
    printf("back\n");
    return 0;
}

static int write_file(const char *text) {
    FILE *file = fopen(path, "w");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

static int assigned_input(void) {
    int a = 0, b = 0;
    HOLDS(write_file("7 8\n"));
    stdin = fopen(path, "r");
    others();
    HOLDS(scanf("%d", &a) == 1 && a == 7);
    others();
    HOLDS(scanf("%d", &b) == 1 && b == 8 && getchar() == '\n' && getchar() == EOF);
    return 0;
}

static int reopened_input(void) {
    int a = 0;
    char line[20];
    HOLDS(write_file("7\nnext line\n"));
    FILE *file = freopen(path, "r", stdin);
    HOLDS(file);
    others();
    HOLDS(scanf("%d\n", &a) == 1 && a == 7);
    others();
    HOLDS(fgets(line, sizeof line, stdin) && strcmp(line, "next line\n") == 0);
    HOLDS(fileno(stdin) == 0 && getchar() == EOF);
    return 0;
}

static int redirected_input(void) {
    int a = 0, b = 0;
    HOLDS(write_file("9 10"));
    int file = open(path, O_RDONLY);
    others();
    HOLDS(dup2(file, 0) == 0 && close(file) == 0);
    others();
    HOLDS(scanf("%d", &a) == 1 && a == 9);
    others();
    HOLDS(scanf("%d", &b) == 1 && b == 10);
    return 0;
}

static int reopened_output(void) {
    char expected[40];
    printf("before\n");
    HOLDS(freopen(path, "w", stdout) == stdout);
    others();
    printf("inside %d\n", rank);
    HOLDS(fileno(stdout) == 1 && write(1, "direct\n", 7) == 7);
    fflush(stdout);
    snprintf(expected, sizeof expected, "inside %d\ndirect\n", rank);
    HOLDS(content(expected));
    return 0;
}

/* All ranks but the first send their output to nowhere; it comes back. */
static int quiet(void) {
    int saved = dup(1);
    if (rank != 0) {
        int file = open("/dev/null", O_WRONLY);
        HOLDS(dup2(file, 1) == 1);
        close(file);
    }
    others();
    printf("quiet %d\n", rank);
    others();
    HOLDS(dup2(saved, 1) == 1 && close(saved) == 0);
    printf("loud\n");
    return 0;
}

static int closed_output(void) {
    if (rank == 1) {
        HOLDS(fclose(stdout) == 0);
        HOLDS(write(1, "x", 1) == -1 && errno == EBADF && close(1) == -1);
    }
    others();
    printf("still here\n");
    return 0;
}

static int lowest_number(void) {
    if (rank == 0)
        return others(), printf("kept\n"), 0;
    HOLDS(close(1) == 0);
    others();
    HOLDS(open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600) == 1);
    others();
    printf("by number %d\n", rank);
    char expected[40];
    snprintf(expected, sizeof expected, "by number %d\n", rank);
    HOLDS(content(expected) && close(1) == 0 && dup(2) == 1);
    HOLDS(fcntl(2, F_DUPFD, 10) >= 10);
    return 0;
}

static int output_into_errors(void) {
    HOLDS(dup2(1, 2) == 2);
    others();
    fprintf(stderr, "to the output %d\n", rank);
    dprintf(1, "%s %d\n", "direct", rank);
    return 0;
}

static int streams_on_descriptors(void) {
    FILE *out = fdopen(1, "w"), *device = fopen("/dev/stdout", "w");
    HOLDS(out && device && fileno(out) == 1);
    others();
    fprintf(out, "first\n");
    fclose(device);
    others();
    fprintf(out, "second\n");
    HOLDS(fclose(out) == 0 && write(1, "x", 1) == -1);
    return 0;
}

static int questions(void) {
    struct stat about;
    struct pollfd list[2] = {{1, POLLOUT, 0}, {-1, 0, 0}};
    HOLDS(fstat(1, &about) == 0 && fcntl(1, F_GETFD) >= 0 && lseek(1, 0, SEEK_CUR) == -1);
    HOLDS(poll(list, 2, 0) == 1 && list[0].fd == 1);
    close(2);
    others();
    HOLDS(fstat(2, &about) == -1 && errno == EBADF && fcntl(2, F_GETFD) == -1 && !isatty(2));
    HOLDS(pwrite(1, "x", 1, 0) == -1 && errno == ESPIPE);
    return 0;
}

/* What a rank has opened, another does not close. */
static int files_of_others(void) {
    FILE *file = fopen(path, "w");
    int number = open(path, O_RDONLY);
    HOLDS(file && number > 2);
    others();
    for (int other = 3; rank == 1 && other < 200; other++) {
        char link[40], name[300] = {0};
        snprintf(link, sizeof link, "/proc/self/fd/%d", other);
        if (readlink(link, name, sizeof name - 1) > 0 && strstr(name, "files_of_others-")
            && strcmp(name, path) != 0)
            HOLDS(close(other) == -1 && errno == EBADF);
    }
    others();
    HOLDS(fprintf(file, "written %d\n", rank) > 0 && fclose(file) == 0);
    char text[20] = {0};
    HOLDS(read(number, text, sizeof text) == 10 && close(number) == 0);
    return 0;
}

/* What an exit writes. */
static int unflushed(void) {
    FILE *file = fopen(path, "w");
    fprintf(file, "at exit %d\n", rank);
    others();
    exit(0);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int (*function)(void);
    } cases[] = {
#define CASE(name) {#name, name}
        CASE(short_options), CASE(different_options), CASE(faulty_options), CASE(long_options),
        CASE(thread_local_zeros), CASE(tables), CASE(unknown_errors), CASE(unknown_signals), CASE(addresses),
        CASE(temporary_names), CASE(base_64), CASE(digits), CASE(characters_given_back), CASE(masks),
        CASE(locales), CASE(zones), CASE(generators), CASE(characters_in_parts),
        CASE(limits), CASE(environment), CASE(assigned_output), CASE(assigned_input),
        CASE(reopened_input), CASE(redirected_input), CASE(reopened_output), CASE(quiet),
        CASE(closed_output), CASE(lowest_number), CASE(output_into_errors),
        CASE(streams_on_descriptors), CASE(questions), CASE(files_of_others), CASE(unflushed),
    };
    MPI_Comm_rank(0, &rank);
    snprintf(path, sizeof path, "%s/%s-%d", argv[1], argv[2], rank);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[2]) == 0)
            return cases[i].function();
    return 77;
}
