// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies from somebody else: what stands beside them deletes and changes nothing, and what they
// hold is believed only if it is whole.
#include "data/study/check.h"
#include "data/study/copy_study.h"
#include "data/study/storage_error.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/full_studies.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_forger.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace fs = std::filesystem;

namespace {

/// All that readers do; errors are theirs to tell.
std::string problemOfReading(const fs::path &path)
{
    static_cast<void>(check(path));
    try {
        const auto study = Study::open(path);
        static_cast<void>(study.mesh());
        static_cast<void>(study.jobs());
        static_cast<void>(study.errorFigures());
        static_cast<void>(study.holdOuts());
        static_cast<void>(info(study));
        FieldSurrogate(study, 0).loadAll(study);
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace

class StudyHostileTest : public QObject
{
    Q_OBJECT

private slots:
    void aJournalDeletesNoOtherFile();
    void readersChangeNothingBesideAStudy_data();
    void readersChangeNothingBesideAStudy();
    void linksInPlaceOfOurFilesAreNotFollowed_data();
    void linksInPlaceOfOurFilesAreNotFollowed();
    void somebodysFilesWithOurNamesStay();
    void aRefusedWriterHasChangedNoByte();
    void everyColumnOfEveryTableIsUnderAChecksum();
    void everyRowThatIsTakenAwayIsMissed();
    void exchangedPointsGiveNoOtherValue();
    void errorFiguresOfNothingAreNotBelieved();
    void valuesThatAreNotFiniteAreRefused_data();
    void valuesThatAreNotFiniteAreRefused();
    void tablesThatPassForStatisticsAreRefused();
    void aMeshOfManyPartsIsNotReadForItsName();
};

void StudyHostileTest::aJournalDeletesNoOtherFile()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    const auto victim = folder / "diary";
    writeBytes(victim, std::vector<char>(100, 'd'));
    writeBytes((folder / "s").string() + "-journal", journalThatNames(victim, folder / "s"));
    const auto before = filesOf(folder / "");
    const auto problem = problemOfReading(folder / "s");
    QVERIFY2(problem.find("journal") != std::string::npos, problem.c_str());
    QCOMPARE(filesOf(folder / ""), before);
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "s"));
    QCOMPARE(filesOf(folder / ""), before);
    // Neither does it when somebody else has let it pass: SQLite is not able to.
    GRIDHELM_EXPECT_ERROR(copyStudy(folder / "s", folder / "copy"));
    QVERIFY(fs::exists(victim));
}

void StudyHostileTest::readersChangeNothingBesideAStudy_data()
{
    QTest::addColumn<QString>("beside");
    for (const char *name : {"killed writer", "killed in bulk", "header of a log", "empty log",
                             "log of noise", "journal of noise", "stray index", "dead lock"})
        QTest::newRow(name) << QString(name);
}

