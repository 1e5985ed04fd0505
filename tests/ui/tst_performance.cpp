// SPDX-License-Identifier: GPL-3.0-or-later
//
// The panel Performance, through events as a user makes them: its figures are those of the frames
// that were shown, its counts those of a literal count.
#include "core/sparse/reference/literal.h"
#include "core/support/system_info.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/watched_window.h"
#include "ui/machine/machine_limits.h"
#include "ui/performance/figure_model.h"
#include "ui/performance/frame_csv.h"
#include "ui/performance/frame_time_plot.h"
#include "ui/performance/pace_plot.h"
#include "ui/performance/roofline_plot.h"
#include "ui/solve/solve_panel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// As if this machine had been measured.
void rememberLimits(double read, double flops)
{
    QSettings settings;
    settings.setValue("solve/machine/cpu", QString::fromStdString(querySystemInfo().cpuName));
    settings.setValue("solve/machine/read-1", read);
    settings.setValue("solve/machine/flops-1", flops);
}

/// Grid points whose basis functions are not 0 at x.
std::uint64_t functionsAt(const sparse::SparseGrid &grid, const std::vector<double> &x, int groups)
{
    std::uint64_t count = 0;
    for (std::uint64_t point = 0; point < grid.groupFirstPoint(groups); ++point) {
        std::vector<double> one(grid.points(), 0);
        one[point] = 1;
        if (sparse::reference::interpolate<double>(grid, one, x).value != 0)
            ++count;
    }
    return count;
}

} // namespace

class PerformanceTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void aDragFillsTheHistoryWithWhatTheFramesSay();
    void countsAreThoseOfALiteralCount();
    void evaluationsPerSecondAreCounted();
    void theOldestFramesAreForgotten();
    void figuresAreThoseOfTheHistory();
    void dotsLieWhereTheEvaluationsWere();
    void theTableHasALineForEachFrame();
    void whatIsHiddenDrawsNothing();
    void theRoofIsMeasuredOnRequest();
    void everyWidgetIsNamed();
};

void PerformanceTest::aDragFillsTheHistoryWithWhatTheFramesSay()
{
    const Folder folder;
    Watched open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.panel().clear();
    open.drag(0.2, 0.9);
    QVERIFY(open.frames.size() >= 10);
    QCOMPARE(open.samples().size(), open.frames.size());
    double last = 0;
    for (std::size_t i = 0; i < open.frames.size(); ++i) {
        const auto &sample = open.samples()[i];
        const auto &frame = *open.frames[i];
        QCOMPARE(sample.latency, open.latencies[i]);
        QCOMPARE(sample.evaluate, frame.seconds);
        QCOMPARE(sample.values, frame.values.size());
        QCOMPARE(sample.groups, frame.groups);
        QCOMPARE(sample.allGroups, frame.study->groups);
        QCOMPARE(sample.isExact, frame.isExact);
        QCOMPARE(sample.isPart, frame.isPart);
        QCOMPARE(sample.evaluations, frame.evaluations);
        QVERIFY(sample.work == frame.work);
        QVERIFY(sample.work.isKnown());
        QCOMPARE(sample.work.columns, frame.values.size());
        QCOMPARE(sample.backend, std::string("omp"));
        QCOMPARE(sample.threads, 1);
        QVERIFY(sample.evaluate > 0 && sample.transfer > 0 && sample.render > 0);
        const double parts = sample.evaluate + sample.transfer + sample.render + sample.waiting;
        QVERIFY2(std::abs(parts - sample.latency) < 1e-12,
                 qPrintable(QString("%1 of %2").arg(parts).arg(sample.latency)));
        QVERIFY(sample.shownAt > last);
        last = sample.shownAt;
    }
}

