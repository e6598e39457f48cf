// Threads of C++, and what its library makes of them.
#include "check.h"
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
static const MPI_Comm W = MPI_COMM_WORLD;

// An object of each thread: made when it is first used, destroyed when its thread ends.
static int made, destroyed;
struct Own {
    std::vector<int> values;
    Own() : values(3, 7) { made++; }
    ~Own() { destroyed += values.size(); }
};
thread_local Own own;
thread_local int depth = 2;

static void objects_of_threads() {
    std::vector<std::thread> threads;
    own.values.push_back(1);
    CHECK(made == 1);
    for (int i = 0; i < 3; i++)
        threads.emplace_back([i] {
            own.values.assign(10 + i, i);
            depth += i;
            std::this_thread::sleep_for(10us * (3 - i));
            CHECK(own.values.size() == size_t(10 + i) && own.values[0] == i && depth == 2 + i);
        });
    for (auto &thread : threads)
        thread.join();
    CHECK(made == 4 && destroyed == 33 && own.values.size() == 4 && depth == 2);
}

// Messages between threads of two ranks.
static void messages() {
    std::mutex lock;
    std::vector<std::jthread> threads;
    int sum = 0, next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&, i] {
            int in = -1, out = rank + i;
            MPI_Sendrecv(&out, 1, MPI_INT, next, i, &in, 1, MPI_INT, before, i, W,
                         MPI_STATUS_IGNORE);
            std::lock_guard held(lock);
            sum += in;
        });
    threads.clear();
    CHECK(sum == 3 * before + 3);
}

static void conditions() {
    std::mutex lock;
    std::condition_variable changed;
    int turn = 0;
    std::string told;
    auto player = [&](int mine) {
        for (int round = 0; round < 3; round++) {
            std::unique_lock held(lock);
            changed.wait(held, [&] { return turn == mine; });
            told += char('a' + mine);
            turn = 1 - mine;
            changed.notify_all();
        }
    };
    std::thread one(player, 1), other(player, 0);
    one.join();
    other.join();
    CHECK(told == "ababab");
    std::unique_lock held(lock);
    auto begin = std::chrono::steady_clock::now();
    CHECK(changed.wait_for(held, 3ms) == std::cv_status::timeout);
    auto passed = std::chrono::steady_clock::now() - begin;
    CHECK(passed >= 2999us && passed < 3010us);
    std::condition_variable_any any;
    CHECK(!any.wait_for(held, 1ms, [] { return false; }));
}

static void futures() {
    auto sum = std::async(std::launch::async, [] {
        std::this_thread::sleep_for(1ms);
        return 40 + rank;
    });
    CHECK(sum.wait_for(1us) == std::future_status::timeout);
    CHECK(sum.get() == 40 + rank);
    auto wrong = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    try {
        wrong.get();
        CHECK(false);
    } catch (const std::runtime_error &error) {
        CHECK(error.what() == std::string("no"));
    }
    std::promise<std::string> promise;
    std::thread giver([&] { promise.set_value("given"); });
    CHECK(promise.get_future().get() == "given");
    giver.join();
    std::packaged_task<int(int)> task([](int number) { return 2 * number; });
    auto result = task.get_future();
    std::thread worker(std::move(task), 21);
    CHECK(result.get() == 42);
    worker.join();
    // Those who wait are woken at once, however long they would wait.
    std::promise<int> late;
    auto shared = late.get_future().share();
    const auto begin = std::chrono::steady_clock::now();
    std::thread telling([&] {
        std::this_thread::sleep_for(1ms);
        late.set_value(7);
    });
    std::thread other([shared] { CHECK(shared.get() == 7); });
    CHECK(shared.wait_for(10s) == std::future_status::ready);
    CHECK(std::chrono::steady_clock::now() - begin < 1s && shared.get() == 7);
    other.join();
    telling.join();
}

