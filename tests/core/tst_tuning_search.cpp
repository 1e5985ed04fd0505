// SPDX-License-Identifier: GPL-3.0-or-later
//
// Searches for the fastest variant, on spaces whose times are known.
#include "core/tuning/line_fit.h"
#include "core/tuning/search.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

using namespace gridhelm;
using namespace gridhelm::tuning;

namespace {

/// bs, pt and wu of a kernel: the best is 128, 4, 16, away from the compiled-in 256, 1, 16.
SearchSpace kernelSpace()
{
    return {{{{32, 64, 96, 128, 160, 256, 512, 1024}, 1},
             {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0},
             {{16, 8, 4, 2, 1}, 0}},
            {256, 1, 16},
            {}};
}

double kernelSeconds(const Variant &variant)
{
    return 1 + std::abs(std::log2(variant[0] / 128.0)) + 0.5 * std::abs(variant[1] - 4)
           + 0.25 * (4 - std::log2(variant[2]));
}

/// kernelSeconds() where a device runs 16384 threads at a time, and a kernel has so many points: a
/// thread for each pt of them and each wu-th part of its work. What is split is added up again.
struct Waves
{
    int points;

    static constexpr int threads = 16384, units = 16;
    bool fills(int bs, int pt) const { return points / (bs * pt) >= threads / bs; }
    double seconds(const Variant &variant) const
    {
        const int parts = units / variant[2];
        const int running = std::min(threads, points / variant[1] * parts);
        const double locality =
            1 + 0.1 * std::abs(variant[1] - 4) + 0.05 * std::abs(std::log2(variant[0] / 128.0));
        const double sums = 1 + 0.1 * (parts - 1) / parts;
        return points * locality * sums / running + 0.02 * parts;
    }
    SearchSpace space() const
    {
        auto space = kernelSpace();
        space.dimensions[2].splitsWork = true;
        space.fills = [self = *this](const Variant &variant) {
            return self.fills(variant[0], variant[1]);
        };
        return space;
    }
};

/// [Murarasu2013], Listing 5.2, word for word but for seconds in place of GFlop/s, with room for
/// two results in each of its queues; wu is active where the device is not filled.
std::vector<Variant> listing(const std::vector<int> &blockSizes,
                             const std::function<double(const Variant &)> &secondsOf,
                             const std::function<bool(int, int)> &isFilled)
{
    std::vector<Variant> visited;
    std::map<Variant, bool> known{{{256, 1, 16}, true}};
    for (const int bs : blockSizes) {
        std::vector<double> qpt;
        for (int pt = 1; pt <= 10; ++pt) {
            std::vector<double> qwu;
            double best = 1e300;
            for (int wu = 16; wu >= 1; wu /= 2) {
                const double seconds = secondsOf({bs, pt, wu});
                if (!known[{bs, pt, wu}])
                    visited.push_back({bs, pt, wu});
                known[{bs, pt, wu}] = true;
                best = std::min(best, seconds);
                if (isFilled(bs, pt))
                    break;
                qwu.push_back(seconds);
                const auto count = qwu.size();
                if (count >= 2 && qwu[count - 2] <= qwu[count - 1])
                    break;
            }
            qpt.push_back(best);
            const auto count = qpt.size();
            if (count >= 2 && qpt[count - 2] <= qpt[count - 1])
                break;
        }
    }
    return visited;
}

std::vector<Variant> variantsOf(const std::vector<Trial> &trials)
{
    std::vector<Variant> variants;
    for (const auto &trial : trials)
        variants.push_back(trial.variant);
    return variants;
}

const Measure measureKernel = [](const Variant &variant, double) { return kernelSeconds(variant); };

} // namespace

class TuningSearchTest : public QObject
{
    Q_OBJECT

private slots:
    void climbingVisitsWhatTheListingVisits();
    void workUnitsAreSearchedWhereTheDeviceIsNotFull_data();
    void workUnitsAreSearchedWhereTheDeviceIsNotFull();
    void partitionsFindTheSameInFewerTrials();
    void theCompiledInVariantIsMeasuredFirst_data();
    void theCompiledInVariantIsMeasuredFirst();
    void noVariantIsMeasuredTwice_data() { theCompiledInVariantIsMeasuredFirst_data(); }
    void noVariantIsMeasuredTwice();
    void allOfTheSpaceAreMeasuredByTheYardstick();
    void whatCannotGoTogetherIsNeverMeasured_data() { theCompiledInVariantIsMeasuredFirst_data(); }
    void whatCannotGoTogetherIsNeverMeasured();
    void randomAndAnnealingKeepToTheirTrials();
    void annealingGetsOutOfAValley();
    void whatCannotRunIsLeftOut_data() { theCompiledInVariantIsMeasuredFirst_data(); }
    void whatCannotRunIsLeftOut();
    void aStopEndsWithTheBestUntilThen();
    void aLineThroughTimesIsTheLeastSquaresOne();
};

