/* Asks in which calls it is: in the program, in a callback of the C library, and in a library. */
#include "testing.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(int line) {
    printf("line %d\n", line);
    return line;
}

/* Whether the innermost calls are these. */
static int innermost(void *const *places, int count, const char *const *names, int wanted) {
    char **texts = backtrace_symbols(places, count);
    if (!texts || count < wanted)
        return 0;
    int right = 1;
    for (int i = 0; i < wanted; i++) {
        char *open = strchr(texts[i], '(');
        right &= open && strncmp(open + 1, names[i], strlen(names[i])) == 0;
        right &= strstr(texts[i], ") [0x") != NULL;
        if (!right)
            printf("%s is not %s\n", texts[i], names[i]);
    }
    free(texts);
    return right;
}

__attribute__((noinline)) int inner(int all) {
    static const char *const names[] = {"inner", "outer", "main"};
    void *places[32];
    int count = backtrace(places, all ? 32 : 2);
    if (all ? count < 3 : count != 2)
        return failed(__LINE__);
    if (!innermost(places, count, names, all ? 3 : 2))
        return failed(__LINE__);
    if (all)
        backtrace_symbols_fd(places, 3, STDOUT_FILENO);
    return 0;
}

__attribute__((noinline)) int outer(int all) {
    int result = inner(all);
    MPI_Barrier(0);
    return result;
}

__attribute__((noinline)) static int hidden(void) {
    static const char *const names[] = {"hidden", "main"};
    void *places[32];
    int count = backtrace(places, 32);
    int right = innermost(places, count, names, 2);
    MPI_Barrier(0);
    return right ? 0 : failed(__LINE__);
}

int main(void) {
    void *nowhere[1] = {(void *)16};
    char **texts = backtrace_symbols(nowhere, 1);
    if (!texts || strcmp(texts[0], "[0x10]") != 0)
        return failed(__LINE__);
    free(texts);
    free(backtrace_symbols(nowhere, 0));
    if (backtrace(nowhere, 0) != 0)
        return failed(__LINE__);
    int (*linked)(void **, int) = (int (*)(void **, int))dlsym(RTLD_DEFAULT, "backtrace");
    void *places[4];
    static const char *const names[] = {"main"};
    if (!linked || !innermost(places, linked(places, 4), names, 1))
        return failed(__LINE__);
    return outer(1) || outer(0) || hidden();
}
