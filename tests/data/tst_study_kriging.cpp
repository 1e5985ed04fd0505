// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies whose fields are kriged: what is evaluated of them, and their errors.
#include "core/kriging/fit.h"
#include "data/campaign/campaign_text.h"
#include "data/compress/node_volumes.h"
#include "data/evaluate/hold_out.h"
#include "tests/core/expect_error.h"
#include "tests/data/kriging_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class StudyKrigingTest : public QObject
{
    Q_OBJECT

private slots:
    void itIsNearTheTruth();
    void failedRunsAreNoObstacle();
    void everyWayToEvaluateIsTheSame();
    void indicatorsAreItsDeviations();
    void placesAreThoseOfTheWholeField();
    void errorsLeftOutAreThoseOfRunsLeftOut();
    void theSparseGridComesBack();
    void heldOutErrorsAreMeasuredWithIt();
};

void StudyKrigingTest::itIsNearTheTruth()
{
    const Folder folder;
    makeStudy(folder / "s");
    const double before = errorOf(folder / "s");
    const auto report = krige(folder / "s");
    QCOMPARE(report.kriging.fields, std::size_t{1});
    QCOMPARE(problemsOf(folder / "s"), std::string());
    const double after = errorOf(folder / "s");
    QVERIFY2(after < 0.6 * before, std::to_string(after / before).c_str());
    const auto study = Study::open(folder / "s");
    QCOMPARE(report.kriging.runs, study.grid()->points());
    QCOMPARE(study.kriging(0)->model.outputs(), study.modeSet(0)->modes());
    QVERIFY(!study.modalRows(0));
    QVERIFY(surrogateText(study, 0).find("kriging of") == 0);
    // At runs it is what they are, but for what modes and nugget leave.
    StudyFields fields(Study::open(folder / "s"), omp());
    std::vector<float> snapshot(600);
    QVERIFY(study.readSnapshot(7, 0, snapshot));
    const auto at = study.description().space.valuesAt(*study.grid(), 7);
    QVERIFY(relativeError(evaluated(fields, at).values, snapshot) < 1e-3);
    QVERIFY(fields.isKriged(0));
    QCOMPARE(fields.modesErrorBound(0, at), study.modeSet(0)->largestError);
    // Outside it goes on.
    std::vector<float> values(600);
    auto outside = at;
    outside[1] = 1.6;
    fields.evaluate(0, outside, {values, {}}, 0, OutOfRange::extrapolated);
    QVERIFY(std::ranges::all_of(values, [](float value) { return std::isfinite(value); }));
    GRIDHELM_EXPECT_ERROR(fields.evaluate(0, outside, {values, {}}));
}

