// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs at places that the program chooses: which ones, whatever happens meanwhile.
#include "core/parameters/round_values.h"
#include "core/surrogate/filling_places.h"
#include "data/campaign/fill_step.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/study_fields.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/private_configuration.h"
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::string fillPlan(int runs, const std::string &simulation)
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[[parameter]]\nname = \"b\"\nlow = 1\n"
           "high = 100\nscale = \"logarithmic\"\n[grid]\ndesign = \"space-filling\"\nruns = "
           + std::to_string(runs) + "\n[simulation]\n" + simulation;
}

/// a is the result; it takes so long that others end first.
const std::string writesA = "command = 'sleep 0.0$(echo {b} | cut -c 1); echo {a} > out'\n"
                            "result = \"out\"\n";
/// It cannot be run for a of 3 and more.
const std::string failsInPart =
    "command = 'echo trying {a}; case {a} in 3*|4*) exit 3;; esac; echo {a} > out'\n"
    "result = \"out\"\n";

StudyWriter fillStudy(const std::filesystem::path &path, int runs, const std::string &simulation)
{
    std::string note;
    return createStudy(path, parsePlan(fillPlan(runs, simulation), "plan", path.parent_path()),
                       note);
}

FillStep stepOf(std::size_t runs, int jobs = 1)
{
    FillStep step;
    step.runs = runs;
    step.jobs = jobs;
    return step;
}

/// Of each planned run that is done: its place, and its value.
std::vector<std::pair<std::vector<double>, float>> contentsOf(const Study &study)
{
    std::vector<std::pair<std::vector<double>, float>> contents;
    for (const auto &run : study.plannedRuns()) {
        std::vector<float> value(1);
        if (run.trainingRun != 0 && study.readHoldOut(run.trainingRun, 0, value))
            contents.emplace_back(run.parameters, value.front());
    }
    return contents;
}

std::size_t inState(const Study &study, PlannedRunState state)
{
    return static_cast<std::size_t>(
        std::ranges::count(study.plannedRuns(), state, &PlannedRun::state));
}

} // namespace

class FillStepTest : public QObject
{
    Q_OBJECT

private slots:
    void placesAreRoundAndInsideOfTheRanges();
    void howManyAreRunAtOnceDoesNotMatter();
    void killedAtAnyMomentTheSameStudyComes();
    void stoppedAndPausedStudiesGoOn();
    void placesWhereRunsFailAreLeftOut();
    void whereEverythingFailsItEnds();
    void runsThatWereImportedAreFilledAround();
    void holdOutsAndKrigingAreMadeAsForOtherStudies();
    void whatCannotBeFilledSaysWhy();
    void plannedRunsKeepTheirStates();
    void damagedPlannedRunsAreNoticed();
};

void FillStepTest::placesAreRoundAndInsideOfTheRanges()
{
    const auto plan = parsePlan(fillPlan(60, writesA), "plan", "/");
    const auto &space = plan.description.space;
    const auto places = firstPlaces(space, 60);
    std::set<std::vector<double>> different(places.begin(), places.end());
    QCOMPARE(different.size(), std::size_t{60});
    FillingPlaces filling(2, fillingSeed);
    double furthest = 0;
    for (const auto &place : places) {
        QVERIFY(!space.firstOutside(place));
        QVERIFY(std::abs(place[0] - std::round(place[0] * 1e4) / 1e4) < 1e-12);
        const auto x = space.toUnit(place), exact = filling.next();
        for (std::size_t t = 0; t < 2; ++t)
            furthest = std::max(furthest, std::abs(x[t] - exact[t]));
        filling.add(x);
    }
    QVERIFY2(furthest < 2e-4, qPrintable(QString::number(furthest)));
    const auto fewer = firstPlaces(space, 23);
    QVERIFY(std::equal(fewer.begin(), fewer.end(), places.begin()));
}

