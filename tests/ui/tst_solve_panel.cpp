// SPDX-License-Identifier: GPL-3.0-or-later
//
// The solve panel as its users have it: by mouse and keys, for each of the three solvers.
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/solvers/vti_file.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/least_time.h"
#include "ui/controls/number_field.h"
#include "ui/controls/theme.h"
#include "ui/controls/value_slider.h"
#include "ui/controls/value_track.h"
#include "ui/solve/field_view.h"
#include "ui/solve/runs_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/solve/solver_run.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QtTest>

using namespace gridhelm;
using namespace gridhelm::ui;

namespace {

constexpr int patience = 30000;   ///< milliseconds; instrumented builds are slow
constexpr qint64 immediate = 200; ///< milliseconds; by design some tens

std::vector<double> valuesOf(const solvers::Stepper &stepper)
{
    const auto values = std::get<std::span<const double>>(stepper.field().values);
    return {values.begin(), values.end()};
}

/// A panel on the screen, and hands for it.
class Hands
{
public:
    explicit Hands(int solver)
    {
        panel.resize(1280, 800);
        panel.show();
        static_cast<void>(QTest::qWaitForWindowExposed(&panel));
        auto *tabs = panel.findChild<QTabBar *>("solver");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(solver).center());
    }

    QWidget *form() { return panel.findChild<QStackedWidget *>("forms")->currentWidget(); }

    template <typename Widget>
    Widget *option(const QString &name)
    {
        auto *found = form()->findChild<Widget *>(name);
        if (!found)
            qFatal("there is no option %s", qPrintable(name));
        return found;
    }

    void type(const QString &name, const QString &text)
    {
        auto *combo = form()->findChild<QComboBox *>(name);
        QWidget *field =
            combo ? static_cast<QWidget *>(combo->lineEdit()) : option<QLineEdit>(name);
        show(field);
        QTest::mouseDClick(field, Qt::LeftButton);
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }

    /// By the first letters, as people do.
    void choose(const QString &name, const QString &text)
    {
        auto *combo = option<QComboBox>(name);
        show(combo);
        combo->setFocus();
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; combo->currentText() != text && i < combo->count(); ++i)
            QTest::keyClick(combo, Qt::Key_Down);
    }

    void toggle(const QString &name)
    {
        auto *box = option<QCheckBox>(name);
        show(box);
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
    }

    QPushButton *button(const char *name) { return panel.findChild<QPushButton *>(name); }
    void click(const char *name) { QTest::mouseClick(button(name), Qt::LeftButton); }

    ValueSlider *live(const QString &name)
    {
        return panel.findChild<ValueSlider *>("live " + name);
    }
    FieldView *view() { return panel.findChild<FieldView *>(); }
    RunsPanel *runs() { return panel.findChild<RunsPanel *>(); }
    QString problem() { return form()->findChild<QLabel *>("problem")->text(); }
    std::vector<double> shown() { return view()->frame()->slice.values; }
    RunPhase phase() { return panel.run() ? panel.run()->state().phase : RunPhase::failed; }
    std::uint64_t iterations() { return panel.run()->state().report.iterations; }

    bool comesTo(RunPhase wanted)
    {
        return QTest::qWaitFor([&] { return panel.run() && phase() == wanted; }, patience);
    }

    SolvePanel panel{test::onCpu()};

private:
    void show(QWidget *widget)
    {
        for (auto *area : form()->findChildren<QScrollArea *>())
            area->ensureWidgetVisible(widget);
    }
};

enum Solver { jacobi, sor, pmm };

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

class TestSolvePanel : public QObject
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
    void badInputIsASentenceBesideTheOptions_data();
    void badInputIsASentenceBesideTheOptions();
    void closingWhileRunningIsImmediate_data();
    void closingWhileRunningIsImmediate();
    void closingWhileAHugeGridIsAllocatedIsImmediate();
    void stoppingASettledRunFinishesIt();
    void methodsHaveTheirOptions();
    void planeOf3DFieldIsChosen();
    void runsAreCompared();
    void resultIsSaved();
    void stateSurvivesARestart();
    void everyControlHasANameAndAToolTip();
    void keyboardReachesEverything();
    void ratesAreBesideTheMachines();
};

