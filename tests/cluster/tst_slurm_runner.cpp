// SPDX-License-Identifier: GPL-3.0-or-later
//
// Campaigns on a Slurm: every run is run once, stored, and nothing is left of it there.
#include "data/campaign/campaign.h"
#include "data/campaign/cluster/slurm_cluster.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/run_token.h"
#include "data/study/check.h"
#include "tests/cluster/slurm_on_loopback.h"
#include "tests/core/expect_error.h"
#include "tests/data/small_campaigns.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <chrono>
#include <string>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class TestSlurmRunner : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void everyRunIsRunOnceAndStored();
    void aGreetingDoesNotMatter();
    void whatFailsSaysWhy();
    void stoppedCampaignsLeaveRunsThatAreTakenUpAgain();
    void whatIsCancelledThereHasFailed();
    void runsThatWereNeverSubmittedAreLost();
    void whatSlurmRefusesIsASentence();
    void stoppedHoldOutsAreTakenUpAgain();
    void leftoversOfStoredRunsAreRemoved();
    void whatArrivesLateIsNeverRun();
    void hostsThatCannotBeReachedAreASentence();
    void aSilentClusterIsSaidOnceAndAgainWhenItAnswers();
    void whoWaitsForGoodHearsWhy();
    void oldLeftoversAreRemoved();

private:
    /// With `command`, which counts itself: a line in the file "ran" for each run.
    StudyWriter study(const std::filesystem::path &path, const std::string &command,
                      const std::string &run = {}) const
    {
        return studyOf(path, "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[grid]\nlevel = 3\n"
                             "[simulation]\ncommand = '''echo {job} >>$HOME/ran; "
                                 + command
                                 + "'''\nresult = \"out\"\n[run]\non = \"slurm\"\nhost = \""
                                 + SlurmOnLoopback::host().toStdString()
                                 + "\"\nfolder = \"runs\"\npoll = 0.3\n" + run);
    }
    QByteArray ran() const
    {
        QFile file(m_cluster.home() + "/ran");
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Folders of runs that are there.
    QStringList left() const
    {
        return QDir(m_cluster.home() + "/runs").entryList({"job-*"}, QDir::Dirs);
    }

    SlurmOnLoopback m_cluster;
};

void TestSlurmRunner::initTestCase()
{
    GRIDHELM_NEEDS_SLURM(m_cluster);
    qputenv("PATH", m_cluster.environment().value("PATH").toUtf8());
}

void TestSlurmRunner::cleanup()
{
    QFile::remove(m_cluster.home() + "/ran");
    QDir(m_cluster.home() + "/runs").removeRecursively();
    QFile::remove(m_cluster.home() + "/.bashrc");
}

void TestSlurmRunner::everyRunIsRunOnceAndStored()
{
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out");
    const auto report = runAll(writer);
    QCOMPARE(report.failed, std::size_t{0});
    QCOMPARE(report.done, std::size_t{7});
    QCOMPARE(ran().count('\n'), 7);
    QCOMPARE(writer.pointsWithSnapshots().size(), std::size_t{7});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QCOMPARE(left(), QStringList());
    QCOMPARE(QDir(m_cluster.home() + "/runs/batches").entryList({"batch-*"}, QDir::Dirs),
             QStringList());
    QVERIFY(!std::filesystem::exists(workFolderOf(folder / "s")));
}

void TestSlurmRunner::aGreetingDoesNotMatter()
{
    QFile greeting(m_cluster.home() + "/.bashrc");
    QVERIFY(greeting.open(QIODevice::WriteOnly));
    greeting.write("echo Welcome to the cluster\necho queue RUNNING 0 batch-1\n");
    greeting.close();
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out");
    QCOMPARE(runAll(writer).done, std::size_t{7});
}

void TestSlurmRunner::whatFailsSaysWhy()
{
    const Folder folder;
    auto writer = study(folder / "s", "echo on {a}; echo {a} >out; test {a} != 2 || exit 3");
    const auto report = runAll(writer);
    QCOMPARE(report.done, std::size_t{6});
    QCOMPARE(report.failed, std::size_t{1});
    const auto log = writer.jobLog(report.firstFailed);
    QVERIFY2(log.starts_with("on 2\n"), log.c_str());
    QVERIFY2(log.find("gridhelm: the command ended with exit code 3") != std::string::npos,
             log.c_str());
    QCOMPARE(ran().count('\n'), 7);
}

