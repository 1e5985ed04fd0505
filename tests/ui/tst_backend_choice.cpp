// SPDX-License-Identifier: GPL-3.0-or-later
//
// That everything in the window evaluates by what the user chose, and where.
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/dispatching_solvers.h"
#include "core/support/error.h"
#include "core/support/system_info.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/watched_window.h"
#include "ui/performance/backend_row.h"
#include "ui/probe/probe_panel.h"
#include "ui/solve/solve_panel.h"
#include "ui/steering/study_range.h"
#include "ui/trust/indicator_tint.h"

#include <QStandardItemModel>

#include <array>
#include <atomic>
#include <cmath>
#include <string>

using namespace gridhelm;
using namespace gridhelm::ui;
using namespace gridhelm::test;

namespace {

/// The CPU, and how often it was given coefficients.
class CountedBackend final : public sparse::Backend
{
public:
    explicit CountedBackend(const ExecutionContext &context)
        : m_backend(sparse::makeOmpBackend(context))
    {
    }

    int loads() const { return m_loads; }

    std::string_view name() const override { return "counted"; }
    std::string description() const override { return m_backend->description(); }
    const ExecutionContext &context() const override { return m_backend->context(); }
    ComputedOn hierarchize(const sparse::SparseGrid &grid, std::span<double> values) const override
    {
        return m_backend->hierarchize(grid, values);
    }
    ComputedOn hierarchize(const sparse::SparseGrid &grid, std::span<float> values) const override
    {
        return m_backend->hierarchize(grid, values);
    }
    ComputedOn dehierarchize(const sparse::SparseGrid &grid,
                             std::span<double> values) const override
    {
        return m_backend->dehierarchize(grid, values);
    }
    ComputedOn dehierarchize(const sparse::SparseGrid &grid, std::span<float> values) const override
    {
        return m_backend->dehierarchize(grid, values);
    }
    std::unique_ptr<sparse::Evaluator<double>> load(std::shared_ptr<const sparse::SparseGrid> grid,
                                                    std::vector<double> values) const override
    {
        ++m_loads;
        return m_backend->load(std::move(grid), std::move(values));
    }
    std::unique_ptr<sparse::Evaluator<float>> load(std::shared_ptr<const sparse::SparseGrid> grid,
                                                   std::vector<float> values) const override
    {
        ++m_loads;
        return m_backend->load(std::move(grid), std::move(values));
    }
    std::unique_ptr<sparse::VectorEvaluator>
    loadVectors(linalg::MatrixView<const float> matrix) const override
    {
        ++m_loads;
        return m_backend->loadVectors(matrix);
    }

private:
    std::unique_ptr<sparse::Backend> m_backend;
    mutable std::atomic<int> m_loads = 0;
};

QString always(const StudyFacts *)
{
    return {};
}

} // namespace

class BackendChoiceTest : public ScreenTest
{
    Q_OBJECT

private slots:
    void probeTintAndRangeFollowTheChosenBackEnd();
    void whatIsToldOnceIsToldAgainOfAnotherStudy();
    void theDevicesThatMayBeUsedAreChosen();
    void withoutDevicesTheReasonIsThere();
    void backEndsAndThreadsGiveTheSameField();
    void bothSidesAreAnsweredAgain();
    void theChoiceIsKept();
    void namesChooseAsTheUserDoes();
    void whatCannotEvaluateSaysWhy();
    void theUsualBackEndEvaluatesUnlessTheUserChose();
    void scalarStudiesAreEvaluatedByOmp();
};

