// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files of other versions. The newer program is made up here: a history that goes on after today's.
#include "data/study/schema.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/killed_child.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <chrono>
#include <map>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

using schema::History, schema::Migration;

/// The steps of tomorrow's programs. Today's programs do not understand what they make.
const std::int64_t today = schema::known().version(), tomorrow = today + 1;
const Migration withNotes{"ALTER TABLE hold_outs ADD COLUMN note TEXT NOT NULL DEFAULT ''",
                          tomorrow};
/// Makes a table anew that others refer to.
const Migration withLabels{R"(
CREATE TABLE new_fields (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    unit TEXT NOT NULL,
    components INTEGER NOT NULL,
    association TEXT NOT NULL,
    entities INTEGER NOT NULL,
    value_offset REAL NOT NULL,
    value_scale REAL NOT NULL
) STRICT;
INSERT INTO new_fields (id, name, label, unit, components, association, entities, value_offset,
                        value_scale)
    SELECT id, name, upper(name), unit, components, association, entities, value_offset,
           value_scale FROM fields;
DROP TABLE fields;
ALTER TABLE new_fields RENAME TO fields;
)",
                           tomorrow + 1};

std::vector<Migration> stepsWith(std::initializer_list<Migration> more)
{
    const auto known = schema::known().migrations;
    std::vector<Migration> steps(known.begin(), known.end());
    steps.insert(steps.end(), more);
    return steps;
}

void addHoldOut(StudyWriter &writer, double reynolds)
{
    const auto id = writer.addHoldOut(std::vector{reynolds, 1.0, 2.0});
    writer.putHoldOut(id, 0, std::vector<float>(writer.fields()[0].values(), 1.0F));
}

void makeStudy(const std::filesystem::path &path)
{
    auto writer = StudyWriter::create(path, smallDescription(2));
    writer.addField(smallField("u", 300));
    runAllJobs(writer);
    compress(writer, {});
    addHoldOut(writer, 300);
    writer.close();
}

std::int64_t versionOf(const std::filesystem::path &path)
{
    return SQLite::Database(path.string(), SQLite::OPEN_READONLY)
        .execAndGet("PRAGMA user_version")
        .getInt64();
}

