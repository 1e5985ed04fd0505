// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tuning in the background, as the panel Performance begins and ends it.
#include "core/support/error.h"
#include "core/tuning/machine_tuning.h"
#include "core/tuning/saved_tuning.h"
#include "core/tuning/search_space.h"
#include "tests/core/on_cpu.h"
#include "tests/support/test_program.h"
#include "ui/machine/machine_tuner.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::ui;

namespace {

constexpr int waitMilliseconds = 120000; // the first case alone has rows of 200 MB

} // namespace

class MachineTunerTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QVERIFY(m_folder.emplace().isValid());
        qputenv("XDG_CACHE_HOME", m_folder->path().toUtf8());
    }

    void whatIsFoundIsKeptAndUsed();
    void aStopEndsIt();
    void furtherDevicesAreTunedToo();
    void aFileThatCannotBeWrittenTakesNoOther();
    void itGoesOnWhereItEnded();

private:
    std::optional<QTemporaryDir> m_folder;
};

void MachineTunerTest::whatIsFoundIsKeptAndUsed()
{
    const auto context = test::onCpu(2);
    MachineTuner tuner(0.01); // the case that has begun is ended
    QVERIFY(!tuner.isTuning());
    QVERIFY(tuner.text().startsWith("Tune this machine"));
    QSignalSpy tuned(&tuner, &MachineTuner::tuned), failed(&tuner, &MachineTuner::failed);
    tuner.tune(context);
    QVERIFY(tuner.isTuning());
    QVERIFY(tuner.text().startsWith("Stop tuning"));
    tuner.tune(context); // once is enough
    QVERIFY(tuned.wait(waitMilliseconds));
    QVERIFY(!tuner.isTuning());
    QVERIFY(failed.isEmpty());
    const auto sentence = tuned.front().front().toString();
    QVERIFY2(sentence.startsWith("This machine was tuned: "), qPrintable(sentence));
    QVERIFY2(sentence.contains(" of 1 operations"), qPrintable(sentence));
    QVERIFY(std::filesystem::exists(tuning::savedTuningFile(context)));
    const auto entries = tuning::savedTuning(context);
    QVERIFY(entries.size() <= 1); // none if tests beside this one have disturbed it
    QVERIFY(tuning::savedTuning(test::onCpu(1)).empty()); // of other threads
    const auto used = tuning::withSavedTuning(context);
    for (const auto &entry : entries) {
        for (const auto &[name, value] : entry.constants)
            QCOMPARE(used.tuning().find(entry.key, name, -1), value);
    }
}

void MachineTunerTest::aStopEndsIt()
{
    MachineTuner tuner(3600);
    QSignalSpy tuned(&tuner, &MachineTuner::tuned);
    tuner.tune(test::onCpu(1));
    QTRY_VERIFY_WITH_TIMEOUT(tuner.text().contains("1 of "), waitMilliseconds);
    tuner.stop();
    QVERIFY(tuned.wait(waitMilliseconds));
    QVERIFY(!tuner.isTuning());
    QVERIFY(tuned.front().front().toString().startsWith("Tuning was stopped: 0 of 0"));
    QVERIFY(!std::filesystem::exists(tuning::savedTuningFile(test::onCpu(1))));
}

/// A CPU stands for a GPU, with one small case of its own.
std::vector<tuning::TuningDevice> madeUpGpu(const ExecutionContext &context,
                                            const tuning::TunedMachine &gpu)
{
    auto device = tuning::tuningCpu(context);
    device.machine = gpu;
    device.cases.resize(1);
    device.cases[0].key.device = "gpu";
    device.cases[0].work = dispatch::CombinationWork{4, 1000};
    device.cases[0].items = 1000;
    return {device};
}

