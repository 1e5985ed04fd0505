// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a device and a slower helper share work so that they end together, with clocks of the tests.
#include "core/execution/seconds_line.h"
#include "core/sparse/team/faster_way.h"
#include "core/sparse/team/learnt_split.h"
#include "core/sparse/team/portion_queue.h"
#include "tests/core/random.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// One who takes portions, so many at a time, in the time of a simulation.
struct Worker
{
    std::function<double(double)> pointsPerSecond; ///< at a time
    std::size_t smallest = 1;
    std::size_t most = SIZE_MAX;
    std::size_t lanes = 1;
    bool mayLeave = false;

    // While it runs:
    std::vector<std::size_t> inFlight{}; ///< portions, the oldest first
    double readyAt = 0;                  ///< when the oldest is done
    std::size_t finished = 0;
    bool hasLeft = false;
};

/// Lets the workers empty the queue; checks that all points are taken once. Returns the seconds.
double emptyQueue(std::size_t points, std::vector<Worker> workers)
{
    double now = 0;
    std::vector<Taker> takers;
    for (const auto &worker : workers)
        takers.push_back({worker.smallest, worker.mayLeave});
    PortionQueue queue(points, takers, [&now] { return now; });
    std::vector<Share> taken;
    const auto startOldest = [&](Worker &worker) {
        if (!worker.inFlight.empty())
            worker.readyAt =
                now + static_cast<double>(worker.inFlight.front()) / worker.pointsPerSecond(now);
    };
    const auto take = [&](std::size_t i) {
        auto &worker = workers[i];
        const auto share = queue.next(i, worker.most, worker.finished);
        worker.hasLeft = share.size() == 0;
        if (worker.hasLeft)
            return;
        taken.push_back(share);
        worker.inFlight.push_back(share.size());
        if (worker.inFlight.size() == 1)
            startOldest(worker);
    };
    for (std::size_t i = 0; i < workers.size(); ++i) {
        for (std::size_t lane = 0; lane < workers[i].lanes && !workers[i].hasLeft; ++lane)
            take(i);
    }
    for (;;) {
        std::size_t next = workers.size();
        for (std::size_t i = 0; i < workers.size(); ++i) {
            if (!workers[i].inFlight.empty()
                && (next == workers.size() || workers[i].readyAt < workers[next].readyAt))
                next = i;
        }
        if (next == workers.size())
            break;
        auto &worker = workers[next];
        now = worker.readyAt;
        worker.finished += worker.inFlight.front();
        worker.inFlight.erase(worker.inFlight.begin());
        startOldest(worker);
        if (!worker.hasLeft)
            take(next);
    }
    std::size_t end = 0;
    for (const auto &share : taken) {
        if (share.begin != end || share.size() == 0)
            qFatal("points %zu to %zu after %zu", share.begin, share.end, end);
        end = share.end;
    }
    if (end != points)
        qFatal("%zu of %zu points were taken", end, points);
    return now;
}

std::function<double(double)> always(double speed)
{
    return [speed](double) { return speed; };
}

