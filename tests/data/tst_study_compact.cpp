// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compacting gives space back and changes nothing else, whether it comes to its end, is stopped, or
// others read meanwhile; and it takes little memory, however large the study is.
#include "data/study/compact_study.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Where a program of these arguments compacts a study, and does nothing else.
constexpr std::string_view childsWord = "--compact";

/// With modes, and a third of it unused.
void makeLoose(const std::filesystem::path &path)
{
    makeStudy(path, 3, 5'000);
    addModes(path);
    auto writer = StudyWriter::open(path);
    writer.dropSnapshots();
    writer.close();
}

std::vector<std::string> filesIn(const Folder &folder)
{
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder / "."))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

/// All that a picture is made of.
std::string contentsOf(const std::filesystem::path &path)
{
    auto contents = modesOf(path);
    const auto study = Study::open(path);
    std::vector<float> values(study.fields()[0].values());
    for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
        study.readCoefficients(point, 0, values);
        contents.append(reinterpret_cast<const char *>(values.data()),
                        values.size() * sizeof(float));
    }
    return contents;
}

/// Raw values of no pattern, so many bytes of them or more.
void makeLarge(const std::filesystem::path &path, std::uint64_t bytes)
{
    auto writer = StudyWriter::create(path, smallDescription(2));
    const auto points = writer.grid()->points();
    const std::uint64_t entities = bytes / (points * sizeof(float)) + 1;
    setLine(writer, entities);
    writer.addField(smallField("u", entities));
    writer.setSnapshotEncoding(BlobEncoding::raw);
    std::vector<float> values(entities);
    std::uint32_t state = 1;
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        for (const auto point : job.points) {
            for (auto &value : values) {
                state = state * 1664525U + 1013904223U;
                value = static_cast<float>(state >> 8U);
            }
            writer.putSnapshot(point, 0, values);
        }
        writer.finishJob(job.id, "");
    }
    writer.close();
}

/// Somebody who reads for a moment.
class ShortRead
{
public:
    explicit ShortRead(const std::filesystem::path &path)
        : m_study(Study::open(path))
    {
    }
    /// From now on; once.
    void begin()
    {
        if (hasBegun())
            return;
        m_thread = std::jthread([this] {
            const ReadTransaction inTheMiddle(m_study.file());
            std::vector<float> values(5'000);
            m_study.readCoefficients(3, 0, values);
            m_isReading.release();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        });
        m_isReading.acquire();
    }
    bool hasBegun() const { return m_thread.joinable(); }

private:
    Study m_study;
    std::binary_semaphore m_isReading{0};
    std::jthread m_thread;
};

/// The most memory, in bytes, that this process has had since it began its program.
double ownPeak()
{
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line))
        if (line.starts_with("VmHWM:"))
            return 1024 * std::stod(line.substr(line.find(':') + 1));
    return 0;
}

/// The same of a process of its own that compacts this study; 0 if it did not.
double peakOfCompacting(const std::filesystem::path &path)
{
    const auto said = path.string() + ".peak";
    const auto child = fork();
    if (child == 0) {
        setenv("ASAN_OPTIONS", "quarantine_size_mb=1:detect_leaks=0", 1); // freed memory is free
        execl("/proc/self/exe", "data", "tst_study_compact", childsWord.data(), path.c_str(),
              said.c_str(), nullptr);
        _exit(2);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return 0;
    double peak = 0;
    std::ifstream(said) >> peak;
    return peak;
}

} // namespace

class StudyCompactTest : public QObject
{
    Q_OBJECT

private slots:
    void nothingButTheSizeChanges();
    void stoppedItIsAsBefore_data();
    void stoppedItIsAsBefore();
    void readersGoOn();
    void whoReadsNowIsWaitedForAndLeftAlone();
    void aShortReadAtTheWrongMomentIsWaitedFor();
    void itGoesOnAfterALongWrite();
    void compressedItStaysSoWhateverComesOfCompacting();
    void whoWritesIsLeftAlone();
    void whatIsNoneOfOursStays();
    void whatIsWrittenBesideIsAsPrivateAndOnTheSameDisk();
    void whatProgressThrowsComesThrough();
    void itTakesLittleMemory();
};

