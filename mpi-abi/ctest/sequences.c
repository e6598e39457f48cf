/* Calls of the C library in any order, by number: what one process sees must not depend on what
 * others do in between. Arguments: a folder, the number of a rank (-1: ask MPI), and for each rank
 * its words NAME:NUMBER, with a / after each rank. Compiled with -DALONE the program is one
 * process without MPI. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <getopt.h>
#include <langinfo.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#ifdef ALONE
static void between(void) {}
static int my_rank(void) { return 0; }
#else
#include "testing.h"
/* The other ranks go on meanwhile. */
static void between(void) { MPI_Barrier(NULL); }
static int my_rank(void) {
    int rank;
    MPI_Comm_rank(NULL, &rank);
    return rank;
}
#endif

static const char *folder;
static int rank;
static FILE *stream;
static char *blocks[8];
static size_t sizes[8];
static volatile sig_atomic_t heard[4];
static __thread unsigned counted_here;
static unsigned counted;
static char text[256], *rest;
static struct hsearch_data *table;

static const char *words[] = {"alpha", "beta", "gamma", "delta", "a,b;c", "one two  three", "x=y", ""};

static const char *word(unsigned a) { return words[a % 8]; }

static void begin_tokens(unsigned a) {
    snprintf(text, sizeof text, "%s,%s;%u %s", word(a), word(a / 8), a, word(a / 64));
    rest = strtok(text, ",; ");
    printf("tokens %s\n", rest ? rest : "-");
}

static void next_token(unsigned a) {
    char *token = rest ? strtok(NULL, a % 2 ? "," : ",; ") : NULL;
    printf("token %s\n", token ? token : "-");
    if (!token)
        rest = NULL;
}

static void numbers(unsigned a) {
    if (a % 3 == 0)
        srand(a);
    if (a % 5 == 0)
        srandom(a);
    if (a % 7 == 0)
        srand48(a);
    int first = rand();
    between();
    printf("numbers %d %d %ld %ld %.6f\n", first, rand(), random(), lrand48(), drand48());
}

static void seeded_state(unsigned a) {
    static char state[64];
    char *old = initstate(a, state, sizeof state);
    between();
    printf("state %ld\n", random());
    setstate(old);
}

static void set_environment(unsigned a) {
    char name[16], value[16];
    snprintf(name, sizeof name, "WORD_%u", a % 5);
    snprintf(value, sizeof value, "%u", a);
    if (a % 4 == 3)
        unsetenv(name);
    else
        setenv(name, value, a % 2);
}

static void get_environment(unsigned a) {
    char name[16];
    snprintf(name, sizeof name, "WORD_%u", a % 5);
    const char *value = getenv(name);
    between();
    printf("environment %s=%s\n", name, value ? value : "-");
}

static void put_environment(unsigned a) {
    static char entry[4][24];
    snprintf(entry[a % 4], sizeof entry[0], "WORD_%u=put%u", a % 4, a);
    putenv(entry[a % 4]);
}

static void zone(unsigned a) {
    static const char *zones[] = {"UTC", "EST5EDT", "CET-1CEST,M3.5.0,M10.5.0/3", "XYZ3"};
    setenv("TZ", zones[a % 4], 1);
    tzset();
    between();
    printf("zone %s %s %ld %d\n", tzname[0], tzname[1], timezone, daylight);
}

static void dates(unsigned a) {
    time_t when = 86400L * (a % 30000) + a;
    struct tm *local = localtime(&when);
    between();
    char line[64];
    strftime(line, sizeof line, "%F %T %j %u %Z", local);
    time_t back = mktime(local);
    printf("dates %s %ld\n", line, (long)back);
    struct tm *utc = gmtime(&when);
    between();
    const char *shown = asctime(utc);
    between();
    printf("dates %s", shown);
}

static void options(unsigned a) {
    static char *lists[4][6] = {{"p", "-ab", "-c", "value", "rest", NULL},
                                {"p", "-cvalue", "-b", "-a", NULL, NULL},
                                {"p", "-abc", "last", "-x", "rest", NULL},
                                {"p", "-a", "--", "-b", "rest", NULL}};
    char **list = lists[a % 4];
    int count = 0, option;
    while (list[count])
        count++;
    optind = 1;
    opterr = 0;
    while ((option = getopt(count, list, "+abc:")) != -1) {
        printf("option %c %s %d\n", option, optarg && option == 'c' ? optarg : "-", optind);
        between();
        if (a % 6 == 5)
            break;
    }
    optind = 0;
}

#include "sequences_files.h"

static int descending;