void StudyKrigingTest::failedRunsAreNoObstacle()
{
    const Folder folder;
    makeStudyWithFailures(folder / "s");
    const auto report = krige(folder / "s");
    QCOMPARE(report.compress.computed, std::uint64_t{0}); // all of them lack one below
    QVERIFY(report.compress.waiting > 0);
    QCOMPARE(report.kriging.fields, std::size_t{1});
    QVERIFY2(errorOf(folder / "s") < 0.05, std::to_string(errorOf(folder / "s")).c_str());
    StudyFields fields(Study::open(folder / "s"), omp());
    QCOMPARE(fields.missingPoints(0, fields.groups()), std::uint64_t{0});
    const auto figures = fields.study().errorFigures();
    QCOMPARE(figures.size(), report.kriging.runs);
    QVERIFY(std::ranges::all_of(figures, [](const auto &figure) {
        return figure.kind == ErrorKind::leaveOneOut && figure.missingPoints == 0;
    }));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyKrigingTest::everyWayToEvaluateIsTheSame()
{
    const Folder folder;
    makeStudy(folder / "s");
    krige(folder / "s");
    const auto study = Study::open(folder / "s");
    checkEveryWayToEvaluate(study);
    // Fewer levels are no coarser.
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto at = somePlaces(study)[9];
    QCOMPARE(evaluated(fields, at, 1).values, evaluated(fields, at).values);
}

void StudyKrigingTest::indicatorsAreItsDeviations()
{
    const Folder folder;
    makeStudyWithFailures(folder / "s");
    krige(folder / "s");
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto &study = fields.study();
    const kriging::KrigingDeviations deviations(study.kriging(0)->model, onCpu());
    const auto modes = study.modeSet(0)->modes();
    const auto weights = weightsOf(study, 0, {}).values;
    for (const auto &at : somePlaces(study)) {
        const auto x = study.description().space.toUnit(at);
        const auto variances = deviations.variances(x);
        std::vector<double> squares(600, 0.0);
        for (std::uint64_t m = 0; m < modes; ++m) {
            std::vector<float> mode(600);
            study.readMode(0, m, mode);
            for (std::size_t i = 0; i < 600; ++i)
                squares[i] +=
                    variances[m] * static_cast<double>(mode[i]) * static_cast<double>(mode[i]);
        }
        const auto found = evaluated(fields, at).indicator;
        for (std::size_t i = 0; i < 600; ++i)
            QVERIFY(std::abs(found[i] - std::sqrt(squares[i])) <= 1e-6);
        // Its norm is that of kriging's own belief.
        const double norm = distance(found, std::vector<float>(600, 0.0F), weights);
        QVERIFY(std::abs(norm - deviations.ofField(x)) <= 1e-4 * deviations.ofField(x) + 1e-7);
    }
    // It is nearly 0 at a run, and less so far from all.
    const auto there = study.pointsWithSnapshots(0);
    const auto run = static_cast<std::uint64_t>(std::ranges::find(there, true) - there.begin());
    const auto largest = [&](const std::vector<double> &at) {
        return std::ranges::max(evaluated(fields, at).indicator);
    };
    QVERIFY(largest(study.description().space.valuesAt(*study.grid(), run))
            < largest(somePlaces(study)[1]) / 10);
}

void StudyKrigingTest::placesAreThoseOfTheWholeField()
{
    const Folder folder;
    makeStudy(folder / "s", 4, width * height, 3);
    krige(folder / "s");
    StudyFields fields(Study::open(folder / "s"), omp(2));
    FieldSurrogate loaded(fields.study(), 0);
    loaded.loadAll(fields.study());
    for (const std::uint64_t entity : {0, 123, 599}) {
        for (const auto *from : {static_cast<FieldSurrogate *>(nullptr), &loaded}) {
            const auto one = fields.entity(0, entity, from);
            const auto places = somePlaces(fields.study());
            for (const auto &at : places) {
                std::vector<float> values(3);
                one->evaluate({{at[0]}, {at[1]}, {at[2]}}, values);
                const auto whole = evaluated(fields, at);
                for (std::size_t c = 0; c < 3; ++c)
                    QVERIFY(std::abs(values[c] - whole.values[3 * entity + c]) <= 5e-6F);
            }
            // All combinations, the last parameter the fastest.
            const auto &a = places[5], &b = places[6];
            std::vector<float> map(2 * 2 * 3);
            one->evaluate({{a[0], b[0]}, {a[1]}, {a[2], b[2]}}, map);
            const auto whole = evaluated(fields, {a[0], a[1], b[2]});
            for (std::size_t c = 0; c < 3; ++c)
                QVERIFY(std::abs(map[3 + c] - whole.values[3 * entity + c]) <= 5e-6F);
            GRIDHELM_EXPECT_ERROR(one->evaluate({{a[0]}, {a[1]}, {a[2]}}, map));
        }
    }
}

void StudyKrigingTest::errorsLeftOutAreThoseOfRunsLeftOut()
{
    const Folder folder;
    makeStudyWithFailures(folder / "s");
    krige(folder / "s");
    const auto study = Study::open(folder / "s");
    const auto of = study.kriging(0);
    const auto &model = of->model;
    const auto modes = model.outputs();
    const auto d = static_cast<std::size_t>(model.dimension);
    const auto weights = weightsOf(study, 0, {}).values;
    FieldSurrogate rows(study, 0);
    rows.loadAll(study);
    for (const std::size_t left : {0, 11, 40}) {
        // Kriging of all other simulations, with the same hyperparameters, from their snapshots.
        kriging::Runs runs{0, model.dimension, modes, {}, {}};
        std::vector<float> snapshot(600), exact(600);
        for (std::size_t run = 0; run < model.runs; ++run) {
            QVERIFY(study.readSnapshot(of->points[run], 0, snapshot));
            if (run == left)
                exact = snapshot;
            const double *x = model.places.data() + run * d;
            if (std::equal(x, x + 2, model.places.data() + left * d)) // at whatever time
                continue;
            ++runs.runs;
            runs.places.insert(runs.places.end(), model.places.data() + run * d,
                               model.places.data() + (run + 1) * d);
            for (std::size_t m = 0; m < modes; ++m) {
                double sum = 0;
                for (std::size_t i = 0; i < 600; ++i)
                    sum += weights[i] * static_cast<double>(rows.matrix().row(m)[i])
                           * static_cast<double>(snapshot[i]);
                runs.values.push_back(sum);
            }
        }
        const kriging::KrigingSurrogate others(
            kriging::fitWith(runs, kriging::componentsOf(model), onCpu()).model);
        const std::span<const double> x(model.places.data() + left * d, d);
        std::vector<float> values(600);
        linalg::combine<float>(others.weights(x, 1), rows.matrix(), 0, values, {}, CpuDevice{});
        const double expected = relativeError(values, exact);
        const double found = study.errorFigures()[left].relativeL2;
        QCOMPARE(study.errorFigures()[left].parameters,
                 study.description().space.valuesAt(*study.grid(), of->points[left]));
        QVERIFY2(std::abs(found - expected) <= 1e-3 * expected + 1e-6,
                 (std::to_string(found) + " " + std::to_string(expected)).c_str());
    }
}

void StudyKrigingTest::theSparseGridComesBack()
{
    const Folder folder;
    makeStudy(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    storeErrors(writer, onCpu());
    const auto figures = writer.errorFigures().size();
    writer.close();
    std::vector<Whole> expected;
    StudyFields before(Study::open(folder / "s"), omp());
    const auto places = somePlaces(before.study());
    for (const auto &at : places)
        expected.push_back(evaluated(before, at));
    krige(folder / "s");
    QVERIFY(evaluated(before, places[8]).values != std::vector<float>(600)); // it read on

    writer = StudyWriter::open(folder / "s");
    compressStep(writer, surrogateStep(SurrogateKind::sparseGrid), {});
    QVERIFY(!writer.kriging(0) && !writer.modeSet(0));
    QCOMPARE(writer.errorFigures().size(), figures);
    writer.close();
    StudyFields after(Study::open(folder / "s"), omp());
    for (std::size_t i = 0; i < places.size(); ++i) {
        QCOMPARE(evaluated(after, places[i]).values, expected[i].values);
        QCOMPARE(evaluated(after, places[i]).indicator, expected[i].indicator);
    }
    QCOMPARE(surrogateText(after.study(), 0), std::string("sparse grid, degree 1"));
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void StudyKrigingTest::heldOutErrorsAreMeasuredWithIt()
{
    const Folder folder;
    makeStudyWithFailures(folder / "s");
    auto writer = StudyWriter::open(folder / "s");
    const std::vector place{333.0, 0.77, 2.1};
    const auto exact = snapshotAt(writer.description().space.toUnit(place), writer, 0);
    writer.putHoldOut(writer.addHoldOut(place), 0, exact);
    writer.close();
    krige(folder / "s");
    StudyFields fields(Study::open(folder / "s"), omp());
    const auto found = evaluated(fields, place);
    const auto figures = fields.study().errorFigures();
    const auto figureOf = [&](ErrorKind kind) {
        return std::ranges::find(figures, kind, &ErrorFigure::kind)->relativeL2;
    };
    QVERIFY(std::abs(figureOf(ErrorKind::heldOut) - relativeError(found.values, exact)) <= 1e-6);
    const double size = relativeError(std::vector<float>(600, 0.0F), exact);
    QCOMPARE(size, 1.0);
    double squares = 0, exacts = 0;
    for (std::size_t i = 0; i < 600; ++i) {
        squares += std::pow(static_cast<double>(found.indicator[i]), 2);
        exacts += std::pow(static_cast<double>(exact[i]), 2);
    }
    QVERIFY(std::abs(figureOf(ErrorKind::indicator) / std::sqrt(squares / exacts) - 1) <= 1e-4);
}

GRIDHELM_TEST(StudyKrigingTest)
#include "tst_study_kriging.moc"