void TestSolvePanel::initTestCase()
{
    applyTheme(Theme::light);
}

void TestSolvePanel::resultIsThatOfAStepper_data()
{
    addSolvers();
}

void TestSolvePanel::resultIsThatOfAStepper()
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

void TestSolvePanel::stepsAreExact_data()
{
    addSolvers();
}

void TestSolvePanel::stepsAreExact()
{
    QFETCH(int, solver);
    Hands hands(solver);
    typeOptionsFor(hands, solver);
    hands.click("step"); // one: a new run, that pauses
    QVERIFY2(hands.comesTo(RunPhase::paused), qPrintable(hands.problem()));
    QTRY_COMPARE_WITH_TIMEOUT(hands.iterations(), std::uint64_t{1}, patience);
    auto *count = hands.panel.findChild<QSpinBox *>("step-count");
    count->setFocus();
    count->selectAll();
    QTest::keyClicks(count, "2");
    QTest::keyClick(count, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(hands.button("step")->isEnabled(), patience);
    hands.click("step");
    QTRY_COMPARE_WITH_TIMEOUT(hands.iterations(), std::uint64_t{3}, patience);
    QVERIFY(hands.phase() == RunPhase::paused);
    const auto stepper = stepperFor(solver);
    stepper->advance(3);
    QTRY_COMPARE_WITH_TIMEOUT(hands.view()->frame()->iterations, std::uint64_t{3}, patience);
    QCOMPARE(hands.shown(), sliceOf(stepper->field(), {solver == pmm ? 1U : 2U, 0.5}).values);
}

void TestSolvePanel::runsPausesGoesOnAndStops_data()
{
    addSolvers();
}

void TestSolvePanel::runsPausesGoesOnAndStops()
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
    QTRY_VERIFY_WITH_TIMEOUT(hands.iterations() > 2, patience);
    hands.click("run"); // pause
    QVERIFY(hands.comesTo(RunPhase::paused));
    QVERIFY(!hands.panel.isRunning());
    const auto before = hands.iterations();
    QTest::qWait(80);
    QCOMPARE(hands.iterations(), before);
    hands.click("run"); // go on
    QTRY_VERIFY_WITH_TIMEOUT(hands.iterations() > before, patience);
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

void TestSolvePanel::liveParameterActs_data()
{
    addSolvers();
}

void TestSolvePanel::liveParameterActs()
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
        patience));
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
        patience));
}

void TestSolvePanel::sourceIsDraggedInTheView()
{
    Hands hands(jacobi);
    hands.type("size", "40");
    hands.choose("until", "no target");
    hands.type("iterations", "1000000000");
    hands.click("run");
    QTRY_VERIFY_WITH_TIMEOUT(hands.view()->marker().has_value(), patience);
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
        patience));
    QVERIFY(hands.phase() == RunPhase::running);
}

void TestSolvePanel::resetBeginsAgain_data()
{
    addSolvers();
}

void TestSolvePanel::resetBeginsAgain()
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
    QTRY_COMPARE_WITH_TIMEOUT(hands.iterations(), std::uint64_t{1}, patience);
}

