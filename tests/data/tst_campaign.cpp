// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans, runs, hold-outs and imports, with small plates, shell commands and a reader of text files.
#include "core/support/error.h"
#include "data/campaign/campaign.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/import_files.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/result_file.h"
#include "data/campaign/run_timing.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/study_plan.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"

#include <QtTest>

#include <random>

using namespace gridhelm;
using namespace gridhelm::data;

namespace {

const std::string plate =
    "[[parameter]]\nname = \"x\"\n[[parameter]]\nname = \"strength\"\n"
    "cap = 2\n[grid]\nlevel = 3\n"
    "[simulation]\nbuiltin = \"plate\"\nresolution = 9\nfixed = {width = 0.2}\n";

std::string commandPlan(const std::string &simulation)
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 2\n[simulation]\n"
           + simulation;
}

/// With a time-like parameter t beside a.
std::string timePlan(const std::string &simulation)
{
    return "[[parameter]]\nname = \"t\"\nlow = 0\nhigh = 2\nkind = \"time-like\"\n"
           + commandPlan(simulation);
}

/// Lines "time value", as a series of fields of one value.
void readSeries(const std::filesystem::path &path, const std::function<void(RunSnapshot)> &visit,
                const std::stop_token &)
{
    std::ifstream file(path);
    double time = 0;
    float value = 0;
    while (file >> time >> value)
        visit({time, {"test", "one", 1, 0}, {{"value", "", 1, Association::point, 1}}, {{value}}});
}

/// A number, as a field of one value.
void readNumber(const std::filesystem::path &path, const std::function<void(RunSnapshot)> &visit,
                const std::stop_token &)
{
    std::ifstream file(path);
    float value = 0;
    if (!(file >> value))
        throw Error("there is no number in " + path.string());
    visit({{}, {"test", "one", 1, 0}, {{"value", "", 1, Association::point, 1}}, {{value}}});
}

StudyWriter studyOf(const std::filesystem::path &path, const std::string &toml)
{
    return StudyWriter::create(path, parsePlan(toml, "plan", path.parent_path()).description);
}

CampaignReport runAll(StudyWriter &writer, const CampaignOptions &options = {},
                      const SnapshotReader &reader = readNumber)
{
    RunnerOptions runner;
    runner.workFolder = workFolderOf(writer.path());
    runner.reader = reader;
    return runCampaign(writer, *makeJobRunner(planOf(writer), runner), options);
}

