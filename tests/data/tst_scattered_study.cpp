// SPDX-License-Identifier: GPL-3.0-or-later
//
// Studies of runs that somebody has made at any places.
#include "core/answers/field_expression.h"
#include "data/answers/study_responses.h"
#include "data/evaluate/accuracy.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/info.h"
#include "data/study/study_file.h"
#include "tests/core/expect_error.h"
#include "tests/core/on_cpu.h"
#include "tests/data/kriging_studies.h"
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>

#include <algorithm>
#include <cmath>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class ScatteredStudyTest : public QObject
{
    Q_OBJECT

private slots:
    void aResponseMayHaveGaps();
    void columnsAreResponses();
    void largeAndSmallNumbersKeepTheirDigits_data();
    void largeAndSmallNumbersKeepTheirDigits();
    void errorsOfNumbersAreOfTheirSpread();
    void responsesHaveTheErrorsOfTheirRuns();
    void numbersBecomeAStudy();
    void filesBecomeAStudy();
    void filesOfTheSamePlaceAreTheirMean();
    void constantResponsesAreTheirValue();
    void holdOutsAndMoreRunsCanBeImported();
    void gridsTakeMoreRunsToo();
    void whatFailsLeavesNoStudy();
    void timesOfARunAreRowsOfTheirOwn();
    void whatNeedsAGridSaysWhy();
    void forgedDesignsAreRefused();
    void manyRunsAreThinnedOut();
};

void ScatteredStudyTest::aResponseMayHaveGaps()
{
    const Folder folder;
    const Response plane = [](std::span<const double> x) { return x[0] - 2 * x[1] + 3; };
    writeText(folder / "whole.csv", tableOf(24, {wave, plane}));
    std::string gaps;
    int line = 0;
    for (const auto &row :
         QString::fromStdString(tableOf(24, {wave, plane})).split('\n', Qt::SkipEmptyParts)) {
        auto cells = row.split(',');
        if (line % 4 == 2)
            cells[2] = "NA";
        if (line % 6 == 3)
            cells[3] = "";
        gaps += cells.join(',').toStdString() + "\n";
        ++line;
    }
    writeText(folder / "t.csv", gaps);
    auto step = stepOf(folder);
    step.columns.parameters = {"a", "b"};
    const auto report = scatteredStep(step, {});
    QCOMPARE(report.runs, std::size_t{24});
    QVERIFY2(says(report.notes, "r0 has no value in 6 rows"), linesOf(report.notes).c_str());
    QVERIFY2(says(report.notes, "r1 has no value in 4 rows"), linesOf(report.notes).c_str());
    QCOMPARE(problemsOf(step.study), std::string());
    const auto study = Study::open(step.study);
    QCOMPARE(study.kriging(0)->model.runs, std::size_t{18});
    QCOMPARE(study.kriging(1)->model.runs, std::size_t{20});
    // As of a table that has each response alone.
    StudyFields fields(Study::open(step.study), omp());
    const std::vector at{180.0, 0.3}, x{0.4, 0.65};
    std::vector<float> value(1);
    fields.evaluate(1, at, {value, {}});
    QVERIFY(std::abs(static_cast<double>(value[0]) - plane(x)) <= 1e-3);
    fields.evaluate(0, at, {value, {}});
    QVERIFY(std::abs(static_cast<double>(value[0]) - wave(x)) <= 0.02);
}

void ScatteredStudyTest::columnsAreResponses()
{
    const Folder folder;
    auto text = tableOf(12, {wave, wave, wave});
    text.replace(0, text.find('\n'), "a,b [mm],\xcf\x83 max [Pa],pi,y");
    writeText(folder / "t.csv", text);
    auto step = stepOf(folder);
    step.columns.parameters = {"a", "b"};
    scatteredStep(step, {});
    const auto study = Study::open(step.study);
    QCOMPARE(study.responses().size(), std::size_t{3});
    QCOMPARE(study.responses()[0].name, std::string("\xcf\x83 max"));
    QCOMPARE(study.responses()[0].unit, std::string("Pa"));
    // Each is its column, whatever that is called.
    std::vector<answers::NamedField> named;
    for (const auto &field : study.fields())
        named.push_back({field.name, field.components});
    for (std::size_t r = 0; r < 3; ++r) {
        const answers::FieldExpression formula(study.responses()[r].expression, named);
        QCOMPARE(formula.variables().size(), std::size_t{1});
        QCOMPARE(formula.variables()[0].field, r);
    }
}

