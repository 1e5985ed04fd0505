// SPDX-License-Identifier: GPL-3.0-or-later
//
// By what the kind of surrogate and the degree are chosen, and when.
#include "core/kriging/fit.h"
#include "core/kriging/groups_left_out.h"
#include "core/sparse/reference/literal.h"
#include "core/sparse/sparse_grid_surrogate.h"
#include "data/campaign/campaign_text.h"
#include "data/evaluate/degree_choice.h"
#include "tests/core/expect_error.h"
#include "tests/data/choice_studies.h"
#include "tests/data/stopped_step.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// Literally: the grid that is one level coarser, evaluated at all other points whose times are
/// among the coarsest five. Mean of relative errors.
double literalSparseGrid(const Study &study, Function of, const std::vector<int> &degrees)
{
    const auto &space = study.description().space.withDegrees(degrees);
    const auto fine =
        std::make_shared<const sparse::SparseGrid>(space.shape(study.description().level));
    const auto coarse =
        std::make_shared<const sparse::SparseGrid>(space.shape(study.description().level - 1));
    std::vector<std::vector<float>> rows(coarse->points());
    std::vector<double> x(static_cast<std::size_t>(coarse->dimension()));
    for (std::uint64_t point = 0; point < coarse->points(); ++point) {
        coarse->coordinates(point, x);
        rows[point] = fieldAt(of, x);
    }
    for (std::size_t node = 0; node < nodes; ++node) {
        std::vector<double> column;
        for (const auto &row : rows)
            column.push_back(static_cast<double>(row[node]));
        sparse::reference::hierarchize<double>(*coarse, column);
        for (std::size_t point = 0; point < rows.size(); ++point)
            rows[point][node] = static_cast<float>(column[point]);
    }
    const sparse::SparseGridSurrogate surrogate(coarse);
    double sum = 0;
    std::size_t count = 0;
    for (auto point = fine->groupFirstPoint(fine->groups() - 1); point < fine->points(); ++point) {
        fine->coordinates(point, x);
        if (x.size() > 2 && std::abs(4 * x[2] - std::round(4 * x[2])) > 1e-9)
            continue;
        const auto weights = surrogate.weights(x, surrogate.groups());
        std::vector<float> values(nodes, 0.0F);
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            for (std::size_t node = 0; node < nodes; ++node)
                values[node] +=
                    static_cast<float>(weights.weights[i]) * rows[weights.rows[i]][node];
        sum += relativeNorm(values, fieldAt(of, x));
        ++count;
    }
    return sum / static_cast<double>(count);
}

/// Literally: kriging of the coarser grid's runs by the same hyperparameters.
double literalKriging(const Study &study, Function of)
{
    const auto kriging = study.kriging(0);
    const auto &model = kriging->model;
    const auto grid = study.grid();
    const auto first = grid->groupFirstPoint(grid->groups() - 1);
    const auto modes = model.outputs(), d = static_cast<std::size_t>(model.dimension);
    const auto surrogate = surrogateOf(study, 0);
    kriging::Runs coarse{0, model.dimension, modes, {}, {}};
    for (std::size_t run = 0; run < model.runs; ++run) {
        if (kriging->points[run] >= first)
            continue;
        const std::span<const double> x(model.places.data() + run * d, d);
        const auto weights = surrogate->weights(x, surrogate->groups());
        std::vector<double> values(modes, 0.0);
        for (std::size_t i = 0; i < weights.rows.size(); ++i)
            values[weights.rows[i]] = weights.weights[i];
        for (const auto &group : model.groups)
            for (std::size_t m = 0; m < group.outputs; ++m)
                values[group.first + m] +=
                    group.hyperparameters.nugget * group.weights[m * model.runs + run];
        ++coarse.runs;
        coarse.places.insert(coarse.places.end(), x.begin(), x.end());
        coarse.values.insert(coarse.values.end(), values.begin(), values.end());
    }
    const kriging::KrigingSurrogate without(
        kriging::fitWith(coarse, kriging::componentsOf(model), onCpu(1)).model);
    double sum = 0;
    std::vector<float> row(nodes);
    for (auto point = first; point < grid->points(); ++point) {
        const auto x = coordinatesOf(study, point);
        const auto weights = without.weights(x, 1);
        std::vector<float> values(nodes, 0.0F);
        for (std::size_t i = 0; i < weights.rows.size(); ++i) {
            study.readMode(0, weights.rows[i], row);
            for (std::size_t node = 0; node < nodes; ++node)
                values[node] += static_cast<float>(weights.weights[i]) * row[node];
        }
        sum += relativeNorm(values, fieldAt(of, x));
    }
    return sum / static_cast<double>(grid->points() - first);
}