/// What the CPU has is kept all the same.
void MachineTunerTest::aFileThatCannotBeWrittenTakesNoOther()
{
    const auto context = test::onCpu(1);
    const tuning::TunedMachine gpu{"kernels", "a GPU, driver 2", 0};
    const auto inTheWay = tuning::savedTuningFile(gpu);
    QVERIFY(std::filesystem::create_directories(inTheWay / "full"));
    MachineTuner tuner(0.01);
    tuner.setFurther([&](const ExecutionContext &of) { return madeUpGpu(of, gpu); });
    QSignalSpy tuned(&tuner, &MachineTuner::tuned), failed(&tuner, &MachineTuner::failed);
    tuner.tune(context);
    QVERIFY(failed.wait(waitMilliseconds));
    const auto sentence = failed.front().front().toString();
    QVERIFY2(sentence.contains("could not be kept"), qPrintable(sentence));
    QCOMPARE(tuned.size(), 1);
    QVERIFY(std::filesystem::exists(tuning::savedTuningFile(context)));
    std::filesystem::remove_all(inTheWay);
}

void MachineTunerTest::furtherDevicesAreTunedToo()
{
    const auto context = test::onCpu(1);
    const tuning::TunedMachine gpu{"kernels", "a GPU, driver 1", 0};
    MachineTuner tuner(0.01);
    tuner.setFurther([&](const ExecutionContext &of) { return madeUpGpu(of, gpu); });
    QSignalSpy tuned(&tuner, &MachineTuner::tuned);
    tuner.tune(context);
    QVERIFY(tuned.wait(waitMilliseconds));
    const auto sentence = tuned.front().front().toString();
    QVERIFY2(sentence.startsWith("This machine was tuned: "), qPrintable(sentence));
    QVERIFY(std::filesystem::exists(tuning::savedTuningFile(gpu)));
    const auto entries = tuning::savedTuning(gpu, context);
    QVERIFY(entries.size() <= 1); // none if tests beside this one have disturbed it
    for (const auto &entry : entries)
        QCOMPARE(entry.key.device, std::string("gpu"));
}

/// As a tuning before has left it, with constants that can be chosen.
tuning::TuningEntry entryFor(const tuning::TuningCase &each)
{
    const auto variants = tuning::spaceOf(*each.operation).all();
    return {each.key, "work", tuning::constantsOf(*each.operation, variants.front()), 1, 0.25};
}

/// The made-up GPU has one case that is known, and many that fail at once; the CPU has more than
/// there is time for.
void MachineTunerTest::itGoesOnWhereItEnded()
{
    const auto context = test::onCpu(1);
    const tuning::TunedMachine gpu{"kernels", "a GPU, driver 3", 0};
    const auto known = madeUpGpu(context, gpu)[0].cases[0];
    tuning::writeTuning(tuning::savedTuningFile(gpu), gpu, {entryFor(known)});
    MachineTuner tuner(0.05);
    tuner.setFurther([&](const ExecutionContext &of) {
        auto devices = madeUpGpu(of, gpu);
        devices[0].candidate.makeSparse =
            [](const ExecutionContext &) -> std::shared_ptr<const sparse::Backend> {
            throw Error("it is lost");
        };
        auto other = known;
        other.key.sizeClass += 1;
        devices[0].cases.insert(devices[0].cases.end(), 1000, other);
        return devices;
    });
    QSignalSpy tuned(&tuner, &MachineTuner::tuned);
    tuner.tune(context);
    QVERIFY(tuned.wait(waitMilliseconds));
    const auto sentence = tuned.front().front().toString();
    QVERIFY2(sentence.contains("; 1 had been tuned before; "), qPrintable(sentence));
    QVERIFY2(sentence.contains(" failed; "), qPrintable(sentence));
    QVERIFY2(sentence.contains(" were not reached: tune again"), qPrintable(sentence));
    // Where all is known it begins anew.
    std::vector<tuning::TuningEntry> all;
    for (const auto &each : tuning::tuningCpu(context).cases)
        all.push_back(entryFor(each));
    tuning::writeTuning(tuning::savedTuningFile(context), tuning::tunedMachine(context), all);
    MachineTuner again(0.01);
    QSignalSpy ended(&again, &MachineTuner::tuned);
    again.tune(context);
    QVERIFY(ended.wait(waitMilliseconds));
    const auto anew = ended.front().front().toString();
    QVERIFY2(anew.contains(" of 1 operations") && !anew.contains("before"), qPrintable(anew));
}

GRIDHELM_TEST(MachineTunerTest)
#include "tst_machine_tuner.moc"