std::string sentenceOf(const std::function<void()> &action)
{
    try {
        action();
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

bool contains(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class StudyVersionsTest : public QObject
{
    Q_OBJECT

private slots:
    void olderFilesAreReadAsTheyAreIfPossible();
    void olderFilesThatMustBeMigratedSayHow();
    void theWriterMigratesAndNothingIsLost();
    void compatibleVersionsAreReadAndWrittenByOlderPrograms();
    void aStepThatFailsChangesNothing_data();
    void aStepThatFailsChangesNothing();
    void finishedStepsStayWhenALaterOneFails();
    void aReaderNoticesThatItsFileWasMigrated();
    void damagedFilesAreNotMigrated();
    void killedMeanwhileTheStudyIsThere();
    void filesFromBeforeTheFirstReleaseAreRefused();
};

void StudyVersionsTest::olderFilesAreReadAsTheyAreIfPossible()
{
    const Folder folder;
    makeStudy(folder / "s");
    const auto before = bytesOf(folder / "s");
    const auto steps = stepsWith({withNotes});
    const auto file = StudyFile::openForReading(folder / "s", History{steps, today});
    QCOMPARE(file->fields().size(), std::size_t{1});
    QVERIFY(bytesOf(folder / "s") == before);
}

void StudyVersionsTest::olderFilesThatMustBeMigratedSayHow()
{
    const Folder folder;
    makeStudy(folder / "s");
    const auto before = bytesOf(folder / "s");
    const auto steps = stepsWith({withNotes});
    const auto file = StudyFile::openForReading(folder / "s", History{steps, tomorrow});
    QVERIFY(file->query("SELECT note FROM hold_outs").step()); // in a copy
    const auto sentence = file->notice();
    QVERIFY2(contains(sentence, "older version") && contains(sentence, "gridhelm-cli compress"),
             sentence.c_str());
    QVERIFY(bytesOf(folder / "s") == before);
}

void StudyVersionsTest::theWriterMigratesAndNothingIsLost()
{
    for (const auto oldest : {today, tomorrow + 1}) {
        const Folder folder;
        makeStudy(folder / "s");
        const auto coefficients = allCoefficients(Study::open(folder / "s"));
        const auto steps = stepsWith({withNotes, withLabels});
        const History history{steps, oldest};
        StudyFile::openForWriting(folder / "s", history)->close();
        QCOMPARE(versionOf(folder / "s"), tomorrow + 1);

        {
            const auto file = StudyFile::openForReading(folder / "s", history);
            QCOMPARE(file->fields(), std::vector{smallField("u", 300)});
            const auto read = [&](const char *sql) {
                auto row = file->query(sql);
                return row.step() ? row.text(0) : "nothing";
            };
            QCOMPARE(read("SELECT label FROM fields WHERE id = 0"), std::string("U"));
            QCOMPARE(read("SELECT note FROM hold_outs WHERE id = 1"), std::string());
            QCOMPARE(read("SELECT count(*) FROM coefficients"),
                     std::to_string(coefficients.size()));
        }
        // References are looked after again, and a second time there is nothing to do.
        const auto writer = StudyFile::openForWriting(folder / "s", history);
        QCOMPARE(writer->database().execAndGet("PRAGMA foreign_keys").getInt(), 1);
        writer->close();

        for (const auto &action : {std::function<void()>([&] { Study::open(folder / "s"); }),
                                   std::function<void()>([&] { StudyWriter::open(folder / "s"); })})
            QVERIFY(contains(sentenceOf(action), "newer version"));
    }
}

void StudyVersionsTest::compatibleVersionsAreReadAndWrittenByOlderPrograms()
{
    const Folder folder;
    makeStudy(folder / "s");
    const auto coefficients = allCoefficients(Study::open(folder / "s"));
    const auto steps = stepsWith({{withNotes.sql, today}});
    const History history{steps, today};
    StudyFile::openForWriting(folder / "s", history)->close();
    QVERIFY(allCoefficients(Study::open(folder / "s")) == coefficients);
    auto writer = StudyWriter::open(folder / "s");
    writer.setTitle("another");
    addHoldOut(writer, 400);
    writer.close();
    QCOMPARE(versionOf(folder / "s"), tomorrow); // it stays what it is
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QCOMPARE(StudyFile::openForReading(folder / "s", history)->description().title,
             std::string("another"));
}

void StudyVersionsTest::aStepThatFailsChangesNothing_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("no SQL") << "ALTER TABLE hold_outs ADD COLUMN note TEXT; DROP TABLE nothing;";
    QTest::newRow("broken references") << "DELETE FROM fields";
    QTest::newRow("broken rule") << "ALTER TABLE hold_outs ADD COLUMN note TEXT;"
                                    "UPDATE jobs SET state = 'gone'";
}

void StudyVersionsTest::aStepThatFailsChangesNothing()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeStudy(folder / "s");
    const auto before = bytesOf(folder / "s");
    const auto text = sql.toStdString();
    const auto steps = stepsWith({{text.c_str(), tomorrow}});
    // Its tables cannot be made either, so that only the step is asked for.
    GRIDHELM_EXPECT_ERROR(StudyFile::openForWriting(folder / "s", History{steps, today}));
    QVERIFY(bytesOf(folder / "s") == before);
    QCOMPARE(versionOf(folder / "s"), today);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyVersionsTest::finishedStepsStayWhenALaterOneFails()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto steps = stepsWith({withNotes, {"DROP TABLE nothing", tomorrow + 1}});
    GRIDHELM_EXPECT_ERROR(StudyFile::openForWriting(folder / "s", History{steps, tomorrow}));
    QCOMPARE(versionOf(folder / "s"), tomorrow);
    steps = stepsWith({withNotes, withLabels}); // as if it had been killed in between
    const History history{steps, tomorrow + 1};
    StudyFile::openForWriting(folder / "s", history)->close();
    QCOMPARE(StudyFile::openForReading(folder / "s", history)->fields().size(), std::size_t{1});
}

void StudyVersionsTest::aReaderNoticesThatItsFileWasMigrated()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto reader = Study::open(folder / "s");
    const auto version = reader.dataVersion();
    const auto steps = stepsWith({withNotes});
    const auto writer = StudyFile::openForWriting(folder / "s", History{steps, today});
    QVERIFY(reader.dataVersion() != version);
    QVERIFY(contains(sentenceOf([&] { reader.refresh(); }), "newer version"));
}

