// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies of scattered runs that get more of them: until an error, for a number of runs or a time.
#include "data/evaluate/hold_out.h"
#include "data/study/check.h"
#include "tests/core/private_configuration.h"
#include "tests/data/refine_cases.h"
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

StudyWriter plateStudy(const std::filesystem::path &path, int runs)
{
    const auto plan = parsePlan("[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"strength\"\n"
                                "[grid]\ndesign = \"space-filling\"\nruns = "
                                    + std::to_string(runs)
                                    + "\n[simulation]\nbuiltin = \"plate\"\nresolution = 9\n"
                                      "fixed = {width = 0.3}\n",
                                "plan", "/");
    return StudyWriter::create(path, plan.description);
}

StudyWriter commandStudy(const std::filesystem::path &path, int runs, const std::string &command)
{
    return studyOf(path,
                   "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[[parameter]]\n"
                   "name = \"b\"\nlow = 1\nhigh = 2\n[grid]\ndesign = \"space-filling\"\nruns = "
                       + std::to_string(runs) + "\n[simulation]\ncommand = '" + command
                       + "'\nresult = \"out\"\n");
}

} // namespace

class RefineScatteredTest : public QObject
{
    Q_OBJECT

private slots:
    void theWishedErrorIsReachedAndConfirmed();
    void whatThePlanAsksForComesFirst();
    void howManyAreRunAtOnceDoesNotMatter();
    void noneIsBegunAfterItsTime();
    void nothingIsSaidOfRunsThatWereNotLookedAt();
    void itGoesAroundWhatFails();
    void placesAreSuggestedForRunsElsewhere();
    void whatCannotBeRefinedSaysWhy();
};

void RefineScatteredTest::theWishedErrorIsReachedAndConfirmed()
{
    const Folder folder;
    auto writer = plateStudy(folder / "s", 12);
    RefineStep step;
    step.until = 0.001; // more than the plan's twelve runs reach, so that it is looked at twice
    step.holdOuts = 5;
    step.jobs = 2;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::reached, refineText(report, step).c_str());
    QVERIFY(report.measured && *report.measured <= 0.001);
    QVERIFY(report.runs > 12 && report.runs < 200);
    QCOMPARE(writer.holdOuts().size(), std::size_t{5});
    QCOMPARE(report.runs, writer.trainingRuns().size() + 5);
    QVERIFY(writer.kriging(0) && writer.kriging(0)->model.runs == writer.trainingRuns().size());
    // The error was looked at on the way.
    const auto history = writer.errorHistory();
    QVERIFY(std::ranges::count(history, HistoryKind::leaveOneOut, &ErrorThen::kind) >= 2);
    // Nothing is run again for what is there.
    step.until = 0.5;
    step.holdOuts = 0;
    const auto again = refine(writer, step);
    QVERIFY2(again.end == RefineEnd::reached, refineText(again, step).c_str());
    QCOMPARE(again.runs, std::uint64_t{0});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void RefineScatteredTest::whatThePlanAsksForComesFirst()
{
    const Folder folder;
    auto writer = plateStudy(folder / "s", 24);
    QCOMPARE(refine(writer, forRuns(10)).runs, std::uint64_t{10});
    QCOMPARE(writer.trainingRuns().size(), std::size_t{10});
    const auto report = refine(writer, forRuns(20));
    QCOMPARE(report.runs, std::uint64_t{20}); // 14 that were lacking, and others
    QVERIFY(report.end == RefineEnd::runs);
    QCOMPARE(writer.trainingRuns().size(), std::size_t{30});
    QCOMPARE(writer.kriging(0)->model.runs, std::size_t{30});
    QVERIFY(report.estimate > 0);
    // Hold-outs count.
    auto step = forRuns(12);
    step.holdOuts = 4;
    const auto held = refine(writer, step);
    QCOMPARE(held.runs, std::uint64_t{12});
    QVERIFY(held.measured);
    QCOMPARE(writer.trainingRuns().size(), std::size_t{38});
    QCOMPARE(writer.holdOuts().size(), std::size_t{4});
}

