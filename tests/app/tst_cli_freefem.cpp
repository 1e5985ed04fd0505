// SPDX-License-Identifier: GPL-3.0-or-later
//
// The examples data/examples/freefem on smaller grids: real runs of FreeFEM.
#include "tests/app/example_study.h"
#include "tests/support/test_program.h"

#include <QTest>

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

    void beamIsAsLongAsItsParameterSays()
    {
        ExampleStudy example("freefem");
        const auto failure = example.make("beam.toml", 2, 2);
        QVERIFY2(failure.isEmpty(), failure);
        // Its nodes move in proportion to both parameters.
        const auto error = example.heldOutError("mesh.displacement");
        QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
        const QString end = "1.369,0,0";
        const auto inside = example.values("mises", "length=1.37,height=0.12", end);
        const auto outside = example.values("mises", "length=1.36,height=0.12", end);
        QCOMPARE(inside.size(), 1U);
        QCOMPARE(outside.size(), 1U);
        QVERIFY(inside[0] > 0 && std::isnan(outside[0]));
        // Of a slender beam under F: F l^3 / 3EI.
        const auto tip = example.values("displacement", "length=1.25,height=0.15", "1.25,0,0");
        const double beam = 1e5 * std::pow(1.25, 3) / (3 * 210e9 * std::pow(0.15, 3) / 12);
        QCOMPARE(tip.size(), 3U);
        QVERIFY2(std::abs(tip[1] + beam) < 0.03 * beam, qPrintable(QString::number(tip[1])));
    }

    void holeIsAsLargeAsItsParameterSays()
    {
        ExampleStudy example("freefem");
        const auto failure = example.make("hole.toml", 2, 2);
        QVERIFY2(failure.isEmpty(), failure);
        QCOMPARE(example.study()["mesh"].toObject()["points"].toInt(), 129 * 65);
        const auto error = example.heldOutError("displacement");
        QVERIFY2(error > 0 && error < 0.25, qPrintable(QString::number(error)));
        for (const auto *place : {"0.2,0.05,0", "0.2,-0.05,0", "0.25,0,0"}) {
            const auto small = example.values("mises", "r=0.047,angle=17", place);
            const auto large = example.values("mises", "r=0.053,angle=17", place);
            QCOMPARE(small.size(), 1U);
            QCOMPARE(large.size(), 1U);
            QVERIFY2(small[0] > 0 && std::isnan(large[0]),
                     qPrintable(QString("%1, %2").arg(small[0]).arg(large[0])));
        }
        // Pulled upwards, the right end goes there.
        const auto end = example.values("displacement", "r=0.045,angle=30", "0.4,0,0");
        QCOMPARE(end.size(), 3U);
        QVERIFY2(end[0] > 1e-5 && end[1] > 1e-4, qPrintable(QString::number(end[1])));
    }
};

GRIDHELM_TEST(TestCliFreeFem)
#include "tst_cli_freefem.moc"
