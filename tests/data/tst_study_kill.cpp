// SPDX-License-Identifier: GPL-3.0-or-later
//
// kill -9 at random moments: the study opens, is sound, and ends as if nothing had happened.
#include "data/compress/compress.h"
#include "data/study/study_writer.h"
#include "tests/data/killed_child.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::uint64_t values = 20'000;

/// All jobs, each followed by as much compression as is possible; goes on where it was left.
void campaign(const std::filesystem::path &path)
{
    auto writer = StudyWriter::open(path);
    writer.resetRunningJobs();
    CompressOptions options;
    options.encoding = BlobEncoding::raw;
    options.allowMissing = true;
    for (const auto &job : writer.jobs()) {
        if (job.state == JobState::done)
            continue;
        writer.setHasty(job.id % 3 == 1); // which is for power failures, and loses nothing here
        runJob(writer, job);
        if (job.id % 3 == 0)
            compress(writer, options);
    }
    compress(writer, options);
    writer.close();
}

StudyDescription description()
{
    return smallDescription(4);
}

void createStudy(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, description());
    writer.addField(smallField("u", values));
    writer.close();
}

std::size_t jobsDone(const std::filesystem::path &path)
{
    const auto jobs = Study::open(path).jobs();
    return static_cast<std::size_t>(std::ranges::count(jobs, JobState::done, &Job::state));
}

} // namespace

class StudyKillTest : public QObject
{
    Q_OBJECT

private slots:
    void killedAtAnyMomentTheStudyGoesOn();
    void killedWhileCompressingMuchTheStudyGoesOn();
    void killedWhileCreatingThereIsAStudyOrNone();
};

void StudyKillTest::killedAtAnyMomentTheStudyGoesOn()
{
    const Folder folder;
    // Uninterrupted, in a child too: nothing here may have threads when it forks.
    const auto start = std::chrono::steady_clock::now();
    createStudy(folder / "whole");
    if (const auto child = ::fork(); child == 0) {
        campaign(folder / "whole");
        ::_exit(0);
    } else {
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    const auto duration = std::chrono::steady_clock::now() - start;
    const auto expected = allCoefficients(Study::open(folder / "whole"));

    const int seed = isLong() ? ::getpid() : 1;
    qInfo("seed %d", seed);
    Random random(static_cast<std::uint64_t>(seed));
    const int kills = isLong() ? 100 : 8;
    int killed = 0, finished = 0;
    for (int round = 0; killed < kills && round < 10 * kills; ++round) {
        const auto path = folder / ("killed" + std::to_string(round));
        createStudy(path);
        std::size_t doneBefore = 0;
        for (bool isDone = false; !isDone;) {
            const int status =
                killedChild(duration * random.real(0.02, 0.5), [&] { campaign(path); });
            isDone = WIFEXITED(status);
            killed += isDone ? 0 : 1;
            QVERIFY(!isDone || WEXITSTATUS(status) == 0);
            const auto done = jobsDone(path);
            QVERIFY(done >= doneBefore);
            doneBefore = done;
            QCOMPARE(problemsOf(path), std::string());
        }
        ++finished;
        QVERIFY(allCoefficients(Study::open(path)) == expected);
        std::filesystem::remove(path);
    }
    qInfo("%d kills, %d studies finished", killed, finished);
    QVERIFY(killed >= kills && finished > 0);
}

/// More than SQLite keeps to itself until the commit: pages of a transaction that is undone are in
/// the file, and on the disk.
void StudyKillTest::killedWhileCompressingMuchTheStudyGoesOn()
{
    const Folder folder;
    const auto compressIt = [](const std::filesystem::path &path) {
        auto writer = StudyWriter::open(path);
        CompressOptions options;
        options.encoding = BlobEncoding::raw;
        compress(writer, options);
        writer.close();
    };
    {
        auto writer = StudyWriter::create(folder / "snapshots", smallDescription(3));
        writer.setSnapshotEncoding(BlobEncoding::raw);
        writer.addField(smallField("u", 60 * Study::partValues() / 10));
        runAllJobs(writer);
        QVERIFY(writer.grid()->points() * writer.fields()[0].values() * 4 > 60'000'000);
    }
    std::filesystem::copy_file(folder / "snapshots", folder / "whole");
    const auto start = std::chrono::steady_clock::now();
    if (const auto child = ::fork(); child == 0) {
        compressIt(folder / "whole");
        ::_exit(0);
    } else {
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    const auto duration = std::chrono::steady_clock::now() - start;
    const auto expected = allCoefficients(Study::open(folder / "whole"));

    Random random(static_cast<std::uint64_t>(isLong() ? ::getpid() : 3));
    bool wasLeftInTheMiddle = false;
    for (int round = 0; round < (isLong() ? 50 : 6); ++round) {
        const auto path = folder / ("killed" + std::to_string(round));
        std::filesystem::copy_file(folder / "snapshots", path);
        const auto journalIsThere = [&] {
            std::error_code ignored;
            return std::filesystem::file_size(path.string() + "-journal", ignored) > 0 && !ignored;
        };
        const auto child = ::fork();
        if (child == 0) {
            compressIt(path);
            ::_exit(0);
        }
        // Every other round is killed at any moment at all. The others wait for the transaction to
        // have begun: how long a run takes says nothing about the next one on a busy machine.
        int status = 0;
        bool ended = false;
        if (round % 2 == 0)
            std::this_thread::sleep_for(duration * random.real(0.2, 0.9));
        else
            while (!ended && !journalIsThere()) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                ended = ::waitpid(child, &status, WNOHANG) == child;
            }
        if (!ended) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
        }
        wasLeftInTheMiddle = wasLeftInTheMiddle || journalIsThere();
        QCOMPARE(problemsOf(path), std::string());
        compressIt(path);
        QVERIFY(allCoefficients(Study::open(path)) == expected);
        std::filesystem::remove(path);
    }
    QVERIFY(wasLeftInTheMiddle);
}

void StudyKillTest::killedWhileCreatingThereIsAStudyOrNone()
{
    const Folder folder;
    Random random(2);
    for (int round = 0; round < (isLong() ? 50 : 5); ++round) {
        const auto path = folder / std::to_string(round);
        killedChild(std::chrono::microseconds(random.integer(0, 30'000)),
                    [&] { createStudy(path); });
        if (std::filesystem::exists(path))
            QCOMPARE(problemsOf(path), std::string());
        else
            createStudy(path);
    }
}

GRIDHELM_TEST(StudyKillTest)
#include "tst_study_kill.moc"
