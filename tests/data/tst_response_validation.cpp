// SPDX-License-Identifier: GPL-3.0-or-later
//
// Predicted beside actual values of responses, against what is known of the runs.
#include "data/answers/response_validation.h"
#include "tests/core/on_cpu.h"
#include "tests/data/full_studies.h"
#include "tests/data/response_cases.h"
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

namespace {

const ResponseDefinition same{"same", "N", "r0", "mean", ""};

} // namespace

class ResponseValidationTest : public QObject
{
    Q_OBJECT

private slots:
    void validationPointsHaveTheirOwnValues();
    void runsArePredictedWithoutThemselves();
    void figuresAreThoseOfTheirDefinitions();
    void whyThereAreNoneIsSaid();
};

void ResponseValidationTest::validationPointsHaveTheirOwnValues()
{
    const Folder folder;
    responseStudy(folder / "s", 9).close();
    const auto study = Study::open(folder / "s");
    const auto responses = studyResponses(study, {mean, peak}, test::samplesOf, onCpu());
    const auto found = validationsOf(study, responses, test::samplesOf, onCpu());
    QCOMPARE(found.size(), std::size_t{2});
    for (std::size_t k = 0; k < 2; ++k) {
        QCOMPARE(found[k].runs.size(), std::size_t{9});
        QVERIFY(!found[k].isLeftOut && found[k].whyNone.empty());
        // Measured elsewhere, by other code.
        QVERIFY(std::abs(found[k].rootMeanSquare() - responses[k].errors[0].rms)
                <= 1e-9 * responses[k].errors[0].rms);
    }
    for (const auto &run : found[0].runs) {
        const auto x = study.description().space.toUnit(run.parameters);
        double sum = 0, weights = 0;
        const auto u = snapshotAt(x, study, 0), v = snapshotAt(x, study, 1);
        for (std::size_t i = 0; i < entities; ++i) {
            const double weight = 1 + static_cast<double>(i % 3);
            sum += weight * (2 * double{u[i]} - double{v[3 * i + 1]} + 3);
            weights += weight;
        }
        QVERIFY(std::abs(run.actual - sum / weights) < 1e-5 * std::abs(sum / weights));
        QCOMPARE(run.predicted, responses[0].model->value(x));
    }
}

void ResponseValidationTest::runsArePredictedWithoutThemselves()
{
    const Folder folder;
    writeText(folder / "t.csv", tableOf(30, {wave}));
    scatteredStep(stepOf(folder), {});
    const auto study = Study::open(folder / "s");
    const ResponseDefinition own{"own", "N", "r0", "maximum", ""};
    const auto responses = studyResponses(study, {same, own}, samplesOfOne, onCpu());
    QVERIFY(responses[0].way == ResponseWay::rows && responses[1].way == ResponseWay::snapshots);
    for (const auto &response : responses) {
        const auto found = validationsOf(study, {response}, samplesOfOne, onCpu()).front();
        QVERIFY(found.isLeftOut);
        QCOMPARE(found.runs.size(), std::size_t{30});
        double alike = 0, squares = 0;
        for (std::size_t i = 0; i < found.runs.size(); i += 6) {
            const auto &run = found.runs[i];
            const double expected =
                wave(std::vector{(run.parameters[0] - 100) / 200, (run.parameters[1] + 1) / 2});
            QVERIFY(std::abs(run.actual - expected) < 1e-5 * std::abs(expected) + 1e-6);
            // The same table without that run, fitted from the beginning.
            const Folder other;
            auto step = stepOf(other);
            std::string rest = tableOf(30, {wave});
            std::size_t at = rest.find('\n') + 1;
            for (std::size_t line = 0; line < i; ++line)
                at = rest.find('\n', at) + 1;
            rest.erase(at, rest.find('\n', at) + 1 - at);
            writeText(other / "t.csv", rest);
            scatteredStep(step, {});
            const auto without = Study::open(other / "s");
            const auto refitted = studyResponses(without, {same}, samplesOfOne, onCpu());
            const auto x = without.description().space.toUnit(run.parameters);
            const double off = refitted[0].model->value(x) - run.actual;
            alike += off * (run.predicted - run.actual);
            squares += off * off;
        }
        QVERIFY2(alike > 0.3 * squares, qPrintable(QString("%1 %2").arg(alike).arg(squares)));
    }
}

void ResponseValidationTest::figuresAreThoseOfTheirDefinitions()
{
    ResponseValidation validation;
    QVERIFY(!validation.r2() && validation.rootMeanSquare() == 0);
    validation.runs = {{"a", {}, 1, 1.5}, {"b", {}, 2, 2}, {"c", {}, 3, 2}};
    QCOMPARE(validation.rootMeanSquare(), std::sqrt((0.25 + 0 + 1) / 3));
    QCOMPARE(*validation.r2(), 1 - 1.25 / 2);
    validation.runs = {{"a", {}, 1, 1.5}, {"b", {}, 1, 2}};
    QVERIFY(!validation.r2());
}

void ResponseValidationTest::whyThereAreNoneIsSaid()
{
    const Folder folder;
    responseStudy(folder / "s", 0).close();
    const auto study = Study::open(folder / "s");
    auto overTime = mean;
    overTime.reduction = "mean, maximum in time";
    const auto responses = studyResponses(study, {mean, overTime}, test::samplesOf, onCpu());
    const auto found = validationsOf(study, responses, test::samplesOf, onCpu());
    QVERIFY2(found[0].whyNone.starts_with("There are no runs to compare with"),
             found[0].whyNone.c_str());
    QVERIFY2(found[1].whyNone.find("single times") != std::string::npos, found[1].whyNone.c_str());
    makeFullScalarStudy(folder / "scalar");
    const auto scalar = Study::open(folder / "scalar");
    const auto numbers =
        studyResponses(scalar, {{"u", "", "u", "mean", ""}}, samplesOfOne, onCpu());
    QVERIFY(
        validationsOf(scalar, numbers, samplesOfOne, onCpu())[0].whyNone.starts_with("A scalar"));
}

GRIDHELM_TEST(ResponseValidationTest)
#include "tst_response_validation.moc"