void TuningSearchTest::climbingVisitsWhatTheListingVisits()
{
    const auto found = search(Strategy::climbing, kernelSpace(), measureKernel);
    auto expected =
        listing(kernelSpace().dimensions[0].values, kernelSeconds, [](int, int) { return false; });
    expected.insert(expected.begin(), {256, 1, 16});
    QCOMPARE(variantsOf(found.tried), expected);
    QCOMPARE(found.best.variant, (Variant{128, 4, 16}));
    QVERIFY(found.tried.size() < kernelSpace().all().size() / 2);
}

/// From few points, for which work units are everything, to many, for which there are none.
void TuningSearchTest::workUnitsAreSearchedWhereTheDeviceIsNotFull_data()
{
    QTest::addColumn<int>("points");
    for (const int points : {500, 4000, 40000, 100000, 10000000})
        QTest::addRow("%d points", points) << points;
}

void TuningSearchTest::workUnitsAreSearchedWhereTheDeviceIsNotFull()
{
    QFETCH(const int, points);
    const Waves waves{points};
    const auto measure = [&](const Variant &variant, double) { return waves.seconds(variant); };
    const auto space = waves.space();
    const auto climbed = search(Strategy::climbing, space, measure);
    auto expected = listing(
        space.dimensions[0].values, [&](const Variant &variant) { return waves.seconds(variant); },
        [&](int bs, int pt) { return waves.fills(bs, pt); });
    expected.insert(expected.begin(), space.start);
    QCOMPARE(variantsOf(climbed.tried), expected);
    const auto all = search(Strategy::exhaustive, space, measure);
    QCOMPARE(all.tried.size(), space.all().size());
    const auto partitions = search(Strategy::partitions, space, measure);
    for (const auto &found : {climbed, partitions}) {
        QVERIFY2(
            found.best.seconds <= 1.05 * all.best.seconds,
            qPrintable(QString("%1 against %2").arg(found.best.seconds).arg(all.best.seconds)));
        QVERIFY(found.tried.size() < all.tried.size());
    }
    for (const auto &trial : climbed.tried)
        QVERIFY(trial.variant[2] == 16 || !waves.fills(trial.variant[0], trial.variant[1]));
    const bool isSplit = std::ranges::any_of(
        climbed.tried, [](const Trial &trial) { return trial.variant[2] < 16; });
    QCOMPARE(isSplit, points <= 40000);
}

void TuningSearchTest::partitionsFindTheSameInFewerTrials()
{
    const auto found = search(Strategy::partitions, kernelSpace(), measureKernel);
    QCOMPARE(found.best.variant, (Variant{128, 4, 16}));
    const auto climbed = search(Strategy::climbing, kernelSpace(), measureKernel);
    QVERIFY(found.tried.size() < climbed.tried.size() / 2);
    // pt and wu first, with the compiled-in bs; then bs with the best of these.
    const auto visited = variantsOf(found.tried);
    const auto other =
        std::ranges::find_if(visited, [](const Variant &each) { return each[0] != 256; });
    QVERIFY(std::all_of(other, visited.end(),
                        [](const Variant &each) { return each[1] == 4 && each[2] == 16; }));
}

void TuningSearchTest::theCompiledInVariantIsMeasuredFirst_data()
{
    QTest::addColumn<Strategy>("strategy");
    for (const auto strategy : {Strategy::partitions, Strategy::climbing, Strategy::annealing,
                                Strategy::random, Strategy::exhaustive})
        QTest::newRow(std::string(nameOf(strategy)).c_str()) << strategy;
}

void TuningSearchTest::theCompiledInVariantIsMeasuredFirst()
{
    QFETCH(const Strategy, strategy);
    QVERIFY(strategyNamed(nameOf(strategy)) == strategy);
    // It is the best there is, and has to stay.
    const auto found = search(strategy, kernelSpace(), [](const Variant &variant, double) {
        return variant == Variant{256, 1, 16} ? 1.0 : 2.0;
    });
    QCOMPARE(found.tried.front().variant, (Variant{256, 1, 16}));
    QCOMPARE(found.best.variant, (Variant{256, 1, 16}));
    QCOMPARE(found.best.seconds, 1.0);
}

