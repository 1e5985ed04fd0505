// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bands of fields are calibrated at hold-outs inside of the ranges, and stay with the study: of new
// random places, the claimed share is inside.
#include "core/support/error.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/indicator_share.h"
#include "tests/core/on_cpu.h"
#include "tests/data/study_cases.h"
#include "tests/data/study_forger.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

using Values = std::vector<double>;

ParameterSpace plane()
{
    return ParameterSpace(
        {Parameter{"a", "", 0, 2}, Parameter{"b", "", 1, 100, ParameterScale::logarithmic}});
}

/// All jobs done, and compressed.
StudyWriter compressedStudy(const std::filesystem::path &path, int level,
                            const ParameterSpace &space = plane())
{
    auto writer = StudyWriter::create(path, {"plane", StudyKind::vector, space, level, ""});
    writer.addField(smallField("u", 40));
    runAllJobs(writer);
    compress(writer, {});
    return writer;
}

void addHoldOutAt(StudyWriter &writer, const Values &parameters)
{
    const auto id = writer.addHoldOut(parameters);
    writer.putHoldOut(id, 0, snapshotAt(writer.description().space.toUnit(parameters), writer, 0));
}

void addRandomHoldOuts(StudyWriter &writer, std::size_t count, Random &random)
{
    const auto &space = writer.description().space;
    for (std::size_t i = 0; i < count; ++i) {
        Values x(space.parameters().size());
        for (double &coordinate : x)
            coordinate = random.real(0, 1);
        addHoldOutAt(writer, space.fromUnit(x));
    }
}

/// Share of random places whose true error is within the band.
double coverageOf(const StudyWriter &writer, const FieldBand &band, int places, Random &random)
{
    const FieldAnywhere surrogate(writer, 0, onCpu());
    std::vector<float> values(surrogate.values()), indicator(values.size());
    int inside = 0;
    for (int i = 0; i < places; ++i) {
        const Values x{random.real(0, 1), random.real(0, 1)};
        const auto exact = snapshotAt(x, writer, 0);
        surrogate.evaluate(writer.description().space.fromUnit(x), {values, indicator});
        const double radius = band.band.radius(rootMeanSquare(indicator));
        std::ranges::transform(values, exact, values.begin(), std::minus<>{});
        inside += rootMeanSquare(values) <= radius ? 1 : 0;
    }
    return inside / double(places);
}

} // namespace

class ErrorBandsTest : public QObject
{
    Q_OBJECT

private slots:
    void randomPlacesAreInsideAsOftenAsClaimed();
    void cornersAndFacesCountApart();
    void aRunCountsOnceWhateverItsTimes();
    void bandsGoWithTheGridTheyWereMeasuredOn();
    void withoutHoldOutsThereIsNone();
    void scalarStudiesHaveThemToo();
    void normsCountWhereTheBodyIs();
    void sentencesSayForHowManyPlaces();
    void damagedBandsAreRefused_data();
    void damagedBandsAreRefused();
};

void ErrorBandsTest::randomPlacesAreInsideAsOftenAsClaimed()
{
    const Folder folder;
    Random random(3);
    double covered = 0, typical = 0;
    const int draws = qEnvironmentVariableIsSet("GRIDHELM_LONG_TESTS") ? 100 : 12;
    constexpr int places = 200;
    for (int draw = 0; draw < draws; ++draw) {
        const auto path = folder / ("s" + std::to_string(draw));
        auto writer = compressedStudy(path, 4);
        addRandomHoldOuts(writer, 19, random);
        QVERIFY(storeErrors(writer, onCpu()));
        const auto band = bandOf(writer, 0);
        QVERIFY(band);
        QCOMPARE(band->band.coverage, 0.95);
        QCOMPARE(band->band.holdOuts, std::size_t{19});
        covered += coverageOf(writer, *band, places, random) / draws;
        typical += band->typical / draws;
    }
    qInfo("%d draws: %.4f of the places are inside, claimed are 0.95", draws, covered);
    const double tolerance = draws < 50 ? 0.04 : 0.02; // three standard deviations of the average
    QVERIFY2(std::abs(covered - 0.95) < tolerance, qPrintable(QString::number(covered)));
    QVERIFY2(typical > 0 && typical < 0.1, qPrintable(QString::number(typical)));
}

void ErrorBandsTest::cornersAndFacesCountApart()
{
    const Folder folder;
    Random random(4);
    auto writer = compressedStudy(folder / "s", 3);
    addRandomHoldOuts(writer, 9, random);
    QVERIFY(storeErrors(writer, onCpu()));
    const auto before = *bandOf(writer, 0);
    QCOMPARE(before.edges, std::size_t{0});
    QCOMPARE(before.band.coverage, 0.9);
    addHoldOutAt(writer, {0, 100}); // a corner, where the surrogate is far off
    addHoldOutAt(writer, {1.2345, 1});
    QVERIFY(storeErrors(writer, onCpu()));
    const auto band = *bandOf(writer, 0);
    QVERIFY(band.band == before.band);
    QCOMPARE(band.edges, std::size_t{2});
    double worst = 0;
    for (const auto &figure : writer.errorFigures())
        if (figure.kind == ErrorKind::heldOut && figure.parameters[1] != 0
            && (figure.parameters[0] == 0 || figure.parameters[1] == 1))
            worst = std::max(worst, figure.relativeL2);
    QVERIFY(worst > 0);
    QCOMPARE(band.worstEdge, worst);
}

