// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is put into a study comes out of it, from the file as well as before it is closed.
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/info.h"
#include "data/study/study_file.h"
#include "data/study/study_writer.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class StudyTest : public QObject
{
    Q_OBJECT

private slots:
    void descriptionComesBack();
    void everythingComesBack();
    void partsOfLargeSnapshotsComeBack();
    void aClosedStudyIsOneFile();
    void jobsGoThroughTheirStates();
    void jobsCoverTheGridAndShareOrdinaryParameters();
    void failedTransactionsLeaveNothing();
    void innerTransactionsFailAlone();
    void growingKeepsWhatThereIs();
    void growingOnlyGrows();
    void deliveredJobsAreDone();
    void meshAndFieldsMustStayTheSame();
    void whatMakesNoSenseIsAnError();
    void extremesOfTextAndNumbersComeBack();
    void infoCounts();
    void ofManyPartsSomeAreAsked();
    void holdOutsGiveErrors();
    void gridPointsAreNotHeldOut();
};

void StudyTest::descriptionComesBack()
{
    const Folder folder;
    auto description = smallDescription(3);
    auto parameters = description.space.parameters();
    parameters[0].treatment = sparse::BoundaryTreatment::zero;
    description.space = ParameterSpace(parameters);
    StudyWriter::create(folder / "s", description).close();
    const auto study = Study::open(folder / "s");
    QVERIFY(study.description().space == description.space);
    QCOMPARE(study.description().level, 3);
    QCOMPARE(study.description().title, description.title);
    QCOMPARE(study.description().simulation, description.simulation);
    QVERIFY(study.description().kind == StudyKind::vector);
    QCOMPARE(study.grid()->points(), sparse::SparseGrid(description.space.shape(3)).points());
    QVERIFY(study.fields().empty());
    QVERIFY(!study.mesh());
    QCOMPARE(problemsOf(folder / "s"), std::string());
    GRIDHELM_EXPECT_ERROR(StudyWriter::create(folder / "s", description));
}

void StudyTest::everythingComesBack()
{
    const Folder folder;
    const Mesh mesh{"custom", std::string(5000, 'm') + '\0' + "end", 10, 4};
    const auto velocity = smallField("velocity", 10, 3);
    auto pressure = smallField("p", 4);
    pressure.association = Association::cell;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.setMesh(mesh);
    QCOMPARE(writer.addField(velocity), FieldIndex{0});
    QCOMPARE(writer.addField(pressure), FieldIndex{1});
    QCOMPARE(writer.addField(velocity), FieldIndex{0});
    runAllJobs(writer);
    const std::vector parameters{300.0, 1.0, 2.0};
    const auto holdOut = writer.addHoldOut(parameters);
    writer.putHoldOut(holdOut, 1, std::vector{1.0F, 2.0F, 3.0F, 4.0F});
    ErrorFigure figure{ErrorKind::indicator, 1, parameters, 0.25, std::nan(""), 2, 7, 1};
    writer.putErrorFigures(std::vector{figure, figure});
    writer.putErrorFigures(std::vector{figure}); // replaces both
    writer.close();

    const auto study = Study::open(folder / "s");
    QVERIFY(study.mesh() == mesh);
    QVERIFY(study.fields() == (std::vector{velocity, pressure}));
    QCOMPARE(study.fieldIndex("p"), FieldIndex{1});
    GRIDHELM_EXPECT_ERROR(study.fieldIndex("q"));
    for (std::uint64_t point = 0; point < study.grid()->points(); ++point) {
        for (FieldIndex field : {0U, 1U}) {
            std::vector<float> values(study.fields()[field].values());
            QVERIFY(study.readSnapshot(point, field, values));
            QCOMPARE(values, snapshotAt(coordinatesOf(study, point), study, field));
            QVERIFY(!study.readCoefficients(point, field, values));
        }
    }
    QCOMPARE(study.missingPoints(0), std::uint64_t{0});
    QCOMPARE(study.holdOuts().size(), std::size_t{1});
    QCOMPARE(study.holdOuts()[0].parameters, parameters);
    std::vector<float> held(4);
    QVERIFY(study.readHoldOut(holdOut, 1, held));
    QCOMPARE(held, (std::vector{1.0F, 2.0F, 3.0F, 4.0F}));
    std::vector<float> other(30);
    QVERIFY(!study.readHoldOut(holdOut, 0, other));
    const auto figures = study.errorFigures();
    QCOMPARE(figures.size(), std::size_t{1});
    QVERIFY(figures[0].kind == ErrorKind::indicator && figures[0].field == 1);
    QCOMPARE(figures[0].relativeL2, 0.25);
    QCOMPARE(figures[0].maximum, std::numeric_limits<double>::max()); // NaN is the worst of all
    QCOMPARE(figures[0].missingPoints, std::uint64_t{1});
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyTest::partsOfLargeSnapshotsComeBack()
{
    const Folder folder;
    const auto values = 2 * Study::partValues() + 17;
    for (auto encoding : {BlobEncoding::raw, BlobEncoding::automatic}) {
        const auto path = folder / std::to_string(static_cast<int>(encoding));
        auto writer = StudyWriter::create(path, smallDescription(1));
        writer.addField(smallField("u", values));
        writer.setSnapshotEncoding(encoding);
        runAllJobs(writer);
        QCOMPARE(writer.parts(0), std::uint64_t{3});
        QCOMPARE(writer.valuesInPart(0, 2), std::uint64_t{17});
        GRIDHELM_EXPECT_ERROR(writer.valuesInPart(0, 3));
        std::vector<float> all(values), part(17);
        QVERIFY(writer.readSnapshot(0, 0, all));
        QCOMPARE(all, snapshotAt(coordinatesOf(writer, 0), writer, 0));
        QVERIFY(writer.readSnapshotPart(0, 0, 2, part));
        QVERIFY(std::ranges::equal(part, std::span(all).last(17)));
        GRIDHELM_EXPECT_ERROR(writer.readSnapshotPart(0, 0, 1, part));
        GRIDHELM_EXPECT_ERROR(writer.readSnapshot(writer.grid()->points(), 0, all));
        writer.close();
        QCOMPARE(problemsOf(path), std::string());
    }
    QVERIFY(std::filesystem::file_size(folder / "1") < std::filesystem::file_size(folder / "0"));
}

void StudyTest::aClosedStudyIsOneFile()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 5000));
    runAllJobs(writer);
    writer.close();
    QCOMPARE(std::distance(std::filesystem::directory_iterator((folder / "s").parent_path()), {}),
             std::ptrdiff_t{1});
    std::filesystem::copy_file(folder / "s", folder / "copy");
    QCOMPARE(problemsOf(folder / "copy"), std::string());
    QCOMPARE(Study::open(folder / "copy").missingPoints(0), std::uint64_t{0});
}