void ScatteredStudyTest::largeAndSmallNumbersKeepTheirDigits_data()
{
    QTest::addColumn<double>("offset");
    QTest::addColumn<double>("factor");
    QTest::newRow("pressure") << 101325.0 << 1e-3;
    QTest::newRow("energy") << -76123.0 << 1e-2;
    QTest::newRow("tiny") << 0.0 << 1e-44;
    QTest::newRow("huge") << 0.0 << 1e40;
    QTest::newRow("tiny beside an offset") << 1e-30 << 1e-36;
}

/// Beside the same numbers without offset and factor.
void ScatteredStudyTest::largeAndSmallNumbersKeepTheirDigits()
{
    QFETCH(double, offset);
    QFETCH(double, factor);
    const Folder folder;
    const Response moved = [&](std::span<const double> x) { return offset + factor * wave(x); };
    writeText(folder / "t.csv", tableOf(40, {wave, moved}));
    auto step = stepOf(folder);
    step.columns.parameters = {"a", "b"};
    const auto report = scatteredStep(step, {});
    QVERIFY2(report.notes.empty(), linesOf(report.notes).c_str());
    const auto study = Study::open(step.study);
    QCOMPARE(problemsOf(step.study), std::string());
    const auto plain = study.fields()[0], stored = study.fields()[1];
    QVERIFY(plain.isPlain() && !stored.isPlain());
    const auto responses = answerableResponses(study, study.responses(), samplesOfOne, {});
    for (const double a : {120.0, 200.0, 281.5}) {
        const auto x = study.description().space.toUnit(std::vector{a, 0.3});
        std::vector<float> numbers(2);
        evaluateFromFile(study, 0, x, {{numbers.data(), 1}}, CpuDevice{1});
        evaluateFromFile(study, 1, x, {{&numbers[1], 1}}, CpuDevice{1});
        const double expected = offset + factor * static_cast<double>(numbers[0]);
        QVERIFY2(std::abs(stored.valueOf(numbers[1]) - expected) < 2e-5 * factor,
                 qPrintable(QString::number(stored.valueOf(numbers[1]), 'g', 17)));
        const double answered = responses[1].model->value(x);
        QVERIFY2(std::abs(answered - expected) < 2e-5 * factor,
                 qPrintable(QString::number(answered, 'g', 17)));
    }
    // What they are off, and by how much of what differs, is the same.
    for (const auto &figure : study.errorFigures())
        for (const auto &other : study.errorFigures())
            if (figure.kind == other.kind && figure.parameters == other.parameters
                && figure.field == 0 && other.field == 1) {
                QVERIFY(std::abs(other.relativeL2 - figure.relativeL2) < 1e-4);
                QVERIFY(std::abs(other.maximum - factor * figure.maximum) < 1e-4 * factor);
            }
}

void ScatteredStudyTest::errorsOfNumbersAreOfTheirSpread()
{
    const Folder folder;
    const Response raised = [](std::span<const double> x) { return wave(x) + 100; };
    writeText(folder / "t.csv", tableOf(12, {wave, raised}));
    auto step = stepOf(folder);
    step.columns.parameters = {"a", "b"};
    scatteredStep(step, {});
    std::map<FieldIndex, double> errors;
    for (const auto &summary : summarize(Study::open(step.study).errorFigures()))
        if (summary.kind == ErrorKind::leaveOneOut)
            errors[summary.field] = summary.meanRelativeL2;
    // A constant changes nothing.
    QVERIFY2(std::abs(errors.at(1) - errors.at(0)) <= 0.05 * errors.at(0),
             qPrintable(QString("%1 %2").arg(errors.at(0)).arg(errors.at(1))));
}

