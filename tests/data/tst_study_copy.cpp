// SPDX-License-Identifier: GPL-3.0-or-later
//
// Nothing that is finished is lost: it is in the one file within a second, a copy can be made at
// any time, and files of version 1 come along.
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

const fs::path files = GRIDHELM_TEST_FILES;

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
    void filesOfVersion1AreReadAndBroughtUpToDate_data();
    void filesOfVersion1AreReadAndBroughtUpToDate();
    void damagedFilesOfVersion1AreNotBroughtUpToDate();
    void killedWhileItIsBroughtUpToDateTheStudyIsThere();
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
    writer.putView({"v", "{}"}); // a commit after more than a second brings all in
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
    QVERIFY(Study::open(folder / "copy").view("before the end"));
    QCOMPARE(problemsOf(folder / "copy"), std::string());
    fs::remove(folder / "copy");
    QCOMPARE(filesOf(folder / ""), before);
    leaveJournal(folder / "s");
    QVERIFY(copyStudy(folder / "s", folder / "copy"));
    QVERIFY(!Study::open(folder / "copy").view("never finished"));
    QCOMPARE(problemsOf(folder / "copy"), std::string());
}

void StudyCopyTest::aReaderInTheWayIsSaid()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    writer.putView({"first", "{}"});
    {
        const auto reader = Study::open(folder / "s");
        const ReadTransaction reading(reader.file());
        static_cast<void>(reader.viewNames());
        writer.putView({"second", "{}"});
        const auto said = writer.close();
        QVERIFY2(said.find("-wal") != std::string::npos, said.c_str());
    }
    QVERIFY(Study::open(folder / "s").view("second"));
    auto next = StudyWriter::open(folder / "s");
    QCOMPARE(next.close(), std::string());
    QVERIFY(!fs::exists((folder / "s").string() + "-wal"));
    QVERIFY(Study::open(folder / "s").view("second"));
}

void StudyCopyTest::filesOfVersion1AreReadAndBroughtUpToDate_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("vector") << "version-1-vector.gridhelm";
    QTest::newRow("scalar") << "version-1-scalar.gridhelm";
}

void StudyCopyTest::filesOfVersion1AreReadAndBroughtUpToDate()
{
    QFETCH(QString, file);
    const Folder folder;
    const auto path = folder / "s";
    fs::copy_file(files / file.toStdString(), path);
    const auto before = filesOf(folder / "");
    const auto read = contentsOf(Study::open(path));
    QVERIFY(!Study::open(path).notice().empty());
    QCOMPARE(problemsOf(path), std::string());
    QCOMPARE(filesOf(folder / ""), before);
    QVERIFY(StudyWriter::open(path).close().empty());
    const auto study = Study::open(path);
    QVERIFY(study.notice().empty());
    QCOMPARE(problemsOf(path), std::string());
    QCOMPARE(differenceOf(contentsOf(study), read), std::string());
    QVERIFY(study.description().simulation.find("/home/author") == std::string::npos);
    if (study.description().kind == StudyKind::vector) {
        QVERIFY(study.description().simulation.find("./solve") != std::string::npos);
        QCOMPARE(study.mesh()->points, std::uint64_t{300});
        QVERIFY(!study.errorFigures().empty());
        const auto states = study.coefficientStates(0);
        QVERIFY(std::ranges::count(states, CoefficientState::provisional) > 0);
        std::vector<float> values(300);
        for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
            if (study.readSnapshot(point, 0, values))
                QCOMPARE(values, snapshotAt(coordinatesOf(study, point), study, 0));
        }
        const auto jobs = study.jobs();
        QCOMPARE(study.jobLog(jobs.back().id), std::string("it failed\nbadly"));
    } else {
        const auto values = study.readScalarValues(1, 0);
        QCOMPARE(values.size(), std::size_t{131'073});
        QCOMPARE(values.front(), 1.5F);
        QCOMPARE(values.back(), 14.5F);
    }
    auto writer = StudyWriter::open(path); // and goes on
    if (study.description().kind == StudyKind::vector) {
        for (const auto &job : writer.jobs()) {
            if (job.state != JobState::done)
                runJob(writer, job);
        }
        compress(writer, {});
        const auto states = writer.coefficientStates(0);
        QCOMPARE(static_cast<std::size_t>(std::ranges::count(states, CoefficientState::final)),
                 states.size());
    }
    writer.putView({"w", "{}"});
    writer.close();
    QCOMPARE(problemsOf(path), std::string());
}

void StudyCopyTest::damagedFilesOfVersion1AreNotBroughtUpToDate()
{
    const Folder folder;
    const auto path = folder / "s";
    for (const char *sql : {"UPDATE study SET title = 'another'", "UPDATE mesh SET bytes = x'00'",
                            "UPDATE coefficients SET bytes = x'00' WHERE provisional = 1"}) {
        fs::copy_file(files / "version-1-vector.gridhelm", path,
                      fs::copy_options::overwrite_existing);
        SQLite::Database(path.string(), SQLite::OPEN_READWRITE).exec(sql);
        const auto before = bytesOf(path);
        GRIDHELM_EXPECT_ERROR(StudyWriter::open(path));
        GRIDHELM_EXPECT_ERROR(Study::open(path));
        QVERIFY(bytesOf(path) == before);
    }
}

void StudyCopyTest::killedWhileItIsBroughtUpToDateTheStudyIsThere()
{
    const Folder folder;
    Random random(isLong() ? static_cast<std::uint64_t>(::getpid()) : 5);
    const auto expected = contentsOf(Study::open(files / "version-1-vector.gridhelm"));
    const auto migrate = [](const fs::path &path) { StudyWriter::open(path).close(); };
    fs::copy_file(files / "version-1-vector.gridhelm", folder / "whole");
    const auto start = std::chrono::steady_clock::now();
    migrate(folder / "whole");
    const auto duration = std::chrono::steady_clock::now() - start;
    int killed = 0;
    for (int round = 0; round < (isLong() ? 100 : 12); ++round) {
        const auto path = folder / std::to_string(round);
        fs::copy_file(files / "version-1-vector.gridhelm", path);
        const auto child = ::fork();
        if (child == 0) {
            migrate(path);
            ::_exit(0);
        }
        std::this_thread::sleep_for(duration * random.real(0, 1.2));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        killed += WIFSIGNALED(status) ? 1 : 0;
        QCOMPARE(problemsOf(path), std::string());
        QCOMPARE(differenceOf(contentsOf(Study::open(path)), expected), std::string());
        migrate(path);
        QCOMPARE(differenceOf(contentsOf(Study::open(path)), expected), std::string());
    }
    qInfo("%d kills", killed);
    QVERIFY(killed > 0);
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
    writer.putView({"after", "{}"});
    QVERIFY(reader.dataVersion() != version);
    reader.refresh();
    QVERIFY(reader.view("after"));
    QVERIFY(reader.notice().empty());
    const auto next = reader.dataVersion();
    writer.putView({"later", "{}"});
    QVERIFY(reader.dataVersion() != next);
    QVERIFY(reader.view("later"));
}

QTEST_GUILESS_MAIN(StudyCopyTest)
#include "tst_study_copy.moc"