void FillStepTest::howManyAreRunAtOnceDoesNotMatter()
{
    const Folder folder;
    auto one = fillStudy(folder / "one", 14, writesA);
    QCOMPARE(fillStep(one, stepOf(14), readingNumbers()).done, std::size_t{14});
    auto many = fillStudy(folder / "many", 14, writesA);
    QCOMPARE(fillStep(many, stepOf(14, 5), readingNumbers()).done, std::size_t{14});
    auto parts = fillStudy(folder / "parts", 14, writesA);
    for (const std::size_t more : {5, 0, 1, 8})
        QCOMPARE(fillStep(parts, stepOf(more, 3), readingNumbers()).done, more);
    QCOMPARE(one.trainingRuns().size(), std::size_t{14});
    QCOMPARE(contentsOf(one).size(), std::size_t{14});
    for (const auto &[place, value] : contentsOf(one))
        QVERIFY(std::abs(place[0] - static_cast<double>(value)) < 1e-5);
    QVERIFY(contentsOf(many) == contentsOf(one));
    QVERIFY(contentsOf(parts) == contentsOf(one));
    QVERIFY(placesOf(one) == firstPlaces(one.description().space, 14));
    one.close();
    QCOMPARE(problemsOf(folder / "one"), std::string());
}

void FillStepTest::killedAtAnyMomentTheSameStudyComes()
{
    const Folder folder;
    const auto work = [&](const std::string &name) {
        auto writer = StudyWriter::open(folder / name);
        fillStep(writer, stepOf(fillStateOf(writer).lacking(), 2), readingNumbers());
        writer.close();
    };
    /// In a child: nothing here may have threads when it forks. Whether it came to its end.
    const auto inChild = [&](const std::string &name, std::chrono::milliseconds killedAfter) {
        const auto child = ::fork();
        if (child == 0) {
            work(name);
            ::_exit(0);
        }
        if (killedAfter.count() > 0) {
            std::this_thread::sleep_for(killedAfter);
            ::kill(child, SIGKILL);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status);
    };
    // Some fail, so that others come in their places.
    fillStudy(folder / "whole", 16, failsInPart).close();
    QVERIFY(inChild("whole", std::chrono::milliseconds(0)));
    const auto whole = Study::open(folder / "whole");
    QCOMPARE(contentsOf(whole).size(), std::size_t{16});
    QVERIFY(inState(whole, PlannedRunState::failed) > 0);

    int killed = 0, withRuns = 0;
    for (int study = 0; study < (isLong() ? 20 : 3); ++study) {
        const auto name = "killed" + std::to_string(study);
        fillStudy(folder / name, 16, failsInPart).close();
        for (int round = 0; round < 60; ++round) {
            if (inChild(name, std::chrono::milliseconds(40 + 25 * round + 7 * study)))
                break;
            ++killed;
            const auto now = Study::open(folder / name);
            withRuns += !now.trainingRuns().empty();
            QCOMPARE(now.trainingRuns().size(), inState(now, PlannedRunState::done));
        }
        QCOMPARE(problemsOf(folder / name), std::string());
        const auto now = Study::open(folder / name);
        QVERIFY(placesOf(now) == placesOf(whole));
        QVERIFY(contentsOf(now) == contentsOf(whole));
        QCOMPARE(now.trainingRuns().size(), std::size_t{16});
        for (const auto &left : std::filesystem::directory_iterator(workFolderOf(folder / name)))
            QVERIFY(!left.path().filename().string().starts_with(".running-"));
    }
    qInfo("%d kills, %d with runs", killed, withRuns);
    QVERIFY(killed >= 3 && withRuns >= 1);
}