void TestSolvePanel::badInputIsASentenceBesideTheOptions_data()
{
    QTest::addColumn<int>("solver");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](int solver, const char *option, const char *text, const char *says) {
        QTest::addRow("%d %s %s", solver, option, text) << solver << option << text << says;
    };
    row(jacobi, "size", "0x5", "size: 0x5 has no points");
    row(jacobi, "size", "", "size");
    row(jacobi, "size", "5000000x5000000", "choose fewer unknowns");
    row(jacobi, "size", "99999999999999999999", "too large");
    row(jacobi, "size", "4294967296x4294967296x4294967296", "64 bits");
    row(jacobi, "tolerance", "tiny", "until: \"tiny\" is not a number");
    row(jacobi, "iterations", "-3", "iterations: \"-3\" is not a number");
    row(jacobi, "strength", "1e999", "strength");
    row(jacobi, "x-low-value", "", "side");
    row(sor, "relaxation", "2", "relaxation factor");
    row(sor, "source-at", "0.5", "source-at");
    row(sor, "source-at", "0.5,2", "outside the rectangle");
    row(pmm, "nodes", "9x9", "nodes: 9x9 has two directions");
    row(pmm, "speed", "-1", "choose a positive one");
    row(pmm, "speed", "nonsense", "speed: \"nonsense\" is neither");
    row(pmm, "psi", "/nowhere/psi.vti", "/nowhere/psi.vti");
    row(pmm, "horizon", "hill", "horizon: there is no \"hill\"");
    row(pmm, "direction", "1,2", "direction");
}

void TestSolvePanel::badInputIsASentenceBesideTheOptions()
{
    QFETCH(int, solver);
    QFETCH(QString, option);
    QFETCH(QString, text);
    QFETCH(QString, says);
    Hands hands(solver);
    hands.type(option, text);
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::failed));
    QVERIFY2(hands.problem().contains(says), qPrintable(hands.problem()));
    QVERIFY(!hands.problem().contains("--"));
    QVERIFY(hands.form()->findChild<QLabel *>("problem")->isVisible());
    QCOMPARE(hands.panel.run()->state().unknowns, std::size_t{0});
    QCOMPARE(hands.runs()->model()->rowCount(), 0);
    QVERIFY(!hands.panel.isRunning());
    QVERIFY(hands.button("run")->isEnabled());
    hands.type(option, "1"); // the sentence goes when something is done about it
    QCOMPARE(hands.problem(), QString());
}

void TestSolvePanel::closingWhileRunningIsImmediate_data()
{
    addSolvers();
}

void TestSolvePanel::closingWhileRunningIsImmediate()
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

void TestSolvePanel::closingWhileAHugeGridIsAllocatedIsImmediate()
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

void TestSolvePanel::stoppingASettledRunFinishesIt()
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
        patience));
}

void TestSolvePanel::methodsHaveTheirOptions()
{
    Hands hands(jacobi);
    QVERIFY(!hands.option<QSpinBox>("alpha")->isVisible());
    hands.choose("method", "async3");
    QVERIFY(hands.option<QSpinBox>("alpha")->isVisible());
    QVERIFY(hands.option<QLineEdit>("tile")->isVisible());
    QVERIFY(!hands.option<QSpinBox>("depth")->isVisible());
    hands.choose("method", "temporal");
    QVERIFY(hands.option<QSpinBox>("depth")->isVisible());
    QVERIFY(!hands.option<QComboBox>("z-low")->isVisible());
    hands.type("size", "20x20x20");
    QVERIFY(hands.option<QComboBox>("z-low")->isVisible());
    QVERIFY(!hands.option<QLineEdit>("spacing")->isVisible());
    auto *more = hands.form()->findChild<QToolButton *>("more");
    QTest::mouseClick(more, Qt::LeftButton);
    QVERIFY(hands.option<QLineEdit>("spacing")->isVisible());
    hands.click("run"); // temporal is for 2D
    QVERIFY(hands.comesTo(RunPhase::failed));
    QVERIFY2(hands.problem().contains("2D"), qPrintable(hands.problem()));

    // Every method of every solver does something.
    for (const int solver : {jacobi, sor}) {
        Hands other(solver);
        other.type("size", "40");
        other.choose("until", "no target");
        other.type("iterations", "64");
        auto *method = other.option<QComboBox>("method");
        for (int i = 0; i < method->count(); ++i) {
            other.choose("method", method->itemText(i));
            other.click("run");
            QVERIFY(QTest::qWaitFor(
                [&] {
                    return other.runs()->model()->rowCount() == i + 1
                           && other.phase() == RunPhase::finished;
                },
                patience));
            QVERIFY(other.panel.run()->state().report.residual < 0.2);
        }
    }
}

