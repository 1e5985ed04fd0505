// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coefficients depend on the snapshots, and on nothing else.
#include "data/compress/compress.h"

#include "core/sparse/backend.h"
#include "core/sparse/growth.h"
#include "core/sparse/reference/literal.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstring>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

StudyWriter newStudy(const std::filesystem::path &path, int level, std::uint64_t values = 100)
{
    auto writer = StudyWriter::create(path, smallDescription(level));
    writer.addField(smallField("u", values));
    writer.addField(smallField("v", 7, 3));
    return writer;
}

StudyDescription scalarDescription(int level)
{
    Parameter a{"a", "", 0, 1}, x{"x", "m", 0, 2}, y{"y", "m", -1, 1};
    x.kind = y.kind = ParameterKind::spatial;
    return {"scalar", StudyKind::scalar, ParameterSpace({a, x, y}), level, ""};
}

StudyWriter newScalarStudy(const std::filesystem::path &path, int level)
{
    auto writer = StudyWriter::create(path, scalarDescription(level));
    writer.addField(smallField("u", 1));
    return writer;
}

/// Bit for bit: == would take -0 for 0.
bool isSame(const std::vector<std::vector<float>> &a, const std::vector<std::vector<float>> &b)
{
    return std::ranges::equal(a, b, [](const auto &p, const auto &q) {
        return p.size() == q.size()
               && (p.empty() || std::memcmp(p.data(), q.data(), p.size() * sizeof(float)) == 0);
    });
}

std::vector<std::vector<float>> inOneGo(const Folder &folder, int level, std::uint64_t values = 100)
{
    auto writer = newStudy(folder / "one go", level, values);
    runAllJobs(writer);
    compress(writer, {});
    const auto coefficients = allCoefficients(writer);
    writer.close();
    std::filesystem::remove(folder / "one go");
    return coefficients;
}

} // namespace

class CompressTest : public QObject
{
    Q_OBJECT

private slots:
    void coefficientsAreTheHierarchicalOnes();
    void gridPointsAreMetToOneRounding();
    void orderOfJobsDoesNotMatter();
    void compressingAsSnapshotsArriveEqualsOneGo();
    void threadsEncodingAndMemoryDoNotMatter();
    void growingEqualsOneGo();
    void growingWithoutSnapshotsEqualsOneGo();
    void withoutPermissionNothingIsComputedAboveWhatIsMissing();
    void missingPointsCountZeroUntilTheyArrive();
    void cancellingLosesOneBatchAtMost();
    void snapshotsInUseAreNotReplaced();
    void droppingSnapshotsMakesRoom();

    void scalarCoefficientsAreTheHierarchicalOnes();
    void scalarStudiesGrowBitForBit();
    void scalarStudiesMayLackValues();
    void largeScalarBlocksAreSplit();
};

void CompressTest::coefficientsAreTheHierarchicalOnes()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 4);
    runAllJobs(writer);
    const auto report = compress(writer, {});
    const auto grid = writer.grid();
    QCOMPARE(report.computed, 2 * grid->points());
    QCOMPARE(report.missing + report.waiting + report.provisional + report.recomputed,
             std::uint64_t{0});
    std::vector<double> matrix(grid->points() * 100);
    for (std::uint64_t i = 0; i < 100; ++i) {
        std::vector<double> column(grid->points());
        for (std::uint64_t point = 0; point < grid->points(); ++point)
            column[point] = static_cast<double>(simulate(coordinatesOf(writer, point), i));
        sparse::reference::hierarchize<double>(*grid, column);
        for (std::uint64_t point = 0; point < grid->points(); ++point)
            matrix[point * 100 + i] = column[point];
    }
    std::vector<float> coefficients(100);
    for (std::uint64_t point = 0; point < grid->points(); ++point) {
        QVERIFY(writer.readCoefficients(point, 0, coefficients));
        for (std::uint64_t i = 0; i < 100; ++i)
            QVERIFY(std::abs(static_cast<double>(coefficients[i]) - matrix[point * 100 + i])
                    < 2e-6);
    }
    QCOMPARE(compress(writer, {}).computed, std::uint64_t{0});
}

