// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a study's rows are looked for by: whatever is changed in it, nobody reads another number,
// and nobody reads for ever. GRIDHELM_LONG_TESTS=1: every row, and more bits.
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/check.h"
#include "data/study/copy_study.h"
#include "data/study/info.h"
#include "tests/core/expect_error.h"
#include "tests/data/hostile_files.h"
#include "tests/data/kinds_of_studies.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstring>
#include <functional>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

constexpr std::size_t pageBytes = 16384;

/// Numbers as they are in memory.
class Digest
{
public:
    template <typename Number>
    void add(Number number)
    {
        m_bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
    }
    template <typename Number>
    void add(const std::vector<Number> &numbers)
    {
        for (const auto number : numbers)
            add(number);
    }
    void add(const std::string &text) { m_bytes += text; }
    const std::string &bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

constexpr auto damaged = "error";

/// What everybody who reads the study is told, question by question, or that it is an error.
std::vector<std::string> answersOf(const std::filesystem::path &path)
{
    std::vector<std::string> answers;
    const auto ask = [&](const std::function<void(Digest &)> &question) {
        try {
            Digest digest;
            question(digest);
            answers.push_back(digest.bytes());
        } catch (const Error &) {
            answers.emplace_back(damaged);
        }
    };
    std::optional<Study> study;
    ask([&](Digest &) { study.emplace(Study::open(path)); });
    if (!study)
        return answers;
    const auto &space = study->description().space;
    const std::vector<double> x(space.parameters().size(), 0.3);
    const auto values = [&](FieldIndex f) {
        return std::vector<float>(study->fields().at(f).values());
    };
    ask([&](Digest &digest) {
        digest.add(study->description().title + space.toText(space.fromUnit(x)));
        for (const auto &field : study->fields())
            digest.add(field.name + field.unit + std::to_string(field.values()));
    });
    ask([&](Digest &digest) { digest.add(study->mesh() ? study->mesh()->encoded : ""); });
    ask([&](Digest &digest) {
        for (const auto &job : study->jobs()) {
            digest.add(static_cast<int>(job.state));
            digest.add(job.points);
            digest.add(study->jobLog(job.id));
        }
    });
    for (FieldIndex f = 0; f < study->fields().size(); ++f) {
        ask([&](Digest &digest) { digest.add(study->missingPoints(f)); });
        ask([&](Digest &digest) {
            for (const auto state : study->coefficientStates(f))
                digest.add(static_cast<int>(state));
        });
        ask([&](Digest &digest) {
            auto row = values(f);
            for (std::uint64_t point = 0; point < study->grid()->points(); ++point) {
                digest.add(study->readSnapshot(point, f, row));
                digest.add(row);
                digest.add(study->readCoefficients(point, f, row));
                digest.add(row);
            }
        });
        ask([&](Digest &digest) {
            auto here = values(f), indicator = here;
            digest.add(evaluateFromFile(*study, f, x, {here, indicator}, CpuDevice{1}).rows);
            digest.add(here);
            digest.add(indicator);
        });
        ask([&](Digest &digest) {
            FieldSurrogate surrogate(*study, f);
            surrogate.loadAll(*study);
            auto here = values(f);
            surrogate.evaluate(x, {here}, CpuDevice{1});
            digest.add(here);
        });
        ask([&](Digest &digest) {
            digest.add(study->readScalarCoefficients(f));
            for (const auto &job : study->jobs())
                digest.add(study->readScalarValues(job.id, f));
        });
        ask([&](Digest &digest) {
            auto row = values(f);
            for (const auto &list : {study->holdOuts(), study->trainingRuns(f)})
                for (const auto &run : list) {
                    digest.add(run.parameters);
                    digest.add(study->readHoldOut(run.id, f, row));
                    digest.add(row);
                }
        });
        ask([&](Digest &digest) {
            if (const auto set = study->modeSet(f)) {
                digest.add(set->singularValues);
                digest.add(set->norm);
            }
        });
    }
    ask([&](Digest &digest) {
        for (const auto &figure : study->errorFigures()) {
            digest.add(figure.parameters);
            digest.add(figure.relativeL2);
            digest.add(figure.maximum);
        }
        for (const auto &band : study->errorBands())
            digest.add(band.typical);
        for (const auto &then : study->errorHistory())
            digest.add(then.error);
        for (const auto &response : study->responses())
            digest.add(response.name + response.expression);
        for (const auto &submission : study->submissions())
            digest.add(submission.id);
    });
    return answers;
}

/// Whether each answer is the one before, or an error.
bool areTheSameOrErrors(const std::vector<std::string> &answers,
                        const std::vector<std::string> &before)
{
    if (answers.size() == 1)
        return answers[0] == damaged;
    if (answers.size() != before.size())
        return false;
    for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i] != damaged && answers[i] != before[i]) {
            qInfo("answer %zu of %zu is another one", i, answers.size());
            return false;
        }
    return true;
}

void addKinds()
{
    QTest::addColumn<QString>("kind");
    for (const char *kind : kindsOfStudies)
        QTest::newRow(kind) << QString(kind);
}

