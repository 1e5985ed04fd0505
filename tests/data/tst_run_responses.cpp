// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses of whole runs, and of studies whose runs lack something or say the same.
#include "data/evaluate/study_surrogate.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/kriging_studies.h"
#include "tests/data/response_cases.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class RunResponsesTest : public QObject
{
    Q_OBJECT

private slots:
    void runsHaveNumbersOfAllTheirTimes();
    void timesOfARunAreOneScore();
    void holdOutsWithoutTheFieldsDoNotCount();
    void pointsThatHaveNotRunAddNothing();
    void oneThatCannotBeHadLeavesTheOthers();
    void whatIsTheSameInAllKrigedRunsIsAConstant();
};

void RunResponsesTest::runsHaveNumbersOfAllTheirTimes()
{
    const Folder folder;
    const auto writer = responseStudy(folder / "s", 0);
    const auto inTime = [](ResponseDefinition definition, const char *words) {
        definition.reduction += words;
        return definition;
    };
    const auto responses = studyResponses(
        writer,
        {mean, inTime(mean, ", mean in time"), inTime(mean, ", value at 1.25 in time"), peak,
         inTime(peak, ", maximum in time"), inTime(probe, ", mean in time")},
        &samplesOf, onCpu(1));
    QVERIFY(gridCoefficients(*responses[1].model)); // exact, as the field is
    constexpr int intervals = 512;
    for (const auto &[a, b] : {std::pair(0.31, 0.62), std::pair(0.0, 0.5)}) {
        double integral = 0, highest = -1e300;
        for (int i = 0; i <= intervals; ++i) {
            const std::vector x{a, b, static_cast<double>(i) / intervals};
            integral += responses[0].model->value(x) * (i % intervals == 0 ? 0.5 : 1);
            highest = std::max(highest, responses[3].model->value(x));
        }
        const std::vector anyTime{a, b, 0.123};
        QVERIFY(std::abs(responses[1].model->value(anyTime) - integral / intervals) <= 1e-10);
        QVERIFY(std::abs(responses[2].model->value(anyTime)
                         - responses[0].model->value(std::vector{a, b, 0.25}))
                <= 1e-10);
        QVERIFY(std::abs(responses[4].model->value(anyTime) - highest) <= 1e-10);
    }
    const auto held = studyResponses(responseStudy(folder / "held", 12),
                                     {mean, inTime(mean, ", mean in time")}, &samplesOf, onCpu(1));
    QVERIFY(held[0].band && held[0].whyUnmeasured.empty());
    QVERIFY(!held[1].band && held[1].errors.empty() && !held[1].whyUnmeasured.empty());
    QCOMPARE(definitionInWords(responses[5].definition),
             std::string("value of v_z, point 0,0,0, mean in time"));
    for (const auto *words : {", average in time", ", value at 5.5 in time"})
        GRIDHELM_EXPECT_ERROR(studyResponses(writer, {inTime(mean, words)}, &samplesOf, onCpu(1)));
}

/// What one run says at eight times is not what eight runs say.
void RunResponsesTest::timesOfARunAreOneScore()
{
    const Folder folder;
    auto writer = responseStudy(folder / "s", 0);
    const auto &space = writer.description().space;
    constexpr int runs = 3, times = 8;
    double largest = 0;
    const auto before = studyResponses(writer, {mean}, &samplesOf, onCpu(1));
    for (int i = 0; i < runs * times; ++i) {
        const int run = i / times, time = i % times;
        const auto parameters =
            space.fromUnit(std::vector{0.21 + 0.3 * run, 0.8 - 0.3 * run, (time + 0.41) / times});
        const auto x = space.toUnit(parameters);
        const auto id = writer.addHoldOut(parameters);
        for (FieldIndex field = 0; field < 2; ++field)
            writer.putHoldOut(id, field, snapshotAt(x, writer, field));
        const ResponseOfState state(writer, mean, samplesOf);
        largest = std::max(largest, std::abs(before[0].model->value(x)
                                             - state.evaluate({snapshotAt(x, writer, 0),
                                                               snapshotAt(x, writer, 1)})));
    }
    const auto response = studyResponses(writer, {mean}, &samplesOf, onCpu(1)).front();
    QVERIFY(response.band.has_value());
    QCOMPARE(response.band->holdOuts, std::size_t{runs});
    QCOMPARE(response.band->coverage, 0.75); // the largest of three
    QVERIFY(std::abs(response.band->offset - largest) <= 1e-6);
}