void TuningSearchTest::noVariantIsMeasuredTwice()
{
    QFETCH(const Strategy, strategy);
    auto visited = variantsOf(search(strategy, kernelSpace(), measureKernel).tried);
    const auto count = visited.size();
    QVERIFY(count > 1);
    std::ranges::sort(visited);
    QVERIFY(std::ranges::adjacent_find(visited) == visited.end());
}

void TuningSearchTest::allOfTheSpaceAreMeasuredByTheYardstick()
{
    const auto found = search(Strategy::exhaustive, kernelSpace(), measureKernel);
    QCOMPARE(found.tried.size(), std::size_t{8 * 10 * 5});
    QCOMPARE(found.best.variant, (Variant{128, 4, 16}));
}

void TuningSearchTest::whatCannotGoTogetherIsNeverMeasured()
{
    QFETCH(const Strategy, strategy);
    auto space = kernelSpace();
    space.allows = [](const Variant &variant) { return variant[0] * variant[1] <= 512; };
    const auto found = search(strategy, space, measureKernel);
    QVERIFY(std::ranges::all_of(found.tried, [](const Trial &trial) {
        return trial.variant[0] * trial.variant[1] <= 512;
    }));
    if (strategy == Strategy::exhaustive)
        QCOMPARE(found.tried.size(), space.all().size());
}

void TuningSearchTest::randomAndAnnealingKeepToTheirTrials()
{
    for (const auto strategy : {Strategy::random, Strategy::annealing}) {
        for (const std::size_t trials : {1, 7, 40}) {
            const auto found =
                search(strategy, kernelSpace(), measureKernel, {.trials = trials, .seed = 3});
            QVERIFY(found.tried.size() <= trials);
            QVERIFY(strategy == Strategy::annealing || found.tried.size() == trials);
        }
    }
}

/// A ridge keeps hill climbing at 0; what is best lies behind it.
void TuningSearchTest::annealingGetsOutOfAValley()
{
    const SearchSpace space{{{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0}, {{0, 1}, 0}}, {0, 0}, {}};
    const Measure valley = [](const Variant &variant, double) {
        return variant[0] == 8 ? 0.5 : variant[0] < 3 ? 1.0 + 0.05 * variant[0] : 1.1;
    };
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
        found +=
            search(Strategy::annealing, space, valley, {.trials = 20, .seed = seed}).best.variant[0]
                    == 8
                ? 1
                : 0;
    QVERIFY2(found >= 10, qPrintable(QString::number(found)));
}

/// Not even the compiled-in one, from which a search begins.
void TuningSearchTest::whatCannotRunIsLeftOut()
{
    QFETCH(const Strategy, strategy);
    const auto found = search(strategy, kernelSpace(),
                              [](const Variant &variant, double) {
                                  return variant[0] == 256 && variant[1] < 3
                                             ? std::numeric_limits<double>::infinity()
                                             : kernelSeconds(variant);
                              },
                              {.trials = 300});
    QCOMPARE(found.tried.front().variant, kernelSpace().start);
    QVERIFY(std::isinf(found.tried.front().seconds));
    QVERIFY(std::isfinite(found.best.seconds));
}

void TuningSearchTest::aStopEndsWithTheBestUntilThen()
{
    std::stop_source stop;
    const auto found = search(Strategy::partitions, kernelSpace(),
                              [&](const Variant &variant, double) {
                                  if (variant[1] == 3)
                                      stop.request_stop();
                                  return kernelSeconds(variant);
                              },
                              {.stop = stop.get_token()});
    QCOMPARE(found.best.variant[1], 3);
    QVERIFY(
        std::ranges::none_of(found.tried, [](const Trial &trial) { return trial.variant[1] > 3; }));
}

void TuningSearchTest::aLineThroughTimesIsTheLeastSquaresOne()
{
    const std::array exact{TimedAmount{1, 5}, TimedAmount{2, 7}, TimedAmount{4, 11}};
    const auto line = fitLine(exact);
    QCOMPARE(line.offset, 3.0);
    QCOMPARE(line.slope, 2.0);
    QCOMPARE(line.at(1000), 2003.0);
    // Normal equations by hand: means 2 and 3; slope (-1 * -2 + 0 * -1 + 1 * 3) / 2.
    const std::array scattered{TimedAmount{1, 1}, TimedAmount{2, 2}, TimedAmount{3, 6}};
    const auto fitted = fitLine(scattered);
    QCOMPARE(fitted.slope, 2.5);
    QCOMPARE(fitted.offset, -2.0);
    const std::array single{TimedAmount{4, 2}};
    QCOMPARE(fitLine(single).at(8), 4.0);
}

GRIDHELM_TEST(TuningSearchTest)
#include "tst_tuning_search.moc"
