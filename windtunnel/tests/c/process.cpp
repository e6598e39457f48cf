// What a process finds of itself below /proc by the number that getpid returns.
#include <mpi.h>

#include <dirent.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const std::string own = "/proc/" + std::to_string(getpid());
    std::ifstream memory(own + "/statm");
    long pages = 0;
    memory >> pages;
    char program[4096] = "";
    const ssize_t length = readlink((own + "/exe").c_str(), program, sizeof program - 1);
    DIR *files = opendir((own + "/fd").c_str());
    struct stat found;
    const int there = stat(own.c_str(), &found), elsewhere = stat((own + "9").c_str(), &found);
    const std::string name(program, length > 0 ? length : 0);
    std::cout << (pages > 0) << name.substr(name.rfind('/')) << (files != nullptr) << there << elsewhere << std::endl;
    if (files)
        closedir(files);
    MPI_Finalize();
    return 0;
}
