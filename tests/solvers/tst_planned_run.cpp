// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that follow a plan, in parts of any size.
#include "core/solvers/run/planned_run.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/support/error.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::solvers;
using gridhelm::test::valuesOf;

namespace {

PoissonProblem problem()
{
    PoissonSetup setup;
    setup.size = "31x23";
    return poissonProblem(setup);
}

SolverCase jacobi(const std::string &until, const std::string &iterations = {},
                  std::vector<std::string> changes = {})
{
    RunSetup run;
    if (!until.empty())
        run.until = TargetSetup::split(until);
    if (!iterations.empty())
        run.iterations = iterations;
    run.changes = std::move(changes);
    return poissonCase(problem(), {"tuned"}, run, false, test::onCpu());
}

} // namespace

class TestPlannedRun : public QObject
{
    Q_OBJECT

private slots:
    void sizeOfPartsChangesNothing_data();
    void sizeOfPartsChangesNothing();
    void interruptedRunIsNotComplete();
    void liveChangeLetsASettledRunGoOn();
    void liveChangeEndsComparisonWithKnownSolution();
    void frontThatRoundingAloneChangesHasArrived();
    void roundOffIsAskedForWhereItMatters();
};

void TestPlannedRun::sizeOfPartsChangesNothing_data()
{
    QTest::addColumn<qulonglong>("part");
    QTest::newRow("one by one") << 1ULL;
    QTest::newRow("seven") << 7ULL;
    QTest::newRow("a thousand") << 1000ULL;
}

void TestPlannedRun::sizeOfPartsChangesNothing()
{
    QFETCH(qulonglong, part);
    const auto solver =
        jacobi("residual=1e-3", "5000", {"37:source x=0.2", "90:boundary y low=0.1"});
    const auto whole = solver.makeStepper();
    PlannedRun inOne(*whole, solver.plan);
    while (!inOne.end())
        inOne.advance(solver.plan.most, {});

    const auto again =
        jacobi("residual=1e-3", "5000", {"37:source x=0.2", "90:boundary y low=0.1"});
    const auto pieces = again.makeStepper();
    PlannedRun inParts(*pieces, again.plan);
    while (!inParts.end())
        inParts.advance(part, {});

    QCOMPARE(nameOf(*inParts.end()), std::string_view("target"));
    QCOMPARE(inParts.history().back().iterations, inOne.history().back().iterations);
    QCOMPARE(inParts.history().size(), inOne.history().size());
    QCOMPARE(valuesOf(*pieces), valuesOf(*whole));
}

void TestPlannedRun::interruptedRunIsNotComplete()
{
    const auto solver = jacobi("", "40");
    const auto stepper = solver.makeStepper();
    PlannedRun run(*stepper, solver.plan);
    while (run.asked() < 39)
        run.advance(39 - run.asked(), {});
    std::stop_source stop;
    stop.request_stop();
    run.advance(1, stop.get_token()); // the last one, which is not done
    QVERIFY(run.end().has_value());
    QCOMPARE(nameOf(*run.end()), std::string_view("interrupted"));
    QCOMPARE(run.history().back().iterations, std::uint64_t{39});
}

void TestPlannedRun::liveChangeLetsASettledRunGoOn()
{
    const auto solver = jacobi("residual=1e-2");
    const auto stepper = solver.makeStepper();
    PlannedRun run(*stepper, solver.plan);
    while (!run.end())
        run.advance(1000, {});
    const auto before = run.history().back().iterations;
    QVERIFY_EXCEPTION_THROWN(run.setLiveParameter("source x", 2), Error);
    QVERIFY(run.end().has_value());
    run.setLiveParameter("source x", 0.9);
    QVERIFY(!run.end().has_value());
    while (!run.end())
        run.advance(1000, {});
    QCOMPARE(nameOf(*run.end()), std::string_view("target"));
    QVERIFY(run.history().back().iterations > before);
}

void TestPlannedRun::liveChangeEndsComparisonWithKnownSolution()
{
    PoissonSetup setup;
    setup.size = "20";
    setup.source.name = "eigenfunction";
    RunSetup run;
    run.iterations = "50";
    const auto solver =
        poissonCase(poissonProblem(setup), {"red-black"}, run, false, test::onCpu());
    const auto stepper = solver.makeStepper();
    PlannedRun planned(*stepper, solver.plan);
    planned.advance(10, {});
    planned.setLiveParameter("relaxation", 1.1); // another way to the same solution
    QVERIFY(planned.look().error > 0);
    planned.setLiveParameter("boundary x low", 0.5);
    QVERIFY(std::isnan(planned.look().error));
}

