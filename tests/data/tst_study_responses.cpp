// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses of a study: kept, checked, evaluated as the field is, measured at hold-outs;
// measurements from a file.
#include "data/answers/measurements.h"
#include "data/answers/run_places.h"
#include "data/answers/study_match.h"
#include "data/answers/study_responses.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/contents_stamp.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/response_cases.h"
#include "tests/data/study_forger.h"
#include "tests/support/test_program.h"

#include <algorithm>
#include <array>
#include <optional>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class StudyResponsesTest : public QObject
{
    Q_OBJECT

private slots:
    void definitionsAreKeptInTheirOrder();
    void damagedDefinitionsAreRefused_data();
    void damagedDefinitionsAreRefused();
    void linearOnesAreTheFieldReduced();
    void othersAreExactAtTheGridsPoints();
    void errorsAreThoseAtHoldOuts();
    void runsHaveTheirOwnValues();
    void readingEndsSoonAfterAStop_data();
    void readingEndsSoonAfterAStop();
    void whatIsKnownIsNotReadAgain();
    void theStampIsOfWhatResponsesAreReadFrom();
    void whatCannotBeIsSaid();
    void measurementsAreRead();
    void typedMeasurementsAreReadAsAFile();
    void aHeldParameterHasNoColumn();
};

void StudyResponsesTest::definitionsAreKeptInTheirOrder()
{
    const Folder folder;
    {
        auto writer = responseStudy(folder / "s", 0);
        QVERIFY(writer.responses().empty());
        writer.putResponse(peak);
        writer.putResponse(mean);
        auto other = peak;
        other.unit = "m";
        writer.putResponse(other);
        QVERIFY((writer.responses() == std::vector{other, mean}));
        GRIDHELM_EXPECT_ERROR(writer.putResponse({"", "", "u", "mean", ""}));
        GRIDHELM_EXPECT_ERROR(writer.putResponse({"a:b", "", "u", "mean", ""}));
        GRIDHELM_EXPECT_ERROR(writer.putResponse({"a", "", std::string(3000, 'u'), "mean", ""}));
        writer.close();
    }
    QCOMPARE(problemsOf(folder / "s"), std::string());
    auto writer = StudyWriter::open(folder / "s");
    QCOMPARE(writer.responses().size(), std::size_t{2});
    QVERIFY(writer.removeResponse("peak"));
    QVERIFY(!writer.removeResponse("peak"));
    QVERIFY(writer.responses() == std::vector{mean});
    QVERIFY(isRefused([&] { responseIndex(writer.responses(), "meen"); }, "did you mean mean"));
    GRIDHELM_EXPECT_ERROR(responseIndex({}, "mean"));
}

void StudyResponsesTest::damagedDefinitionsAreRefused_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("isSoundWhenCorrected");
    QTest::newRow("name") << "UPDATE responses SET name = '; DROP'" << false;
    QTest::newRow("formula") << "UPDATE responses SET expression = 'v_x'" << true;
    QTest::newRow("gone") << "DELETE FROM responses" << true;
}

void StudyResponsesTest::damagedDefinitionsAreRefused()
{
    QFETCH(QString, change);
    QFETCH(bool, isSoundWhenCorrected);
    const Folder folder;
    {
        auto writer = responseStudy(folder / "s", 0);
        writer.putResponse(mean);
        writer.close();
    }
    {
        Forger forger(folder / "s");
        forger.execute(change.toStdString());
    }
    QVERIFY(!problemsOf(folder / "s").empty());
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(Study::open(folder / "s").responses()), Error);
    {
        Forger forger(folder / "s");
        forger.correctChecksums(); // by somebody who means it
    }
    const auto study = Study::open(folder / "s");
    if (isSoundWhenCorrected)
        static_cast<void>(study.responses());
    else
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(study.responses()), Error);
}

