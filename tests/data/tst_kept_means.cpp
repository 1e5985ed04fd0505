// SPDX-License-Identifier: GPL-3.0-or-later
//
// What fields are evaluated by is theirs for as long as nobody says otherwise: it outlives new
// runs, refining, and whoever stops that.
#include "data/campaign/campaign_steps.h"
#include "data/campaign/refine_step.h"
#include "data/compress/compress_modes.h"
#include "data/compress/quantise_modes.h"
#include "data/compress/quantise_rows.h"
#include "data/evaluate/field_surrogate.h"
#include "tests/data/modes_cases.h"
#include "tests/data/refine_cases.h"
#include "tests/data/unlike_studies.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <stop_token>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

/// What a field's modes, or rows, may add; 0: they are exact.
double allowedOf(const Study &study, FieldIndex field)
{
    if (const auto rows = study.quantisedCoefficients(field))
        return rows->bits.allowed;
    const auto set = study.modeSet(field);
    return set && set->quantised ? set->quantised->allowed : 0;
}

/// Of its surrogate with exact coefficients.
double leaveOneOutError(const Study &study, FieldIndex field)
{
    double squares = 0;
    std::size_t count = 0;
    for (const auto &figure : study.errorFigures())
        if (figure.kind == ErrorKind::leaveOneOut && figure.field == field) {
            squares += figure.relativeL2 * figure.relativeL2;
            ++count;
        }
    return std::sqrt(squares / static_cast<double>(std::max<std::size_t>(count, 1)));
}

CompressStepReport compressed(StudyWriter &writer, const AddedErrorStep &error)
{
    CompressStep step;
    step.error = error;
    return compressStep(writer, step, control());
}

constexpr AddedErrorStep half{0, true};

bool isNear(double value, double expected)
{
    return std::abs(value - expected) < 0.2 * expected;
}

/// Stopped when the runs of the second batch begin.
RefineReport stoppedInTheSecondBatch(StudyWriter &writer, const RefineStep &step)
{
    std::stop_source stop;
    auto how = control();
    how.stop = stop.get_token();
    int batches = 0;
    how.runner = [&] {
        batches += waitingJobs(writer) > 0 ? 1 : 0;
        if (batches == 2)
            stop.request_stop();
        RunnerOptions options;
        options.workFolder = workFolderOf(writer.path());
        return makeJobRunner(planOf(writer), options);
    };
    return refine(writer, step, how);
}

} // namespace

class KeptMeansTest : public QObject
{
    Q_OBJECT

private slots:
    void whoStopsARefinementLosesNothing_data();
    void whoStopsARefinementLosesNothing();
    void refiningKeepsEachFieldsError();
    void refiningKeepsModesBesideFewBits();
    void halfIsHalfOfTheErrorNow();
    void halfIsHalfOfTheErrorAfterRefining();
    void anErrorIsReachedWithHalfOfIt();
    void halfIsTakenOnceItIsKnown();
    void exactOnesHaveTheirOwnErrors();
    void halfIsNoMoreWhereTheFieldIsSmall();
    void whatStaysExactIsTriedAgainWithNewRuns();
};

void KeptMeansTest::whoStopsARefinementLosesNothing_data()
{
    QTest::addColumn<QString>("what");
    for (const char *what : {"error", "half", "modes", "kriging"})
        QTest::newRow(what) << what;
}

void KeptMeansTest::whoStopsARefinementLosesNothing()
{
    QFETCH(QString, what);
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(8));
    CompressStep step;
    if (what == "error" || what == "half")
        step.error = what == "half" ? half : AddedErrorStep{1e-3, false};
    else if (what == "modes")
        step.modes = ModesStep{1e-6};
    else
        step.surrogate = SurrogateStep{SurrogateKind::kriging, {}};
    compressStep(writer, step, control());
    QCOMPARE(stoppedInTheSecondBatch(writer, forRuns(6)).end, RefineEnd::cancelled);
    QVERIFY(writer.wantedMeans(0));
    writer.close();
    writer = StudyWriter::open(folder / "s");
    compressStep(writer, {}, control());
    for (FieldIndex field = 0; field < writer.fields().size(); ++field) {
        QCOMPARE(allowedOf(writer, field) > 0, step.error.has_value());
        QCOMPARE(writer.hasKriging(field), what == "kriging");
        if (what == "modes")
            QCOMPARE(writer.modeSet(field)->cut, 1e-6);
    }
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void KeptMeansTest::refiningKeepsEachFieldsError()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(8));
    compressed(writer, half);
    const double first = allowedOf(writer, 0), second = allowedOf(writer, 1);
    QVERIFY(first > 0 && second > 0);
    QVERIFY(std::max(first, second) > 1.5 * std::min(first, second));
    refine(writer, forRuns(3));
    const std::vector kept{allowedOf(writer, 0), allowedOf(writer, 1)};
    compressed(writer, half); // as if it were asked for now
    for (FieldIndex field = 0; field < 2; ++field) {
        QVERIFY(isNear(kept[field], allowedOf(writer, field)));
        QVERIFY(kept[field] <= leaveOneOutError(writer, field) / 2);
    }
}