void BackendChoiceTest::probeTintAndRangeFollowTheChosenBackEnd()
{
    const Folder folder;
    const auto path = makeScalarStudy(folder); // all of whose evaluations load coefficients
    std::shared_ptr<CountedBackend> counted;
    Accelerators accelerators;
    accelerators.evaluating.push_back(
        {"counted", "", false,
         [&](const ExecutionContext &context) -> std::shared_ptr<const sparse::Backend> {
             return counted = std::make_shared<CountedBackend>(context);
         },
         always});
    MainWindow window(test::onCpu(), accelerators);
    window.show();
    auto &names = *box(window, "Back end");
    std::shared_ptr<const FieldFrame> shown;
    connect(&window, &MainWindow::frameShown, this,
            [&](std::shared_ptr<const FieldFrame> frame) { shown = std::move(frame); });
    window.openFile(QString::fromStdString(path.string()));
    QTRY_VERIFY_WITH_TIMEOUT(shown && shown->isExact, waitMilliseconds);
    auto &probe = window.probePanel();
    window.showPanel(probe);
    probe.setPlace(MeshPlace{1, 0, 0});
    QTRY_VERIFY_WITH_TIMEOUT(probe.isSettled() && probe.answer()->fields.front(), waitMilliseconds);
    const auto before = probe.answer()->fields.front()->values;

    window.showPanel(window.performancePanel());
    choose(names, "counted");
    QVERIFY(counted);
    QTRY_COMPARE_WITH_TIMEOUT(shown->backend, std::string("counted"), waitMilliseconds);
    // The view, the probe (which is asked nothing new), and then the tracks.
    QTRY_VERIFY_WITH_TIMEOUT(counted->loads() >= 3, waitMilliseconds);
    QVERIFY(probe.isSettled());
    QCOMPARE(probe.answer()->fields.front()->values, before);
    QTest::qWait(300); // whatever was still on its way
    QVERIFY2(window.messages().sentences().isEmpty(),
             qPrintable(window.messages().sentences().join(' ')));
    const int withoutRange = counted->loads();
    auto steering = window.model().now();
    QCOMPARE(steering.rangeMode, RangeMode::study); // known already; that of positive values is not
    steering.view.scale = Scale::logarithmic;
    window.model().change("scale", steering);
    QTRY_VERIFY_WITH_TIMEOUT(counted->loads() > withoutRange, waitMilliseconds);
}

void BackendChoiceTest::whatIsToldOnceIsToldAgainOfAnotherStudy()
{
    const Folder folder, other;
    const auto path = QString::fromStdString(makeStudy(folder, 2).string());
    const auto another = QString::fromStdString(makeStudy(other, 2).string());
    std::shared_ptr<CountedBackend> counted;
    Accelerators accelerators;
    accelerators.evaluating.push_back(
        {"counted", "", false,
         [&](const ExecutionContext &context) -> std::shared_ptr<const sparse::Backend> {
             return counted = std::make_shared<CountedBackend>(context);
         },
         always, true});
    MainWindow window(test::onCpu(), accelerators);
    window.show();
    const QString sentence = "The CPU has taken over";
    std::shared_ptr<const FieldFrame> shown;
    connect(&window, &MainWindow::frameShown, this,
            [&](std::shared_ptr<const FieldFrame> frame) { shown = std::move(frame); });
    const auto tell = [&] {
        counted->context().report({ExecutionEvent::Kind::fallback, sentence.toStdString()});
        QTest::qWait(20);
        const bool isTold = window.messages().sentences().contains(sentence);
        window.messages().clear();
        return isTold;
    };
    for (const auto &study : {path, another}) {
        shown.reset();
        window.openFile(study);
        QTRY_VERIFY_WITH_TIMEOUT(shown && shown->isExact, waitMilliseconds);
        QVERIFY(tell());
        QVERIFY(!tell());
    }
}

