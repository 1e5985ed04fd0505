// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests of widgets and pictures, without OpenGL.
#pragma once

#include "tests/support/test_program.h"

#include <QApplication>

namespace gridhelm::test {

template <typename Test>
int runWithWidgets(int argc, char **argv)
{
    const QApplication application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace gridhelm::test

/// As GRIDHELM_TEST().
#define GRIDHELM_WIDGET_TEST(Test) GRIDHELM_TEST_RUN_BY(gridhelm::test::runWithWidgets<Test>)
