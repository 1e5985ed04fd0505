// SPDX-License-Identifier: GPL-3.0-or-later
//
// That solvers run with what was tuned for the threads and devices that were chosen.
#include "core/execution/tuning_table.h"
#include "core/tuning/saved_tuning.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/widget_test.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/run_inputs.h"

#include <QComboBox>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>

using namespace gridhelm;
using namespace gridhelm::ui;

namespace {

const TuningKey key{"jacobi temporal", "cpu", 8, 20};
constexpr int compiledIn = 4;

/// As it was found with so many threads.
void keep(const ExecutionContext &context, int iterations)
{
    tuning::writeTuning(tuning::savedTuningFile(context), tuning::tunedMachine(context),
                        {{key, "2048^2 unknowns", {{"iterations", iterations}}, 1.5, 0.25}});
}

int used(const ExecutionContext &context)
{
    return context.tuning().find(key, "iterations", compiledIn);
}

} // namespace

class RunInputsTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("XDG_CACHE_HOME", m_folder.path().toUtf8());
        keep(test::onCpu(2), 8);
        keep(test::onCpu(1), 16);
    }
    void constantsAreThoseOfTheThreads_data();
    void constantsAreThoseOfTheThreads();
    void devicesThatAreNamedHaveTheirOwn();

private:
    QTemporaryDir m_folder;
};

void RunInputsTest::constantsAreThoseOfTheThreads_data()
{
    QTest::addColumn<bool>("hasDevices");
    QTest::newRow("the CPU alone") << false;
    QTest::newRow("a choice of devices") << true;
}

void RunInputsTest::constantsAreThoseOfTheThreads()
{
    QFETCH(const bool, hasDevices);
    SolverDevices devices;
    if (hasDevices) {
        devices.offers = {{"auto", "auto"}, {"CPU", "cpu"}};
        devices.find = [](const CpuDevice &cpu, const std::string &) {
            return tuning::withSavedTuning(ExecutionContext(cpu));
        };
    }
    // The program runs with two threads, and has read what was tuned for them.
    const auto context = tuning::withSavedTuning(test::onCpu(2));
    QCOMPARE(used(context), 8);
    OptionRows rows;
    const RunInputs inputs(rows, {solvers::Quantity::residual}, "1e-6", "iterations",
                           {{&solvers::ompSolvers()}, context, devices});
    auto *threads = rows.findChild<QSpinBox *>("threads");
    threads->setMaximum(3); // whatever this machine has
    for (const auto &[count, iterations] :
         {std::pair(2, 8), std::pair(1, 16), std::pair(3, compiledIn), std::pair(2, 8)}) {
        threads->setValue(count);
        const auto run = inputs.context()();
        QCOMPARE(run.cpu().threads, count);
        QCOMPARE(used(run), iterations);
    }
}

void RunInputsTest::devicesThatAreNamedHaveTheirOwn()
{
    SolverDevices devices;
    devices.offers = {{"auto", "auto"}, {"GPU 1", "gpu:1"}};
    devices.find = [](const CpuDevice &cpu, const std::string &names) {
        TuningTable table;
        table.set(key, "iterations", names == "gpu:1" ? 32 : 64);
        return ExecutionContext(cpu)
            .withGpus({GpuDevice{1}})
            .withTuning(std::make_shared<TuningTable>(std::move(table)));
    };
    const auto context = tuning::withSavedTuning(test::onCpu(2));
    OptionRows rows;
    const RunInputs inputs(rows, {solvers::Quantity::residual}, "1e-6", "iterations",
                           {{&solvers::ompSolvers()}, context, devices});
    auto *threads = rows.findChild<QSpinBox *>("threads");
    threads->setMaximum(2);
    threads->setValue(2);
    QCOMPARE(used(inputs.context()()), 8);
    rows.findChild<QComboBox *>("devices")->setCurrentText("GPU 1");
    const auto run = inputs.context()();
    QCOMPARE(used(run), 32);
    QCOMPARE(run.gpus().size(), std::size_t{1});
}

GRIDHELM_WIDGET_TEST(RunInputsTest)
#include "tst_run_inputs.moc"
