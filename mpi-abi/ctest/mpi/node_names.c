/* Names of nodes lead to addresses, these back to the names, and sockets to the ranks there. */
#define _GNU_SOURCE
#include "check.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static const MPI_Comm W = MPI_COMM_WORLD;

static void resolve(void) {
    char name[MPI_MAX_PROCESSOR_NAME], host[64], text[64], again[64];
    int length;
    MPI_Get_processor_name(name, &length);
    CHECK(gethostname(host, sizeof host) == 0 && strcmp(host, name) == 0);
    struct hostent *entry = gethostbyname(host);
    CHECK(entry && entry->h_addrtype == AF_INET && strcmp(entry->h_name, host) == 0);
    struct in_addr own = *(struct in_addr *)entry->h_addr_list[0];
    CHECK(inet_ntop(AF_INET, &own, text, sizeof text));
    MPI_Barrier(W); /* others ask meanwhile */
    CHECK(strcmp(entry->h_name, host) == 0 && !memcmp(entry->h_addr_list[0], &own, sizeof own));
    entry = gethostbyaddr(&own, sizeof own, AF_INET);
    CHECK(entry && strcmp(entry->h_name, host) == 0);

    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found;
    hints.ai_flags = AI_CANONNAME;
    CHECK(getaddrinfo(host, "80", &hints, &found) == 0 && found->ai_family == AF_INET);
    CHECK(strcmp(found->ai_canonname, host) == 0);
    struct sockaddr_in address = *(struct sockaddr_in *)found->ai_addr;
    CHECK(address.sin_addr.s_addr == own.s_addr && ntohs(address.sin_port) == 80);
    CHECK(getnameinfo(found->ai_addr, found->ai_addrlen, again, sizeof again, NULL, 0, 0) == 0);
    CHECK(strcmp(again, host) == 0);
    CHECK(getnameinfo(found->ai_addr, found->ai_addrlen, again, sizeof again, NULL, 0,
                      NI_NUMERICHOST) == 0);
    CHECK(strcmp(again, text) == 0);
    freeaddrinfo(found);
    hints.ai_flags = AI_NUMERICHOST;
    CHECK(getaddrinfo(host, NULL, &hints, &found) == EAI_NONAME);
    CHECK(getaddrinfo("127.0.0.1", NULL, NULL, &found) == 0);
    freeaddrinfo(found);

    /* No two nodes have the same address. */
    unsigned all[64];
    MPI_Allgather(&own.s_addr, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, W);
    for (int i = 0; i < size; i++)
        CHECK((all[i] == own.s_addr) == (i == rank));
}

/* Rank 0 listens on all addresses of its node; the others look it up by name. */
static void connect_by_name(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    char host[64];
    int port = 0, door = -1;
    if (rank == 0) {
        door = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(bind(door, (struct sockaddr *)&address, length) == 0 && listen(door, 8) == 0);
        CHECK(getsockname(door, (struct sockaddr *)&address, &length) == 0);
        port = ntohs(address.sin_port);
        CHECK(gethostname(host, sizeof host) == 0);
    }
    MPI_Bcast(&port, 1, MPI_INT, 0, W);
    MPI_Bcast(host, sizeof host, MPI_CHAR, 0, W);
    if (rank == 0) {
        for (int other = 1; other < size; other++) {
            int value = 0, file = accept(door, NULL, NULL);
            CHECK(file >= 0 && read(file, &value, sizeof value) == sizeof value && value > 0);
            close(file);
        }
        close(door);
        return;
    }
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    CHECK(getaddrinfo(host, service, &hints, &found) == 0);
    int file = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    CHECK(connect(file, found->ai_addr, found->ai_addrlen) == 0);
    CHECK(write(file, &rank, sizeof rank) == sizeof rank);
    freeaddrinfo(found);
    close(file);
}

int main(int argc, char **argv) {
    begin(&argc, &argv);
    resolve();
    connect_by_name();
    MPI_Finalize();
    return 0;
}
