// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the solve panel is made of: the field's picture, the curves, the table of runs.
#include "core/solvers/field_layers.h"
#include "core/support/colour_map.h"
#include "core/support/error.h"
#include "ui/controls/theme.h"
#include "ui/machine/machine_limits.h"
#include "ui/solve/convergence_plot.h"
#include "ui/solve/field_view.h"
#include "ui/solve/run_table_model.h"
#include "ui/solve/runs_panel.h"
#include "ui/solve/solver_worker.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace gridhelm;
using solvers::layerOf;
using solvers::Quantity;
using solvers::StepReport;
using namespace gridhelm::ui;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// 4 x 3 values, 0 .. 11 from the low left corner.
std::shared_ptr<SliceFrame> smallFrame()
{
    auto frame = std::make_shared<SliceFrame>();
    frame->slice.width = 4;
    frame->slice.height = 3;
    frame->slice.origin = {0.125, 0.125};
    frame->slice.spacing = 0.25;
    for (int i = 0; i < 12; ++i)
        frame->slice.values.push_back(i);
    frame->lowest = 0;
    frame->highest = 11;
    frame->wholeHighest = 11;
    frame->points = {4, 3, 1};
    return frame;
}

QRgb rgbOf(ColourMap map, double place)
{
    const auto colour = colourOf(map, place);
    return qRgb(colour[0], colour[1], colour[2]);
}

bool isNear(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) <= 1 && std::abs(qGreen(a) - qGreen(b)) <= 1
           && std::abs(qBlue(a) - qBlue(b)) <= 1;
}

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

/// The pixel in the middle of a cell of the shown image.
QPoint middleOf(const FieldView &view, int column, int row)
{
    const auto image = view.imageRect();
    return QPointF(image.left() + (column + 0.5) / 4 * image.width(),
                   image.bottom() - (row + 0.5) / 3 * image.height())
        .toPoint();
}

} // namespace

class TestSolveWidgets : public QObject
{
    Q_OBJECT

private slots:
    void everyValueHasItsColour_data();
    void everyValueHasItsColour();
    void unreachedValuesAreGrey();
    void bandsAreThoseOfTheLayers();
    void fixedRangeStaysWhenTheFieldChanges();
    void readoutIsTheValueUnderTheMouse();
    void arrowKeysMoveTheCross();
    void markerIsDraggedWithTheMouse();
    void markerMovesByKeys();
    void aVeryLargeFieldIsShownByFewerPixelsAndReadExactly();
    void benchmarkOfALargeField();
    void tableIsAnOrderlyModel();
    void runsCanBeRenamedHiddenAndRemoved();
    void activeRunIsNotRemoved();
    void tableAsCsv();
    void curvesHoldTheFiguresOfTheRun();
    void longCurvesAreThinned();
    void curvesFollowTheTheme();
    void exportsAreFilesOrErrors();
    void machineIsMeasuredOnceAndRemembered();
};

void TestSolveWidgets::everyValueHasItsColour_data()
{
    QTest::addColumn<QString>("map");
    for (const auto &name : colourMapNames())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestSolveWidgets::everyValueHasItsColour()
{
    QFETCH(QString, map);
    const auto colours = parseColourMap(map.toStdString());
    FieldView view;
    view.resize(500, 400);
    view.setColourMap(colours);
    view.setFrame(smallFrame());
    QCOMPARE(view.image().size(), QSize(4, 3));
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            const double value = 4 * row + column;
            QVERIFY2(isNear(view.image().pixel(column, 2 - row), rgbOf(colours, value / 11)),
                     QByteArray::number(value));
        }
    }
    // ... and on the screen, the first row at the bottom.
    const auto screen = view.grab().toImage();
    QVERIFY(isNear(screen.pixel(middleOf(view, 0, 0)), rgbOf(colours, 0)));
    QVERIFY(isNear(screen.pixel(middleOf(view, 3, 0)), rgbOf(colours, 3.0 / 11)));
    QVERIFY(isNear(screen.pixel(middleOf(view, 0, 2)), rgbOf(colours, 8.0 / 11)));
}

void TestSolveWidgets::unreachedValuesAreGrey()
{
    FieldView view;
    auto frame = smallFrame();
    frame->slice.values[5] = infinity;
    frame->slice.values[6] = std::nan("");
    view.setFrame(frame);
    QCOMPARE(view.image().pixel(1, 1), qRgb(128, 128, 128));
    QCOMPARE(view.image().pixel(2, 1), qRgb(128, 128, 128));
    QVERIFY(view.image().pixel(0, 1) != qRgb(128, 128, 128));
}

void TestSolveWidgets::bandsAreThoseOfTheLayers()
{
    FieldView view;
    view.setBands(4);
    view.setFrame(smallFrame());
    FieldView plain;
    plain.setFrame(smallFrame());
    for (int value = 0; value < 12; ++value) {
        const QPoint at(value % 4, 2 - value / 4);
        const bool isDark =
            QColor(view.image().pixel(at)).value() < QColor(plain.image().pixel(at)).value() - 20;
        QCOMPARE(isDark, layerOf(value, 11, 4) % 2 == 1);
    }
}

void TestSolveWidgets::fixedRangeStaysWhenTheFieldChanges()
{
    FieldView view;
    view.setFrame(smallFrame());
    QCOMPARE(view.range().high, 11.0);
    view.setFixedRange(ValueRange{0, 22});
    auto frame = smallFrame();
    frame->highest = 40;
    frame->slice.values[11] = 40;
    view.setFrame(frame);
    QCOMPARE(view.range().high, 22.0);
    QVERIFY(isNear(view.image().pixel(3, 0), rgbOf(ColourMap::viridis, 1))); // beyond: the end
    QVERIFY(isNear(view.image().pixel(2, 0), rgbOf(ColourMap::viridis, 10.0 / 22)));
    view.setFixedRange(std::nullopt);
    QCOMPARE(view.range().high, 40.0);
}

