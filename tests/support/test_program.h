// SPDX-License-Identifier: GPL-3.0-or-later
//
// One program holds many test classes; `PROGRAM tst_name [function...]` runs one of them. Each is
// registered at the end of its file, which names it.
#pragma once

#include <QCoreApplication>
#include <QTest>

namespace gridhelm::test {

/// Runs the test class of a file. Arguments are those of Qt Test, after the program's name.
using RunTest = int (*)(int argc, char **argv);

/// A test class that the program knows, by the name of its file without folder and ending.
struct RegisteredTest
{
    RegisteredTest(const char *file, RunTest run);
};

template <typename Test>
int runWithoutWindow(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace gridhelm::test

/// At the end of tst_name.cpp, before its moc file. Tests with widgets: tests/ui/widget_test.h; with
/// a window: tests/ui/window_case.h.
#define GRIDHELM_TEST(Test) GRIDHELM_TEST_RUN_BY(gridhelm::test::runWithoutWindow<Test>)
#define GRIDHELM_TEST_RUN_BY(...)                                                                  \
    static const gridhelm::test::RegisteredTest registeredTest(__FILE__, &__VA_ARGS__);
