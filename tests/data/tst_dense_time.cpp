// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time costs nothing: all times of every run are in the grid of a new study. Studies of older
// versions, whose time counts in the level sum, go on as they are.
#include "core/sparse/backend.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "data/campaign/plan_cost.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/grid_store.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/small_campaigns.h"
#include "tests/data/study_contents.h"
#include "tests/support/paths.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// As smallDescription() has it, with all of its times in every run.
StudyDescription denseDescription(int level, int cap = defaultDenseCap)
{
    auto description = smallDescription(level);
    auto parameters = description.space.parameters();
    parameters[2].isDense = true;
    parameters[2].levelCap = cap;
    description.space = ParameterSpace(parameters);
    return description;
}

StudyWriter denseStudy(const std::filesystem::path &path, int level)
{
    auto writer = StudyWriter::create(path, denseDescription(level));
    writer.addField(smallField("u", 20));
    runAllJobs(writer);
    compress(writer, {});
    return writer;
}

std::string plan(const std::string &ofTime, const std::string &ofGrid = "level = 4\n")
{
    return "[[parameter]]\nname = \"a\"\nlow = 0\nhigh = 4\n[[parameter]]\nname = \"b\"\nlow = 0\n"
           "high = 1\n[[parameter]]\nname = \"t\"\nlow = 0\nhigh = 2\n"
           + ofTime + "[grid]\n" + ofGrid;
}

Plan parsed(const std::string &ofTime)
{
    return parsePlan(plan("kind = \"time-like\"\n" + ofTime), "p.toml", "/");
}

std::string errorOf(const std::string &toml)
{
    try {
        parsePlan(toml, "p.toml", "/");
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

/// The values of all parameters but time.
std::vector<double> runOf(const Study &study, std::uint64_t point)
{
    auto values = study.description().space.valuesAt(*study.grid(), point);
    values.erase(values.begin() + 2);
    return values;
}

} // namespace

class DenseTimeTest : public QObject
{
    Q_OBJECT

private slots:
    void plansHave33TimesUnlessTheySayOtherwise();
    void plansThatContradictThemselvesAreRefused_data();
    void plansThatContradictThemselvesAreRefused();
    void costCountsRunsWithoutTheirTimes();
    void everyRunHasAllTimes();
    void fieldsAreExactAtEveryTimeOfEveryRun();
    void fieldsFromTheFileAreThoseFromMemory();
    void growthRunsNothingAgain();
    void moreTimesAreRunsAgainAndNothingIsLost();
    void firstGroupsAreACoarserStudyWithAllTimes();
    void theIndicatorDoesNotVanishAtStoredTimes();
    void leavingARunOutIsAnErrorWithoutAllOfItsTimes();
    void scalarStudiesHaveAllTimesToo();
    void damagedMarksAreErrors();
};

void DenseTimeTest::plansHave33TimesUnlessTheySayOtherwise()
{
    const auto timeOf = [](const std::string &text) { return parsed(text).description.space[2]; };
    QVERIFY(timeOf("").isDense);
    QCOMPARE(timeOf("").levelCap, std::optional(5));
    QCOMPARE(timeOf("times = 33\n"), timeOf(""));
    QCOMPARE(timeOf("times = 9\n").levelCap, std::optional(3));
    QCOMPARE(timeOf("cap = 7\n").levelCap, std::optional(7)); // above the level
    QCOMPARE(timeOf("times = 31\ntreatment = \"modified\"\n").levelCap, std::optional(5));
    const auto space = parsed("times = 3\n").description.space;
    QVERIFY(!space[0].isDense && !space[1].isDense);
    QCOMPARE(space.dense(), sparse::DimensionSet{0b100});
}

void DenseTimeTest::plansThatContradictThemselvesAreRefused_data()
{
    QTest::addColumn<std::string>("toml");
    QTest::addColumn<std::string>("part");
    const std::string time = "kind = \"time-like\"\n";
    QTest::newRow("both") << plan(time + "times = 9\ncap = 3\n")
                          << std::string("times stands beside cap");
    QTest::newRow("no count") << plan(time + "times = 20\n")
                              << std::string("choose 17 or 33 (2^k + 1)");
    QTest::newRow("two") << plan(time + "times = 2\n") << std::string("choose 3 (2^k + 1)");
    QTest::newRow("no ends") << plan(time + "times = 33\ntreatment = \"modified\"\n")
                             << std::string("choose 31 or 63 (2^k - 1)");
    QTest::newRow("of another") << plan("times = 9\n")
                                << std::string("belongs to a time-like parameter");
    QTest::newRow("too many") << plan(time + "times = 2000000000\n") << std::string("times");
    QTest::newRow("negative") << plan(time + "times = -1\n") << std::string("times");
    QTest::newRow("too large") << plan(time + "cap = 30\n", "level = 30\n")
                               << std::string("more points than 64 bits");
}

void DenseTimeTest::plansThatContradictThemselvesAreRefused()
{
    QFETCH(std::string, toml);
    QFETCH(std::string, part);
    const auto error = errorOf(toml);
    QVERIFY2(error.find(part) != std::string::npos, error.c_str());
}

void DenseTimeTest::costCountsRunsWithoutTheirTimes()
{
    const auto of = parsed("");
    for (int level : {4, 5}) {
        const auto cost = costOf(of, of.description.space, level);
        QCOMPARE(cost.jobs, std::uint64_t(level == 4 ? 49 : 129));
        QCOMPARE(cost.points, 33 * cost.jobs);
    }
}

void DenseTimeTest::everyRunHasAllTimes()
{
    const Folder folder;
    const auto path = folder / "s";
    denseStudy(path, 3).close();
    QCOMPARE(problemsOf(path), std::string());
    const auto study = Study::open(path);
    QVERIFY(study.description().space[2].isDense);
    QVERIFY(study.grid()->isDense(2) && !study.grid()->isDense(0));
    QCOMPARE(study.grid()->groups(), 3);
    std::set<std::vector<double>> runs;
    for (const auto &job : study.jobs()) {
        QCOMPARE(job.points.size(), std::size_t{33});
        std::set<double> times;
        for (auto point : job.points) {
            QCOMPARE(runOf(study, point), runOf(study, job.points.front()));
            times.insert(study.description().space.valuesAt(*study.grid(), point)[2]);
        }
        QCOMPARE(times.size(), std::size_t{33});
        QCOMPARE(*times.begin(), 0.0);
        QCOMPARE(*times.rbegin(), 5.0);
        QVERIFY(runs.insert(runOf(study, job.points.front())).second);
    }
    QCOMPARE(33 * runs.size(), study.grid()->points());
}

void DenseTimeTest::fieldsAreExactAtEveryTimeOfEveryRun()
{
    const Folder folder;
    const auto writer = denseStudy(folder / "s", 3);
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    std::vector<float> values(20);
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
        const auto x = coordinatesOf(writer, point);
        surrogate.evaluate(x, {values, {}}, CpuDevice{1});
        const auto expected = snapshotAt(x, writer, 0);
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::abs(values[i] - expected[i]) < 1e-5F);
    }
    // Between the times it is linear, however coarse the block of the other parameters.
    auto x = coordinatesOf(writer, 0);
    x[2] = 3.25 / 32;
    surrogate.evaluate(x, {values, {}}, CpuDevice{1});
    auto left = x, right = x;
    left[2] = 3.0 / 32;
    right[2] = 4.0 / 32;
    for (std::size_t i = 0; i < values.size(); ++i)
        QVERIFY(std::abs(values[i] - 0.75F * simulate(left, i) - 0.25F * simulate(right, i))
                < 1e-5F);
}