void PerformanceTest::countsAreThoseOfALiteralCount()
{
    const Folder folder;
    const auto path = makeStudy(folder, 3);
    Watched open(path);
    QVERIFY(open.isOpen());
    open.drag(0.2, 0.77);
    const auto study = data::Study::open(path);
    const auto &frame = open.frame();
    const auto x = study.description().space.toUnit(frame.request.parameters);
    const auto rows = functionsAt(*study.grid(), x, study.grid()->groups());
    // A product and a sum for each value of each row; the last level's part is added to the rest.
    std::uint64_t operations = 0, moved = 0;
    for (std::size_t value = 0; value < columns * test::rows; ++value) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            operations += 2;
            moved += sizeof(float);
        }
        operations += 1;
        moved += 2 * sizeof(float); // value and indicator
    }
    QCOMPARE(frame.work.rows, rows);
    QCOMPARE(frame.work.flops(), static_cast<double>(operations));
    QCOMPARE(frame.work.bytes(), static_cast<double>(moved));

    // A list of columns is read, too; without an indicator there is less to write.
    data::FieldSurrogate surrogate(study, 0);
    surrogate.loadAll(study);
    const std::shared_ptr<const sparse::Backend> backend = sparse::makeOmpBackend(test::onCpu(1));
    const std::vector<std::uint32_t> three{5, 700, 8};
    std::vector<float> values(3), indicator(3);
    const auto ofList = surrogate.evaluateColumns(x, three, {values, indicator}, backend);
    QCOMPARE(ofList.flops(), static_cast<double>(3 * (2 * rows + 1)));
    QCOMPARE(ofList.bytes(), static_cast<double>(3 * (4 * rows + 4 + 4 + 4)));
    const auto ofLess = surrogate.evaluate(x, {values}, backend, 0, 2);
    const auto fewer = functionsAt(*study.grid(), x, 2);
    QVERIFY(fewer < rows);
    QCOMPARE(ofLess.bytes(), static_cast<double>(3 * (4 * fewer + 4)));
    values.resize(columns * test::rows);
    const auto ofFile = data::evaluateFromFile(study, 0, x, {values}, CpuDevice{});
    QCOMPARE(ofFile.from, data::CoefficientsFrom::file);
    QCOMPARE(ofFile.rows, rows);
}

void PerformanceTest::evaluationsPerSecondAreCounted()
{
    FrameHistory history;
    FrameSample sample;
    // Shown at these times; so many evaluations were finished by then.
    const std::vector<std::pair<double, std::uint64_t>> shown{{0.2, 7},  {0.5, 8},   {1.25, 12},
                                                              {1.4, 20}, {2.41, 21}, {9, 30}};
    for (const auto &[at, evaluations] : shown) {
        sample.shownAt = at;
        sample.evaluations = evaluations;
        history.append(sample);
    }
    const std::vector<double> wanted{1, 2, 5, 13, 1, 9};
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QCOMPARE(history.evaluationsPerSecond(i), wanted[i]);
}

void PerformanceTest::theOldestFramesAreForgotten()
{
    FrameHistory history;
    for (std::size_t i = 0; i < FrameHistory::maxSamples + 3; ++i) {
        FrameSample sample;
        sample.shownAt = static_cast<double>(i);
        history.append(sample);
    }
    QCOMPARE(history.samples().size(), std::size_t(FrameHistory::maxSamples));
    QCOMPARE(history.samples().front().shownAt, 3.0);
}

void PerformanceTest::figuresAreThoseOfTheHistory()
{
    FigureModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    QTemporaryDir folder;
    QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
    settings.setValue("machine/cpu", QString::fromStdString(querySystemInfo().cpuName));
    settings.setValue("machine/read-2", 8e9);
    settings.setValue("machine/flops-2", 2e9);
    MachineLimits limits;
    limits.restoreState(settings);
    FrameHistory history;
    for (const double milliseconds : {30.0, 10.0, 12.5}) {
        FrameSample sample;
        sample.latency = 1e-3 * milliseconds;
        sample.evaluate = 1e-3;
        sample.threads = 2;
        sample.evaluations = history.samples().size() + 1;
        sample.work = {9, 50000, true};
        history.append(sample);
    }
    const auto cell = [&](const QString &name, int column) {
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, FigureModel::nameColumn).data().toString() == name)
                return model.index(row, column).data().toString();
        }
        return QString();
    };
    model.show(history, limits);
    QCOMPARE(cell("Latency", FigureModel::lastColumn), QString("12.5"));
    QCOMPARE(cell("Latency", FigureModel::medianColumn), QString("12.5"));
    QCOMPARE(cell("Latency", FigureModel::unitColumn), QString("ms"));
    QCOMPARE(cell("Evaluations", FigureModel::lastColumn), QString("3"));
    QCOMPARE(cell("Bytes", FigureModel::lastColumn), QString("2.20")); // 4 * 50000 * 11
    QCOMPARE(cell("Memory rate", FigureModel::lastColumn), QString("2.20"));
    QCOMPARE(cell("of read rate", FigureModel::lastColumn), QString("27.5"));
    QCOMPARE(cell("Operations", FigureModel::lastColumn), QString("0.95")); // 50000 * 19
    QCOMPARE(cell("of peak", FigureModel::lastColumn), QString("47.5"));
    // Nothing is known of scalar studies, and nothing without measurements.
    FrameSample unknown;
    history.append(unknown);
    model.show(history, limits);
    QCOMPARE(cell("Memory rate", FigureModel::lastColumn), QString(QChar(0x2013)));
    QCOMPARE(cell("of peak", FigureModel::lastColumn), QString(QChar(0x2013)));
    model.show(FrameHistory(), limits);
    QCOMPARE(cell("Latency", FigureModel::lastColumn), QString(QChar(0x2013)));
}

