// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several devices evaluate as one does, bit for bit. (Against the reference, a team is one of the
// back ends of the other tests.)
#include "core/dispatch/dispatching_backend.h"
#include "core/sparse/team/shares.h"
#include "core/sparse/team/team_backend.h"
#include "core/sparse/weight_evaluator.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/fake_backend.h"
#include "tests/core/type_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// Teams of two to four devices, as fast as each other or not.
const std::vector<std::vector<int>> teams{{1, 1}, {1, 2, 1}, {3, 1, 1, 1}};

template <typename T>
using Results = std::vector<std::vector<T>>;

/// What evaluate(evaluator, values, indicator) writes, with an indicator and without.
template <typename T, typename Evaluate>
Results<T> resultsOf(const Evaluator<T> &evaluator, std::size_t count, Evaluate evaluate)
{
    const T unset = std::numeric_limits<T>::max(); // equal to itself
    Results<T> results(3, std::vector<T>(count, unset));
    evaluate(evaluator, EvaluationOutput<T>{results[0], results[1]});
    evaluate(evaluator, EvaluationOutput<T>{results[2]});
    return results;
}

/// Twins of one evaluator, the last of which are teams.
template <typename T>
struct Twins
{
    GridPointer grid;
    std::vector<std::unique_ptr<Evaluator<T>>> evaluators;

    template <typename Evaluate>
    void compare(const char *path, std::size_t count, Evaluate evaluate) const
    {
        const auto expected = resultsOf<T>(*evaluators.front(), count, evaluate);
        for (std::size_t i = 1; i < evaluators.size(); ++i) {
            const auto got = resultsOf<T>(*evaluators[i], count, evaluate);
            QVERIFY2(got == expected,
                     (std::string(path) + ", " + std::to_string(count) + " points, team "
                      + std::to_string(i) + ", " + describe(*grid))
                         .c_str());
        }
    }
};

template <typename T>
Twins<T> loadTwins(GridPointer grid, Random &random)
{
    Twins<T> twins{grid, {}};
    const auto coefficients = randomValues<T>(random, grid->points());
    twins.evaluators.push_back(makeOmpBackend(onCpu(2))->load(grid, coefficients));
    for (const auto &threads : teams)
        twins.evaluators.push_back(
            makeTeamBackend(ompMembers(threads), onCpu())->load(grid, coefficients));
    return twins;
}

template <typename T>
void comparePoints(const Twins<T> &twins, const std::vector<T> &points)
{
    const auto view = viewOf(points, *twins.grid);
    using Each = const Evaluator<T> &;
    using Output = EvaluationOutput<T>;
    twins.compare("interpolate", view.count(),
                  [&](Each each, Output out) { each.interpolate(view, out); });
    twins.compare("interpolateShared", view.count(),
                  [&](Each each, Output out) { each.interpolateShared(view, out); });
    twins.compare("evaluate", view.count(),
                  [&](Each each, Output out) { each.evaluate(view, out); });
    std::vector<T> gradients(points.size());
    Results<T> all;
    for (const auto &each : twins.evaluators) {
        std::vector<T> values(view.count());
        each->gradient(view, values, gradients);
        all.push_back(values);
        all.back().insert(all.back().end(), gradients.begin(), gradients.end());
        QVERIFY2(all.back() == all.front(), describe(*twins.grid).c_str());
    }
}

template <typename T>
void comparePicture(const Twins<T> &twins, const CartesianPoints<T> &points)
{
    twins.compare("interpolateCartesian", points.count(),
                  [&](const Evaluator<T> &each, EvaluationOutput<T> out) {
                      each.interpolateCartesian(points, out);
                  });
}

/// Rows of random values behind each other.
struct Matrix
{
    Matrix(Random &random, std::size_t rowCount, std::size_t columnCount)
        : values(randomValues<float>(random, rowCount * columnCount))
        , view{values.data(), rowCount, columnCount, columnCount}
    {
    }

    std::vector<float> values;
    MatrixView<const float> view;
};

SparseWeights randomWeights(Random &random, std::size_t rows)
{
    SparseWeights weights;
    for (std::size_t r = 0; r < rows; ++r) {
        if (!random.chance(0.7))
            continue;
        weights.rows.push_back(r);
        weights.weights.push_back(random.real(-1, 1));
    }
    weights.lastGroupBegin = weights.rows.size() / 2;
    return weights;
}