void TestSlurmRunner::stoppedCampaignsLeaveRunsThatAreTakenUpAgain()
{
    const Folder folder;
    auto writer = study(folder / "s", "while [ ! -e $HOME/go ]; do sleep 0.1; done; echo {a} >out");
    CampaignOptions options;
    options.cancelled = [this] { return ran().count('\n') > 0; };
    const auto stopped = runAll(writer, options);
    QVERIFY(stopped.cancelled);
    QCOMPARE(stopped.done, std::size_t{0});
    QCOMPARE(writer.submissions().size(), std::size_t{7});
    writer.close();

    QFile go(m_cluster.home() + "/go");
    QVERIFY(go.open(QIODevice::WriteOnly));
    go.close();
    auto again = StudyWriter::open(folder / "s");
    const auto report = runAll(again);
    QCOMPARE(report.adopted, std::size_t{7});
    QCOMPARE(report.done, std::size_t{7});
    QCOMPARE(ran().count('\n'), 7);
    QCOMPARE(left(), QStringList());
}

void TestSlurmRunner::whatIsCancelledThereHasFailed()
{
    const Folder folder;
    // Whoever of the command hears of it first: nothing is written after it.
    auto writer = study(folder / "s", "test {a} != 2 || sleep 600 || exit 143; echo {a} >out");
    CampaignOptions options;
    options.cancelled = [this] { // once all others have ended
        const auto running = m_cluster.there("squeue -h -r -t R -o %i").out.simplified();
        if (ran().count('\n') == 7 && running.count('_') == 1)
            m_cluster.there("scancel " + running);
        return false;
    };
    const auto report = runAll(writer, options);
    QCOMPARE(report.done, std::size_t{6});
    QCOMPARE(report.failed, std::size_t{1});
    const auto log = writer.jobLog(report.firstFailed);
    QVERIFY2(log.find("it was cancelled on the cluster") != std::string::npos
                 || log.find("exit code 143") != std::string::npos,
             log.c_str());
}

void TestSlurmRunner::runsThatWereNeverSubmittedAreLost()
{
    auto plan = slurmRunPlan();
    plan.settings["host"] = SlurmOnLoopback::host().toStdString();
    plan.settings["folder"] = std::string("runs");
    const SlurmCluster cluster(slurmSettings(plan));
    const auto facts = cluster.contact();
    QCOMPARE(facts.lacks.size(), std::size_t{0});
    QVERIFY(facts.folder.ends_with("/runs"));
    QVERIFY(facts.version.starts_with("slurm"));
    const std::vector<std::string> tokens{"job-1-0123456789abcdef"};
    QVERIFY(cluster.look(facts.folder, tokens)->front().place == RunSeen::Place::nowhere);
    QVERIFY(cluster.claim(facts.folder, tokens).front());
    QVERIFY(cluster.look(facts.folder, tokens)->front().place == RunSeen::Place::claimed);
    // An order for it that arrives later is refused, and nothing runs.
    const RunParcel parcel{
        tokens.front(), {"/bin/sh", "-c", "echo late >>$HOME/ran"}, {}, [](const auto &) {}};
    QVERIFY(isRefused(
        [&] {
            cluster.submit(facts.folder, {&parcel, 1});
        },
        "has not taken the runs"));
    QCOMPARE(ran(), QByteArray());
}

void TestSlurmRunner::whatSlurmRefusesIsASentence()
{
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out", "partition = \"nope\"\n");
    QVERIFY(isRefused([&] { runAll(writer); }, "invalid partition specified: nope"));
    QCOMPARE(writer.submissions().size(), std::size_t{0});
    for (const auto &job : writer.jobs())
        QVERIFY(job.state == JobState::waiting);
    for (const auto &run : left()) // claimed, without files
        QCOMPARE(QDir(m_cluster.home() + "/runs/" + run).entryList({"run"}), QStringList());
    QCOMPARE(ran(), QByteArray());
}

