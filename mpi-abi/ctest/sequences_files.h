/* The calls of sequences.c that are about files and folders. */

static void open_file(unsigned a) {
    char name[64];
    if (stream)
        fclose(stream);
    snprintf(name, sizeof name, "%s/file%u", folder, a % 3);
    stream = fopen(name, a % 4 == 0 ? "w+" : "a+");
    printf("open %d\n", stream != NULL);
    if (stream && a % 5 == 0)
        setvbuf(stream, NULL, a % 2 ? _IOLBF : _IONBF, 0);
}

static void write_file(unsigned a) {
    if (!stream)
        return;
    fseek(stream, 0, SEEK_END);
    int length = fprintf(stream, "%s %u %5.2f\n", word(a), a, a / 7.0);
    between();
    printf("wrote %d at %ld\n", length, ftell(stream));
}

static void read_file(unsigned a) {
    char line[128] = "";
    if (!stream)
        return;
    fseek(stream, a % 2 ? 0 : -(long)(a % 20), a % 2 ? SEEK_SET : SEEK_END);
    int letter = fgetc(stream);
    if (letter != EOF)
        ungetc(a % 3 ? letter : '#', stream);
    between();
    char *got = fgets(line, sizeof line, stream);
    printf("read %s%s", got ? got : "nothing", got && strchr(got, '\n') ? "" : "\n");
    printf("end %d %d\n", feof(stream) != 0, ferror(stream) != 0);
}

static void scan_file(unsigned a) {
    char name[32] = "";
    unsigned number = 0;
    if (!stream)
        return;
    rewind(stream);
    int found = fscanf(stream, a % 2 ? "%31s %u" : " %31[a-z]", name, &number);
    between();
    printf("scan %d %s %u %ld\n", found, name, number, ftell(stream));
}

static void mask(unsigned a) {
    char name[64];
    struct stat seen;
    mode_t old = umask(a % 64);
    between();
    snprintf(name, sizeof name, "%s/mask", folder);
    unlink(name);
    FILE *made = fopen(name, "w");
    if (made)
        fclose(made);
    int told = stat(name, &seen);
    printf("mask %o %d %o\n", (unsigned)old, told, told ? 0 : (unsigned)seen.st_mode & 0777);
}

static void walk(unsigned a) {
    char name[96], here[4096];
    snprintf(name, sizeof name, "%s/room%u", folder, a % 3);
    mkdir(name, 0755);
    int gone = chdir(a % 4 ? name : folder);
    between();
    char *told = getcwd(here, sizeof here);
    printf("walk %d %s\n", gone, told ? told + strlen(folder) : "-");
    FILE *made = fopen("here", "a");
    if (made) {
        fprintf(made, "%u\n", a);
        between();
        printf("here %ld %d\n", ftell(made), access("here", R_OK));
        fclose(made);
    }
}

static void listed(unsigned a) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    (void)a;
    between();
    for (int at = 0; at < count; at++) {
        printf("entry %s\n", entries[at]->d_name);
        free(entries[at]);
    }
    if (count >= 0)
        free(entries);
}