void RunResponsesTest::holdOutsWithoutTheFieldsDoNotCount()
{
    const Folder folder;
    auto writer = responseStudy(folder / "s", 9);
    const std::vector<double> parameters{200, 1.1, 1.7};
    const auto x = writer.description().space.toUnit(parameters);
    writer.putHoldOut(writer.addHoldOut(parameters), 1, snapshotAt(x, writer, 1));
    const auto responses = studyResponses(
        writer, {{"of_u", "", "u", "mean", ""}, {"of_v", "", "v_x", "mean", ""}, peak}, &samplesOf,
        onCpu(1));
    QCOMPARE(responses[0].band->holdOuts, std::size_t{9});
    QCOMPARE(responses[1].band->holdOuts, std::size_t{10});
    QCOMPARE(responses[2].band->holdOuts, std::size_t{9});
}

void RunResponsesTest::pointsThatHaveNotRunAddNothing()
{
    const Folder folder;
    auto writer = responseStudy(folder / "s", 0);
    const auto before = studyResponses(writer, {peak}, &samplesOf, onCpu(1)).front();
    QCOMPARE(before.missingPoints, std::uint64_t{0});
    const auto points = writer.grid()->points();
    writer.growGrid(writer.description().level + 1, std::vector{5, 3, 5});
    const auto responses = studyResponses(writer, {peak, mean}, &samplesOf, onCpu(1));
    QCOMPARE(responses[0].missingPoints, writer.grid()->points() - points);
    QCOMPARE(responses[1].missingPoints, std::uint64_t{0}); // as the field has it
    for (const auto &x : {std::vector{0.3, 0.4, 0.2}, std::vector{0.71, 0.9, 0.55}})
        QVERIFY(std::abs(responses[0].model->value(x) - before.model->value(x)) <= 1e-9);
}

void RunResponsesTest::oneThatCannotBeHadLeavesTheOthers()
{
    const Folder folder;
    const auto writer = responseStudy(folder / "s", 4);
    const ResponseDefinition none{"none", "", "1 / (u - u)", "maximum", ""};
    GRIDHELM_EXPECT_ERROR(studyResponses(writer, {mean, none}, &samplesOf, onCpu(1)));
    const auto responses = answerableResponses(writer, {mean, none, peak}, &samplesOf, onCpu(1));
    QCOMPARE(responses.size(), std::size_t{3});
    for (const auto r : {std::size_t{0}, std::size_t{2}})
        QVERIFY(responses[r].model && responses[r].band && responses[r].problem.empty());
    QCOMPARE(responses[1].definition.name, std::string("none"));
    QVERIFY(!responses[1].model
            && responses[1].problem.find("no finite number") != std::string::npos);
}

void RunResponsesTest::whatIsTheSameInAllKrigedRunsIsAConstant()
{
    const Folder folder;
    {
        auto writer = responseStudy(folder / "s", 0);
        writer.close();
    }
    krige(folder / "s");
    const auto study = Study::open(folder / "s");
    QVERIFY(study.kriging(0));
    const auto responses = studyResponses(
        study, {{"never", "", "u", "above 1e9", ""}, {"three", "", "u - u + 3", "maximum", ""}},
        &samplesOf, onCpu(1));
    for (const auto &x :
         {std::vector{0.3, 0.4, 0.2}, std::vector{0.0, 0.0, 0.0}, std::vector{0.71, 0.9, 0.55}}) {
        QCOMPARE(responses[0].model->value(x), 0.0);
        QCOMPARE(responses[1].model->value(x), 3.0);
    }
}

GRIDHELM_TEST(RunResponsesTest)
#include "tst_run_responses.moc"
