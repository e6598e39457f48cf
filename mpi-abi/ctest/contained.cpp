// Leaves something in the process only if it is asked to.
#include "testing.h"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

static int runs;

int main(int argc, char **argv) {
    std::map<std::string, std::vector<int>> all;
    all["numbers"] = {3, 1, 2};
    std::sort(all["numbers"].begin(), all["numbers"].end());
    std::ostringstream text;
    text << ++runs;
    try {
        throw std::runtime_error(text.str());
    } catch (const std::exception &error) {
        std::cout << error.what() << ' ' << all["numbers"][2] << std::endl;
    }
    MPI_Barrier(nullptr);
    if (argc > 1 && std::string(argv[1]) == "opens") std::ifstream("/dev/null").get();
    return 0;
}
