// SPDX-License-Identifier: GPL-3.0-or-later
//
// That everything in the window evaluates by what the user chose, and where.
#include "tests/core/on_cpu.h"
#include "tests/ui/panel_case.h"
#include "tests/ui/window_case.h"
#include "ui/performance/performance_panel.h"
#include "ui/probe/probe_panel.h"
#include "ui/steering/study_range.h"
#include "ui/trust/indicator_tint.h"

#include <atomic>
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
    loadVectors(sparse::MatrixView<const float> matrix) const override
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
    const int withoutRange = counted->loads();
    auto steering = window.model().now();
    steering.rangeMode = RangeMode::study;
    window.model().change("range", steering);
    QTRY_VERIFY_WITH_TIMEOUT(counted->loads() > withoutRange, waitMilliseconds);
    QVERIFY2(window.messages().sentences().isEmpty(),
             qPrintable(window.messages().sentences().join(' ')));
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
    const MainWindow window(test::onCpu(), accelerators);
    const auto *devices = box(window, "Devices");
    QVERIFY(devices);
    QVERIFY(!devices->isEnabled());
    QCOMPARE(devices->currentText(), QString("CPU"));
    QVERIFY(devices->toolTip().contains("there is no driver"));
}

int main(int argc, char **argv)
{
    return runOnScreen<BackendChoiceTest>(argc, argv);
}
#include "tst_backend_choice.moc"
