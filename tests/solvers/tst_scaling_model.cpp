// SPDX-License-Identifier: GPL-3.0-or-later
//
// The model of several devices against what one gets by hand.
#include "core/solvers/scaling_model.h"
#include "tests/core/expect_error.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::solvers;

namespace {

/// 2 s, and 0.5 s for each byte: numbers that add up without rounding.
constexpr SecondsLine message{2, 0.5};

} // namespace

class TestScalingModel : public QObject
{
    Q_OBJECT

private slots:
    void twoMeasurementsGiveLatencyAndBandwidth();
    void aCostIsNeverNegative();
    void noCostWithoutTwoAmounts();

    void oneDeviceTakesWhatItsShareTakes();
    void edgesTravelBehindTheInterior();
    void aLongWayIsNotHidden();
    void whoCopiesItselfComputesLater();
    void devicesWithoutALayerDoNothing();

    void oneDeviceMakesSixSubSweeps();
    void repartitionSendsTwice();
    void bandsFollowEachOther();
    void bandsOfOneDeviceLoseNothing();
    void aLongPipelineFills();

    void scalingIsARatio();
    void nothingIsNotDivided();
};

void TestScalingModel::twoMeasurementsGiveLatencyAndBandwidth()
{
    const auto cost = fitted({4, 4}, {12, 8});
    QCOMPARE(cost.offset, 2.0);
    QCOMPARE(cost.slope, 0.5);
    QCOMPARE(cost.of(20), 12.0);
}

void TestScalingModel::aCostIsNeverNegative()
{
    const auto withoutLatency = fitted({1, 1}, {10, 20}); // the line has -10/9 at 0
    QCOMPARE(withoutLatency.offset, 0.0);
    QCOMPARE(withoutLatency.slope, 2.0);
    const auto withoutSlope = fitted({1, 5}, {10, 4});
    QCOMPARE(withoutSlope.offset, 4.0);
    QCOMPARE(withoutSlope.slope, 0.0);
}

void TestScalingModel::noCostWithoutTwoAmounts()
{
    GRIDHELM_EXPECT_ERROR(fitted({1, 1}, {1, 2}));
    GRIDHELM_EXPECT_ERROR(fitted({0, 1}, {1, 2}));
    GRIDHELM_EXPECT_ERROR(fitted({1, 0}, {2, 2}));
    GRIDHELM_EXPECT_ERROR(fitted({1, 1}, {2, std::nan("")}));
}

void TestScalingModel::oneDeviceTakesWhatItsShareTakes()
{
    QCOMPARE(secondsOfUpdate({100, 40, 8, true}, 1, message), 40.0);
    QCOMPARE(secondsOfUpdate({100, 40, 8, false}, 1, message), 40.0);
}

/// 4 devices of 25 layers, 1 s each: 2 at the edges, then 23 beside the 2 * 6 s of two messages.
void TestScalingModel::edgesTravelBehindTheInterior()
{
    QCOMPARE(layersOfLargest(100, 4), std::size_t{25});
    QCOMPARE(bordersOfBusiest(100, 4), std::size_t{2});
    QCOMPARE(secondsOfUpdate({100, 25, 8, true}, 4, message), 25.0);
    QCOMPARE(bordersOfBusiest(100, 2), std::size_t{1});
}

/// The same with messages of 2 + 0.5 * 60 = 32 s: 2 s of edges, then 64 s.
void TestScalingModel::aLongWayIsNotHidden()
{
    QCOMPARE(secondsOfUpdate({100, 25, 60, true}, 4, message), 66.0);
    QCOMPARE(secondsOfUpdate({100, 50, 200, true}, 2, message), 1 + 102.0); // one border
}

void TestScalingModel::whoCopiesItselfComputesLater()
{
    QCOMPARE(secondsOfUpdate({100, 25, 8, false}, 4, message), 25 + 12.0);
}

/// Slabs of a layer, all of which is edge.
void TestScalingModel::devicesWithoutALayerDoNothing()
{
    QCOMPARE(layersOfLargest(3, 8), std::size_t{1});
    QCOMPARE(bordersOfBusiest(3, 8), std::size_t{2});
    QCOMPARE(bordersOfBusiest(1, 8), std::size_t{0});
    QCOMPARE(secondsOfUpdate({3, 5, 8, true}, 8, message), 5 + 12.0);
}

