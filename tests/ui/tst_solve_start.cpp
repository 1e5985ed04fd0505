// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs in the solve panel that begin with a field, and are compared with a cold start.
#include "tests/ui/solve_case.h"
#include "tests/ui/widget_test.h"
#include "ui/controls/theme.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <span>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

class TestSolveStart : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyTheme(Theme::light); }
    void aWarmStartIsCalledSo();
    void coldAndWarmAreCompared();
    void aStoppedColdRunHasNoWarmOne();
    void theViewIsAStart();
};

void TestSolveStart::aWarmStartIsCalledSo()
{
    const QTemporaryDir folder;
    Hands hands(sor);
    QSignalSpy news(&hands.panel, &SolvePanel::news);
    hands.type("size", "20");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::settled));
    const auto cold = hands.iterations();
    const auto path = folder.filePath("u.vti");
    hands.panel.saveField(path);
    QTRY_COMPARE_WITH_TIMEOUT(news.size(), 1, solvePatience);
    hands.click("stop");
    QVERIFY(!hands.option<QLineEdit>("start")->isVisible());
    hands.choose("start-from", "from a file");
    hands.type("start", path);
    hands.choose("until", "no target");
    hands.type("iterations", "4");
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
    QVERIFY(cold > 4);
    QVERIFY(hands.panel.findChild<QLabel *>("state")->toolTip().contains(
        "warm start: it began with " + path));
    const auto &records = hands.runs()->model()->records();
    QVERIFY(!records[0].method.contains("warm"));
    QVERIFY2(records[1].method.endsWith(", warm start"), qPrintable(records[1].method));
}

void TestSolveStart::coldAndWarmAreCompared()
{
    const QTemporaryDir folder;
    Hands hands(sor);
    QSignalSpy news(&hands.panel, &SolvePanel::news);
    auto *state = hands.panel.findChild<QLabel *>("state");
    hands.type("size", "20");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::settled));
    const auto path = folder.filePath("u.vti");
    hands.panel.saveField(path);
    QTRY_COMPARE_WITH_TIMEOUT(news.size(), 1, solvePatience);
    hands.click("stop");
    hands.type("size", "30"); // the field has another resolution
    QVERIFY(!hands.option<QCheckBox>("compare-cold")->isVisible());
    hands.choose("start-from", "from a file");
    hands.type("start", path);
    hands.toggle("compare-cold");
    hands.click("run");
    QTRY_VERIFY_WITH_TIMEOUT(
        hands.runs()->model()->rowCount() == 3 && hands.phase() == RunPhase::settled, solvePatience);
    const auto &records = hands.runs()->model()->records();
    QVERIFY(!records[1].method.contains("warm"));
    QVERIFY(records[2].method.endsWith(", warm start"));
    const auto cold = records[1].state.report.iterations, warm = hands.iterations();
    QVERIFY(warm > 0 && warm < cold);
    const auto saved = QString("saved %1 of %2 iterations").arg(cold - warm).arg(cold);
    QVERIFY2(state->text().contains(saved), qPrintable(state->text()));
    QVERIFY(news.last()[0].toString().contains(saved));
    // Both curves, in the same measure: the warm one begins lower.
    const auto &plot = *hands.runs()->plot();
    QCOMPARE(plot.points(records[1].id).front().residual, 1.0);
    QVERIFY(plot.points(records[2].id).front().residual < 1);
    hands.click("stop");
    hands.choose("start-from", "cold");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::settled));
    QVERIFY2(!state->text().contains("saved"), qPrintable(state->text()));
    QCOMPARE(hands.runs()->model()->rowCount(), 4);
}

void TestSolveStart::aStoppedColdRunHasNoWarmOne()
{
    Hands hands(jacobi);
    hands.panel.setShownField([] {
        return ShownField{"u at t = 1", [](std::span<const double> places) {
                              return std::vector<double>(places.size() / 3, 1.0);
                          }};
    });
    hands.type("size", "1500");
    hands.choose("start-from", "from the view");
    hands.toggle("compare-cold");
    hands.click("run");
    QVERIFY(hands.comesTo(RunPhase::running));
    hands.click("stop");
    QVERIFY(hands.comesTo(RunPhase::cancelled));
    QTest::qWait(100);
    QCOMPARE(hands.phase(), RunPhase::cancelled);
    QCOMPARE(hands.runs()->model()->rowCount(), 1);
}

void TestSolveStart::theViewIsAStart()
{
    Hands hands(sor);
    hands.type("size", "4");
    hands.choose("until", "no target");
    hands.type("iterations", "0");
    hands.choose("start-from", "from the view");
    hands.click("run"); // nothing is shown
    QVERIFY(hands.comesTo(RunPhase::failed));
    QVERIFY2(hands.problem().contains("open a study"), qPrintable(hands.problem()));
    hands.panel.setShownField([] {
        return ShownField{"u at t = 1", [](std::span<const double> places) {
                              std::vector<double> values;
                              for (std::size_t i = 0; i < places.size(); i += 3)
                                  values.push_back(places[i] + 10 * places[i + 1]);
                              return values;
                          }};
    });
    hands.click("run");
    QVERIFY2(hands.comesTo(RunPhase::finished), qPrintable(hands.problem()));
    QTRY_VERIFY_WITH_TIMEOUT(hands.view()->frame() != nullptr, solvePatience);
    const auto shown = hands.shown();
    QCOMPARE(shown.size(), std::size_t{16});
    QCOMPARE(shown[0], 0.2 + 10 * 0.2);
    QCOMPARE(shown[7], 0.8 + 10 * 0.4);
    QVERIFY(hands.panel.findChild<QLabel *>("state")->toolTip().contains("u at t = 1"));
}

GRIDHELM_WIDGET_TEST(TestSolveStart)
#include "tst_solve_start.moc"