void DenseTimeTest::fieldsFromTheFileAreThoseFromMemory()
{
    const Folder folder;
    const auto writer = denseStudy(folder / "s", 3);
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    const auto &of = surrogate.surrogate();
    // A few rows near the slider's time, of the 33 of each run.
    const auto blocks = sparse::countGrid(denseDescription(3, 1).space.shape(3)).blocks / 2;
    QCOMPARE(of.activeRows(3), std::uint64_t{7 * blocks});
    QVERIFY(4 * of.activeRows(3) < of.rows());
    Random random(1);
    std::vector<float> values(20), indicator(20), fromFile(20), indicatorFromFile(20);
    for (int i = 0; i < 50; ++i) {
        std::vector<double> x(3);
        for (auto &coordinate : x)
            coordinate = random.real(0, 1);
        QVERIFY(of.weights(x, 3).rows.size() <= of.activeRows(3));
        for (int groups = 1; groups <= 3; ++groups) {
            surrogate.evaluate(x, {values, indicator}, CpuDevice{1}, 0, groups);
            evaluateFromFile(writer, 0, x, {fromFile, indicatorFromFile}, CpuDevice{1}, groups);
            for (std::size_t k = 0; k < values.size(); ++k) {
                QVERIFY(std::abs(values[k] - fromFile[k]) < 1e-5F);
                QVERIFY(std::abs(indicator[k] - indicatorFromFile[k]) < 1e-5F);
            }
        }
    }
}

