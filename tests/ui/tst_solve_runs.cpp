// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs of the solve panel, by mouse and keys, for each of the three solvers: what they compute, and
// how they begin, are steered and end.
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "tests/core/field_values.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/least_time.h"
#include "tests/ui/solve_case.h"
#include "tests/ui/widget_test.h"
#include "ui/controls/number_field.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_track.h"

#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

constexpr qint64 immediate = 200; ///< milliseconds; by design some tens

solvers::PoissonProblem smallProblem()
{
    solvers::PoissonSetup setup;
    setup.size = "33x25";
    setup.sides = {{"x-low", solvers::SideKind::dirichlet, "0.5"},
                   {"y-high", solvers::SideKind::neumann, "0.25"}};
    setup.strength = "2";
    setup.sourcePosition = "0.25,0.75";
    return poissonProblem(setup);
}

void typeSmallProblem(Hands &hands)
{
    hands.type("size", "33x25");
    hands.type("strength", "2");
    hands.type("source-at", "0.25,0.75");
    hands.type("x-low-value", "0.5");
    hands.choose("y-high", "flux");
    hands.type("y-high-value", "0.25");
}

std::unique_ptr<solvers::Stepper> stepperFor(int solver)
{
    if (solver == jacobi)
        return makePoissonStepper(smallProblem(), {"tuned"}, test::onCpu());
    if (solver == sor)
        return makePoissonStepper(smallProblem(),
                                  {"red-black", solvers::Precision::float64, {{"relaxation", 1.5}}},
                                  test::onCpu());
    solvers::PmmSetup setup;
    setup.nodes = "21x19x17";
    setup.ball = "0.5,0.4,0.4,0.2";
    setup.speed = "layers:1,2";
    setup.advection = "0.5";
    setup.direction = "0.3,0,0.4";
    return std::make_unique<solvers::PmmStepper<double>>(pmmProblem(setup), solvers::PmmSettings(),
                                                         test::onCpu());
}

void typeOptionsFor(Hands &hands, int solver)
{
    if (solver == pmm) {
        hands.type("nodes", "21x19x17");
        hands.choose("source", "ball");
        hands.type("ball", "0.5,0.4,0.4,0.2");
        hands.type("speed", "layers:1,2");
        hands.type("psi", "0.5");
        hands.type("direction", "0.3,0,0.4");
        return;
    }
    typeSmallProblem(hands);
    if (solver == sor)
        hands.type("relaxation", "1.5");
}

void addSolvers()
{
    QTest::addColumn<int>("solver");
    QTest::newRow("Jacobi") << static_cast<int>(jacobi);
    QTest::newRow("SOR") << static_cast<int>(sor);
    QTest::newRow("PMM") << static_cast<int>(pmm);
}

} // namespace

class TestSolveRuns : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void resultIsThatOfAStepper_data();
    void resultIsThatOfAStepper();
    void stepsAreExact_data();
    void stepsAreExact();
    void runsPausesGoesOnAndStops_data();
    void runsPausesGoesOnAndStops();
    void liveParameterActs_data();
    void liveParameterActs();
    void sourceIsDraggedInTheView();
    void resetBeginsAgain_data();
    void resetBeginsAgain();
    void closingWhileRunningIsImmediate_data();
    void closingWhileRunningIsImmediate();
    void closingWhileAHugeGridIsAllocatedIsImmediate();
    void stoppingASettledRunFinishesIt();
    void runsAreCompared();
};

void TestSolveRuns::initTestCase()
{
    applyTheme(Theme::light);
}

void TestSolveRuns::resultIsThatOfAStepper_data()
{
    addSolvers();
}

void TestSolveRuns::resultIsThatOfAStepper()
{
    QFETCH(int, solver);
    Hands hands(solver);
    typeOptionsFor(hands, solver);
    const bool isPmm = solver == pmm;
    hands.choose("until", "no target");
    hands.type(isPmm ? "sweeps" : "iterations", isPmm ? "3" : "777");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
    QCOMPARE(hands.iterations(), std::uint64_t(isPmm ? 3 : 777));
    const auto stepper = stepperFor(solver);
    stepper->advance(hands.iterations());
    if (!isPmm) {
        QCOMPARE(hands.shown(), valuesOf(*stepper));
        QCOMPARE(hands.panel.run()->state().report.residual, stepper->report().residual);
        return;
    }
    QCOMPARE(hands.shown(), sliceOf(stepper->field(), {1, 0.5}).values);
}

void TestSolveRuns::stepsAreExact_data()
{
    addSolvers();
}

