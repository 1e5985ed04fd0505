// SPDX-License-Identifier: GPL-3.0-or-later
//
// A growth of the grid is undone as long as nothing was computed for it: then the study is what it
// was before, for whoever has it open, too.
#include "data/campaign/campaign_steps.h"
#include "data/study/undo_growth.h"
#include "tests/core/expect_error.h"
#include "tests/data/modes_cases.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_contents.h"
#include "tests/data/unlike_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

StudyDescription scalarDescription(int level)
{
    auto description = smallDescription(level);
    description.kind = StudyKind::scalar;
    return description;
}

/// All jobs done, and compressed.
StudyWriter finishedStudy(const std::filesystem::path &path, const StudyDescription &description)
{
    auto writer = StudyWriter::create(path, description);
    writer.addField(smallField("u", description.kind == StudyKind::scalar ? 1 : 3));
    runAllJobs(writer);
    compress(writer, {});
    return writer;
}

std::string obstacleOf(const StudyWriter &writer)
{
    const auto growth = lastGrowth(writer);
    return growth ? growth->obstacle : "no growth";
}

std::vector<std::optional<int>> capsOf(const Study &study)
{
    std::vector<std::optional<int>> caps;
    for (const auto &parameter : study.description().space.parameters())
        caps.push_back(parameter.levelCap);
    return caps;
}

} // namespace

class UndoGrowthTest : public QObject
{
    Q_OBJECT

private slots:
    void theStudyIsWhatItWas_data();
    void theStudyIsWhatItWas();
    void itGrowsAgainAsIfNothingHadBeen();
    void failedJobsGoWithTheGrowth();
    void whatHasResultsStays();
    void jobsThatRunElsewhereKeepIt();
    void filesThatWereImportedKeepIt();
    void theFirstGridStays();
    void readersSeeAnotherGridOfTheSameSize();
    void growthsAreUndoneOneByOne();
    void modesOfWhatIsLeftStay_data();
    void modesOfWhatIsLeftStay();
    void rowsOfPointsThatAreGoneAreNone();
};

void UndoGrowthTest::theStudyIsWhatItWas_data()
{
    QTest::addColumn<bool>("isScalar");
    QTest::newRow("vector") << false;
    QTest::newRow("scalar") << true;
}

void UndoGrowthTest::theStudyIsWhatItWas()
{
    QFETCH(bool, isScalar);
    const Folder folder;
    auto writer =
        finishedStudy(folder / "s", isScalar ? scalarDescription(3) : smallDescription(3));
    const auto contents = contentsOf(writer);
    const auto caps = capsOf(writer);
    const auto jobs = writer.jobs().size();
    const auto points = writer.grid()->points();

    const auto added = writer.growGrid(5, std::vector{5, 4, 5});
    QVERIFY(contentsOf(writer) != contents);
    const auto addedJobs = writer.jobs().size() - jobs;
    QVERIFY(added > 0 && addedJobs > 0);
    const auto growth = undoGrowth(writer);
    QCOMPARE(growth.level, 3);
    QCOMPARE(growth.points, added);
    QCOMPARE(growth.jobs, addedJobs);

    QVERIFY(contentsOf(writer) == contents);
    QVERIFY(capsOf(writer) == caps); // "t" had none, which the growth had made 5
    QCOMPARE(writer.description().level, 3);
    QCOMPARE(writer.grid()->points(), points);
    QCOMPARE(writer.missingPoints(0), std::uint64_t{0});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    QVERIFY(contentsOf(Study::open(folder / "s")) == contents);
}

void UndoGrowthTest::itGrowsAgainAsIfNothingHadBeen()
{
    const Folder folder;
    for (const auto *name : {"straight", "detour"}) {
        auto writer = finishedStudy(folder / name, smallDescription(2));
        if (name == std::string("detour")) {
            writer.growGrid(5, std::vector{5, 5, 5});
            undoGrowth(writer);
        }
        writer.growGrid(4, std::vector{4, 3, 4});
        runAllJobs(writer);
        compress(writer, {});
        writer.close();
        QCOMPARE(problemsOf(folder / name), std::string());
    }
    QVERIFY(contentsOf(Study::open(folder / "straight"))
            == contentsOf(Study::open(folder / "detour")));
}