void DenseTimeTest::growthRunsNothingAgain()
{
    const Folder folder;
    const auto path = folder / "s";
    auto writer = denseStudy(path, 2);
    const auto before = allCoefficients(writer);
    const auto old = writer.grid();
    std::set<std::vector<double>> runs;
    for (const auto &job : writer.jobs())
        runs.insert(runOf(writer, job.points.front()));
    const auto added = writer.growGrid(4, std::vector{4, 2, defaultDenseCap});
    QCOMPARE(added, writer.grid()->points() - old->points());
    QVERIFY(writer.grid()->isDense(2));
    for (const auto &job : writer.jobs()) {
        if (job.state != JobState::done)
            QVERIFY(runs.insert(runOf(writer, job.points.front())).second);
        QCOMPARE(job.points.size(), std::size_t{33});
    }
    QCOMPARE(runs.size(), writer.jobs().size());
    QCOMPARE(33 * runs.size(), writer.grid()->points());
    runAllJobs(writer);
    compress(writer, {});
    const auto after = allCoefficients(writer);
    for (std::uint64_t point = 0; point < old->points(); ++point) { // what was there stays
        std::vector<sparse::Level> levels(3);
        std::vector<std::uint32_t> positions(3);
        old->idx2gp(point, levels, positions);
        QCOMPARE(after[writer.grid()->gp2idx(levels, positions)], before[point]);
    }
    // As one that was so from the beginning.
    const auto whole = denseStudy(folder / "whole", 4);
    QCOMPARE(after, allCoefficients(whole));
    writer.close();
    QCOMPARE(problemsOf(path), std::string());
}

void DenseTimeTest::moreTimesAreRunsAgainAndNothingIsLost()
{
    const Folder folder;
    auto writer = denseStudy(folder / "s", 2);
    const auto jobs = writer.jobs().size();
    writer.growGrid(2, std::vector{2, 2, defaultDenseCap + 1});
    QCOMPARE(writer.grid()->points(), 65 * jobs);
    QCOMPARE(writer.jobs().size(), 2 * jobs);
    runAllJobs(writer);
    compress(writer, {});
    auto description = denseDescription(2, defaultDenseCap + 1);
    auto whole = StudyWriter::create(folder / "whole", description);
    whole.addField(smallField("u", 20));
    runAllJobs(whole);
    compress(whole, {});
    QCOMPARE(allCoefficients(writer), allCoefficients(whole));
    // And no fewer.
    GRIDHELM_EXPECT_ERROR(writer.growGrid(3, std::vector{3, 2, defaultDenseCap}));
}

void DenseTimeTest::firstGroupsAreACoarserStudyWithAllTimes()
{
    const Folder folder;
    const auto fine = denseStudy(folder / "fine", 4), coarse = denseStudy(folder / "coarse", 2);
    QCOMPARE(fine.grid()->groupFirstPoint(2), coarse.grid()->points());
    std::vector<float> values(20), expected(20);
    for (const double t : {0.0, 3.0 / 32, 0.37, 1.0}) {
        const std::vector x{0.2, 0.9, t};
        evaluateFromFile(fine, 0, x, {values, {}}, CpuDevice{1}, 2);
        evaluateFromFile(coarse, 0, x, {expected, {}}, CpuDevice{1}, 2);
        QCOMPARE(values, expected);
    }
}

void DenseTimeTest::theIndicatorDoesNotVanishAtStoredTimes()
{
    const Folder folder;
    const auto writer = denseStudy(folder / "s", 4);
    const auto indicatorAt = [](const Study &study, double t) {
        std::vector<float> values(20), indicator(20);
        evaluateFromFile(study, 0, std::vector{0.3, 0.5, t}, {values, indicator}, CpuDevice{1});
        return *std::ranges::max_element(indicator);
    };
    for (int i = 0; i <= 32; ++i)
        QVERIFY(indicatorAt(writer, i / 32.0) > 1e-6F);
    QVERIFY(indicatorAt(writer, 0.4321) > 1e-6F);
}