void StudyCompactTest::nothingButTheSizeChanges()
{
    const Folder folder;
    makeLoose(folder / "a study 100%?#.gridhelm");
    const auto path = folder / "a study 100%?#.gridhelm";
    const auto contents = contentsOf(path);
    const auto before = std::filesystem::file_size(path);
    std::vector<double> shares;
    const auto report = compactStudy(path, [&](double share) {
        shares.push_back(share);
        return true;
    });
    QVERIFY(!report.cancelled && report.notice.empty());
    QCOMPARE(report.before, before);
    QCOMPARE(report.after, std::filesystem::file_size(path));
    QVERIFY(10 * report.after < 9 * before);
    QVERIFY(shares.size() > 4 && std::ranges::is_sorted(shares));
    QVERIFY(shares.front() < 0.5 && shares.back() > 0.7 && shares.back() <= 1);
    QVERIFY(contentsOf(path) == contents);
    QCOMPARE(problemsOf(path), std::string());
    QCOMPARE(filesIn(folder).size(), std::size_t{1});
    // It is still one to write to.
    auto writer = StudyWriter::open(path);
    writer.setTitle("another");
    writer.close();
    QCOMPARE(Study::open(path).description().title, std::string("another"));
}

void StudyCompactTest::stoppedItIsAsBefore_data()
{
    QTest::addColumn<double>("at");
    QTest::newRow("at once") << 0.0;
    QTest::newRow("while it is written beside") << 0.1;
    QTest::newRow("while it is put back") << 0.6;
}

void StudyCompactTest::stoppedItIsAsBefore()
{
    QFETCH(double, at);
    const Folder folder;
    makeLoose(folder / "s");
    const auto contents = contentsOf(folder / "s");
    const auto report = compactStudy(folder / "s", [&](double share) { return share < at; });
    QVERIFY(report.cancelled);
    QCOMPARE(report.after, report.before);
    QVERIFY(contentsOf(folder / "s") == contents);
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QCOMPARE(filesIn(folder), std::vector<std::string>{"s"});
    QVERIFY(!compactStudy(folder / "s").cancelled);
    QVERIFY(std::filesystem::file_size(folder / "s") < report.before);
}