/// A response that is the field, and one that has kriging of its own; each by what is left where a
/// run is left out.
void ScatteredStudyTest::responsesHaveTheErrorsOfTheirRuns()
{
    const Folder folder;
    writeText(folder / "t.csv", tableOf(30, {wave}));
    scatteredStep(stepOf(folder), {});
    const auto study = Study::open(folder / "s");
    const ResponseDefinition same{"same", "N", "r0", "mean", ""};
    const ResponseDefinition twice{"twice", "N", "2 * r0 + 1", "mean", ""};
    const ResponseDefinition own{"own", "N", "r0", "maximum", ""};
    const auto found = studyResponses(study, {same, twice, own}, samplesOfOne, onCpu());
    const auto accuracy = accuracyOf(study, 0);
    QVERIFY(accuracy && accuracy->kind == ErrorKind::leaveOneOut && accuracy->maximum > 0);
    for (const auto &response : found)
        QVERIFY(!response.band && response.leftOut && response.leftOut->residuals.size() == 30);
    const auto isNear = [](double value, double expected) {
        return std::abs(value - expected) <= 1e-3 * expected;
    };
    QVERIFY(found[0].way == ResponseWay::rows && found[2].way == ResponseWay::snapshots);
    QVERIFY(isNear(found[0].leftOut->error, accuracy->maximum));
    QVERIFY(isNear(found[1].leftOut->error, 2 * accuracy->maximum));
    QVERIFY(found[2].leftOut->error > 0.3 * accuracy->maximum
            && found[2].leftOut->error < 3 * accuracy->maximum);
}

void ScatteredStudyTest::numbersBecomeAStudy()
{
    const Folder folder;
    const Response plane = [](std::span<const double> x) { return x[0] - 2 * x[1] + 3; };
    writeText(folder / "t.csv", tableOf(40, {wave, plane}));
    auto step = stepOf(folder);
    step.columns.parameters = {"a", "b"};
    const auto report = scatteredStep(step, {});
    QCOMPARE(report.runs, std::size_t{40});
    QVERIFY2(report.notes.empty(), linesOf(report.notes).c_str());
    QCOMPARE(report.reading, std::string("a, b [mm]: parameters; r0 [N], r1 [N]: responses"));
    QCOMPARE(report.compress.kriging.fields, std::size_t{2});
    QCOMPARE(problemsOf(folder / "s"), std::string());

    const auto study = Study::open(folder / "s");
    QVERIFY(study.description().design == StudyDesign::scattered);
    QCOMPARE(study.description().title, std::string("t"));
    QCOMPARE(study.fields().size(), std::size_t{2});
    QCOMPARE(study.fields()[0].unit, std::string("N"));
    QCOMPARE(study.trainingRuns().size(), std::size_t{40});
    QVERIFY(study.jobs().empty() && study.holdOuts().empty());
    QCOMPARE(study.missingPoints(0), std::uint64_t{0});
    QCOMPARE(info(study).holdOuts, std::size_t{0});

    StudyFields fields(Study::open(folder / "s"), omp());
    const auto &space = study.description().space;
    double largest = 0;
    for (const double u : {0.1, 0.5, 0.8}) {
        const std::vector x{u, 1 - u};
        std::vector<float> values(1), indicator(1);
        const std::vector at{100 + 200 * x[0], 2 * x[1] - 1};
        fields.evaluate(0, at, {values, indicator});
        largest = std::max(largest, std::abs(static_cast<double>(values[0]) - wave(x)));
        QVERIFY(indicator[0] > 0 && indicator[0] < 0.1F);
        fields.evaluate(1, at, {values, {}});
        QVERIFY(std::abs(static_cast<double>(values[0]) - plane(x)) < 1e-4);
        std::vector<float> one(1);
        fields.entity(1, 0)->evaluate({{at[0]}, {at[1]}}, one);
        QVERIFY(std::abs(one[0] - values[0]) < 1e-6F);
    }
    QVERIFY2(largest < 0.02, std::to_string(largest).c_str());
    const auto errors = summarize(study.errorFigures());
    QCOMPARE(errors.size(), std::size_t{2});
    QVERIFY(errors[0].kind == ErrorKind::leaveOneOut && errors[0].places == 40);
    QVERIFY(errors[0].meanRelativeL2 > 0 && errors[0].meanRelativeL2 < 0.1);
    QVERIFY(space.firstOutside(study.trainingRuns()[3].parameters) == std::nullopt);
}

