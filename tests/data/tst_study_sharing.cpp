// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several readers and one writer; places that cannot be written; disks that are full.
#include "data/compress/compress.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/check.h"
#include "data/study/info.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <sqlite3.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void makeStudy(const std::filesystem::path &path, int level = 3, std::uint64_t values = 1000)
{
    auto writer = StudyWriter::create(path, smallDescription(level));
    writer.addField(smallField("u", values));
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
}

/// As on a network file system without them.
int fcntlWithoutLocks(int file, int command, ...)
{
    std::va_list arguments;
    va_start(arguments, command);
    auto *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_SETLK || command == F_SETLKW) {
        errno = ENOLCK;
        return -1;
    }
    return ::fcntl(file, command, argument);
}

/// While it lives, SQLite finds no locks.
class NoLocks
{
public:
    NoLocks() { set(reinterpret_cast<sqlite3_syscall_ptr>(&fcntlWithoutLocks)); }
    ~NoLocks() { set(nullptr); }
    NoLocks(const NoLocks &) = delete;
    NoLocks &operator=(const NoLocks &) = delete;

private:
    static void set(sqlite3_syscall_ptr call)
    {
        auto *system = sqlite3_vfs_find("unix");
        system->xSetSystemCall(system, "fcntl", call);
    }
};

/// Everything a reader does.
void readEverything(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    static_cast<void>(study.mesh());
    static_cast<void>(study.jobs());
    static_cast<void>(study.errorFigures());
    static_cast<void>(info(study));
    for (std::size_t field = 0; field < study.fields().size(); ++field) {
        FieldSurrogate surrogate(study, field);
        surrogate.loadAll(study);
    }
    static_cast<void>(check(path));
}

} // namespace

class StudySharingTest : public QObject
{
    Q_OBJECT

private slots:
    void aFileSystemWithoutLocksIsSaid();
    void secondWriterIsRefused();
    void killedWriterIsNoObstacle();
    void whatAKilledWriterWasStartingIsWaitedFor();
    void readersSeeWhatIsCommitted();
    void twoReadersAndAWriterAtOnce();
    void compressingWhileSomebodyReads();
    void readersChangeNothing();
    void readOnlyFilesAreReadAndNotWritten();
    void readOnlyMediaAreRead();
    void fullDiskIsASentence_data();
    void fullDiskIsASentence();
};

void StudySharingTest::secondWriterIsRefused()
{
    const Folder folder;
    makeStudy(folder / "s");
    std::filesystem::create_symlink(folder / "s", folder / "link");
    auto writer = StudyWriter::open(folder / "s");
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "s"));
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "link"));
    GRIDHELM_EXPECT_ERROR(StudyWriter::create(folder / "s", smallDescription(2)));
    writer.setTitle("still works");
    writer.close();
    auto next = StudyWriter::open(folder / "link");
    QCOMPARE(next.description().title, std::string("still works"));
}

void StudySharingTest::killedWriterIsNoObstacle()
{
    const Folder folder;
    makeStudy(folder / "s");
    const auto child = ::fork();
    if (child == 0) {
        auto writer = StudyWriter::open(folder / "s");
        writer.setTitle("before the end");
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    QVERIFY(std::filesystem::exists(folder / "s-writer"));
    const auto before = bytesOf(folder / "s");
    QCOMPARE(Study::open(folder / "s").description().title,
             std::string("before the end")); // from the log
    QVERIFY(bytesOf(folder / "s") == before);
    auto writer = StudyWriter::open(folder / "s");
    QCOMPARE(writer.description().title, std::string("before the end"));
    writer.close();
    QCOMPARE(std::distance(std::filesystem::directory_iterator((folder / "s").parent_path()), {}),
             std::ptrdiff_t{1});
}

void StudySharingTest::whatAKilledWriterWasStartingIsWaitedFor()
{
    const Folder folder;
    const auto path = folder / "study";
    StudyWriter::create(path, smallDescription(1)).close();
    const auto dead = ::fork();
    if (dead == 0)
        ::_exit(0);
    ::waitpid(dead, nullptr, 0);
    // As between fork and exec: the writer is gone, but not yet what has its descriptors.
    const auto lockPath = path.string() + "-writer";
    const int lock = ::open(lockPath.c_str(), O_RDWR | O_CREAT, 0666);
    QVERIFY(lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) == 0);
    const auto process = std::to_string(dead);
    QCOMPARE(::write(lock, process.data(), process.size()), static_cast<ssize_t>(process.size()));
    std::thread ending([lock] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        ::close(lock);
    });
    std::string problem;
    try {
        StudyWriter::open(path).close();
    } catch (const Error &error) {
        problem = error.what();
    }
    ending.join();
    QCOMPARE(problem, std::string());
}

