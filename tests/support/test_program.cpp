// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace gridhelm::test {

namespace {

std::map<std::string, RunTest> &registeredTests()
{
    static std::map<std::string, RunTest> tests;
    return tests;
}

/// Qt Test's watchdog is a thread, and Qt says that it has ended while it still lets go of its
/// data: where the process ends in just that moment, LeakSanitizer sees data that nobody holds.
void waitForWatchingThread()
{
    const auto isThere = [] {
        std::error_code error;
        for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
            std::string name;
            if (std::getline(std::ifstream(thread.path() / "comm"), name) && name == "QThread")
                return true;
        }
        return false;
    };
    for (int tries = 0; tries < 1000 && isThere(); ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// In two of some thousand quick tests that was not enough: what is let go of soon is no leak. What
/// stays is found again when the process ends.
void waitForLeaksToGo()
{
#ifdef __SANITIZE_ADDRESS__
    for (int tries = 0; tries < 5 && __lsan_do_recoverable_leak_check() != 0; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
#endif
}

} // namespace

RegisteredTest::RegisteredTest(const char *file, RunTest run)
{
    registeredTests().emplace(std::filesystem::path(file).stem().string(), run);
}

} // namespace gridhelm::test

int main(int argc, char **argv)
{
    const auto &tests = gridhelm::test::registeredTests();
    const auto found = tests.find(argc > 1 ? argv[1] : "");
    if (found == tests.end()) {
        std::fprintf(stderr,
                     "usage: %s TEST [function...] [option of Qt Test...]\nTEST is one of:\n",
                     argv[0]);
        for (const auto &[name, run] : tests)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    const auto begin = std::chrono::steady_clock::now();
    const int status = found->second(argc - 1, argv + 1);
    gridhelm::test::waitForWatchingThread();
    if (std::chrono::steady_clock::now() - begin < std::chrono::seconds(2))
        gridhelm::test::waitForLeaksToGo();
    return status;
}