void BackendChoiceTest::theDevicesThatMayBeUsedAreChosen()
{
    const std::vector<GpuDevice> gpus{GpuDevice{0}, GpuDevice{1}};
    const Devices devices{
        {{"auto", "auto", gpus}, {"gpu:1", "GPU 1", {gpus[1]}}, {"cpu", "CPU", {}}}, {}};
    std::vector<std::vector<int>> used;
    const auto make = [&](const ExecutionContext &context) {
        used.emplace_back();
        for (const auto &gpu : context.gpus())
            used.back().push_back(gpu.index);
        return std::shared_ptr<const sparse::Backend>(sparse::makeOmpBackend(test::onCpu()));
    };
    const auto makeRow = [&] {
        auto row = std::make_unique<BackendRow>(test::onCpu());
        row->setDevices(devices);
        BackendOffer cuda{"cuda", "", false, make, always};
        cuda.needsGpu = true;
        row->add(cuda);
        row->add({"auto", "", false, make, always, true});
        return row;
    };
    const auto boxOf = [](BackendRow &row, const QString &name) -> QComboBox & {
        if (auto *found = box(row, name))
            return *found;
        qFatal("there is no such box");
    };
    QSettings settings;
    {
        const auto row = makeRow();
        row->restoreState(settings, true);
        QCOMPARE(row->device(), QString("auto"));
        QCOMPARE(used.back(), (std::vector<int>{0, 1}));
        choose(boxOf(*row, "Back end"), "cuda");
        choose(boxOf(*row, "Devices"), "GPU 1");
        QCOMPARE(used.back(), (std::vector<int>{1}));
        QCOMPARE(row->backend(), QString("cuda"));
        row->saveState(settings);
    }
    const auto row = makeRow();
    row->restoreState(settings, true);
    QCOMPARE(row->device(), QString("gpu:1"));
    QCOMPARE(row->backend(), QString("cuda"));
    QCOMPARE(used.back(), (std::vector<int>{1}));
    QSignalSpy news(row.get(), &BackendRow::news);
    choose(boxOf(*row, "Devices"), "CPU");
    QCOMPARE(row->backend(), QString("omp")); // cuda has nothing to compute on
    QCOMPARE(news.size(), 1);
    choose(boxOf(*row, "Back end"), "auto");
    QCOMPARE(row->backend(), QString("auto"));
    QVERIFY(used.back().empty());
}

void BackendChoiceTest::withoutDevicesTheReasonIsThere()
{
    const Folder folder;
    Accelerators accelerators;
    accelerators.devices.unavailableReason = "there is no driver";
    MainWindow window(test::onCpu(), accelerators);
    const auto *devices =
        box(window.performancePanel(), "Devices"); // the panel Solve has some, too
    QVERIFY(devices);
    QVERIFY(!devices->isEnabled());
    QCOMPARE(devices->currentText(), QString("CPU"));
    QVERIFY(devices->toolTip().contains("there is no driver"));
}

void BackendChoiceTest::backEndsAndThreadsGiveTheSameField()
{
    const Folder folder;
    const auto path = makeStudy(folder);
    Watched open(path);
    QVERIFY(open.isOpen());
    open.window->showPanel(open.panel());
    open.drag(0.2, 0.9);
    const auto wanted = open.frame().values;
    QVERIFY(open.statusSays("omp x1"));
    auto &names = *box(*open.window, "Back end");
    const auto isSame = [&] {
        const auto &values = open.frame().values;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (!(std::abs(values[i] - wanted[i]) < 1e-5F))
                return false;
        }
        return values.size() == wanted.size();
    };

    choose(names, "reference");
    QVERIFY(open.waitForBackend("reference", 1) && open.waitForFrame());
    QVERIFY(isSame());
    QVERIFY(open.statusSays("reference x1"));
    QCOMPARE(names.currentText(), QString("reference"));
    QVERIFY(!open.threads().isEnabled()); // it has one
    QCOMPARE(open.samples().back().backend, std::string("reference"));
    QVERIFY(open.latencies.back() < 10); // from the choice on, not from the drag

    choose(names, "omp");
    QVERIFY(open.waitForBackend("omp", 1) && open.waitForFrame());
    QVERIFY(open.threads().isEnabled());
    open.threads().setFocus();
    QTest::keyClick(&open.threads(), Qt::Key_Up);
    QVERIFY(open.waitForBackend("omp", 2) && open.waitForFrame());
    QVERIFY(isSame());
    QVERIFY(open.statusSays("omp x2"));
    QCOMPARE(open.samples().back().threads, 2);
    // In the middle of a drag.
    auto &track = *open.slider(0).track();
    QTest::mousePress(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.9));
    QTest::mouseMove(&track, placeOnTrack(track, 0.5));
    choose(names, "reference");
    QTest::mouseMove(&track, placeOnTrack(track, 0.3));
    QTest::mouseRelease(&track, Qt::LeftButton, {}, placeOnTrack(track, 0.3));
    QVERIFY(open.waitForBackend("reference", 1) && open.waitForFrame());
    const auto there = fieldAt(path, 0, open.model().now().parameters);
    for (std::size_t i = 0; i < there.size(); ++i)
        QVERIFY(std::abs(open.frame().values[i] - there[i]) < 1e-5F);
    QVERIFY(open.sentences().isEmpty());
}