void StudyHostileTest::readersChangeNothingBesideAStudy()
{
    QFETCH(QString, beside);
    const Folder folder;
    const auto path = folder / "s";
    makeFullStudy(path);
    Random random(7);
    std::vector<char> noise(40'000);
    for (auto &byte : noise)
        byte = static_cast<char>(random.integer(1, 255));
    const auto name = path.string();
    if (beside == "killed writer")
        leaveLog(path);
    else if (beside == "killed in bulk")
        leaveJournal(path);
    else if (beside == "header of a log" || beside == "empty log")
        pretendToHaveALog(path);
    else if (beside == "log of noise")
        writeBytes(name + "-wal", noise);
    else if (beside == "journal of noise")
        writeBytes(name + "-journal", noise);
    else if (beside == "stray index")
        writeBytes(name + "-shm", noise);
    else
        writeBytes(name + "-writer", {'1', '2', '3', '4', '5', '6', '7'});
    if (beside == "empty log")
        writeBytes(name + "-wal", {});
    const auto before = filesOf(folder / "");
    const auto problem = problemOfReading(path);
    QCOMPARE(filesOf(folder / ""), before);
    QCOMPARE(problem, std::string());
    if (beside == "killed writer")
        QCOMPARE(Study::open(path).description().title, std::string("before the end"));
    if (beside == "killed in bulk")
        QCOMPARE(Study::open(path).description().title, std::string("small"));
    if (beside.startsWith("killed"))
        QVERIFY(!Study::open(path).notice().empty());
    QCOMPARE(filesOf(folder / ""), before);
    // Whoever writes puts it in order.
    StudyWriter::open(path).setTitle("in order");
    QCOMPARE(problemsOf(path), std::string());
}

void StudyHostileTest::linksInPlaceOfOurFilesAreNotFollowed_data()
{
    QTest::addColumn<QString>("end");
    QTest::addColumn<bool>("isHard");
    for (const char *end : {"-writer", "-wal", "-journal", "-shm", "-new"}) {
        QTest::addRow("symbolic %s", end) << QString(end) << false;
        QTest::addRow("hard %s", end) << QString(end) << true;
    }
}

void StudyHostileTest::linksInPlaceOfOurFilesAreNotFollowed()
{
    QFETCH(QString, end);
    QFETCH(bool, isHard);
    const Folder folder;
    fs::create_directory(folder / "home");
    fs::create_directory(folder / "received");
    const auto victim = folder / "home/letter", path = folder / "received/s";
    makeFullStudy(path);
    writeBytes(victim, std::vector<char>(3000, 'x'));
    const auto link = path.string() + end.toStdString();
    if (isHard)
        fs::create_hard_link(victim, link);
    else
        fs::create_symlink(victim, link);
    const auto home = filesOf(folder / "home"), received = filesOf(folder / "received");
    problemOfReading(path);
    QCOMPARE(filesOf(folder / "received"), received);
    try {
        auto writer = StudyWriter::open(path);
        writer.setTitle("w");
        writer.close();
    } catch (const Error &) {
        // It may say that there is something in its way.
    }
    try {
        fs::remove(path);
        StudyWriter::create(path, smallDescription(1)).close();
    } catch (const Error &) {
        // Likewise.
    }
    QCOMPARE(filesOf(folder / "home"), home);
}

void StudyHostileTest::somebodysFilesWithOurNamesStay()
{
    const Folder folder;
    const auto path = folder / "s";
    const std::vector<char> text(300, 't');
    for (const std::string end : {"-writer", "-new"}) {
        writeBytes(path.string() + end, text);
        GRIDHELM_EXPECT_ERROR(StudyWriter::create(path, smallDescription(1)));
        QVERIFY(bytesOf(path.string() + end) == text);
        fs::remove(path.string() + end);
    }
    StudyWriter::create(path, smallDescription(1)).close();
}

void StudyHostileTest::aRefusedWriterHasChangedNoByte()
{
    const Folder folder;
    const auto path = folder / "s";
    makeFullStudy(path);
    const auto before = bytesOf(path);
    {
        auto writer = StudyWriter::open(path);
        GRIDHELM_EXPECT_ERROR(writer.startJob(999));
        static_cast<void>(writer.resetRunningJobs());
        writer.close();
    }
    StudyWriter::open(path).close();
    QVERIFY(bytesOf(path) == before);
}

void StudyHostileTest::everyColumnOfEveryTableIsUnderAChecksum()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    growAndSubmit(folder / "s");
    const auto whole = bytesOf(folder / "s");
    int changed = 0;
    for (const auto &[table, column, type] : columnsOfStudy(folder / "s")) {
        const auto what = table + "." + column;
        const auto path = folder / "changed";
        writeBytes(path, whole);
        try {
            SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
            database.exec("PRAGMA ignore_check_constraints = ON");
            const std::string value = type == "TEXT"   ? "coalesce(" + column + ", '') || 'x'"
                                      : type == "REAL" ? column + " + 0.25"
                                      : type == "BLOB" ? "CAST(substr(" + column + ", 1, length("
                                                             + column + ") - 1) || x'5a' AS BLOB)"
                                                       : "coalesce(" + column + ", 0) + 1";
            if (database.exec("UPDATE " + table + " SET " + column + " = " + value
                              + " WHERE rowid = (SELECT max(rowid) FROM " + table + ")")
                == 0)
                continue; // an empty table
        } catch (const SQLite::Exception &) {
            continue; // its own rules do not let it
        }
        ++changed;
        QVERIFY2(!problemsOf(path).empty(), what.c_str());
    }
    QVERIFY2(changed > 70, std::to_string(changed).c_str());
}

