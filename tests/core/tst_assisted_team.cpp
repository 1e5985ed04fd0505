// SPDX-License-Identifier: GPL-3.0-or-later
//
// A device and a slower helper evaluate together: how they share the work, with clocks of the
// tests; and that what they evaluate is what one does.
#include "core/sparse/team/assisted_backend.h"
#include "core/sparse/team/faster_way.h"
#include "core/sparse/team/learnt_split.h"
#include "core/sparse/team/portion_queue.h"
#include "core/sparse/team/seconds_line.h"
#include "core/sparse/team/team_backend.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/fake_backend.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
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
                                             helper.at(ofHelper)};
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

/// Values at the points, by interpolate() and by all else that divides points.
std::vector<std::vector<double>> everythingAt(const Evaluator<double> &evaluator,
                                              const std::vector<double> &points)
{
    const auto view = viewOf(points, evaluator.grid());
    std::vector<std::vector<double>> all(5, std::vector<double>(view.count()));
    all.emplace_back(points.size());
    evaluator.interpolate(view, {all[0], all[1]});
    evaluator.interpolateShared(view, {all[2], all[3]});
    evaluator.gradient(view, all[4], all[5]);
    return all;
}

TeamMember helperOf(std::shared_ptr<const Backend> backend)
{
    return {std::move(backend), 1, true};
}

} // namespace

class AssistedTeamTest : public QObject
{
    Q_OBJECT

private slots:
    void linesByHand();
    void sharesByHand();
    void queueIsAsFastAsBothTogether();
    void queueNeverWaitsForTheSlowOne();
    void queueFollowsSpeedsThatChange();
    void splitIsLearnt();
    void splitLeavesOutAHelperThatDoesNotHelp();
    void splitFollowsSpeedsThatChange();
    void theFasterWayIsFound();
    void evaluatesAsOneDoes();
    void combinesAsOneDoes();
    void bothTakePart();
    void whatHasNoRoomIsTheHelpers();
    void whoeverFailsFailsAll();
};

void AssistedTeamTest::linesByHand()
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

void AssistedTeamTest::sharesByHand()
{
    // Eq. 6.3: nine times as fast, a tenth.
    QCOMPARE(helpersShare({0, 1}, {0, 9}, 1000), std::size_t{100});
    // Eq. 6.5: 5 + 1 (1000 - w) = 25 + 9 w.
    QCOMPARE(helpersShare({5, 1}, {25, 9}, 1000), std::size_t{98});
    QCOMPARE(helpersShare({0, 1}, {2000, 9}, 1000), std::size_t{0}); // it would not have begun
    QCOMPARE(helpersShare({5000, 1}, {0, 1}, 1000), std::size_t{1000});
    QCOMPARE(helpersShare({0, 0}, {0, 0}, 1000), std::size_t{0});
}

void AssistedTeamTest::queueIsAsFastAsBothTogether()
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

void AssistedTeamTest::queueNeverWaitsForTheSlowOne()
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

void AssistedTeamTest::queueFollowsSpeedsThatChange()
{
    // The GPU gets a quarter as fast when another program begins to use it, the CPU three times.
    auto workers = gpuAndCpu(1e8, 1e7);
    workers[0].pointsPerSecond = [](double now) { return now < 0.5 ? 1e8 : 0.25e8; };
    workers[1].pointsPerSecond = [](double now) { return now < 0.5 ? 1e7 : 3e7; };
    const double seconds = emptyQueue(165'000'000, workers);
    QVERIFY2(seconds > 2.499 && seconds < 2.7, qPrintable(QString::number(seconds)));
}

void AssistedTeamTest::splitIsLearnt()
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

void AssistedTeamTest::splitLeavesOutAHelperThatDoesNotHelp()
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

void AssistedTeamTest::splitFollowsSpeedsThatChange()
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

void AssistedTeamTest::theFasterWayIsFound()
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