void StudyResponsesTest::linearOnesAreTheFieldReduced()
{
    const Folder folder;
    const auto study = responseStudy(folder / "s", 0);
    const auto responses = studyResponses(study, {mean, probe, drift}, samplesOf, onCpu());
    for (const auto &response : responses)
        QVERIFY(response.way == ResponseWay::rows);
    QVERIFY(!responses[0].band);
    const auto both = together(responses);
    Random random(3);
    for (int i = 0; i < 10; ++i) {
        const std::vector x{random.real(), random.real(), random.real()};
        std::vector<float> u(entities), v(3 * entities);
        evaluateFromFile(study, 0, x, {u}, onCpu().cpu());
        evaluateFromFile(study, 1, x, {v}, onCpu().cpu());
        double sum = 0, weights = 0, drifts = 0;
        for (std::size_t n = 0; n < entities; ++n) {
            const double weight = 1 + static_cast<double>(n % 3);
            const double slope =
                n + 1 < entities ? static_cast<double>(v[3 * n + 4] - v[3 * n + 1]) : 0;
            drifts += weight * (3 * slope - static_cast<double>(u[n]));
            sum += weight * (2 * static_cast<double>(u[n]) - static_cast<double>(v[3 * n + 1]) + 3);
            weights += weight;
        }
        std::vector<double> values(3);
        both.values(x, values);
        QVERIFY(std::abs(values[2] - drifts / weights) <= 1e-5);
        QVERIFY(std::abs(values[0] - sum / weights) <= 1e-5);
        QVERIFY(std::abs(values[0] - responses[0].model->value(x)) <= 1e-12);
        QVERIFY(std::abs(values[1] - 0.5 * static_cast<double>(v[11] + v[14])) <= 1e-5);
    }
}

void StudyResponsesTest::othersAreExactAtTheGridsPoints()
{
    const Folder folder;
    const auto study = responseStudy(folder / "s", 0);
    const auto responses = studyResponses(study, {peak, steepest}, samplesOf, onCpu());
    for (const auto &response : responses)
        QVERIFY(response.way == ResponseWay::snapshots);
    for (std::uint64_t point = 0; point < study.grid()->points(); point += 5) {
        const auto x = coordinatesOf(study, point);
        const auto u = snapshotAt(x, study, 0), v = snapshotAt(x, study, 1);
        double largest = -1e9, slope = 0;
        for (std::size_t n = 0; n < entities; ++n) {
            if (n + 1 < entities)
                slope = std::max(
                    slope, std::abs(static_cast<double>(u[n + 1]) - static_cast<double>(u[n])));
            double squares = 0;
            for (std::size_t c = 0; c < 3; ++c)
                squares += std::pow(static_cast<double>(v[3 * n + c]), 2);
            largest = std::max(largest, std::sqrt(squares) + static_cast<double>(u[n]));
        }
        QVERIFY(std::abs(responses[0].model->value(x) - largest) <= 1e-9);
        QVERIFY(std::abs(responses[1].model->value(x) - slope) <= 1e-9);
    }
}

void StudyResponsesTest::errorsAreThoseAtHoldOuts()
{
    const Folder folder;
    const auto study = responseStudy(folder / "s", 19);
    for (const auto &response : studyResponses(study, {mean, peak}, samplesOf, onCpu())) {
        QVERIFY(response.band.has_value());
        QCOMPARE(response.band->holdOuts, std::size_t{19});
        QCOMPARE(response.errors.size(), std::size_t{2});
        double largest = 0, squares = 0;
        for (const auto &holdOut : study.holdOuts()) {
            const auto x = study.description().space.toUnit(holdOut.parameters);
            const ResponseOfState state(study, response.definition, samplesOf);
            std::vector<std::vector<float>> values;
            for (const auto field : state.fields())
                values.push_back(snapshotAt(x, study, field));
            const double error = std::abs(response.model->value(x) - state.evaluate(values));
            largest = std::max(largest, error);
            squares += error * error / 19;
        }
        // The nineteenth of nineteen covers 95 %.
        QVERIFY(std::abs(response.band->offset - largest) <= 1e-6);
        QVERIFY(std::abs(response.errors[0].rms - std::sqrt(squares)) <= 1e-6);
        QVERIFY(largest > 1e-4);
    }
}