void TestSolveRuns::stepsAreExact()
{
    QFETCH(int, solver);
    Hands hands(solver);
    typeOptionsFor(hands, solver);
    hands.click("step"); // one: a new run, that pauses
    QVERIFY2(hands.comesTo(RunPhase::paused), qPrintable(hands.problem()));
    QTRY_COMPARE_WITH_TIMEOUT(hands.iterations(), std::uint64_t{1}, solvePatience);
    auto *count = hands.panel.findChild<QSpinBox *>("step-count");
    count->setFocus();
    count->selectAll();
    QTest::keyClicks(count, "2");
    QTest::keyClick(count, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(hands.button("step")->isEnabled(), solvePatience);
    hands.click("step");
    QTRY_COMPARE_WITH_TIMEOUT(hands.iterations(), std::uint64_t{3}, solvePatience);
    QVERIFY(hands.phase() == RunPhase::paused);
    const auto stepper = stepperFor(solver);
    stepper->advance(3);
    QTRY_COMPARE_WITH_TIMEOUT(hands.view()->frame()->iterations, std::uint64_t{3}, solvePatience);
    QCOMPARE(hands.shown(), sliceOf(stepper->field(), {solver == pmm ? 1U : 2U, 0.5}).values);
}

void TestSolveRuns::runsPausesGoesOnAndStops_data()
{
    addSolvers();
}

void TestSolveRuns::runsPausesGoesOnAndStops()
{
    QFETCH(int, solver);
    Hands hands(solver);
    typeOptionsFor(hands, solver);
    hands.choose("until", "no target");
    hands.type(solver == pmm ? "sweeps" : "iterations", "1000000000");
    QSignalSpy running(&hands.panel, &SolvePanel::runningChanged);
    QVERIFY(!hands.panel.isRunning());
    hands.click("run");
    QVERIFY(hands.panel.isRunning());
    QCOMPARE(running.size(), 1);
    QVERIFY2(hands.comesTo(RunPhase::running), qPrintable(hands.problem()));
    QCOMPARE(hands.button("run")->text(), "Pause");
    QVERIFY(!hands.option<QComboBox>("until")->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(hands.iterations() > 2, solvePatience);
    hands.click("run"); // pause
    QVERIFY(hands.comesTo(RunPhase::paused));
    QVERIFY(!hands.panel.isRunning());
    const auto before = hands.iterations();
    QTest::qWait(80);
    QCOMPARE(hands.iterations(), before);
    hands.click("run"); // go on
    QTRY_VERIFY_WITH_TIMEOUT(hands.iterations() > before, solvePatience);
    hands.click("stop");
    QVERIFY(hands.comesTo(RunPhase::cancelled));
    QVERIFY(!hands.panel.isRunning());
    QVERIFY(hands.option<QComboBox>("until")->isEnabled());
    QCOMPARE(hands.runs()->model()->rowCount(), 1);
    QCOMPARE(hands.runs()->model()->index(0, RunTableModel::stateColumn).data().toString(),
             "cancelled");
    const auto end = hands.iterations();
    QTest::qWait(60);
    QCOMPARE(hands.iterations(), end);
    QCOMPARE(hands.view()->frame()->iterations, end); // and the last field is shown
}

void TestSolveRuns::liveParameterActs_data()
{
    addSolvers();
}

void TestSolveRuns::liveParameterActs()
{
    QFETCH(int, solver);
    Hands hands(solver);
    typeOptionsFor(hands, solver);
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::settled), qPrintable(hands.problem()));
    const auto before = hands.shown();
    const auto iterations = hands.iterations();
    const QString name = solver == pmm ? "psi" : "boundary x high";
    auto *slider = hands.live(name);
    QVERIFY(slider);
    // Typed exactly.
    slider->field()->setFocus();
    slider->field()->selectAll();
    QTest::keyClicks(slider->field(), "0.75");
    QTest::keyClick(slider->field(), Qt::Key_Return);
    QVERIFY(QTest::qWaitFor(
        [&] { return hands.phase() == RunPhase::settled && hands.iterations() > iterations; },
        solvePatience));
    const auto stepper = stepperFor(solver);
    stepper->setLiveParameter(name.toStdString(), 0.75);
    stepper->advance(20000 / (solver == pmm ? 1000 : 1));
    const auto wanted = sliceOf(stepper->field(), {solver == pmm ? 1U : 2U, 0.5}).values;
    const auto now = hands.shown();
    QCOMPARE(now.size(), wanted.size());
    for (std::size_t i = 0; i < now.size(); ++i)
        QVERIFY2(std::abs(now[i] - wanted[i]) < 1e-4, QByteArray::number(now[i] - wanted[i]));
    QVERIFY(now != before);
    // And by hand.
    auto *track = slider->track();
    track->setFocus();
    QTest::keyClick(track, Qt::Key_Left);
    QVERIFY(slider->value() < 0.75);
    QVERIFY(QTest::qWaitFor(
        [&] {
            for (const auto &parameter : hands.panel.run()->state().parameters) {
                if (parameter.name == name.toStdString())
                    return parameter.value == slider->value();
            }
            return false;
        },
        solvePatience));
}