void AssistedTeamTest::evaluatesAsOneDoes()
{
    Random random(2);
    auto members = ompMembers({1, 1});
    members.back().isHelper = true;
    const auto team = makeTeamBackend(members, onCpu());
    QCOMPARE(team->name(), std::string_view("omp+omp"));
    for (const auto &shape :
         {GridShape(3, 5, BoundaryTreatment::boundary), GridShape(5, 4, BoundaryTreatment::zero)}) {
        const auto grid = makeGrid(shape);
        const auto coefficients = randomValues<double>(random, grid->points());
        const auto one = makeOmpBackend(onCpu())->load(grid, coefficients);
        const auto both = team->load(grid, coefficients);
        const auto d = static_cast<std::size_t>(grid->dimension());
        for (const std::size_t count : {1U, 700U, 20'000U}) {
            auto points = randomPoints<double>(random, *grid, count);
            for (std::size_t j = 1; j < count; ++j)
                points[j * d] = points[0]; // shared
            for (int call = 0; call < 6; ++call)
                QVERIFY2(everythingAt(*both, points) == everythingAt(*one, points),
                         describe(*grid).c_str());
        }
        CartesianPoints<double> picture;
        for (std::size_t t = 0; t < d; ++t)
            picture.axes.push_back(t + 2 < d ? std::vector{0.3}
                                             : randomValues<double>(random, t + 1 < d ? 300 : 20));
        for (auto &axis : picture.axes) {
            for (auto &x : axis)
                x = std::abs(x) - std::floor(std::abs(x));
        }
        for (int call = 0; call < 6; ++call) {
            std::vector<std::vector<double>> results(4, std::vector<double>(picture.count()));
            one->interpolateCartesian(picture, {results[0], results[1]});
            both->interpolateCartesian(picture, {results[2], results[3]});
            QCOMPARE(results[2], results[0]);
            QCOMPARE(results[3], results[1]);
        }
        const SparseWeights weights{{0, 2}, {0.5, 2.0}, 1};
        QCOMPARE(both->combine(weights).value, one->combine(weights).value);
    }
}

void AssistedTeamTest::combinesAsOneDoes()
{
    Random random(3);
    auto members = ompMembers({1, 1});
    members.back().isHelper = true;
    const auto team = makeTeamBackend(members, onCpu());
    for (const std::size_t columns : {1U, 17U, 1000U, 30'011U}) {
        const auto values = randomValues<float>(random, 9 * columns);
        const MatrixView<const float> matrix{values.data(), 9, columns, columns};
        const auto one = makeOmpBackend(onCpu())->loadVectors(matrix);
        const auto both = team->loadVectors(matrix);
        const SparseWeights weights{{1, 4, 5, 8}, {0.5, -2.0, 1.25, 3.0}, 2};
        for (int call = 0; call < 8; ++call) {
            const auto first = random.index(columns);
            const auto count = columns - first;
            std::vector<std::uint32_t> list(count);
            for (auto &column : list)
                column = static_cast<std::uint32_t>(random.index(columns));
            std::vector<std::vector<float>> results(8, std::vector<float>(count, 777.0F));
            one->combine(weights, first, results[0], results[1]);
            both->combine(weights, first, results[2], results[3]);
            one->combineColumns(weights, list, results[4], results[5]);
            both->combineColumns(weights, list, results[6], results[7]);
            QCOMPARE(results[2], results[0]);
            QCOMPARE(results[3], results[1]);
            QCOMPARE(results[6], results[4]);
            QCOMPARE(results[7], results[5]);
        }
        std::vector<float> y(1);
        GRIDHELM_EXPECT_ERROR(both->combine(weights, columns, y, {}));
    }
}

void AssistedTeamTest::bothTakePart()
{
    using std::chrono::milliseconds;
    FakeDevice slow; // so slow that its helper does more than it
    slow.delay = [](std::size_t values) { return milliseconds(values / 200); };
    FakeDevice helper;
    helper.delay = [](std::size_t values) { return milliseconds(values / 1000); };
    const auto team = makeTeamBackend({{std::make_shared<FakeBackend>(slow, onCpu()), 1},
                                       helperOf(std::make_shared<FakeBackend>(helper, onCpu()))},
                                      onCpu());
    Random random(4);
    const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
    const auto evaluator = team->load(grid, randomValues<double>(random, grid->points()));
    const auto points = randomPoints<double>(random, *grid, 20'000);
    std::vector<double> values(20'000);
    evaluator->interpolate(viewOf(points, *grid), {values});
    QVERIFY(slow.operations > 0);
    QVERIFY(helper.operations > 0);
    const int before = helper.operations;
    std::vector<double> gradients(2 * values.size());
    for (int call = 0; call < 4; ++call) // two to warm up, one to measure, one together
        evaluator->gradient(viewOf(points, *grid), values, gradients);
    QVERIFY2(helper.operations == before + 4, qPrintable(QString::number(helper.operations)));
}

void AssistedTeamTest::whatHasNoRoomIsTheHelpers()
{
    Random random(5);
    const auto values = randomValues<float>(random, 5 * 1000);
    const MatrixView<const float> matrix{values.data(), 5, 1000, 1000};
    FakeDevice small;
    small.columns = 320;
    auto members = ompMembers({1});
    members.back().isHelper = true;
    members.insert(members.begin(), {std::make_shared<FakeBackend>(small, onCpu()), 1});
    const auto team = makeTeamBackend(members, onCpu()); // which allows no fallback
    const auto loaded = team->loadVectors(matrix);
    std::vector<float> y(1000), expected(1000);
    const SparseWeights weights{{1, 4}, {0.5, -2.0}, 1};
    auto both = fakeGpu;
    both |= ComputedOn::cpu();
    QCOMPARE(loaded->combine(weights, 0, y, {}), both);
    makeOmpBackend(onCpu())->loadVectors(matrix)->combine(weights, 0, expected, {});
    QCOMPARE(y, expected);
}

void AssistedTeamTest::whoeverFailsFailsAll()
{
    Random random(6);
    const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
    const auto points = randomPoints<double>(random, *grid, 20'000);
    std::vector<double> values(20'000);
    for (const int failing : {0, 1}) {
        std::array<FakeDevice, 2> devices;
        const auto team =
            makeTeamBackend({{std::make_shared<FakeBackend>(devices[0], onCpu()), 1},
                             helperOf(std::make_shared<FakeBackend>(devices[1], onCpu()))},
                            onCpu());
        const auto evaluator = team->load(grid, randomValues<double>(random, grid->points()));
        devices[static_cast<std::size_t>(failing)].isBroken = true;
        GRIDHELM_EXPECT_ERROR(evaluator->interpolate(viewOf(points, *grid), {values}));
    }
}

QTEST_GUILESS_MAIN(AssistedTeamTest)
#include "tst_assisted_team.moc"