void StudySharingTest::readersSeeWhatIsCommitted()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto early = Study::open(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    writer.setTitle("first"); // the first transaction takes the file's log into use
    auto late = Study::open(folder / "s");
    for (auto *reader : {&early, &late}) {
        const auto version = reader->dataVersion();
        auto transaction = writer.transaction();
        writer.setTitle(std::to_string(reader == &early));
        QCOMPARE(reader->dataVersion(), version);
        transaction.commit();
        QVERIFY(reader->dataVersion() != version);
        reader->refresh();
        QCOMPARE(reader->description().title, std::to_string(reader == &early));
    }
    writer.close(); // with readers in the way
    early.refresh();
    late.refresh();
    std::filesystem::copy_file(folder / "s", folder / "copy");
    for (const auto &title : {early.description().title, late.description().title,
                              Study::open(folder / "copy").description().title})
        QCOMPARE(title, std::string("0"));
}

void StudySharingTest::twoReadersAndAWriterAtOnce()
{
    // Snapshots of two parts, so that half of one could be seen.
    constexpr std::uint64_t values = Study::partValues() + 1000;
    const Folder folder;
    StudyWriter::create(folder / "s", smallDescription(3)).close();
    std::atomic<bool> isDone{false};
    std::atomic<int> reads{0}, readers{2};
    std::vector<std::string> failures(2);
    const auto read = [&](std::string &failure) {
        auto study = Study::open(folder / "s");
        std::vector<float> snapshot(values);
        while (!isDone && failure.empty()) {
            study.refresh();
            const auto jobs = study.jobs();
            if (study.fields().empty())
                continue;
            const auto isThere = study.pointsWithSnapshots(0);
            const auto states = study.coefficientStates(0);
            for (const auto &job : jobs) {
                for (auto point : job.points) {
                    // A job is all there, or not at all; what is done stays done.
                    if (job.state == JobState::done && !isThere[point])
                        failure = "a snapshot of a job that is done is missing";
                    if (!isThere[point])
                        continue;
                    if (!study.readSnapshot(point, 0, snapshot))
                        failure = "a snapshot has vanished, or a part of it";
                    else if (snapshot != snapshotAt(coordinatesOf(study, point), study, 0))
                        failure = "a snapshot is wrong";
                    if (states[point] != CoefficientState::none
                        && !study.readCoefficients(point, 0, snapshot))
                        failure = "coefficients have vanished, or a part of them";
                }
            }
            ++reads;
        }
    };
    std::vector<std::jthread> threads;
    for (auto &failure : failures) {
        threads.emplace_back([&] {
            try {
                read(failure);
            } catch (const std::exception &error) {
                failure = error.what();
            }
            --readers;
        });
    }
    {
        struct Stop
        {
            std::atomic<bool> &isDone;
            ~Stop() { isDone = true; }
        } stop{isDone}; // also when the writer throws
        auto writer = StudyWriter::open(folder / "s");
        writer.addField(smallField("u", values));
        for (const auto &job : writer.jobs()) {
            runJob(writer, job);
            compress(writer, {});
        }
        while (reads < 4 && readers == 2)
            std::this_thread::yield();
        writer.close();
    }
    threads.clear();
    for (const auto &failure : failures)
        QCOMPARE(failure, std::string());
    QVERIFY(reads >= 4);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudySharingTest::compressingWhileSomebodyReads()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 3000));
    runAllJobs(writer);
    // A reader that comes in the middle of compress(), which then has no write-ahead log.
    writer.file().beginBulk();
    {
        auto transaction = writer.transaction();
        writer.setTitle("new");
        auto reader = Study::open(folder / "s");
        QCOMPARE(reader.description().title, std::string("small"));
        QCOMPARE(reader.missingPoints(0), std::uint64_t{0});
        transaction.commit();
        reader.refresh();
        QCOMPARE(reader.description().title, std::string("new"));
    }
    writer.file().endBulk();
    // And one that is there before.
    const auto reader = Study::open(folder / "s");
    compress(writer, {});
    QVERIFY(reader.coefficientStates(0)[0] == CoefficientState::final);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudySharingTest::readersChangeNothing()
{
    const Folder folder;
    makeStudy(folder / "s");
    const auto before = bytesOf(folder / "s");
    const auto time = std::filesystem::last_write_time(folder / "s");
    readEverything(folder / "s");
    QVERIFY(bytesOf(folder / "s") == before);
    QVERIFY(std::filesystem::last_write_time(folder / "s") == time);
    QCOMPARE(std::distance(std::filesystem::directory_iterator((folder / "s").parent_path()), {}),
             std::ptrdiff_t{1});
}

