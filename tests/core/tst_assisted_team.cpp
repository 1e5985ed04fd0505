// SPDX-License-Identifier: GPL-3.0-or-later
//
// A device and a slower helper evaluate together what one does.
#include "core/sparse/team/team_backend.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/fake_backend.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

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
    void evaluatesAsOneDoes();
    void combinesAsOneDoes();
    void bothTakePart();
    void whatHasNoRoomIsTheHelpers();
    void whoeverFailsFailsAll();
};

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
        for (const std::size_t count : {1U, 700U, 66'000U}) {
            auto points = randomPoints<double>(random, *grid, count);
            for (std::size_t j = 1; j < count; ++j)
                points[j * d] = points[0]; // shared
            for (int call = 0; call < (count > 1000 ? 4 : 2); ++call)
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
    slow.delay = [](std::size_t values) { return milliseconds(values / 500); };
    FakeDevice helper;
    helper.delay = [](std::size_t values) { return milliseconds(values / 2500); };
    const auto team = makeTeamBackend({{std::make_shared<FakeBackend>(slow, onCpu()), 1},
                                       helperOf(std::make_shared<FakeBackend>(helper, onCpu()))},
                                      onCpu());
    Random random(4);
    const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
    const auto evaluator = team->load(grid, randomValues<double>(random, grid->points()));
    const auto points = randomPoints<double>(random, *grid, 66'000);
    std::vector<double> values(66'000);
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
    const auto points = randomPoints<double>(random, *grid, 66'000);
    std::vector<double> values(66'000);
    for (const int failing : {0, 1}) {
        std::array<FakeDevice, 2> devices;
        const auto team =
            makeTeamBackend({{std::make_shared<FakeBackend>(devices[0], onCpu()), 1},
                             helperOf(std::make_shared<FakeBackend>(devices[1], onCpu()))},
                            onCpu());
        const auto evaluator = team->load(grid, randomValues<double>(random, grid->points()));
        devices[static_cast<std::size_t>(failing)].isBroken = true;
        auto &other = devices[static_cast<std::size_t>(1 - failing)];
        const auto fails = [&] {
            other.operations = 0;
            try {
                evaluator->interpolate(viewOf(points, *grid), {values});
                return false;
            } catch (const Error &) {
                return true;
            }
        };
        // On a busy machine one may have done all before the other begins.
        bool hasFailed = false;
        for (int call = 0; call < 1000 && !hasFailed; ++call)
            hasFailed = fails();
        QVERIFY(hasFailed);
        // Nor does the other one go on.
        QVERIFY(other.operations < 40);
    }
}

GRIDHELM_TEST(AssistedTeamTest)
#include "tst_assisted_team.moc"