void StudyCompactTest::readersGoOn()
{
    const Folder folder;
    makeLoose(folder / "s");
    const auto contents = contentsOf(folder / "s");
    const auto reader = Study::open(folder / "s");
    std::optional<ReadTransaction> inTheMiddle;
    std::vector<float> before(5'000), after(5'000);
    const auto report = compactStudy(folder / "s", [&](double) {
        if (!inTheMiddle) {
            inTheMiddle.emplace(reader.file());
            reader.readCoefficients(3, 0, before);
        }
        return true;
    });
    QVERIFY(!report.cancelled && !report.notice.empty());
    reader.readCoefficients(3, 0, after);
    QVERIFY(after == before);
    inTheMiddle.reset();
    reader.readCoefficients(3, 0, after);
    QVERIFY(after == before);
    QVERIFY(contentsOf(folder / "s") == contents);
    StudyWriter::open(folder / "s").close(); // brings it in
    QVERIFY(10 * std::filesystem::file_size(folder / "s") < 9 * report.before);
    QVERIFY(contentsOf(folder / "s") == contents);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

/// In the middle of a read that began before.
void StudyCompactTest::whoReadsNowIsWaitedForAndLeftAlone()
{
    const Folder folder;
    makeLoose(folder / "s");
    const auto size = std::filesystem::file_size(folder / "s");
    const auto reader = Study::open(folder / "s");
    std::vector<float> values(5'000);
    {
        const ReadTransaction inTheMiddle(reader.file());
        reader.readCoefficients(3, 0, values);
        QVERIFY(isRefused([&] { compactStudy(folder / "s"); }, "being read elsewhere"));
    }
    QCOMPARE(std::filesystem::file_size(folder / "s"), size);
    QVERIFY(!compactStudy(folder / "s").cancelled);
    reader.readCoefficients(3, 0, values);
}

/// At any moment before the write-ahead log is begun.
void StudyCompactTest::aShortReadAtTheWrongMomentIsWaitedFor()
{
    const Folder folder;
    makeLoose(folder / "s");
    ShortRead read(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const auto beforeLog = [](unsigned, void *itself, void *, void *sql) {
        const std::string_view said(static_cast<const char *>(sql));
        if (said.find("journal_mode = WAL") != said.npos)
            static_cast<ShortRead *>(itself)->begin();
        return 0;
    };
    sqlite3_trace_v2(writer.file().database().getHandle(), SQLITE_TRACE_STMT, beforeLog, &read);
    QVERIFY(writer.compact());
    QVERIFY(read.hasBegun());
    writer.close();
}

/// Which the journal is taken for; also on a small disk, where a writer keeps to it.
void StudyCompactTest::itGoesOnAfterALongWrite()
{
    const Folder folder;
    makeLoose(folder / "s");
    const auto size = std::filesystem::file_size(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    writer.file().beginBulk();
    QVERIFY(writer.compact());
    writer.close();
    QVERIFY(10 * std::filesystem::file_size(folder / "s") < 9 * size);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

/// All that it is done after has been stored by then.
void StudyCompactTest::compressedItStaysSoWhateverComesOfCompacting()
{
    const Folder folder;
    makeLoose(folder / "s");
    const auto reader = Study::open(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    std::vector<float> values(5'000);
    {
        const ReadTransaction inTheMiddle(reader.file());
        reader.readCoefficients(3, 0, values);
        const auto note = QString::fromStdString(writer.compactIfWorthwhile());
        QVERIFY2(note.contains("being read elsewhere"), qPrintable(note));
    }
    QCOMPARE(writer.compactIfWorthwhile(), std::string());
    writer.close();
}

void StudyCompactTest::whoWritesIsLeftAlone()
{
    const Folder folder;
    makeLoose(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    QVERIFY(isRefused([&] { compactStudy(folder / "s"); }, "is being written"));
    writer.close();
    QVERIFY(!compactStudy(folder / "s").cancelled);
}

void StudyCompactTest::whatIsNoneOfOursStays()
{
    const Folder folder;
    makeLoose(folder / "s");
    std::filesystem::copy_file(folder / "s", folder / "s-new"); // as a killed program leaves it
    QVERIFY(!compactStudy(folder / "s").cancelled);
    QCOMPARE(filesIn(folder), std::vector<std::string>{"s"});
    std::ofstream(folder / "s-new") << "somebody's notes";
    QVERIFY(isRefused([&] { compactStudy(folder / "s"); }, "s-new"));
    QCOMPARE(bytesOf(folder / "s-new").size(), std::size_t{16});
}

void StudyCompactTest::whatIsWrittenBesideIsAsPrivateAndOnTheSameDisk()
{
    using enum std::filesystem::perms;
    const Folder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    makeLoose(folder / "elsewhere/s");
    std::filesystem::permissions(folder / "elsewhere/s", owner_read | owner_write);
    std::filesystem::create_symlink(folder / "elsewhere/s", folder / "link");
    int seen = 0, open = 0;
    const auto report = compactStudy(folder / "link", [&](double) {
        const auto beside = std::filesystem::status(folder / "elsewhere/s-new");
        seen += std::filesystem::exists(beside) ? 1 : 0;
        open += beside.permissions() == (owner_read | owner_write) ? 0 : 1;
        return true;
    });
    QVERIFY(!report.cancelled && report.after < report.before);
    QVERIFY(seen > 0);
    QCOMPARE(open, 0);
    QVERIFY(std::filesystem::is_symlink(folder / "link"));
    QCOMPARE(filesIn(folder), (std::vector<std::string>{"elsewhere", "link"}));
}

/// SQLite, which asks while it works, is written in C.
void StudyCompactTest::whatProgressThrowsComesThrough()
{
    const Folder folder;
    makeLoose(folder / "s");
    const auto contents = contentsOf(folder / "s");
    const auto size = std::filesystem::file_size(folder / "s");
    for (const double at : {0.1, 0.6}) {
        const auto progress = [at](double share) {
            if (share >= at)
                throw Error("no more pictures of it");
            return true;
        };
        QVERIFY(isRefused([&] { compactStudy(folder / "s", progress); }, "no more pictures"));
        QVERIFY(contentsOf(folder / "s") == contents);
        QCOMPARE(std::filesystem::file_size(folder / "s"), size);
    }
    QCOMPARE(filesIn(folder), std::vector<std::string>{"s"});
    QVERIFY(!compactStudy(folder / "s").cancelled);
}

void StudyCompactTest::itTakesLittleMemory()
{
    const Folder folder;
    constexpr std::uint64_t bytes = 200'000'000;
    makeLarge(folder / "small", bytes / 100);
    makeLarge(folder / "large", bytes);
    const double small = peakOfCompacting(folder / "small");
    const double large = peakOfCompacting(folder / "large");
    QVERIFY(small > 0 && large > 0);
    QVERIFY2(large - small < 0.8 * bytes,
             qPrintable(QString("%1, a small one %2").arg(large).arg(small)));
}

static int runOrCompact(int argc, char **argv)
{
    if (argc == 4 && argv[1] == childsWord) {
        const bool isDone = !compactStudy(argv[2]).cancelled;
        std::ofstream(argv[3]) << ownPeak();
        return isDone ? 0 : 1;
    }
    QCoreApplication app(argc, argv);
    StudyCompactTest test;
    return QTest::qExec(&test, argc, argv);
}

GRIDHELM_TEST_RUN_BY(runOrCompact)

#include "tst_study_compact.moc"