void KeptMeansTest::refiningKeepsModesBesideFewBits()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(8));
    ModesOptions exact;
    exact.cut = cutForError(1e-3);
    storeModes(writer, 0, exact);
    QuantiseOptions bits;
    bits.allowed = 1e-3;
    QVERIFY(quantiseModes(writer, 0, bits).isQuantised);
    exact.cut = 1e-6;
    storeModes(writer, 1, exact);
    refine(writer, forRuns(3));
    QCOMPARE(allowedOf(writer, 0), 1e-3);
    QVERIFY(writer.modeSet(1) && !writer.modeSet(1)->quantised);
    QCOMPARE(writer.modeSet(1)->cut, 1e-6);
}

void KeptMeansTest::halfIsHalfOfTheErrorNow()
{
    const Folder folder;
    makeStudy(folder / "s", 2);
    auto writer = StudyWriter::open(folder / "s");
    compressed(writer, half);
    const double before = allowedOf(writer, 0);
    QVERIFY(isNear(before, leaveOneOutError(writer, 0) / 2));
    const auto modes = writer.modeSet(0);
    QCOMPARE(compressStep(writer, {}, {}).forms.size(), std::size_t{0}); // it is made
    QVERIFY(writer.modeSet(0) == modes);
    writer.close();
    growTo(folder / "s", 4);
    writer = StudyWriter::open(folder / "s");
    runAllJobs(writer);
    compressStep(writer, {}, {});
    QVERIFY(allowedOf(writer, 0) < before / 2);
    QVERIFY(isNear(allowedOf(writer, 0), leaveOneOutError(writer, 0) / 2));
    // A number takes its place, and is kept.
    compressed(writer, {0.01, false});
    writer.close();
    growTo(folder / "s", 5);
    writer = StudyWriter::open(folder / "s");
    runAllJobs(writer);
    compressStep(writer, {}, {});
    QCOMPARE(allowedOf(writer, 0), 0.01);
}

void KeptMeansTest::halfIsHalfOfTheErrorAfterRefining()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(4));
    compressed(writer, half);
    const double before = allowedOf(writer, 0);
    QVERIFY(before > 0);
    refine(writer, forRuns(16));
    QVERIFY(allowedOf(writer, 0) < before / 2);
    QVERIFY(isNear(allowedOf(writer, 0), leaveOneOutError(writer, 0) / 2));
}

void KeptMeansTest::anErrorIsReachedWithHalfOfIt()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(4));
    compressed(writer, half);
    const double before = allowedOf(writer, 0);
    auto step = forRuns(60);
    step.until = before; // what few bits alone would add
    step.holdOuts = 6;
    const auto report = refine(writer, step);
    QVERIFY2(report.end == RefineEnd::reached, refineText(report, step).c_str());
    QVERIFY(report.measured && *report.measured <= before);
    QVERIFY(allowedOf(writer, 0) > 0 && allowedOf(writer, 0) < before / 2);
}