void TestSolveWidgets::readoutIsTheValueUnderTheMouse()
{
    FieldView view;
    view.resize(500, 400);
    view.setQuantity("u");
    view.setFrame(smallFrame());
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QCOMPARE(view.readout(), QString());
    QTest::mouseMove(&view, middleOf(view, 2, 1));
    QTRY_COMPARE(view.readout(), QString("x = 0.625, y = 0.375: u = 6"));
    auto frame = smallFrame();
    frame->slice.values[6] = infinity;
    view.setFrame(frame);
    QCOMPARE(view.readout(), QString("x = 0.625, y = 0.375: u = not reached"));
}

void TestSolveWidgets::arrowKeysMoveTheCross()
{
    FieldView view;
    view.resize(500, 400);
    view.setFrame(smallFrame());
    QTest::keyClick(&view, Qt::Key_Left); // from the middle, column 2 row 1
    QVERIFY2(view.readout().endsWith("u = 5"), qPrintable(view.readout()));
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY2(view.readout().endsWith("u = 9"), qPrintable(view.readout()));
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY2(view.readout().endsWith("u = 11"), qPrintable(view.readout()));
}

void TestSolveWidgets::markerIsDraggedWithTheMouse()
{
    FieldView view;
    view.resize(500, 400);
    view.setFrame(smallFrame());
    view.setMarker(QPointF(0.5, 0.5));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QSignalSpy moved(&view, &FieldView::markerMoved);
    const auto image = view.imageRect();
    QTest::mousePress(&view, Qt::LeftButton, {}, middleOf(view, 0, 0)); // not where it is
    QTest::mouseRelease(&view, Qt::LeftButton, {}, middleOf(view, 0, 0));
    QCOMPARE(moved.size(), 0);
    QTest::mousePress(&view, Qt::LeftButton, {}, image.center().toPoint());
    const QPointF to(image.left() + 0.25 * image.width(), image.bottom() - 0.75 * image.height());
    QTest::mouseMove(&view, to.toPoint());
    view.setMarker(QPointF(0.5, 0.5)); // the solver, which is behind: it must not pull it back
    QTest::mouseRelease(&view, Qt::LeftButton, {}, to.toPoint());
    QVERIFY(moved.size() >= 1);
    const auto place = moved.last()[0].toPointF();
    QVERIFY2(std::abs(place.x() - 0.25) < 0.01 && std::abs(place.y() - 0.75) < 0.01,
             qPrintable(QString("%1 %2").arg(place.x()).arg(place.y())));
    QCOMPARE(*view.marker(), place);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, middleOf(view, 3, 0));
    QVERIFY(std::abs(view.marker()->x() - 0.875) < 0.01);
}

void TestSolveWidgets::markerMovesByKeys()
{
    FieldView view;
    view.setFrame(smallFrame());
    view.setMarker(QPointF(0.5, 0.98));
    QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier); // it is at the side already
    QCOMPARE(*view.marker(), QPointF(0.52, 1));
}

void TestSolveWidgets::aVeryLargeFieldIsShownByFewerPixelsAndReadExactly()
{
    constexpr std::size_t width = 4096, height = 3;
    auto frame = std::make_shared<SliceFrame>();
    frame->slice.width = width;
    frame->slice.height = height;
    for (std::size_t i = 0; i < width * height; ++i)
        frame->slice.values.push_back(static_cast<double>(i % width));
    frame->highest = width;
    frame->points = {width, height, 1};
    FieldView view;
    view.resize(500, 400);
    view.setFrame(frame);
    QCOMPARE(view.image().size(), QSize(1024, 3));
    for (const int column : {0, 300, 1023})
        QVERIFY(isNear(view.image().pixel(column, 1), rgbOf(ColourMap::viridis, column / 1024.0)));
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY2(view.readout().endsWith("u = 2049"), qPrintable(view.readout()));
}

void TestSolveWidgets::benchmarkOfALargeField()
{
    auto frame = std::make_shared<SliceFrame>();
    frame->slice.width = frame->slice.height = 1024;
    frame->slice.values.resize(1024 * 1024);
    for (std::size_t i = 0; i < frame->slice.values.size(); ++i)
        frame->slice.values[i] = std::sin(static_cast<double>(i) * 1e-4);
    frame->lowest = -1;
    frame->highest = 1;
    frame->points = {1024, 1024, 1};
    FieldView view;
    view.resize(800, 700);
    QImage screen(view.size(), QImage::Format_RGB32);
    view.setFrame(frame);
    view.render(&screen);
    QBENCHMARK
    {
        view.setFrame(frame);
        view.render(&screen);
    }
}

void TestSolveWidgets::tableIsAnOrderlyModel()
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

void TestSolveWidgets::runsCanBeRenamedHiddenAndRemoved()
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

void TestSolveWidgets::activeRunIsNotRemoved()
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

void TestSolveWidgets::tableAsCsv()
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

void TestSolveWidgets::curvesHoldTheFiguresOfTheRun()
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

void TestSolveWidgets::longCurvesAreThinned()
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

void TestSolveWidgets::curvesFollowTheTheme()
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

void TestSolveWidgets::exportsAreFilesOrErrors()
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
}

void TestSolveWidgets::machineIsMeasuredOnceAndRemembered()
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

QTEST_MAIN(TestSolveWidgets)
#include "tst_solve_widgets.moc"