void TestSlurmRunner::stoppedHoldOutsAreTakenUpAgain()
{
    const Folder folder;
    auto writer =
        study(folder / "s", "while [ ! -e $HOME/held ]; do sleep 0.1; done; echo {a} >out");
    QFile held(m_cluster.home() + "/held");
    held.remove();
    const std::vector<std::vector<double>> places{{0.3}, {2.7}};
    const auto make = [&](const CampaignOptions &options) {
        RunnerOptions runner;
        runner.workFolder = workFolderOf(writer.path());
        runner.reader = readNumber;
        return runHoldOuts(writer, *makeJobRunner(planOf(writer), runner), places, options);
    };
    CampaignOptions options;
    options.cancelled = [this] { return ran().count('\n') == 2; };
    QVERIFY(make(options).cancelled);
    QVERIFY(writer.holdOuts().empty());
    QVERIFY(held.open(QIODevice::WriteOnly));
    held.close();
    const auto report = make({});
    held.remove();
    QCOMPARE(report.adopted, std::size_t{2});
    QCOMPARE(report.done, std::size_t{2});
    QCOMPARE(ran().count('\n'), 2);
    QCOMPARE(writer.holdOuts().size(), std::size_t{2});
    QCOMPARE(QDir(m_cluster.home() + "/runs").entryList({"holdout-*"}, QDir::Dirs), QStringList());
}

void TestSlurmRunner::leftoversOfStoredRunsAreRemoved()
{
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out");
    const auto mark = deskMark(writer);
    const auto make = [&](const std::string &ofDesk, bool hasEnded) {
        const auto token = QString::fromStdString(newToken("job-3", {}, ofDesk));
        QDir(m_cluster.home()).mkpath("runs/" + token);
        if (hasEnded) {
            QFile file(m_cluster.home() + "/runs/" + token + "/ended");
            file.open(QIODevice::WriteOnly);
        }
        return token;
    };
    make(mark, true);
    make(mark.substr(0, 8) + "00000000" + mark.substr(16), true); // restored from a backup
    QStringList others{make(mark, false), make("0123456789abcdef01234567", true),
                       make(mark.substr(0, 16) + "00000000", true)}; // of another study here
    const auto copied = make(mark, true) + "-copy";                  // somebody's own
    QDir(m_cluster.home()).mkpath("runs/" + copied);
    QFile(m_cluster.home() + "/runs/" + copied + "/ended").open(QIODevice::WriteOnly);
    others.append(copied);
    QCOMPARE(runAll(writer).done, std::size_t{7});
    others.sort();
    QCOMPARE(left(), others);
}

