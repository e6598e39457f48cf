/* A program that is started by itself is run as a single rank by the simulator. No header is
   included, so that the library builds wherever a program does. */
extern int execv(const char *, char *const[]);
extern int execvp(const char *, char *const[]);
extern long readlink(const char *, char *, unsigned long);
extern char *getenv(const char *);
extern long write(int, const void *, unsigned long);
extern unsigned long strlen(const char *);
extern void _exit(int) __attribute__((noreturn));

static void fail(const char *message) {
    write(2, message, strlen(message));
    write(2, "\n", 1);
    _exit(127);
}

__attribute__((constructor)) static void launch(int argc, char **argv) {
    static char self[4097];
    char *words[argc + 5];
    const char *chosen = getenv("WINDTUNNEL");
    if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
        fail("windtunnel: the program cannot be found");
    words[0] = "windtunnel";
    words[1] = "mpiexec";
    words[2] = "-n";
    words[3] = "1";
    words[4] = self;
    for (int i = 1; i < argc; i++)
        words[4 + i] = argv[i];
    words[argc < 1 ? 5 : argc + 4] = 0;
    if (chosen && *chosen)
        execvp(chosen, words);
    execv(launcher, words);
    execvp("windtunnel", words);
    fail("windtunnel: the simulator that runs this program cannot be found; set WINDTUNNEL");
}

#define PLAIN(name) \
    void name(void) { fail("windtunnel: " #name " outside a simulation"); }
#define PROFILED(name, profiling) \
    void profiling(void) { fail("windtunnel: " #name " outside a simulation"); } \
    void name(void) __attribute__((weak, alias(#profiling)));