void FillStepTest::stoppedAndPausedStudiesGoOn()
{
    const Folder folder;
    const std::string slowly = "command = 'sleep 0.25; echo {a} > out'\nresult = \"out\"\n";
    auto whole = fillStudy(folder / "whole", 9, slowly);
    QCOMPARE(runStep(whole, {}, readingNumbers()).done, std::size_t{9});
    auto writer = fillStudy(folder / "s", 9, slowly);
    for (const bool isPause : {false, true}) {
        std::stop_source source;
        auto control = readingNumbers();
        (isPause ? control.pause : control.stop) = source.get_token();
        std::size_t before = writer.trainingRuns().size();
        control.progress = [&](const StepProgress &progress) {
            if (progress.counts.done >= 2)
                source.request_stop();
        };
        const auto report = runStep(writer, {}, control);
        QVERIFY(isPause ? report.paused && !report.cancelled : report.cancelled);
        QVERIFY(report.done >= 2 && before + report.done < 9);
        QCOMPARE(report.waiting, 9 - writer.trainingRuns().size());
        QCOMPARE(fillStateOf(writer).lacking(), report.waiting);
    }
    QCOMPARE(runStep(writer, {}, readingNumbers()).waiting, std::size_t{0});
    QVERIFY(contentsOf(writer) == contentsOf(whole));
    QCOMPARE(runStep(writer, {}, readingNumbers()).done, std::size_t{0}); // nothing is lacking
    QVERIFY(!std::filesystem::exists(workFolderOf(writer.path())));
}

void FillStepTest::placesWhereRunsFailAreLeftOut()
{
    const Folder folder;
    auto writer = fillStudy(folder / "s", 20, failsInPart);
    const auto report = runStep(writer, {.jobs = 3}, readingNumbers());
    QCOMPARE(report.done, std::size_t{20});
    QVERIFY(report.failed >= 3 && !report.stopped);
    const auto state = fillStateOf(writer);
    QCOMPARE(state.made, std::size_t{20});
    QCOMPARE(state.failed, report.failed);
    QCOMPARE(state.lacking(), std::size_t{0});
    std::set<std::vector<double>> different;
    for (const auto &run : writer.plannedRuns()) {
        QVERIFY(different.insert(run.parameters).second);
        QCOMPARE(run.attempts, 1);
        QCOMPARE(run.state == PlannedRunState::failed, run.parameters[0] >= 3);
        QCOMPARE(run.log.find("trying") != std::string::npos, run.parameters[0] >= 3);
    }
    QVERIFY(writer.plannedRun(report.firstFailed).log.find("exit code 3") != std::string::npos);
    QVERIFY(writer.plannedRuns().size() == 20 + report.failed);

    // Once more, in vain: they are tried, and nothing else is.
    const auto again = runStep(writer, {.retryFailed = true, .keepGoing = true}, readingNumbers());
    QCOMPARE(again.done, std::size_t{0});
    QCOMPARE(again.failed, report.failed);
    QCOMPARE(writer.plannedRuns().size(), 20 + report.failed);
    QCOMPARE(writer.plannedRun(report.firstFailed).attempts, 2);
    // The simulation is corrected: they go well.
    std::string note;
    setPlan(writer, parsePlan(fillPlan(20, writesA), "plan", folder / ""), note);
    const auto better = runStep(writer, {.retryFailed = true}, readingNumbers());
    QCOMPARE(better.failed, std::size_t{0});
    QCOMPARE(better.done, report.failed);
    QCOMPARE(inState(writer, PlannedRunState::failed), std::size_t{0});
    QVERIFY(
        std::ranges::all_of(writer.plannedRuns(), [](const auto &run) { return run.log.empty(); }));
}

void FillStepTest::whereEverythingFailsItEnds()
{
    const Folder folder;
    const std::string fails = "command = 'exit 7'\nresult = \"out\"\n";
    auto writer = fillStudy(folder / "s", 30, fails);
    const auto report = runStep(writer, {}, readingNumbers());
    QVERIFY(report.stopped && report.done == 0);
    QCOMPARE(report.failed, std::size_t{failuresToStop});
    QCOMPARE(report.waiting, std::size_t{30 - failuresToStop});
    const auto all = runStep(writer, {.keepGoing = true}, readingNumbers());
    QCOMPARE(all.done, std::size_t{0});
    QVERIFY(all.failed <= 30);
    QVERIFY(writer.trainingRuns().empty() && writer.fields().empty());
}

