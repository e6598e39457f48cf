// What programs draw from the system, and what they see of the host: another for each rank, the same
// in every run.
#include "testing.h"
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <random>
#include <string>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

static void show(const char *name, unsigned long number) { std::printf("%s %lx\n", name, number); }

int main() {
    int rank;
    unsigned long number = 0;
    MPI_Comm_rank(nullptr, &rank);
    std::random_device device, other("/dev/urandom");
    show("device", device());
    show("device", other());
    MPI_Barrier(nullptr);
    int file = open("/dev/urandom", O_RDONLY);
    if (read(file, &number, 8) != 8)
        return 1;
    close(file);
    show("read", number);
    FILE *stream = std::fopen("/dev/random", "rb");
    if (std::fread(&number, 8, 1, stream) != 1)
        return 2;
    std::fclose(stream);
    show("fread", number);
    std::ifstream input("/dev/urandom", std::ios::binary);
    if (!input.read(reinterpret_cast<char *>(&number), 8))
        return 3;
    show("stream", number);
    std::ifstream text(std::string("/dev/urandom"));
    if (!text.read(reinterpret_cast<char *>(&number), 8))
        return 4;
    show("text", number);
    std::ifstream later;
    later.open("/proc/sys/kernel/random/uuid");
    std::string name;
    if (!(later >> name) || name.size() != 36)
        return 5;
    std::printf("name %s\n", name.c_str());
    MPI_Barrier(nullptr);
    if (getentropy(&number, 8) != 0)
        return 6;
    show("getentropy", number);
    if (getrandom(&number, 8, 0) != 8)
        return 7;
    show("getrandom", number);
    char host[64];
    struct utsname system;
    if (gethostname(host, sizeof host) != 0 || uname(&system) != 0)
        return 8;
    std::printf("host %s %s %ld %d\n", host, system.nodename, gethostid(), getppid());
    std::ofstream out("/dev/null");
    std::ifstream missing("/no/such/file");
    return !out || missing.is_open();
}