void TestSolvePanel::planeOf3DFieldIsChosen()
{
    Hands hands(sor);
    hands.type("size", "12x10x8");
    hands.choose("source", "gaussian");
    hands.choose("until", "no target");
    hands.type("iterations", "50");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
    solvers::PoissonSetup setup;
    setup.size = "12x10x8";
    setup.source.name = "gaussian";
    const auto stepper = makePoissonStepper(poissonProblem(setup), {"red-black"}, test::onCpu());
    stepper->advance(50);
    auto *normal = hands.panel.findChild<QComboBox *>("slice-axis");
    auto *position = hands.panel.findChild<QSlider *>("slice-position");
    QVERIFY(normal->isVisible());
    normal->setFocus();
    QTest::keyClick(normal, Qt::Key_Home); // x
    position->setFocus();
    QTest::keyClick(position, Qt::Key_Home);
    QTRY_COMPARE_WITH_TIMEOUT(hands.shown(), sliceOf(stepper->field(), {0, 0}).values, patience);
    QTest::keyClick(position, Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(hands.shown(), sliceOf(stepper->field(), {0, 1}).values, patience);
}

void TestSolvePanel::runsAreCompared()
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
            patience));
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

void TestSolvePanel::resultIsSaved()
{
    const QTemporaryDir folder;
    Hands hands(pmm);
    hands.type("nodes", "15");
    QSignalSpy news(&hands.panel, &SolvePanel::news);
    QSignalSpy failed(&hands.panel, &SolvePanel::failed);
    QVERIFY(!hands.button("save")->isEnabled());
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::settled), qPrintable(hands.problem()));
    QVERIFY(hands.button("save")->isEnabled());
    const auto path = folder.filePath("times.vti");
    hands.panel.saveField(path);
    QTRY_COMPARE_WITH_TIMEOUT(news.size(), 1, patience);
    const auto image = solvers::readVti(path.toStdString());
    QCOMPARE(image.arrays.size(), std::size_t{2});
    QCOMPARE(image.arrays[0].name, std::string("arrival time"));
    QCOMPARE(image.arrays[1].name, std::string("layer"));
    QCOMPARE(image.grid.points, (std::array<std::size_t, 3>{15, 15, 15}));
    hands.panel.saveField("/nowhere/times.vti");
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, patience);
    QVERIFY(failed[0][0].toString().contains("/nowhere/times.vti"));
}

void TestSolvePanel::stateSurvivesARestart()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    {
        Hands hands(pmm);
        hands.type("nodes", "33");
        hands.choose("source", "points");
        hands.type("points", "0.1,0.2,0.3");
        hands.panel.findChild<QComboBox *>("colours")->setCurrentText("glow");
        hands.panel.saveState(settings);
    }
    SolvePanel again{test::onCpu()};
    again.restoreState(settings);
    auto *form = again.findChild<QStackedWidget *>("forms")->currentWidget();
    QCOMPARE(again.findChild<QTabBar *>("solver")->currentIndex(), static_cast<int>(pmm));
    QCOMPARE(form->findChild<QComboBox *>("nodes")->currentText(), "33");
    QCOMPARE(form->findChild<QComboBox *>("source")->currentText(), "points");
    QCOMPARE(form->findChild<QLineEdit *>("points")->text(), "0.1,0.2,0.3");
    QVERIFY(again.findChild<FieldView *>()->colourMap() == ColourMap::glow);

    QSettings nonsense(folder.filePath("nonsense.ini"), QSettings::IniFormat);
    nonsense.setValue("solve/solver", "x");
    nonsense.setValue("solve/jacobi/method", "no such method");
    nonsense.setValue("solve/jacobi/alpha", -5);
    nonsense.setValue("solve/view/colours", 17);
    nonsense.setValue("solve/view/fixed", true);
    nonsense.setValue("solve/splitter", QByteArray("nonsense"));
    SolvePanel fresh{test::onCpu()};
    fresh.restoreState(nonsense);
    form = fresh.findChild<QStackedWidget *>("forms")->currentWidget();
    QCOMPARE(form->findChild<QComboBox *>("method")->currentText(), "tuned");
}