void KeptMeansTest::halfIsTakenOnceItIsKnown()
{
    const Folder folder;
    makeStudy(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    CompressStep step;
    step.error = half;
    step.surrogate = SurrogateStep{SurrogateKind::kriging, {}};
    compressStep(writer, step, {}); // another surrogate, without errors yet
    QCOMPARE(allowedOf(writer, 0), 0.0);
    QCOMPARE(compressStep(writer, {}, {}).quantised, std::size_t{1});
    QVERIFY(writer.kriging(0) && allowedOf(writer, 0) > 0);
    const auto set = writer.modeSet(0);
    QCOMPARE(compressStep(writer, {}, {}).quantised, std::size_t{0});
    QVERIFY(writer.modeSet(0) == set);
}

void KeptMeansTest::exactOnesHaveTheirOwnErrors()
{
    const Folder folder;
    makeUnlike(folder / "s", 3);
    auto writer = StudyWriter::open(folder / "s");
    for (const auto &at : somePlaces(writer))
        writer.putHoldOut(writer.addHoldOut(at), 0, std::vector<float>(600, 1.5F));
    const auto heldOut = [&] {
        std::vector<double> errors;
        for (const auto &figure : writer.errorFigures())
            if (figure.kind == ErrorKind::heldOut)
                errors.push_back(figure.relativeL2);
        return errors;
    };
    compressStep(writer, {}, {});
    const auto expected = heldOut();
    compressed(writer, {0.05, false});
    QVERIFY(writer.quantisedCoefficients(0));
    QVERIFY(heldOut() != expected);
    QCOMPARE(compressed(writer, {0, false}).exactRows, std::size_t{1});
    QVERIFY(!writer.quantisedCoefficients(0));
    QVERIFY(heldOut() == expected);
    QCOMPARE(compressed(writer, {0, false}).exactRows, std::size_t{0});
}

void KeptMeansTest::halfIsNoMoreWhereTheFieldIsSmall()
{
    // Noise, at first near rest, off by as large a share then as later; and a hold-out at which
    // there is nothing at all, but by the surrogate.
    const Folder folder;
    auto writer = StudyWriter::create(folder / "s", smallDescription(3));
    setLine(writer, 600);
    writer.addField(smallField("u", 600));
    for (const auto &job : writer.jobs()) {
        writer.startJob(job.id);
        for (const auto point : job.points) {
            const auto x = coordinatesOf(writer, point);
            auto values = unlikeSnapshot(x, 600);
            for (float &value : values)
                value *= static_cast<float>(1e5 * (1e-2 + x[2]));
            writer.putSnapshot(point, 0, values);
        }
        writer.finishJob(job.id, "");
    }
    compressStep(writer, {}, {});
    const auto &space = writer.description().space;
    FieldSurrogate surrogate(writer, 0);
    surrogate.loadAll(writer);
    for (const auto &at : somePlaces(writer)) {
        std::vector<float> values(600);
        surrogate.evaluate(space.toUnit(at), {values, {}}, CpuDevice{});
        for (float &value : values)
            value *= 1.02F;
        writer.putHoldOut(writer.addHoldOut(at), 0, values);
    }
    const auto nowhere = space.fromUnit(std::vector{0.3, 0.6, 0.9});
    writer.putHoldOut(writer.addHoldOut(nowhere), 0, std::vector<float>(600, 0.0F));
    const auto heldOut = [&] {
        double squares = 0;
        for (const auto &figure : writer.errorFigures())
            if (figure.kind == ErrorKind::heldOut && figure.parameters != nowhere)
                squares += figure.relativeL2 * figure.relativeL2;
        return std::sqrt(squares);
    };
    compressStep(writer, {}, {});
    const double before = heldOut();
    compressed(writer, half);
    QVERIFY(allowedOf(writer, 0) > 0);
    QVERIFY2(heldOut() < 1.2 * before, qPrintable(QString::number(heldOut() / before)));
}

void KeptMeansTest::whatStaysExactIsTriedAgainWithNewRuns()
{
    const Folder folder;
    auto writer = studyOf(folder / "s", cavityPlan(2));
    refine(writer, forRuns(4));
    const AddedErrorStep tiny{smallestAddedError, false}; // which takes as many bytes as floats do
    compressed(writer, tiny);
    QVERIFY(allowedOf(writer, 0) == 0 && allowedOf(writer, 1) == 0);
    QVERIFY(compressStep(writer, {}, control()).forms.empty()); // the same would come of it
    QCOMPARE(refine(writer, forRuns(3)).compress.forms.size(), std::size_t{2});
    QVERIFY(writer.wantedMeans(0)->error == tiny);
}

GRIDHELM_TEST(KeptMeansTest)
#include "tst_kept_means.moc"