void StudyHostileTest::everyRowThatIsTakenAwayIsMissed()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    growAndSubmit(folder / "s");
    const auto whole = bytesOf(folder / "s");
    std::string last;
    for (const auto &[table, column, type] : columnsOfStudy(folder / "s")) {
        if (table == std::exchange(last, table))
            continue;
        const auto path = folder / "changed";
        writeBytes(path, whole);
        {
            SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
            if (database.exec("DELETE FROM " + table + " WHERE rowid = (SELECT max(rowid) FROM "
                              + table + ")")
                == 0)
                continue;
        }
        QVERIFY2(!problemsOf(path).empty(), table.c_str());
    }
}

void StudyHostileTest::exchangedPointsGiveNoOtherValue()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    {
        SQLite::Database database((folder / "s").string(), SQLite::OPEN_READWRITE);
        database.exec("UPDATE points SET id = 1000 WHERE id = 2; UPDATE points SET id = 2 WHERE "
                      "id = 3; UPDATE points SET id = 3 WHERE id = 1000");
    }
    QVERIFY(!problemsOf(folder / "s").empty());
    const auto study = Study::open(folder / "s");
    std::vector<float> values(300);
    GRIDHELM_EXPECT_ERROR(study.readSnapshot(1, 0, values));
    GRIDHELM_EXPECT_ERROR(FieldSurrogate(study, 0).loadAll(study));
}

void StudyHostileTest::errorFiguresOfNothingAreNotBelieved()
{
    const Folder folder;
    for (const char *sql : {"UPDATE error_figures SET relative_l2 = 0",
                            "DELETE FROM error_figures WHERE kind = 'held-out'",
                            "UPDATE hold_outs SET parameters = zeroblob(24)"}) {
        fs::remove(folder / "s");
        makeFullStudy(folder / "s");
        SQLite::Database((folder / "s").string(), SQLite::OPEN_READWRITE).exec(sql);
        const auto study = Study::open(folder / "s");
        GRIDHELM_EXPECT_ERROR(std::pair(study.errorFigures(), study.holdOuts()));
        QVERIFY(!problemsOf(folder / "s").empty());
    }
}

void StudyHostileTest::valuesThatAreNotFiniteAreRefused_data()
{
    QTest::addColumn<float>("value");
    QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN();
    QTest::newRow("infinite") << -std::numeric_limits<float>::infinity();
}

void StudyHostileTest::valuesThatAreNotFiniteAreRefused()
{
    QFETCH(float, value);
    const Folder folder;
    makeFullStudy(folder / "s");
    std::vector<float> values(300, 1.0F);
    values[299] = value;
    {
        Forger forger(folder / "s");
        forger.putValues("coefficients", values).correctChecksums();
    }
    const auto study = Study::open(folder / "s");
    GRIDHELM_EXPECT_ERROR(allCoefficients(study)); // evaluations read its modes
    const auto problems = problemsOf(folder / "s");
    QVERIFY2(problems.find("finite") != std::string::npos, problems.c_str());
}

void StudyHostileTest::tablesThatPassForStatisticsAreRefused()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    SQLite::Database((folder / "s").string(), SQLite::OPEN_READWRITE)
        .exec("CREATE VIEW my_sqlite_stat AS SELECT 1");
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
    fs::remove(folder / "s");
    makeFullStudy(folder / "s");
    SQLite::Database((folder / "s").string(), SQLite::OPEN_READWRITE).exec("ANALYZE");
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyHostileTest::aMeshOfManyPartsIsNotReadForItsName()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    {
        // A few bytes that say of themselves to be a terabyte.
        Forger forger(folder / "s");
        forger.execute("UPDATE mesh SET size = 1 << 40").correctChecksums();
    }
    const auto study = Study::open(folder / "s");
    QCOMPARE(study.meshHeader()->points, std::uint64_t{300});
    static_cast<void>(info(study));
    GRIDHELM_EXPECT_ERROR(study.mesh());
    QVERIFY(!problemsOf(folder / "s").empty());
}

GRIDHELM_TEST(StudyHostileTest)
#include "tst_study_hostile.moc"