static int compare(const void *one, const void *two) {
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)two;
    if (a % 16 == 0)
        between();
    return (a > b) - (a < b) ? (descending ? b > a ? 1 : -1 : a > b ? 1 : -1) : 0;
}

static void sorted(unsigned a) {
    unsigned list[24], key = a % 24 * 7 % 97;
    descending = a % 2;
    for (unsigned at = 0; at < 24; at++)
        list[at] = (a + at) * 7 % 97;
    qsort(list, 24, sizeof *list, compare);
    unsigned *found = bsearch(&key, list, 24, sizeof *list, compare);
    printf("sorted %u %u %u %ld\n", list[0], list[11], list[23], found ? found - list : -1);
}

static void allocate(unsigned a) {
    unsigned slot = a % 8;
    size_t size = a % 7 == 0 ? 0 : a % 40000 + 1, same = size < sizes[slot] ? size : sizes[slot];
    char *block = realloc(blocks[slot], size ? size : 1);
    between();
    unsigned long sum = 0;
    for (size_t at = 0; at < same; at++)
        sum = sum * 31 + (unsigned char)block[at];
    memset(block, (int)a, size);
    blocks[slot] = block;
    sizes[slot] = size;
    printf("block %u %lu\n", slot, sum);
}

static void give_back(unsigned a) {
    free(blocks[a % 8]);
    blocks[a % 8] = NULL;
    sizes[a % 8] = 0;
    char *clear = calloc(a % 100 + 1, 3), *line = NULL;
    int length = asprintf(&line, "%s-%u", word(a), a);
    between();
    printf("clear %d %d %s\n", clear[a % 100], length, line);
    free(clear);
    free(line);
}

static void locale(unsigned a) {
    const char *set = setlocale(a % 2 ? LC_NUMERIC : LC_ALL, a % 3 ? "C" : "C.UTF-8");
    between();
    printf("locale %s %s %s %.1f\n", set ? set : "-", setlocale(LC_CTYPE, NULL),
           localeconv()->decimal_point, a / 4.0);
    printf("codeset %s %d\n", nl_langinfo(CODESET), (int)MB_CUR_MAX);
}

static void own_locale(unsigned a) {
    locale_t own = newlocale(LC_ALL_MASK, a % 2 ? "C" : "C.UTF-8", 0);
    locale_t before = uselocale(own);
    between();
    printf("own locale %d %d", before == LC_GLOBAL_LOCALE, (int)MB_CUR_MAX);
    uselocale(before);
    freelocale(own);
    between();
    printf(" %d\n", (int)MB_CUR_MAX);
}

static void wide(unsigned a) {
    wchar_t letter = L'?';
    int used = mbtowc(&letter, a % 2 ? "\xc3\xa9" : "e", 2);
    between();
    wchar_t line[32];
    int length = swprintf(line, 32, L"%ls %u", L"wide", a);
    printf("wide %d %d %d\n", used, used > 0 ? (int)letter : 0, length);
}

static void failing(unsigned a) {
    errno = 0;
    if (a % 3 == 0)
        (void)!close(-1);
    else if (a % 3 == 1)
        (void)!fopen("/no/such/file", "r");
    else
        (void)!strtol("999999999999999999999999", NULL, 10);
    between();
    int error = errno;
    const char *known = strerror(error);
    between();
    printf("error %d %s\n", error, known);
    const char *unknown = strerror(1000 + (int)(a % 50));
    between();
    printf("error %s %s\n", unknown, strsignal((int)(a % 40)));
}

static void handler(int signal) {
    heard[signal == SIGUSR1 ? 0 : signal == SIGUSR2 ? 1 : 2] += 1;
}

static void signals(unsigned a) {
    int which = a % 3 == 0 ? SIGUSR1 : a % 3 == 1 ? SIGUSR2 : SIGTERM;
    void (*old)(int) = signal(which, a % 5 ? handler : SIG_IGN);
    between();
    raise(which);
    between();
    printf("signals %d %d %d %d\n", old == SIG_DFL ? 0 : old == SIG_IGN ? 1 : 2, heard[0], heard[1],
           heard[2]);
}

static void blocked(unsigned a) {
    sigset_t set, old, waiting;
    struct sigaction action = {.sa_handler = handler}, before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaction(SIGUSR1, &action, &before);
    sigprocmask(SIG_BLOCK, &set, &old);
    if (a % 2)
        raise(SIGUSR1);
    between();
    sigpending(&waiting);
    int pending = sigismember(&waiting, SIGUSR1), seen = heard[0];
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("blocked %d %d %d\n", pending, seen, heard[0]);
}

static jmp_buf back;