void ScatteredStudyTest::filesBecomeAStudy()
{
    const Folder folder;
    std::string table = "file,a\n";
    for (int i = 0; i < 9; ++i) {
        writeText(folder / std::to_string(i), i == 4 ? "nan" : std::to_string(1 + 0.1 * i * i));
        table += fmt::format("{0},{0}\n", i);
    }
    writeText(folder / "t.csv", table);
    // A stream reads no NaN; this one does.
    auto control = readingNumbers();
    control.files.read = [](const auto &path, const auto &visit, const auto &stop) {
        if (path.filename() == "4")
            visit({{},
                   {"test", "one", 1, 0},
                   {{"value", "", 1, Association::point, 1}},
                   {{std::nanf("")}}});
        else
            readNumber(path, visit, stop);
    };
    const auto report = scatteredStep(stepOf(folder), control);
    QCOMPARE(report.runs, std::size_t{8});
    QVERIFY2(says(report.notes, "a run is left out") && says(report.notes, "line 6"),
             linesOf(report.notes).c_str());
    StudyFields fields(Study::open(folder / "s"), omp());
    std::vector<float> value(1);
    fields.evaluate(0, std::vector{4.0}, {value, {}});
    QVERIFY(std::abs(value[0] - 2.6F) < 0.02F);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void ScatteredStudyTest::filesOfTheSamePlaceAreTheirMean()
{
    const Folder folder;
    std::string table = "a,file\n";
    for (int i = 0; i < 6; ++i) {
        writeText(folder / std::to_string(i), std::to_string(i % 2 == 0 ? 1 : 3));
        table += fmt::format("{},{}\n", i / 2, i);
    }
    writeText(folder / "t.csv", table);
    const auto report = scatteredStep(stepOf(folder), readingNumbers());
    QCOMPARE(report.runs, std::size_t{3});
    const auto study = Study::open(folder / "s");
    for (const auto &run : study.trainingRuns()) {
        std::vector<float> value(1);
        QVERIFY(study.readHoldOut(run.id, 0, value));
        QCOMPARE(value[0], 2.0F);
    }
}

void ScatteredStudyTest::constantResponsesAreTheirValue()
{
    for (const double constant : {0.0, 2.5}) {
        const Folder folder;
        writeText(folder / "t.csv", tableOf(12, {[=](auto) { return constant; }, wave}));
        auto step = stepOf(folder);
        step.columns.parameters = {"a", "b"};
        const auto report = scatteredStep(step, {});
        QVERIFY(says(report.notes, "the response r0 is"));
        QCOMPARE(report.compress.kriging.zero, std::size_t{constant == 0});
        QCOMPARE(problemsOf(folder / "s"), std::string());
        StudyFields fields(Study::open(folder / "s"), omp());
        QCOMPARE(fields.missingPoints(0, fields.groups()), std::uint64_t{0});
        for (const bool isLoaded : {false, true}) {
            if (isLoaded)
                fields.surrogate(0)->loadAll(fields.study());
            std::vector<float> value(1), indicator(1);
            fields.evaluate(0, std::vector{150.0, 0.3}, {value, indicator});
            QVERIFY(std::abs(static_cast<double>(value[0]) - constant) < 1e-6);
            fields.entity(0, 0)->evaluate({{150.0}, {0.3}}, value);
            QVERIFY(std::abs(static_cast<double>(value[0]) - constant) < 1e-6);
        }
    }
}

/// One more file at each of these places, which is what the others are.
ImportReport importAt(StudyWriter &writer, const std::filesystem::path &folder,
                      const std::vector<double> &places, bool areTrainingRuns)
{
    std::string table = "a,file\n";
    for (std::size_t i = 0; i < places.size(); ++i) {
        const auto name = "more" + std::to_string(i);
        writeText(folder / name, std::to_string(1 + 0.1 * places[i] * places[i]));
        table += fmt::format("{},{}\n", places[i], name);
    }
    writeText(folder / "more.csv", table);
    ImportStep step;
    step.table = folder / "more.csv";
    step.areTrainingRuns = areTrainingRuns;
    return importStep(writer, step, readingNumbers());
}

void ScatteredStudyTest::holdOutsAndMoreRunsCanBeImported()
{
    const Folder folder;
    std::string table = "file,a\n";
    for (int i = 0; i < 9; ++i) {
        writeText(folder / std::to_string(i), std::to_string(1 + 0.1 * i * i));
        table += fmt::format("{0},{0}\n", i);
    }
    writeText(folder / "t.csv", table);
    scatteredStep(stepOf(folder), readingNumbers());
    auto writer = StudyWriter::open(folder / "s");
    // 4 is the middle, and there already; its grid's one point is no run.
    auto report = importAt(writer, (folder / "s").parent_path(), {2.5, 4, 6.3}, false);
    QCOMPARE(report.holdOuts, std::uint64_t{2});
    QCOMPARE(report.alreadyThere, std::uint64_t{1});
    QVERIFY(report.missing.empty());
    compressStep(writer, {}, {});
    const auto kindOf = [](ErrorKind kind) {
        return [kind](const auto &figure) { return figure.kind == kind; };
    };
    QCOMPARE(std::ranges::count_if(writer.errorFigures(), kindOf(ErrorKind::heldOut)), 2);
    QCOMPARE(holdOutCoverage(writer).inside, std::size_t{2});
    report = importAt(writer, (folder / "s").parent_path(), {0.5, 7.7}, true);
    QCOMPARE(report.trainingRuns, std::uint64_t{2});
    QCOMPARE(compressStep(writer, {}, {}).kriging.fields, std::size_t{1});
    QCOMPARE(writer.kriging(0)->model.runs, std::size_t{11});
    QCOMPARE(std::ranges::count_if(writer.errorFigures(), kindOf(ErrorKind::leaveOneOut)), 11);
    writer.close();
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void ScatteredStudyTest::gridsTakeMoreRunsToo()
{
    const Folder folder;
    Parameter a{"a", "", 0, 8};
    auto writer =
        StudyWriter::create(folder / "s", {"grid", StudyKind::vector, ParameterSpace({a}), 2, ""});
    // The middle of the grid is missing: no coefficient can be computed.
    const auto report =
        importAt(writer, (folder / "s").parent_path(), {2, 6, 0.1, 3.3, 5.1, 7.9}, true);
    QCOMPARE(report.stored, std::uint64_t{2});
    QCOMPARE(report.trainingRuns, std::uint64_t{4});
    QCOMPARE(report.missing.size(), std::size_t{1});
    compressStep(writer, surrogateStep(SurrogateKind::kriging), {});
    QCOMPARE(writer.kriging(0)->model.runs, std::size_t{6});
    writer.close();
    StudyFields fields(Study::open(folder / "s"), omp(1));
    std::vector<float> value(1);
    fields.evaluate(0, std::vector{4.0}, {value, {}});
    QVERIFY(std::abs(value[0] - 2.6F) < 0.1F);
    QCOMPARE(problemsOf(folder / "s"), std::string());
}

void ScatteredStudyTest::whatFailsLeavesNoStudy()
{
    const Folder folder;
    std::string table = "a,file\n";
    for (int i = 0; i < 5; ++i) {
        writeText(folder / std::to_string(i), i == 3 ? "words" : "1");
        table += fmt::format("{0},{0}\n", i);
    }
    writeText(folder / "t.csv", table);
    const auto sentence = sentenceOf([&] { scatteredStep(stepOf(folder), readingNumbers()); });
    QVERIFY2(sentence.find("line 5") != std::string::npos, sentence.c_str());
    QVERIFY(!std::filesystem::exists(folder / "s"));

    writeText(folder / "3", "2");
    auto control = readingNumbers();
    std::stop_source stop;
    control.stop = stop.get_token();
    control.progress = [&](const StepProgress &progress) {
        if (progress.counts.done == 2)
            stop.request_stop();
    };
    QVERIFY(scatteredStep(stepOf(folder), control).cancelled);
    QVERIFY(!std::filesystem::exists(folder / "s"));
    writeText(folder / "s", "mine");
    GRIDHELM_EXPECT_ERROR(scatteredStep(stepOf(folder), readingNumbers()));
    QVERIFY(std::filesystem::exists(folder / "s"));
}

void ScatteredStudyTest::timesOfARunAreRowsOfTheirOwn()
{
    const Folder folder;
    StepControl control;
    control.files.read = readSeries;
    const auto valueAt = [](double a, double time) { return 1 + a * a + 0.5 * time; };
    std::string series = "a,file\n", times = "a,t [s],file\n";
    for (int i = 0; i < 5; ++i) {
        const double a = 0.5 * i;
        std::string all;
        for (const double time : {0.0, 0.4, 1.0}) {
            const auto line = fmt::format("{} {}\n", time, valueAt(a, time));
            const auto name = fmt::format("{}-{}", i, time);
            writeText(folder / name, line);
            times += fmt::format("{},{},{}\n", a, time, name);
            all += line;
        }
        writeText(folder / fmt::format("series{}", i), all);
        series += fmt::format("{},series{}\n", a, i);
    }
    writeText(folder / "t.csv", series);
    const auto sentence = sentenceOf([&] { scatteredStep(stepOf(folder), control); });
    QVERIFY2(sentence.find("line 2") != std::string::npos
                 && sentence.find("holds several times") != std::string::npos
                 && sentence.find("write a file for each time") != std::string::npos,
             sentence.c_str());
    QVERIFY(!std::filesystem::exists(folder / "s"));

    writeText(folder / "t.csv", times);
    const auto report = scatteredStep(stepOf(folder), control);
    QCOMPARE(report.runs, std::size_t{15});
    QVERIFY2(report.accuracy.starts_with("accuracy: value: "), report.accuracy.c_str());
    const auto study = Study::open(folder / "s");
    QVERIFY(study.description().space.timeLike() == std::size_t{1});
    QCOMPARE(study.grid()->points(), std::uint64_t{1});
    QCOMPARE(problemsOf(folder / "s"), std::string());
    // Beside the next time of the same run nothing is left to be predicted.
    const auto errorOf = [](const Study &of) {
        return summarize(of.errorFigures()).front().meanRelativeL2;
    };
    auto asAnyOther = stepOf(folder);
    asAnyOther.study = folder / "u";
    asAnyOther.columns.parameters = {"a", "t"};
    scatteredStep(asAnyOther, control);
    QVERIFY(errorOf(study) > 2 * errorOf(Study::open(folder / "u")));
    StudyFields fields(Study::open(folder / "s"), omp());
    std::vector<float> value(1);
    fields.evaluate(0, std::vector{1.2, 0.7}, {value, {}});
    QVERIFY(std::abs(static_cast<double>(value[0]) - valueAt(1.2, 0.7)) < 0.05);
}

void ScatteredStudyTest::whatNeedsAGridSaysWhy()
{
    const Folder folder;
    writeText(folder / "t.csv", tableOf(12, {wave}));
    scatteredStep(stepOf(folder), {});
    auto writer = StudyWriter::open(folder / "s");
    const auto refused = [](const std::string &sentence) {
        return sentence.find("scattered runs") != std::string::npos;
    };
    QVERIFY(refused(sentenceOf([&] { runStep(writer, {}, {}); })));
    QVERIFY(refused(sentenceOf([&] { writer.growGrid(2, std::vector{3, 3}); })));
    QVERIFY(refused(
        sentenceOf([&] { compressStep(writer, surrogateStep(SurrogateKind::sparseGrid), {}); })));
    CompressStep holdOuts;
    holdOuts.holdOuts = 4;
    QVERIFY(compressStep(writer, holdOuts, {}).note.find("import files") != std::string::npos);
    CompressStep modes;
    modes.modes = ModesStep{1e-6};
    QCOMPARE(compressStep(writer, modes, {}).kriging.fields, std::size_t{1});
    QVERIFY(writer.kriging(0));
}

void ScatteredStudyTest::forgedDesignsAreRefused()
{
    const Folder folder;
    makeStudy(folder / "g", 2, 100);
    writeText(folder / "t.csv", tableOf(12, {wave}));
    scatteredStep(stepOf(folder), {});
    const auto forge = [](const std::filesystem::path &path, const char *sql) {
        auto writer = StudyWriter::open(path);
        writer.file().database().exec("PRAGMA foreign_keys = OFF");
        writer.file().database().exec(sql);
        writer.file().updateChecksum();
        writer.close();
    };
    forge(folder / "g", "UPDATE study SET design = 'scattered'");
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "g"));
    forge(folder / "s", "UPDATE study SET design = 'grid'");
    GRIDHELM_EXPECT_ERROR(Study::open(folder / "s"));
}

void ScatteredStudyTest::manyRunsAreThinnedOut()
{
    if (!isLong())
        QSKIP("kriging of 4,000 runs: set GRIDHELM_LONG_TESTS");
    const Folder folder;
    writeText(folder / "t.csv", tableOf(5000, {wave}));
    const auto report = scatteredStep(stepOf(folder), {});
    QCOMPARE(report.runs, std::size_t{5000});
    QVERIFY2(says(report.notes, "kriging is made of 4000 of 5000 runs"),
             linesOf(report.notes).c_str());
    QCOMPARE(Study::open(folder / "s").kriging(0)->model.runs, std::size_t{4000});
}

GRIDHELM_TEST(ScatteredStudyTest)
#include "tst_scattered_study.moc"