std::string errorOf(const std::string &toml)
{
    try {
        parsePlan(toml, "p.toml", "/");
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace

class TestCampaign : public QObject
{
    Q_OBJECT

private slots:
    void badPlansNameLineAndKey_data()
    {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("part");
        const auto text = QString::fromStdString(plate);
        QTest::newRow("no TOML") << "a = = 1"
                                 << "line 1, is no TOML";
        QTest::newRow("empty") << ""
                               << "has no parameters";
        QTest::newRow("unknown key") << text + "colour = 1\n"
                                     << "colour is unknown";
        QTest::newRow("unknown parameter")
            << QString(text).replace("\"x\"", "\"z\"") << "line 2: [[parameter]] name 'z'";
        QTest::newRow("level") << QString(text).replace("level = 3", "level = 31") << "line 7";
        QTest::newRow("text as number")
            << QString(text).replace("cap = 2", "cap = \"2\"") << "[[parameter]] cap";
        QTest::newRow("simulation") << QString(text).replace("\"plate\"", "\"pan\"") << "builtin";
        QTest::newRow("placeholder")
            << QString::fromStdString(commandPlan("command = [\"./a\", \"{b}\"]\nresult = \"r\"\n"))
            << "there is no {b}";
        for (const QString name : {"job", "dir", "times", "last"})
            QTest::newRow(("named like {" + name + "}").toUtf8())
                << QString::fromStdString(commandPlan("command = [\"./a\"]\nresult = \"r\"\n"))
                       .replace("\"a\"", "\"" + name + "\"")
                << "line 2: [[parameter]] name is '" + name + "'";
        QTest::newRow("times without time") << QString::fromStdString(
            commandPlan("command = [\"./a\", \"{times}\"]\nresult = \"r\"\n"))
                                            << "no parameter is time-like";
        QTest::newRow("time in the command")
            << QString::fromStdString(commandPlan("command = './a {t}'\nresult = \"r\"\n"))
                   .replace("[grid]", "[[parameter]]\nname = \"t\"\nlow = 0\nhigh = 1\nkind = "
                                      "\"time-like\"\n[grid]")
            << "write {times}";
        QTest::newRow("cannot run")
            << "[[parameter]]\nname = \"F\"\n[[parameter]]\nname = \"psi\"\nlow = 0\nhigh = 3\n"
               "[grid]\nlevel = 3\n[simulation]\nbuiltin = \"folds\"\n"
            << "[simulation] builtin does not do";
    }
    void badPlansNameLineAndKey()
    {
        QFETCH(QString, toml);
        QFETCH(QString, part);
        const auto error = QString::fromStdString(errorOf(toml.toStdString()));
        QVERIFY2(error.contains(part), qPrintable(error));
    }

    void mutatedPlansAreReadOrRefused()
    {
        std::mt19937 random(7);
        for (int i = 0; i < 500; ++i) {
            auto text = plate;
            for (int k = 0; k < 3; ++k)
                text[random() % text.size()] = static_cast<char>(random() % 256);
            errorOf(text); // anything but gridhelm::Error fails the test
        }
    }

    void onlyKnownPlaceholdersAreFilled()
    {
        const PlaceholderValues values{{"a", "$(rm x) 'y'"}, {"b", "{a}"}};
        QCOMPARE(fillTemplate("p {type fixed;} {a}{b}{c} {", values),
                 std::string("p {type fixed;} $(rm x) 'y'{a}{c} {"));
        QCOMPARE(fillShellTemplate("echo {a}", values), std::string("echo '$(rm x) '\\''y'\\'''"));
    }

    void interruptedCampaignEndsLikeAnUninterruptedOne()
    {
        const test::Folder folder;
        // Every job takes far longer than it takes to hear that it shall stop.
        auto plan = timePlan("command = 'for t in {times}; do echo $t {a}; done > out; sleep 0.3'\n"
                             "result = \"out\"\n");
        plan.replace(plan.find("level = 2"), 9, "level = 4");
        auto whole = studyOf(folder / "whole.gridhelm", plan);
        CampaignOptions all;
        all.jobs = 8;
        QCOMPARE(runAll(whole, all, readSeries).failed, std::size_t(0));
        compress(whole, {});
        auto broken = studyOf(folder / "broken.gridhelm", plan);
        int cancelled = 0;
        for (int round = 0; round < 100; ++round) {
            std::size_t done = 0;
            CampaignOptions options;
            options.jobs = 2;
            options.progress = [&](const auto &progress) { done = progress.done; };
            options.cancelled = [&] { return done >= 1; };
            const auto report = runAll(broken, options, readSeries);
            if (!report.cancelled)
                break;
            ++cancelled;
            for (const auto &job : broken.jobs())
                QVERIFY(job.state == JobState::waiting || job.state == JobState::done);
            QVERIFY(!std::filesystem::exists(workFolderOf(folder / "broken.gridhelm")));
            if (!broken.fields().empty())
                compress(broken, {});
        }
        QVERIFY2(cancelled >= 2, qPrintable(QString::number(cancelled)));
        QCOMPARE(runAll(broken).waiting, std::size_t(0));
        compress(broken, {});
        QCOMPARE(test::allCoefficients(broken), test::allCoefficients(whole));
        broken.close();
        QCOMPARE(test::problemsOf(folder / "broken.gridhelm"), std::string());
    }

    /// Runs end in another order, and everything is shared out in another way.
    void aStudyIsTheSameWithAnyNumberOfThreads()
    {
        const test::Folder folder;
        const std::string plan = "[[parameter]]\nname = \"Re\"\n[[parameter]]\nname = \"t\"\n"
                                 "[grid]\nlevel = 4\n"
                                 "[simulation]\nbuiltin = \"cavity\"\nresolution = 17\n";
        std::vector<std::vector<std::vector<float>>> coefficients;
        std::vector<std::vector<ErrorFigure>> figures;
        for (const int threads : {1, 3, 16}) {
            auto writer = studyOf(folder / (std::to_string(threads) + ".gridhelm"), plan);
            RunStep run;
            run.jobs = threads;
            QCOMPARE(runStep(writer, run, {}).waiting, std::size_t(0));
            CompressStep compression;
            compression.context = test::onCpu(threads);
            compression.holdOuts = 12;
            QCOMPARE(compressStep(writer, compression, {}).holdOuts.done, std::size_t(12));
            coefficients.push_back(test::allCoefficients(writer));
            figures.push_back(writer.errorFigures());
        }
        for (std::size_t i = 1; i < coefficients.size(); ++i) {
            QVERIFY(coefficients[i] == coefficients[0]);
            QCOMPARE(figures[i].size(), figures[0].size());
            for (std::size_t k = 0; k < figures[0].size(); ++k) {
                QVERIFY(figures[i][k].parameters == figures[0][k].parameters);
                QVERIFY(figures[i][k].relativeL2 == figures[0][k].relativeL2);
                QVERIFY(figures[i][k].maximum == figures[0][k].maximum);
            }
        }
    }

    void pausedCampaignEndsJobsInFlightAndBeginsNoOthers()
    {
        const test::Folder folder;
        auto plan = commandPlan("command = 'sleep 0.5; echo {a} > out'\nresult = \"out\"\n");
        plan.replace(plan.find("level = 2"), 9, "level = 3");
        auto writer = studyOf(folder / "study.gridhelm", plan);
        CampaignOptions options;
        options.jobs = 2;
        options.pausing = [] { return true; };
        const auto report = runAll(writer, options);
        QVERIFY(report.paused && !report.cancelled);
        QCOMPARE(report.done, std::size_t(2)); // those that were on their way
        QCOMPARE(report.waiting, writer.jobs().size() - 2);
        options.pausing = {};
        options.jobs = 8;
        const auto rest = runAll(writer, options);
        QVERIFY(!rest.paused);
        QCOMPARE(rest.waiting, std::size_t(0));
        options.pausing = [] { return true; };
        QVERIFY(!runAll(writer, options).paused); // nothing was left out
    }

    void remainingTimeCountsRunsAtATime()
    {
        using State = RunTiming::State;
        const RunTiming ended{State::ended, 10, 1}, waiting{}, fresh{State::running, 4, 0};
        QCOMPARE(secondsRemaining({waiting, fresh}, 2), -1.0);
        QCOMPARE(secondsRemaining({ended, waiting, waiting, waiting, waiting}, 2), 20.0);
        QCOMPARE(secondsRemaining({ended, fresh}, 2), 6.0);
        QCOMPARE(secondsRemaining({{State::running, 10, 0.25}}, 1), 30.0);
        QCOMPARE(secondsRemaining({{State::failed, 0.1, 0}, ended, waiting}, 1), 10.0);
        QCOMPARE(secondsRemaining({ended, ended}, 2), 0.0);
    }

    void placeholdersAndTimesBearRoundOff()
    {
        QCOMPARE(numberText(0.1 + 0.2), std::string("0.3"));
        QCOMPARE(numberText(1e-5), std::string("1e-05"));
        Parameter time{"t", "s", 0.1, 0.5};
        QVERIFY(isSameTime(time, 0.4645432191644707, 0.464543));
        QVERIFY(isSameTime(time, 0.4645432191644707, 0.464542)); // cut off instead of rounded
        QVERIFY(!isSameTime(time, 0.3, 0.3001));
    }

    void timesAreArgumentsOfTheirOwnInAList()
    {
        const test::Folder folder;
        const std::string program = "#!/bin/sh\n"
                                    "all=$1; test \"$2\" = -t || exit 5; shift 2\n"
                                    "test $# -ge 3 || exit 6\n"
                                    "test \"$all\" = \"all: $*\" || exit 7\n"
                                    "for t in \"$@\"; do echo $t {a}; done > out\n";
        test::writeBytes(folder / "go", {program.begin(), program.end()});
        std::filesystem::permissions(folder / "go", std::filesystem::perms::owner_all);
        auto writer =
            studyOf(folder / "a.gridhelm",
                    timePlan("command = [\"./go\", \"all: {times}\", \"-t\", \"{times}\"]\n"
                             "templates = [\"go\"]\nresult = \"out\"\n"));
        const auto report = runAll(writer, {}, readSeries);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void resultsAreFoundByTheirNumbers_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QString>("found"); // a name, or a part of the sentence
        const auto row = [](const char *name, const QString &pattern, const QStringList &names,
                            const QString &found) {
            QTest::newRow(name) << pattern << names << found;
        };
        row("exact", "out_{t}.vti", {"out_0.6.vti", "out_0.600000.vti"}, "out_0.6.vti");
        row("six digits", "out_{t}.vti", {"out_0.600000.vti", "out_0.3.vti"}, "out_0.600000.vti");
        row("exponent", "out_{t}.vti", {"out_6e-01.vti"}, "out_6e-01.vti");
        row("capitals", "out_{t}.vti", {"out_6.0E-001.vti"}, "out_6.0E-001.vti");
        row("no zero", "{t}.vti", {"+.6000.vti"}, "+.6000.vti");
        row("round-off", "out_{t}.vti", {"out_0.6000000000000001.vti"},
            "out_0.6000000000000001.vti");
        row("tolerance", "out_{t}.vti", {"out_0.6000001.vti"}, "out_0.6000001.vti");
        row("beyond", "out_{t}.vti", {"out_0.60001.vti"}, "there is no result out_0.6.vti");
        row("nearest", "out_{t}.vti", {"out_0.600001.vti", "out_0.5999995.vti"},
            "out_0.5999995.vti");
        row("tie", "out_{t}.vti", {"out_6e-01.vti", "out_0.60.vti"},
            "there are 2 files for the result out_0.6.vti");
        row("other ending", "out_{t}.vti", {"out_0.60.vtu", "out_0.60"}, "there is no result");
        row("folder", "step_{t}/*.vti", {"step_0.60/some.vti", "step_0.7/some.vti"},
            "step_0.60/some.vti");
        row("two numbers", "a{a}_t{t}.vti", {"a2.00_t0.60.vti", "a2.00_t0.70.vti", "a3_t0.60.vti"},
            "a2.00_t0.60.vti");
        row("wildcard", "*_{t}_*.vti", {"x1_0.60_y2.vti", "x1_0.65_y2.vti"}, "x1_0.60_y2.vti");
        row("whole numbers", "*{t}*.vti", {"16e-01.vti", "6.5e-01.vti", "x6e-01y.vti"},
            "x6e-01y.vti");
        row("series", "out_*.vti", {"out_0.60.vti"}, "out_0.60.vti");
        row("hidden", "*{t}.vti", {".0.60.vti"}, "there is no result");
        row("no number", "out_{t}.vti", {"out_nan.vti", "out_inf.vti", "out_.vti", "out_-.vti"},
            "there is no result");
    }
    void resultsAreFoundByTheirNumbers()
    {
        QFETCH(QString, pattern);
        QFETCH(QStringList, names);
        QFETCH(QString, found);
        const test::Folder folder;
        for (const auto &name : names) {
            const auto path = folder / name.toStdString();
            std::filesystem::create_directories(path.parent_path());
            test::writeBytes(path, {});
        }
        const auto here = (folder / "x").parent_path();
        const std::vector<NamedNumber> numbers{{{"a", "", 0, 4}, 2}, {{"t", "", 0, 1}, 0.6}};
        std::string result;
        try {
            result = resultFile(here, pattern.toStdString(), {{"a", "2"}, {"t", "0.6"}}, numbers)
                         .lexically_relative(here)
                         .string();
        } catch (const Error &error) {
            result = error.what();
        }
        QVERIFY2(result == found.toStdString()
                     || (!names.contains(found) && result.find(found.toStdString()) != result.npos),
                 result.c_str());
    }

    void longNamesAndManyNumbersTakeNoTime()
    {
        const test::Folder folder;
        std::string name, pattern;
        for (int i = 0; i < 60; ++i)
            name += "1.0x";
        for (int i = 0; i < 20; ++i)
            pattern += "{t}*";
        test::writeBytes(folder / name, {});
        const std::vector<NamedNumber> numbers{{{"t", "", 0, 2}, 1}};
        QVERIFY_EXCEPTION_THROWN(
            resultFile((folder / "x").parent_path(), pattern + "y", {{"t", "1.00"}}, numbers),
            Error);
    }

    void commandsNameTheirResultsAsTheyPrintNumbers()
    {
        const test::Folder folder;
        auto writer =
            studyOf(folder / "a.gridhelm", timePlan("command = 'for t in {times}; do echo {a} > "
                                                    "$(printf out_%.4f_%.3e $t {a}); done'\n"
                                                    "result = \"out_{t}_{a}\"\n"));
        const auto report = runAll(writer);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void studiesWithParametersNamedLikePlaceholdersGoOn()
    {
        const test::Folder folder;
        auto plan = commandPlan("command = 'echo {dir} > out'\nresult = \"out\"\n");
        auto description = parsePlan(plan, "plan", "/").description;
        plan.replace(plan.find("\"a\""), 3, "\"dir\"");
        description.simulation = plan; // as an older version made it
        description.space = ParameterSpace({{"dir", "", 0, 4}});
        auto writer = StudyWriter::create(folder / "a.gridhelm", description);
        const auto report = runAll(writer);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
    }

    void failedCommandLeavesNothingButItsLog()
    {
        const test::Folder folder;
        // The first of its times is there, and read; the others are not.
        auto writer = studyOf(folder / "a.gridhelm",
                              timePlan("command = 'echo 0 {a} > out'\nresult = \"out\"\n"));
        const auto report = runAll(writer, {}, readSeries);
        QCOMPARE(report.done, std::size_t(0));
        QVERIFY2(report.firstFailure.find("lacks t = ") != std::string::npos,
                 report.firstFailure.c_str());
        QVERIFY(writer.fields().empty());
        QVERIFY(!writer.mesh());
    }

    void templatesAreFoldersLinksAndPrograms()
    {
        const test::Folder folder;
        std::filesystem::create_directories(folder / "case/deep");
        std::filesystem::create_directories(folder / "mesh");
        const std::string braces = "inlet { type fixed; value {a}; }\n{b} {}\n";
        test::writeBytes(folder / "case/deep/in", {braces.begin(), braces.end()});
        test::writeBytes(folder / "mesh/points", {'7'});
        std::filesystem::create_directory_symlink("../mesh", folder / "case/mesh");
        const std::string program = "#!/bin/sh\ntest $(cat case/mesh/points) = 7 || exit 5\n"
                                    "test \"$HOW\" = \"as {a}\" || exit 6\n"
                                    "test \"$GRIDHELM_JOB\" = {job} || exit 7\n"
                                    "test \"$PWD\" = \"{dir}\" || exit 8\n"
                                    "test \"$1 $2\" = 'two words $HOME' || exit 9\n"
                                    "grep 'value {a}; }' case/deep/in || exit 10\n"
                                    "grep '^{b} {}' case/deep/in || exit 11\n"
                                    "echo {a} > out-17.txt\n";
        test::writeBytes(folder / "go", {program.begin(), program.end()});
        std::filesystem::permissions(folder / "go", std::filesystem::perms::owner_all);
        auto writer = studyOf(folder / "it's a study.gridhelm",
                              commandPlan("command = [\"./go\", \"two\", \"words $HOME\"]\n"
                                          "templates = [\"case\", \"go\"]\n"
                                          "result = \"out-?[0-9].*\"\n"
                                          "environment = {HOW = \"as {a}\"}\n"));
        const auto report = runAll(writer);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void exitCodesOfShellsAreExplained()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "s.gridhelm",
                              commandPlan("command = 'no-such-solver {a}'\nresult = \"out\"\n"));
        const auto report = runAll(writer);
        QVERIFY2(report.firstFailure.find("127, which means that there is no such program")
                     != std::string::npos,
                 report.firstFailure.c_str());
    }

    void failedJobsKeepTheirLogAndRunAgain()
    {
        const test::Folder folder;
        const auto path = folder / "it's a study.gridhelm";
        auto writer = studyOf(path, commandPlan("command = 'echo working on {a}; test -e "
                                                "../../fixed || exit 3; echo {a} > out'\n"
                                                "result = \"out\"\n"));
        auto report = runAll(writer);
        QVERIFY(report.failed > 0 && report.done == 0);
        const auto log = writer.jobLog(report.firstFailed);
        QVERIFY2(log.find("working on") != log.npos && log.find("exit code 3") != log.npos,
                 log.c_str());
        test::writeBytes(folder / "fixed", {});
        QCOMPARE(runAll(writer).done, std::size_t(0)); // not without being asked
        CampaignOptions again;
        again.retryFailed = true;
        QCOMPARE(runAll(writer, again).failed, std::size_t(0));
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void timeLimitEndsTheWholeProcessGroupAndOtherJobsGoOn()
    {
        const test::Folder folder;
        // At a = 2 alone: a grandchild that ignores the polite signal would write later.
        auto writer = studyOf(
            folder / "a.gridhelm",
            commandPlan("command = 'echo {a} > out; if [ {a} = 2 ]; then (trap \"\" TERM; sleep 4; "
                        "touch ../../survived) & sleep 60; fi'\nresult = \"out\"\n"
                        "time-limit = 0.5\n"));
        const auto report = runAll(writer);
        QCOMPARE(report.failed, std::size_t(1));
        QCOMPARE(report.done, writer.jobs().size() - 1);
        QVERIFY2(report.firstFailure.find("longer than its time limit of 0.5 s")
                     != std::string::npos,
                 report.firstFailure.c_str());
        QTest::qWait(4500);
        QVERIFY(!std::filesystem::exists(folder / "survived"));
    }

    void importedFilesBecomePointsOrHoldOuts()
    {
        const test::Folder folder;
        auto toml = commandPlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = studyOf(folder / "a.gridhelm", toml);
        for (const std::string name : {"p", "q"})
            test::writeBytes(folder / name, {'1'});
        const auto rows =
            parseImportTable("a,file\n2.0000001,p\n0.3,q\n", "t.csv", (folder / "p").parent_path(),
                             writer.description().space, {});
        const auto report = importFiles(writer, rows, {}, readNumber);
        QCOMPARE(report.stored, std::uint64_t(1));
        QCOMPARE(report.holdOuts, std::uint64_t(1));
        QCOMPARE(report.missing.size(), writer.grid()->points() - 1);
        QCOMPARE(importFiles(writer, rows, {}, readNumber).alreadyThere, std::uint64_t(2));
    }

    void stoppedImportKeepsNothingOfTheFile()
    {
        const test::Folder folder;
        auto toml = timePlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = studyOf(folder / "a.gridhelm", toml);
        const std::string series = "0 1\n1 3\n";
        test::writeBytes(folder / "p", {series.begin(), series.end()});
        const auto rows = parseImportTable("a,file\n2,p\n", "t.csv", (folder / "p").parent_path(),
                                           writer.description().space, {});
        const auto report = importFiles(writer, rows, {},
                                        [](const auto &path, const auto &visit, const auto &stop) {
                                            readSeries(path, visit, stop);
                                            throw ReadingStopped();
                                        });
        QVERIFY(report.cancelled);
        QCOMPARE(report.stored, std::uint64_t(0));
        QCOMPARE(report.missing.size(), writer.grid()->points());
        QVERIFY(writer.fields().empty());
        QCOMPARE(importFiles(writer, rows, {}, readSeries).stored, std::uint64_t(2));
    }

    void importOfSeriesTakesTheTimesOfTheGrid()
    {
        const test::Folder folder;
        auto toml = timePlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = studyOf(folder / "a.gridhelm", toml);
        const std::string series = "0 1\n0.3 1\n0.500001 2\n1 3\n1.5 4\n2 5\n2.5 6\n";
        for (const std::string name : {"p", "q"})
            test::writeBytes(folder / name, {series.begin(), series.end()});
        const auto rows =
            parseImportTable("a,file\n2,p\n0.3,q\n", "t.csv", (folder / "p").parent_path(),
                             writer.description().space, {});
        const auto report = importFiles(writer, rows, {}, readSeries);
        QCOMPARE(report.stored, std::uint64_t(5));
        QCOMPARE(report.leftOut, std::uint64_t(3));  // 0.3, and twice 2.5
        QCOMPARE(report.holdOuts, std::uint64_t(6)); // off the grid with every time in the range
        ImportOptions all;
        all.allTimes = true;
        const auto again = importFiles(writer, rows, all, readSeries);
        QCOMPARE(again.stored, std::uint64_t(0));
        QCOMPARE(again.holdOuts, std::uint64_t(1));
    }

    void badTablesNameTheLine_data()
    {
        QTest::addColumn<QByteArray>("csv");
        QTest::addColumn<QString>("part");
        QTest::newRow("empty") << QByteArray("") << "t.csv is empty";
        QTest::newRow("no rows") << QByteArray("a,file\n") << "t.csv has no rows";
        QTest::newRow("unknown column") << QByteArray("b,file\n1,p\n") << "line 1: 'b'";
        QTest::newRow("semicolons") << QByteArray("a;file\n1;p\n") << "separated by commas";
        QTest::newRow("no parameter") << QByteArray("file\np\n") << "line 1: there is no column a";
        QTest::newRow("no file column") << QByteArray("a\n1\n") << "no column 'file'";
        QTest::newRow("column twice") << QByteArray("a,a,file\n1,1,p\n") << "stands there twice";
        QTest::newRow("cells") << QByteArray("a,file\n1,p,3\n") << "line 2: there are 3 cells";
        QTest::newRow("no number") << QByteArray("a,file\n\n1e,p\n") << "line 3: '1e'";
        QTest::newRow("infinite") << QByteArray("a,file\ninf,p\n") << "no finite number";
        QTest::newRow("open quote") << QByteArray("a,file\n1,\"p\n") << "line 2: a quote";
        QTest::newRow("no name") << QByteArray("a,file\n1,\n") << "line 2: there is no file name";
        QTest::newRow("zero byte") << QByteArray("a,file\n1,p\0q\n", 13) << "line 2";
        QTest::newRow("missing file")
            << QByteArray("a,file\n2,p\n1,z\n") << "line 3: there is no file";
        QTest::newRow("folder") << QByteArray("a,file\n1,.\n") << "line 2: there is no file";
        QTest::newRow("twice") << QByteArray("a,file\n2,p\n2.0000001,p\n")
                               << "line 3: a=2.0000001 stands in t.csv, line 2 already";
        QTest::newRow("hold-out twice") << QByteArray("a,file\n0.3,p\n0.3,p\n") << "line 3: a=0.3";
        QTest::newRow("out of range")
            << QByteArray("a,file\n4.1,p\n") << "line 2: a = 4.1 is out of its range, 0 to 4";
        QTest::newRow("unreadable") << QByteArray("a,file\n1,p\n0.3,q\n") << "line 3";
    }
    void badTablesNameTheLine()
    {
        QFETCH(QByteArray, csv);
        QFETCH(QString, part);
        const test::Folder folder;
        auto toml = commandPlan("");
        toml.resize(toml.find("[simulation]"));
        auto writer = studyOf(folder / "a.gridhelm", toml);
        test::writeBytes(folder / "p", {'1'});
        test::writeBytes(folder / "q", {'x'});
        QString message;
        try {
            const auto rows =
                parseImportTable(csv.toStdString(), "t.csv", (folder / "p").parent_path(),
                                 writer.description().space, {});
            importFiles(writer, rows, {}, readNumber);
        } catch (const Error &error) {
            message = error.what();
        }
        QVERIFY2(message.contains(part), qPrintable(message));
        QVERIFY(part == "line 3" || writer.fields().empty()); // nothing is stored in vain
    }

    void tablesOfOtherProgramsAreRead()
    {
        const ParameterSpace space({{"a", "", 0, 4}});
        const auto rows = parseImportTable("\xEF\xBB\xBF \"file\" ,a\r\n# comment\r\n\r\n"
                                           "\"dir, one/p\"\"q\", 2.5e0 \r\n",
                                           "t.csv", "/x", space, {});
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].file, std::filesystem::path("/x/dir, one/p\"q"));
        QCOMPARE(rows[0].parameters, std::vector<double>{2.5});
        QCOMPARE(rows[0].place, std::string("t.csv, line 4"));
    }
};

QTEST_GUILESS_MAIN(TestCampaign)
#include "tst_campaign.moc"
