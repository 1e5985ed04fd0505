// SPDX-License-Identifier: GPL-3.0-or-later
//
// What waits for the disk, and what does not: a program that is killed cannot tell, so that the
// calls are counted which bring write-ahead logs to the disk.
#include "data/campaign/campaign.h"
#include "data/study/study_file.h"
#include "data/study/transaction.h"
#include "data/study/writer_lock.h"
#include "tests/data/runs_elsewhere.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string_view>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

std::atomic<int> logSyncs = 0;

void countSync(int descriptor)
{
    std::array<char, 4096> name{};
    const auto link = "/proc/self/fd/" + std::to_string(descriptor);
    const auto length = ::readlink(link.c_str(), name.data(), name.size());
    if (length > 0
        && std::string_view(name.data(), static_cast<std::size_t>(length)).ends_with("-wal"))
        ++logSyncs;
}

} // namespace

// Those of the program come before those of the C library, for SQLite too.
extern "C" __attribute__((visibility("default"))) int fsync(int descriptor)
{
    countSync(descriptor);
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

extern "C" __attribute__((visibility("default"))) int fdatasync(int descriptor)
{
    countSync(descriptor);
    return static_cast<int>(::syscall(SYS_fdatasync, descriptor));
}

namespace {

constexpr int full = 2, normal = 1; // as PRAGMA synchronous tells them

int waitingOf(const StudyFile &file)
{
    return file.database().execAndGet("PRAGMA synchronous").getInt();
}

void write(StudyFile &file)
{
    Transaction transaction(file);
    file.query("UPDATE study SET title = title || 'x' WHERE id = 1").run(); // SQLite leaves out
    file.updateChecksum();                                                  // what changes nothing
    transaction.commit();
}

/// How many of these commits, directly after each other, waited for the log to be on the disk.
int waitsOf(StudyFile &file, int commits)
{
    int waits = 0;
    for (int i = 0; i < commits; ++i) {
        const int before = logSyncs;
        write(file);
        waits += logSyncs > before ? 1 : 0;
    }
    return waits;
}

/// Commits until one has not waited. Returns how many syncs there were before that one.
int writeWithoutWaiting(StudyFile &file)
{
    for (;;) {
        const int before = logSyncs;
        write(file);
        if (logSyncs == before)
            return before;
    }
}

/// Of one parameter, with jobs of one snapshot each, or of some at a few times.
std::filesystem::path makeStudy(const Folder &folder, int level, bool hasTime = false)
{
    const auto path = folder / "s";
    std::vector<Parameter> parameters{{"a", "", 0, 4}};
    if (hasTime) {
        Parameter time{"t", "s", 0, 2};
        time.kind = ParameterKind::timeLike;
        time.levelCap = 2;
        parameters.push_back(time);
    }
    StudyWriter::create(path, {"haste", StudyKind::vector, ParameterSpace(parameters), level, ""})
        .close();
    return path;
}

/// The first commit begins the log.
std::unique_ptr<StudyFile> openWithLog(const std::filesystem::path &path)
{
    auto file = StudyFile::openForWriting(path);
    write(*file);
    return file;
}

/// One that somebody is in the middle of reading.
struct ReadStudy
{
    Folder folder;
    std::filesystem::path path = makeStudy(folder, 2);
    WriterLock lock{path}; // without one, the reader takes a copy
    std::unique_ptr<StudyFile> file = openWithLog(path);
    std::unique_ptr<StudyFile> reader = StudyFile::openForReading(path);
    ReadTransaction reading{*reader};

    ReadStudy() { reader->query("SELECT count(*) FROM study").step(); }
};

/// Runs of no time in this process, but those at `slowFrom` and later of some.
class RunsHere : public JobRunner
{
public:
    std::size_t slowFrom = 1000;
    std::vector<bool> waited; ///< of each run: for the log, between its delivery and its release

    bool isLocal() const override { return true; }
    std::vector<std::string> submit(std::span<const RunRequest> runs, std::size_t) override
    {
        std::vector<std::string> ids;
        for (const auto &run : runs) {
            m_requests.push_back(run);
            ids.push_back(std::to_string(m_requests.size() - 1));
        }
        return ids;
    }
    std::vector<RunStatus> poll(std::span<const std::string> ids) override
    {
        std::vector<RunStatus> all;
        for (const auto &id : ids) {
            if (std::stoul(id) >= slowFrom)
                std::this_thread::sleep_for(std::chrono::milliseconds(150));
            all.push_back({RunState::finished, 1, "", true});
        }
        return all;
    }
    RunStatus collect(const std::string &id, const RunSink &sink, const std::stop_token &) override
    {
        const auto &run = m_requests.at(std::stoul(id));
        RunSnapshot snapshot{{},
                             {"test", "one", 1, 0},
                             {{"value", "", 1, Association::point, 1}},
                             {{static_cast<float>(run.parameters[0])}}};
        sink(0, run.prepare ? run.prepare(std::move(snapshot)) : std::move(snapshot));
        m_syncs = logSyncs;
        return {RunState::finished, 1, ""};
    }
    void cancel(std::span<const std::string>) override {}
    void release(const std::string &) override { waited.push_back(logSyncs > m_syncs); }
    void waitForNews(std::chrono::milliseconds) override {}

private:
    std::vector<RunRequest> m_requests;
    int m_syncs = 0;
};

/// A cluster which keeps results until they are released.
class KeptElsewhere : public RunsElsewhere
{
public:
    using RunsElsewhere::RunsElsewhere;
    std::vector<bool> waited;

    RunStatus collect(const std::string &id, const RunSink &sink,
                      const std::stop_token &stop) override
    {
        auto status = RunsElsewhere::collect(id, sink, stop);
        m_syncs = logSyncs;
        return status;
    }
    void release(const std::string &id) override
    {
        waited.push_back(logSyncs > m_syncs);
        RunsElsewhere::release(id);
    }

private:
    int m_syncs = 0;
};

} // namespace

class StudyHasteTest : public QObject
{
    Q_OBJECT

private slots:
    void hastyCommitsDoNotWaitAndOthersDo();
    void theEndOfHasteWaitsForAllBefore();
    void withoutALogNothingIsHasty();
    void whileAReaderIsInTheWayTheLogIsSynced();
    void aCloseBesideAReaderSyncsTheLog();
    void shortRunsAreHastyAndLongOnesAreNot();
    void runsElsewhereAreNeverHasty();
};

void StudyHasteTest::hastyCommitsDoNotWaitAndOthersDo()
{
    const Folder folder;
    const auto file = openWithLog(makeStudy(folder, 2));
    QCOMPARE(waitsOf(*file, 10), 10);
    QCOMPARE(waitingOf(*file), full);
    file->setHasty(true);
    const int waits = waitsOf(*file, 10);
    QVERIFY2(waits <= 5, qPrintable(QString::number(waits))); // one a second, on a busy machine
    QCOMPARE(waitingOf(*file), normal);
    file->setHasty(false);
    QCOMPARE(waitsOf(*file, 10), 10);
    QCOMPARE(waitingOf(*file), full);
}

void StudyHasteTest::theEndOfHasteWaitsForAllBefore()
{
    const Folder folder;
    const auto file = openWithLog(makeStudy(folder, 2));
    file->setHasty(true);
    const int before = writeWithoutWaiting(*file);
    file->setHasty(false);
    QCOMPARE(logSyncs.load(), before + 1);
    file->setHasty(false); // nothing is owed any more
    QCOMPARE(logSyncs.load(), before + 1);
}

void StudyHasteTest::withoutALogNothingIsHasty()
{
    const Folder folder;
    const auto file = StudyFile::openForWriting(makeStudy(folder, 2));
    file->setHasty(true);
    write(*file);
    QCOMPARE(waitingOf(*file), full); // it was the first, with a journal
    write(*file);
    QCOMPARE(waitingOf(*file), normal);
    file->beginBulk();
    write(*file);
    QCOMPARE(waitingOf(*file), full);
    file->endBulk();
}

void StudyHasteTest::whileAReaderIsInTheWayTheLogIsSynced()
{
    const ReadStudy study;
    study.file->setHasty(true);
    for (int round = 0; round < 3; ++round) {
        write(*study.file);
        const int before = logSyncs;
        std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        study.file->settle();
        QVERIFY2(logSyncs > before, qPrintable(QString::number(round)));
    }
}

void StudyHasteTest::aCloseBesideAReaderSyncsTheLog()
{
    const ReadStudy study;
    study.file->setHasty(true);
    const int before = writeWithoutWaiting(*study.file);
    QVERIFY(study.file->close().find("-wal") != std::string::npos);
    QVERIFY(logSyncs > before);
}

void StudyHasteTest::shortRunsAreHastyAndLongOnesAreNot()
{
    const Folder folder;
    auto writer = StudyWriter::open(makeStudy(folder, 6));
    RunsHere runner;
    runner.slowFrom = writer.jobs().size() - 2;
    CampaignOptions options;
    const auto report = runCampaign(writer, runner, options);
    QCOMPARE(report.done, writer.jobs().size());
    QVERIFY(report.done > 30);
    const auto waits = std::count(runner.waited.begin(), runner.waited.end() - 2, true);
    QVERIFY2(waits < 20, qPrintable(QString::number(waits)));
    QVERIFY(runner.waited[report.done - 2] && runner.waited[report.done - 1]);
    const int before = logSyncs;
    writer.setHasty(false); // the campaign's end has waited for all
    QCOMPARE(logSyncs.load(), before);
}

void StudyHasteTest::runsElsewhereAreNeverHasty()
{
    const Folder folder;
    auto writer = StudyWriter::open(makeStudy(folder, 6, true));
    KeptElsewhere runner(folder / "cluster");
    CampaignOptions options;
    options.jobs = 4;
    const auto report = runCampaign(writer, runner, options);
    QVERIFY(report.done > 20 && report.failed == 0);
    QCOMPARE(runner.waited, std::vector<bool>(report.done, true));
}

GRIDHELM_TEST(StudyHasteTest)
#include "tst_study_haste.moc"
