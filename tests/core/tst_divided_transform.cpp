// SPDX-License-Identifier: GPL-3.0-or-later
//
// One grid that several devices hierarchize: bit for bit as one does.
#include "core/sparse/team/divided_transform.h"
#include "core/sparse/team/team_backend.h"
#include "tests/core/backends.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/fake_backend.h"
#include "tests/core/type_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

/// Teams of two to four devices, as fast as each other or not.
const std::vector<std::vector<int>> teams{{1, 1}, {1, 2, 1}, {3, 1, 1, 1}};

/// The dimensions at which devices meet.
std::vector<int> meetingsOf(const SparseGrid &grid, const std::vector<double> &speeds)
{
    std::vector<int> dimensions{0};
    for (const auto &step : transformSteps(grid, speeds)) {
        if (step.first != dimensions.back())
            return {};
        dimensions.push_back(step.end);
    }
    return dimensions;
}

} // namespace

class DividedTransformTest : public QObject
{
    Q_OBJECT

private slots:
    void partsAreWholeAndEven();
    void hierarchizationIsThatOfOne_data() { addTypeRows(); }
    void hierarchizationIsThatOfOne();
    void allMembersHierarchize();
};

void DividedTransformTest::partsAreWholeAndEven()
{
    Random random(6);
    for (int i = 0; i < 60 && !QTest::currentTestFailed(); ++i) {
        const auto grid = randomGrid(random, 5, 2'000, Kinds::all);
        const int first = random.integer(0, grid->dimension() - 1);
        const int end = random.integer(first + 1, grid->dimension());
        const auto parts = dividedBlocks(*grid, first, end, std::vector{1.0, 2.0, 1.0});
        QCOMPARE(parts.size(), std::size_t{3});
        std::vector<int> holders(grid->blocks(), -1);
        for (std::size_t part = 0; part < parts.size(); ++part) {
            QVERIFY(std::ranges::is_sorted(parts[part]));
            for (const auto block : parts[part]) {
                QCOMPARE(holders[block], -1);
                holders[block] = static_cast<int>(part);
            }
        }
        for (std::size_t a = 0; a < grid->blocks(); ++a) {
            QVERIFY(holders[a] >= 0);
            for (std::size_t b = 0; b < a; ++b) {
                bool areTogether = true;
                for (int t = 0; t < grid->dimension(); ++t) {
                    const auto u = static_cast<std::size_t>(t);
                    areTogether &= (t >= first && t < end)
                                   || grid->levelVector(a)[u] == grid->levelVector(b)[u];
                }
                QVERIFY2(!areTogether || holders[a] == holders[b], describe(*grid).c_str());
            }
        }
    }
    // The larger half of the points for the faster device, to a percent.
    const SparseGrid large(GridShape(6, 6, BoundaryTreatment::zero));
    const std::vector speeds{1.0, 3.0};
    QCOMPARE(meetingsOf(large, speeds), (std::vector{0, 3, 6}));
    for (const auto &[first, end] : {std::pair{0, 3}, std::pair{3, 6}}) {
        const auto parts = dividedBlocks(large, first, end, speeds);
        std::uint64_t points = 0;
        for (const auto block : parts[0])
            points += large.blockSize(block);
        const auto share = static_cast<double>(points) / static_cast<double>(large.points());
        QVERIFY2(std::abs(share - 0.25) < 0.01, std::to_string(share).c_str());
    }
    // Of three dimensions one has few levels to divide: each by itself.
    QCOMPARE(meetingsOf(SparseGrid(GridShape(3, 6, BoundaryTreatment::zero)),
                        std::vector{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0}),
             (std::vector{0, 1, 2, 3}));
}

void DividedTransformTest::hierarchizationIsThatOfOne()
{
    checkTypes([]<typename T>() {
        Random random(6);
        std::vector<GridPointer> grids;
        for (int i = 0; i < 100; ++i)
            grids.push_back(
                randomGrid(random, 6, 2'000, random.chance(0.5) ? Kinds::hats : Kinds::all));
        grids.push_back(makeGrid(GridShape(1, 12, BoundaryTreatment::boundary)));
        grids.push_back(makeGrid(GridShape(2, 14, BoundaryTreatment::zero))); // on threads
        for (const auto &grid : grids) {
            const auto nodal = randomValues<T>(random, grid->points());
            auto coefficients = nodal;
            makeOmpBackend(onCpu(2))->hierarchize(*grid, std::span(coefficients));
            auto back = coefficients;
            makeOmpBackend(onCpu(2))->dehierarchize(*grid, std::span(back));
            for (const auto &threads : teams) {
                const auto members = ompMembers(threads);
                JointWork work(members.size());
                auto byTeam = nodal;
                QCOMPARE(transformDivided(Transform::hierarchize, *grid, std::span(byTeam), members,
                                          work),
                         ComputedOn::cpu());
                QVERIFY2(byTeam == coefficients, describe(*grid).c_str());
                transformDivided(Transform::dehierarchize, *grid, std::span(byTeam), members, work);
                QVERIFY2(byTeam == back, describe(*grid).c_str());
            }
        }
    });
}

void DividedTransformTest::allMembersHierarchize()
{
    FakeDevice first, second;
    const std::vector<TeamMember> members{{std::make_shared<FakeBackend>(first, onCpu()), 1},
                                          {std::make_shared<FakeBackend>(second, onCpu()), 1}};
    JointWork work(members.size());
    const auto transform = [&](std::vector<float> &values, const SparseGrid &grid) {
        return transformDivided(Transform::hierarchize, grid, std::span(values), members, work);
    };
    Random random(7);
    const auto grid = makeGrid(GridShape(4, 4, BoundaryTreatment::zero));
    auto values = randomValues<float>(random, grid->points());
    QCOMPARE(transform(values, *grid), fakeGpu);
    QCOMPARE(first.operations.load(), 2); // halves of the dimensions
    QCOMPARE(second.operations.load(), 2);
    // One that fails fails them all.
    second.isBroken = true;
    QVERIFY_THROWS_EXCEPTION(BackendError, transform(values, *grid));
    std::vector<float> tooFew(3);
    GRIDHELM_EXPECT_ERROR(transform(tooFew, *grid));
    // A small grid is the first one's.
    QCOMPARE(makeTeamBackend(members, onCpu())->hierarchize(*grid, std::span(values)), fakeGpu);
}

GRIDHELM_TEST(DividedTransformTest)
#include "tst_divided_transform.moc"
