// SPDX-License-Identifier: GPL-3.0-or-later
//
// The runs in the solve panel: their table, their curves, and what the machine could do.
#include "core/support/error.h"
#include "tests/ui/vector_files.h"
#include "tests/ui/widget_test.h"
#include "ui/controls/theme.h"
#include "ui/machine/machine_limits.h"
#include "ui/solve/convergence_plot.h"
#include "ui/solve/run_table_model.h"
#include "ui/solve/runs_panel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTest>

#include <cmath>
#include <limits>

using namespace gridhelm;
using solvers::Quantity;
using solvers::StepReport;
using namespace gridhelm::ui;
using gridhelm::test::problemOfVectors;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

StepReport report(std::uint64_t iterations, double residual)
{
    StepReport result;
    result.iterations = iterations;
    result.residual = residual;
    result.largestChange = residual / 10;
    result.seconds = 0.5 * static_cast<double>(iterations);
    result.flops = 1e9 * static_cast<double>(iterations);
    result.bytes = 2e9 * static_cast<double>(iterations);
    return result;
}

RunState stateOf(RunPhase phase, std::uint64_t iterations)
{
    RunState state;
    state.phase = phase;
    state.unknowns = 100;
    state.report = report(iterations, 0.5);
    return state;
}

} // namespace

class TestRunsPanel : public QObject
{
    Q_OBJECT

private slots:
    void tableIsAnOrderlyModel();
    void runsCanBeRenamedHiddenAndRemoved();
    void activeRunIsNotRemoved();
    void tableAsCsv();
    void curvesHoldTheFiguresOfTheRun();
    void longCurvesAreThinned();
    void curvesFollowTheTheme();
    void exportsAreFilesOrErrors();
    void rowsGoToTheClipboard();
    void machineIsMeasuredOnceAndRemembered();
};

void TestRunsPanel::tableIsAnOrderlyModel()
{
    RunTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int first = model.add("Jacobi 1", "Jacobi tuned, double", "256 x 256");
    const int second = model.add("SOR 2", "SOR red-black, double", "256 x 256");
    QCOMPARE(model.rowCount(), 2);
    model.update(first, stateOf(RunPhase::running, 10));
    QCOMPARE(model.index(0, RunTableModel::stateColumn).data().toString(), "running");
    QCOMPARE(model.index(0, RunTableModel::iterationsColumn).data().toString(), "10");
    QCOMPARE(model.index(0, RunTableModel::residualColumn).data().toString(), "5.00e-01");
    QCOMPARE(model.index(0, RunTableModel::rateColumn).data().toString(), "2");
    QCOMPARE(model.index(0, RunTableModel::bytesColumn).data().toString(), "4");
    QCOMPARE(model.index(0, RunTableModel::errorColumn).data().toString(), "–");
    model.remove(first);
    QCOMPARE(model.rowCount(), 1);
    model.remove(first); // nothing happens
    const int third = model.add("PMM 3", "PMM, double", "81 x 81 x 81");
    QVERIFY(third != first && third != second);
    QCOMPARE(model.record(third)->colour, 0); // the one that is free again
    QCOMPARE(model.record(second)->colour, 1);
    model.update(first, stateOf(RunPhase::running, 10));
    model.remove(second);
    model.remove(third);
    QCOMPARE(model.rowCount(), 0);
}

void TestRunsPanel::runsCanBeRenamedHiddenAndRemoved()
{
    RunsPanel panel;
    panel.resize(500, 500);
    const QAbstractItemModelTester tester(panel.model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int id = panel.add("first", "Jacobi", "9 x 9");
    panel.add("second", "Jacobi", "9 x 9");
    const std::vector points{report(0, 1), report(10, 0.1)};
    panel.append(id, points);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    auto *table = panel.table();
    table->setCurrentIndex(panel.model()->index(0, 0));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_F2);
    auto *editor = table->viewport()->findChild<QLineEdit *>();
    QVERIFY(editor);
    editor->selectAll();
    QTest::keyClicks(editor, "the slow one");
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(panel.model()->record(id)->name, "the slow one");
    QVERIFY(panel.plot()->csv().contains("the slow one,10,"));

    table->setFocus();
    QTest::keyClick(table, Qt::Key_Space); // the check box of the current cell
    QVERIFY(!panel.model()->record(id)->isShown);
    QVERIFY(!panel.plot()->csv().contains("the slow one"));
    QTest::keyClick(table, Qt::Key_Space);
    QVERIFY(panel.plot()->csv().contains("the slow one"));

    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(panel.model()->rowCount(), 1);
    QVERIFY(!panel.plot()->hasRun(id));
}

