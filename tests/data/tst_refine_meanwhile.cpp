// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs that take longer than others, while a study is refined: the next ones are chosen meanwhile.
#include "data/evaluate/surrogate_choice.h"
#include "data/study/check.h"
#include "tests/core/expect_error.h"
#include "tests/data/refine_cases.h"
#include "tests/data/study_contents.h"
#include "tests/data/text_files.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// What a command adds so that the run at a = 0, b = 0.5 ends when `path` is there, or after ten
/// seconds.
std::string slowUntil(const std::filesystem::path &path)
{
    return "; if [ {a} = 0 ] && [ {b} = 0.5 ]; then i=0; while [ ! -e " + path.string()
           + " ] && [ $i -lt 200 ]; do sleep 0.05; i=$((i+1)); done; fi";
}

double seriesAt(double a, double b, double t)
{
    return std::exp(-a) * (1 + b * b * t + t * t);
}

/// The same by a command, at five times.
std::string seriesPlan(const std::string &then)
{
    std::string plan = formulaPlan("for (t = 0; t <= 2; t += 0.5) "
                                   "printf \\\"%.9g %.9g\\n\\\", t, exp(-a) * (1 + b*b*t + t*t)",
                                   "leja", 2, then);
    const std::string time =
        "[[parameter]]\nname = \"t\"\nlow = 0\nhigh = 2\nkind = \"time-like\"\ntimes = 5\n";
    return plan.insert(plan.find("[grid]"), time);
}

/// By how many jobs the one at a = 0, b = 0.5 was outrun: that have ended before it.
std::size_t outran(const Study &study)
{
    const auto jobs = study.jobs();
    const auto &space = study.description().space;
    const auto slow = std::ranges::find_if(jobs, [&](const Job &job) {
        const auto values = space.valuesAt(*study.grid(), job.points.front());
        return values[0] == 0 && values[1] == 0.5;
    });
    if (slow == jobs.end())
        return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(jobs, [&](const Job &job) { return job.finished < slow->finished; }));
}

/// Two jobs at a time; the slow one goes on until `others` have ended.
RefineReport refineAroundSlow(StudyWriter &writer, std::uint64_t runs, std::size_t others,
                              const std::filesystem::path &signal, StepControl how = control())
{
    auto step = forRuns(runs);
    step.jobs = 2;
    step.isDeterministic = false;
    how.progress = [&](const StepProgress &) {
        const auto jobs = writer.jobs();
        if (std::ranges::count(jobs, JobState::done, &Job::state)
            >= static_cast<std::ptrdiff_t>(others))
            writeText(signal.string(), "");
    };
    return refine(writer, step, how);
}

} // namespace

class RefineMeanwhileTest : public QObject
{
    Q_OBJECT

private slots:
    void aSlowRunHoldsNobodyUp();
    void batchesWaitWhereTheyAreToBeRepeatable();
    void itsTimesGoToTheirPoints();
    void theBudgetIsKept();
    void manyFailuresEndIt();
    void aMistakeIsToldWhenTheRunsHaveEnded();
    void runsOffTheGridFollow();
    void noneIsBegunAfterItsTime();
};

void RefineMeanwhileTest::aSlowRunHoldsNobodyUp()
{
    const Folder folder;
    auto writer =
        studyOf(folder / "s", formulaPlan("printf \\\"%.9g\\\", exp(-3*a) * (1+b)",
                                          "clenshaw-curtis", 2, slowUntil(folder / "go")));
    writer.setDegrees(std::array{2, 2});
    const auto report = refineAroundSlow(writer, 24, 18, folder / "go");
    QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
    QVERIFY(report.runs > 20 && report.runs <= 24);
    QCOMPARE(runsIn(writer), report.runs);
    QVERIFY2(outran(writer) >= 18, qPrintable(QString::number(outran(writer))));
    // It counts as if it had come in time.
    const auto coefficients = allCoefficients(writer);
    for (const int degree : {1, 2}) {
        writer.setDegrees(std::array{degree, degree});
        compress(writer, {});
    }
    QCOMPARE(allCoefficients(writer), coefficients);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void RefineMeanwhileTest::batchesWaitWhereTheyAreToBeRepeatable()
{
    const Folder folder;
    auto writer =
        studyOf(folder / "s", formulaPlan("printf \\\"%.9g\\\", exp(-3*a) * (1+b)", "leja", 2,
                                          "; if [ {a} = 0 ]; then sleep 0.5; fi"));
    auto step = forRuns(8);
    step.jobs = 2;
    refine(writer, step);
    QCOMPARE(outran(writer), std::size_t{2}); // those of the first grid
}

void RefineMeanwhileTest::itsTimesGoToTheirPoints()
{
    const Folder folder;
    auto how = control();
    how.files.read = readSeries;
    auto writer = studyOf(folder / "s", seriesPlan(slowUntil(folder / "go")));
    const auto report = refineAroundSlow(writer, 20, 15, folder / "go", how);
    QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
    QVERIFY2(outran(writer) >= 15, qPrintable(QString::number(outran(writer))));
    const auto &grid = *writer.grid();
    QCOMPARE(grid.points(), std::uint64_t{100});
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        const auto values = writer.description().space.valuesAt(grid, point);
        std::vector<float> snapshot(1);
        QVERIFY(writer.readSnapshot(point, 0, snapshot));
        const double exact = seriesAt(values[0], values[1], values[2]);
        QVERIFY(std::abs(static_cast<double>(snapshot[0]) - exact) < 1e-6 * exact);
    }
}