void CompressTest::gridPointsAreMetToOneRounding()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 5, 20);
    runAllJobs(writer);
    compress(writer, {});
    const auto grid = writer.grid();
    std::vector<float> own(20), below(20);
    for (std::uint64_t point = 0; point < grid->points(); ++point) {
        QVERIFY(writer.readCoefficients(point, 0, own));
        std::vector<double> sum(own.begin(), own.end());
        const auto ancestors = sparse::ancestorWeights(*grid, point);
        for (std::size_t b = 0; b < ancestors.points.size(); ++b) {
            QVERIFY(writer.readCoefficients(ancestors.points[b], 0, below));
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += ancestors.weights[b] * static_cast<double>(below[i]);
        }
        const auto x = coordinatesOf(writer, point);
        for (std::size_t i = 0; i < sum.size(); ++i) {
            const double rounding = std::abs(static_cast<double>(own[i])) * 0x1p-24 + 1e-15;
            QVERIFY(std::abs(sum[i] - static_cast<double>(simulate(x, i))) <= rounding);
        }
    }
}

void CompressTest::orderOfJobsDoesNotMatter()
{
    const Folder folder;
    const auto expected = inOneGo(folder, 4);
    Random random(1);
    auto writer = newStudy(folder / "s", 4);
    auto jobs = writer.jobs();
    random.shuffle(jobs);
    for (const auto &job : jobs)
        runJob(writer, job);
    compress(writer, {});
    QVERIFY(isSame(allCoefficients(writer), expected));
}

void CompressTest::compressingAsSnapshotsArriveEqualsOneGo()
{
    const Folder folder;
    const auto expected = inOneGo(folder, 4);
    Random random(2);
    for (bool allowMissing : {false, true}) {
        const auto path = folder / (allowMissing ? "allowed" : "waiting");
        auto writer = newStudy(path, 4);
        auto jobs = writer.jobs();
        random.shuffle(jobs);
        CompressOptions options;
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            runJob(writer, jobs[i]);
            options.allowMissing = allowMissing && random.chance(0.5);
            if (i % 3 == 0)
                compress(writer, options);
            if (i % 7 == 0) { // and from the file
                writer.close();
                QCOMPARE(problemsOf(path), std::string());
                writer = StudyWriter::open(path);
            }
        }
        const auto report = compress(writer, {});
        QCOMPARE(report.provisional + report.waiting + report.missing, std::uint64_t{0});
        QVERIFY(isSame(allCoefficients(writer), expected));
        QVERIFY(std::ranges::all_of(writer.coefficientStates(0),
                                    [](auto state) { return state == CoefficientState::final; }));
    }
}

void CompressTest::threadsEncodingAndMemoryDoNotMatter()
{
    const Folder folder;
    const auto values = 2 * Study::partValues() + 1000;
    const auto expected = inOneGo(folder, 2, values);
    int number = 0;
    for (int threads : {1, 2}) {
        for (auto encoding : {BlobEncoding::raw, BlobEncoding::automatic}) {
            for (double memory : {1.0, 0.0}) { // a part at a time, all at once
                auto writer = newStudy(folder / std::to_string(number++), 2, values);
                runAllJobs(writer);
                std::uint64_t last = 0, total = 0;
                CompressOptions options{false,
                                        encoding,
                                        CpuDevice{threads},
                                        nullptr,
                                        memory,
                                        [&](std::uint64_t done, std::uint64_t all) {
                                            last = done;
                                            total = all;
                                            return true;
                                        }};
                compress(writer, options);
                QCOMPARE(last, total);
                QVERIFY(isSame(allCoefficients(writer), expected));
            }
        }
    }
}

void CompressTest::growingEqualsOneGo()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 2);
    runAllJobs(writer);
    compress(writer, {});
    const auto before = allCoefficients(writer);
    writer.growGrid(3, std::vector{3, 1 + 1, 3});
    runAllJobs(writer);
    compress(writer, {});
    writer.growGrid(4, std::vector{4, 2, 4});
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    const auto grown = Study::open(folder / "s");
    QVERIFY(isSame(allCoefficients(grown), inOneGo(folder, 4)));
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QVERIFY(before.size() < allCoefficients(grown).size());
}

