// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plans, runs, hold-outs and imports, with small plates, shell commands and a reader of text files.
#include "core/support/error.h"
#include "data/campaign/campaign.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/import_files.h"
#include "data/campaign/plan_cost.h"
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

/// A number, as a field of one value.
void readNumber(const std::filesystem::path &path, const std::function<void(RunSnapshot)> &visit)
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

CampaignReport runAll(StudyWriter &writer, CampaignOptions options = {})
{
    RunnerOptions runner;
    runner.workFolder = workFolderOf(writer.path());
    runner.reader = readNumber;
    return runCampaign(writer, *makeJobRunner(planOf(writer.description()), runner), options);
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
        auto whole = studyOf(folder / "whole.gridhelm", plate);
        QCOMPARE(runAll(whole).failed, std::size_t(0));
        compress(whole, {});
        auto broken = studyOf(folder / "broken.gridhelm", plate);
        int rounds = 0;
        for (; rounds < 100; ++rounds) {
            std::size_t done = 0;
            CampaignOptions options;
            options.jobs = 2;
            options.progress = [&](const auto &progress) { done = progress.done; };
            options.cancelled = [&] { return done >= 1; };
            compress(broken, {});
            if (!runAll(broken, options).cancelled)
                break;
        }
        QCOMPARE(runAll(broken).waiting, std::size_t(0));
        compress(broken, {});
        QCOMPARE(test::allCoefficients(broken), test::allCoefficients(whole));
        broken.close();
        QCOMPARE(test::problemsOf(folder / "broken.gridhelm"), std::string());
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

    void timeLimitEndsTheCommand()
    {
        const test::Folder folder;
        auto writer = studyOf(folder / "a.gridhelm", commandPlan("command = 'sleep 60; true'\n"
                                                                 "result = \"out\"\n"
                                                                 "time-limit = 0.1\n"));
        const auto report = runAll(writer);
        QCOMPARE(report.done, std::size_t(0));
        QVERIFY(report.firstFailure.find("time limit") != std::string::npos);
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
};

QTEST_GUILESS_MAIN(TestCampaign)
#include "tst_campaign.moc"