void StudyTest::jobsGoThroughTheirStates()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 3));
    const auto jobs = writer.jobs();
    QVERIFY(jobs.size() > 3);
    for (const auto &job : jobs) {
        QVERIFY(job.state == JobState::waiting);
        QCOMPARE(job.attempts, 0);
        QCOMPARE(job.started, 0.0);
    }
    runJob(writer, jobs[0]);
    QVERIFY(writer.job(jobs[0].id).state == JobState::done);
    QCOMPARE(writer.job(jobs[0].id).attempts, 1);
    QVERIFY(writer.job(jobs[0].id).finished >= writer.job(jobs[0].id).started);
    QCOMPARE(writer.jobLog(jobs[0].id), std::string("fine"));
    GRIDHELM_EXPECT_ERROR(writer.startJob(jobs[0].id));
    GRIDHELM_EXPECT_ERROR(writer.resetJob(jobs[0].id));
    GRIDHELM_EXPECT_ERROR(writer.failJob(jobs[0].id, ""));

    writer.startJob(jobs[1].id);
    GRIDHELM_EXPECT_ERROR(writer.finishJob(jobs[1].id, "no snapshots"));
    QVERIFY(writer.job(jobs[1].id).state == JobState::running);
    writer.failJob(jobs[1].id, "it diverged\nat t = 1");
    QVERIFY(writer.job(jobs[1].id).state == JobState::failed);
    QCOMPARE(writer.jobLog(jobs[1].id), std::string("it diverged\nat t = 1"));
    runJob(writer, jobs[1]);
    QCOMPARE(writer.job(jobs[1].id).attempts, 2);

    writer.startJob(jobs[2].id);
    writer.startJob(jobs[3].id);
    QCOMPARE(writer.resetRunningJobs(), std::size_t{2});
    QVERIFY(writer.job(jobs[2].id).state == JobState::waiting);
    GRIDHELM_EXPECT_ERROR(writer.job(99'999));
}

void StudyTest::jobsCoverTheGridAndShareOrdinaryParameters()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    std::vector<int> count(writer.grid()->points(), 0);
    for (const auto &job : writer.jobs()) {
        const auto first = writer.description().space.valuesAt(*writer.grid(), job.points[0]);
        for (auto point : job.points) {
            ++count[point];
            const auto values = writer.description().space.valuesAt(*writer.grid(), point);
            QVERIFY(values[0] == first[0] && values[1] == first[1]);
        }
    }
    QVERIFY(std::ranges::all_of(count, [](int c) { return c == 1; }));
    QVERIFY(writer.jobs().size() < writer.grid()->points());
}