/// Root mean square at random places.
double trueError(const std::filesystem::path &path, FieldIndex field, Function of)
{
    StudyFields fields(Study::open(path), omp());
    const auto &space = fields.study().description().space;
    Random random(9);
    double sum = 0;
    for (int i = 0; i < 50; ++i) {
        std::vector<double> x;
        for (std::size_t t = 0; t < space.parameters().size(); ++t)
            x.push_back(random.real());
        std::vector<float> values(nodes);
        fields.evaluate(field, space.fromUnit(x), {values, {}});
        const double error = relativeNorm(values, fieldAt(of, x));
        sum += error * error;
    }
    return std::sqrt(sum / 50);
}

} // namespace

class SurrogateChoiceTest : public QObject
{
    Q_OBJECT

private slots:
    void errorsAreThoseOfTheCoarserGrid_data()
    {
        QTest::addColumn<int>("treatment");
        QTest::addColumn<bool>("hasTime");
        using enum sparse::BoundaryTreatment;
        for (const auto treatment : {modified, boundary, clenshawCurtis}) {
            const auto name = std::string(sparse::toString(treatment));
            QTest::addRow("%s", name.c_str()) << static_cast<int>(treatment) << false;
            QTest::addRow("%s and time", name.c_str()) << static_cast<int>(treatment) << true;
        }
    }

    void errorsAreThoseOfTheCoarserGrid()
    {
        QFETCH(int, treatment);
        QFETCH(bool, hasTime);
        const Folder folder;
        auto writer = makeChoice(
            folder / "s", describe(static_cast<sparse::BoundaryTreatment>(treatment), 3, hasTime),
            {{"u", plume}});
        compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
        const auto figures = compareSurrogates(writer, 0, onCpu(1));
        const auto degrees = writer.description().space.degrees();
        const double sparseGrid = literalSparseGrid(writer, plume, degrees);
        QVERIFY(sparseGrid > 1e-3);
        QVERIFY(isNear(meanOf(figures, ErrorKind::sparseGridCompared), sparseGrid));
        if (!hasTime)
            QVERIFY(
                isNear(meanOf(figures, ErrorKind::krigingCompared), literalKriging(writer, plume)));
        QCOMPARE(std::ranges::count(figures, ErrorKind::krigingCompared, &ErrorFigure::kind),
                 std::ranges::count(figures, ErrorKind::sparseGridCompared, &ErrorFigure::kind));
        const auto again = compareSurrogates(writer, 0, onCpu(3));
        QVERIFY(std::ranges::equal(figures, again, {}, &ErrorFigure::relativeL2,
                                   &ErrorFigure::relativeL2));
        const auto ofDegrees = compareDegrees(writer, 0, onCpu(2));
        if (degreesOf(writer.description().space, 3) == degrees)
            QVERIFY(ofDegrees.empty());
        for (int degree = 1; degree <= 3 && !ofDegrees.empty(); ++degree)
            QVERIFY(isNear(
                meanOf(ofDegrees, degreesCompared[static_cast<std::size_t>(degree - 1)]),
                literalSparseGrid(writer, plume, degreesOf(writer.description().space, degree))));
    }

    void eachFieldGetsTheBetterOne()
    {
        const Folder folder;
        const Functions functions{{"kinked", kinked}, {"plume", plume}};
        auto writer = makeChoice(folder / "s",
                                 describe(sparse::BoundaryTreatment::clenshawCurtis, 4), functions);
        const auto report = chooseFor(writer);
        QCOMPARE(report.chosen, std::size_t{2});
        QCOMPARE(report.kriging.fields, std::size_t{1});
        QVERIFY(!writer.kriging(0) && writer.kriging(1));
        QVERIFY(!writer.errorFigures().empty());
        QVERIFY(std::ranges::none_of(writer.errorFigures(), isComparison, &ErrorFigure::kind));
        QVERIFY(choiceText(writer, 0).find("chosen: ") == 0);
        QVERIFY(choiceText(writer, 1).find("% of the sparse grid") != std::string::npos);
        writer.close();
        QCOMPARE(problemsOf(folder / "s"), std::string());
        const double grid = trueError(folder / "s", 0, kinked);
        const double kriging = trueError(folder / "s", 1, plume);
        auto other = StudyWriter::open(folder / "s");
        compressStep(other, surrogateStep(SurrogateKind::kriging, {"kinked"}), {});
        compressStep(other, surrogateStep(SurrogateKind::sparseGrid, {"plume"}), {});
        other.close();
        QVERIFY(grid < trueError(folder / "s", 0, kinked));
        QVERIFY(kriging < trueError(folder / "s", 1, plume));
    }

