// Messages of packed data, which grow while they are packed; the argument says in which types they are unpacked.
#include <mpi.h>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

static int rank, size;

struct Packer {
    std::vector<char> bytes;
    int position = 0;

    void put(const void *data, int count, MPI_Datatype type) {
        int more;
        MPI_Pack_size(count, type, MPI_COMM_WORLD, &more);
        bytes.resize(position + more);
        MPI_Pack(data, count, type, bytes.data(), (int)bytes.size(), &position, MPI_COMM_WORLD); /* line 18 */
    }
};

static std::vector<char> unpacked;
static int position;

static void get(void *data, int count, MPI_Datatype type) {
    MPI_Unpack(unpacked.data(), (int)unpacked.size(), &position, data, count, type, MPI_COMM_WORLD); /* line 26 */
}

// A number, a name and some values, as they are meant.
static void as_packed() {
    int length;
    double values[3];
    get(&length, 1, MPI_INT);
    std::string name(length, ' ');
    get(&name[0], length, MPI_CHAR);
    get(values, 1, MPI_DOUBLE);
    get(values + 1, 2, MPI_DOUBLE);
    if (name != "values" || values[2] != 3.5) std::printf("wrong: %s %g\n", name.c_str(), values[2]);
}

static void as_floats() {
    int length;
    char name[6];
    float values[3];
    get(&length, 1, MPI_INT);
    get(name, 6, MPI_CHAR);
    get(values, 3, MPI_FLOAT);
}

static void as_long() {
    long length;
    get(&length, 1, MPI_LONG);
}

static void in_another_order() {
    char name[6];
    int length;
    get(name, 4, MPI_CHAR);
    get(&length, 1, MPI_INT);
}

int main(int argc, char **argv) {
    std::string how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int bytes = 0;
    if (rank == 0) {
        // Other data of the same beginning, in other types.
        Packer other, packer;
        int length = 6;
        double values[3] = {1.5, 2.5, 3.5};
        other.put(&length, 1, MPI_INT);
        other.put(&length, 1, MPI_INT);
        packer.put(&length, 1, MPI_INT);
        packer.put("values", length, MPI_CHAR);
        packer.put(values, 3, MPI_DOUBLE);
        unpacked.assign(packer.bytes.begin(), packer.bytes.begin() + packer.position);
        bytes = packer.position;
        if (how == "sent")
            for (int to = 1; to < size; to++) MPI_Send(unpacked.data(), bytes, MPI_PACKED, to, 7, MPI_COMM_WORLD);
    }
    if (how == "sent" && rank > 0) {
        MPI_Status status;
        MPI_Probe(0, 7, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_PACKED, &bytes);
        unpacked.resize(bytes);
        MPI_Recv(unpacked.data(), bytes, MPI_PACKED, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (how != "sent") {
        MPI_Bcast(&bytes, 1, MPI_INT, 0, MPI_COMM_WORLD);
        unpacked.resize(bytes);
        MPI_Bcast(unpacked.data(), bytes, MPI_PACKED, 0, MPI_COMM_WORLD);
    }
    if (how == "floats") as_floats();
    else if (how == "long") as_long();
    else if (how == "order") in_another_order();
    else as_packed();
    MPI_Finalize();
    return 0;
}