/// Ranges and lists of columns by both: y, its indicator, and y alone.
void compareColumns(const VectorEvaluator &team, const VectorEvaluator &one,
                    const SparseWeights &weights, Random &random, std::size_t columns)
{
    const auto first = random.index(columns);
    const auto count = random.index(columns - first) + 1;
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; i < count; ++i)
        list.push_back(static_cast<std::uint32_t>(random.index(columns))); // in no order, and twice
    const auto results = [&](const VectorEvaluator &each) {
        std::vector<std::vector<float>> all(6, std::vector<float>(count, 12345.0F));
        each.combine(weights, first, all[0], all[1]);
        each.combine(weights, first, all[2], {});
        each.combineColumns(weights, list, all[3], all[4]);
        each.combineColumns(weights, list, all[5], {});
        return all;
    };
    QCOMPARE(results(team), results(one));
}

} // namespace

class SparseTeamTest : public QObject
{
    Q_OBJECT

private slots:
    void sharesByHand();
    void sharesOfNoWeightAreErrors();
    void pointsAsOneDevice_data() { addTypeRows(); }
    void pointsAsOneDevice();
    void picturesAsOneDevice_data() { addTypeRows(); }
    void picturesAsOneDevice();
    void largePicturesAsOneDevice_data() { addTypeRows(); }
    void largePicturesAsOneDevice();
    void columnsAsOneDevice();
    void allMembersTakePart();
    void theCpuTakesTheColumnsThatDoNotFit();
    void whatDoesNotFitOneGoesToTheNext();
    void aMemberThatFailsFailsTheTeam();
    void teamsThatCannotBeAreErrors();
};

void SparseTeamTest::sharesByHand()
{
    using All = std::vector<Share>;
    const std::vector<Claim> equal(3);
    QCOMPARE(shared(9, equal), (All{{0, 3}, {3, 6}, {6, 9}}));
    QCOMPARE(shared(10, equal), (All{{0, 3}, {3, 7}, {7, 10}}));
    QCOMPARE(shared(2, equal), (All{{0, 1}, {1, 2}, {2, 2}}));
    QCOMPARE(shared(1, equal), (All{{0, 1}, {1, 1}, {1, 1}}));
    QCOMPARE(shared(0, equal), (All{{0, 0}, {0, 0}, {0, 0}}));
    const std::vector<Claim> uneven{{1, 1}, {3, 1}};
    QCOMPARE(shared(100, uneven), (All{{0, 25}, {25, 100}}));
    const std::vector<Claim> large(3, Claim{1, 30});
    QCOMPARE(shared(90, large), (All{{0, 30}, {30, 60}, {60, 90}}));
    QCOMPARE(shared(89, large), (All{{0, 45}, {45, 89}, {89, 89}}));
    QCOMPARE(shared(59, large), (All{{0, 59}, {59, 59}, {59, 59}}));
    QCOMPARE(shared(7, large), (All{{0, 7}, {7, 7}, {7, 7}})); // someone must
    const std::vector<Claim> slowFirst{{1, 10}, {9, 10}};
    QCOMPARE(shared(50, slowFirst), (All{{0, 0}, {0, 50}}));
}

void SparseTeamTest::sharesOfNoWeightAreErrors()
{
    GRIDHELM_EXPECT_ERROR(shared(3, {}));
    const std::vector<Claim> none{{1, 1}, {0, 1}};
    GRIDHELM_EXPECT_ERROR(shared(3, none));
    const std::vector<Claim> endless{{std::numeric_limits<double>::infinity(), 1}};
    GRIDHELM_EXPECT_ERROR(shared(3, endless));
}

