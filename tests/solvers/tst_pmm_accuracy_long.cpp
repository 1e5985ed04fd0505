// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/solvers/pmm_cases.h"

#include <QTest>

using namespace gridhelm::solvers;
using namespace gridhelm::test;

class PmmAccuracyLongTest : public QObject
{
    Q_OBJECT

private slots:
    void pointSourceErrorIsMetOn161CubeOfNodes();
};

void PmmAccuracyLongTest::pointSourceErrorIsMetOn161CubeOfNodes()
{
    const auto problem = ballInCube(161, true);
    PmmStepper<double> stepper(problem, {0, 1e-10});
    stepper.advance(10);
    QVERIFY(stepper.report().iterations <= 3);
    const double error = meanError(problem, timesOf(stepper));
    QVERIFY2(error <= 1.825e-3, qPrintable(QString::number(error)));
}

QTEST_GUILESS_MAIN(PmmAccuracyLongTest)
#include "tst_pmm_accuracy_long.moc"
