// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that older programs have made: read as they are or from a copy, brought up to date by the
// first writer, and there whoever is killed meanwhile.
#include "data/study/check.h"
#include "data/study/schema.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <thread>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace fs = std::filesystem;

namespace {

const fs::path files = std::filesystem::path(paths::source) / "tests/data/files";

void migrate(const fs::path &path)
{
    StudyWriter::open(path).close();
}

std::int64_t versionOf(const fs::path &path)
{
    return SQLite::Database(path.string(), SQLite::OPEN_READONLY)
        .execAndGet("PRAGMA user_version")
        .getInt64();
}

/// As the programs of version 2 did.
void migrateToVersion2(const fs::path &path)
{
    const schema::History history{schema::known().migrations.first(2), 2};
    StudyFile::openForWriting(path, history)->close();
}

} // namespace

class StudyMigrationTest : public QObject
{
    Q_OBJECT

private slots:
    void filesOfVersion1AreReadAndBroughtUpToDate_data();
    void filesOfVersion1AreReadAndBroughtUpToDate();
    void filesOfVersion2AreReadAsTheyAre();
    void filesOfVersion2AreBroughtUpToDate();
    void whatVersion2BecomesIsWhatVersion1Becomes();
    void damagedFilesAreNotBroughtUpToDate_data();
    void damagedFilesAreNotBroughtUpToDate();
    void killedWhileItIsBroughtUpToDateTheStudyIsThere_data();
    void killedWhileItIsBroughtUpToDateTheStudyIsThere();
    void filesBetweenTwoStepsAreWhole();
};

void StudyMigrationTest::filesOfVersion1AreReadAndBroughtUpToDate_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("vector") << "version-1-vector.gridhelm";
    QTest::newRow("scalar") << "version-1-scalar.gridhelm";
}

void StudyMigrationTest::filesOfVersion1AreReadAndBroughtUpToDate()
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
    writer.setTitle("w");
    writer.close();
    QCOMPARE(problemsOf(path), std::string());
}

void StudyMigrationTest::filesOfVersion2AreReadAsTheyAre()
{
    const Folder folder;
    const auto path = folder / "s";
    fs::copy_file(files / "version-2-vector.gridhelm", path);
    const auto before = filesOf(folder / "");
    {
        const auto study = Study::open(path);
        QVERIFY(study.notice().empty());
        QCOMPARE(study.grid()->points(), std::uint64_t{53});
        QCOMPARE(study.grid()->blocks(), std::size_t{14});
        QCOMPARE(study.jobs().size(), std::size_t{18});
        QVERIFY(study.submissions().empty());
    }
    QCOMPARE(problemsOf(path), std::string());
    QCOMPARE(filesOf(folder / ""), before);
}

void StudyMigrationTest::filesOfVersion2AreBroughtUpToDate()
{
    const Folder folder;
    const auto path = folder / "s";
    fs::copy_file(files / "version-2-vector.gridhelm", path);
    const auto read = contentsOf(Study::open(path));
    auto early = Study::open(path); // stays open meanwhile
    migrate(path);
    QCOMPARE(versionOf(path), schema::known().version());
    QCOMPARE(problemsOf(path), std::string());
    QCOMPARE(differenceOf(contentsOf(Study::open(path)), read), std::string());
    early.refresh();
    QCOMPARE(differenceOf(contentsOf(early), read), std::string());
    {
        // Both generations, as level and caps had them.
        SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM grid_blocks").getInt(), 2);
        QCOMPARE(database.execAndGet("SELECT count(*) FROM sums WHERE name = 'views'").getInt(), 0);
    }
    auto writer = StudyWriter::open(path); // and goes on
    runAllJobs(writer);
    compress(writer, {});
    writer.growGrid(4, std::vector{4, 2, 4});
    writer.close();
    QCOMPARE(problemsOf(path), std::string());
}

