/* Every rank has its own actions, masks, pending signals and timers. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static volatile sig_atomic_t handled, last, code, value;
static volatile void *address;
static sigjmp_buf back;

static void count(int signal) {
    handled++;
    last = signal;
}

static void tell(int signal, siginfo_t *info, void *context) {
    CHECK(info->si_signo == signal && context);
    handled++;
    code = info->si_code;
    value = info->si_value.sival_int;
    address = info->si_addr;
}

static void jump(int signal) {
    last = signal;
    siglongjmp(back, 1);
}

/* Goes on behind `movb $0, (%rax)`, which takes three bytes. */
static void skip(int signal, siginfo_t *info, void *context) {
    ucontext_t *place = context;
    CHECK(signal == SIGSEGV && info->si_addr == (void *)16);
    place->uc_mcontext.gregs[REG_RIP] += 3;
    place->uc_mcontext.gregs[REG_RBX] = 77;
    handled++;
}

static void inner(int signal) {
    int before = handled;
    (void)signal;
    raise(SIGUSR1);
    CHECK(handled == before);
    raise(SIGUSR2);
    CHECK(handled == before);
}

static void sending(void) {
    struct sigaction action = {0}, old;
    handled = 0;
    CHECK(signal(SIGUSR1, count) == SIG_DFL);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(raise(SIGUSR1) == 0 && handled == 1 && last == SIGUSR1);
    CHECK(kill(getpid(), SIGUSR1) == 0 && handled == 2);
    CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == 3);
    CHECK(kill(getpid(), 0) == 0 && kill(getpid(), 100) == -1 && errno == EINVAL);
    CHECK(kill(1, SIGTERM) == -1 && errno == ESRCH);
    action.sa_sigaction = tell;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    CHECK(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == count);
    union sigval some = {.sival_int = 42};
    CHECK(sigqueue(getpid(), SIGUSR1, some) == 0);
    CHECK(handled == 4 && code == SI_QUEUE && value == 42);
    CHECK(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == SIG_DFL);
    CHECK(__sysv_signal(SIGUSR2, count) == SIG_DFL);
    raise(SIGUSR2);
    CHECK(handled == 5 && signal(SIGUSR2, SIG_IGN) == SIG_DFL);
    raise(SIGUSR2);
    CHECK(handled == 5 && signal(SIGKILL, count) == SIG_ERR && errno == EINVAL);
    raise(SIGCHLD);
}

static void masks(void) {
    struct sigaction action = {0};
    sigset_t set, old;
    int got;
    handled = 0;
    signal(SIGUSR1, count);
    signal(SIGUSR2, count);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(handled == 0 && sigpending(&old) == 0 && sigismember(&old, SIGUSR1));
    CHECK(pthread_sigmask(SIG_UNBLOCK, &set, &old) == 0 && handled == 1);
    CHECK(sigismember(&old, SIGUSR1) && !sigismember(&old, SIGUSR2));
    action.sa_handler = inner;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaddset(&action.sa_mask, SIGUSR2);
    sigaction(SIGHUP, &action, NULL);
    raise(SIGHUP);
    CHECK(handled == 3);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR2);
    CHECK(sigwait(&set, &got) == 0 && got == SIGUSR2 && handled == 3);
    struct timespec soon = {0, 1000};
    CHECK(sigtimedwait(&set, NULL, &soon) == -1 && errno == EAGAIN);
    raise(SIGUSR1);
    sigemptyset(&old);
    CHECK(sigsuspend(&old) == -1 && errno == EINTR && handled == 4);
    sigpending(&old);
    CHECK(sigisemptyset(&old));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    CHECK(sigset(SIGUSR1, SIG_HOLD) == count && sigset(SIGUSR1, count) == SIG_HOLD);
}

static void faults(void) {
    struct sigaction action = {0};
    volatile int zero = 0, times = 0;
    action.sa_handler = jump;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    for (int round = 0; round < 3; round++) {
        if (!sigsetjmp(back, 1)) {
            *(volatile int *)8 = 1;
            CHECK(0);
        }
        CHECK(last == SIGSEGV);
        times++;
        MPI_Barrier(MPI_COMM_WORLD);
        if (!sigsetjmp(back, 1)) {
            zero = 5 / zero;
            CHECK(0);
        }
        CHECK(last == SIGFPE);
    }
    CHECK(times == 3);
    handled = 0;
    action.sa_flags = SA_SIGINFO;
    action.sa_sigaction = skip;
    sigaction(SIGSEGV, &action, NULL);
    long seen = 0;
    double kept = 2.5 * (rank + 1);
    __asm__ volatile("mov $16, %%eax\n\tmovb $0, (%%rax)\n\tmov %%rbx, %0"
                     : "=r"(seen)
                     :
                     : "rax", "rbx", "memory");
    CHECK(handled == 1 && seen == 77 && kept == 2.5 * (rank + 1));
    signal(SIGSEGV, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
}

static void pipes(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    CHECK(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    handled = 0;
    signal(SIGPIPE, count);
    CHECK(write(ends[1], "x", 1) == -1 && errno == EPIPE && handled == 1 && last == SIGPIPE);
    FILE *file = fdopen(ends[1], "w");
    fputs("text", file);
    CHECK(fflush(file) == EOF && handled == 2);
    fclose(file);
}

static void timers(void) {
    struct itimerval every = {{0, 2000}, {0, 1000}}, none = {{0, 0}, {0, 0}}, left;
    struct timespec time = {1, 0}, rest;
    handled = 0;
    signal(SIGALRM, count);
    alarm(rank + 1);
    CHECK(sleep(100) == (unsigned)(99 - rank) && handled == 1 && last == SIGALRM);
    alarm(2);
    CHECK(alarm(0) == 2 && sleep(3) == 0 && handled == 1);
    alarm(1);
    CHECK(pause() == -1 && errno == EINTR && handled == 2);
    CHECK(setitimer(ITIMER_REAL, &every, NULL) == 0);
    double begun = MPI_Wtime();
    while (handled < 5)
        MPI_Wtime();
    double took = MPI_Wtime() - begun;
    CHECK(took >= 0.005 && took < 0.0055);
    CHECK(getitimer(ITIMER_REAL, &left) == 0 && left.it_interval.tv_usec == 2000);
    CHECK(setitimer(ITIMER_REAL, &none, &left) == 0);
    handled = 0;
    ualarm(500000, 0);
    CHECK(nanosleep(&time, &rest) == -1 && errno == EINTR);
    CHECK(rest.tv_nsec > 499000000 && rest.tv_nsec < 501000000);
    signal(SIGALRM, SIG_IGN);
    alarm(1);
    CHECK(sleep(2) == 0 && handled == 1);
    timer_t timer;
    struct sigevent event = {0};
    struct sigaction action = {0};
    struct itimerspec once = {{0, 0}, {0, 3000000}};
    action.sa_sigaction = tell;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGRTMIN + 1, &action, NULL);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN + 1;
    event.sigev_value.sival_int = 9;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &once, NULL) == 0);
    CHECK(timer_gettime(timer, &once) == 0 && once.it_value.tv_nsec > 0);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(10000);
    CHECK(handled == 2 && code == SI_TIMER && value == 9);
    CHECK(timer_delete(timer) == 0 && timer_delete(timer) == -1 && errno == EINVAL);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    sending();
    masks();
    faults();
    pipes();
    timers();
    MPI_Finalize();
    return 0;
}