/// A GPU with two streams, and a CPU.
std::vector<Worker> gpuAndCpu(double ofGpu, double ofCpu)
{
    constexpr bool mayLeave = true;
    return {{always(ofGpu), 131'072, 1'048'576, 2}, {always(ofCpu), 1024, SIZE_MAX, 1, mayLeave}};
}

/// Two that work together by a LearntSplit, in the time of a simulation.
struct Pair
{
    SecondsLine first, helper;
    double firstBesideHelper = 1; ///< times as long
    double helperAlone = 1;       ///< of the time beside the first one
    LearntSplit split{};

    /// The seconds of one call; checks that all items are done.
    double run(std::size_t items)
    {
        double seconds = 0;
        std::size_t done = 0; // by the first one from 0 on, and the helper behind it
        split.run(
            items,
            [&](std::size_t some) {
                done = std::max(done, some);
                seconds += first.at(some);
                return first.at(some);
            },
            [&](std::size_t some) {
                seconds += helperAlone * helper.at(some);
                return helperAlone * helper.at(some);
            },
            [&](std::size_t ofHelper) {
                done = items;
                const LearntSplit::Both both{firstBesideHelper * first.at(items - ofHelper),
                                             helper.at(ofHelper), ofHelper};
                seconds += std::max(both.first, both.helper);
                return both;
            });
        if (done != items)
            qFatal("%zu of %zu items were done", done, items);
        return seconds;
    }
    /// The mean seconds of so many calls.
    double run(std::size_t items, int calls)
    {
        double sum = 0;
        for (int i = 0; i < calls; ++i)
            sum += run(items);
        return sum / calls;
    }
};

} // namespace

class HelpersShareTest : public QObject
{
    Q_OBJECT

private slots:
    void linesByHand();
    void sharesByHand();
    void queueIsAsFastAsBothTogether();
    void queueNeverWaitsForTheSlowOne();
    void queueWaitsForTheFirstSpeed();
    void queueFollowsSpeedsThatChange();
    void splitIsLearnt();
    void splitLeavesOutAHelperThatDoesNotHelp();
    void splitForgetsWhatWasOnce();
    void splitFollowsSpeedsThatChange();
    void theFasterWayIsFound();
};

void HelpersShareTest::linesByHand()
{
    const auto line = lineThrough({10, 3}, {30, 7});
    QCOMPARE(line.slope, 0.2);
    QCOMPARE(line.offset, 1.0);
    QCOMPARE(line.at(100), 21.0);
    // More that takes less time, and less that would take less than none.
    QCOMPARE(lineThrough({10, 8}, {20, 6}).slope, 0.3);
    QCOMPARE(lineThrough({10, 1}, {20, 6}).slope, 0.3);
    QCOMPARE(lineThrough({10, 1}, {20, 6}).offset, 0.0);
}

void HelpersShareTest::sharesByHand()
{
    // Eq. 6.3: nine times as fast, a tenth.
    QCOMPARE(helpersShare({0, 1}, {0, 9}, 1000), std::size_t{100});
    // Eq. 6.5: 5 + 1 (1000 - w) = 25 + 9 w.
    QCOMPARE(helpersShare({5, 1}, {25, 9}, 1000), std::size_t{98});
    QCOMPARE(helpersShare({0, 1}, {2000, 9}, 1000), std::size_t{0}); // it would not have begun
    QCOMPARE(helpersShare({5000, 1}, {0, 1}, 1000), std::size_t{1000});
    QCOMPARE(helpersShare({0, 0}, {0, 0}, 1000), std::size_t{0});
}

void HelpersShareTest::queueIsAsFastAsBothTogether()
{
    Random random(1);
    for (const double ratio : {0.01, 0.05, 0.2, 0.5, 1.0}) {
        for (const std::size_t points : {5'000'000U, 20'000'000U, 100'000'000U}) {
            const double ofGpu = random.real(1e6, 1e9);
            const double seconds = emptyQueue(points, gpuAndCpu(ofGpu, ratio * ofGpu));
            const double together = static_cast<double>(points) / (ofGpu * (1 + ratio));
            const double alone = static_cast<double>(points) / ofGpu;
            QVERIFY2(seconds < 1.1 * together && seconds < 1.005 * alone,
                     qPrintable(QString("%1 points, ratio %2: %3 times as long")
                                    .arg(points)
                                    .arg(ratio)
                                    .arg(seconds / together)));
        }
    }
}

void HelpersShareTest::queueNeverWaitsForTheSlowOne()
{
    // Its smallest portion takes longer than all the rest: once, for its speed is not known.
    const double alone = 1e6 / 1e8;
    const double seconds = emptyQueue(1'000'000, gpuAndCpu(1e8, 1e5));
    QVERIFY2(seconds < alone + 1024 / 1e5, qPrintable(QString::number(seconds / alone)));
    // Large portions of the slow one at the end would be waited for.
    for (const std::size_t points : {3'000'000U, 30'000'000U}) {
        const double both = emptyQueue(points, gpuAndCpu(1e8, 2e6));
        QVERIFY2(both < static_cast<double>(points) / 1e8, qPrintable(QString::number(both)));
    }
}

void HelpersShareTest::queueWaitsForTheFirstSpeed()
{
    // The GPU's first portion comes late; the CPU does not take all that there is meanwhile.
    for (const double late : {0.001, 0.005}) {
        auto workers = gpuAndCpu(1e9, 1e8);
        workers[0].pointsPerSecond = [late](double now) { return now == 0 ? 131'072 / late : 1e9; };
        const double seconds = emptyQueue(100'000'000, workers);
        QVERIFY2(seconds < 0.101 + late, qPrintable(QString::number(seconds)));
    }
}

void HelpersShareTest::queueFollowsSpeedsThatChange()
{
    // The GPU gets a quarter as fast when another program begins to use it, the CPU three times.
    auto workers = gpuAndCpu(1e8, 1e7);
    workers[0].pointsPerSecond = [](double now) { return now < 0.5 ? 1e8 : 0.25e8; };
    workers[1].pointsPerSecond = [](double now) { return now < 0.5 ? 1e7 : 3e7; };
    const double seconds = emptyQueue(165'000'000, workers);
    QVERIFY2(seconds > 2.499 && seconds < 2.7, qPrintable(QString::number(seconds)));
}

void HelpersShareTest::splitIsLearnt()
{
    // The helper has a fifth of the rate of both.
    Pair pair{{0.1, 1e-6}, {0.3, 4e-6}};
    const std::size_t items = 10'000'000;
    pair.run(items, 10);
    const double alone = pair.first.at(items);
    const auto best = helpersShare(pair.first, pair.helper, items);
    const double seconds = pair.run(items, 20);
    QVERIFY2(seconds < 1.02 * pair.helper.at(best) && seconds < 0.85 * alone,
             qPrintable(QString::number(seconds / alone)));
    // Of another size at once.
    QVERIFY(pair.run(items / 3)
            < 1.05 * pair.helper.at(helpersShare(pair.first, pair.helper, items / 3)));
    // Few are not worth it.
    QCOMPARE(pair.split.ofHelper(100), std::size_t{0});
    // Alone, with little that its caches hold, it seemed to be ten times as fast.
    Pair misjudged{{0.1, 1e-6}, {0.3, 4e-6}, 1.1, 0.1};
    misjudged.run(items, 20);
    const double learnt = misjudged.run(items);
    QVERIFY2(learnt < 1.1 * pair.helper.at(best), qPrintable(QString::number(learnt / alone)));
}

void HelpersShareTest::splitLeavesOutAHelperThatDoesNotHelp()
{
    const std::size_t items = 1'000'000;
    Pair slow{{0, 1e-6}, {0, 1e-4}};
    slow.run(items, 10);
    QCOMPARE(slow.split.ofHelper(items), std::size_t{0});
    QVERIFY(slow.run(items, 100) <= 1.0001 * slow.first.at(items));
    // As fast as a tenth, but the first one is slower beside it: no call after those that found
    // that out, but for a few, is slower than the first one alone.
    Pair hindering{{0, 1e-6}, {0, 1e-5}, 1.5};
    hindering.run(items, 10);
    const double mean = hindering.run(items, 1000);
    QVERIFY2(mean < 1.01 * hindering.first.at(items),
             qPrintable(QString::number(mean / hindering.first.at(items))));
    // It is tried again, and found to be worth it when it no longer hinders.
    hindering.firstBesideHelper = 1;
    hindering.run(items, 2500);
    QVERIFY(hindering.run(items) < 0.95 * hindering.first.at(items));
}

void HelpersShareTest::splitForgetsWhatWasOnce()
{
    const std::size_t items = 1'000'000;
    const double together = 4e-6 * 1e-6 / 5e-6 * static_cast<double>(items);
    // The helper was slow, once; or while it was measured.
    Pair once{{0, 1e-6}, {0, 4e-6}};
    once.run(items, 20);
    once.helper.slope = 1e-4;
    once.run(items);
    once.helper.slope = 4e-6;
    once.run(items, 100);
    QVERIFY2(once.run(items) < 1.05 * together, qPrintable(QString::number(once.run(items))));
    Pair measured{{0, 1e-6}, {0, 1e-3}};
    measured.run(items, 3);
    measured.helper.slope = 4e-6;
    measured.run(items, 100);
    QVERIFY(measured.run(items) < 1.05 * together);
    // The first one was slow while it was measured: with a helper that hinders it is not faster.
    Pair first{{0, 4e-6}, {0, 1e-5}, 1.6};
    first.run(items, 3);
    first.first.slope = 1e-6;
    first.run(items, 3000);
    const double mean = first.run(items, 100);
    QVERIFY2(mean < 1.02 * first.first.at(items), qPrintable(QString::number(mean)));
}

void HelpersShareTest::splitFollowsSpeedsThatChange()
{
    const std::size_t items = 1'000'000;
    Pair pair{{0, 1e-6}, {0, 4e-6}};
    pair.run(items, 10);
    pair.first.slope = 4e-6; // another program uses it
    pair.helper.slope = 1e-6;
    pair.run(items, 100);
    const double together = 4e-6 * 1e-6 / 5e-6 * static_cast<double>(items);
    const double seconds = pair.run(items);
    QVERIFY2(seconds < 1.05 * together, qPrintable(QString::number(seconds / together)));
}

void HelpersShareTest::theFasterWayIsFound()
{
    double alone = 1e-6, together = 1.2e-6; // for an item
    FasterWay way;
    const auto secondsOf = [&](std::size_t items) {
        double seconds = 0;
        std::size_t end = 0;
        const auto by = [&](const double &each) {
            return [&](Share share) {
                if (share.begin != end)
                    qFatal("items from %zu on after %zu", share.begin, end);
                end = share.end;
                seconds += each * static_cast<double>(share.size());
                return each * static_cast<double>(share.size());
            };
        };
        way.run(items, 1000, by(alone), by(together));
        if (end != items)
            qFatal("%zu of %zu items", end, items);
        return seconds;
    };
    const auto mean = [&](int calls) {
        double sum = 0;
        for (int i = 0; i < calls; ++i)
            sum += secondsOf(1'000'000);
        return sum / calls;
    };
    QVERIFY(secondsOf(999) < 0.001);       // few are done alone as long as nothing is known
    QVERIFY(secondsOf(1'000'000) < 1.001); // also the first time
    QVERIFY(!way.isTogether());
    QVERIFY(mean(1000) < 1.001);
    together = 0.5e-6;
    QVERIFY(mean(2500) < 0.9);
    QVERIFY(way.isTogether());
    QVERIFY(secondsOf(999) < 0.0006);
    together = 3e-6; // it is noticed when it is done
    QVERIFY(mean(1) > 2.9);
    QVERIFY(mean(20) < 1.2);
}

GRIDHELM_TEST(HelpersShareTest)
#include "tst_helpers_share.moc"