void BackendChoiceTest::bothSidesAreAnsweredAgain()
{
    const Folder folder;
    const auto path = makeStudy(folder, 3);
    FieldService service(sparse::makeOmpBackend(test::onCpu(1)));
    QSignalSpy opened(&service, &FieldService::opened);
    std::array<std::shared_ptr<const FieldFrame>, 2> last;
    connect(&service, &FieldService::frameReady, this,
            [&](std::shared_ptr<const FieldFrame> frame) {
                last.at(static_cast<std::size_t>(frame->request.side)) = std::move(frame);
            });
    service.setBackend(sparse::makeOmpBackend(test::onCpu(1))); // before there is a study
    service.open(path);
    QVERIFY(opened.wait(waitMilliseconds));
    const auto asked = FieldRequest::Clock::now();
    service.request({{300, 0.8, 2}, 0, false, asked, 0});
    service.request({{700, 1.2, 3}, 0, false, asked, 0, Side::pinned});
    QVERIFY(QTest::qWaitFor([&] { return last[0] && last[1]; }, waitMilliseconds));
    service.setBackend(sparse::makeReferenceBackend());
    QVERIFY(QTest::qWaitFor(
        [&] { return last[0]->backend == "reference" && last[1]->backend == "reference"; },
        waitMilliseconds));
    QCOMPARE(last[0]->request.parameters.front(), 300.0);
    QCOMPARE(last[1]->request.parameters.front(), 700.0);
    QVERIFY(last[0]->request.asked > asked && last[1]->request.asked > asked);
    QVERIFY(last[1]->evaluations > last[0]->evaluations);
}

void BackendChoiceTest::theChoiceIsKept()
{
    const Folder folder;
    const auto path = makeStudy(folder, 3);
    const int wanted = querySystemInfo().threadCount + 1; // which nobody would guess
    {
        Watched open(path);
        QVERIFY(open.isOpen());
        open.window->showPanel(open.panel());
        open.threads().setFocus();
        for (int count = 1; count < wanted; ++count)
            QTest::keyClick(&open.threads(), Qt::Key_Up);
        choose(*box(*open.window, "Back end"), "reference");
        open.window->close();
    }
    {
        MainWindow again(test::onCpu(), {}, Threads::asChosenLast);
        QCOMPARE(again.performancePanel().backends().text(), QString("reference x1"));
        choose(*box(again, "Back end"), "omp");
        QCOMPARE(again.performancePanel().backends().text(), QString("omp x%1").arg(wanted));
        again.close();
    }
    const MainWindow one(test::onCpu()); // as the command line says
    QCOMPARE(one.findChild<BackendRow *>()->text(), QString("omp x1"));
}

void BackendChoiceTest::namesChooseAsTheUserDoes()
{
    BackendRow row(onCpu());
    row.add(unavailable("cuda", "there is no GPU here"));
    row.choose("reference");
    QCOMPARE(row.backend(), QString("reference"));
    const auto why = [&row](const QString &name) {
        try {
            row.choose(name);
        } catch (const Error &problem) {
            return QString(problem.what());
        }
        return QString();
    };
    QVERIFY(why("cuda").contains("there is no GPU here"));
    QVERIFY(why("abacus").contains("choose one of omp, reference"));
    QCOMPARE(row.backend(), QString("reference"));
}

