// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies, rows, logs and journals that are damaged at random: a sentence, no crash, no hang, no
// other value, and no change.
#include "data/study/schema.h"
#include "data/study/study_writer.h"
#include "tests/core/damage.h"
#include "tests/core/watchdog.h"
#include "tests/data/full_studies.h"
#include "tests/data/hostile_files.h"
#include "tests/data/study_contents.h"
#include "tests/data/study_forger.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

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
                                   || any.table == "mesh" || any.table == "grid_blocks";
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

class StudyFuzzTest : public QObject
{
    Q_OBJECT

private slots:
    void damagedFilesAreNotChanged();
    void damagedRowsAreNotBelieved();
    void damagedLogsAndJournalsAreNotBelieved();
};

void StudyFuzzTest::damagedFilesAreNotChanged()
{
    const Folder folder;
    makeFullStudy(folder / "vector");
    makeFullScalarStudy(folder / "scalar");
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

void StudyFuzzTest::damagedRowsAreNotBelieved()
{
    const Folder folder;
    makeFullStudy(folder / "vector");
    growAndSubmit(folder / "vector");
    makeFullScalarStudy(folder / "scalar");
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
void StudyFuzzTest::damagedLogsAndJournalsAreNotBelieved()
{
    const Folder folder;
    const auto path = folder / "s";
    makeFullStudy(path);
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

GRIDHELM_TEST(StudyFuzzTest)
#include "tst_study_fuzz.moc"
