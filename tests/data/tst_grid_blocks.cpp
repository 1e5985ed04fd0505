// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study's grids are sets of blocks, stored as they are: whatever set it is comes back, and what
// is none is refused with a sentence.
#include "data/study/grid_store.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/data/study_forger.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace fs = std::filesystem;

namespace {

using Levels = std::vector<sparse::Level>;

Parameter ordinary(const std::string &name, std::optional<sparse::BoundaryTreatment> treatment = {})
{
    Parameter parameter{name, "", 0, 1};
    parameter.treatment = treatment;
    return parameter;
}

/// Two parameters, level 2: the blocks (0, 0), (1, 0), (0, 1), and five points.
StudyDescription description()
{
    return {"plane", StudyKind::vector, ParameterSpace({ordinary("a"), ordinary("b")}), 2, ""};
}

/// Deep in the first parameter alone, as no level and caps would have it.
sparse::SparseGrid refined()
{
    return {{2, sparse::BoundaryTreatment::modified},
            Levels{0, 0, 1, 0, 0, 1, 2, 0, 1, 1, 3, 0, 4, 0}};
}

void refine(StudyWriter &writer)
{
    auto transaction = writer.transaction();
    const auto grid = refined();
    writer.file().addGrid(writer.description(),
                          sparse::GridShape(2, 5, {5, 2}, {sparse::BoundaryTreatment::modified}),
                          grid, {});
    writer.file().updateChecksum();
    writer.file().load();
    transaction.commit();
}

/// The only generation has these blocks, and says that they are so many and have so many points.
void forge(const fs::path &path, const Levels &levels, std::uint64_t blocks, std::uint64_t points)
{
    Forger forger(path);
    forger.execute("UPDATE grids SET blocks = " + std::to_string(blocks)
                   + ", points = " + std::to_string(points) + ", level = 5, caps = '5,2'");
    SQLite::Statement update(forger.database(), "UPDATE grid_blocks SET encoding = 0, bytes = ?");
    Query(update).bind(std::as_bytes(std::span(levels))).run();
    forger.correctChecksums();
}

std::string sentenceOf(const fs::path &path)
{
    try {
        Study::open(path);
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

} // namespace

class GridBlocksTest : public QObject
{
    Q_OBJECT

private slots:
    void everyGenerationHasItsBlocks();
    void anyDownwardClosedSetComesBack();
    void gridsThatAreUndoneLeaveNothing();
    void manyBlocksAreStoredInParts();
    void whatIsNoGridIsRefused_data();
    void whatIsNoGridIsRefused();
    void aGridThatTheStoredPointsDoNotHaveIsRefused();
    void partsThatAreMissingOrTooManyAreNoticed_data();
    void partsThatAreMissingOrTooManyAreNoticed();
};

void GridBlocksTest::everyGenerationHasItsBlocks()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", description());
    const auto first = writer.grid();
    writer.growGrid(4, std::vector{4, 3});
    const auto second = writer.grid();
    const auto bytesOfGeneration = [&](int generation) {
        auto row = writer.file().query("SELECT encoding, bytes FROM grid_blocks "
                                       "WHERE generation = ? AND part = 0");
        row.bind(generation);
        Levels levels;
        if (row.step() && row.integer(0) == 0) { // as they are: too few to be compressed
            const auto bytes = row.blob(1);
            for (const auto byte : bytes)
                levels.push_back(static_cast<sparse::Level>(byte));
        }
        return levels;
    };
    QVERIFY(std::ranges::equal(bytesOfGeneration(0), first->levelVectors()));
    QVERIFY(std::ranges::equal(bytesOfGeneration(1), second->levelVectors()));
    writer.close();
    QVERIFY(std::ranges::equal(Study::open(folder / "s").grid()->levelVectors(),
                               second->levelVectors()));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void GridBlocksTest::anyDownwardClosedSetComesBack()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", description());
    writer.addField(smallField("u", 10));
    runAllJobs(writer);
    compress(writer, {});
    const auto before = contentsOf(writer).at("u at 0, coefficients");
    refine(writer);
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    auto study = Study::open(folder / "s");
    QVERIFY(std::ranges::equal(study.grid()->levelVectors(), refined().levelVectors()));
    QCOMPARE(study.description().level, 5);
    QCOMPARE(study.missingPoints(0), std::uint64_t{0});
    QVERIFY(contentsOf(study).at("u at 0, coefficients") == before);
    study.refresh();
    QCOMPARE(study.grid()->blocks(), std::size_t{7});
    // It grows to what contains it, and to nothing else.
    auto again = StudyWriter::open(folder / "s");
    GRIDHELM_EXPECT_ERROR(again.growGrid(4, std::vector{4, 4}));
    again.growGrid(5, std::vector{5, 3});
    again.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void GridBlocksTest::gridsThatAreUndoneLeaveNothing()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", description());
    {
        auto transaction = writer.transaction();
        writer.growGrid(4, std::vector{4, 2});
    }
    QCOMPARE(writer.grid()->blocks(), std::size_t{3});
    writer.growGrid(4, std::vector{2, 4}); // of the same size
    QCOMPARE(writer.grid()->highestLevel(0), 1);
    writer.close();
    QCOMPARE(Study::open(folder / "s").grid()->highestLevel(1), 3);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void GridBlocksTest::manyBlocksAreStoredInParts()
{
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE);
    for (std::int64_t version = 0; version < schema::known().version(); ++version)
        schema::migrateOneStep(database, version, schema::known());
    database.exec("INSERT INTO grids (generation, level, caps, points, blocks, leaves_last) "
                  "VALUES (0, 6, '6', 1, 1, 0)");
    std::vector<Parameter> parameters;
    for (int t = 0; t < 16; ++t)
        parameters.push_back(ordinary("p" + std::to_string(t)));
    const ParameterSpace space(parameters);
    const auto shape = space.shape(6);
    const sparse::SparseGrid grid(shape);
    BlobEncoder encoder;
    writeBlocks(database, 0, grid, encoder);
    QCOMPARE(database.execAndGet("SELECT count(*) FROM grid_blocks").getInt(), 2);
    const GridRow row{6, std::vector<int>(16, 6), grid.points(), grid.blocks()};
    const auto read = readGrid(database, 0, row, space, StudyKind::vector);
    QVERIFY(std::ranges::equal(read->levelVectors(), grid.levelVectors()));
    GRIDHELM_EXPECT_ERROR(readGrid(database, 1, row, space, StudyKind::vector));
    auto other = row;
    --other.blocks;
    GRIDHELM_EXPECT_ERROR(readGrid(database, 0, other, space, StudyKind::vector));
}

void GridBlocksTest::whatIsNoGridIsRefused_data()
{
    QTest::addColumn<QByteArray>("levels");
    QTest::addColumn<int>("points");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char *name, const Levels &levels, int points, const char *sentence) {
        QTest::newRow(name) << QByteArray(reinterpret_cast<const char *>(levels.data()),
                                          static_cast<qsizetype>(levels.size()))
                            << points << sentence;
    };
    row("as it is", {0, 0, 1, 0, 0, 1}, 5, "");
    row("refined", {0, 0, 1, 0, 2, 0}, 7, "its table of points 5");
    row("twice", {0, 0, 1, 0, 1, 0}, 5, "(1, 0) is given twice");
    row("hole", {0, 0, 0, 1, 2, 0}, 5, "(2, 0) needs (1, 0), which is missing");
    row("order", {0, 0, 0, 1, 1, 0}, 5, "in another order");
    row("negative", {0, 0, -1, 0, 0, 1}, 5, "(-1, 0) is out of range");
    row("too high", {0, 0, 1, 0, 120, 0}, 5, "(120, 0) is out of range");
    row("beyond the caps", {0, 0, 0, 1, 0, 2}, 7, "beyond its level");
    row("too many points", {0, 0, 1, 0, 0, 1}, 6, "another number of points");
    row("more points than memory", {0, 0, 1, 0, 0, 1}, 2'000'000'000, "too large for a study");
    row("fewer points than blocks", {0, 0, 1, 0, 0, 1}, 2, "another number of blocks");
    row("one half", {0, 0, 1, 0, 0}, 5, "not as long as it should be");
    row("nothing", {}, 5, "not as long as it should be");
}

void GridBlocksTest::whatIsNoGridIsRefused()
{
    QFETCH(QByteArray, levels);
    QFETCH(int, points);
    QFETCH(QString, sentence);
    const Folder folder;
    StudyWriter::create(folder / "s", description()).close();
    forge(folder / "s", {levels.begin(), levels.end()}, 3, static_cast<std::uint64_t>(points));
    const auto before = bytesOf(folder / "s");
    const auto said = QString::fromStdString(sentenceOf(folder / "s"));
    QVERIFY2(said.contains(sentence) && said.isEmpty() == sentence.isEmpty(), qPrintable(said));
    QVERIFY(!said.contains('\n'));
    if (sentence.isEmpty())
        return;
    QVERIFY(!problemsOf(folder / "s").empty());
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "s"));
    QVERIFY(bytesOf(folder / "s") == before);
}

