/* What each thread of a rank has for itself, and how threads begin and end. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static __thread int own = 5;
static __thread double table[100];
static pthread_key_t key;
static int destroyed, cleaned;

static void destroy(void *value) { destroyed += *(int *)value; }

static void clean(void *value) { cleaned += *(int *)value; }

/* Each thread has thread-local variables of its own, initialized when it starts. */
static void *count(void *argument) {
    int mine = *(int *)argument;
    CHECK(own == 5 && table[99] == 0);
    CHECK(pthread_getspecific(key) == NULL);
    CHECK(pthread_setspecific(key, argument) == 0);
    errno = mine;
    own += mine;
    table[99] = mine;
    usleep(10 * (4 - mine));
    CHECK(own == 5 + mine && table[99] == mine && errno == mine);
    CHECK(pthread_getspecific(key) == argument);
    return NULL;
}

static void variables(void) {
    pthread_t threads[3];
    int numbers[3];
    CHECK(pthread_key_create(&key, destroy) == 0);
    own = 50;
    errno = 40;
    for (int i = 0; i < 3; i++) {
        numbers[i] = i + 1;
        CHECK(pthread_create(&threads[i], NULL, count, &numbers[i]) == 0);
    }
    for (int i = 0; i < 3; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(own == 50 && errno == 40 && destroyed == 6);
    CHECK(pthread_key_delete(key) == 0 && pthread_key_delete(key) == EINVAL);
    CHECK(pthread_setspecific(key, &own) == EINVAL);
}

/* A thread begins with the locale of the program, and may have another for itself. */
static void *speak(void *argument) {
    locale_t other = newlocale(LC_ALL_MASK, argument ? "C.UTF-8" : "C", 0);
    CHECK(MB_CUR_MAX == 1 && uselocale(other) == LC_GLOBAL_LOCALE);
    usleep(5);
    CHECK((MB_CUR_MAX > 1) == (argument != NULL) && uselocale(0) == other);
    usleep(10);
    CHECK(uselocale(LC_GLOBAL_LOCALE) == other);
    freelocale(other);
    CHECK(MB_CUR_MAX > 1);
    return NULL;
}

static void locales(void) {
    pthread_t threads[2];
    CHECK(MB_CUR_MAX == 1);
    pthread_create(&threads[0], NULL, speak, NULL);
    pthread_create(&threads[1], NULL, speak, threads);
    usleep(7);
    CHECK(MB_CUR_MAX == 1 && setlocale(LC_CTYPE, "C.UTF-8") && MB_CUR_MAX > 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    CHECK(setlocale(LC_ALL, "C") && MB_CUR_MAX == 1);
}

static void leave_deep(int depth);

/* Not to be seen through: some compilers take it for an endless recursion. */
static void (*volatile deeper)(int) = leave_deep;

static void leave_deep(int depth) {
    static int one = 1, ten = 10;
    pthread_cleanup_push(clean, depth > 0 ? &one : &ten);
    if (depth == 0)
        pthread_exit(&one);
    deeper(depth - 1);
    pthread_cleanup_pop(0);
}

static void *leave(void *argument) {
    pthread_cleanup_push(clean, argument);
    pthread_cleanup_pop(1);
    leave_deep(2);
    return NULL;
}

static void ends(void) {
    pthread_t thread;
    int hundred = 100;
    void *result = NULL;
    pthread_create(&thread, NULL, leave, &hundred);
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(*(int *)result == 1 && cleaned == 112);
}

static void *wait_a_while(void *argument) {
    usleep(100);
    return argument;
}

static void *join(void *other) {
    return (void *)(long)pthread_join(*(pthread_t *)other, NULL);
}

static void handles(void) {
    pthread_t one, two, self = pthread_self();
    void *code;
    CHECK(pthread_equal(self, pthread_self()));
    CHECK(pthread_join(self, NULL) == EDEADLK);
    pthread_create(&one, NULL, wait_a_while, NULL);
    CHECK(!pthread_equal(self, one));
    CHECK(pthread_tryjoin_np(one, NULL) == EBUSY);
    struct timespec past = {0, 0};
    CHECK(pthread_timedjoin_np(one, NULL, &past) == ETIMEDOUT);
    pthread_create(&two, NULL, join, &one);
    CHECK(pthread_join(one, NULL) == EINVAL);
    CHECK(pthread_join(two, &code) == 0 && code == NULL);
    CHECK(pthread_join(one, NULL) == ESRCH);
    pthread_create(&one, NULL, wait_a_while, NULL);
    CHECK(pthread_detach(one) == 0);
    CHECK(pthread_join(one, NULL) == EINVAL && pthread_detach(one) == EINVAL);
    usleep(200);
    CHECK(pthread_join(one, NULL) == ESRCH);
    CHECK(pthread_kill(one, 0) == ESRCH && pthread_kill(self, 0) == 0);
}

/* Touches so many bytes of its stack. */
static void *fill(void *bytes) {
    volatile char frame[4096];
    for (size_t i = 0; i < sizeof frame; i++)
        frame[i] = 1;
    long left = (long)bytes - (long)sizeof frame;
    void *below = left > 0 ? fill((void *)left) : NULL;
    return frame[17] == 1 ? below : bytes;
}

static char memory[64 << 10] __attribute__((aligned(16)));

static void stacks(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *result, *start;
    size_t bytes = 0;
    int state = -1;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, 100) == EINVAL);
    CHECK(pthread_attr_setstacksize(&attributes, 100 << 20) == 0);
    CHECK(pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes == 100 << 20);
    CHECK(pthread_create(&thread, &attributes, fill, (void *)(90L << 20)) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == NULL);
    CHECK(pthread_attr_setstack(&attributes, memory, sizeof memory) == 0);
    CHECK(pthread_attr_getstack(&attributes, &start, &bytes) == 0 && start == memory);
    CHECK(pthread_create(&thread, &attributes, fill, (void *)(20L << 10)) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == NULL);
    size_t touched = 0;
    while (touched < sizeof memory && memory[touched] == 0)
        touched++;
    CHECK(touched > 1000 && touched < sizeof memory - (18 << 10));
    pthread_attr_destroy(&attributes);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    CHECK(pthread_attr_getdetachstate(&attributes, &state) == 0);
    CHECK(state == PTHREAD_CREATE_DETACHED);
    CHECK(pthread_create(&thread, &attributes, wait_a_while, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == EINVAL);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void slowly(void) {
    usleep(10);
    calls++;
}

static void *call(void *argument) {
    pthread_once(&once, slowly);
    CHECK(calls == 1);
    return argument;
}

static void calls_once(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, call, NULL);
    call(NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

/* The main thread may end before the others: the last one ends the program. */
static pthread_t main_thread;
static int last_words;

static void *outlive(void *argument) {
    void *result = NULL;
    CHECK(pthread_join(main_thread, &result) == 0 && result == &last_words);
    usleep(5);
    return argument;
}

int main(int argc, char **argv) {
    pthread_t other;
    begin(&argc, &argv);
    variables();
    locales();
    ends();
    handles();
    stacks();
    calls_once();
    MPI_Finalize();
    main_thread = pthread_self();
    pthread_create(&other, NULL, outlive, NULL);
    pthread_exit(&last_words);
}