/// Not the surrogate's, which is off at validation points.
void StudyResponsesTest::runsHaveTheirOwnValues()
{
    const Folder folder;
    const auto study = responseStudy(folder / "s", 6);
    const auto responses = studyResponses(study, {mean, peak}, samplesOf, onCpu());
    const auto runs = runPlaces(study, 1000);
    const auto own = valuesOfRuns(study, responses, samplesOf, runs);
    const auto predicted =
        valuesAtRuns(together(responses), study.description().space, runs, onCpu().cpu());
    QCOMPARE(runs.size(), study.grid()->points() + 6);
    for (std::size_t k = 0; k < responses.size(); ++k) {
        const ResponseOfState state(study, responses[k].definition, samplesOf);
        double farthest = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto x = study.description().space.toUnit(runs[i].parameters);
            std::vector<std::vector<float>> values;
            for (const auto field : state.fields())
                values.push_back(snapshotAt(x, study, field));
            QCOMPARE(own[k][i], state.evaluate(values));
            farthest = std::max(farthest, std::abs(own[k][i] - predicted[k][i]));
        }
        QVERIFY(farthest > 1e-4);
    }
}

void StudyResponsesTest::readingEndsSoonAfterAStop_data()
{
    QTest::addColumn<std::vector<ResponseDefinition>>("definitions");
    QTest::addColumn<int>("holdOuts");
    QTest::addColumn<int>("placesUntilStop");
    QTest::newRow("places") << std::vector{mean, peak, probe} << 0 << 2;
    QTest::newRow("rows") << std::vector{mean} << 0 << 1;
    QTest::newRow("snapshots") << std::vector{peak} << 0 << 1;
}

/// A stop that is requested while places are looked for is found in whatever comes next.
void StudyResponsesTest::readingEndsSoonAfterAStop()
{
    QFETCH(std::vector<ResponseDefinition>, definitions);
    QFETCH(int, holdOuts);
    QFETCH(int, placesUntilStop);
    const Folder folder;
    const auto study = responseStudy(folder / "study.gridhelm", holdOuts);
    for (const bool eachByItself : {false, true}) {
        std::stop_source source;
        int places = 0;
        const SamplesOfMesh stopping = [&](Association of, const answers::ResponsePlace &place,
                                           SlopeAxes slopes, const GeometryValues &geometry) {
            if (++places == placesUntilStop)
                source.request_stop();
            return test::samplesOf(of, place, slopes, geometry);
        };
        const ResponseReading how{source.get_token(), {}};
        QVERIFY(isRefused(
            [&] {
                if (eachByItself)
                    answerableResponses(study, definitions, stopping, onCpu(), how);
                else
                    studyResponses(study, definitions, stopping, onCpu(), how);
            },
            "taken back"));
        QCOMPARE(places, placesUntilStop); // and none is tried once more
    }
}

void StudyResponsesTest::whatIsKnownIsNotReadAgain()
{
    const Folder folder;
    const auto study = responseStudy(folder / "study.gridhelm", 5);
    std::vector<std::string> looked;
    const SamplesOfMesh counting = [&](Association of, const answers::ResponsePlace &place,
                                       SlopeAxes slopes, const GeometryValues &geometry) {
        looked.push_back(place.kind == answers::PlaceKind::point ? "point" : "whole");
        return test::samplesOf(of, place, slopes, geometry);
    };
    ResponseReading how;
    how.known = studyResponses(study, {mean, peak}, counting, onCpu());
    QCOMPARE(looked.size(), std::size_t{2});
    looked.clear();
    const auto all = studyResponses(study, {peak, probe, mean}, counting, onCpu(), how);
    QCOMPARE(looked, std::vector<std::string>{"point"});
    QCOMPARE(all[0].model, how.known[1].model);
    QCOMPARE(all[2].model, how.known[0].model);
    QCOMPARE(all[1].definition, probe);
    auto another = peak; // of the same name
    another.reduction = "minimum";
    const auto edited = studyResponses(study, {another}, counting, onCpu(), how).front();
    QCOMPARE(edited.definition, another);
    QVERIFY(edited.model != how.known[1].model);
}

