// Objects of derived classes that belong to pointers to their base class.
#include <mpi.h>

#include <list>
#include <memory>
#include <vector>

struct Base {
    double x = 0;
    virtual ~Base() = default;
};
struct Derived : Base {
    int k[4] = {0};
    float f[3] = {0};
};
struct Plain {
    double x = 0;
};
struct Longer : Plain {
    int k[4] = {0};
};
struct Callback {
    double (*function)(double);
    double x[2] = {0};
};
struct Owner {
    Plain *first;
    int size;
};

static void broadcast(void *buffer, int count, MPI_Datatype type) {
    MPI_Bcast(buffer, count, type, 0, MPI_COMM_WORLD);
}

static void numbers(std::unique_ptr<Base> &owned) {
    broadcast(static_cast<Derived &>(*owned).k, 4, MPI_INT);
    broadcast(static_cast<Derived &>(*owned).f, 3, MPI_FLOAT);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    std::unique_ptr<Base> owned = std::make_unique<Derived>();
    std::unique_ptr<Base> several[2] = {std::make_unique<Derived>(), std::make_unique<Derived>()};
    std::shared_ptr<Plain> shared(new Longer);
    Owner owner = {new Longer, 1};
    Base *plain = new Derived;
    std::vector<Plain> values(3);
    numbers(owned);
    broadcast(static_cast<Derived &>(*owned).k, 4, MPI_INT);
    broadcast(static_cast<Derived &>(*several[1]).f, 3, MPI_FLOAT);
    broadcast(static_cast<Longer &>(*shared).k, 4, MPI_INT);
    broadcast(static_cast<Longer *>(owner.first)->k, 4, MPI_INT);
    broadcast(static_cast<Derived *>(plain)->k, 4, MPI_INT);
    broadcast(&values[1].x, 1, MPI_DOUBLE);
    std::list<double> numbers_of_list = {1, 2, 3};
    for (double &number : numbers_of_list)
        MPI_Bcast(&number, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Base object;
    Callback callback = {};
    broadcast(&object.x, 1, MPI_DOUBLE);
    broadcast(callback.x, 2, MPI_DOUBLE);
    const char *wrong = argc > 1 ? argv[1] : "";
    if (*wrong == 'o') MPI_Bcast(&object, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (*wrong == 'f') MPI_Bcast(&callback, 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (*wrong == 'w') MPI_Bcast(&values[2].x, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
    delete plain;
    delete static_cast<Longer *>(owner.first);
    MPI_Finalize();
}