void FillStepTest::runsThatWereImportedAreFilledAround()
{
    const Folder folder;
    auto writer = fillStudy(folder / "s", 30, writesA);
    std::string table = "a,b,file\n";
    for (int i = 0; i < 12; ++i) { // in a half of the range of a
        writeText(folder / std::to_string(i), std::to_string(0.1 * i));
        table += fmt::format("{},{},{}\n", 0.15 * i, 1 + (7 * i) % 12 * 8, i);
    }
    writeText(folder / "t.csv", table);
    ImportStep import;
    import.table = folder / "t.csv";
    import.areTrainingRuns = true;
    QCOMPARE(importStep(writer, import, readingNumbers()).trainingRuns, std::size_t{12});
    QCOMPARE(fillStateOf(writer).lacking(), std::size_t{18});
    const auto next = nextPlaces(writer, 18);
    QVERIFY(next != firstPlaces(writer.description().space, 18));
    const auto other = std::ranges::count_if(next, [](const auto &x) { return x[0] > 2; });
    QVERIFY2(other >= 11, qPrintable(QString::number(other)));
    QCOMPARE(runStep(writer, {}, readingNumbers()).done, std::size_t{18});
    QVERIFY(placesOf(writer) == next);
    QCOMPARE(writer.trainingRuns().size(), std::size_t{30});
}

