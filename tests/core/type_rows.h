// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace gridhelm::test {

/// For checkTypes().
inline void addTypeRows()
{
    QTest::addColumn<bool>("isFloat");
    QTest::newRow("float") << true;
    QTest::newRow("double") << false;
}

/// check.operator()<T>() of the row's type.
template <typename Check>
void checkTypes(Check check)
{
    QFETCH(bool, isFloat);
    if (isFloat)
        check.template operator()<float>();
    else
        check.template operator()<double>();
}

} // namespace gridhelm::test