std::vector<std::int64_t> rowsOf(const std::filesystem::path &study, const std::string &table)
{
    SQLite::Database database(study.string(), SQLite::OPEN_READONLY);
    SQLite::Statement row(database, "SELECT rowid FROM " + table + " ORDER BY rowid");
    std::vector<std::int64_t> all;
    while (row.executeStep())
        all.push_back(row.getColumn(0).getInt64());
    if (isLong() || all.empty())
        return all;
    return {all[all.size() / 2]};
}

/// Other values of the same type.
std::vector<std::string> changesOf(const ColumnOfStudy &of)
{
    const auto &column = of.name;
    if (of.type == "TEXT")
        return {column + " || 'x'"};
    if (of.type == "REAL")
        return {column + " + 0.25", "9e999"};
    if (of.type == "BLOB")
        return {"CAST(substr(" + column + ", 1, length(" + column + ") - 1) || x'5a' AS BLOB)"};
    return {column + " + 1", column + " + 100", "0"};
}

void putBigEndian(std::vector<char> &bytes, std::size_t at, std::uint32_t value, int count = 4)
{
    for (int i = 0; i < count; ++i)
        bytes[at + static_cast<std::size_t>(i)] =
            static_cast<char>(value >> (8 * (count - 1 - i)) & 0xffU);
}

/// The root of a table's tree leads to one page, many times; that to the next one, and so on, to
/// what was in the root.
void makeEndless(const std::filesystem::path &path, std::uint32_t root)
{
    constexpr int depth = 5;
    auto bytes = bytesOf(path);
    auto pages = static_cast<std::uint32_t>(bytes.size() / pageBytes);
    const auto begin = (root - 1) * pageBytes;
    const auto interior = [&](std::size_t at, std::uint32_t child) {
        constexpr std::size_t cells = 1500, header = 12, cellBytes = 5;
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), pageBytes, 0);
        bytes[at] = 5;
        putBigEndian(bytes, at + 3, cells, 2);
        putBigEndian(bytes, at + 5, static_cast<std::uint32_t>(pageBytes - cells * cellBytes), 2);
        putBigEndian(bytes, at + 8, child);
        for (std::size_t i = 0; i < cells; ++i) {
            const auto cell = pageBytes - (i + 1) * cellBytes;
            putBigEndian(bytes, at + header + 2 * i, static_cast<std::uint32_t>(cell), 2);
            putBigEndian(bytes, at + cell, child);
            bytes[at + cell + 4] = 1; // the key
        }
    };
    const std::vector<char> leaf(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                                 bytes.begin() + static_cast<std::ptrdiff_t>(begin + pageBytes));
    bytes.insert(bytes.end(), leaf.begin(), leaf.end());
    auto child = ++pages;
    for (int level = 1; level < depth; ++level) {
        bytes.resize(bytes.size() + pageBytes);
        interior(bytes.size() - pageBytes, child);
        child = ++pages;
    }
    interior(begin, child);
    putBigEndian(bytes, 28, pages);
    writeBytes(path, bytes);
}

} // namespace

class StudyKeysTest : public QObject
{
    Q_OBJECT

private slots:
    void changedValuesGiveNoOtherNumber_data() { addKinds(); }
    void changedValuesGiveNoOtherNumber();
    void flippedBitsGiveNoOtherNumber_data() { addKinds(); }
    void flippedBitsGiveNoOtherNumber();
    void tablesWithoutEndAreDamage_data() { addKinds(); }
    void tablesWithoutEndAreDamage();
    void otherRowsInAnIndexAreDamage();
    void whatCannotBeReadStaysDamage();
};

void StudyKeysTest::changedValuesGiveNoOtherNumber()
{
    QFETCH(QString, kind);
    const Folder folder;
    makeStudyOfKind(folder / "s", kind.toStdString());
    const auto whole = bytesOf(folder / "s");
    const auto before = answersOf(folder / "s");
    QVERIFY(problemsOf(folder / "s").empty());
    int changed = 0;
    for (const auto &column : columnsOfStudy(folder / "s"))
        for (const auto row : rowsOf(folder / "s", column.table))
            for (const auto &value : changesOf(column)) {
                const auto path = folder / "changed";
                writeBytes(path, whole);
                try {
                    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE);
                    database.exec("PRAGMA ignore_check_constraints = ON");
                    const auto id = std::to_string(row);
                    if (database.exec("UPDATE " + column.table + " SET " + column.name + " = "
                                      + value + " WHERE rowid = " + id + " AND " + column.name
                                      + " IS NOT " + value)
                        == 0)
                        continue;
                } catch (const SQLite::Exception &) {
                    continue; // its own rules do not let it
                }
                ++changed;
                const auto what = column.table + "." + column.name + " = " + value + " in row "
                                  + std::to_string(row);
                QVERIFY2(!problemsOf(path).empty(), what.c_str());
                QVERIFY2(areTheSameOrErrors(answersOf(path), before), what.c_str());
            }
    QVERIFY2(changed > 100, std::to_string(changed).c_str());
}