void StudyVersionsTest::damagedFilesAreNotMigrated()
{
    const Folder folder;
    makeStudy(folder / "s");
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE).exec("DROP TABLE error_figures");
    const auto before = bytesOf(folder / "s");
    const auto steps = stepsWith({withLabels});
    for (const auto oldest : {today, tomorrow})
        GRIDHELM_EXPECT_ERROR(StudyFile::openForWriting(folder / "s", History{steps, oldest}));
    QVERIFY(bytesOf(folder / "s") == before);
}

void StudyVersionsTest::killedMeanwhileTheStudyIsThere()
{
    const Folder folder;
    makeStudy(folder / "s");
    const auto steps = stepsWith({withNotes, withLabels});
    const History history{steps, today};
    const auto migrate = [&](const std::filesystem::path &path) {
        StudyFile::openForWriting(path, history)->close();
    };
    const auto contents = [&](const std::filesystem::path &path) {
        const auto file = StudyFile::openForReading(path, history);
        auto row = file->query("SELECT count(*), sum(checksum % 1000003) FROM snapshots");
        row.step();
        return std::tuple(file->description().title, file->fields(), row.integer(0),
                          row.integer(1));
    };
    const auto expected = contents(folder / "s");
    std::filesystem::copy_file(folder / "s", folder / "whole");
    const auto start = std::chrono::steady_clock::now();
    migrate(folder / "whole");
    const auto duration = std::chrono::steady_clock::now() - start;
    Random random(isLong() ? static_cast<std::uint64_t>(::getpid()) : 5);
    int killed = 0;
    std::map<std::int64_t, int> versions;
    for (int round = 0; round < (isLong() ? 100 : 12); ++round) {
        const auto path = folder / std::to_string(round);
        std::filesystem::copy_file(folder / "s", path);
        const int status = killedChild(duration * random.real(0, 1.2), [&] { migrate(path); });
        killed += WIFSIGNALED(status) ? 1 : 0;
        QVERIFY(contents(path) == expected);
        ++versions[StudyFile::openForReading(path, history)->version()]; // beside its journal
        migrate(path);
        QCOMPARE(versionOf(path), history.version());
        QVERIFY(contents(path) == expected);
    }
    for (const auto &[version, count] : versions)
        qInfo("%d were of version %d", count, static_cast<int>(version));
    qInfo("%d kills", killed);
    QVERIFY(killed > 0);
}

void StudyVersionsTest::filesFromBeforeTheFirstReleaseAreRefused()
{
    const Folder folder;
    makeStudy(folder / "s");
    SQLite::Database(folder / "s", SQLite::OPEN_READWRITE)
        .exec("PRAGMA application_id = " + std::to_string(schema::unreleasedApplicationId));
    for (const auto &action : {std::function<void()>([&] { Study::open(folder / "s"); }),
                               std::function<void()>([&] { StudyWriter::open(folder / "s"); })})
        QVERIFY(contains(sentenceOf(action), "before its first release"));
}

GRIDHELM_TEST(StudyVersionsTest)
#include "tst_study_versions.moc"
