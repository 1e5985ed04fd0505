// SPDX-License-Identifier: GPL-3.0-or-later
//
// Disks that are full, files and media that cannot be written: a sentence, and nothing is lost.
#include "tests/app/cli_process.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <optional>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr int kibibyte = 1024;

const char *const plan = R"(
[[parameter]]
name = "x"
[[parameter]]
name = "strength"
cap = 2
[grid]
level = 3
[simulation]
builtin = "plate"
resolution = 65
fixed = {width = 0.2}
)";

/// A study's life; every one of these may be called again until it succeeds.
const QStringList steps{
    "plan plan.toml --out s.gridhelm",
    "run s.gridhelm --jobs 2",
    "compress s.gridhelm --holdout 3 --threads 1",
    "grow s.gridhelm --level 4",
    "run s.gridhelm --jobs 2",
    "compress s.gridhelm --holdout 3 --threads 1",
};

/// A place of limited size. With a disk of its own if this is root, else files that cannot grow
/// beyond a limit, which looks to a program like a broken disk.
class Disk
{
public:
    enum class Kind { ownDisk, fileLimit };

    Disk(Kind kind, std::filesystem::path place, int kibibytes)
        : m_kind(kind)
        , m_place(std::move(place))
        , m_kibibytes(kibibytes)
    {
        std::filesystem::create_directory(m_place);
        if (m_kind == Kind::ownDisk)
            m_isThere =
                ::geteuid() == 0
                && ::mount("none", m_place.c_str(), "tmpfs", 0, option(kibibytes).c_str()) == 0;
    }
    ~Disk()
    {
        if (m_kind == Kind::ownDisk && m_isThere)
            ::umount2(m_place.c_str(), MNT_DETACH);
        std::error_code ignored;
        std::filesystem::remove_all(m_place, ignored);
    }
    Disk(const Disk &) = delete;
    Disk &operator=(const Disk &) = delete;

    bool isThere() const { return m_isThere; }
    std::filesystem::path operator/(const char *name) const { return m_place / name; }

    void enlarge()
    {
        m_kibibytes = 256 * kibibyte;
        if (m_kind == Kind::ownDisk)
            ::mount("none", m_place.c_str(), "tmpfs", MS_REMOUNT, option(m_kibibytes).c_str());
    }

    Outcome run(const QString &line) const
    {
        QProcess process;
        process.setWorkingDirectory(QString::fromStdString(m_place.string()));
        if (m_kind == Kind::fileLimit)
            process.setChildProcessModifier([bytes = rlim_t{kibibyte} * m_kibibytes] {
                const rlimit limit{bytes, bytes};
                ::setrlimit(RLIMIT_FSIZE, &limit);
                ::signal(SIGXFSZ, SIG_IGN);
            });
        process.start(QString(paths::cli), QProcess::splitCommand(line));
        process.closeWriteChannel();
        if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit)
            return {-1, process.readAllStandardOutput(),
                    "crashed or hung: " + process.readAllStandardError()};
        return {process.exitCode(), process.readAllStandardOutput(),
                process.readAllStandardError()};
    }

private:
    static std::string option(int kibibytes) { return "size=" + std::to_string(kibibytes) + "k"; }

    Kind m_kind;
    std::filesystem::path m_place;
    int m_kibibytes;
    bool m_isThere = true;
};

/// Whether stderr is one sentence. (A report may stand on stdout before it.)
bool saysWhy(const Outcome &outcome)
{
    return outcome.exitCode == 1 && outcome.err.startsWith("gridhelm-cli: ")
           && outcome.err.endsWith(".\n") && outcome.err.count('\n') == 1
           && !outcome.err.contains("should not happen");
}

std::size_t jobsDone(const std::filesystem::path &path)
{
    const auto jobs = Study::open(path).jobs();
    return static_cast<std::size_t>(std::ranges::count(jobs, JobState::done, &Job::state));
}

/// Logs of failed jobs.
std::string failures(const std::filesystem::path &path)
{
    const auto study = Study::open(path);
    std::string logs;
    for (const auto &job : study.jobs())
        if (job.state == JobState::failed)
            logs += std::to_string(job.id) + ": " + study.jobLog(job.id) + "\n";
    return logs;
}

} // namespace

class CliDiskTest : public QObject
{
    Q_OBJECT

private:
    std::map<std::string, std::string> m_whole;
    std::uintmax_t m_bytes = 0;

private slots:
    void initTestCase()
    {
        const Folder folder;
        const Disk disk(Disk::Kind::fileLimit, folder / "disk", 256 * kibibyte);
        std::ofstream(disk / "plan.toml") << plan;
        for (const auto &step : steps) {
            const auto outcome = disk.run(step);
            QVERIFY2(outcome.exitCode == 0, outcome.err);
        }
        m_whole = contentsOf(Study::open(disk / "s.gridhelm"));
        m_bytes = std::filesystem::file_size(disk / "s.gridhelm");
    }