void UndoGrowthTest::failedJobsGoWithTheGrowth()
{
    const Folder folder;
    auto writer = finishedStudy(folder / "s", smallDescription(2));
    const auto jobs = writer.jobs().size();
    writer.growGrid(3, std::vector{3, 3, 3});
    const auto id = writer.jobs().back().id;
    writer.startJob(id);
    QVERIFY2(obstacleOf(writer).starts_with("1 of its jobs"), obstacleOf(writer).c_str());
    GRIDHELM_EXPECT_ERROR(undoGrowth(writer));
    writer.failJob(id, "diverged");
    QCOMPARE(obstacleOf(writer), std::string());
    undoGrowth(writer);
    QCOMPARE(writer.jobs().size(), jobs);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void UndoGrowthTest::whatHasResultsStays()
{
    const Folder folder;
    for (const auto &description : {smallDescription(2), scalarDescription(2)}) {
        const auto path = folder / std::string(toString(description.kind));
        auto writer = finishedStudy(path, description);
        writer.growGrid(4, std::vector{4, 4, 4});
        runJob(writer, writer.jobs().back());
        const auto contents = contentsOf(writer);
        QVERIFY2(obstacleOf(writer).find("first results") != std::string::npos,
                 obstacleOf(writer).c_str());
        GRIDHELM_EXPECT_ERROR(undoGrowth(writer));
        QVERIFY(contentsOf(writer) == contents);
        writer.close();
        QCOMPARE(problemsOf(path), std::string());
    }
}

void UndoGrowthTest::jobsThatRunElsewhereKeepIt()
{
    const Folder folder;
    finishedStudy(folder / "s", smallDescription(2)).close();
    growAndSubmit(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    QVERIFY2(obstacleOf(writer).starts_with("1 of its jobs"), obstacleOf(writer).c_str());
    GRIDHELM_EXPECT_ERROR(undoGrowth(writer));
    QCOMPARE(writer.submissions().size(), std::size_t{1});
}

void UndoGrowthTest::filesThatWereImportedKeepIt()
{
    const Folder folder;
    auto writer = finishedStudy(folder / "s", smallDescription(2));
    writer.growGrid(3, std::vector{3, 3, 3});
    const auto point = writer.jobs().back().points.front();
    writer.putSnapshot(point, 0, snapshotAt(coordinatesOf(writer, point), writer, 0));
    QVERIFY2(obstacleOf(writer).find("first results") != std::string::npos,
             obstacleOf(writer).c_str());
    GRIDHELM_EXPECT_ERROR(undoGrowth(writer));
}

void UndoGrowthTest::theFirstGridStays()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    QVERIFY(!lastGrowth(writer));
    GRIDHELM_EXPECT_ERROR(undoGrowth(writer));
    QVERIFY(!writer.jobs().empty());
}

void UndoGrowthTest::readersSeeAnotherGridOfTheSameSize()
{
    const Folder folder;
    const StudyDescription description{
        "plane", StudyKind::vector,
        ParameterSpace({Parameter{"a", "", 0, 1}, Parameter{"b", "", 0, 1}}), 2, ""};
    auto writer = StudyWriter::create(folder / "s", description);
    writer.addField(smallField("u", 3));
    writer.growGrid(4, std::vector{4, 2});
    auto reader = Study::open(folder / "s");
    const auto points = reader.grid()->points();
    undoGrowth(writer);
    writer.growGrid(4, std::vector{2, 4});
    QCOMPARE(writer.grid()->points(), points);
    reader.refresh();
    QCOMPARE(reader.grid()->highestLevel(0), 1);
    QCOMPARE(reader.grid()->highestLevel(1), 3);
    runAllJobs(writer);
    QCOMPARE(reader.pointsWithSnapshots(0), std::vector<bool>(points, true));
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void UndoGrowthTest::growthsAreUndoneOneByOne()
{
    const Folder folder;
    auto writer = finishedStudy(folder / "s", smallDescription(2));
    const auto contents = contentsOf(writer);
    writer.growGrid(3, std::vector{3, 3, 3});
    writer.growGrid(4, std::vector{4, 4, 4});
    QCOMPARE(undoGrowth(writer).level, 3);
    QCOMPARE(undoGrowth(writer).level, 2);
    QVERIFY(!lastGrowth(writer));
    QVERIFY(contentsOf(writer) == contents);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void UndoGrowthTest::modesOfWhatIsLeftStay_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"modes", "few bits", "rows in few bits", "kriging"})
        QTest::newRow(what) << what;
}

void UndoGrowthTest::modesOfWhatIsLeftStay()
{
    QFETCH(QString, what);
    const Folder folder;
    const bool areRows = what == "rows in few bits";
    areRows ? makeUnlike(folder / "s", 3) : makeStudy(folder / "s", 3);
    growTo(folder / "s", 4);
    auto writer = StudyWriter::open(folder / "s");
    CompressStep step;
    if (what == "modes")
        step.modes = ModesStep{};
    else if (what == "kriging")
        step.surrogate = SurrogateStep{SurrogateKind::kriging, {}};
    else
        step.error = AddedErrorStep{areRows ? 0.02 : 2e-3, false};
    compressStep(writer, step, {});
    const auto set = writer.modeSet(0);
    QVERIFY(set.has_value() != areRows
            && writer.quantisedCoefficients(0).operator bool() == areRows);
    undoGrowth(writer);
    QVERIFY(writer.modeSet(0) == set);
    compressStep(writer, {}, {});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
    loadFirstField(folder / "s");
}

void UndoGrowthTest::rowsOfPointsThatAreGoneAreNone()
{
    // As earlier programs wrote them: a row for each point, also of those that had no results.
    const Folder folder;
    for (const bool isZero : {true, false}) {
        const auto path = folder / (isZero ? "zero" : "other");
        makeStudy(path, 3);
        addModes(path);
        const auto expected = modesOf(path);
        growTo(path, 4);
        auto writer = StudyWriter::open(path);
        const auto states = writer.coefficientStates(0);
        const auto newest = std::ranges::find(states, CoefficientState::none) - states.begin();
        auto set = *writer.modeSet(0);
        auto rows = *writer.modalRows(0);
        rows.residuals[static_cast<std::size_t>(newest)] = isZero ? 0.0F : 0.5F;
        std::vector<std::vector<float>> values(set.modes(), std::vector<float>(600));
        for (std::uint64_t mode = 0; mode < set.modes(); ++mode)
            writer.readMode(0, mode, values[mode]);
        writer.removeModes(0);
        for (std::uint64_t mode = 0; mode < set.modes(); ++mode)
            writer.putModePart(0, mode, 0, values[mode]);
        const auto snapshots = std::exchange(set.snapshots, writer.grid()->points());
        writer.setModes(0, set, rows);
        undoGrowth(writer);
        QVERIFY(snapshots == writer.grid()->points());
        writer.close();
        QCOMPARE(problemsOf(path).empty(), isZero);
        if (isZero)
            QVERIFY(modesOf(path) == expected);
        else
            GRIDHELM_EXPECT_ERROR(loadFirstField(path));
    }
}

GRIDHELM_TEST(UndoGrowthTest)
#include "tst_undo_growth.moc"