void BackendChoiceTest::whatCannotEvaluateSaysWhy()
{
    BackendRow row(test::onCpu());
    row.add(unavailable("cuda", "there is no GPU"));
    auto &names = *row.findChild<QComboBox *>();
    QCOMPARE(names.count(), 3);
    const auto *items = qobject_cast<QStandardItemModel *>(names.model());
    QVERIFY(!items->item(2)->isEnabled());
    QVERIFY(items->item(2)->text().contains("there is no GPU"));
    names.setFocus();
    QTest::keyClick(&names, Qt::Key_End);
    QCOMPARE(row.backend(), QString("reference"));
    QSettings settings;
    settings.setValue("performance/back end", "cuda");
    row.restoreState(settings, true);
    QCOMPARE(row.backend(), QString("reference"));
    settings.setValue("performance/back end", "omp");
    settings.setValue("performance/threads", 1000000);
    row.restoreState(settings, true);
    QCOMPARE(row.backend(), QString("omp"));
    QVERIFY(row.context().cpu().threads <= std::max(2 * querySystemInfo().threadCount, 1));
}

void BackendChoiceTest::theUsualBackEndEvaluatesUnlessTheUserChose()
{
    const Folder folder;
    const auto path = makeStudy(folder, 3);
    const auto dispatcher = std::make_shared<dispatch::Dispatcher>();
    Accelerators accelerators;
    accelerators.evaluating.push_back(
        {"auto", "The faster one", false,
         [dispatcher](const ExecutionContext &context) -> std::shared_ptr<const sparse::Backend> {
             return dispatch::makeDispatchingBackend(dispatcher, context);
         },
         [](const StudyFacts *) { return QString(); }, true});
    const auto solvers = dispatch::makeDispatchingSolvers(dispatcher);
    accelerators.solving.push_back(solvers.get());
    for (const QString expected : {"auto", "omp", "omp"}) {
        MainWindow window(test::onCpu(), accelerators);
        window.show();
        std::shared_ptr<const FieldFrame> last;
        connect(&window, &MainWindow::frameShown, this,
                [&](std::shared_ptr<const FieldFrame> frame) { last = std::move(frame); });
        window.openFile(QString::fromStdString(path.string()));
        QVERIFY(QTest::qWaitFor([&] { return last != nullptr; }, waitMilliseconds));
        const auto *row = window.findChild<BackendRow *>();
        if (expected == "auto") {
            QCOMPARE(row->backend(), QString("auto"));
            QCOMPARE(row->context().cpu().threads, 1);
            QCOMPARE(last->backend, std::string("auto"));
            QCOMPARE(last->values, fieldAt(path, 0, last->request.parameters));
            window.showPanel(window.performancePanel());
            choose(*box(window, "Back end"), "omp"); // and so it stays
        }
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(last->backend), QString("omp"),
                                  waitMilliseconds);
        QCOMPARE(row->text(), QString("omp x1"));
        // The forms of Solve begin with it, too.
        const auto names = window.solvePanel().findChildren<QComboBox *>("backend");
        QCOMPARE(names.size(), 4);
        for (const auto *each : names)
            QCOMPARE(each->currentText(), QString("auto"));
        window.close();
    }
}

void BackendChoiceTest::scalarStudiesAreEvaluatedByOmp()
{
    const Folder folder;
    const auto vectors = makeStudy(folder, 3), scalar = makeScalarStudy(folder);
    Watched open(vectors);
    QVERIFY(open.isOpen());
    open.window->showPanel(open.panel());
    choose(*box(*open.window, "Back end"), "reference");
    QVERIFY(open.waitForBackend("reference", 1) && open.waitForFrame());
    open.window->openFile(QString::fromStdString(scalar.string()));
    QVERIFY(
        QTest::qWaitFor([&] { return open.frame().study->path == scalar && open.waitForFrame(); },
                        waitMilliseconds));
    QCOMPARE(open.frame().backend, std::string("omp"));
    QVERIFY(open.sentences().value(0).contains("scalar study"));
    QVERIFY(open.statusSays("omp x1"));
    QVERIFY(!open.samples().back().work.isKnown());
    // More threads load the field anew and say the same.
    const auto wanted = open.frame().values;
    open.threads().setFocus();
    QTest::keyClick(&open.threads(), Qt::Key_Up);
    QVERIFY(open.waitForBackend("omp", 2) && open.waitForFrame());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        QVERIFY(std::abs(open.frame().values[i] - wanted[i]) < 1e-5F);
}

GRIDHELM_SCREEN_TEST(BackendChoiceTest)
#include "tst_backend_choice.moc"