void CompressTest::growingWithoutSnapshotsEqualsOneGo()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 3);
    runAllJobs(writer);
    compress(writer, {});
    QVERIFY(writer.dropSnapshots() > 0);
    writer.growGrid(4, std::vector{4, 2, 4});
    runAllJobs(writer);
    QCOMPARE(writer.missingPoints(0), std::uint64_t{0});
    compress(writer, {});
    QVERIFY(isSame(allCoefficients(writer), inOneGo(folder, 4)));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressTest::withoutPermissionNothingIsComputedAboveWhatIsMissing()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 4);
    const auto jobs = writer.jobs();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (i != 1)
            runJob(writer, jobs[i]);
    }
    const auto report = compress(writer, {});
    QVERIFY(report.waiting > 0);
    QCOMPARE(report.missing, 2 * jobs[1].points.size());
    QCOMPARE(report.computed + report.waiting + report.missing, 2 * writer.grid()->points());
    const auto states = writer.coefficientStates(0);
    for (std::uint64_t point = 0; point < states.size(); ++point) {
        const auto ancestors = sparse::ancestorWeights(*writer.grid(), point).points;
        bool isAbove = std::ranges::find(jobs[1].points, point) != jobs[1].points.end();
        for (auto ancestor : ancestors)
            isAbove =
                isAbove || std::ranges::find(jobs[1].points, ancestor) != jobs[1].points.end();
        QVERIFY((states[point] == CoefficientState::none) == isAbove);
    }
}

void CompressTest::missingPointsCountZeroUntilTheyArrive()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 4);
    const auto jobs = writer.jobs();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        if (i != 1 && i != 5)
            runJob(writer, jobs[i]);
    }
    CompressOptions allowed;
    allowed.allowMissing = true;
    auto report = compress(writer, allowed);
    QVERIFY(report.provisional > 0 && report.waiting == 0);
    // What is there is met, whatever is missing.
    const auto grid = writer.grid();
    std::vector<float> row(100);
    const auto valueAt = [&](std::uint64_t point) {
        std::vector<double> sum(100, 0.0);
        auto weights = sparse::ancestorWeights(*grid, point);
        weights.points.push_back(point);
        weights.weights.push_back(1);
        for (std::size_t b = 0; b < weights.points.size(); ++b) {
            if (!writer.readCoefficients(weights.points[b], 0, row))
                continue; // 0
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += weights.weights[b] * static_cast<double>(row[i]);
        }
        return sum;
    };
    const auto isThere = writer.pointsWithSnapshots(0);
    const auto isMet = [&](std::uint64_t point) {
        const auto sum = valueAt(point);
        for (std::size_t i = 0; i < sum.size(); ++i) {
            if (std::abs(sum[i] - static_cast<double>(simulate(coordinatesOf(writer, point), i)))
                > 1e-6)
                return false;
        }
        return true;
    };
    for (std::uint64_t point = 0; point < grid->points(); ++point)
        QVERIFY(!isThere[point] || isMet(point));

    // One arrives, one is still missing, and it is not allowed any more: provisional ones follow.
    runJob(writer, jobs[1]);
    report = compress(writer, {});
    QVERIFY(report.recomputed > 0);
    for (std::uint64_t point = 0; point < grid->points(); ++point) {
        std::vector<float> own(100);
        QVERIFY(!writer.readCoefficients(point, 0, own) || isMet(point));
    }
    runJob(writer, jobs[5]);
    report = compress(writer, {});
    QCOMPARE(report.provisional + report.missing, std::uint64_t{0});
    QVERIFY(isSame(allCoefficients(writer), inOneGo(folder, 4)));
}

void CompressTest::cancellingLosesOneBatchAtMost()
{
    const Folder folder;
    const auto values = 3 * Study::partValues();
    auto writer = newStudy(folder / "s", 2, values);
    runAllJobs(writer);
    CompressOptions options;
    options.memoryBytes = 1;
    options.progress = [](std::uint64_t, std::uint64_t) { return false; };
    int calls = 0;
    while (compress(writer, options).cancelled)
        QVERIFY(++calls < 100);
    QVERIFY(calls >= 3);
    QVERIFY(isSame(allCoefficients(writer), inOneGo(folder, 2, values)));
}

void CompressTest::snapshotsInUseAreNotReplaced()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 1);
    const std::vector<float> ones(100, 1.0F), twos(100, 2.0F), others(21, 1.0F);
    writer.putSnapshot(0, 0, ones);
    writer.putSnapshot(0, 0, twos);
    compress(writer, {});
    GRIDHELM_EXPECT_ERROR(writer.putSnapshot(0, 0, ones));
    writer.putSnapshot(0, 1, others);
    std::vector<float> values(100);
    QVERIFY(writer.readCoefficients(0, 0, values));
    QCOMPARE(values, twos);
}

