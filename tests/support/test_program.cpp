// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace gridhelm::test {

namespace {

std::map<std::string, RunTest> &registeredTests()
{
    static std::map<std::string, RunTest> tests;
    return tests;
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
        std::fprintf(stderr, "usage: %s TEST [function...] [option of Qt Test...]\nTEST is one of:\n",
                     argv[0]);
        for (const auto &[name, run] : tests)
            std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    argv[1] = argv[0];
    return found->second(argc - 1, argv + 1);
}
