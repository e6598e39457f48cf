// What a program of C++ and its plugin share.
#include <stdexcept>
#include <string>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual std::string name() const { return "shape"; }
};

struct Broken : std::runtime_error {
    int code;
    Broken(const std::string &what, int code) : std::runtime_error(what), code(code) {}
    ~Broken() override;
};

using Make = Shape *(int);
using Fail = void (int);
using Call = int (int (*)(int), int);
using Log = const char *();