void StudySharingTest::readOnlyFilesAreReadAndNotWritten()
{
    using std::filesystem::perms;
    const Folder folder;
    makeStudy(folder / "s");
    const auto parent = (folder / "s").parent_path();
    // Root may write whatever the permissions say: it becomes somebody else for a while.
    constexpr uid_t nobody = 65534;
    const bool isRoot = ::geteuid() == 0;
    if (isRoot)
        QVERIFY(::chown(parent.c_str(), nobody, nobody) == 0
                && ::chown((folder / "s").c_str(), nobody, nobody) == 0 && ::seteuid(nobody) == 0);
    struct Restore
    {
        bool isRoot;
        std::filesystem::path parent;
        ~Restore()
        {
            if (isRoot)
                static_cast<void>(::seteuid(0) == 0);
            std::filesystem::permissions(parent, perms::owner_all);
        }
    } restore{isRoot, parent};
    const auto before = bytesOf(folder / "s");
    std::filesystem::permissions(folder / "s", perms::owner_read);
    readEverything(folder / "s");
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "s"));
    std::filesystem::permissions(parent, perms::owner_read | perms::owner_exec);
    readEverything(folder / "s");
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "s"));
    GRIDHELM_EXPECT_ERROR(StudyWriter::create(folder / "new", smallDescription(1)));
    QVERIFY(bytesOf(folder / "s") == before);
}

void StudySharingTest::readOnlyMediaAreRead()
{
    const Folder folder;
    const auto place = folder / "medium";
    std::filesystem::create_directory(place);
    if (::geteuid() != 0 || ::mount("none", place.c_str(), "tmpfs", 0, "size=16m") != 0)
        QSKIP("only root can mount a medium of its own");
    struct Unmount
    {
        std::filesystem::path place;
        ~Unmount() { ::umount2(place.c_str(), MNT_DETACH); }
    } unmount{place};
    makeStudy(place / "closed");
    {
        // As a program leaves it that was killed while a reader was there.
        makeStudy(place / "logged");
        const auto reader = Study::open(place / "logged");
        StudyWriter::open(place / "logged").close();
    }
    QCOMPARE(::mount("none", place.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=16m"), 0);
    readEverything(place / "closed");
    QCOMPARE(problemsOf(place / "closed"), std::string());
    QCOMPARE(problemsOf(place / "logged"), std::string());
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(place / "closed"));
    GRIDHELM_EXPECT_ERROR(StudyWriter::create(place / "new", smallDescription(1)));
}

void StudySharingTest::fullDiskIsASentence_data()
{
    QTest::addColumn<int>("level");
    for (int level : {3, 4, 5})
        QTest::addRow("level %d", level) << level;
}

void StudySharingTest::fullDiskIsASentence()
{
    QFETCH(int, level);
    const Folder folder;
    const auto place = folder / "disk";
    std::filesystem::create_directory(place);
    const bool isMounted =
        ::geteuid() == 0 && ::mount("none", place.c_str(), "tmpfs", 0, "size=4m") == 0;
    struct Unmount
    {
        std::filesystem::path place;
        ~Unmount() { ::umount2(place.c_str(), MNT_DETACH); }
    } unmount{place};

    auto writer = StudyWriter::create(place / "s", smallDescription(level));
    if (!isMounted) // without a disk of its own: SQLite's own limit, which is met earlier
        writer.file().database().exec("PRAGMA max_page_count = 200");
    writer.addField(smallField("u", 20'000));
    writer.setSnapshotEncoding(BlobEncoding::raw);
    std::size_t done = 0;
    std::string sentence;
    try {
        for (const auto &job : writer.jobs()) {
            runJob(writer, job);
            ++done;
            compress(writer, {});
        }
    } catch (const Error &error) {
        sentence = error.what();
    }
    QVERIFY(!sentence.empty());
    QVERIFY2(sentence.find("full") != std::string::npos
                 || sentence.find("free") != std::string::npos,
             sentence.c_str());
    // Reading goes on, and what was finished is there.
    const auto jobs = writer.jobs();
    const auto finished =
        static_cast<std::size_t>(std::ranges::count(jobs, JobState::done, &Job::state));
    QVERIFY(finished == done || finished == done + 1);
    try {
        writer.close();
    } catch (const Error &) {
        // No room to bring the log in.
    }
    QCOMPARE(problemsOf(place / "s"), std::string());
    const auto reader = Study::open(place / "s");
    const auto after = reader.jobs();
    QCOMPARE(static_cast<std::size_t>(std::ranges::count(after, JobState::done, &Job::state)),
             finished);
}

/// At once, and it is no other program's doing, nor damage.
void StudySharingTest::aFileSystemWithoutLocksIsSaid()
{
    const Folder folder;
    makeStudy(folder / "s");
    QElapsedTimer clock;
    clock.start();
    {
        const NoLocks none;
        QVERIFY(isRefused([&] { readEverything(folder / "s"); }, "has no locks"));
        QVERIFY(isRefused([&] { static_cast<void>(check(folder / "s")); }, "has no locks"));
        QVERIFY(isRefused([&] { StudyWriter::open(folder / "s").close(); }, "locks"));
    }
    QVERIFY2(clock.elapsed() < 5000, qPrintable(QString::number(clock.elapsed())));
    readEverything(folder / "s");
    QVERIFY(check(folder / "s").problems.empty());
}

GRIDHELM_TEST(StudySharingTest)
#include "tst_study_sharing.moc"
