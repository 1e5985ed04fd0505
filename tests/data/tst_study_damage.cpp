// SPDX-License-Identifier: GPL-3.0-or-later
//
// Damaged, foreign and newer files: a sentence, no crash, no hang, and no change.
#include "data/compress/compress.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/check.h"
#include "data/study/image_mesh.h"
#include "data/study/info.h"
#include "data/study/schema.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/damage.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/core/watchdog.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/data/study_forger.h"

#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

void makeStudy(const std::filesystem::path &path, BlobEncoding encoding = BlobEncoding::automatic)
{
    auto writer = StudyWriter::create(path, smallDescription(2));
    writer.setSnapshotEncoding(encoding);
    writer.setMesh(encodeImageMesh({{20, 15, 1}, {0, 0, 0}, {1, 1, 1}}));
    writer.addField(smallField("u", 300));
    runAllJobs(writer);
    CompressOptions options;
    options.encoding = encoding;
    compress(writer, options);
    const std::vector parameters{300.0, 1.0, 2.0};
    writer.putHoldOut(writer.addHoldOut(parameters), 0, std::vector<float>(300, 1.0F));
    storeErrors(writer, test::onCpu());
    writer.putView({"v", "{}"});
    writer.close();
}

void execute(const std::filesystem::path &path, const std::string &sql)
{
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
    database.exec(sql);
}

void makeScalarStudy(const std::filesystem::path &path)
{
    const Parameter a{"a", "", 1, 2}, time{"t", "s", 0, 5, {}, ParameterKind::timeLike};
    auto writer =
        StudyWriter::create(path, {"scalar", StudyKind::scalar, ParameterSpace({a, time}), 3, ""});
    writer.addField({"u", "", 1, Association::point, 1});
    runAllJobs(writer);
    compress(writer, {});
    writer.putView({"v", "{}"});
    writer.close();
}

/// Whatever anybody does with a file; errors are fine, anything else is not. Returns whether it
/// can be opened.
bool useEverything(const std::filesystem::path &path)
{
    static_cast<void>(check(path));
    try {
        auto study = Study::open(path);
        const auto each = [](auto action) {
            try {
                action();
            } catch (const Error &) {
                // As it should be.
            }
        };
        each([&] { static_cast<void>(study.mesh()); });
        each([&] {
            for (const auto &job : study.jobs())
                static_cast<void>(study.readScalarValues(job.id, 0));
        });
        each([&] { static_cast<void>(study.jobLog(1)); });
        each([&] { static_cast<void>(info(study)); });
        each([&] { static_cast<void>(study.errorFigures()); });
        each([&] { static_cast<void>(study.view("v")); });
        each([&] { static_cast<void>(study.holdOuts()); });
        each([&] {
            FieldSurrogate surrogate(study, 0);
            surrogate.loadAll(study);
            std::vector<float> values(surrogate.values());
            surrogate.evaluate(std::vector{0.3, 0.4, 0.5}, {values, {}}, CpuDevice{1});
        });
        each([&] {
            std::vector<float> values(10);
            const std::vector<double> x(
                static_cast<std::size_t>(study.description().space.dimension()), 0.3);
            evaluateFromFile(study, 0, x, {values, {}}, CpuDevice{1});
        });
        each([&] {
            const ScalarSurrogate surrogate(study, 0, *sparse::makeReferenceBackend());
            std::vector<float> value(1);
            const auto &space = study.description().space;
            std::vector<std::vector<double>> axes;
            for (const auto &parameter : space.parameters())
                axes.push_back({parameter.low});
            surrogate.evaluate(axes, {value});
        });
        each([&] { static_cast<void>(measureErrors(study, test::onCpu())); });
        each([&] { study.refresh(); });
        return true;
    } catch (const Error &) {
        return false;
    }
}

/// Whether some value can be read without an error that is not what it was: the worst of all. What
/// cannot be read, or is missing, is said elsewhere.
std::string falseValueIn(const std::filesystem::path &path,
                         const std::map<std::string, std::string> &truth)
{
    try {
        for (const auto &[name, bytes] : contentsOf(Study::open(path))) {
            const auto found = truth.find(name);
            const bool isOfValues = !name.starts_with("job ") && !name.ends_with(", state");
            if (isOfValues && (found == truth.end() || found->second != bytes))
                return name + " is another one, and nobody says so";
        }
    } catch (const Error &) {
        // As it should be.
    }
    return {};
}

/// Uses the file, for reading and for writing; what is wrong with that, or nothing. `opened` counts
/// files that could be opened.
std::string problemOfUsing(const std::filesystem::path &path, const std::string &name, int &opened)
{
    const auto before = bytesOf(path);
    {
        const Watchdog watchdog(name, 30); // instrumented, on a busy machine
        opened += useEverything(path) ? 1 : 0;
    }
    if (bytesOf(path) != before)
        return "a reader has changed the file";
    try {
        const Watchdog watchdog(name + ", writing", 30);
        StudyWriter::open(path).close();
    } catch (const Error &) {
        if (bytesOf(path) != before)
            return "a writer that refused the file has changed it";
    }
    for (const char *suffix : {"-wal", "-shm", "-journal", "-writer"})
        std::filesystem::remove(path.string() + suffix);
    return {};
}