void StudyTest::failedTransactionsLeaveNothing()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    {
        auto transaction = writer.transaction();
        writer.addField(smallField("u", 3));
        writer.growGrid(3, std::vector{3, 3, 3});
        writer.setTitle("another");
    }
    QVERIFY(writer.fields().empty());
    QCOMPARE(writer.description().title, std::string("small"));
    QCOMPARE(writer.grid()->points(),
             sparse::SparseGrid(smallDescription(2).space.shape(2)).points());
    writer.addField(smallField("u", 3));
    QCOMPARE(writer.fields().size(), std::size_t{1});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyTest::innerTransactionsFailAlone()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 2));
    auto transaction = writer.transaction();
    writer.putSnapshot(0, 0, std::vector{1.0F, 2.0F});
    GRIDHELM_EXPECT_ERROR(
        writer.putSnapshot(1, 0, std::vector{1.0F, std::numeric_limits<float>::quiet_NaN()}));
    GRIDHELM_EXPECT_ERROR(writer.putSnapshot(1, 0, std::vector{1.0F}));
    writer.putSnapshot(2, 0, std::vector{3.0F, 4.0F});
    transaction.commit();
    writer.close();
    const auto isThere = Study::open(folder / "s").pointsWithSnapshots(0);
    QVERIFY(isThere[0] && !isThere[1] && isThere[2]);
}

void StudyTest::growingKeepsWhatThereIs()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 3));
    runAllJobs(writer);
    const auto jobsBefore = writer.jobs().size();
    const auto pointsBefore = writer.grid()->points();
    auto reader = Study::open(folder / "s");
    const auto versionBefore = reader.dataVersion();
    const auto added = writer.growGrid(4, std::vector{4, 3, 2});
    QCOMPARE(writer.grid()->points(), pointsBefore + added);
    QVERIFY(writer.jobs().size() > jobsBefore);
    QVERIFY(*writer.description().space[1].levelCap == 3);

    QVERIFY(reader.dataVersion() != versionBefore);
    QCOMPARE(reader.grid()->points(), pointsBefore);
    reader.refresh();
    QCOMPARE(reader.grid()->points(), pointsBefore + added);
    QCOMPARE(reader.missingPoints(0), added);
    // Old snapshots are at their new indices.
    const auto isThere = reader.pointsWithSnapshots(0);
    std::vector<float> values(3);
    for (std::uint64_t point = 0; point < isThere.size(); ++point) {
        QCOMPARE(reader.readSnapshot(point, 0, values), bool(isThere[point]));
        if (isThere[point])
            QCOMPARE(values, snapshotAt(coordinatesOf(reader, point), reader, 0));
    }
    runAllJobs(writer);
    QCOMPARE(writer.missingPoints(0), std::uint64_t{0});
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyTest::growingOnlyGrows()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    GRIDHELM_EXPECT_ERROR(writer.growGrid(2, std::vector{2, 2, 2}));
    GRIDHELM_EXPECT_ERROR(writer.growGrid(4, std::vector{4, 1, 4}));
    GRIDHELM_EXPECT_ERROR(writer.growGrid(4, std::vector{4, 4}));
    GRIDHELM_EXPECT_ERROR(writer.growGrid(31, std::vector{31, 31, 31}));
    QCOMPARE(writer.growGrid(3, std::vector{3, 2, 3}), std::uint64_t{0});
}

void StudyTest::deliveredJobsAreDone()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(2));
    writer.addField(smallField("u", 1));
    QCOMPARE(writer.finishDeliveredJobs("imported"), std::size_t{0});
    const auto jobs = writer.jobs();
    for (auto point : jobs[1].points)
        writer.putSnapshot(point, 0, std::vector{1.0F});
    writer.putSnapshot(jobs[0].points[0], 0, std::vector{1.0F}); // not all of its points
    QCOMPARE(writer.finishDeliveredJobs("imported"), std::size_t{1});
    QVERIFY(writer.jobs()[1].state == JobState::done);
    QCOMPARE(writer.jobLog(jobs[1].id), std::string("imported"));
}

