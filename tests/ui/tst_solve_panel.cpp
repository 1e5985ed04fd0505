// SPDX-License-Identifier: GPL-3.0-or-later
//
// The solve panel as its users have it: what is asked for, said, shown and kept, by mouse and keys.
#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/problem_in_words.h"
#include "core/solvers/run/run_plan.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/solvers/vti_file.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/solve_case.h"
#include "tests/ui/widget_test.h"
#include "ui/controls/theme.h"

#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class TestSolvePanel : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void badInputIsASentenceBesideTheOptions_data();
    void badInputIsASentenceBesideTheOptions();
    void methodsHaveTheirOptions();
    void theGuideSaysWhatIsSolved();
    void methodsSayWhatTheyAreFor();
    void aRunSaysWhetherItHasConverged();
    void planeOf3DFieldIsChosen();
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
                solvePatience));
            QVERIFY(other.panel.run()->state().report.residual < 0.2);
        }
    }
}

void TestSolvePanel::theGuideSaysWhatIsSolved()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    for (const int solver : {jacobi, sor, pmm}) {
        Hands hands(solver);
        const auto &words = solver == pmm ? solvers::frontInWords : solvers::poissonInWords;
        auto *equation = hands.option<QLabel>("equation");
        QVERIFY(equation->isVisible());
        QVERIFY(equation->text().contains(QString::fromUtf8(words.equation)));
        auto *text = hands.option<QLabel>("guide-text");
        QVERIFY(!text->isVisible()); // it is long
        const auto least = hands.panel.minimumSizeHint();
        QTest::mouseClick(hands.option<QToolButton>("guide"), Qt::LeftButton);
        QVERIFY(text->isVisible());
        QTest::qWait(20);
        QCOMPARE(hands.panel.minimumSizeHint(), least);
        for (const auto part : {words.meaning, words.domain, words.start, solvers::convergedInWords,
                                meaningOf(solvers::Quantity::error)})
            QVERIFY2(text->text().contains(QString::fromUtf8(part).toHtmlEscaped()),
                     std::string(part).c_str());
        QCOMPARE(text->text().contains("residual"), solver != pmm);
        // All of it is there, one below the other, however narrow the column is.
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
        QVERIFY(text->width() <= hands.form()->width());
        hands.type(solver == pmm ? "nodes" : "size", "20");
        hands.click("run");
        QVERIFY2(hands.comesTo(RunPhase::settled), qPrintable(hands.problem()));
        QVERIFY(hands.option<QToolButton>("guide")->isEnabled()); // the options are not
        hands.panel.saveState(settings);
    }
    SolvePanel again{test::onCpu()};
    again.restoreState(settings);
    auto *form = again.findChild<QStackedWidget *>("forms")->currentWidget();
    QVERIFY(form->findChild<QToolButton *>("guide")->isChecked());
}

void TestSolvePanel::methodsSayWhatTheyAreFor()
{
    for (const int solver : {jacobi, sor}) {
        Hands hands(solver);
        auto *purpose = hands.option<QLabel>("purpose");
        auto *method = hands.option<QComboBox>("method");
        QStringList purposes;
        for (int i = 0; i < method->count(); ++i) {
            hands.choose("method", method->itemText(i));
            const auto &chosen = solvers::poissonMethod(method->itemText(i).toStdString());
            QVERIFY2(!chosen.purpose.empty(), std::string(chosen.name).c_str());
            QCOMPARE(purpose->text(), QString::fromUtf8(chosen.purpose));
            QVERIFY(purpose->isVisible());
            purposes << purpose->text();
        }
        QCOMPARE(purposes.removeDuplicates(), 0);
    }
    Hands hands(pmm); // has one method
    QCOMPARE(hands.option<QLabel>("purpose")->text(), QString::fromUtf8(solvers::pmmPurpose));
}

void TestSolvePanel::aRunSaysWhetherItHasConverged()
{
    Hands hands(sor);
    auto *state = hands.panel.findChild<QLabel *>("state");
    hands.type("size", "20");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::settled));
    QVERIFY2(state->text().startsWith("settled, converged"), qPrintable(state->text()));
    const auto residual = QString::fromUtf8(meaningOf(solvers::Quantity::residual));
    for (const auto &part : {residual, QString("waits for a parameter"), QString("cold start")})
        QVERIFY2(state->toolTip().contains(part), qPrintable(state->toolTip()));
    hands.click("stop");
    hands.type("iterations", "2");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::finished));
    QVERIFY2(state->text().startsWith("finished, not converged"), qPrintable(state->text()));
    hands.choose("until", "no target");
    hands.click("run");
    QVERIFY(QTest::qWaitFor([&] { return state->text().startsWith("finished  "); }, solvePatience));
    const auto rates = hands.panel.findChild<QLabel *>("rates")->toolTip();
    QVERIFY2(rates.contains("GFlop/s: ") && rates.contains("GB/s: "), qPrintable(rates));
    hands.click("reset");
    QCOMPARE(state->toolTip(), QString()); // there is none to speak of
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
    QTRY_COMPARE_WITH_TIMEOUT(hands.shown(), sliceOf(stepper->field(), {0, 0}).values, solvePatience);
    QTest::keyClick(position, Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(hands.shown(), sliceOf(stepper->field(), {0, 1}).values, solvePatience);
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
    QTRY_COMPARE_WITH_TIMEOUT(news.size(), 1, solvePatience);
    const auto image = solvers::readVti(path.toStdString());
    QCOMPARE(image.arrays.size(), std::size_t{2});
    QCOMPARE(image.arrays[0].name, std::string("arrival time"));
    QCOMPARE(image.arrays[1].name, std::string("layer"));
    QCOMPARE(image.grid.points, (std::array<std::size_t, 3>{15, 15, 15}));
    hands.panel.saveField("/nowhere/times.vti");
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, solvePatience);
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

GRIDHELM_WIDGET_TEST(TestSolvePanel)
#include "tst_solve_panel.moc"
