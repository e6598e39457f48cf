/* The debug mode of libstdc++ locks the same mutexes in its headers and in its library. */
#define _GLIBCXX_DEBUG
#include <mpi.h>
#include <cstdio>
#include <vector>

int main(int count, char **words) {
    MPI_Init(&count, &words);
    std::vector<int> numbers;
    for (int number = 0; number < 5; number++) numbers.push_back(number);
    auto kept = numbers.begin();
    numbers.push_back(6);
    int sum = 0;
    for (int number : numbers) sum += number;
    std::printf("%d\n", sum);
    MPI_Finalize();
}