void PerformanceTest::dotsLieWhereTheEvaluationsWere()
{
    const Folder folder;
    rememberLimits(16e9, 64e9);
    Watched open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.window->showPanel(open.panel());
    open.drag(0.2, 0.9);
    auto &plot = *open.panel().findChild<RooflinePlot *>();
    const auto &roof = *plot.graph(0)->data();
    QVERIFY(QTest::qWaitFor([&] { return plot.graph(plot.graphCount() - 1)->dataCount() == 1; },
                            waitMilliseconds));
    QTest::qWait(300);
    QCOMPARE(roof.size(), 3); // slope, ridge, flat
    QCOMPARE(roof.at(1)->key, 4.0);
    QCOMPARE(roof.at(1)->value, 64.0);
    QCOMPARE(roof.at(0)->value, 16 * roof.at(0)->key);
    const auto &sample = open.samples().back();
    const auto &dot = *plot.graph(plot.graphCount() - 1)->data()->at(0);
    QCOMPARE(dot.key, sample.work.flops() / sample.work.bytes());
    QCOMPARE(dot.value, 1e-9 * sample.work.flops() / sample.evaluate);
    QVERIFY(plot.xAxis->range().contains(dot.key) && plot.yAxis->range().contains(dot.value));
    int before = 0;
    for (int i = 1; i + 1 < plot.graphCount(); ++i)
        before += plot.graph(i)->dataCount();
    const auto ofFile = std::ranges::count_if(open.samples(), [](const FrameSample &shown) {
        return shown.work.from == data::CoefficientsFrom::file;
    });
    QCOMPARE(before, static_cast<int>(open.samples().size()) - 1 - static_cast<int>(ofFile));
}

void PerformanceTest::theTableHasALineForEachFrame()
{
    const Folder folder;
    Watched open(makeStudy(folder));
    QVERIFY(open.isOpen());
    open.window->showPanel(open.panel());
    open.drag(0.2, 0.9);
    QMenu *menu = nullptr;
    for (auto *button : open.panel().findChildren<QToolButton *>())
        menu = button->menu() ? button->menu() : menu;
    QVERIFY(menu);
    const QTemporaryDir saved;
    saveBy(entry(*menu, "CSV"), saved.filePath("performance.csv"));
    const auto lines = csvIn(saved.filePath("performance.csv"));
    QCOMPARE(lines.size(), open.samples().size() + 1);
    QVERIFY(lines.size() > 10);
    const auto column = [&](const std::string &name) {
        return static_cast<std::size_t>(std::ranges::find(lines[0], name) - lines[0].begin());
    };
    for (std::size_t i = 0; i < open.samples().size(); ++i) {
        const auto &line = lines[i + 1];
        const auto &sample = open.samples()[i];
        QCOMPARE(line.size(), lines[0].size());
        QCOMPARE(std::stod(line.at(column("latency_s"))), sample.latency);
        QCOMPARE(std::stod(line.at(column("evaluate_s"))), sample.evaluate);
        QCOMPARE(std::stod(line.at(column("render_s"))), sample.render);
        QCOMPARE(std::stod(line.at(column("flops"))), sample.work.flops());
        QCOMPARE(std::stod(line.at(column("bytes"))), sample.work.bytes());
        QCOMPARE(line.at(column("backend")), std::string("omp"));
        QCOMPARE(line.at(column("levels")), std::to_string(sample.groups));
    }
    saveBy(entry(*menu, "PNG"), saved.filePath("performance.png"));
    QVERIFY(QImage(saved.filePath("performance.png")).width() > 400);
    saveBy(entry(*menu, "CSV"), "/nowhere/at/all.csv");
    QVERIFY(open.sentences().join(' ').contains("/nowhere/at/all.csv"));
    for (const QString ending : {"svg", "pdf"}) {
        saveBy(entry(*menu, ending.toUpper()), saved.filePath("performance." + ending));
        QCOMPARE(problemOfVectors(saved.filePath("performance." + ending)), QString());
    }
    // Each plot has a menu of its own.
    for (auto *plot : open.panel().findChildren<Plot *>()) {
        emit plot->customContextMenuRequested(plot->rect().center());
        auto *own = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        QVERIFY(own);
        own->hide();
        QGuiApplication::clipboard()->clear();
        entry(*own, "Copy the picture")->trigger();
        QCOMPARE(QGuiApplication::clipboard()->image().size(), 2 * plot->size());
    }
}

