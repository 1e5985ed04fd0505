// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several ranks evaluate as one process does, bit for bit; ranks are threads here.
#include "core/execution/crew.h"
#include "core/execution/first_ranks.h"
#include "core/sparse/team/rank_evaluator.h"
#include "tests/core/evaluation_checks.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/thread_ranks.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>
#include <numeric>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::sparse;
using namespace gridhelm::test;

namespace {

using OnRank = std::function<void(const std::shared_ptr<Ranks> &)>;

void onRanks(int count, const OnRank &work)
{
    const auto meeting = std::make_shared<ThreadRanksMeeting>(count);
    Crew(static_cast<std::size_t>(count)).run([&](std::size_t i) {
        work(std::make_shared<ThreadRanks>(meeting, static_cast<int>(i)));
    });
}

/// All that is evaluated at the points and on the picture.
std::vector<std::vector<double>> everything(const Evaluator<double> &evaluator,
                                            const std::vector<double> &points,
                                            const CartesianPoints<double> &picture)
{
    const PointsView<double> view{points, evaluator.grid().dimension()};
    std::vector<std::vector<double>> all(6, std::vector<double>(view.count()));
    evaluator.interpolate(view, {all[0], all[1]});
    evaluator.interpolate(view, {all[2]});
    evaluator.evaluate(view, {all[3], all[4]});
    all.emplace_back(points.size());
    evaluator.gradient(view, all[5], all[6]);
    all.emplace_back(picture.count());
    evaluator.interpolateCartesian(picture, {all[7]});
    return all;
}

class BrokenEvaluator final : public Evaluator<double>
{
public:
    explicit BrokenEvaluator(GridPointer grid)
        : m_grid(std::move(grid))
    {
    }
    const SparseGrid &grid() const override { return *m_grid; }
    std::size_t bytes() const override { return 0; }

private:
    ComputedOn doInterpolate(PointsView<double>, EvaluationOutput<double>) const override
    {
        throw Error("it is broken; mend it");
    }
    ComputedOn doInterpolateShared(PointsView<double>, const std::vector<bool> &,
                                   EvaluationOutput<double>) const override
    {
        return {};
    }
    ComputedOn doInterpolateCartesian(const CartesianPoints<double> &, CartesianPart,
                                      EvaluationOutput<double>) const override
    {
        return {};
    }
    ComputedOn doGradient(PointsView<double>, std::span<double>, std::span<double>) const override
    {
        return {};
    }
    Combination doCombine(const SparseWeights &) const override { return {}; }

    GridPointer m_grid;
};

} // namespace

class RankEvaluatorTest : public QObject
{
    Q_OBJECT

private slots:
    void ranksEvaluateAsOne()
    {
        Random random(1);
        for (int i = 0; i < 30 && !QTest::currentTestFailed(); ++i) {
            const auto grid = randomGrid(random, 5, 2'000, Kinds::all);
            const auto coefficients = randomValues<double>(random, grid->points());
            constexpr std::size_t counts[] = {0, 1, 2, 7, 64, 199};
            const auto points = pointsWithSharedColumns<double>(
                random, *grid, counts[random.index(6)], random.integer(0, grid->dimension()));
            const auto picture = randomAxes<double>(
                random, *grid, random.integer(0, std::min(grid->dimension(), 3)), 6);
            const auto expected =
                everything(*makeOmpBackend(onCpu())->load(grid, coefficients), points, picture);
            for (const int count : {1, 2, 3, 4}) {
                std::vector<std::vector<double>> got;
                onRanks(count, [&](const std::shared_ptr<Ranks> &ranks) {
                    const auto evaluator =
                        makeRankEvaluator(makeOmpBackend(onCpu())->load(grid, coefficients), ranks);
                    auto mine = everything(*evaluator, points, picture);
                    if (ranks->isFirst())
                        got = std::move(mine);
                });
                QVERIFY2(got == expected, describe(*grid).c_str());
            }
        }
    }

    void eachHasItsShare()
    {
        const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
        Random random(2);
        const auto coefficients = randomValues<double>(random, grid->points());
        const auto points = randomPoints<double>(random, *grid, 10);
        std::vector<std::vector<double>> of(3, std::vector<double>(10, -77.0));
        onRanks(3, [&](const std::shared_ptr<Ranks> &ranks) {
            makeRankEvaluator(makeOmpBackend(onCpu())->load(grid, coefficients), ranks)
                ->interpolate(viewOf(points, *grid),
                              {of[static_cast<std::size_t>(ranks->number())]});
        });
        QCOMPARE(std::ranges::count(of[0], -77.0), 0);
        QCOMPARE(std::ranges::count(of[1], -77.0), 6);
        QCOMPARE(std::ranges::count(of[2], -77.0), 7);
    }

    void oneThatFailsFailsAll()
    {
        const auto grid = makeGrid(GridShape(2, 3, BoundaryTreatment::zero));
        const std::vector<double> points(20, 0.25);
        std::atomic<int> failed = 0;
        onRanks(3, [&](const std::shared_ptr<Ranks> &ranks) {
            std::unique_ptr<Evaluator<double>> local = std::make_unique<BrokenEvaluator>(grid);
            if (ranks->number() != 1)
                local = makeOmpBackend(onCpu())->load(grid, std::vector<double>(grid->points()));
            std::vector<double> values(10);
            try {
                makeRankEvaluator(std::move(local), ranks)
                    ->interpolate(viewOf(points, *grid), {values});
            } catch (const Error &error) {
                failed += std::string(error.what()) == "it is broken; mend it" ? 1 : 0;
            }
        });
        QCOMPARE(failed.load(), 3);
    }

    void theFirstRanksLeaveTheOthersAlone()
    {
        onRanks(4, [&](const std::shared_ptr<Ranks> &all) {
            if (all->number() < 3) {
                FirstRanks some(all, 3);
                if (some.count() != 3 || some.number() != all->number() || some.hosts().size() != 3)
                    throw std::logic_error("it is another rank");
                const auto numbers = some.numbersOfAll(10.0 + some.number());
                if (numbers != std::vector{10.0, 11.0, 12.0})
                    throw std::logic_error("other numbers have come");
                if (textsOfAll(some, std::to_string(some.number()))
                    != std::vector<std::string>{"0", "1", "2"})
                    throw std::logic_error("other texts have come");
            } else if (missingError([&] { FirstRanks(all, 3); }) != "") {
                throw std::logic_error("one of the others is let in");
            }
            if (missingError([&] { FirstRanks(all, 5); }) != ""
                || missingError([&] { FirstRanks(all, 0); }) != "")
                throw std::logic_error("so many are not there");
        });
    }
};

GRIDHELM_TEST(RankEvaluatorTest)
#include "tst_rank_evaluator.moc"
