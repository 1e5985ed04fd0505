// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files that are no studies, newer ones, and changes made on purpose: a sentence, and no change.
#include "data/study/check.h"
#include "data/study/schema.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/full_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <SQLiteCpp/Database.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void execute(const std::filesystem::path &path, const std::string &sql)
{
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
    database.exec(sql);
}

} // namespace

class StudyDamageTest : public QObject
{
    Q_OBJECT

private slots:
    void filesThatAreNoStudies();
    void newerFilesAreRefusedUnlessCompatible();
    void changedTablesAreNoticed_data();
    void changedTablesAreNoticed();
    void everyFlippedBitOfABlobIsNoticed();
    void truncatedFilesAreNoticed();
};

void StudyDamageTest::filesThatAreNoStudies()
{
    const Folder folder;
    makeFullStudy(folder / "study");
    const auto whole = bytesOf(folder / "study");
    writeBytes(folder / "empty", {});
    writeBytes(folder / "text", std::vector<char>(5000, 'x'));
    writeBytes(folder / "short", std::vector<char>(whole.begin(), whole.begin() + 50));
    writeBytes(folder / "header", std::vector<char>(whole.begin(), whole.begin() + 100));
    {
        SQLite::Database other((folder / "other").string(),
                               SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        other.exec("CREATE TABLE study (id INTEGER)");
    }
    {
        SQLite::Database bare((folder / "bare").string(),
                              SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        bare.exec("PRAGMA application_id = " + std::to_string(schema::applicationId));
        bare.exec("CREATE TABLE study (id INTEGER)");
    }
    std::filesystem::create_directory(folder / "folder");
    for (const char *name :
         {"empty", "text", "short", "header", "other", "bare", "folder", "nothing"}) {
        const bool isFile = std::filesystem::is_regular_file(folder / name);
        const auto before = isFile ? bytesOf(folder / name) : std::vector<char>();
        GRIDHELM_EXPECT_ERROR(Study::open(folder / name));
        GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / name));
        QCOMPARE(check(folder / name).problems.size(), std::size_t{1});
        if (isFile)
            QVERIFY(bytesOf(folder / name) == before);
        QVERIFY(!std::filesystem::exists(folder / (std::string(name) + "-writer")));
    }
}

void StudyDamageTest::newerFilesAreRefusedUnlessCompatible()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    const auto newer = std::to_string(schema::known().version() + 1);
    execute(folder / "s",
            "PRAGMA user_version = " + newer + "; ALTER TABLE hold_outs ADD COLUMN more TEXT");
    static_cast<void>(Study::open(folder / "s")); // says that this version can read it
    StudyWriter::open(folder / "s").close();
    execute(folder / "s", "UPDATE study SET compatible_version = " + newer);
    const auto before = bytesOf(folder / "s");
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "s"));
    QVERIFY(bytesOf(folder / "s") == before);
    execute(folder / "s", "PRAGMA user_version = 0");
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
}

