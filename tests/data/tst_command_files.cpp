// SPDX-License-Identifier: GPL-3.0-or-later
//
// What commands are given, and which of their files are the results.
#include "core/support/error.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/result_file.h"
#include "tests/data/small_campaigns.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>

using namespace gridhelm;
using namespace gridhelm::data;

class CommandFilesTest : public QObject
{
    Q_OBJECT

private slots:
    void onlyKnownPlaceholdersAreFilled()
    {
        const PlaceholderValues values{{"a", "$(rm x) 'y'"}, {"b", "{a}"}};
        QCOMPARE(fillTemplate("p {type fixed;} {a}{b}{c} {", values),
                 std::string("p {type fixed;} $(rm x) 'y'{a}{c} {"));
        QCOMPARE(fillShellTemplate("echo {a}", values), std::string("echo '$(rm x) '\\''y'\\'''"));
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
        auto writer = test::studyOf(
            folder / "a.gridhelm",
            test::timePlan("command = [\"./go\", \"all: {times}\", \"-t\", \"{times}\"]\n"
                           "templates = [\"go\"]\nresult = \"out\"\n"));
        const auto report = test::runAll(writer, {}, test::readSeries);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void whatTheCommandDidNotWriteIsNoResult_data()
    {
        QTest::addColumn<QString>("command"); // of sh -c
        QTest::addColumn<QString>("result");
        QTest::addColumn<bool>("isResult");
        const auto row = [](const char *name, const QString &command, const QString &result,
                            bool isResult) {
            QTest::newRow(name) << command << result << isResult;
        };
        row("a template that is left alone", "true", "case/out", false);
        row("a template that is written to", "echo {a} > case/out", "case/out", true);
        row("a template that is replaced", "echo {a} > o; mv o case/out", "case/out", true);
        row("a template that is filled in", "true", "filled", true);
        row("the same again", "cp case/out o; mv o case/out; touch case/out", "case/out", true);
        row("a new file", "echo {a} > new", "new", true);
        row("an old file elsewhere", "true", "@/elsewhere", false);
        row("a file elsewhere that is written to", "echo {a} > o; mv o @/elsewhere", "@/elsewhere",
            true);
        row("a link to an old file", "ln -s @/elsewhere new", "new", false);
    }
    void whatTheCommandDidNotWriteIsNoResult()
    {
        QFETCH(QString, command);
        QFETCH(QString, result);
        QFETCH(bool, isResult);
        const test::Folder folder;
        const auto here = QString::fromStdString((folder / "x").parent_path().string());
        std::filesystem::create_directory(folder / "case");
        for (const auto &old : {folder / "case/out", folder / "elsewhere"}) {
            test::writeBytes(old, {'7'});
            std::filesystem::last_write_time(old, std::filesystem::file_time_type::clock::now()
                                                      - std::chrono::hours(1));
        }
        const auto toml =
            test::commandPlan(QString("command = \"%1\"\ntemplates = [\"case\", \"filled\"]\n"
                                      "result = \"%2\"\n")
                                  .arg(command, result)
                                  .replace('@', here)
                                  .toStdString());
        const std::string placeholder = "{a}";
        test::writeBytes(folder / "filled", {placeholder.begin(), placeholder.end()});
        auto writer = test::studyOf(folder / "a.gridhelm", toml);
        RunnerOptions options;
        options.workFolder = workFolderOf(writer.path());
        options.reader = test::readNumber;
        const auto plan =
            parsePlan(toml, "plan", here.toStdString()); // made here, not in the study
        const auto report = runCampaign(writer, *makeJobRunner(plan, options), {});
        QVERIFY2((report.failed == 0) == isResult, report.firstFailure.c_str());
        if (!isResult)
            QVERIFY2(report.firstFailure.find("was there before the job began")
                         != std::string::npos,
                     report.firstFailure.c_str());
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
        auto writer = test::studyOf(folder / "a.gridhelm",
                                    test::timePlan("command = 'for t in {times}; do echo {a} > "
                                                   "$(printf out_%.4f_%.3e $t {a}); done'\n"
                                                   "result = \"out_{t}_{a}\"\n"));
        const auto report = test::runAll(writer);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }

    void studiesWithParametersNamedLikePlaceholdersGoOn()
    {
        const test::Folder folder;
        auto plan = test::commandPlan("command = 'echo {dir} > out'\nresult = \"out\"\n");
        auto description = parsePlan(plan, "plan", "/").description;
        plan.replace(plan.find("\"a\""), 3, "\"dir\"");
        description.simulation = plan; // as an older version made it
        description.space = ParameterSpace({{"dir", "", 0, 4}});
        auto writer = StudyWriter::create(folder / "a.gridhelm", description);
        const auto report = test::runAll(writer);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
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
        auto writer =
            test::studyOf(folder / "it's a study.gridhelm",
                          test::commandPlan("command = [\"./go\", \"two\", \"words $HOME\"]\n"
                                            "templates = [\"case\", \"go\"]\n"
                                            "result = \"out-?[0-9].*\"\n"
                                            "environment = {HOW = \"as {a}\"}\n"));
        const auto report = test::runAll(writer);
        QVERIFY2(report.failed == 0, report.firstFailure.c_str());
        QCOMPARE(writer.missingPoints(0), std::uint64_t(0));
    }
};

GRIDHELM_TEST(CommandFilesTest)
#include "tst_command_files.moc"
