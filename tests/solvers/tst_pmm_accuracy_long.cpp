// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/solvers/pmm_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace gridhelm::solvers;
using namespace gridhelm::test;

class PmmAccuracyLongTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { GRIDHELM_SKIP_WITHOUT_BACKEND(); }
    void pointSourceErrorIsMetOn161CubeOfNodes_data();
    void pointSourceErrorIsMetOn161CubeOfNodes();
};

void PmmAccuracyLongTest::pointSourceErrorIsMetOn161CubeOfNodes_data()
{
    QTest::addColumn<bool>("anisotropic");
    QTest::addColumn<double>("expected");
    // docs/theory/fronts.md has no figure for the isotropic one: half of that on 81^3, as
    // order 1 demands.
    QTest::newRow("isotropic") << false << 1.785e-3 / 2;
    QTest::newRow("anisotropic") << true << 1.825e-3;
}

void PmmAccuracyLongTest::pointSourceErrorIsMetOn161CubeOfNodes()
{
    QFETCH(bool, anisotropic);
    QFETCH(double, expected);
    const auto problem = ballWithKnownTimes(161, anisotropic);
    TestedPmm<double> stepper(problem, {0, 1e-10});
    stepper.advance(10);
    QVERIFY(stepper.report().iterations <= 3);
    const double error = meanError(problem, timesOf<double>(stepper));
    QVERIFY2(error <= expected, qPrintable(QString::number(error)));
}

GRIDHELM_TEST(PmmAccuracyLongTest)
#include "tst_pmm_accuracy_long.moc"