void StudyKeysTest::flippedBitsGiveNoOtherNumber()
{
    QFETCH(QString, kind);
    const Folder folder;
    makeStudyOfKind(folder / "s", kind.toStdString());
    const auto whole = bytesOf(folder / "s");
    const auto before = answersOf(folder / "s");
    Random random(11);
    for (int i = 0; i < (isLong() ? 3000 : 20); ++i) {
        auto bytes = whole;
        const auto at = random.index(bytes.size());
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.integer(0, 7)));
        const auto path = folder / "flipped";
        writeBytes(path, bytes);
        const auto answers = answersOf(path);
        QVERIFY2(areTheSameOrErrors(answers, before), qPrintable(QString::number(at)));
        static_cast<void>(check(path));
    }
}

void StudyKeysTest::tablesWithoutEndAreDamage()
{
    QFETCH(QString, kind);
    const Folder folder;
    makeStudyOfKind(folder / "s", kind.toStdString());
    const auto whole = bytesOf(folder / "s");
    const auto before = answersOf(folder / "s");
    std::vector<std::pair<std::string, std::uint32_t>> tables;
    {
        SQLite::Database database((folder / "s").string(), SQLite::OPEN_READONLY);
        QCOMPARE(database.execAndGet("PRAGMA page_size").getInt(), static_cast<int>(pageBytes));
        SQLite::Statement row(database, "SELECT name, rootpage FROM sqlite_master WHERE type = "
                                        "'table' ORDER BY name");
        while (row.executeStep())
            tables.emplace_back(row.getColumn(0).getString(), row.getColumn(1).getUInt());
    }
    for (const auto &[table, root] : tables) {
        const auto path = folder / "endless";
        writeBytes(path, whole);
        makeEndless(path, root);
        QElapsedTimer timer;
        timer.start();
        QVERIFY2(!problemsOf(path).empty(), table.c_str());
        QVERIFY2(areTheSameOrErrors(answersOf(path), before), table.c_str());
        try {
            static_cast<void>(info(Study::open(path)));
        } catch (const Error &) {
            // As it should be.
        }
        try {
            auto writer = StudyWriter::open(path);
            compress(writer, {});
        } catch (const Error &) {
            // The same.
        }
        QVERIFY2(timer.elapsed() < 20'000, table.c_str());
    }
}

namespace {

/// Where the index that coefficients are found by begins in the file: one page, a leaf.
std::size_t pageOfCoefficients(const std::filesystem::path &path)
{
    SQLite::Database database(path.string(), SQLite::OPEN_READONLY);
    const auto root = database.execAndGet("SELECT rootpage FROM sqlite_master WHERE name = "
                                          "'sqlite_autoindex_coefficients_1'");
    return (static_cast<std::size_t>(root.getInt()) - 1) * pageBytes;
}

std::uint32_t twoBytes(const std::vector<char> &bytes, std::size_t at)
{
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at]) * 256
                                      + static_cast<unsigned char>(bytes[at + 1]));
}

} // namespace

/// A row that an index has lost is not a run that is missing.
void StudyKeysTest::otherRowsInAnIndexAreDamage()
{
    const Folder folder;
    makeStudyOfKind(folder / "s", "grid");
    const auto page = pageOfCoefficients(folder / "s");
    auto bytes = bytesOf(folder / "s");
    QCOMPARE(static_cast<int>(bytes[page]), 10); // a leaf of an index
    const auto cells = twoBytes(bytes, page + 3);
    QVERIFY(cells > 3);
    putBigEndian(bytes, page + 3, cells - 1, 2); // the last entry is gone
    writeBytes(folder / "s", bytes);
    const auto study = Study::open(folder / "s");
    QVERIFY(isRefused([&] { static_cast<void>(study.coefficientStates(0)); }, "index"));
    std::vector<float> row(study.fields()[0].values());
    QVERIFY(isRefused([&] { static_cast<void>(study.readCoefficients(0, 0, row)); }, "index"));
    QVERIFY(!problemsOf(folder / "s").empty());
}

/// Also when it is asked for again, in whatever other way.
void StudyKeysTest::whatCannotBeReadStaysDamage()
{
    const Folder folder;
    makeStudyOfKind(folder / "s", "grid");
    const auto page = pageOfCoefficients(folder / "s");
    auto bytes = bytesOf(folder / "s");
    const auto record = page + twoBytes(bytes, page + 8); // its size, that of its header, types
    bytes[record + 2] = 24;                               // six bytes, which are not there
    writeBytes(folder / "s", bytes);
    const auto study = Study::open(folder / "s");
    std::vector<float> row(study.fields()[0].values());
    for (int time = 0; time < 2; ++time) {
        QVERIFY(isRefused([&] { static_cast<void>(study.missingPoints(0)); }, "damaged"));
        QVERIFY(isRefused([&] { static_cast<void>(study.coefficientStates(0)); }, "damaged"));
        QVERIFY(
            isRefused([&] { static_cast<void>(study.readCoefficients(0, 0, row)); }, "damaged"));
    }
    QVERIFY(!problemsOf(folder / "s").empty());
}

GRIDHELM_TEST(StudyKeysTest)
#include "tst_study_keys.moc"