void FillStepTest::holdOutsAndKrigingAreMadeAsForOtherStudies()
{
    const Folder folder;
    const auto plan = parsePlan("[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"strength\"\n"
                                "[grid]\ndesign = \"space-filling\"\nruns = 24\n[simulation]\n"
                                "builtin = \"plate\"\nresolution = 9\nfixed = {width = 0.3}\n",
                                "plan", "/");
    auto writer = StudyWriter::create(folder / "s", plan.description);
    QCOMPARE(runStep(writer, {.jobs = 2}, {}).done, std::size_t{24});
    CompressStep compressing;
    compressing.holdOuts = 12;
    compressing.context = onCpu(2);
    const auto report = compressStep(writer, compressing, {});
    QVERIFY2(report.note.empty(), report.note.c_str());
    QCOMPARE(report.holdOuts.done, std::size_t{12});
    QCOMPARE(writer.holdOuts().size(), std::size_t{12});
    QCOMPARE(report.kriging.runs, std::size_t{24});
    bool isMeasured = false;
    for (const auto &summary : summarize(writer.errorFigures())) {
        if (summary.kind == ErrorKind::heldOut) {
            isMeasured = summary.places == 12;
            QVERIFY2(summary.meanRelativeL2 < 0.05,
                     qPrintable(QString::number(summary.meanRelativeL2)));
        }
    }
    QVERIFY(isMeasured);
    // More runs, and kriging of all of them.
    QCOMPARE(fillStep(writer, stepOf(6, 2), {}).done, std::size_t{6});
    QCOMPARE(compressStep(writer, compressing, {}).kriging.runs, std::size_t{30});
    QCOMPARE(writer.holdOuts().size(), std::size_t{12});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void FillStepTest::whatCannotBeFilledSaysWhy()
{
    const Folder folder;
    auto grid =
        studyOf(folder / "grid", commandPlan("command = 'echo {a} > out'\nresult = \"out\"\n"));
    QVERIFY(sentenceOf([&] { fillStep(grid, stepOf(1), readingNumbers()); }).find("grid")
            != std::string::npos);
    auto timed =
        studyOf(folder / "timed", timePlan("command = 'echo {a} > out'\nresult = \"out\"\n"));
    QVERIFY(sentenceOf([&] {
                timed.planRun(std::vector{1.0, 1.0});
            }).find("all values of t")
            != std::string::npos);
    auto writer = fillStudy(folder / "s", 10, writesA);
    QVERIFY(sentenceOf([&] { fillStep(writer, stepOf(4001), readingNumbers()); }).find("4000")
            != std::string::npos);
    QVERIFY(sentenceOf([&] { runStep(writer, {.only = 1}, readingNumbers()); }).find("no jobs")
            != std::string::npos);
    QVERIFY(writer.plannedRuns().empty());

    auto imported = importedStudy(folder);
    GRIDHELM_EXPECT_ERROR(fillStep(imported, stepOf(3), readingNumbers()));
    GRIDHELM_EXPECT_ERROR(runStep(imported, {}, readingNumbers()));
    QCOMPARE(fillStateOf(imported).lacking(), std::size_t{0});
    CompressStep compressing;
    compressing.holdOuts = 5;
    QVERIFY(compressStep(imported, compressing, {}).note.find("no simulation")
            != std::string::npos);
}

void FillStepTest::plannedRunsKeepTheirStates()
{
    const Folder folder;
    auto writer = fillStudy(folder / "s", 10, writesA);
    const auto first = writer.planRun(std::vector{1.0, 10.0});
    const auto second = writer.planRun(std::vector{2.0, 20.0});
    QVERIFY(first > 0 && second > first);
    GRIDHELM_EXPECT_ERROR(writer.planRun(std::vector{5.0, 10.0}));
    GRIDHELM_EXPECT_ERROR(writer.planRun(std::vector{1.0}));
    GRIDHELM_EXPECT_ERROR(writer.failPlannedRun(77, "no"));
    writer.failPlannedRun(second, "it broke");
    QCOMPARE(writer.plannedRun(second).log, std::string("it broke"));
    QCOMPARE(writer.plannedRun(second).attempts, 1);
    writer.resetPlannedRun(second);
    QVERIFY(writer.plannedRun(second).state == PlannedRunState::waiting);
    QCOMPARE(writer.plannedRun(second).attempts, 1);
    writer.addField(smallField("u", 3));
    const auto run = writer.addTrainingRun(std::vector{2.0, 20.0});
    writer.putHoldOut(run, 0, std::vector<float>{1, 2, 3});
    GRIDHELM_EXPECT_ERROR(writer.finishPlannedRun(second, run + 1)); // no such run
    writer.finishPlannedRun(second, run);
    GRIDHELM_EXPECT_ERROR(writer.finishPlannedRun(first, run)); // it is another one's
    GRIDHELM_EXPECT_ERROR(writer.failPlannedRun(second, "late"));
    GRIDHELM_EXPECT_ERROR(writer.resetPlannedRun(second));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    const auto study = Study::open(folder / "s");
    QCOMPARE(study.plannedRuns().size(), std::size_t{2});
    QCOMPARE(study.plannedRuns()[1].trainingRun, run);
    QCOMPARE(study.plannedRuns()[0].parameters, (std::vector{1.0, 10.0}));
}

void FillStepTest::damagedPlannedRunsAreNoticed()
{
    const Folder folder;
    for (const std::string change : {"UPDATE planned_runs SET attempts = 3 WHERE id = 1",
                                     "DELETE FROM planned_runs WHERE id = 1",
                                     "UPDATE planned_runs SET state = 'failed' WHERE id = 2"}) {
        const auto path = folder / ("s" + std::to_string(change.size()));
        auto writer = fillStudy(path, 10, writesA);
        writer.planRun(std::vector{1.0, 10.0});
        writer.planRun(std::vector{2.0, 20.0});
        writer.close();
        SQLite::Database(path.string(), SQLite::OPEN_READWRITE).exec(change);
        QVERIFY(problemsOf(path) != std::string());
        GRIDHELM_EXPECT_ERROR(Study::open(path).plannedRuns());
    }
}

GRIDHELM_TEST(FillStepTest)
#include "tst_fill_step.moc"