void TestSolvePanel::everyControlHasANameAndAToolTip()
{
    Hands hands(sor);
    hands.type("size", "20");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::settled));
    for (auto *widget : hands.panel.findChildren<QWidget *>()) {
        const bool isControl =
            qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget)
            || qobject_cast<QAbstractSpinBox *>(widget) || qobject_cast<QLineEdit *>(widget)
            || qobject_cast<QAbstractSlider *>(widget);
        const auto *parent = widget->parentWidget();
        // Parts of other controls: the field of a combo box, the scroll bar of a table.
        if (!isControl || qobject_cast<const QComboBox *>(parent)
            || qobject_cast<const QAbstractSpinBox *>(parent) || widget->inherits("QScrollBar")
            || parent->inherits("QTabBar") || parent->inherits("QLineEdit")
            || parent->inherits("QTableView") || parent->inherits("QComboBoxPrivateScroller"))
            continue;
        const auto *button = qobject_cast<QAbstractButton *>(widget);
        const QByteArray who =
            QByteArray(widget->metaObject()->className()) + " " + widget->objectName().toUtf8();
        QVERIFY2(!widget->toolTip().isEmpty(), who);
        QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()), who);
    }
}

void TestSolvePanel::keyboardReachesEverything()
{
    Hands hands(sor);
    QTest::qWait(50);
    hands.button("run")->setFocus();
    QSet<QString> reached;
    for (int i = 0; i < 120; ++i) {
        QWidget *focus = QApplication::focusWidget();
        QVERIFY(focus);
        reached << focus->objectName();
        QTest::keyClick(focus, Qt::Key_Tab);
    }
    for (const char *name :
         {"run",      "step",        "step-count", "solver", "qt_tabwidget_tabbar",
          "method",   "relaxation",  "size",       "source", "strength",
          "x-low",    "x-low-value", "tolerance",  "more",   "field",
          "colours",  "fixed-range", "curves",     "runs",   "show-residual",
          "abscissa", "measure"})
        QVERIFY2(reached.contains(name), name);
    // F5 runs, without a mouse.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F5);
    QVERIFY(QTest::qWaitFor([&] { return hands.panel.run() != nullptr; }, 1000));
}

void TestSolvePanel::ratesAreBesideTheMachines()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    Hands hands(jacobi);
    hands.panel.saveState(settings); // has the CPU's name
    const int threads = hands.option<QSpinBox>("threads")->value();
    settings.setValue(QString("solve/machine/copy-%1").arg(threads), 20e9);
    hands.panel.restoreState(settings);
    QVERIFY(!hands.button("measure")->isVisible());
    hands.type("size", "100");
    hands.choose("until", "no target");
    hands.type("iterations", "20000");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::finished));
    const auto &state = hands.panel.run()->state();
    QVERIFY(state.rates.iterations > 0);
    const auto text = hands.panel.findChild<QLabel *>("rates")->text();
    const auto share = QString("%1 % of this machine's copy rate")
                           .arg(std::lround(100 * state.rates.bytes / 20e9));
    QVERIFY2(text.contains(share), qPrintable(text + " / " + share));
    QVERIFY2(text.contains(QString("%1 GB/s").arg(state.rates.bytes * 1e-9, 0, 'f', 1)),
             qPrintable(text));
}

QTEST_MAIN(TestSolvePanel)
#include "tst_solve_panel.moc"
