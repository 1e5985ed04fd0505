// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that follow a plan, in parts of any size.
#include "core/solvers/run/planned_run.h"
#include "core/solvers/run/solver_case.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/support/error.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"

#include <QtTest>

#include <stop_token>

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

QTEST_GUILESS_MAIN(TestPlannedRun)
#include "tst_planned_run.moc"