void RefineScatteredTest::howManyAreRunAtOnceDoesNotMatter()
{
    const Folder folder;
    std::vector<Places> places;
    for (const int jobs : {1, 3}) {
        auto writer = plateStudy(folder / std::to_string(jobs), 8);
        auto step = forRuns(20);
        step.jobs = jobs;
        step.isDeterministic = jobs == 1;
        QCOMPARE(refine(writer, step).runs, std::uint64_t{20});
        places.push_back(placesOf(writer));
    }
    QVERIFY(places[0].size() == 20 && places[0] == places[1]);
}

void RefineScatteredTest::noneIsBegunAfterItsTime()
{
    const Folder folder;
    auto writer = commandStudy(folder / "s", 40, "sleep 0.3; echo {a} > out");
    RefineStep step;
    step.hours = 2.0 / 3600;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::time, refineText(report, step).c_str());
    QVERIFY2(report.runs >= 4 && report.runs <= 7, qPrintable(QString::number(report.runs)));
}

void RefineScatteredTest::nothingIsSaidOfRunsThatWereNotLookedAt()
{
    const Folder folder;
    auto writer = commandStudy(folder / "s", 20, "echo {a} > out");
    refine(writer, forRuns(20));
    RefineStep step;
    step.hours = 1.0 / 3600;
    const auto report = refine(writer, step);
    // Not noise, which errors of the runs before would look like.
    QVERIFY2(report.end == RefineEnd::time, refineText(report, step).c_str());
    QVERIFY(report.runs > 2);
    const auto history = writer.errorHistory();
    QCOMPARE(std::ranges::count(history, HistoryKind::leaveOneOut, &ErrorThen::kind), 2);
}

void RefineScatteredTest::itGoesAroundWhatFails()
{
    const Folder folder;
    auto writer =
        commandStudy(folder / "s", 10, "case {a} in 3*|4*) exit 3;; esac; echo {a} > out");
    RefineStep step;
    step.until = 0.01;
    step.runs = 60;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::reached, refineText(report, step).c_str());
    QVERIFY(report.failed >= 1 && report.failed <= 8);
    QCOMPARE(writer.trainingRuns().size(), std::size_t(report.runs));

    auto hopeless = commandStudy(folder / "none", 10, "exit 1");
    const auto none = refine(hopeless, step);
    QVERIFY2(none.end == RefineEnd::failures, refineText(none, step).c_str());
    QCOMPARE(none.failed, std::uint64_t{failuresToStop});
}

void RefineScatteredTest::placesAreSuggestedForRunsElsewhere()
{
    const Folder folder;
    auto imported = importedStudy(folder);
    RefineStep suggestion;
    suggestion.runs = 5;
    const auto report = suggestStep(imported, suggestion, control());
    QCOMPARE(report.runs, std::uint64_t{5});
    QVERIFY(report.points.empty());
    QCOMPARE(report.places, placesOf(imported));
    QVERIFY(report.places.size() == 5 && report.estimate > 0);
    for (const auto &place : report.places)
        imported.description().space.requireInside(place);
    // Not twice.
    QVERIFY(sentenceOf([&] { suggestStep(imported, suggestion, control()); }).find("wait")
            != std::string::npos);
}

void RefineScatteredTest::whatCannotBeRefinedSaysWhy()
{
    const Folder folder;
    auto writer = plateStudy(folder / "s", 5);
    auto at = forRuns(3);
    at.at = {0.5, 0.5};
    QVERIFY(sentenceOf([&] { refine(writer, at); }).find("for grids") != std::string::npos);
    auto few = forRuns(10);
    few.until = 0.1;
    few.holdOuts = 8;
    QVERIFY(sentenceOf([&] { refine(writer, few); }).find("at least 11 runs") != std::string::npos);
    QVERIFY(writer.plannedRuns().empty());

    auto imported = importedStudy(folder);
    QVERIFY(sentenceOf([&] { refine(imported, forRuns(3)); }).find("suggest") != std::string::npos);
    QVERIFY(imported.plannedRuns().empty());
}

GRIDHELM_TEST(RefineScatteredTest)
#include "tst_refine_scattered.moc"