void StudyTest::meshAndFieldsMustStayTheSame()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(1));
    const Mesh mesh{"image", "here", 3, 2};
    auto other = mesh;
    other.encoded = "there";
    writer.setMesh(mesh);
    writer.setMesh(mesh);
    GRIDHELM_EXPECT_ERROR(writer.setMesh(other));
    writer.addField(smallField("u", 3));
    GRIDHELM_EXPECT_ERROR(writer.addField(smallField("u", 4)));
    runAllJobs(writer);
    GRIDHELM_EXPECT_ERROR(writer.addField(smallField("late", 3)));
}

void StudyTest::whatMakesNoSenseIsAnError()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(1));
    for (int components : {0, -1, 10})
        GRIDHELM_EXPECT_ERROR(writer.addField(smallField("u", 3, components)));
    GRIDHELM_EXPECT_ERROR(writer.addField(smallField("u", 0)));
    GRIDHELM_EXPECT_ERROR(writer.addField(smallField("u", std::uint64_t{1} << 63)));
    GRIDHELM_EXPECT_ERROR(writer.addField(smallField("", 3)));
    GRIDHELM_EXPECT_ERROR(writer.putSnapshot(0, 0, {}));
    GRIDHELM_EXPECT_ERROR(writer.addHoldOut(std::vector{1.0, 1.0, 1.0}));
    GRIDHELM_EXPECT_ERROR(writer.addHoldOut(std::vector{100.0}));
    GRIDHELM_EXPECT_ERROR(writer.putScalarValues(1, 0, {}));
    GRIDHELM_EXPECT_ERROR(StudyWriter::create(folder / "no/such/folder", smallDescription(1)));
    auto large = smallDescription(30);
    GRIDHELM_EXPECT_ERROR(StudyWriter::create(folder / "large", large));
    QVERIFY(!std::filesystem::exists(folder / "large"));
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "large"));
    GRIDHELM_EXPECT_ERROR(StudyWriter::open(folder / "large"));
    QVERIFY(!std::filesystem::exists(folder / "large-writer"));
}

void StudyTest::extremesOfTextAndNumbersComeBack()
{
    const Folder folder;
    const std::string nasty = std::string("a'\"\0;--%\n", 9) + "\xf0\x9f\x98\x80";
    auto description = smallDescription(1);
    description.title = nasty;
    description.simulation = "";
    auto writer = StudyWriter::create(folder / "s %41?#'", description);
    writer.addField({nasty, nasty, 9, Association::cell, 1});
    const auto largest = std::numeric_limits<float>::max(),
               smallest = std::numeric_limits<float>::denorm_min();
    const std::vector values{largest, -largest, smallest, -0.0F, 0.0F, 1.0F, -1.0F, 2.0F, 3.0F};
    writer.putSnapshot(0, 0, values);
    writer.failJob(1, nasty);
    writer.close();
    const auto study = Study::open(folder / "s %41?#'");
    QCOMPARE(study.description().title, nasty);
    QCOMPARE(study.description().simulation, std::string());
    QCOMPARE(study.fields()[0].name, nasty);
    std::vector<float> read(9);
    QVERIFY(study.readSnapshot(0, 0, read));
    QVERIFY(std::memcmp(read.data(), values.data(), 36) == 0);
    QCOMPARE(study.jobLog(1), nasty);
}

void StudyTest::infoCounts()
{
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    writer.addField(smallField("u", 1000));
    const auto jobs = writer.jobs();
    runJob(writer, jobs[0]);
    writer.startJob(jobs[1].id);
    writer.failJob(jobs[2].id, "");
    auto counts = info(writer);
    QCOMPARE(counts.jobsDone, std::uint64_t{1});
    QCOMPARE(counts.jobsRunning, std::uint64_t{1});
    QCOMPARE(counts.jobsFailed, std::uint64_t{1});
    QCOMPARE(counts.jobsWaiting, jobs.size() - 3);
    // Level 3, modified: 7 points; at most level 1 (cap 2): 3; time with its ends: 9.
    QCOMPARE(counts.fullGridPoints, 7.0 * 3 * 9);
    QCOMPARE(counts.compressionToFullGrid, 0.0);
    runAllJobs(writer);
    CompressOptions raw;
    raw.encoding = BlobEncoding::raw;
    compress(writer, raw);
    counts = info(writer);
    QCOMPARE(counts.fields[0].storedCoefficientBytes, counts.gridPoints * 4000);
    QVERIFY(!counts.fields[0].areEstimated.any());
    QCOMPARE(counts.compressionToSnapshots, 1.0);
    QCOMPARE(counts.compressionToFullGrid, 7.0 * 3 * 9 / static_cast<double>(counts.gridPoints));
    QCOMPARE(counts.fields[0].finalCoefficients, counts.gridPoints);
}