void StudyResponsesTest::theStampIsOfWhatResponsesAreReadFrom()
{
    const Folder folder;
    auto study = responseStudy(folder / "study.gridhelm", 1);
    const auto stamp = contentsStamp(study);
    QVERIFY(!stamp.empty());
    study.putResponse(mean);
    QCOMPARE(contentsStamp(study), stamp);
    QCOMPARE(contentsStamp(Study::open(folder / "study.gridhelm")), stamp);
    study.addHoldOut(study.description().space.fromUnit(std::vector{0.3, 0.3, 0.3}));
    QVERIFY(contentsStamp(study) != stamp);
    const auto other = responseStudy(folder / "other.gridhelm", 1);
    QVERIFY(contentsStamp(other) != stamp); // of another study, made later
}

void StudyResponsesTest::whatCannotBeIsSaid()
{
    const Folder folder;
    const auto study = responseStudy(folder / "s", 0);
    const auto make = [&](const ResponseDefinition &definition) {
        return studyResponses(study, {definition}, samplesOf, onCpu());
    };
    QVERIFY(isRefused([&] { make({"a", "", "w", "mean", ""}); }, "response a: "));
    QVERIFY(isRefused([&] { make({"a", "", "u", "value", ""}); }, "at a point"));
    QVERIFY(isRefused([&] { make({"a", "", "u", "median", ""}); }, "choose from"));
    QVERIFY(isRefused([&] { make({"a", "", "1 / (u - u)", "maximum", ""}); }, "no finite number"));
    auto mixed = StudyWriter::create(folder / "m", smallDescription(1));
    auto cells = smallField("c", 12);
    cells.association = Association::cell;
    mixed.addField(smallField("u", entities));
    mixed.addField(cells);
    QVERIFY(isRefused(
        [&] {
            studyResponses(mixed, {{"a", "", "u + c", "mean", ""}}, samplesOf, onCpu());
        },
        "nowhere"));
    auto incomplete = StudyWriter::create(folder / "i", smallDescription(3));
    incomplete.addField(smallField("u", entities));
    runJob(incomplete, incomplete.jobs()[0]);
    QVERIFY(isRefused(
        [&] {
            studyResponses(incomplete, {{"a", "", "u", "maximum", ""}}, samplesOf, onCpu());
        },
        "run all jobs"));
}