/// Any value of a column's type, nasty ones among them.
std::string randomLiteral(Random &random, const std::string &type)
{
    const auto choose = [&](std::initializer_list<const char *> values) {
        return std::string(values.begin()[random.index(values.size())]);
    };
    if (type == "INTEGER")
        return choose({"0",
                       "1",
                       "2",
                       "-1",
                       "3",
                       "7",
                       "30",
                       "31",
                       "32",
                       "127",
                       "128",
                       "300",
                       "1000",
                       "65536",
                       "65537",
                       "1000000",
                       "2147483647",
                       "2147483648",
                       "-2147483648",
                       "1099511627776",
                       "111111111111",
                       "9223372036854775807",
                       "-9223372036854775808",
                       "NULL"});
    if (type == "REAL")
        return choose({"0.0", "-1.0", "1e308", "-1e308", "1e999", "-1e999", "5e-324", "1.0", "2.0",
                       "1000.0", "1e-300", "NULL"});
    if (type == "BLOB")
        return choose({"x''", "x'00'", "x'0000'", "x'000000'", "x'7f7f7f'", "x'ffffff'",
                       "x'01ff00'", "x'0102030405060708'", "zeroblob(24)", "zeroblob(1200)",
                       "zeroblob(100000)", "x'28b52ffd'", "NULL"});
    return choose({"''",
                   "'x'",
                   "'nan'",
                   "'scalar'",
                   "'vector'",
                   "'linear'",
                   "'logarithmic'",
                   "'time-like'",
                   "'space'",
                   "'boundary'",
                   "'modified'",
                   "'zero'",
                   "'cell'",
                   "'point'",
                   "'done'",
                   "'waiting'",
                   "'gone'",
                   "'1,1,1'",
                   "'31,31,31'",
                   "'3,2'",
                   "'-1,0,99999999999'",
                   "','",
                   "char(0)",
                   "zeroblob(9)",
                   "printf('%.9999c', 'x')",
                   "NULL"});
}

/// Changes, deletes or repeats a row of a table, as somebody with an SQLite shell could.
void damageRows(Random &random, SQLite::Database &database)
{
    struct Column
    {
        std::string table, name, type;
    };
    std::vector<Column> columns;
    SQLite::Statement query(database, "SELECT m.name, p.name, p.type FROM sqlite_master AS m, "
                                      "pragma_table_info(m.name) AS p "
                                      "WHERE m.type = 'table' ORDER BY m.name, p.cid");
    while (query.executeStep())
        columns.push_back({query.getColumn(0), query.getColumn(1), query.getColumn(2)});
    // Often what the others are read with.
    const auto &column = [&]() -> const Column & {
        while (true) {
            const auto &any = columns[random.index(columns.size())];
            const bool isCentral = any.table == "grids" || any.table == "parameters"
                                   || any.table == "fields" || any.table == "study"
                                   || any.table == "mesh";
            if (isCentral || random.chance(0.4))
                return any;
        }
    }();
    const auto someRowOf = [&](const std::string &what) {
        return "(SELECT " + what + " FROM " + column.table + " ORDER BY rowid LIMIT 1 OFFSET "
               + std::to_string(random.index(1000)) + " % max(1, (SELECT count(*) FROM "
               + column.table + ")))";
    };
    const auto row = " WHERE rowid = " + someRowOf("rowid");
    try {
        const int kind = random.integer(0, 9);
        if (kind == 0)
            database.exec("DELETE FROM " + column.table + row);
        else if (kind == 1)
            database.exec("UPDATE " + column.table + " SET " + column.name + " = "
                          + someRowOf(column.name) + row);
        else
            database.exec("UPDATE " + column.table + " SET " + column.name + " = "
                          + randomLiteral(random, column.type) + (kind < 8 ? row : ""));
    } catch (const SQLite::Exception &) {
        // NOT NULL, UNIQUE, or the type of a column: SQLite does not store it.
    }
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
    void damagedFilesAreNotChanged();
    void damagedRowsAreNotBelieved();
    void damagedLogsAndJournalsAreNotBelieved();
};

void StudyDamageTest::filesThatAreNoStudies()
{
    const Folder folder;
    makeStudy(folder / "study");
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
    makeStudy(folder / "s");
    const auto newer = std::to_string(schema::known().version() + 1);
    execute(folder / "s",
            "PRAGMA user_version = " + newer + "; ALTER TABLE views ADD COLUMN more TEXT");
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
        "CREATE TRIGGER t AFTER INSERT ON views BEGIN DELETE FROM views; END",
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
    makeStudy(folder / "s");
    QCOMPARE(problemsOf(folder / "s"), std::string());
    execute(folder / "s", sql.toStdString());
    const auto problems = problemsOf(folder / "s");
    QVERIFY(!problems.empty());
    useEverything(folder / "s");
}