void CompressTest::droppingSnapshotsMakesRoom()
{
    const Folder folder;
    auto writer = newStudy(folder / "s", 3, 20'000);
    writer.setSnapshotEncoding(BlobEncoding::raw);
    runAllJobs(writer);
    compress(writer, {});
    writer.close();
    const auto before = std::filesystem::file_size(folder / "s");
    writer = StudyWriter::open(folder / "s");
    const auto coefficients = allCoefficients(writer);
    const auto dropped = writer.dropSnapshots();
    QCOMPARE(dropped, writer.grid()->points() * (20'000 + 21) * 4);
    writer.compact();
    writer.close();
    QVERIFY(std::filesystem::file_size(folder / "s") + dropped <= before + 65536);
    const auto study = Study::open(folder / "s");
    QVERIFY(isSame(allCoefficients(study), coefficients));
    std::vector<float> values(20'000);
    QVERIFY(!study.readSnapshot(0, 0, values));
    QCOMPARE(study.missingPoints(0), std::uint64_t{0});
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressTest::scalarCoefficientsAreTheHierarchicalOnes()
{
    const Folder folder;
    auto writer = newScalarStudy(folder / "s", 5);
    QVERIFY(writer.jobs().size() > 3);
    runAllJobs(writer);
    const auto points = writer.grid()->points();
    QCOMPARE(compress(writer, {}).computed, points);
    QCOMPARE(compress(writer, {}).computed, std::uint64_t{0});
    writer.close();
    const auto study = Study::open(folder / "s");
    std::vector<double> expected;
    for (std::uint64_t point = 0; point < points; ++point)
        expected.push_back(static_cast<double>(simulate(coordinatesOf(study, point), 0)));
    sparse::makeReferenceBackend()->hierarchize(*study.grid(), expected);
    const auto coefficients = study.readScalarCoefficients(0);
    for (std::uint64_t point = 0; point < points; ++point)
        QVERIFY(std::abs(static_cast<double>(coefficients[point]) - expected[point]) < 1e-6);
    const auto prefix = study.readScalarCoefficients(0, 2);
    QCOMPARE(prefix.size(), static_cast<std::size_t>(study.grid()->groupFirstPoint(2)));
    QVERIFY(std::ranges::equal(prefix, std::span(coefficients).first(prefix.size())));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressTest::scalarStudiesGrowBitForBit()
{
    const Folder folder;
    auto writer = newScalarStudy(folder / "s", 2);
    for (int level = 2; level <= 6; ++level) {
        writer.growGrid(level, std::vector{level, level, level});
        runAllJobs(writer);
        compress(writer, {});
    }
    auto whole = newScalarStudy(folder / "whole", 6);
    runAllJobs(whole);
    compress(whole, {});
    QVERIFY(isSame(allCoefficients(writer), allCoefficients(whole)));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CompressTest::scalarStudiesMayLackValues()
{
    const Folder folder;
    auto writer = newScalarStudy(folder / "s", 5);
    const auto jobs = writer.jobs();
    for (std::size_t i = 1; i < jobs.size(); ++i)
        runJob(writer, jobs[i]);
    QCOMPARE(compress(writer, {}).computed, std::uint64_t{0});
    CompressOptions allowed;
    allowed.allowMissing = true;
    const auto report = compress(writer, allowed);
    QCOMPARE(report.missing, jobs[0].points.size());
    QCOMPARE(report.provisional, writer.grid()->points() - jobs[0].points.size());
    const auto coefficients = writer.readScalarCoefficients(0);
    for (auto point : jobs[0].points)
        QCOMPARE(coefficients[point], 0.0F);
    runJob(writer, jobs[0]);
    QCOMPARE(compress(writer, {}).provisional, std::uint64_t{0});
    auto whole = newScalarStudy(folder / "whole", 5);
    runAllJobs(whole);
    compress(whole, {});
    QVERIFY(isSame(allCoefficients(writer), allCoefficients(whole)));
}

void CompressTest::largeScalarBlocksAreSplit()
{
    const Folder folder;
    Parameter x{"x", "m", 0, 1};
    x.kind = ParameterKind::spatial;
    auto writer = StudyWriter::create(folder / "s",
                                      {"large", StudyKind::scalar, ParameterSpace({x}), 21, ""});
    writer.addField(smallField("u", 1));
    QVERIFY(writer.grid()->points() > 2'000'000);
    runAllJobs(writer);
    compress(writer, {});
    std::vector<double> values;
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point)
        values.push_back(static_cast<double>(simulate(coordinatesOf(writer, point), 0)));
    sparse::makeOmpBackend(test::onCpu(1))->hierarchize(*writer.grid(), values);
    const auto coefficients = writer.readScalarCoefficients(0);
    for (std::uint64_t point = 0; point < values.size(); ++point)
        QVERIFY(coefficients[point] == static_cast<float>(values[point]));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

GRIDHELM_TEST(CompressTest)
#include "tst_compress.moc"