/// How long a part is stands in a page of its own: of many some are asked.
void StudyTest::ofManyPartsSomeAreAsked()
{
    const Folder folder;
    int level = 3;
    while (sparse::SparseGrid(smallDescription(level).space.shape(level)).points() <= 6000)
        ++level;
    auto writer = StudyWriter::create(folder / "s", smallDescription(level));
    writer.addField(smallField("u", 50));
    {
        auto transaction = writer.transaction();
        Random random(3);
        for (std::uint64_t point = 0; point < writer.grid()->points(); ++point) {
            std::vector<float> values(50, 1.0F); // zstd makes some of these rows short
            for (std::size_t i = 0; i < point % 50; ++i)
                values[i] = static_cast<float>(random.real());
            writer.putSnapshot(point, 0, values);
        }
        transaction.commit();
    }
    auto row = writer.file().query("SELECT sum(length(bytes)), count(*) FROM snapshots");
    QVERIFY(row.step());
    const auto exact = static_cast<double>(row.integer(0));
    QVERIFY(row.integer(1) > 6000);
    const auto of = info(writer).fields[0];
    QVERIFY(of.areEstimated.snapshots);
    QVERIFY(!of.areEstimated.coefficients && !of.areEstimated.modes);
    const double off = static_cast<double>(of.storedSnapshotBytes) / exact - 1;
    QVERIFY2(std::abs(off) < 0.02, qPrintable(QString::number(off)));
    QVERIFY(off != 0); // not all were asked
}

void StudyTest::holdOutsGiveErrors()
{
    const Folder folder;
    double before = 2;
    for (int level : {2, 6}) {
        auto description = smallDescription(level);
        description.space = description.space.withLevelCaps(std::vector{level, level, level});
        auto writer = StudyWriter::create(folder / std::to_string(level), description);
        writer.addField(smallField("u", 50));
        runAllJobs(writer);
        compress(writer, {});
        for (const auto &parameters : holdOutParameters(writer, 20, 1)) {
            const auto id = writer.addHoldOut(parameters);
            writer.putHoldOut(id, 0,
                              snapshotAt(writer.description().space.toUnit(parameters), writer, 0));
        }
        storeErrors(writer, test::onCpu());
        const auto figures = writer.errorFigures();
        const auto held = std::ranges::count(figures, ErrorKind::heldOut, &ErrorFigure::kind);
        QCOMPARE(held, std::ptrdiff_t{20});
        for (const auto &summary : summarize(figures)) {
            QVERIFY2(summary.meanRelativeL2 > 0, std::to_string(summary.meanRelativeL2).c_str());
            QVERIFY(summary.largestRelativeL2 >= summary.meanRelativeL2);
            if (summary.kind != ErrorKind::heldOut)
                continue;
            QVERIFY2(summary.meanRelativeL2 < before / 3,
                     std::to_string(summary.meanRelativeL2).c_str());
            before = summary.meanRelativeL2;
        }
        // The error at one hold-out, computed here from nothing but coefficients.
        const auto first = holdOutParameters(writer, 20, 1).front();
        const auto figure = *std::ranges::find_if(figures, [&](const auto &one) {
            return one.kind == ErrorKind::heldOut && one.parameters == first;
        });
        QVERIFY(figure.relativeL2 < 0.3 && figure.gridPoints == writer.grid()->points());
    }
}

void StudyTest::gridPointsAreNotHeldOut()
{
    const Folder folder;
    auto description = smallDescription(2);
    description.space = description.space.withLevelCaps(std::vector{2, 2, 2});
    auto writer = StudyWriter::create(folder / "s", description);
    writer.addField(smallField("u", 50));
    const auto &space = writer.description().space;
    for (const double x : {0.125, 0.3}) { // on the grid of level 3, and on none
        const auto parameters = space.fromUnit(std::vector{x, 0.5, 0.5});
        writer.putHoldOut(writer.addHoldOut(parameters), 0,
                          snapshotAt(space.toUnit(parameters), writer, 0));
    }
    for (const auto &[level, measured] : {std::pair{2, 2}, std::pair{3, 1}}) {
        if (level == 3)
            writer.growGrid(3, std::vector{3, 3, 3});
        runAllJobs(writer);
        compress(writer, {});
        storeErrors(writer, test::onCpu());
        QCOMPARE(std::ranges::count(writer.errorFigures(), ErrorKind::heldOut, &ErrorFigure::kind),
                 std::ptrdiff_t{measured});
    }
}

GRIDHELM_TEST(StudyTest)
#include "tst_study.moc"
