// SPDX-License-Identifier: GPL-3.0-or-later
//
// The band of nodes against one that sorts all scores.
#include "core/surrogate/node_scores.h"
#include "tests/core/expect_error.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace gridhelm;
using gridhelm::test::Random;

namespace {

struct Nodes
{
    std::vector<float> differences, indicators;
};

Nodes randomNodes(Random &random, std::size_t count, int components)
{
    Nodes nodes;
    for (std::size_t i = 0; i < count * static_cast<std::size_t>(components); ++i) {
        const double indicator = std::exp(random.real(-9, 2));
        nodes.indicators.push_back(static_cast<float>(indicator));
        nodes.differences.push_back(static_cast<float>(
            random.real(-1, 1) * (0.3 * indicator + std::exp(random.real(-12, 0)))));
    }
    return nodes;
}

double lengthOf(const std::vector<float> &values, std::size_t node, int components)
{
    double sum = 0;
    for (int c = 0; c < components; ++c) {
        const double value =
            values[node * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
        sum += value * value;
    }
    return std::sqrt(sum);
}

class NodeScoresTest : public QObject
{
    Q_OBJECT

private slots:
    void theBandIsTheOneThatSortingFinds_data()
    {
        QTest::addColumn<int>("components");
        QTest::addColumn<double>("floor");
        QTest::newRow("numbers") << 1 << 0.01;
        QTest::newRow("vectors") << 3 << 0.2;
        QTest::newRow("no floor") << 1 << 0.0;
    }
    void theBandIsTheOneThatSortingFinds()
    {
        QFETCH(const int, components);
        QFETCH(const double, floor);
        Random random(11);
        NodeScores scores(floor);
        std::vector<double> all;
        for (const std::size_t count : {300, 1, 777}) {
            const auto nodes = randomNodes(random, count, components);
            scores.add(nodes.differences, nodes.indicators, components);
            for (std::size_t node = 0; node < count; ++node) {
                const double error = lengthOf(nodes.differences, node, components);
                const double beside = lengthOf(nodes.indicators, node, components) + floor;
                all.push_back(floor > 0 ? error / beside : error);
            }
        }
        std::ranges::sort(all);
        for (const double share : {0.5, 0.9, 0.95}) {
            const auto band = scores.band(share);
            QVERIFY(band);
            const auto rank = static_cast<std::size_t>(std::ceil(share * 1078));
            const double exact = all[rank - 1];
            const double found = floor > 0 ? band->factor : band->offset;
            QVERIFY2(found >= exact * (1 - 1e-12) && found <= exact * 1.0111,
                     qPrintable(QString("%1 for %2").arg(found).arg(exact)));
            QCOMPARE(band->offset, floor > 0 ? band->factor * floor : found);
            const auto inside = std::ranges::upper_bound(all, found) - all.begin();
            QCOMPARE(band->coverage, static_cast<double>(inside) / 1078);
            QVERIFY(band->coverage >= share);
            QCOMPARE(band->holdOuts, std::size_t{3});
        }
    }

    void oddNodesAreCounted()
    {
        QVERIFY(!NodeScores(1).band(0.9));
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        NodeScores scores(1);
        scores.add(std::vector{0.F, 0.F, nan, 1e30F}, std::vector{0.F, 1.F, 0.F, 1.F}, 1);
        QVERIFY(scores.band(0.5)->factor < 1e-20); // no difference at all
        QVERIFY(!scores.band(0.9));                // one in four is no number
        GRIDHELM_EXPECT_ERROR(NodeScores(-1));
        GRIDHELM_EXPECT_ERROR(NodeScores(std::numeric_limits<double>::infinity()));
    }
};

} // namespace

GRIDHELM_TEST(NodeScoresTest)

#include "tst_node_scores.moc"