void SparseTeamTest::pointsAsOneDevice()
{
    checkTypes([]<typename T>() {
        Random random(1);
        for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
            const auto kinds = random.chance(0.5) ? Kinds::hats : Kinds::all;
            const auto twins = loadTwins<T>(randomGrid(random, 6, 2'000, kinds), random);
            constexpr std::size_t counts[] = {1, 2, 3, 5, 64, 199};
            const auto shared = random.integer(0, twins.grid->dimension());
            comparePoints(twins, pointsWithSharedColumns<T>(random, *twins.grid,
                                                            counts[random.index(6)], shared));
        }
        // Grids that are visited in parts, by few and by many points for each device.
        const auto large =
            loadTwins<T>(makeGrid(GridShape(5, 10, BoundaryTreatment::zero)), random);
        for (std::size_t count : {3U, 300U, 1200U})
            comparePoints(large, randomPoints<T>(random, *large.grid, count));
    });
}

void SparseTeamTest::picturesAsOneDevice()
{
    checkTypes([]<typename T>() {
        Random random(2);
        for (int i = 0; i < 100 && !QTest::currentTestFailed(); ++i) {
            const auto kinds = random.chance(0.5) ? Kinds::hats : Kinds::all;
            const auto twins = loadTwins<T>(randomGrid(random, 6, 2'000, kinds), random);
            const int free = random.integer(0, std::min(twins.grid->dimension(), 5));
            constexpr int longest[] = {2, 90, 20, 8, 4, 3};
            comparePicture(twins, randomAxes<T>(random, *twins.grid, free, longest[free]));
        }
    });
}

void SparseTeamTest::largePicturesAsOneDevice()
{
    checkTypes([]<typename T>() {
        Random random(3);
        const auto compare = [&](const Twins<T> &twins, const std::vector<int> &lengths) {
            CartesianPoints<T> picture;
            for (std::size_t t = 0; t < lengths.size(); ++t) {
                picture.axes.emplace_back();
                for (int k = 0; k < lengths[t]; ++k)
                    picture.axes.back().push_back(
                        randomCoordinate<T>(random, *twins.grid, static_cast<int>(t)));
            }
            comparePicture(twins, picture);
        };
        const auto load = [&](int d, int level) {
            return loadTwins<T>(makeGrid(GridShape(d, level, BoundaryTreatment::boundary)), random);
        };
        // Poles so long beside the parts of an axis that a part alone would go another way.
        const auto line = load(1, 14), plane = load(2, 14), space = load(3, 8);
        for (int length : {2, 7, 90, 2100})
            compare(line, {length});
        for (const auto &lengths : {std::vector{2, 7}, {90, 90}, {2100, 5}, {5, 2100}})
            compare(plane, lengths);
        for (const auto &lengths : {std::vector{2, 7, 40}, {50, 30, 150}})
            compare(space, lengths);
    });
}

void SparseTeamTest::columnsAsOneDevice()
{
    Random random(4);
    for (std::size_t columns : {1U, 2U, 15U, 16U, 17U, 37U, 64U, 100U, 999U, 20'000U}) {
        const Matrix matrix(random, columns > 1000 ? 20 : 70, columns);
        const auto one = makeOmpBackend(onCpu(2))->loadVectors(matrix.view);
        for (const auto &threads : teams) {
            const auto team = makeTeamBackend(ompMembers(threads), onCpu());
            const auto loaded = team->loadVectors(matrix.view);
            for (int i = 0; i < 6 && !QTest::currentTestFailed(); ++i)
                compareColumns(*loaded, *one, randomWeights(random, matrix.view.rows), random,
                               columns);
            const SparseWeights wrong{{matrix.view.rows}, {1.0}, 0};
            std::vector<float> y(1);
            GRIDHELM_EXPECT_ERROR(loaded->combine(wrong, 0, y, {}));
            GRIDHELM_EXPECT_ERROR(loaded->combine({}, columns, y, {}));
            QVERIFY(loaded->combine({}, 0, {}, {}).isNowhere());
        }
    }
}

void SparseTeamTest::allMembersTakePart()
{
    FakeDevice first, second;
    const auto team = makeTeamBackend({{std::make_shared<FakeBackend>(first, onCpu()), 1},
                                       {std::make_shared<FakeBackend>(second, onCpu()), 1}},
                                      onCpu());
    QCOMPARE(team->name(), std::string_view("fake"));
    Random random(5);
    const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
    const auto evaluator = team->load(grid, randomValues<double>(random, grid->points()));
    const auto points = randomPoints<double>(random, *grid, 10);
    std::vector<double> values(10);
    QCOMPARE(evaluator->interpolate(viewOf(points, *grid), {values}), fakeGpu);
    QCOMPARE(first.operations.load(), 1);
    QCOMPARE(second.operations.load(), 1);
    const Matrix matrix(random, 5, 40);
    const auto loaded = team->loadVectors(matrix.view);
    std::vector<float> y(40);
    QCOMPARE(loaded->combine(randomWeights(random, 5), 0, y, {}), fakeGpu);
    QCOMPARE(first.operations.load(), 2);
    QCOMPARE(second.operations.load(), 2);
    // Who has no column of those wanted does nothing.
    loaded->combine(randomWeights(random, 5), 38, std::span(y).first(2), {});
    QCOMPARE(first.operations.load(), 2);
    QCOMPARE(second.operations.load(), 3);
}

void SparseTeamTest::theCpuTakesTheColumnsThatDoNotFit()
{
    Random random(7);
    const Matrix matrix(random, 30, 1000);
    const auto one = makeOmpBackend(onCpu())->loadVectors(matrix.view);
    FakeDevice device;
    device.columns = 300;
    std::vector<std::string> told;
    const auto context =
        onCpu().withEvents([&](const ExecutionEvent &event) { told.push_back(event.sentence); });
    const std::vector<TeamMember> members{{std::make_shared<FakeBackend>(device, context), 1},
                                          {std::make_shared<FakeBackend>(device, context), 1}};
    GRIDHELM_EXPECT_ERROR(makeTeamBackend(members, context)->loadVectors(matrix.view));
    QVERIFY(told.empty());
    const auto team = makeTeamBackend(members, context.withFallback(FallbackPolicy::allowed));
    const auto loaded = team->loadVectors(matrix.view);
    QCOMPARE(told, (std::vector<std::string>{"the GPUs' memory holds 60 % of the 117 KiB of "
                                             "coefficients, the CPU evaluates the rest"}));
    for (int i = 0; i < 10; ++i)
        compareColumns(*loaded, *one, randomWeights(random, 30), random, 1000);
    auto both = fakeGpu;
    both |= ComputedOn::cpu();
    std::vector<float> y(1000);
    QCOMPARE(loaded->combine(randomWeights(random, 30), 0, y, {}), both);
    QCOMPARE(loaded->combine(randomWeights(random, 30), 0, std::span(y).first(500), {}), fakeGpu);
    const std::vector<std::uint32_t> column{900};
    QCOMPARE(loaded->combineColumns(randomWeights(random, 30), column, std::span(y).first(1), {}),
             ComputedOn::cpu());
    device.columns = 0; // nothing fits
    told.clear();
    const auto byCpu = team->loadVectors(matrix.view);
    QCOMPARE(byCpu->combine(randomWeights(random, 30), 0, y, {}), ComputedOn::cpu());
    QCOMPARE(told.size(), std::size_t{1});
}

void SparseTeamTest::whatDoesNotFitOneGoesToTheNext()
{
    Random random(8);
    const Matrix matrix(random, 9, 800);
    FakeDevice small;
    small.columns = 160;
    auto members = ompMembers({1});
    members.insert(members.begin(), {std::make_shared<FakeBackend>(small, onCpu()), 5.0});
    const auto team = makeTeamBackend(members, onCpu()); // no fallback: it is no rest
    QCOMPARE(team->name(), std::string_view("fake+omp"));
    const auto loaded = team->loadVectors(matrix.view);
    compareColumns(*loaded, *makeOmpBackend(onCpu())->loadVectors(matrix.view),
                   randomWeights(random, 9), random, 800);
    std::vector<float> y(800);
    QCOMPARE(loaded->combine(randomWeights(random, 9), 0, std::span(y).first(160), {}), fakeGpu);
    QCOMPARE(loaded->combine(randomWeights(random, 9), 160, std::span(y).first(640), {}),
             ComputedOn::cpu());
}

void SparseTeamTest::aMemberThatFailsFailsTheTeam()
{
    FakeDevice sound, failing;
    std::vector<std::string> told;
    const auto context =
        onCpu()
            .withEvents([&](const ExecutionEvent &event) { told.push_back(event.sentence); })
            .withFallback(FallbackPolicy::allowed);
    std::shared_ptr<const Backend> team =
        makeTeamBackend({{std::make_shared<FakeBackend>(sound, onCpu()), 1},
                         {std::make_shared<FakeBackend>(failing, onCpu()), 1}},
                        context);
    Random random(9);
    const auto grid = makeGrid(GridShape(2, 4, BoundaryTreatment::zero));
    const auto coefficients = randomValues<double>(random, grid->points());
    const auto points = randomPoints<double>(random, *grid, 20);
    std::vector<double> expected(20), values(20);
    makeOmpBackend(onCpu())
        ->load(grid, coefficients)
        ->interpolate(viewOf(points, *grid), {expected});
    const auto alone = team->load(grid, coefficients);
    const auto evaluator = dispatch::makeFailoverBackend(team, context)->load(grid, coefficients);
    failing.isBroken = true;
    GRIDHELM_EXPECT_ERROR(alone->interpolate(viewOf(points, *grid), {values}));
    failing.isBroken = false;
    QCOMPARE(evaluator->interpolate(viewOf(points, *grid), {values}), fakeGpu);
    failing.isBroken = true;
    QVERIFY(told.empty());
    QCOMPARE(evaluator->interpolate(viewOf(points, *grid), {values}), ComputedOn::cpu());
    QCOMPARE(values, expected);
    QCOMPARE(told.size(), std::size_t{1});
}

void SparseTeamTest::teamsThatCannotBeAreErrors()
{
    GRIDHELM_EXPECT_ERROR(makeTeamBackend({}, onCpu()));
    auto members = ompMembers({1, 1});
    members.back().speed = 0;
    GRIDHELM_EXPECT_ERROR(makeTeamBackend(members, onCpu()));
    const auto team = makeTeamBackend(ompMembers({1, 1}), onCpu());
    const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
    GRIDHELM_EXPECT_ERROR(team->load(grid, std::vector<double>(3)));
}

GRIDHELM_TEST(SparseTeamTest)
#include "tst_sparse_team.moc"