void StudyDamageTest::changedTablesAreNoticed_data()
{
    QTest::addColumn<QString>("sql");
    const char *changes[] = {
        "UPDATE study SET title = 'another'",
        "UPDATE parameters SET high = 2000 WHERE dimension = 0",
        "UPDATE parameters SET dimension = 7 WHERE dimension = 2",
        "UPDATE grids SET level = 3",
        "UPDATE grids SET caps = '2,2,1'",
        "DELETE FROM grids",
        "DELETE FROM study",
        "UPDATE fields SET entities = 301",
        "DELETE FROM points WHERE id = 3",
        "UPDATE points SET position = 9 WHERE id = 3",
        "UPDATE points SET levels = x'00' WHERE id = 3",
        "DELETE FROM jobs WHERE id = 2",
        "UPDATE jobs SET generation = 5 WHERE id = 2",
        "DELETE FROM snapshots WHERE id = 2; DELETE FROM coefficients WHERE point = 2",
        "UPDATE snapshots SET point = 999 WHERE id = 2",
        "UPDATE snapshots SET part = 1 WHERE id = 2",
        "UPDATE snapshots SET bytes = x'00' WHERE id = 2",
        "UPDATE snapshots SET encoding = 1 - encoding WHERE id = 2",
        "UPDATE coefficients SET field = 1 WHERE id = 2",
        "UPDATE coefficients SET checksum = 0 WHERE id = 2",
        "UPDATE coefficients SET part = -1 WHERE id = 2",
        "UPDATE hold_out_values SET bytes = x''",
        "UPDATE hold_outs SET parameters = x'00'",
        "UPDATE mesh SET size = 1 << 60",
        "UPDATE mesh SET checksum = 5",
        "UPDATE error_figures SET field = 4",
        "CREATE TABLE more (id INTEGER)",
        "DROP INDEX provisional_coefficients",
        "CREATE TRIGGER t AFTER INSERT ON jobs BEGIN DELETE FROM jobs; END",
        "UPDATE grid_blocks SET generation = 1",
        "UPDATE grid_blocks SET bytes = zeroblob(length(bytes))",
        "INSERT INTO grid_blocks SELECT id + 1, generation, part + 1, encoding, checksum, bytes "
        "FROM grid_blocks",
        "DELETE FROM grid_blocks",
        "INSERT INTO submissions VALUES (1, 'elsewhere', 'id', 1.0, 0)",
        // The values of two points, exchanged.
        "UPDATE coefficients SET point = 100 WHERE point = 2; "
        "UPDATE coefficients SET point = 2 WHERE point = 3; "
        "UPDATE coefficients SET point = 3 WHERE point = 100",
    };
    for (const char *sql : changes)
        QTest::newRow(sql) << QString(sql);
}

void StudyDamageTest::changedTablesAreNoticed()
{
    QFETCH(QString, sql);
    const Folder folder;
    makeFullStudy(folder / "s");
    QCOMPARE(problemsOf(folder / "s"), std::string());
    execute(folder / "s", sql.toStdString());
    const auto problems = problemsOf(folder / "s");
    QVERIFY(!problems.empty());
    useEverything(folder / "s");
}

void StudyDamageTest::everyFlippedBitOfABlobIsNoticed()
{
    const Folder folder;
    makeFullStudy(folder / "s", BlobEncoding::raw);
    const auto whole = bytesOf(folder / "s");
    // One snapshot, wherever it is in the file: a copy may have stayed in unused space.
    std::vector<float> values(300);
    QVERIFY(Study::open(folder / "s").readSnapshot(1, 0, values));
    const auto *bytes = reinterpret_cast<const char *>(values.data());
    std::vector<std::size_t> places;
    for (auto at = whole.begin();;) {
        at = std::search(at, whole.end(), bytes, bytes + 1200);
        if (at == whole.end())
            break;
        places.push_back(static_cast<std::size_t>(at++ - whole.begin()));
    }
    QVERIFY(!places.empty());
    Random random(1);
    for (int i = 0; i < 20; ++i) {
        auto damaged = whole;
        const auto byte = random.index(1200);
        const auto bit = static_cast<char>(1 << random.integer(0, 7));
        for (auto place : places)
            damaged[place + byte] ^= bit;
        writeBytes(folder / "damaged", damaged);
        QVERIFY(!problemsOf(folder / "damaged").empty());
        const auto study = Study::open(folder / "damaged");
        GRIDHELM_EXPECT_ERROR(study.readSnapshot(1, 0, values));
        QVERIFY(study.readSnapshot(0, 0, values));
    }
}

void StudyDamageTest::truncatedFilesAreNoticed()
{
    const Folder folder;
    makeFullStudy(folder / "s");
    const auto whole = bytesOf(folder / "s");
    Random random(2);
    for (int i = 0; i < (isLong() ? 500 : 25); ++i) {
        const auto size = random.index(whole.size());
        writeBytes(
            folder / "cut",
            std::vector<char>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
        QVERIFY2(!problemsOf(folder / "cut").empty(), std::to_string(size).c_str());
        useEverything(folder / "cut");
        QCOMPARE(bytesOf(folder / "cut").size(), size);
    }
}

GRIDHELM_TEST(StudyDamageTest)
#include "tst_study_damage.moc"