void GridBlocksTest::aGridThatTheStoredPointsDoNotHaveIsRefused()
{
    const Folder folder;
    StudyWriter::create(folder / "s", description()).close();
    {
        Forger forger(folder / "s");
        forger.execute("DELETE FROM points WHERE id = 5").correctChecksums();
    }
    const auto said = sentenceOf(folder / "s");
    QVERIFY2(said.find("has 5 points, and its table of points 4") != std::string::npos,
             said.c_str());
}

void GridBlocksTest::partsThatAreMissingOrTooManyAreNoticed_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("none") << "DELETE FROM grid_blocks";
    QTest::newRow("one more") << "INSERT INTO grid_blocks SELECT 2, 0, 1, encoding, checksum, "
                                 "bytes FROM grid_blocks";
    QTest::newRow("of another generation") << "UPDATE grid_blocks SET generation = 1";
    QTest::newRow("not the first") << "UPDATE grid_blocks SET part = 1";
    QTest::newRow("encoded otherwise") << "UPDATE grid_blocks SET encoding = 2";
    QTest::newRow("generation left out") << "UPDATE grids SET generation = 1;"
                                            "UPDATE grid_blocks SET generation = 1";
}

void GridBlocksTest::partsThatAreMissingOrTooManyAreNoticed()
{
    QFETCH(QString, sql);
    const Folder folder;
    StudyWriter::create(folder / "s", description()).close();
    {
        Forger forger(folder / "s");
        forger.execute(sql.toStdString()).correctChecksums();
    }
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
    QVERIFY(!problemsOf(folder / "s").empty());
}

GRIDHELM_TEST(GridBlocksTest)
#include "tst_grid_blocks.moc"
