// SPDX-License-Identifier: GPL-3.0-or-later
//
// kill -9 of gridhelm-cli at random moments: the study opens, is sound, loses at most the jobs in
// flight, and ends as if nothing had happened.
#include "tests/app/cli_process.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

#include <csignal>
#include <fstream>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr int jobsAtATime = 2;

/// Many short jobs, and snapshots that take several pages.
const char *const plate = R"(
[[parameter]]
name = "x"
[[parameter]]
name = "strength"
[grid]
level = 6
[simulation]
builtin = "plate"
resolution = 65
fixed = {width = 0.2}
)";

/// One run gives all times.
const char *const cavity = R"(
[[parameter]]
name = "Re"
low = 10
high = 40
[[parameter]]
name = "t"
low = 0.1
high = 0.2
kind = "time-like"
[grid]
level = 4
[simulation]
builtin = "cavity"
resolution = 9
)";

/// A script that starts programs, which write files.
const char *const command = R"(
[[parameter]]
name = "a"
low = 1
high = 2
[[parameter]]
name = "b"
low = 1
high = 3
cap = 2
[grid]
level = 4
[simulation]
command = '''
printf '# vtk DataFile Version 3.0\nplate\nASCII\nDATASET STRUCTURED_POINTS\n' > out.vtk
printf 'DIMENSIONS 40 40 1\nORIGIN 0 0 0\nSPACING 1 1 1\n' >> out.vtk
printf 'POINT_DATA 1600\nSCALARS u float 1\nLOOKUP_TABLE default\n' >> out.vtk
awk 'BEGIN {for (i = 0; i < 1600; ++i) print sin({a} * i) / {b}}' >> out.vtk
'''
result = "out.vtk"
)";

std::size_t countJobs(const Study &study, JobState state)
{
    const auto jobs = study.jobs();
    return static_cast<std::size_t>(std::ranges::count(jobs, state, &Job::state));
}

std::size_t jobsDone(const std::filesystem::path &path)
{
    return countJobs(Study::open(path), JobState::done);
}

struct Killed
{
    bool wasKilled = false;
    bool wentWell = false;      ///< if it was not
    std::size_t doneBefore = 0; ///< jobs, right before
    QByteArray err;
};

/// Runs gridhelm-cli in the folder, and kills it after so many milliseconds.
Killed runAndKill(const Folder &folder, const QString &line, double milliseconds,
                  const std::filesystem::path &study)
{
    QProcess process;
    process.setWorkingDirectory(QString::fromStdString((folder / "").string()));
    process.start(QString(paths::cli), QProcess::splitCommand(line));
    process.closeWriteChannel();
    Killed result;
    if (!process.waitForFinished(static_cast<int>(milliseconds))) {
        result.doneBefore = jobsDone(study);
        process.kill();
        process.waitForFinished(-1);
    }
    result.wasKilled = process.exitStatus() == QProcess::CrashExit;
    result.wentWell = !result.wasKilled && process.exitCode() == 0;
    result.err = process.readAllStandardError();
    return result;
}

bool isAlive(qint64 process)
{
    // A zombie that nobody has waited for is as good as gone.
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string id, name, state;
    return status >> id >> name >> state && state != "Z";
}

} // namespace

class CliKillTest : public QObject
{
    Q_OBJECT

private:
    int m_seed = 1;

private slots:
    void initTestCase()
    {
        if (isLong())
            m_seed = static_cast<int>(QDateTime::currentSecsSinceEpoch() % 1'000'000);
        m_seed = qEnvironmentVariableIntValue("GRIDHELM_TEST_SEED") > 0
                     ? qEnvironmentVariableIntValue("GRIDHELM_TEST_SEED")
                     : m_seed;
        qInfo("GRIDHELM_TEST_SEED=%d", m_seed);
    }

