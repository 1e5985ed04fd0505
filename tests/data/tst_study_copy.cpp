// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nothing that is finished is lost: it is in the one file within a second, and a copy can be made
// at any time.
#include "data/campaign/campaign.h"
#include "data/study/check.h"
#include "data/study/copy_study.h"
#include "data/study/info.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace fs = std::filesystem;

namespace {

void makeStudy(const fs::path &path, int level = 3, std::uint64_t values = 1000)
{
    auto writer = StudyWriter::create(path, smallDescription(level));
    writer.addField(smallField("u", values));
    writer.close();
}

std::size_t jobsDone(const fs::path &path)
{
    const auto jobs = Study::open(path).jobs();
    return static_cast<std::size_t>(std::ranges::count(jobs, JobState::done, &Job::state));
}

/// As somebody copies a study who knows of one file only.
std::size_t jobsInPlainCopy(const Folder &folder)
{
    const auto copy = folder / "plain";
    fs::copy_file(folder / "s", copy, fs::copy_options::overwrite_existing);
    return jobsDone(copy);
}

std::string titleOf(const fs::path &path)
{
    return Study::open(path).description().title;
}

} // namespace

class StudyCopyTest : public QObject
{
    Q_OBJECT

private slots:
    void whatIsFinishedIsInTheFileAfterASecond();
    void copiesAreSoundWhileTheStudyIsWritten();
    void copiesAreWholeOrNotThere();
    void whatAKilledWriterLeftIsCopiedToo();
    void aReaderInTheWayIsSaid();
    void aReaderFollowsWhoWritesAfterAKill();
};

void StudyCopyTest::whatIsFinishedIsInTheFileAfterASecond()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const auto jobs = writer.jobs();
    std::size_t done = 0;
    for (; done < 5; ++done)
        runJob(writer, jobs[done]);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::milliseconds(1100);
    while (std::chrono::steady_clock::now() < limit) { // as a campaign does while jobs run
        writer.settle();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    QCOMPARE(jobsInPlainCopy(folder), done);
    QCOMPARE(info(Study::open(folder / "s")).logBytes, std::uint64_t{0});
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    writer.setTitle("v"); // a commit after more than a second brings all in
    QVERIFY(!info(Study::open(folder / "s")).logBytes);
    QCOMPARE(jobsInPlainCopy(folder), done);
    QVERIFY(info(Study::open(folder / "s")).isBeingWritten);
}

void StudyCopyTest::copiesAreSoundWhileTheStudyIsWritten()
{
    const Folder folder;
    makeStudy(folder / "s", 4, 20'000);
    std::atomic<bool> isDone{false};
    std::jthread writing([&] {
        auto writer = StudyWriter::open(folder / "s");
        for (const auto &job : writer.jobs()) {
            runJob(writer, job);
            if (job.id % 5 == 0)
                compress(writer, {});
        }
        writer.close();
        isDone = true;
    });
    std::size_t before = 0;
    int copies = 0;
    for (bool isLast = false; !isLast; ++copies) {
        isLast = isDone;
        const auto copy = folder / ("copy" + std::to_string(copies));
        QVERIFY(copyStudy(folder / "s", copy));
        QCOMPARE(problemsOf(copy), std::string());
        const auto done = jobsDone(copy);
        QVERIFY(done >= before);
        before = done;
        if (!isLast)
            fs::remove(copy);
        else
            QCOMPARE(
                differenceOf(contentsOf(Study::open(copy)), contentsOf(Study::open(folder / "s"))),
                std::string());
    }
    QVERIFY(copies > 2);
}

void StudyCopyTest::copiesAreWholeOrNotThere()
{
    const Folder folder;
    makeStudy(folder / "s", 4, 20'000);
    {
        auto writer = StudyWriter::open(folder / "s");
        writer.setSnapshotEncoding(BlobEncoding::raw);
        runAllJobs(writer);
    }
    const auto before = filesOf(folder / "");
    QVERIFY(!copyStudy(folder / "s", folder / "copy",
                       [](std::uint64_t done, std::uint64_t all) { return done > all; }));
    GRIDHELM_EXPECT_ERROR(copyStudy(folder / "s", folder / "s"));
    GRIDHELM_EXPECT_ERROR(copyStudy(folder / "nothing", folder / "copy"));
    GRIDHELM_EXPECT_ERROR(copyStudy(folder / "s", folder / "no folder/copy"));
    QCOMPARE(filesOf(folder / ""), before);
}

void StudyCopyTest::whatAKilledWriterLeftIsCopiedToo()
{
    const Folder folder;
    makeStudy(folder / "s");
    leaveLog(folder / "s");
    const auto before = filesOf(folder / "");
    QVERIFY(copyStudy(folder / "s", folder / "copy"));
    QCOMPARE(titleOf(folder / "copy"), std::string("before the end"));
    QCOMPARE(problemsOf(folder / "copy"), std::string());
    fs::remove(folder / "copy");
    QCOMPARE(filesOf(folder / ""), before);
    leaveJournal(folder / "s");
    QVERIFY(copyStudy(folder / "s", folder / "copy"));
    QCOMPARE(titleOf(folder / "copy"), std::string("before the end"));
    QCOMPARE(problemsOf(folder / "copy"), std::string());
}

void StudyCopyTest::aReaderInTheWayIsSaid()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    writer.setTitle("first");
    {
        const auto reader = Study::open(folder / "s");
        const ReadTransaction reading(reader.file());
        static_cast<void>(reader.jobs());
        writer.setTitle("second");
        const auto said = writer.close();
        QVERIFY2(said.find("-wal") != std::string::npos, said.c_str());
    }
    QCOMPARE(titleOf(folder / "s"), std::string("second"));
    auto next = StudyWriter::open(folder / "s");
    QCOMPARE(next.close(), std::string());
    QVERIFY(!fs::exists((folder / "s").string() + "-wal"));
    QCOMPARE(titleOf(folder / "s"), std::string("second"));
}

void StudyCopyTest::aReaderFollowsWhoWritesAfterAKill()
{
    const Folder folder;
    makeStudy(folder / "s");
    leaveLog(folder / "s");
    auto reader = Study::open(folder / "s");
    QVERIFY(!reader.notice().empty());
    const auto version = reader.dataVersion();
    QCOMPARE(reader.dataVersion(), version);
    auto writer = StudyWriter::open(folder / "s");
    writer.setTitle("after");
    QVERIFY(reader.dataVersion() != version);
    reader.refresh();
    QCOMPARE(reader.description().title, std::string("after"));
    QVERIFY(reader.notice().empty());
    const auto next = reader.dataVersion();
    writer.setTitle("later");
    QVERIFY(reader.dataVersion() != next);
    reader.refresh();
    QCOMPARE(reader.description().title, std::string("later"));
}

GRIDHELM_TEST(StudyCopyTest)
#include "tst_study_copy.moc"
