/* Ranks wait for each other, and threads of a rank, in functions of the C and the C++ library that read and write pipes. */
#include "check.h"
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <string>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <vector>
#include <wchar.h>

static char folder[64];
static const MPI_Comm W = MPI_COMM_WORLD;
static const size_t BIG = 300000;

static std::string at(const char *name) { return std::string(folder) + "/" + name; }

/* Runs a function, and another one in a thread that begins later. */
static void with_late(const std::function<void()> &late, const std::function<void()> &first) {
    std::thread thread([&] {
        usleep(2000);
        late();
    });
    first();
    thread.join();
}

/* Reads what another thread writes into a pipe. */
static void read_late(const std::function<void(int, FILE *)> &read) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    FILE *file = fdopen(ends[0], "r");
    CHECK(file && fileno(file) == ends[0] && !fdopen(ends[0], "w") && errno == EINVAL);
    auto writes = [&] {
        CHECK(dprintf(ends[1], "first %d\nsec", 42) > 0);
        usleep(1000);
        CHECK(dprintf(ends[1], "ond\n") == 4 && close(ends[1]) == 0);
    };
    with_late(writes, [&] { read(ends[0], file); });
    CHECK(fclose(file) == 0 && close(ends[0]) == -1 && errno == EBADF);
}

static void reads() {
    char text[64] = "", *line = NULL;
    size_t room = 0;
    int number = 0;
    read_late([&](int, FILE *file) {
        CHECK(fgets(text, sizeof text, file) && std::string(text) == "first 42\n");
        CHECK(fgets(text, sizeof text, file) && std::string(text) == "second\n");
        CHECK(!fgets(text, sizeof text, file) && feof(file));
    });
    read_late([&](int, FILE *file) { CHECK(fscanf(file, "%63s %d", text, &number) == 2 && number == 42); });
    read_late([&](int, FILE *file) { CHECK(getline(&line, &room, file) == 9); });
    read_late([&](int, FILE *file) { CHECK(fread(text, 1, 16, file) == 16); });
    read_late([&](int, FILE *file) { CHECK(getc(file) == 'f'); });
    read_late([&](int, FILE *file) {
        wchar_t wide[8];
        CHECK(fgetwc(file) == L'f' && fgetws(wide, 8, file) && wide[6] == L'2' && wide[7] == 0);
    });
    read_late([&](int end, FILE *) {
        struct iovec parts[2] = {{text, 6}, {text + 32, 9}};
        CHECK(readv(end, parts, 2) == 12 && text[32] == '4');
    });
    free(line);
}

/* Writes more than a pipe or a socket has room for, while another thread reads it later. */
static void write_much(const std::function<void(int)> &write, bool is_socket = false) {
    int ends[2];
    CHECK((is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : pipe(ends)) == 0);
    auto drains = [&] {
        std::vector<char> part(1000);
        size_t all = 0;
        ssize_t got = 1;
        for (; all < BIG && got > 0; all += got)
            got = read(ends[0], part.data(), part.size());
        CHECK(all == BIG);
    };
    with_late(drains, [&] { write(ends[1]); });
    close(ends[0]);
    close(ends[1]);
}

static void writes() {
    std::vector<char> big(BIG, 'x');
    write_much([&](int end) {
        struct iovec parts[2] = {{big.data(), 100}, {big.data() + 100, BIG - 100}};
        CHECK(writev(end, parts, 2) == (ssize_t)BIG);
    });
    write_much([&](int end) {
        FILE *file = fdopen(dup(end), "w");
        CHECK(fwrite(big.data(), 1, BIG, file) == BIG && fclose(file) == 0);
    });
    write_much(
        [&](int end) {
            struct iovec part = {big.data(), BIG};
            struct msghdr message = {};
            message.msg_iov = &part;
            message.msg_iovlen = 1;
            CHECK(sendmsg(end, &message, 0) == (ssize_t)BIG);
        },
        true);
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    with_late([&] { CHECK(send(ends[1], "56789", 5, 0) == 5); },
              [&] {
                  CHECK(send(ends[1], "01234", 5, 0) == 5);
                  CHECK(recv(ends[0], big.data(), 10, MSG_WAITALL) == 10 && big[9] == '9');
              });
    close(ends[0]);
    close(ends[1]);
}

static void counters() {
    eventfd_t value = 0;
    int counter = eventfd(0, 0);
    with_late([&] { CHECK(eventfd_write(counter, 7) == 0); },
              [&] { CHECK(eventfd_read(counter, &value) == 0 && value == 7); });
    CHECK(eventfd_write(counter, UINT64_MAX - 1) == 0);
    with_late([&] { CHECK(eventfd_read(counter, &value) == 0); },
              [&] { CHECK(eventfd_write(counter, 5) == 0 && value == UINT64_MAX - 1); });
    close(counter);
}

/* Rank 1 reads the lines that rank 0 writes into a pipe with a name, as `how` says. */
static void lines(const char *name, int how) {
    if (rank == 0) {
        std::ofstream file(at(name));
        for (int line = 0; line < 3; line++) {
            file << "line " << line << std::endl;
            usleep(1000);
        }
        std::string big(BIG, 'x');
        file << big << std::endl;
    } else if (rank == 1 && how == 0) {
        std::ifstream file(at(name));
        std::string line;
        int count = 0;
        for (; std::getline(file, line) && count < 3; count++)
            CHECK(line == "line " + std::to_string(count));
        CHECK(line.size() == BIG && !std::getline(file, line));
    } else if (rank == 1) {
        char text[16];
        FILE *file = how == 1   ? fdopen(open(at(name).c_str(), O_RDONLY), "r")
                     : how == 2 ? fopen(at(name).c_str(), "r+")
                                : freopen(at(name).c_str(), "r", stdin);
        for (int line = 0; line < 3; line++)
            CHECK(fgets(text, sizeof text, file) && text[5] == '0' + line);
        for (size_t rest = 0; rest < BIG; rest++)
            CHECK(getc(file) == 'x');
        CHECK(getc(file) == '\n' && (how == 2 || getc(file) == EOF));
        CHECK(fclose(file) == 0);
    }
    MPI_Barrier(W);
}

/* The last rank ends without closing its end of a pipe, at which rank 0 waits for it. */
static void left_open(void) {
    char text[16];
    int end = rank == 0 ? open(at("left").c_str(), O_RDONLY) : -1;
    if (rank == size - 1)
        CHECK(fputs("left\n", fopen(at("left").c_str(), "w")) > 0 && open(at("left").c_str(), O_WRONLY) >= 0);
    if (rank > 0)
        return;
    for (ssize_t got = 1; got > 0;)
        got = read(end, text, sizeof text);
    CHECK(text[0] == 'l' && unlink(at("left").c_str()) == 0 && rmdir(folder) == 0);
}

int main(int argc, char **argv) {
    const char *names[] = {"0", "1", "2", "3"};
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    reads();
    writes();
    counters();
    strcpy(folder, "/tmp/wtXXXXXX");
    if (rank == 0) {
        CHECK(mkdtemp(folder) && mkfifo(at("left").c_str(), 0600) == 0);
        for (const char *name : names)
            CHECK(mkfifo(at(name).c_str(), 0600) == 0);
    }
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, W);
    for (int how = 0; how < 4 && size > 1; how++)
        lines(names[how], how);
    if (rank == 0)
        for (const char *name : names)
            CHECK(unlink(at(name).c_str()) == 0);
    MPI_Finalize();
    if (size > 1)
        left_open();
    else
        CHECK(unlink(at("left").c_str()) == 0 && rmdir(folder) == 0);
    return 0;
}