void DenseTimeTest::leavingARunOutIsAnErrorWithoutAllOfItsTimes()
{
    const Folder folder;
    const auto writer = denseStudy(folder / "s", 3);
    const auto &grid = *writer.grid();
    const auto &space = writer.description().space;
    const auto coefficients = allCoefficients(writer);
    std::size_t figures = 0;
    std::set<std::vector<double>> runs;
    for (const auto &figure : measureErrors(writer, onCpu()).figures) {
        if (figure.kind != ErrorKind::leaveOneOut)
            continue;
        ++figures;
        auto run = figure.parameters;
        run.erase(run.begin() + 2);
        runs.insert(run);
        // The grid without the run, literally: its coefficients are 0.
        const auto x = space.toUnit(figure.parameters);
        const sparse::SparseGridSurrogate surrogate(writer.grid());
        const auto weights = surrogate.weights(x, grid.groups());
        std::vector<double> without(20, 0.0);
        for (std::size_t k = 0; k < weights.rows.size(); ++k) {
            if (runOf(writer, weights.rows[k]) == run)
                continue;
            for (std::size_t i = 0; i < without.size(); ++i)
                without[i] +=
                    weights.weights[k] * static_cast<double>(coefficients[weights.rows[k]][i]);
        }
        double squares = 0, exactSquares = 0;
        for (std::size_t i = 0; i < without.size(); ++i) {
            const double exact = simulate(x, i);
            squares += (without[i] - exact) * (without[i] - exact);
            exactSquares += exact * exact;
        }
        QVERIFY2(std::abs(figure.relativeL2 - std::sqrt(squares / exactSquares)) < 1e-5,
                 space.toText(figure.parameters).c_str());
    }
    // Five times of each run that no other one depends on: those of the last group, and of
    // lid's cap.
    QCOMPARE(figures, 5 * runs.size());
    QVERIFY(runs.size() >= 4 && runs.size() < writer.jobs().size());
}

void DenseTimeTest::scalarStudiesHaveAllTimesToo()
{
    const Folder folder;
    const auto toml = "[study]\nkind = \"scalar\"\n[[space]]\nname = \"x\"\nlow = 0\nhigh = 1\n"
                      + plan("kind = \"time-like\"\ntimes = 9\n", "level = 3\n")
                      + "[simulation]\ncommand = [\"solve\", \"{a}\", \"{b}\", \"{times}\"]\n"
                        "result = \"out\"\n";
    const auto of = parsePlan(toml, "p.toml", "/");
    const auto path = folder / "s";
    auto writer = StudyWriter::create(path, of.description);
    writer.addField({"u", "", 1, Association::point, 1});
    QVERIFY(writer.grid()->isDense(3) && !writer.grid()->isDense(0)); // space counts
    QCOMPARE(costOf(of, of.description.space, 3).jobs, std::uint64_t(writer.jobs().size()));
    runAllJobs(writer);
    QCOMPARE(compress(writer, {}).computed, writer.grid()->points());
    // Chunks of coefficients are those of the grid's groups.
    auto values = writer.readScalarCoefficients(0);
    for (int groups = 1; groups <= writer.grid()->groups(); ++groups) {
        const auto first = writer.readScalarCoefficients(0, groups);
        QCOMPARE(first.size(), writer.grid()->groupFirstPoint(groups));
        QVERIFY(std::equal(first.begin(), first.end(), values.begin()));
        // And belong to the grid of these groups.
        const ScalarSurrogate surrogate(writer, 0, *sparse::makeOmpBackend(onCpu()), groups);
        const std::vector x{0.3, 0.2, 0.7, 0.4};
        const sparse::SparseGridSurrogate literal(writer.grid());
        const auto weights = literal.weights(x, groups);
        double expected = 0;
        for (std::size_t k = 0; k < weights.rows.size(); ++k)
            expected += weights.weights[k] * static_cast<double>(values[weights.rows[k]]);
        const auto place = of.description.space.fromUnit(x);
        float value = 0;
        surrogate.evaluate({{place[0]}, {place[1]}, {place[2]}, {place[3]}}, {{&value, 1}});
        QVERIFY(std::abs(static_cast<double>(value) - expected) < 1e-5);
    }
    sparse::makeReferenceBackend()->dehierarchize(*writer.grid(), std::span<float>(values));
    for (std::uint64_t point = 0; point < writer.grid()->points(); ++point)
        QVERIFY(std::abs(values[point] - simulate(coordinatesOf(writer, point), 0)) < 1e-5F);
    const auto old = writer.grid()->points();
    writer.growGrid(4, std::vector{4, 4, 4, 3});
    runAllJobs(writer);
    QCOMPARE(compress(writer, {}).computed, writer.grid()->points() - old);
    writer.close();
    QCOMPARE(problemsOf(path), std::string());
}

void DenseTimeTest::damagedMarksAreErrors()
{
    const Folder folder;
    const auto path = folder / "s";
    denseStudy(path, 2).close();
    const auto change = [&](const char *sql) {
        std::filesystem::copy_file(path, folder / "t",
                                   std::filesystem::copy_options::overwrite_existing);
        SQLite::Database(folder / "t", SQLite::OPEN_READWRITE).exec(sql);
        GRIDHELM_EXPECT_ERROR(Study::open(folder / "t"));
    };
    change("UPDATE parameters SET dense = 0"); // its checksum
    change("UPDATE parameters SET dense = 1 WHERE dimension = 0");
}

GRIDHELM_TEST(DenseTimeTest)
#include "tst_dense_time.moc"