    /// Without room for everything twice: the log of what is written, and the file.
    void whatFitsOnTheDiskIsStored()
    {
        const Folder folder;
        const Disk disk(Disk::Kind::ownDisk, folder / "disk",
                        8 + static_cast<int>(1.4 * static_cast<double>(m_bytes) / kibibyte));
        if (!disk.isThere())
            QSKIP("only root can mount a disk of its own");
        std::ofstream(disk / "plan.toml") << plan;
        for (const auto &step : steps) {
            const auto outcome = disk.run(step);
            QVERIFY2(outcome.exitCode == 0, outcome.err);
        }
        QCOMPARE(differenceOf(contentsOf(Study::open(disk / "s.gridhelm")), m_whole),
                 std::string());
    }

    void fullDisksAreSentences_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("part"); // of what the study needs
        const int sizes = isLong() ? 25 : 4;
        for (const auto kind : {Disk::Kind::ownDisk, Disk::Kind::fileLimit}) {
            for (int i = 0; i < sizes; ++i)
                QTest::addRow("%s, size %d",
                              kind == Disk::Kind::ownDisk ? "own disk" : "file limit", i)
                    << static_cast<int>(kind) << (i + 0.5) / sizes;
        }
    }
    void fullDisksAreSentences()
    {
        QFETCH(int, kind);
        QFETCH(double, part);
        const Folder folder;
        Disk disk(static_cast<Disk::Kind>(kind), folder / "disk",
                  8 + static_cast<int>(part * static_cast<double>(m_bytes) / kibibyte));
        if (!disk.isThere())
            QSKIP("only root can mount a disk of its own");
        std::ofstream(disk / "plan.toml") << plan;
        const auto study = disk / "s.gridhelm";
        std::size_t done = 0;
        int sentences = 0;
        for (const auto &step : steps) {
            for (int attempt = 0;; ++attempt) {
                const auto outcome = disk.run(step);
                if (outcome.exitCode == 0)
                    break;
                QVERIFY2(attempt == 0, outcome.err); // there is space enough now
                QVERIFY2(saysWhy(outcome), outcome.err);
                qInfo("%s: %s", qPrintable(step), outcome.err.constData());
                ++sentences;
                if (std::filesystem::exists(study)) {
                    // Still full: it can be read, and what was there is there.
                    QCOMPARE(problemsOf(study), std::string());
                    const auto info = disk.run("info s.gridhelm");
                    QVERIFY2(info.exitCode == 0, info.err);
                    QVERIFY(jobsDone(study) >= done);
                    QVERIFY2(failures(study).empty(),
                             failures(study).c_str()); // no fault of theirs
                } else {
                    QCOMPARE(step, steps.front());
                }
                disk.enlarge();
            }
            done = jobsDone(study);
        }
        QVERIFY(sentences == 1);
        QCOMPARE(differenceOf(m_whole, contentsOf(Study::open(study))), std::string());
        QCOMPARE(problemsOf(study), std::string());
    }

    void whatCannotBeWrittenIsReadAndUnchanged_data()
    {
        QTest::addColumn<bool>("isMedium");
        QTest::newRow("read-only file") << false;
        QTest::newRow("read-only medium") << true;
    }
    void whatCannotBeWrittenIsReadAndUnchanged()
    {
        QFETCH(bool, isMedium);
        const Folder folder;
        const Disk disk(::geteuid() == 0 ? Disk::Kind::ownDisk : Disk::Kind::fileLimit,
                        folder / "disk", 256 * kibibyte);
        if (!disk.isThere())
            QSKIP("no disk can be mounted here");
        std::ofstream(disk / "plan.toml") << plan;
        for (const auto &step : steps.first(3))
            QCOMPARE(disk.run(step).exitCode, 0);
        const auto study = disk / "s.gridhelm";
        const auto before = bytesOf(study);

        using std::filesystem::perms;
        const auto setMode = [&](perms file, perms place) {
            std::filesystem::permissions(disk / "", place);
            std::filesystem::permissions(study, file);
        };
        // Root may write whatever the permissions say, so that the file system must refuse it.
        const auto asRoot = [&] {
            if (isMedium)
                return ::mount("none", (disk / "").c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "")
                       == 0;
            return ::mount(study.c_str(), study.c_str(), "", MS_BIND, "") == 0
                   && ::mount("none", study.c_str(), "", MS_REMOUNT | MS_BIND | MS_RDONLY, "") == 0;
        };
        if (::geteuid() == 0)
            QVERIFY(asRoot());
        else
            setMode(perms::owner_read,
                    isMedium ? perms::owner_read | perms::owner_exec : perms::owner_all);

        for (const auto &line :
             {"run s.gridhelm", "compress s.gridhelm", "grow s.gridhelm --level 4"}) {
            const auto outcome = disk.run(line);
            QVERIFY2(saysWhy(outcome) && outcome.err.contains("cannot be written"), outcome.err);
        }
        if (isMedium)
            QVERIFY(saysWhy(disk.run("plan plan.toml --out new.gridhelm")));
        for (const auto &line : {"info s.gridhelm", "check s.gridhelm"})
            QCOMPARE(disk.run(line).exitCode, 0);
        QVERIFY(bytesOf(study) == before);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(disk / ""), {}),
                 std::ptrdiff_t{2}); // the plan and the study

        if (::geteuid() != 0)
            setMode(perms::owner_all, perms::owner_all);
        else if (!isMedium)
            ::umount2(study.c_str(), MNT_DETACH);
    }
};

GRIDHELM_TEST(CliDiskTest)
#include "tst_cli_disk.moc"