void RefineMeanwhileTest::theBudgetIsKept()
{
    const Folder folder;
    for (const int jobs : {1, 3, 50}) {
        auto writer = studyOf(folder / std::to_string(jobs),
                              formulaPlan("printf \\\"%.9g\\\", sin(3*a)+b*b", "clenshaw-curtis"));
        auto step = forRuns(30);
        step.jobs = jobs;
        step.isDeterministic = false;
        step.holdOuts = 5;
        const auto report = refine(writer, step);
        QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
        QVERIFY(report.runs <= 30 && report.runs > 24); // blocks have up to four points
        QCOMPARE(report.runs, runsIn(writer) + 5);
    }
}

void RefineMeanwhileTest::manyFailuresEndIt()
{
    // After some runs the program is broken.
    const Folder folder;
    const auto broken = (folder / "broken").string();
    auto writer =
        studyOf(folder / "s", formulaPlan("if (!system(\\\"test -e " + broken
                                          + "\\\")) exit 1; printf \\\"%.9g\\\", exp(-3*a)*(1+b)"));
    auto step = forRuns(400);
    step.jobs = 3;
    step.isDeterministic = false;
    auto how = control();
    how.progress = [&](const StepProgress &progress) {
        if (progress.counts.done >= 12)
            writeText(broken, "");
    };
    const auto report = refine(writer, step, how);
    QVERIFY2(report.end == RefineEnd::failures, refineText(report, step).c_str());
    QVERIFY2(report.failed >= 5 && report.failed <= 40, qPrintable(QString::number(report.failed)));
}

void RefineMeanwhileTest::aMistakeIsToldWhenTheRunsHaveEnded()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan("printf \\\"%.9g\\\", exp(-3*a)", "leja", 3,
                                                    "; if [ {a} = 0 ]; then sleep 0.5; fi"));
    auto step = forRuns(40);
    step.jobs = 3;
    step.isDeterministic = false;
    step.field = "nothing"; // which is known when there are results
    GRIDHELM_EXPECT_ERROR(refine(writer, step));
    for (const auto &job : writer.jobs())
        QVERIFY(job.state == JobState::done);
}

void RefineMeanwhileTest::runsOffTheGridFollow()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", formulaPlan("printf \\\"%.9g\\\", exp(-3*a) * (1+b)",
                                                    "leja", 2, slowUntil(folder / "go")));
    auto step = forRuns(30);
    step.jobs = 2;
    step.isDeterministic = false;
    step.surrogate = SurrogateKind::chosen;
    auto how = control();
    bool goesOn = false; // the slow one, when others have ended
    how.progress = [&](const StepProgress &) {
        if (writer.trainingRuns().size() < 5 || std::filesystem::exists(folder / "go"))
            return;
        goesOn = std::ranges::count(writer.jobs(), JobState::running, &Job::state) > 0;
        writeText((folder / "go").string(), "");
    };
    const auto report = refine(writer, step, how);
    QVERIFY2(report.end == RefineEnd::runs, refineText(report, {}).c_str());
    QCOMPARE(report.runs, std::uint64_t{30});
    QCOMPARE(runsIn(writer) + writer.trainingRuns().size(), std::size_t{30});
    QCOMPARE(writer.plannedRuns().size(), writer.trainingRuns().size());
    QVERIFY(writer.trainingRuns().size() >= 5);
    QVERIFY(goesOn);
    // Points that were still to come did not spoil the comparison, nor the estimates (up to 50 %
    // they were off then). Small ones differ by who has ended first.
    constexpr double small = 0.02;
    double before = 0;
    for (const auto &then : writer.errorHistory()) {
        if (then.kind != HistoryKind::estimate || then.runs < 12)
            continue;
        QVERIFY2(before == 0 || then.error < std::max(5 * before, small),
                 qPrintable(QString::number(then.error)));
        before = then.error;
    }
    QVERIFY(before > 0 && choiceOf(writer, 0)->isOffGrid);
}

void RefineMeanwhileTest::noneIsBegunAfterItsTime()
{
    const Folder folder;
    auto writer = studyOf(folder / "s",
                          formulaPlan("printf \\\"%.9g\\\", exp(-3*a)", "leja", 8, "; sleep 0.3"));
    const auto waiting = runsIn(writer);
    QVERIFY(waiting >= 30); // which would take 9 s
    RefineStep step;
    step.hours = 1.5 / 3600;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::time, refineText(report, step).c_str());
    QVERIFY2(report.runs >= 1 && report.runs <= 5, qPrintable(QString::number(report.runs)));
    QCOMPARE(runsIn(writer), waiting);
    // What is left is gone on with.
    const auto rest = refine(writer, forRuns(waiting - report.runs));
    QCOMPARE(rest.runs + report.runs, waiting);
}

GRIDHELM_TEST(RefineMeanwhileTest)
#include "tst_refine_meanwhile.moc"