    void killedAtAnyMomentTheCampaignGoesOn_data()
    {
        QTest::addColumn<QString>("plan");
        QTest::addColumn<int>("kills"); // of 100 in the long form
        QTest::newRow("plate") << plate << 50;
        QTest::newRow("cavity") << cavity << 20;
#ifdef GRIDHELM_HAS_VTK
        QTest::newRow("command") << command << 30;
#endif
    }
    void killedAtAnyMomentTheCampaignGoesOn()
    {
        QFETCH(QString, plan);
        QFETCH(int, kills);
        if (!isLong())
            kills = 2;
        const Folder folder;
        const auto here = QString::fromStdString((folder / "").string());
        std::ofstream(folder / "plan.toml") << plan.toStdString();
        QCOMPARE(runCli("plan plan.toml --out planned.gridhelm", {}, here).exitCode, 0);

        const QString run = "run %1 --jobs 2", compress = "compress %1 --holdout 3";
        std::filesystem::copy_file(folder / "planned.gridhelm", folder / "whole.gridhelm");
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(runCli(run.arg("whole.gridhelm"), {}, here).exitCode, 0);
        const auto runTime = static_cast<double>(timer.restart());
        QCOMPARE(runCli(compress.arg("whole.gridhelm"), {}, here).exitCode, 0);
        const auto compressTime = static_cast<double>(timer.elapsed());
        const auto whole = contentsOf(Study::open(folder / "whole.gridhelm"));

        Random random(static_cast<std::uint64_t>(m_seed));
        int killed = 0, finished = 0;
        // Enough rounds that commands are also killed that a kill has interrupted before.
        for (int round = 0; killed < kills && round < 10 * kills; ++round) {
            const auto name = "killed" + std::to_string(round) + ".gridhelm";
            const auto path = folder / name;
            std::filesystem::copy_file(folder / "planned.gridhelm", path);
            std::size_t doneBefore = 0;
            int killedRuns = 0;
            for (const auto &line : {run, compress}) {
                const double time = line == run ? runTime : compressTime;
                for (bool isDone = false; !isDone;) {
                    const auto result = runAndKill(folder, line.arg(QString::fromStdString(name)),
                                                   random.real(0, 0.9) * time, path);
                    isDone = !result.wasKilled;
                    QVERIFY2(result.wasKilled || result.wentWell, result.err);
                    killed += result.wasKilled ? 1 : 0;
                    killedRuns += result.wasKilled && line == run ? 1 : 0;
                    QCOMPARE(problemsOf(path), std::string());
                    const auto study = Study::open(path);
                    const auto done = countJobs(study, JobState::done);
                    QVERIFY(done >= doneBefore && done >= result.doneBefore);
                    QVERIFY(countJobs(study, JobState::running) <= jobsAtATime);
                    for (const auto &job : study.jobs())
                        QVERIFY2(job.state != JobState::failed, study.jobLog(job.id).c_str());
                    doneBefore = done;
                }
            }
            ++finished;
            // What was done once is never run again; what was in flight is.
            int attempts = 0;
            const auto jobs = Study::open(path).jobs();
            for (const auto &job : jobs)
                attempts += job.attempts;
            QVERIFY(attempts <= static_cast<int>(jobs.size()) + jobsAtATime * killedRuns);
            // A copy of the one file is the study.
            std::filesystem::copy_file(path, folder / "copy");
            QCOMPARE(differenceOf(whole, contentsOf(Study::open(folder / "copy"))), std::string());
            QCOMPARE(problemsOf(folder / "copy"), std::string());
            for (const auto &file : {path, folder / "copy"})
                std::filesystem::remove(file);
            // No log, no lock, no journal, no folder of a command is left behind.
            for (const auto &entry : std::filesystem::directory_iterator(folder / ""))
                QVERIFY2(!entry.path().filename().string().starts_with("killed"),
                         entry.path().c_str());
        }
        qInfo("%d kills, %d studies finished", killed, finished);
        QVERIFY(killed >= kills && finished > 0);
    }

    void killedWhilePlanningThereIsAStudyOrNone()
    {
        const Folder folder;
        const auto here = QString::fromStdString((folder / "").string());
        std::ofstream(folder / "plan.toml") << plate;
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(runCli("plan plan.toml --out p.gridhelm", {}, here).exitCode, 0);
        const auto time = static_cast<double>(timer.elapsed());
        Random random(static_cast<std::uint64_t>(m_seed));
        for (int round = 0; round < (isLong() ? 50 : 3); ++round) {
            std::filesystem::remove(folder / "p.gridhelm");
            QProcess process;
            process.setWorkingDirectory(here);
            process.start(QString(paths::cli),
                          {"plan", "plan.toml", "--out", "p.gridhelm"});
            process.waitForFinished(static_cast<int>(random.real(0.2, 1.1) * time));
            process.kill();
            process.waitForFinished(-1);
            if (std::filesystem::exists(folder / "p.gridhelm"))
                QCOMPARE(problemsOf(folder / "p.gridhelm"), std::string());
            else
                QCOMPARE(runCli("plan plan.toml --out p.gridhelm", {}, here).exitCode, 0);
        }
    }

    /// Whatever a command has started ends with the campaign, and the next one can begin at once.
    void killedCampaignsLeaveNobodyBehind()
    {
        const Folder folder;
        const auto here = QString::fromStdString((folder / "").string());
        std::filesystem::create_directory(folder / "pids");
        std::ofstream(folder / "plan.toml")
            << "[[parameter]]\nname = \"a\"\nlow = 1\nhigh = 2\n[grid]\nlevel = 2\n[simulation]\n"
               "command = '''sh -c 'echo $$ > ../../pids/$GRIDHELM_JOB.new\n"
               "mv ../../pids/$GRIDHELM_JOB.new ../../pids/$GRIDHELM_JOB; sleep 100'\necho {a}'''\n"
               "result = \"out.vtk\"\n";
        const auto planned = runCli("plan plan.toml --out p.gridhelm", {}, here);
        QVERIFY2(planned.exitCode == 0, planned.err);
        QProcess process;
        process.setWorkingDirectory(here);
        process.start(QString(paths::cli), {"run", "p.gridhelm", "--jobs", "2"});
        std::vector<qint64> processes;
        QTRY_VERIFY_WITH_TIMEOUT(([&] {
                                     processes.clear();
                                     for (const auto &entry :
                                          std::filesystem::directory_iterator(folder / "pids")) {
                                         if (entry.path().extension() != ".new") {
                                             std::ifstream file(entry.path());
                                             processes.emplace_back();
                                             file >> processes.back();
                                         }
                                     }
                                     return processes.size() == jobsAtATime;
                                 }()),
                                 30'000);
        for (auto id : processes)
            QVERIFY(isAlive(id));
        process.kill();
        process.waitForFinished(-1);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::none_of(processes, isAlive), 10'000);
        StudyWriter::open(folder / "p.gridhelm").close();
    }
};

GRIDHELM_TEST(CliKillTest)
#include "tst_cli_kill.moc"
