// SPDX-License-Identifier: GPL-3.0-or-later
//
// The example data/examples/freefem on a smaller grid: real runs of FreeFEM.
#include "tests/app/example_study.h"

#include <QtTest>

#include <cmath>

using namespace gridhelm::test;

class TestCliFreeFem : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!isInstalled("FreeFem++-nw"))
            QSKIP("FreeFEM is not installed (package freefem++)");
    }

    void flowAroundTheCylinderFollowsItsParameters()
    {
        ExampleStudy example("freefem");
        const auto failure = example.make("cylinder.toml", 2, 2);
        QVERIFY2(failure.isEmpty(), failure);
        QCOMPARE(example.study()["mesh"].toObject()["points"].toInt(), 1394);
        const auto error = example.heldOutError("velocity");
        QVERIFY2(error > 0 && error < 0.06, qPrintable(QString::number(error)));

        // The fluid sticks to the cylinder, whose top moves to the left.
        const auto top = example.values("velocity", "Re=20,spin=1.3", "0,0.5,0");
        QCOMPARE(top.size(), 3U);
        QVERIFY2(std::abs(top[0] + 1.3) < 1e-5, qPrintable(QString::number(top[0])));
        // Behind one at rest, thin fluids flow back, and thick ones do not.
        const auto thick = example.values("velocity", "Re=5,spin=0", "0.8,0,0");
        const auto thin = example.values("velocity", "Re=60,spin=0", "0.8,0,0");
        QCOMPARE(thick.size(), 3U);
        QCOMPARE(thin.size(), 3U);
        QVERIFY2(thick[0] > 0.03 && thin[0] < -0.05,
                 qPrintable(QString("%1, %2").arg(thick[0]).arg(thin[0])));
    }
};

QTEST_GUILESS_MAIN(TestCliFreeFem)
#include "tst_cli_freefem.moc"