void TestRunsPanel::activeRunIsNotRemoved()
{
    RunsPanel panel;
    QSignalSpy news(&panel, &RunsPanel::news);
    const int id = panel.add("first", "Jacobi", "9 x 9");
    panel.setActive(id);
    panel.table()->selectAll();
    auto *remove = panel.findChild<QToolButton *>("remove-runs");
    QTest::mouseClick(remove, Qt::LeftButton);
    QCOMPARE(panel.model()->rowCount(), 1);
    QCOMPARE(news.size(), 1);
    panel.setActive(0);
    QTest::mouseClick(remove, Qt::LeftButton);
    QCOMPARE(panel.model()->rowCount(), 0);
}

void TestRunsPanel::tableAsCsv()
{
    RunTableModel model;
    const int id = model.add("one, or \"two\"", "Jacobi tuned, double", "9 x 9");
    model.update(id, stateOf(RunPhase::finished, 10));
    const auto lines = model.csv().split('\n');
    QCOMPARE(lines[0], QString("run,state,method,size,iterations,residual,largest_change,error,"
                               "seconds,iterations_per_second,gflops_per_second,"
                               "gigabytes_per_second"));
    QCOMPARE(lines[1], QString("\"one, or \"\"two\"\"\",finished,\"Jacobi tuned, double\",9 x 9,10,"
                               "0.5,0.05,,5,2,2,4"));
}

void TestRunsPanel::curvesHoldTheFiguresOfTheRun()
{
    ConvergencePlot plot;
    plot.resize(400, 300);
    plot.addRun(7, "Jacobi 7", 0);
    auto infinite = report(5, 0.5);
    infinite.largestChange = infinity; // no place on a logarithmic axis
    const std::vector points{report(0, 1), infinite, report(10, 0.01)};
    plot.append(7, points);
    QTRY_COMPARE(plot.graph(0)->dataCount(), 3);
    QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLogarithmic);
    QCOMPARE(plot.graph(0)->data()->at(2)->key, 10.0);
    QCOMPARE(plot.graph(0)->data()->at(2)->value, 0.01);
    QVERIFY(std::isnan(plot.graph(1)->data()->at(1)->value));
    QCOMPARE(plot.graph(2)->dataCount(), 0); // there is no error
    QCOMPARE(plot.legend->itemCount(), 2);
    plot.setAbscissa(ConvergencePlot::Abscissa::seconds);
    QTRY_COMPARE(plot.graph(0)->data()->at(2)->key, 5.0);
    QVERIFY(plot.xAxis->label().contains("[s]"));
    plot.setAbscissa(ConvergencePlot::Abscissa::logIterations);
    QTRY_COMPARE(plot.graph(0)->dataCount(), 2); // 0 has no place there
    QCOMPARE(plot.xAxis->scaleType(), QCPAxis::stLogarithmic);
    plot.setAbscissa(ConvergencePlot::Abscissa::seconds);
    QTRY_COMPARE(plot.xAxis->scaleType(), QCPAxis::stLinear);
    QTRY_COMPARE(plot.graph(0)->dataCount(), 3);
    plot.setQuantities({Quantity::change});
    QTRY_COMPARE(plot.graph(0)->dataCount(), 0);
    QCOMPARE(plot.graph(1)->dataCount(), 3);
    plot.remove(7);
    QCOMPARE(plot.graphCount(), 0);
    plot.append(7, points); // late news of a run that is gone
}

void TestRunsPanel::longCurvesAreThinned()
{
    ConvergencePlot plot;
    plot.addRun(1, "long", 0);
    std::vector<StepReport> points;
    for (std::uint64_t i = 0; i < 3 * ConvergencePlot::maxPoints; ++i)
        points.push_back(report(i, 1.0 / static_cast<double>(i + 1)));
    plot.append(1, points);
    const auto &kept = plot.points(1);
    QVERIFY(kept.size() <= ConvergencePlot::maxPoints);
    QVERIFY(kept.size() > ConvergencePlot::maxPoints / 4);
    QCOMPARE(kept.front().iterations, std::uint64_t{0});
    QCOMPARE(kept.back().iterations, points.back().iterations);
}

void TestRunsPanel::curvesFollowTheTheme()
{
    applyTheme(Theme::light);
    ConvergencePlot plot;
    plot.resize(300, 200);
    plot.addRun(1, "run", 0);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    const auto lightPen = plot.graph(0)->pen().color();
    const auto lightPicture = plot.grab().toImage().pixelColor(2, 2);
    applyTheme(Theme::dark);
    QTRY_COMPARE(plot.graph(0)->pen().color(), curveColours(qApp->palette())[0]);
    QVERIFY(plot.graph(0)->pen().color() != lightPen);
    QTRY_COMPARE(plot.grab().toImage().pixelColor(2, 2), qApp->palette().color(QPalette::Base));
    QVERIFY(lightPicture != qApp->palette().color(QPalette::Base));
    QCOMPARE(plot.legend->textColor(), qApp->palette().color(QPalette::Text));
    applyTheme(Theme::light);
}