void StudyMigrationTest::whatVersion2BecomesIsWhatVersion1Becomes()
{
    for (const std::string file : {"version-1-vector.gridhelm", "version-1-scalar.gridhelm"}) {
        const Folder folder;
        fs::copy_file(files / file, folder / "at once");
        fs::copy_file(files / file, folder / "in steps");
        migrate(folder / "at once");
        migrateToVersion2(folder / "in steps");
        QCOMPARE(versionOf(folder / "in steps"), std::int64_t{2});
        QCOMPARE(problemsOf(folder / "in steps"), std::string());
        migrate(folder / "in steps");
        QCOMPARE(problemsOf(folder / "in steps"), std::string());
        QCOMPARE(differenceOf(contentsOf(Study::open(folder / "in steps")),
                              contentsOf(Study::open(folder / "at once"))),
                 std::string());
    }
}

void StudyMigrationTest::damagedFilesAreNotBroughtUpToDate_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("sql");
    const auto row = [](const char *file, const char *sql) {
        QTest::addRow("%s %s", file, sql)
            << QString("version-%1-vector.gridhelm").arg(file) << QString(sql);
    };
    for (const char *file : {"1", "2"})
        row(file, "UPDATE study SET title = 'another'");
    row("1", "UPDATE mesh SET bytes = x'00'");
    row("1", "UPDATE coefficients SET bytes = x'00' WHERE provisional = 1");
    row("2", "UPDATE grids SET caps = '2,3,3'");
    row("2", "UPDATE sums SET rows = 52 WHERE name = 'points'");
    row("2", "DELETE FROM grids");
}

void StudyMigrationTest::damagedFilesAreNotBroughtUpToDate()
{
    QFETCH(QString, file);
    QFETCH(QString, sql);
    const Folder folder;
    const auto path = folder / "s";
    fs::copy_file(files / file.toStdString(), path);
    SQLite::Database(path.string(), SQLite::OPEN_READWRITE).exec(sql.toStdString());
    const auto before = bytesOf(path);
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(path));
    GRIDHELM_EXPECT_ERROR(Study::open(path));
    QVERIFY(bytesOf(path) == before);
}

void StudyMigrationTest::killedWhileItIsBroughtUpToDateTheStudyIsThere_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("version 1") << "version-1-vector.gridhelm";
    QTest::newRow("version 2") << "version-2-vector.gridhelm";
}

void StudyMigrationTest::killedWhileItIsBroughtUpToDateTheStudyIsThere()
{
    QFETCH(QString, file);
    const auto original = files / file.toStdString();
    const Folder folder;
    Random random(isLong() ? static_cast<std::uint64_t>(::getpid()) : 5);
    const auto expected = contentsOf(Study::open(original));
    fs::copy_file(original, folder / "whole");
    const auto start = std::chrono::steady_clock::now();
    migrate(folder / "whole");
    const auto duration = std::chrono::steady_clock::now() - start;
    int killed = 0;
    std::map<std::int64_t, int> versions;
    for (int round = 0; round < (isLong() ? 100 : 12); ++round) {
        const auto path = folder / std::to_string(round);
        fs::copy_file(original, path);
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
        ++versions[Study::open(path).file().version()];
        migrate(path);
        QCOMPARE(versionOf(path), schema::known().version());
        QCOMPARE(differenceOf(contentsOf(Study::open(path)), expected), std::string());
    }
    for (const auto &[version, count] : versions)
        qInfo("%d were of version %d", count, static_cast<int>(version));
    qInfo("%d kills", killed);
    QVERIFY(killed > 0);
}

/// As somebody leaves them who is killed after the first step of several.
void StudyMigrationTest::filesBetweenTwoStepsAreWhole()
{
    const Folder folder;
    const auto path = folder / "s";
    fs::copy_file(files / "version-1-vector.gridhelm", path);
    const auto known = schema::known().migrations;
    std::vector<schema::Migration> steps(known.begin(), known.begin() + 2);
    steps.push_back({"DROP TABLE nothing", 3});
    GRIDHELM_EXPECT_ERROR(StudyFile::openForWriting(path, {steps, 2}));
    QCOMPARE(versionOf(path), std::int64_t{2});
    QCOMPARE(problemsOf(path), std::string());
    migrate(path);
    QCOMPARE(problemsOf(path), std::string());
}

GRIDHELM_TEST(StudyMigrationTest)
#include "tst_study_migration.moc"