void ErrorBandsTest::aRunCountsOnceWhateverItsTimes()
{
    const Folder folder;
    Parameter time{"t", "s", 0, 5};
    time.kind = ParameterKind::timeLike;
    auto writer =
        compressedStudy(folder / "s", 3, ParameterSpace({Parameter{"a", "", 0, 2}, time}));
    for (double a : {0.3, 0.77, 1.3}) {
        for (double t : {0.4, 2.2, 4.1})
            addHoldOutAt(writer, {a, t});
    }
    QVERIFY(storeErrors(writer, onCpu()));
    QCOMPARE(bandOf(writer, 0)->band.holdOuts, std::size_t{3});
    QCOMPARE(bandOf(writer, 0)->band.coverage, 0.75);
}

void ErrorBandsTest::bandsGoWithTheGridTheyWereMeasuredOn()
{
    const Folder folder;
    Random random(5);
    auto writer = compressedStudy(folder / "s", 3);
    addRandomHoldOuts(writer, 19, random);
    QVERIFY(storeErrors(writer, onCpu()));
    const auto coarse = *bandOf(writer, 0);
    writer.growGrid(5, std::vector{5, 5});
    QVERIFY(!bandOf(writer, 0));
    runAllJobs(writer);
    compress(writer, {});
    QVERIFY(storeErrors(writer, onCpu()));
    const auto fine = *bandOf(writer, 0);
    QVERIFY(fine.nodes && fine.nodes->coverage >= 0.95 && fine.nodes->holdOuts == 19);
    QVERIFY2(3 * fine.typical < coarse.typical,
             qPrintable(QString("%1 after %2").arg(fine.typical).arg(coarse.typical)));
    writer.close();
    const auto study = Study::open(folder / "s");
    QVERIFY(*bandOf(study, 0) == fine);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void ErrorBandsTest::withoutHoldOutsThereIsNone()
{
    const Folder folder;
    auto writer = compressedStudy(folder / "s", 3);
    QVERIFY(storeErrors(writer, onCpu()));
    QVERIFY(writer.errorBands().empty());
    addHoldOutAt(writer, {0, 1}); // only a corner
    QVERIFY(storeErrors(writer, onCpu()));
    QVERIFY(!bandOf(writer, 0));
}

void ErrorBandsTest::scalarStudiesHaveThemToo()
{
    Parameter x{"px", "m", 0, 2}, a{"a", "", 1, 100, ParameterScale::logarithmic};
    x.kind = ParameterKind::spatial;
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s",
                                      {"scalar", StudyKind::scalar, ParameterSpace({x, a}), 5, ""});
    writer.addField(smallField("u", 1));
    runAllJobs(writer);
    compress(writer, {});
    for (const auto &parameters : holdOutParameters(writer, 12, 1))
        addHoldOutAt(writer, parameters);
    QVERIFY(storeErrors(writer, onCpu()));
    const auto band = bandOf(writer, 0);
    QVERIFY(band);
    QCOMPARE(band->band.holdOuts, std::size_t{10}); // two of the twelve runs are at the ends
    QCOMPARE(band->edges, std::size_t{2});
    QVERIFY(band->typical > 0 && band->typical < 0.2);
}

void ErrorBandsTest::normsCountWhereTheBodyIs()
{
    const std::vector<float> values{3, 4, 100, 100}, distance{0.5F, -0.1F};
    QCOMPARE(rootMeanSquare(values, distance), 2.5); // of four values, two are outside
    QCOMPARE(rootMeanSquare(std::span(values).first(2), {}), std::sqrt(12.5));
    QCOMPARE(rootMeanSquare({}), 0.0);
}

void ErrorBandsTest::sentencesSayForHowManyPlaces()
{
    const ErrorBand band{2, 0.1, 0.95, 19};
    QCOMPARE(bandText(band, relativeBand(band, 0.2, 100)), std::string("95 % error bound 0.5 %"));
    QCOMPARE(coverageText({1, 0, 0.9, 9}), std::string("90 %"));
    QCOMPARE(coverageText({1, 0, 0.75, 3}), std::string("75 %"));
    QVERIFY(std::isinf(relativeBand(band, 0, 0)));
    QCOMPARE(relativeBand({0, 0, 0.5, 1}, 0, 0), 0.0);
}

void ErrorBandsTest::damagedBandsAreRefused_data()
{
    QTest::addColumn<QString>("change");
    for (const auto *change : {"factor = -1", "offset = -1", "coverage = 1", "coverage = 0",
                               "hold_outs = 0", "edges = -1", "worst_edge = -1", "typical = -1"})
        QTest::newRow(change) << QString("UPDATE error_bands SET ") + change;
    for (const auto *change :
         {"factor = -1", "offset = -1", "share = 0", "share = 1.1", "hold_outs = 0"})
        QTest::addRow("nodes, %s", change) << QString("UPDATE node_bands SET ") + change;
}

void ErrorBandsTest::damagedBandsAreRefused()
{
    QFETCH(QString, change);
    const Folder folder;
    Random random(6);
    {
        auto writer = compressedStudy(folder / "s", 2);
        addRandomHoldOuts(writer, 3, random);
        QVERIFY(storeErrors(writer, onCpu()));
        writer.close();
    }
    {
        Forger forger(folder / "s");
        forger.execute(change.toStdString());
    }
    QVERIFY(!problemsOf(folder / "s").empty());
    {
        Forger forger(folder / "s");
        forger.correctChecksums(); // by somebody who means it
    }
    const auto study = Study::open(folder / "s");
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(study.errorBands()), Error);
}

GRIDHELM_TEST(ErrorBandsTest)
#include "tst_error_bands.moc"
