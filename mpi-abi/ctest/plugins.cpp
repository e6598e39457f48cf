// Opens a plugin in C++, whose path is the last argument, and does with it what programs do.
#include "plugins.h"
#include "testing.h"
#include <cstring>
#include <dlfcn.h>
#include <iostream>
#include <memory>

Broken::~Broken() = default;

static int breaks(int value) {
    MPI_Barrier(nullptr);
    throw Broken("the program is broken", value);
}

template <class F> static F *find(void *library, const char *name) {
    return reinterpret_cast<F *>(dlsym(library, name));
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm_rank(nullptr, &rank);
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    if (!library) {
        std::cout << dlerror() << std::endl;
        return 1;
    }
    auto *make = find<Make>(library, "make");
    auto *fail = find<Fail>(library, "fail");
    auto *call = find<Call>(library, "call");
    auto *log = find<Log>(library, "log");
    {
        std::unique_ptr<Shape> shape(make(rank + 3));
        if (shape->area() != (rank + 3) * (rank + 3) || shape->name() != "square of 3")
            return 2;
        if (!dynamic_cast<Shape *>(shape.get()))
            return 3;
    }
    int caught = 0;
    try {
        fail(0);
    } catch (const Broken &broken) {
        caught = broken.code;
        if (std::strcmp(broken.what(), "the plugin is broken") != 0)
            return 4;
    }
    if (caught != 42)
        return 5;
    try {
        fail(1);
    } catch (const std::logic_error &error) {
        caught = std::strcmp(error.what(), "out of the plugin") == 0;
    }
    if (caught != 1)
        return 6;
    try {
        fail(7 + rank);
    } catch (int value) {
        caught = value;
    }
    if (caught != 7 + rank)
        return 7;
    try {
        call(breaks, 100 + rank);
        return 8;
    } catch (const std::exception &error) {
        const auto *broken = dynamic_cast<const Broken *>(&error);
        if (!broken || broken->code != 100 + rank)
            return 9;
    }
    std::string text = log();
    if (text != "begun;caught " + std::to_string(100 + rank) + ";4,1;") {
        std::cout << text << std::endl;
        return 10;
    }
    return dlclose(library) == 0 ? 0 : 11;
}