/// A front of the kind that falls by a unit in the last place for a dozen sweeps.
void TestPlannedRun::frontThatRoundingAloneChangesHasArrived()
{
    PmmSetup setup;
    setup.nodes = "24";
    setup.speed = "lens:1,3";
    setup.advection = "0.9";
    setup.direction = "0.6,-0.6,0.3";
    setup.points = {"0.1,0.2,0.3,1000"};
    const auto problem = pmmProblem(setup);
    const auto run = [&](Precision precision, const RunSetup &plan) {
        const auto solver = pmmCase(problem, precision, plan, test::onCpu());
        auto stepper = solver.makeStepper();
        PlannedRun planned(*stepper, solver.plan);
        while (!planned.end())
            planned.advance(100, {});
        return std::tuple(valuesOf(*stepper), std::string(nameOf(*planned.end())),
                          planned.history(),
                          describe(*planned.end(), planned.history().back(), solver.plan));
    };
    const auto [arrivals, end, history, sentence] = run(Precision::float32, {});
    QCOMPARE(end, std::string("round-off"));
    QVERIFY2(sentence.ends_with("sweeps, what still changes is round-off"), sentence.c_str());

    RunSetup untilNothing;
    untilNothing.until = TargetSetup{"change", "0"};
    const auto [asked, askedEnd, askedHistory, askedSentence] =
        run(Precision::float32, untilNothing);
    QCOMPARE(askedHistory.size(), history.size());
    QVERIFY2(askedSentence.find("change 0 is out of reach") != std::string::npos,
             askedSentence.c_str());

    // In double, the method's own limit, 1e-10, is far above round-off, and near it at 1000.
    const auto inDouble = run(Precision::float64, {});
    const auto &exact = std::get<0>(inDouble);
    QCOMPARE(std::get<1>(inDouble), std::string("target"));

    // Further sweeps bring it no nearer to what a computation without rounding finds.
    RunSetup thirty;
    thirty.iterations = "30";
    const auto [settled, settledEnd, settledHistory, settledSentence] =
        run(Precision::float32, thirty);
    const auto distance = [&](const std::vector<double> &times) {
        double largest = 0;
        for (std::size_t node = 0; node < times.size(); ++node)
            largest = std::max(largest, std::abs(times[node] - exact[node]));
        return largest;
    };
    QVERIFY(settledHistory.back().largestChange == 0);
    QVERIFY(history.size() + 2 < settledHistory.size());
    // They do not bring it nearer: where rounding is all that changes, the earliest is no better.
    QVERIFY2(distance(arrivals) <= 1.25 * distance(settled),
             qPrintable(QString("%1, %2").arg(distance(arrivals)).arg(distance(settled))));
}

/// It takes a whole field's time.
void TestPlannedRun::roundOffIsAskedForWhereItMatters()
{
    class Falling final : public Stepper
    {
    public:
        explicit Falling(std::vector<double> changes)
            : m_changes(std::move(changes))
        {
        }
        std::string_view method() const override { return "falling"; }
        ComputedOn computedOn() const override { return ComputedOn::cpu(); }
        void advance(std::uint64_t iterations, std::stop_token) override { m_done += iterations; }
        StepReport report() const override
        {
            StepReport report;
            report.iterations = m_done;
            report.largestChange = m_done == 0 ? StepReport::none : m_changes.at(m_done - 1);
            return report;
        }
        double roundOff() const override
        {
            ++m_asked;
            return 1e-7;
        }
        FieldView field() const override { return {}; }
        std::vector<LiveParameter> liveParameters() const override { return {}; }
        void setLiveParameter(std::string_view, double) override {}
        int asked() const { return m_asked; }

    private:
        std::vector<double> m_changes;
        std::uint64_t m_done = 0;
        mutable int m_asked = 0;
    };
    RunPlan plan;
    plan.most = 5;
    plan.target = RunPlan::Target{Quantity::change, 1e-10};
    const auto endOf = [&](Falling &falling) {
        PlannedRun run(falling, plan);
        while (!run.end())
            run.advance(1, {});
        return std::pair(std::string(nameOf(*run.end())), run.history().back().iterations);
    };
    constexpr double infinite = std::numeric_limits<double>::infinity();
    Falling fast({infinite, 1e-3, 1e-5, 5e-8, 1e-11});
    QCOMPARE(endOf(fast), std::pair(std::string("target"), std::uint64_t{5}));
    QCOMPARE(fast.asked(), 0);
    Falling slow({infinite, 5e-3, 1e-3, 5e-4, 5e-8});
    QCOMPARE(endOf(slow), std::pair(std::string("iterations"), std::uint64_t{5}));
    QCOMPARE(slow.asked(), 1);
    Falling stuck({infinite, 5e-8, 4e-8, 3e-8, 2e-8});
    QCOMPARE(endOf(stuck), std::pair(std::string("round-off"), std::uint64_t{3}));
    plan.target->quantity = Quantity::residual; // of which rounding is another matter
    Falling other({infinite, 5e-8, 4e-8, 3e-8, 2e-8});
    QCOMPARE(endOf(other).first, std::string("iterations"));
    QCOMPARE(other.asked(), 0);
}

GRIDHELM_TEST(TestPlannedRun)
#include "tst_planned_run.moc"