// A thread that waits is stopped, and a call on stopping ends before it is taken back.
static void stops() {
    std::condition_variable_any changed;
    std::mutex lock;
    bool went_on = true;
    std::jthread waiting([&](std::stop_token stop) {
        std::unique_lock held(lock);
        went_on = changed.wait(held, stop, [] { return false; });
    });
    std::this_thread::sleep_for(1ms);
    waiting.request_stop();
    waiting.join();
    CHECK(!went_on);
    std::stop_source source;
    std::binary_semaphore inside(0);
    bool called = false;
    std::jthread taking([&] {
        auto call = [&] {
            inside.release();
            std::this_thread::sleep_for(1ms);
            called = true;
        };
        auto told = std::make_unique<std::stop_callback<decltype(call)>>(source.get_token(), call);
        inside.acquire();
        told.reset();
        CHECK(called);
    });
    std::this_thread::sleep_for(1ms);
    source.request_stop();
    taking.join();
}

static void locks() {
    std::shared_mutex shared;
    std::recursive_mutex recursive;
    std::timed_mutex timed;
    std::lock_guard once(recursive);
    std::lock_guard twice(recursive);
    std::shared_lock read(shared);
    std::lock_guard held(timed);
    std::thread([&] {
        std::shared_lock also(shared);
        CHECK(!shared.try_lock() && !recursive.try_lock() && !timed.try_lock_for(1ms));
    }).join();
    try {
        std::thread().join();
        CHECK(false);
    } catch (const std::system_error &error) {
        CHECK(error.code() == std::errc::invalid_argument);
    }
    CHECK(std::thread::hardware_concurrency() > 0);
}

// What is done once: by another thread if the first one fails.
static std::once_flag flag;
static int tries;

static void once() {
    auto attempt = [] {
        std::call_once(flag, [] {
            std::this_thread::sleep_for(10us);
            if (++tries == 1)
                throw std::runtime_error("the first try");
        });
    };
    int failed = 0;
    auto body = [&] {
        try {
            attempt();
        } catch (const std::runtime_error &) {
            failed++;
        }
    };
    std::thread one(body), other(body);
    one.join();
    other.join();
    attempt();
    CHECK(tries == 2 && failed == 1);
}

struct Slow {
    int number;
    Slow() {
        std::this_thread::sleep_for(10us);
        number = ++tries;
    }
};

static Slow &local() {
    static Slow object;
    return object;
}

static void statics() {
    std::thread one([] { CHECK(local().number == 3); });
    std::thread other([] { CHECK(local().number == 3); });
    one.join();
    other.join();
    CHECK(tries == 3);
}

// What C++20 has.
static void atomics() {
    std::latch ready(2);
    std::counting_semaphore<4> tokens(0);
    std::atomic<int> state = 0;
    std::jthread thread([&](std::stop_token stop) {
        ready.count_down();
        state.wait(0);
        CHECK(state == 1);
        tokens.release(2);
        while (!stop.stop_requested())
            std::this_thread::yield();
    });
    ready.arrive_and_wait();
    std::this_thread::sleep_for(1us);
    state = 1;
    state.notify_all();
    tokens.acquire();
    tokens.acquire();
    CHECK(!tokens.try_acquire_for(1us));
}

// Each thread handles its own exception, however they take turns.
static void exceptions() {
    auto body = [](int number) {
        try {
            throw number;
        } catch (int caught) {
            std::this_thread::sleep_for(1us * (5 - number));
            try {
                throw;
            } catch (int again) {
                CHECK(caught == number && again == number);
            }
        }
    };
    std::thread one(body, 1), two(body, 2), three(body, 3);
    one.join();
    two.join();
    three.join();
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(W, &rank);
    MPI_Comm_size(W, &size);
    objects_of_threads();
    messages();
    conditions();
    futures();
    stops();
    locks();
    once();
    statics();
    atomics();
    exceptions();
    MPI_Finalize();
}