static void jump(unsigned a) {
    volatile unsigned tries = 0;
    if (setjmp(back) < (int)(a % 4)) {
        tries++;
        between();
        longjmp(back, (int)tries);
    }
    printf("jumped %u\n", tries);
}

static void rounding(unsigned a) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    volatile double one = 1, three = 3, zero = a % 2 ? 0 : 1;
    fesetround(modes[a % 4]);
    feclearexcept(FE_ALL_EXCEPT);
    volatile double quotient = one / zero;
    between();
    printf("rounding %d %.20g %g %d\n", fegetround(), one / three, quotient,
           fetestexcept(FE_DIVBYZERO) != 0);
    fesetround(FE_TONEAREST);
}

static void converted(unsigned a) {
    struct in_addr address = {.s_addr = htonl(a * 2654435761u)};
    const char *shown = inet_ntoa(address);
    between();
    printf("address %s\n", shown);
    const char *coded = l64a((long)a);
    between();
    int point, sign;
    printf("coded %s\n", coded);
    const char *digits = ecvt(a / 3.0, 6, &point, &sign);
    between();
    printf("digits %s %d\n", digits, point);
}

static void found(unsigned a) {
    ENTRY entry = {(char *)word(a), (void *)(long)a}, *known = NULL;
    if (!table) {
        table = calloc(1, sizeof *table);
        hcreate_r(32, table);
        hcreate(32);
    }
    hsearch_r(entry, a % 2 ? ENTER : FIND, &known, table);
    between();
    printf("found %ld", known ? (long)known->data : -1);
    known = hsearch(entry, a % 2 ? ENTER : FIND);
    between();
    printf(" %ld\n", known ? (long)known->data : -1);
}

static void limits(unsigned a) {
    struct rlimit limit = {0, 0};
    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > a ? a : limit.rlim_max;
    int set = setrlimit(RLIMIT_CORE, &limit);
    between();
    getrlimit(RLIMIT_CORE, &limit);
    printf("limits %d %lu\n", set, (unsigned long)limit.rlim_cur);
}

static void names(unsigned a) {
    char path[64], other[64];
    snprintf(path, sizeof path, "/%s/%u/", word(a), a);
    strcpy(other, path);
    const char *base = basename(path), *parent = dirname(other);
    between();
    printf("names %s %s %s\n", base, parent, toupper(word(a)[0]) ? "upper" : "none");
}

static void counts(unsigned a) {
    counted += a % 10;
    between();
    counted_here += a % 7;
    between();
    printf("counts %u %u\n", counted, counted_here);
}

static void farewell(void) { printf("farewell %u %u\n", counted, counted_here); }

static void at_end(unsigned a) {
    (void)a;
    printf("at end %d\n", atexit(farewell));
}

static const struct {
    const char *name;
    void (*run)(unsigned);
} calls[] = {
    {"begin_tokens", begin_tokens}, {"next_token", next_token}, {"numbers", numbers},
    {"seeded_state", seeded_state}, {"set_environment", set_environment},
    {"get_environment", get_environment}, {"put_environment", put_environment}, {"zone", zone},
    {"dates", dates}, {"options", options}, {"open_file", open_file}, {"write_file", write_file},
    {"read_file", read_file}, {"scan_file", scan_file}, {"sorted", sorted},
    {"allocate", allocate}, {"give_back", give_back}, {"locale", locale},
    {"own_locale", own_locale}, {"wide", wide},
    {"failing", failing}, {"mask", mask}, {"walk", walk}, {"listed", listed},
    {"signals", signals}, {"blocked", blocked}, {"jump", jump}, {"rounding", rounding},
    {"converted", converted}, {"found", found}, {"limits", limits}, {"names", names},
    {"counts", counts}, {"at_end", at_end},
};

int main(int argc, char **argv) {
    static char own[4096];
    rank = atoi(argv[2]) < 0 ? my_rank() : atoi(argv[2]);
    snprintf(own, sizeof own, "%s/rank%d", argv[1], rank);
    folder = own;
    mkdir(folder, 0755);
    int at = 3;
    for (int before = 0; before < rank; before++)
        while (strcmp(argv[at++], "/"))
            ;
    for (; at < argc && strcmp(argv[at], "/"); at++) {
        const char *number = strchr(argv[at], ':');
        for (size_t call = 0; call < sizeof calls / sizeof *calls; call++)
            if (!strncmp(calls[call].name, argv[at], (size_t)(number - argv[at])) &&
                calls[call].name[number - argv[at]] == 0)
                calls[call].run((unsigned)atoi(number + 1));
        between();
    }
    return 0;
}
