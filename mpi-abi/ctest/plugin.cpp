// A plugin in C++: static objects, virtual functions, exceptions in both directions, a template's static.
#include "plugins.h"
#include "testing.h"
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

static std::ostringstream journal;

struct Registry {
    std::map<std::string, int> sizes;
    Registry() {
        sizes["one"] = 1;
        sizes["two"] = 2;
        journal << "begun;";
    }
    ~Registry() { std::cout << "ended " << sizes.size() << std::endl; }
};
static Registry registry;

struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
    std::string name() const override { return "square of " + std::to_string(registry.sizes.size()); }
};

template <class T> struct Counter {
    static inline int count = 0;
};

thread_local std::vector<int> seen(3, 7);

extern "C" Shape *make(int side) {
    Counter<Square>::count++;
    registry.sizes[std::to_string(side)] = side;
    MPI_Barrier(nullptr);
    return new Square(side);
}

extern "C" void fail(int kind) {
    std::unique_ptr<std::string> kept(new std::string("kept"));
    MPI_Barrier(nullptr);
    if (kind == 0)
        throw Broken("the plugin is broken", 42);
    if (kind == 1)
        throw std::out_of_range("out of the plugin");
    throw kind;
}

extern "C" int call(int (*function)(int), int value) {
    try {
        return function(value);
    } catch (const Broken &broken) {
        journal << "caught " << broken.code << ";";
        MPI_Barrier(nullptr);
        throw;
    }
}

extern "C" const char *log() {
    static std::string text;
    seen.push_back(Counter<Square>::count);
    journal << seen.size() << "," << seen.back() << ";";
    text = journal.str();
    return text.c_str();
}