/// Somebody who was cut off asks again while what he has sent before is still on its way.
void TestSlurmRunner::whatArrivesLateIsNeverRun()
{
    auto plan = slurmRunPlan();
    plan.settings["host"] = SlurmOnLoopback::host().toStdString();
    plan.settings["folder"] = std::string("runs");
    const SlurmCluster cluster(slurmSettings(plan));
    const auto there = cluster.contact().folder;
    const std::string mark = "0123456789abcdef00112233";
    const RunOwner before{mark, "session-1"}, after{mark, "session-2"};
    const Folder folder;
    const auto empty = folder / "empty";
    std::filesystem::create_directory(empty);
    const auto parcel = [&](const std::string &token) {
        return RunParcel{token,
                         {"/bin/sh", "-c", "echo ran >>$HOME/ran"},
                         {},
                         [&](const auto &take) { take(empty); }};
    };
    QVERIFY(cluster.takeOver(there, before).empty());
    QVERIFY(cluster.takeOver(there, after).empty());
    const auto late = parcel(newToken("holdout-1", {}, mark));
    QVERIFY(isRefused(
        [&] {
            cluster.submit(there, {&late, 1}, {}, before);
        },
        "another gridhelm has asked after the runs of this study since"));
    QVERIFY(cluster.takeOver(there, after).empty()); // it is never run: claimed
    // What has come before he asks is seen, and another study's owner is another one.
    const auto early = parcel(newToken("holdout-1", {}, mark));
    cluster.submit(there, {&early, 1}, {}, after);
    QVERIFY(cluster.takeOver(there, {"0123456789abcdef00112234", "session-3"}).empty());
    QVERIFY(cluster.takeOver(there, before).contains(early.token));
    QTRY_COMPARE_WITH_TIMEOUT(ran().count('\n'), 1, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(cluster.takeOver(there, before).at(early.token), 60'000);
}

void TestSlurmRunner::hostsThatCannotBeReachedAreASentence()
{
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out");
    QCOMPARE(m_cluster.control("disconnect").exitCode, 0);
    QVERIFY(isRefused([&] { runAll(writer); }, "gridhelm-test cannot be reached"));
    QCOMPARE(m_cluster.control("reconnect").exitCode, 0);
    QCOMPARE(runAll(writer).done, std::size_t{7});
    QCOMPARE(ran().count('\n'), 7);
}

void TestSlurmRunner::aSilentClusterIsSaidOnceAndAgainWhenItAnswers()
{
    const Folder folder;
    auto writer = study(folder / "s", "while [ ! -e $HOME/on ]; do sleep 0.1; done; echo {a} >out");
    QFile on(m_cluster.home() + "/on");
    on.remove();
    std::vector<std::string> said;
    bool isCut = false;
    CampaignOptions options;
    options.say = [&](const std::string &sentence) {
        said.push_back(sentence);
        if (said.size() == 1)
            QCOMPARE(m_cluster.control("reconnect").exitCode, 0);
    };
    options.cancelled = [&] {
        if (!isCut && ran().count('\n') > 0) {
            isCut = m_cluster.control("disconnect").exitCode == 0;
        } else if (said.size() == 2 && !on.exists()) {
            on.open(QIODevice::WriteOnly);
            on.close();
        }
        return false;
    };
    QCOMPARE(runAll(writer, options).done, std::size_t{7});
    on.remove();
    QCOMPARE(ran().count('\n'), 7);
    QCOMPARE(said.size(), std::size_t{2});
    QVERIFY2(said[0].starts_with("No news of the runs on gridhelm-test for "), said[0].c_str());
    QVERIFY2(said[1].starts_with("gridhelm-test answers again, after "), said[1].c_str());
}

void TestSlurmRunner::whoWaitsForGoodHearsWhy()
{
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out", "partition = \"short\"\ntime = \"5\"\n");
    std::vector<std::string> said;
    CampaignOptions options;
    options.say = [&](const std::string &sentence) { said.push_back(sentence); };
    options.cancelled = [&] { return !said.empty(); };
    QVERIFY(runAll(writer, options).cancelled);
    QCOMPARE(said.size(), std::size_t{1});
    QVERIFY2(said[0].starts_with("Runs on gridhelm-test wait for good, because they ask for more "
                                 "time than their partition gives (Slurm: PartitionTimeLimit): "
                                 "stop, remove them there (scancel), let [run] (or its retry) ask "
                                 "for less, "),
             said[0].c_str());
    m_cluster.there("scancel -u $(id -un)");
    QCOMPARE(ran(), QByteArray());
}

/// Of programs that were killed: two days old, so that nobody is about to use them.
void TestSlurmRunner::oldLeftoversAreRemoved()
{
    const auto made = m_cluster.there(
        "cd && mkdir -p runs/batches/batch-00112233 runs/batches/batch-44556677 && cd runs && "
        "mkdir .incoming-batch-00112233 .incoming-batch-44556677 && "
        "for b in batches/*; do echo job-2-0123456789abcdef >$b/runs; done && "
        "mkdir job-1-0123456789abcdef && ln -sT claimed job-1-0123456789abcdef/started && "
        "for f in .incoming-batch-00112233 batches/batch-00112233 "
        "job-1-0123456789abcdef/started; do touch -h -d '2 days ago' $f; done");
    QCOMPARE(made.exitCode, 0);
    const Folder folder;
    auto writer = study(folder / "s", "echo {a} >out");
    QCOMPARE(runAll(writer).done, std::size_t{7});
    writer.close();
    const QDir runs(m_cluster.home() + "/runs");
    QTRY_COMPARE_WITH_TIMEOUT(runs.entryList({".incoming-*"}, QDir::Dirs | QDir::Hidden),
                              QStringList(".incoming-batch-44556677"), 10'000);
    QCOMPARE(QDir(runs.filePath("batches")).entryList({"batch-*"}, QDir::Dirs),
             QStringList("batch-44556677"));
    QCOMPARE(left(), QStringList());
}

GRIDHELM_TEST(TestSlurmRunner)
#include "tst_slurm_runner.moc"