void PerformanceTest::whatIsHiddenDrawsNothing()
{
    const Folder folder;
    Watched open(makeStudy(folder));
    QVERIFY(open.isOpen());
    int drawn = 0;
    for (auto *plot : open.panel().findChildren<QCustomPlot *>())
        connect(plot, &QCustomPlot::afterReplot, this, [&] { ++drawn; });
    auto *dock = qobject_cast<QDockWidget *>(open.panel().parentWidget());
    QVERIFY(!dock->isVisible());
    open.drag(0.2, 0.9);
    QTest::qWait(300);
    QCOMPARE(drawn, 0);
    auto *key = action(*open.window, QKeySequence("Ctrl+P"));
    QVERIFY(key);
    QApplication::setActiveWindow(open.window.get()); // no window manager does it
    QTest::keyClick(open.window->view().sceneWidget(), Qt::Key_P, Qt::ControlModifier);
    QVERIFY(QTest::qWaitFor([&] { return open.panel().isVisible(); }, waitMilliseconds));
    // What was noted meanwhile is there.
    QCOMPARE(open.panel().findChild<PacePlot *>()->graph(0)->dataCount(),
             static_cast<int>(open.samples().size()));
    QTest::qWait(300);
    drawn = 0;
    QElapsedTimer clock;
    clock.start();
    open.drag(0.9, 0.2);
    open.drag(0.2, 0.9);
    QTest::qWait(300);
    QVERIFY(drawn > 0);
    QVERIFY(drawn <= 3 * (clock.elapsed() / 100 + 1)); // three plots, ten times a second
}

void PerformanceTest::theRoofIsMeasuredOnRequest()
{
    const Folder folder;
    Watched open(makeStudy(folder, 3));
    QVERIFY(open.isOpen());
    open.window->showPanel(open.panel());
    auto &plot = *open.panel().findChild<RooflinePlot *>();
    QVERIFY(plot.graph(0)->data()->isEmpty());
    QPushButton *measure = nullptr;
    for (auto *button : open.panel().findChildren<QPushButton *>()) {
        if (button->text().contains("Measure"))
            measure = button;
    }
    QVERIFY(measure);
    QTest::mouseClick(measure, Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return !measure->isEnabled(); }, waitMilliseconds));
    QVERIFY(QTest::qWaitFor([&] { return measure->isEnabled(); }, 6 * waitMilliseconds));
    const auto &limits = open.window->solvePanel().limits();
    QVERIFY(limits.readRate(CpuDevice{1}).value_or(0) > 0);
    QCOMPARE(plot.graph(0)->data()->at(1)->value,
             1e-9 * limits.peakFlops(CpuDevice{1}).value_or(0));
}

void PerformanceTest::everyWidgetIsNamed()
{
    const Folder folder;
    Watched open(makeStudy(folder, 3));
    QVERIFY(open.isOpen());
    open.window->showPanel(open.panel());
    for (auto *widget : open.panel().findChildren<QWidget *>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()
            || qobject_cast<QLineEdit *>(widget) || qobject_cast<QSplitter *>(widget))
            continue;
        const auto *button = qobject_cast<QAbstractButton *>(widget);
        const bool isNamed =
            !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
        QVERIFY2(isNamed, widget->metaObject()->className());
        QVERIFY2(!widget->toolTip().isEmpty(), widget->metaObject()->className());
    }
}

GRIDHELM_SCREEN_TEST(PerformanceTest)
#include "tst_performance.moc"