    void holdOutsTakeBackWhatTheyContradict_data()
    {
        QTest::addColumn<bool>("isKriging"); // by the runs
        QTest::addRow("kriging") << true;
        QTest::addRow("sparse grid") << false;
    }

    /// They are what the kind that loses at the finest runs says, with an error of its own.
    void holdOutsTakeBackWhatTheyContradict()
    {
        QFETCH(bool, isKriging);
        using enum sparse::BoundaryTreatment;
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(isKriging ? modified : clenshawCurtis, 4),
                                 {{"u", isKriging ? plume : kinked}});
        const auto by = [&](bool kriging) {
            compressStep(
                writer, surrogateStep(kriging ? SurrogateKind::kriging : SurrogateKind::sparseGrid),
                {});
        };
        chooseFor(writer); // with the degree
        QCOMPARE(writer.hasKriging(0), isKriging);
        by(!isKriging);
        for (const double a : {0.01, 0.62, 0.99}) {
            const std::vector place{a, 0.02}; // at the ends, where the two part
            std::vector<float> values(nodes);
            {
                const FieldAnywhere loser(writer, 0, onCpu(1));
                loser.evaluate(place, {values, {}});
            }
            values.front() *= 1.0001F;
            writer.putHoldOut(writer.addHoldOut(place), 0, values);
        }
        std::array<double, 2> heldOut{};
        for (const bool kriging : {false, true}) {
            by(kriging);
            heldOut[kriging] = meanOf(writer.errorFigures(), ErrorKind::heldOut);
        }
        QCOMPARE(chooseFor(writer).chosen, std::size_t{1});
        const auto choice = choiceOf(writer, 0);
        QVERIFY(choice->isTakenBack);
        QCOMPARE(choice->isKriging, !isKriging);
        QCOMPARE(writer.hasKriging(0), !isKriging);
        QCOMPARE(choice->holdOuts, std::size_t{3});
        QVERIFY(isNear(*choice->sparseGridHeldOut, heldOut[0]));
        QVERIFY(isNear(*choice->krigingHeldOut, heldOut[1]));
        QVERIFY(isNear(meanOf(writer.errorFigures(), ErrorKind::heldOut),
                       heldOut[!isKriging])); // measured anew
        const auto text = choiceText(writer, 0);
        QVERIFY2(text.find("taken all the same") != std::string::npos, text.c_str());
        QCOMPARE(compressStep(writer, {}, {}).chosen, std::size_t{0}); // nothing new
        by(isKriging); // by hand it is what was said
        QVERIFY(!choiceOf(writer, 0));
        QCOMPARE(writer.hasKriging(0), isKriging);
        QVERIFY(std::ranges::none_of(writer.comparisons(), [](const ErrorFigure &figure) {
            return figure.kind == ErrorKind::sparseGridHeldOut
                   || figure.kind == ErrorKind::krigingHeldOut;
        }));
        writer.close();
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }

    /// Hold-outs that come later are asked once.
    void whatComesLaterIsAskedOnce()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 4),
                                 {{"u", plume}});
        chooseFor(writer);
        writer.putHoldOut(writer.addHoldOut(std::vector{0.31, 0.7}), 0,
                          std::vector<float>(nodes, 7.0F));
        QCOMPARE(compressStep(writer, {}, {}).chosen, std::size_t{1});
        QCOMPARE(choiceOf(writer, 0)->holdOuts, std::size_t{1});
        QVERIFY(!choiceOf(writer, 0)->isTakenBack); // the other one is no better
        QCOMPARE(compressStep(writer, {}, {}).chosen, std::size_t{0});
    }

    void whatFewBitsAddIsNoContradiction_data()
    {
        QTest::addColumn<bool>("isKriging");
        QTest::addColumn<double>("cut"); // 0: in few bits
        for (const bool isKriging : {false, true}) {
            QTest::addRow("%s in few bits", isKriging ? "kriging" : "grid") << isKriging << 0.0;
            QTest::addRow("%s, much cut", isKriging ? "kriging" : "grid") << isKriging << 1e-2;
        }
    }

    /// Nor is it compared: what is exact is chosen, and nothing is made again where nothing is new.
    void whatFewBitsAddIsNoContradiction()
    {
        QFETCH(bool, isKriging);
        QFETCH(double, cut);
        using enum sparse::BoundaryTreatment;
        const auto function = isKriging ? plume : kinked;
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(isKriging ? modified : clenshawCurtis, 4),
                                 {{"u", function}});
        for (const double a : {0.31, 0.62, 0.57})
            writer.putHoldOut(writer.addHoldOut(std::vector{a, 0.9}), 0,
                              fieldAt(function, std::vector{a, 0.45}));
        chooseFor(writer);
        QCOMPARE(writer.hasKriging(0), isKriging);
        const auto before = *choiceOf(writer, 0);
        CompressStep step;
        if (cut > 0)
            step.modes = ModesStep{cut};
        else
            step.error = AddedErrorStep{0.05, false};
        compressStep(writer, step, {});
        for (int time = 0; time < 2; ++time) {
            const auto report = compressStep(writer, {}, {});
            QCOMPARE(report.chosen, std::size_t{0});
            QCOMPARE(report.kriging.fields + report.modes.fields, std::size_t{0});
        }
        QVERIFY(choiceText(writer, 0).find("BUT") == std::string::npos);
        if (cut > 0)
            return; // kriging of so few modes is another one
        QCOMPARE(writer.hasKriging(0), isKriging);
        // By hand it is chosen again, of what is exact.
        chooseFor(writer);
        const auto after = *choiceOf(writer, 0);
        QVERIFY(isNear(after.own(), before.own()) && isNear(after.other(), before.other()));
        const auto set = writer.modeSet(0);
        QVERIFY((set && set->quantised) || writer.quantisedCoefficients(0)
                || writer.wantedMeans(0)->staysFloat);
    }

    /// Between the grid's points the field is another one.
    void holdOutsDoNotChooseButDoubt()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 4),
                                 {{"u", plume}});
        chooseFor(writer);
        const auto comparisons = [&] {
            auto figures = writer.comparisons();
            std::erase_if(figures, [](const ErrorFigure &figure) {
                return figure.kind >= ErrorKind::sparseGridHeldOut;
            });
            return figures;
        };
        const auto before = comparisons();
        const bool wasKriged = writer.kriging(0) != nullptr;
        QVERIFY(choiceText(writer, 0).find("BUT") == std::string::npos);
        for (const double a : {0.31, 0.62, 0.93}) {
            const auto id = writer.addHoldOut(std::vector{a, 0.7});
            writer.putHoldOut(id, 0, std::vector<float>(nodes, 7.0F));
        }
        chooseFor(writer);
        QVERIFY(choiceText(writer, 0).find("BUT") != std::string::npos);
        QCOMPARE(writer.kriging(0) != nullptr, wasKriged);
        QVERIFY(choiceText(writer, 0).find("% off at 3 validation points in the mean, where")
                != std::string::npos);
        QVERIFY(std::ranges::equal(comparisons(), before, {}, &ErrorFigure::relativeL2,
                                   &ErrorFigure::relativeL2));
    }

    void theDegreeFollowsTheField()
    {
        const Folder folder;
        const auto description = describe(sparse::BoundaryTreatment::boundary, 4);
        auto smooth = makeChoice(folder / "smooth", description, {{"u", plume}});
        chooseFor(smooth);
        QCOMPARE(smooth.description().space.degrees(), (std::vector{3, 3}));
        auto rough = makeChoice(folder / "rough", description, {{"u", kinked}});
        chooseFor(rough);
        QCOMPARE(rough.description().space.degrees(), (std::vector{1, 1}));
        QVERIFY(choiceOf(rough, 0)->degrees[2] > choiceOf(rough, 0)->degrees[0]);
        QVERIFY(choiceText(rough, 0).find("degree 1 by") != std::string::npos);
        // By hand it is what was said.
        chooseFor(smooth, {}, {2});
        QCOMPARE(smooth.description().space.degrees(), (std::vector{2, 2}));
        QVERIFY(!choiceOf(smooth, 0)->degrees[0]);
    }

    void whatWasChosenByHandStays()
    {
        const Folder folder;
        const Functions functions{{"kinked", kinked}, {"plume", plume}};
        auto writer =
            makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 3), functions);
        chooseFor(writer);
        compressStep(writer, surrogateStep(SurrogateKind::sparseGrid, {"plume"}), {});
        QVERIFY(!writer.kriging(1) && !choiceOf(writer, 1));
        QVERIFY(choiceOf(writer, 0).has_value());
        writer.growGrid(4, std::vector{4, 4});
        QVERIFY(choiceText(writer, 0).find("again") != std::string::npos);
        runWaiting(writer, functions);
        const auto report = compressStep(writer, {}, {});
        QCOMPARE(report.chosen, std::size_t{1}); // the other one, of more runs
        QCOMPARE(choiceOf(writer, 0)->gridPoints, writer.grid()->points());
        QVERIFY(!writer.kriging(1));
        QCOMPARE(compressStep(writer, {}, {}).chosen, std::size_t{0}); // nothing new
        chooseFor(writer);
        QVERIFY(writer.kriging(1) && choiceOf(writer, 1));
        writer.close();
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }

    void missingPointsAreForKriging()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 4),
                                 {{"u", kinked}}, 5);
        chooseFor(writer);
        QVERIFY(writer.kriging(0));
        QVERIFY(choiceOf(writer, 0)->missingPoints > 0);
        QVERIFY(std::isinf(choiceOf(writer, 0)->sparseGrid));
        QVERIFY(choiceText(writer, 0).find("no obstacle") != std::string::npos);
        runWaiting(writer, {{"u", kinked}});
        compressStep(writer, {}, {});
        QVERIFY(!writer.kriging(0)); // now they can be compared
        QCOMPARE(choiceOf(writer, 0)->missingPoints, std::uint64_t{0});
    }

    void tooFewRunsAreForTheSparseGrid()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 1),
                                 {{"u", plume}});
        chooseFor(writer);
        QVERIFY(!writer.kriging(0));
        QVERIFY(std::isinf(*choiceOf(writer, 0)->kriging));
        QVERIFY(choiceText(writer, 0).find("more runs") != std::string::npos);
        // And kriging where the finest runs are nearly all.
        writer.growGrid(2, std::vector{2, 2});
        runWaiting(writer, {{"u", plume}});
        compressStep(writer, {}, {});
        QVERIFY(writer.kriging(0) && !choiceOf(writer, 0)->kriging);
    }

    void stoppedTheStudyIsAsBefore()
    {
        const Folder folder;
        auto writer = makeChoice(folder / "s", describe(sparse::BoundaryTreatment::modified, 3),
                                 {{"u", plume}});
        compressStep(writer, {}, {});
        const auto before = writer.errorFigures().size();
        QVERIFY(stoppedInModes(writer, surrogateStep(SurrogateKind::chosen)).cancelled);
        QVERIFY(!writer.kriging(0) && !choiceOf(writer, 0));
        QCOMPARE(writer.errorFigures().size(), before);
        writer.close();
        QCOMPARE(problemsOf(folder / "s"), std::string());
    }

    void whereThereIsNothingToChooseItIsSaid()
    {
        const Folder folder;
        Parameter a{"a", "", 0, 1}, x{"x", "m", 0, 2};
        x.kind = ParameterKind::spatial;
        auto scalar = StudyWriter::create(
            folder / "s", {"scalar", StudyKind::scalar, ParameterSpace({a, x}), 3, ""});
        scalar.addField(smallField("u", 1));
        runAllJobs(scalar);
        GRIDHELM_EXPECT_ERROR(chooseFor(scalar));
        auto writer = makeChoice(folder / "t", describe(sparse::BoundaryTreatment::modified, 2),
                                 {{"u", plume}});
        GRIDHELM_EXPECT_ERROR(chooseFor(writer, {"none"}));
    }
};

GRIDHELM_TEST(SurrogateChoiceTest)
#include "tst_surrogate_choice.moc"
