// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs at scattered places say by themselves how far off their kriging may be: of new random places
// about nine in ten are inside. GRIDHELM_DRAWS says how many designs are drawn.
#include "data/campaign/campaign_text.h"
#include "data/evaluate/cross_validation.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/study_fields.h"
#include "tests/data/kriging_studies.h"
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <array>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

double front(std::span<const double> x)
{
    return std::tanh(8 * (x[0] + 0.3 * x[1] - 0.6)) + 2;
}

double peak(std::span<const double> x)
{
    return 1 / (0.1 + (x[0] - 0.3) * (x[0] - 0.3) + 0.5 * (x[1] - 0.7) * (x[1] - 0.7));
}

const std::vector<Response> responses{wave, front, peak};

void makeStudyOf(const Folder &folder, std::size_t runs, std::uint64_t seed)
{
    std::filesystem::remove(folder / "s");
    writeText(folder / "t.csv", tableOf(runs, responses, seed));
    auto step = stepOf(folder);
    step.columns.parameters = {"a", "b"};
    scatteredStep(step, {});
}

/// How many of the places are inside of the field's band.
int insideOf(StudyFields &fields, FieldIndex field, const ErrorBand &band, int places,
             Random &random)
{
    int inside = 0;
    std::vector<float> value(1), indicator(1);
    const auto &space = fields.study().description().space;
    for (int i = 0; i < places; ++i) {
        // In the ranges of the table, which are not quite those of the hypercube.
        const auto at = space.fromUnit(std::vector{random.real(0, 1), random.real(0, 1)});
        const std::array x{(at[0] - 100) / 200, (at[1] + 1) / 2};
        fields.evaluate(field, at, {value, indicator});
        const double error = std::abs(static_cast<double>(value[0]) - responses[field](x));
        inside += error <= band.radius(static_cast<double>(indicator[0])) ? 1 : 0;
    }
    return inside;
}

} // namespace

class CrossValidationTest : public QObject
{
    Q_OBJECT

private slots:
    void aboutNineInTenPlacesAreInside();
    void holdOutsComeFirst();
    void fewRunsHaveNone();
};

void CrossValidationTest::aboutNineInTenPlacesAreInside()
{
    bool isGiven = false;
    const int given = qEnvironmentVariableIntValue("GRIDHELM_DRAWS", &isGiven);
    const int draws = isGiven ? given : 5;
    constexpr int places = 100;
    const Folder folder;
    Random random(3);
    std::array<int, 3> inside{};
    for (int draw = 0; draw < draws; ++draw) {
        makeStudyOf(folder, 40, static_cast<std::uint64_t>(100 + draw));
        StudyFields fields(Study::open(folder / "s"), omp());
        for (FieldIndex field = 0; field < responses.size(); ++field) {
            const auto band = bandOf(fields.study(), field);
            QVERIFY(band);
            QVERIFY(band->band.isCrossValidated());
            QCOMPARE(band->band.coverage, 0.9);
            inside[field] += insideOf(fields, field, band->band, places, random);
        }
    }
    const auto share = [&](int count) { return count / double(draws * places); };
    qInfo("inside, of %d designs: %.3f, %.3f, %.3f", draws, share(inside[0]), share(inside[1]),
          share(inside[2]));
    const double all = (share(inside[0]) + share(inside[1]) + share(inside[2])) / 3;
    QVERIFY2(all > 0.82 && all < 0.98, qPrintable(QString::number(all)));
    const auto study = Study::open(folder / "s");
    const auto text = bandSentence(*bandOf(study, 0), "r0");
    QVERIFY2(text.starts_with("r0: error bounds hold for 90 % of ")
                 && text.find(" % in the median (cross-validated: ") != std::string::npos,
             text.c_str());
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void CrossValidationTest::holdOutsComeFirst()
{
    const Folder folder;
    makeStudyOf(folder, 30, 5);
    auto writer = StudyWriter::open(folder / "s");
    for (const double u : {0.21, 0.43, 0.78}) {
        const std::array x{u, 1 - u * u};
        const auto id = writer.addHoldOut(std::vector{100 + 200 * x[0], 2 * x[1] - 1});
        for (FieldIndex field = 0; field < responses.size(); ++field)
            writer.putHoldOut(id, field, std::vector{static_cast<float>(responses[field](x))});
    }
    storeErrors(writer, onCpu());
    QCOMPARE(bandOf(writer, 1)->band.holdOuts, std::size_t{3});
    // Without them it is the runs again, and the same.
    const auto again = [&] {
        writer.setMissingHoldOuts({});
        storeErrors(writer, onCpu());
        return *bandOf(writer, 1);
    };
    writer.takeHoldOutsAsTrainingRuns();
    storeErrors(writer, onCpu());
    const auto first = again();
    QVERIFY(first.band.isCrossValidated());
    QVERIFY(first == again());
}

void CrossValidationTest::fewRunsHaveNone()
{
    const Folder folder;
    makeStudyOf(folder, leastCrossValidated - 1, 5);
    QVERIFY(!bandOf(Study::open(folder / "s"), 0));
    makeStudyOf(folder, leastCrossValidated, 5);
    QVERIFY(bandOf(Study::open(folder / "s"), 0));
}

GRIDHELM_TEST(CrossValidationTest)

#include "tst_cross_validation.moc"
