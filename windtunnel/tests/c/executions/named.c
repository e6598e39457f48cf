/* Creates objects that processes share by name, expects that none of them was there, and leaves
   them behind. */
#include <fcntl.h>
#include <mpi.h>
#include <mqueue.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

enum { KEY = 0x57a9b3 };

static void expect(int holds, const char *what) {
    if (!holds) {
        perror(what);
        exit(1);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int fresh = O_CREAT | O_EXCL | O_RDWR;
    if (rank == 0) {
        int memory = shm_open("/windtunnel-named", fresh, 0600);
        expect(memory >= 0 && ftruncate(memory, 4096) == 0, "shm_open");
        int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        expect(shared != MAP_FAILED, "mmap");
        *shared = 42;
        expect(sem_open("/windtunnel-named", fresh, 0600, 1) != SEM_FAILED, "sem_open");
        expect(mq_open("/windtunnel-named", fresh, 0600, NULL) != (mqd_t)-1, "mq_open");
        expect(shmget(KEY, 4096, IPC_CREAT | IPC_EXCL | 0600) >= 0, "shmget");
        expect(msgget(KEY, IPC_CREAT | IPC_EXCL | 0600) >= 0, "msgget");
        expect(semget(KEY, 1, IPC_CREAT | IPC_EXCL | 0600) >= 0, "semget");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int memory = shm_open("/windtunnel-named", O_RDWR, 0);
        expect(memory >= 0, "shm_open of what is there");
        int *shared = mmap(NULL, 4096, PROT_READ, MAP_SHARED, memory, 0);
        expect(shared != MAP_FAILED && *shared == 42, "the memory of rank 0");
    }
    MPI_Finalize();
    return 0;
}