void TestSolveRuns::sourceIsDraggedInTheView()
{
    Hands hands(jacobi);
    hands.type("size", "40");
    hands.choose("until", "no target");
    hands.type("iterations", "1000000000");
    hands.click("run");
    QTRY_VERIFY_WITH_TIMEOUT(hands.view()->marker().has_value(), solvePatience);
    QCOMPARE(*hands.view()->marker(), QPointF(0.5, 0.5));
    auto *view = hands.view();
    const auto image = view->imageRect();
    QTest::mousePress(view, Qt::LeftButton, {}, image.center().toPoint());
    const auto target =
        QPointF(image.left() + 0.2 * image.width(), image.top() + 0.3 * image.height()).toPoint();
    QTest::mouseMove(view, target);
    QTest::mouseRelease(view, Qt::LeftButton, {}, target);
    const double x = hands.live("source x")->value();
    const double y = hands.live("source y")->value();
    QVERIFY2(std::abs(x - 0.2) < 0.01 && std::abs(y - 0.7) < 0.01, qPrintable(QString::number(y)));
    // The field is hottest there in the end.
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto values = hands.shown();
            const auto at = static_cast<std::size_t>(std::max_element(values.begin(), values.end())
                                                     - values.begin());
            return at % 40 == static_cast<std::size_t>(x * 40)
                   && at / 40 == static_cast<std::size_t>(y * 40);
        },
        solvePatience));
    QVERIFY(hands.phase() == RunPhase::running);
}

void TestSolveRuns::resetBeginsAgain_data()
{
    addSolvers();
}

void TestSolveRuns::resetBeginsAgain()
{
    QFETCH(int, solver);
    Hands hands(solver);
    typeOptionsFor(hands, solver);
    hands.choose("until", "no target");
    hands.type(solver == pmm ? "sweeps" : "iterations", "1000000000");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::running), qPrintable(hands.problem()));
    hands.click("reset");
    QVERIFY(!hands.panel.run());
    QVERIFY(!hands.panel.isRunning());
    QVERIFY(!hands.view()->frame());
    QCOMPARE(hands.runs()->model()->rowCount(), 0); // forgotten
    hands.click("step");
    QVERIFY(hands.comesTo(RunPhase::paused));
    QTRY_COMPARE_WITH_TIMEOUT(hands.iterations(), std::uint64_t{1}, solvePatience);
}

void TestSolveRuns::closingWhileRunningIsImmediate_data()
{
    addSolvers();
}

void TestSolveRuns::closingWhileRunningIsImmediate()
{
    QFETCH(int, solver);
    std::unique_ptr<Hands> hands;
    const auto took = test::leastTime(
        immediate,
        [&] {
            hands = std::make_unique<Hands>(solver);
            hands->choose("until", "no target");
            if (solver == pmm)
                hands->type("sweeps", "1000000000");
            hands->type(solver == pmm ? "nodes" : "size", solver == pmm ? "101" : "700");
            hands->click("run");
            QVERIFY2(hands->comesTo(RunPhase::running), qPrintable(hands->problem()));
        },
        [&] { hands.reset(); });
    QVERIFY2(took < immediate, QByteArray::number(took));
}

void TestSolveRuns::closingWhileAHugeGridIsAllocatedIsImmediate()
{
    std::unique_ptr<Hands> hands;
    const auto took = test::leastTime(
        immediate,
        [&] {
            hands = std::make_unique<Hands>(jacobi);
            hands->type("size", "8000x5000");
            hands->click("run");
            QVERIFY(hands->phase() == RunPhase::preparing);
            QTest::qWait(20);
        },
        [&] { hands.reset(); });
    QVERIFY2(took < immediate, QByteArray::number(took));
}

void TestSolveRuns::stoppingASettledRunFinishesIt()
{
    Hands hands(sor);
    hands.type("size", "30");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::settled));
    QVERIFY(hands.panel.run()->state().report.residual <= 1e-6);
    hands.click("stop");
    QVERIFY(hands.comesTo(RunPhase::finished));
    hands.toggle("stays-live");
    hands.click("run");
    QVERIFY(QTest::qWaitFor(
        [&] {
            return hands.runs()->model()->rowCount() == 2 && hands.phase() == RunPhase::finished;
        },
        solvePatience));
}

void TestSolveRuns::runsAreCompared()
{
    Hands hands(jacobi);
    for (const int solver : {jacobi, sor}) {
        auto *tabs = hands.panel.findChild<QTabBar *>("solver");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(solver).center());
        hands.type("size", "30");
        hands.type("tolerance", "1e-3");
        hands.click("run");
        QVERIFY(QTest::qWaitFor(
            [&] {
                return hands.runs()->model()->rowCount() == solver + 1
                       && hands.phase() == RunPhase::settled;
            },
            solvePatience));
    }
    const auto &records = hands.runs()->model()->records();
    QCOMPARE(records.size(), std::size_t{2});
    QVERIFY(records[0].state.phase == RunPhase::finished); // no longer settled: it is over
    QCOMPARE(records[0].name, "Jacobi 1");
    QCOMPARE(records[1].name, "SOR 2");
    QCOMPARE(records[0].size, "30 x 30");
    QVERIFY(records[0].state.report.iterations > 3 * records[1].state.report.iterations);
    auto *plot = hands.runs()->plot();
    for (const auto &record : records) {
        QVERIFY(plot->points(record.id).size() > 4);
        QCOMPARE(plot->points(record.id).back().iterations, record.state.report.iterations);
        QVERIFY(plot->points(record.id).back().residual <= 1e-3);
    }
}

GRIDHELM_WIDGET_TEST(TestSolveRuns)
#include "tst_solve_runs.moc"