void StudyDamageTest::everyFlippedBitOfABlobIsNoticed()
{
    const Folder folder;
    makeStudy(folder / "s", BlobEncoding::raw);
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
    makeStudy(folder / "s");
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

void StudyDamageTest::damagedFilesAreNotChanged()
{
    const Folder folder;
    makeStudy(folder / "vector");
    makeScalarStudy(folder / "scalar");
    const std::vector studies{bytesOf(folder / "vector"), bytesOf(folder / "scalar")};
    const std::vector truths{contentsOf(Study::open(folder / "vector")),
                             contentsOf(Study::open(folder / "scalar"))};
    Random random(isLong() ? 3 : 4);
    const int cases = isLong() ? 4500 : 120;
    int opened = 0;
    for (int i = 0; i < cases; ++i) {
        const std::size_t which = random.chance(0.7) ? 0 : 1;
        auto damaged = studies[which];
        if (random.chance(0.5))
            damagePages(random, damaged, schema::pageBytes);
        else
            damageBytes(random, damaged);
        writeBytes(folder / "damaged", damaged);
        auto problem = falseValueIn(folder / "damaged", truths[which]);
        if (problem.empty())
            problem = problemOfUsing(folder / "damaged", "file " + std::to_string(i), opened);
        if (!problem.empty()) {
            writeBytes("damaged-study", damaged);
            QFAIL((problem + " (kept as damaged-study)").c_str());
        }
    }
    qInfo("%d damaged files, of which %d can be opened", cases, opened);
    QVERIFY(opened > 0 && opened < cases);
}

void StudyDamageTest::damagedRowsAreNotBelieved()
{
    const Folder folder;
    makeStudy(folder / "vector");
    makeScalarStudy(folder / "scalar");
    Random random(isLong() ? 5 : 6);
    const int cases = isLong() ? 3000 : 60;
    int opened = 0;
    for (int i = 0; i < cases; ++i) {
        const auto path = folder / "damaged";
        std::filesystem::copy_file(folder / (random.chance(0.7) ? "vector" : "scalar"), path,
                                   std::filesystem::copy_options::overwrite_existing);
        {
            Forger forger(path);
            for (int changes = random.integer(1, 3); changes > 0; --changes)
                damageRows(random, forger.database());
            if (random.chance(0.8)) // as a program would that has an error, or malice
                forger.correctChecksums();
        }
        const auto bytes = bytesOf(path);
        const auto problem = problemOfUsing(path, "rows " + std::to_string(i), opened);
        if (!problem.empty()) {
            writeBytes("damaged-study", bytes);
            QFAIL((problem + " (kept as damaged-study)").c_str());
        }
    }
    qInfo("%d studies with damaged rows, of which %d can be opened", cases, opened);
    QVERIFY(opened > 0 && opened < cases);
}

/// What a killed writer left, damaged: a commit is there as it was, or not at all.
void StudyDamageTest::damagedLogsAndJournalsAreNotBelieved()
{
    const Folder folder;
    const auto path = folder / "s";
    makeStudy(path);
    const auto before = bytesOf(path);
    const auto truth = contentsOf(Study::open(path));
    const std::string name = path.string();
    Random random(isLong() ? 8 : 9);
    int opened = 0;
    for (const std::string end : {"-wal", "-journal"}) {
        writeBytes(path, before);
        if (end == "-wal")
            leaveLog(path);
        else
            leaveJournal(path);
        const auto study = bytesOf(path), beside = bytesOf(name + end);
        QVERIFY(!beside.empty());
        const int cases = isLong() ? 1000 : 20;
        for (int i = 0; i < cases; ++i) {
            auto damaged = beside;
            if (random.chance(0.3)) // of a journal's header, where all of it begins
                damaged[random.index(std::min<std::size_t>(damaged.size(), 64))] =
                    static_cast<char>(random.integer(0, 255));
            else
                damageBytes(random, damaged);
            writeBytes(path, study);
            writeBytes(name + end, damaged);
            auto problem = falseValueIn(path, truth);
            if (problem.empty() && bytesOf(name + end) != damaged)
                problem = "a reader has changed what is beside the study";
            if (problem.empty())
                problem = problemOfUsing(path, end + " " + std::to_string(i), opened);
            if (!problem.empty()) {
                writeBytes("damaged-study", study);
                writeBytes("damaged-study" + end, damaged);
                QFAIL((problem + " (kept as damaged-study)").c_str());
            }
        }
    }
    QVERIFY(opened > 0);
}

QTEST_GUILESS_MAIN(StudyDamageTest)
#include "tst_study_damage.moc"