void TestRunsPanel::exportsAreFilesOrErrors()
{
    const QTemporaryDir folder;
    RunsPanel panel;
    panel.resize(500, 500);
    const int id = panel.add("first", "Jacobi", "9 x 9");
    const std::vector points{report(0, 1), report(10, 0.1)};
    panel.append(id, points);
    panel.exportTable(folder.filePath("runs.csv"));
    panel.exportCurves(folder.filePath("curves.csv"));
    panel.exportPlot(folder.filePath("plot.png"));
    QFile curves(folder.filePath("curves.csv"));
    QVERIFY(curves.open(QIODevice::ReadOnly));
    QCOMPARE(curves.readAll(), QByteArray("run,iterations,seconds,residual,largest_change,error\n"
                                          "first,0,0,1,0.1,\nfirst,10,5,0.1,0.01,\n"));
    QVERIFY(QFile::exists(folder.filePath("runs.csv")));
    QVERIFY(!QImage(folder.filePath("plot.png")).isNull());
    QVERIFY_EXCEPTION_THROWN(panel.exportTable("/nowhere/runs.csv"), Error);
    QVERIFY_EXCEPTION_THROWN(panel.exportCurves("/nowhere/curves.csv"), Error);
    QVERIFY_EXCEPTION_THROWN(panel.exportPlot("/nowhere/plot.png"), Error);
    for (const QString name : {"plot.svg", "plot.pdf"}) {
        panel.exportPlot(folder.filePath(name));
        QCOMPARE(problemOfVectors(folder.filePath(name)), QString());
        QVERIFY_EXCEPTION_THROWN(panel.exportPlot("/nowhere/" + name), Error);
    }
    QVERIFY_EXCEPTION_THROWN(panel.exportPlot(folder.filePath("plot.doc")), Error);
    QVERIFY(!QFile::exists(folder.filePath("plot.doc")));
}

void TestRunsPanel::rowsGoToTheClipboard()
{
    RunsPanel panel;
    panel.add("first", "Jacobi", "9 x 9");
    panel.add("=HYPERLINK(1)\tsecond", "Jacobi", "17 x 17"); // as somebody may have named it
    auto &table = *panel.table();
    const auto copied = [&table] {
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        return QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    };
    auto rows = copied(); // nothing is selected: all of it
    QCOMPARE(rows.size(), 3);
    QCOMPARE(rows[0].split('\t').size(), panel.model()->columnCount());
    QCOMPARE(rows[0].split('\t').first(), panel.model()->headerData(0, Qt::Horizontal).toString());
    QVERIFY(rows[1].startsWith("first\t"));
    for (const auto &row : rows)
        QCOMPARE(row.count('\t'), panel.model()->columnCount() - 1);
    QVERIFY2(rows[2].startsWith('\''), "a spreadsheet computes nothing");
    table.selectRow(0);
    rows = copied();
    QCOMPARE(rows.size(), 2);
    QVERIFY(rows[1].startsWith("first\t"));
}

void TestRunsPanel::machineIsMeasuredOnceAndRemembered()
{
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    MachineLimits limits;
    QVERIFY(!limits.copyRate(CpuDevice{1}));
    QSignalSpy changed(&limits, &MachineLimits::changed);
    limits.measure(CpuDevice{1});
    QVERIFY(limits.isMeasuring());
    limits.measure(CpuDevice{1}); // once is enough
    QVERIFY(QTest::qWaitFor([&] { return !limits.isMeasuring(); }, 240000));
    QVERIFY(limits.copyRate(CpuDevice{1}).value_or(0) > 1e8);
    QVERIFY(limits.readRate(CpuDevice{1}).value_or(0) > 1e8);
    QVERIFY(limits.peakFlops(CpuDevice{1}).value_or(0) > 1e8);
    QVERIFY(!limits.copyRate(CpuDevice{2}) && !limits.readRate(CpuDevice{2})
            && !limits.peakFlops(CpuDevice{2}));
    limits.saveState(settings);
    MachineLimits again;
    again.restoreState(settings);
    QCOMPARE(again.copyRate(CpuDevice{1}).value_or(0), *limits.copyRate(CpuDevice{1}));
    QCOMPARE(again.readRate(CpuDevice{1}).value_or(0), *limits.readRate(CpuDevice{1}));
    QCOMPARE(again.peakFlops(CpuDevice{1}).value_or(0), *limits.peakFlops(CpuDevice{1}));
    settings.setValue("machine/cpu", "another one");
    MachineLimits elsewhere;
    elsewhere.restoreState(settings);
    QVERIFY(!elsewhere.copyRate(CpuDevice{1}));
}

GRIDHELM_WIDGET_TEST(TestRunsPanel)
#include "tst_runs_panel.moc"