/// Planes of 3 + 0.25 a node: 2 * (2 planes of 4*8, 4 of 2*8, 8 of 2*4).
void TestScalingModel::oneDeviceMakesSixSubSweeps()
{
    const PmmGrid grid{{2, 4, 8}, 8, PmmPartition::repartition, 8};
    QCOMPARE(secondsOfSweep(grid, 1, {3, 0.25}, message), 2 * (2 * 11 + 4 * 7 + 8 * 5.0));
}

/// Two devices, 4 planes or 2 rows each. Along x: 2 planes of 16 nodes and a halo of 4 nodes; along
/// y: 4 of 8 and 3 halos of 2; along z: 8 of 4 and 7 halos of 2; and twice a message of
/// 64 * 8 / 4 bytes.
void TestScalingModel::repartitionSendsTwice()
{
    const PmmGrid grid{{2, 4, 8}, 8, PmmPartition::repartition, 8};
    const double x = 2 * 7 + 1 * (2 + 0.5 * 32);
    const double y = 4 * 5 + 3 * (2 + 0.5 * 16);
    const double z = 8 * 4 + 7 * (2 + 0.5 * 16);
    QCOMPARE(secondsOfSweep(grid, 2, {3, 0.25}, message), 2 * (x + y + z + 2 + 0.5 * 128));
}

/// Two devices with a plane each, of 2 rows of a node, in bands of a row, a second a row, 6 s a
/// message: the first ends rows at 1 and 2, and the second, a row of whose plane is in the band
/// after, begins with band 1 at 2 + 6.
void TestScalingModel::bandsFollowEachOther()
{
    const SecondsLine plane{0, 1};
    const PmmGrid grid{{1, 2, 2}, 8, PmmPartition::pipelined, 2};
    // Along x: a plane of 2 nodes. Along y: 2 planes of a node, a halo of a node between them.
    const double x = 2, y = 2 + 6, z = 8 + 2;
    QCOMPARE(secondsOfSweep(grid, 2, plane, message), 2 * (x + y + z));
}

void TestScalingModel::bandsOfOneDeviceLoseNothing()
{
    const PmmGrid pipelined{{8, 8, 8}, 4, PmmPartition::pipelined, 4};
    auto other = pipelined;
    other.partition = PmmPartition::repartition;
    QCOMPARE(secondsOfSweep(pipelined, 1, {1, 1}, message),
             secondsOfSweep(other, 1, {1, 1}, message));
}

/// Without messages and without a cost of planes: never less than a share, never more than all of
/// the shares, and more devices take longer for each other's first bands in a longer grid.
void TestScalingModel::aLongPipelineFills()
{
    const SecondsLine plane{0, 1}, nothing{};
    double before = 0;
    for (const std::size_t p : {1, 4, 64}) {
        const PmmGrid grid{{16, 16, 16 * p}, 4, PmmPartition::pipelined, 8};
        const double share = 6.0 * 16 * 16 * 16;
        const double seconds = secondsOfSweep(grid, p, plane, nothing);
        QVERIFY(seconds >= share);
        QVERIFY(seconds <= share * static_cast<double>(p));
        QVERIFY(seconds > before);
        before = seconds;
    }
}

void TestScalingModel::scalingIsARatio()
{
    const auto strong = strongScaling(8, 2.5, 4);
    QCOMPARE(strong.speedUp, 3.2);
    QCOMPARE(strong.efficiency, 0.8);
    const auto weak = weakScaling(8, 10, 4);
    QCOMPARE(weak.speedUp, 3.2);
    QCOMPARE(weak.efficiency, 0.8);
}

void TestScalingModel::nothingIsNotDivided()
{
    GRIDHELM_EXPECT_ERROR(secondsOfUpdate({0, 1, 8, true}, 1, message));
    GRIDHELM_EXPECT_ERROR(secondsOfUpdate({5, 1, 8, true}, 0, message));
    GRIDHELM_EXPECT_ERROR(secondsOfSweep({{4, 0, 4}, 8, PmmPartition::repartition, 8}, 2, {}, {}));
}

GRIDHELM_TEST(TestScalingModel)
#include "tst_scaling_model.moc"
