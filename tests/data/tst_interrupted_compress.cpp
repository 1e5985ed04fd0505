// SPDX-License-Identifier: GPL-3.0-or-later
//
// A compression that was stopped or killed goes on with what was asked for.
#include "data/campaign/campaign_steps.h"
#include "data/compress/quantise_modes.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <filesystem>
#include <stop_token>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void addBits(const std::filesystem::path &path, double allowed)
{
    auto writer = StudyWriter::open(path);
    CompressStep step;
    step.error = AddedErrorStep{allowed, false};
    QCOMPARE(compressStep(writer, step, {}).quantised, std::size_t{1});
    writer.close();
}

/// The small one, with functions that may have other degrees.
StudyDescription withDegrees(int level)
{
    auto description = smallDescription(level);
    auto parameters = description.space.parameters();
    for (auto &parameter : parameters)
        parameter.treatment = sparse::BoundaryTreatment::boundary;
    description.space = ParameterSpace(parameters);
    return description;
}

} // namespace

class InterruptedCompressTest : public QObject
{
    Q_OBJECT

private slots:
    void interruptedItGoesOnWithWhatWasAsked_data();
    void interruptedItGoesOnWithWhatWasAsked();
    void whatCannotBeMadeIsNotAskedAgain();
};

void InterruptedCompressTest::interruptedItGoesOnWithWhatWasAsked_data()
{
    QTest::addColumn<QString>("asked");
    QTest::addColumn<bool>("isKilled"); // right after the coefficients, else while modes are made
    for (const bool isKilled : {false, true}) {
        for (const char *asked : {"nothing", "modes", "error", "half", "exact", "kriging"})
            QTest::addRow("%s%s", asked, isKilled ? ", killed" : "") << asked << isKilled;
    }
}

void InterruptedCompressTest::interruptedItGoesOnWithWhatWasAsked()
{
    QFETCH(QString, asked);
    QFETCH(bool, isKilled);
    const Folder folder;
    makeStudy(folder / "whole", 3);
    addBits(folder / "whole", 2e-3);
    growTo(folder / "whole", 4);
    {
        auto writer = StudyWriter::open(folder / "whole");
        runAllJobs(writer);
        writer.close();
    }
    std::filesystem::copy_file(folder / "whole", folder / "stopped");
    CompressStep step;
    if (asked == "modes")
        step.modes = ModesStep{1e-6};
    else if (asked == "error")
        step.error = AddedErrorStep{0.01, false};
    else if (asked == "half")
        step.error = AddedErrorStep{0, true};
    else if (asked == "exact")
        step.error = AddedErrorStep{};
    else if (asked == "kriging")
        step.surrogate = SurrogateStep{SurrogateKind::kriging, {}};

    auto whole = StudyWriter::open(folder / "whole");
    compressStep(whole, step, {});
    auto stopped = StudyWriter::open(folder / "stopped");
    struct Killed
    {};
    std::stop_source stop;
    StepControl control;
    control.stop = stop.get_token();
    control.progress = [&](const StepProgress &progress) {
        if (isKilled && progress.phase == StepProgress::Phase::errors)
            throw Killed();
        if (progress.phase == StepProgress::Phase::modes)
            stop.request_stop();
    };
    try {
        QVERIFY(compressStep(stopped, step, control).cancelled);
        QVERIFY(!isKilled);
    } catch (const Killed &) {
        QVERIFY(isKilled);
    }
    QVERIFY(stopped.wantedMeans(0));
    stopped.close();
    QCOMPARE(problemsOf(folder / "stopped"), std::string());

    auto again = StudyWriter::open(folder / "stopped");
    compressStep(again, {}, {});
    QVERIFY(again.modeSet(0) == whole.modeSet(0));
    QCOMPARE(again.hasKriging(0), asked == "kriging");
    // Nothing is pending; that it was half is known for when there are more runs.
    QCOMPARE(again.wantedMeans(0).has_value(), asked == "half");
    const auto report = compressStep(again, {}, {});
    QCOMPARE(report.modes.fields + report.kriging.fields + report.quantised + report.forms.size(),
             std::size_t{0});
    QVERIFY(again.modeSet(0) == whole.modeSet(0));
}

void InterruptedCompressTest::whatCannotBeMadeIsNotAskedAgain()
{
    const Folder folder;
    makeStudy(folder / "s", withDegrees(3), 600, 1);
    addBits(folder / "s", 2e-3);
    auto writer = StudyWriter::open(folder / "s");
    const auto before = writer.modeSet(0);
    QVERIFY(writer.dropSnapshots() > 0);
    CompressStep step;
    step.degrees = {3, 3, 3}; // which the parameters could have
    QVERIFY(writer.description().space.withDegrees(step.degrees) != writer.description().space);
    step.modes = ModesStep{1e-6};
    QVERIFY(isRefused([&] { compressStep(writer, step, {}); }, "were dropped"));
    QVERIFY(!writer.wantedMeans(0));
    compressStep(writer, {}, {});
    QVERIFY(writer.modeSet(0) == before);
}

GRIDHELM_TEST(InterruptedCompressTest)
#include "tst_interrupted_compress.moc"