void StudyResponsesTest::measurementsAreRead()
{
    const Folder folder;
    auto study = responseStudy(folder / "s", 0);
    study.putResponse(mean);
    const auto file = (folder / "m.csv").string();
    const auto read = [&](const std::string &text) {
        std::ofstream(file) << text;
        return readMeasurements(file, study);
    };
    const auto inText = [&](const std::string &text) {
        return parseMeasurements(text, "the text", study);
    };
    for (const auto *end : {"\n", "", "\r\n"}) {
        const auto measured =
            inText(std::string("response,value,sd\n# early\nmean,2,1\nmean,3,1") + end);
        QCOMPARE(measured.size(), std::size_t{2});
        QCOMPARE(measured[1].value, 3.0);
        QCOMPARE(measured[1].line, std::size_t{4});
    }
    QVERIFY(isRefused([&] { inText("response,value,sd\nmean,2,0"); }, "the text, line 2"));
    QVERIFY(isRefused([&] { inText(""); }, "is empty"));
    const auto byPlace = read("\xEF\xBB\xBFquantity,x,y,z,t,value,sd,unit\n# early\n"
                              "v_x,0,0.5,0,2,1.25,0.1,\nu,0,0,0,,3,0.2,m/s\n");
    QCOMPARE(byPlace.size(), std::size_t{2});
    QCOMPARE(byPlace[0].response.place, std::string("point 0,0.5,0"));
    QCOMPARE(byPlace[0].known[2].value(), 2.0);
    QVERIFY(!byPlace[0].known[0] && !byPlace[1].known[2]);
    QCOMPARE(byPlace[1].deviation, 0.2);
    QCOMPARE(byPlace[1].line, std::size_t{4});
    QVERIFY(read("response,value,sd\nmean,2,1\n")[0].response == mean);
    QCOMPARE(read("response;value;sd\nmean;2,5;1\n")[0].value, 2.5);
    QCOMPARE(read("response,value,sd\nmean,\"2,5\",1\n")[0].value, 2.5);
    for (const auto &[text, why] : std::initializer_list<std::pair<const char *, const char *>>{
             {"response,value,sd\nmeen,2,1\n", "did you mean"},
             {"response,value,sd\nmean,2,0\n", "above 0"},
             {"response,value,sd\nmean,2,-1\n", "above 0"},
             {"response,value,sd\nmean,2,5,0,1\n", "decimal comma"},
             {"response,value,sd\nmean,nan,1\n", "line 2: 'nan' is not a finite number for value"},
             {"response,value,sd\nmean,2\n", "there are 2 cells"},
             {"response,value,sd,t\nmean,2,1,9\n", "outside of the study's range"},
             {"response,value,sd,unit\nmean,2,1,km/h\n", "convert"},
             {"response,value\nmean,2\n", "\"sd\""},
             {"value,sd\n2,1\n", "response"},
             {"quantity,value,sd\nu,2,1\n", "there must be x, y and z"},
             {"response,value,sd,sd\nmean,2,1,1\n", "stands there twice"},
             {"response,value,sd\n", "has no rows"},
             {"response,value [km/h],sd\nmean,2,1\n", "convert"},
             {"", "is empty"}})
        QVERIFY2(isRefused([&, text = text] { read(text); }, why), text);
}

void StudyResponsesTest::typedMeasurementsAreReadAsAFile()
{
    const Folder folder;
    const auto writer = responseStudy(folder / "study.gridhelm", 0);
    const auto typed =
        parseMeasurements("\xEF\xBB\xBFquantity,x,y,z,value,sd\r\n\n# a remark\nu,0,0,0,1.5,0.1",
                          "the table", writer);
    QCOMPARE(typed.size(), std::size_t{1});
    QCOMPARE(typed[0].value, 1.5);
    QCOMPARE(typed[0].line, std::size_t{4});
    QVERIFY(isRefused([&] { parseMeasurements("", "the table", writer); }, "the table is empty"));
    QVERIFY(isRefused(
        [&] { parseMeasurements("quantity,x,y,z,value,sd\nu,0,0,0,1,0\n", "the table", writer); },
        "the table, line 2"));
}

void StudyResponsesTest::aHeldParameterHasNoColumn()
{
    const Folder folder;
    const auto writer = responseStudy(folder / "study.gridhelm", 0);
    const auto &space = writer.description().space;
    const auto name = space[0].name;
    auto measured = parseMeasurements("quantity,x,y,z,value,sd\nu,0,0,0,1.5,0.1\n", "t", writer);
    std::vector<std::optional<double>> held(3);
    held[0] = space[0].low;
    holdFixed(measured, space, held, "the menu");
    QCOMPARE(measured[0].known[0], held[0]);
    QVERIFY(isRefused([&] { holdFixed(measured, space, held, "the menu"); },
                      name + " is fixed by the menu"));
}

GRIDHELM_TEST(StudyResponsesTest)
#include "tst_study_responses.moc"
