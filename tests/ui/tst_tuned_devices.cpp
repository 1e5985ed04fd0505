// SPDX-License-Identifier: GPL-3.0-or-later
//
// That what evaluates runs with what was tuned for the devices that were chosen.
#include "core/execution/tuning_table.h"
#include "tests/core/on_cpu.h"
#include "tests/ui/widget_test.h"
#include "ui/performance/backend_row.h"

#include <QComboBox>
#include <QTest>

#include <memory>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;

class TunedDevicesTest : public QObject
{
    Q_OBJECT

private slots:
    void whatWasTunedForTheChosenDevicesIsUsed();
};

/// GPUs of two models have tables of their own.
void TunedDevicesTest::whatWasTunedForTheChosenDevicesIsUsed()
{
    const std::vector<GpuDevice> gpus{GpuDevice{0}, GpuDevice{1}};
    Devices devices{{{"auto", "auto", gpus}, {"gpu:1", "GPU 1", {gpus[1]}}}, {}};
    const TuningKey key{"interpolation", "gpu", 4, 12};
    int looked = 0;
    devices.tuned = [&](const ExecutionContext &context) {
        ++looked;
        TuningTable table;
        if (context.gpus().size() == 1)
            table.set(key, "threads", 64 + context.cpu().threads);
        return context.withTuning(std::make_shared<TuningTable>(std::move(table)));
    };
    BackendRow row(test::onCpu());
    row.setDevices(devices);
    const auto choose = [&](const QString &text) {
        for (auto *box : row.findChildren<QComboBox *>())
            if (box->accessibleName() == "Devices") {
                QVERIFY(box->findText(text) >= 0);
                emit box->activated(box->findText(text));
            }
    };
    const auto used = [&] { return row.context().tuning().find(key, "threads", 256); };
    QCOMPARE(used(), 256); // of both together nothing is known
    choose("GPU 1");
    const int threads = row.context().cpu().threads;
    QCOMPARE(used(), 64 + threads);
    row.prefer({}, threads + 1);
    QCOMPARE(used(), 64 + threads + 1);
    choose("auto");
    QCOMPARE(used(), 256);
    const int before = looked;
    choose("GPU 1"); // which is known
    QCOMPARE(used(), 64 + threads + 1);
    QCOMPARE(looked, before);
    row.beginAnew(test::onCpu()); // the machine may have been tuned
    QCOMPARE(used(), 64 + threads + 1);
    QVERIFY(looked > before);
}

GRIDHELM_WIDGET_TEST(TunedDevicesTest)
#include "tst_tuned_devices.moc"
