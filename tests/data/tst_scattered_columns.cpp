// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the columns of a table of runs are, as somebody chooses it, and what is wrong with them.
#include "tests/data/scattered_cases.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <fmt/format.h>

using namespace gridhelm;
using namespace gridhelm::data;
using namespace gridhelm::test;

class ScatteredColumnsTest : public QObject
{
    Q_OBJECT

private slots:
    void rolesAreGuessedOrChosen();
    void rolesAreGuessedByWhatColumnsHold();
    void aChoiceOfRolesGivesThemAgain();
    void aChoiceOfWhatIsNotThereIsAnError();
    void everyBadColumnHasItsSentence();
    void aTableWithoutBadColumnsMayStillBeNoStudy();
    void aColumnOfFilesIsLookedForInTheFolder();
    void runsOutsideAGivenRangeAreLeftOut();
};

namespace {

using enum ColumnRole;

std::vector<ColumnRole> rolesOf(const TextTable &cells, const ScatteredChoice &choice = {})
{
    return scatteredRoles(cells, choice).roles;
}

TextTable someCells()
{
    return TextTable("run,a,b [m],file,c\nx,1,2,p.vtu,3\ny,4,7,q.vtu,6\n", "t.csv");
}

} // namespace

void ScatteredColumnsTest::rolesAreGuessedOrChosen()
{
    const auto cells = someCells();
    QCOMPARE(rolesOf(cells), (std::vector{ignored, parameter, parameter, file, ignored}));
    QCOMPARE(rolesOf(cells, {.ignored = {"file"}}),
             (std::vector{ignored, parameter, parameter, ignored, response}));
    QCOMPARE(rolesOf(cells, {.file = "run"}),
             (std::vector{file, parameter, parameter, ignored, parameter}));
    QCOMPARE(rolesOf(cells, {.parameters = {"a"}, .ignored = {"file", "b"}}),
             (std::vector{ignored, parameter, ignored, ignored, response}));
    QVERIFY(scatteredRoles(cells, {.ignored = {"run", "c"}}).notes.empty());
    const auto times = TextTable("a,t [s],time,y\n1,2,3,4\n", "t.csv");
    QCOMPARE(rolesOf(times), (std::vector{parameter, ColumnRole::time, parameter, response}));
    QCOMPARE(rolesOf(times, {.time = "a"}),
             (std::vector{ColumnRole::time, parameter, parameter, response}));
    QCOMPARE(rolesOf(times, {.parameters = {"t"}}),
             (std::vector{response, parameter, response, response}));
    QVERIFY(says(scatteredRoles(cells, {}).notes, "the column run is left out"));
    QVERIFY(says(scatteredRoles(times, {}).notes, "the column t is taken as the time"));
}

/// Running numbers are no parameters, words that name files are files, what stands behind them is a
/// result.
void ScatteredColumnsTest::rolesAreGuessedByWhatColumnsHold()
{
    const Folder folder;
    for (const auto *name : {"p.vtu", "q.vtu", "r.vtu"})
        writeText(folder / name, "");
    const auto guessed = [&](const char *csv) {
        return scatteredRoles(TextTable(csv, "t.csv"), {}, folder / "").roles;
    };
    QCOMPARE(guessed("Run-ID,a,path,drag\n0,5,p.vtu,9\n1,7,q.vtu,2\n2,4,r.vtu,3\n"),
             (std::vector{ignored, parameter, file, ignored}));
    QCOMPARE(guessed("a,path,who\n5,p.vtu,me\n7,gone.vtu,me\n4,r.vtu,you\n"),
             (std::vector{parameter, file, ignored}));
    QCOMPARE(guessed("path,a,b\np.vtu,5,1\nq.vtu,7,3\nr.vtu,4,9\n"),
             (std::vector{file, parameter, parameter}));
    QCOMPARE(guessed("path,a,y\nx.vtu,5,1\ny.vtu,7,2\nz.vtu,4,3\n"), // no such files
             (std::vector{ignored, parameter, response}));
    QCOMPARE(guessed("a,y\n1,3\n2,4\n3,9\n"), (std::vector{parameter, response})); // alone
    std::string many = "step,a,y\n";
    for (int i = 1; i <= 10; ++i)
        many += fmt::format("{},{},{}\n", i, 7 * i % 11, i * i);
    QCOMPARE(guessed(many.c_str()), (std::vector{ignored, parameter, response}));
    QCOMPARE(guessed("step,a,y\n1,5,3\n2,4,4\n3,9,9\n"), // few: perhaps it is one
             (std::vector{parameter, parameter, response}));
    QCOMPARE(guessed("n,file\n1,p.vtu\n2,q.vtu\n3,r.vtu\n"), (std::vector{parameter, file}));
    const auto notes =
        scatteredRoles(
            TextTable("Run-ID,a,path,drag\n0,5,p.vtu,9\n1,7,q.vtu,2\n2,4,r.vtu,3\n", "t.csv"), {},
            folder / "")
            .notes;
    QVERIFY(says(notes, "the column Run-ID is left out, for it numbers the runs"));
    QVERIFY(says(notes, "the column drag is left out, for it stands behind the files"));
}

void ScatteredColumnsTest::aChoiceOfRolesGivesThemAgain()
{
    const auto cells = someCells();
    const std::vector roles{ignored, parameter, response, response, ignored};
    QCOMPARE(rolesOf(cells, choiceOf(cells, roles)), roles);
    const std::vector timed{ColumnRole::time, parameter, response, ignored, response};
    QCOMPARE(rolesOf(cells, choiceOf(cells, timed)), timed);
    const std::vector others{file, parameter, ignored, ignored, parameter};
    QCOMPARE(rolesOf(cells, choiceOf(cells, others)), others);
}

void ScatteredColumnsTest::aChoiceOfWhatIsNotThereIsAnError()
{
    const auto cells = someCells();
    const auto sentence = [&](const ScatteredChoice &choice) {
        return sentenceOf([&] { scatteredRoles(cells, choice); });
    };
    QVERIFY(sentence({.ignored = {"d"}}).find("no column d; its columns are: run, a, b")
            != std::string::npos);
    QVERIFY(sentence({.file = "d"}).find("no column d") != std::string::npos);
    QVERIFY(sentence({.parameters = {"a"}, .ignored = {"a"}}).find("named twice")
            != std::string::npos);
}

void ScatteredColumnsTest::everyBadColumnHasItsSentence()
{
    const auto cells = TextTable("a,b,c,d,e:f\n1,2,3,4,0\nx,3,word,5,1\n7,8,9,6,2\n", "t.csv");
    const std::vector roles{parameter, parameter, response, response, parameter};
    const auto problems = scatteredProblems(cells, {roles, {{"b", {5, 5}}}, "/nowhere"});
    QCOMPARE(problems.size(), std::size_t{4});
    const std::vector<std::pair<std::size_t, const char *>> expected{
        {0, "t.csv, line 3: 'x' is not a number for a"},
        {1, "the range of parameter b is 5 to 5"},
        {2, "t.csv, line 3: 'word' is not a number for c"},
        {4, "\"e:f\" is not a name"}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QCOMPARE(problems[i].column, expected[i].first);
        QVERIFY2(problems[i].sentence.find(expected[i].second) != std::string::npos,
                 problems[i].sentence.c_str());
    }
    const auto withFiles =
        scatteredProblems(cells, {{file, parameter, file, response, ignored}, {}, "/nowhere"});
    QCOMPARE(withFiles.size(), std::size_t{3});
    QVERIFY2(withFiles[0].sentence.find("there is no file /nowhere/1, nor that of any other row")
                 != std::string::npos,
             withFiles[0].sentence.c_str());
    QVERIFY(withFiles[1].sentence.find("another column names files") != std::string::npos);
    QVERIFY(withFiles[2].sentence.find("ignore d, or ignore a") != std::string::npos);
}

void ScatteredColumnsTest::aTableWithoutBadColumnsMayStillBeNoStudy()
{
    const auto cells = TextTable("a,b\n1,2\n2,3\n3,5\n", "t.csv");
    const auto problem = [&](const std::vector<ColumnRole> &roles) {
        const auto problems = scatteredProblems(cells, {roles, {}, {}});
        return problems.size() == 1 && !problems[0].column ? problems[0].sentence : "";
    };
    QVERIFY(scatteredProblems(cells, {{parameter, response}, {}, {}}).empty());
    QVERIFY(problem({parameter, parameter}).find("no responses") != std::string::npos);
    QVERIFY(problem({ignored, response}).find("no column of numbers") != std::string::npos);
    const auto few = TextTable("a,b,c\n1,2,1\n2,3,2\n", "t.csv");
    const auto problems = scatteredProblems(few, {{parameter, parameter, response}, {}, {}});
    QCOMPARE(problems.size(), std::size_t{1});
    QVERIFY(problems[0].sentence.find("2 different runs for 2 parameters") != std::string::npos);
    const auto times = TextTable("a,t,y\n1,0,1\n1,1,2\n1,2,3\n1,3,3\n", "t.csv");
    const std::vector timed{parameter, ColumnRole::time, response};
    QVERIFY(scatteredProblems(times, {timed, {}, {}}).empty()); // a is the same everywhere
    const auto two = TextTable("a,b,t,y\n1,0,0,1\n1,0,1,2\n2,1,2,3\n2,1,3,3\n", "t.csv");
    const auto runs =
        scatteredProblems(two, {{parameter, parameter, ColumnRole::time, response}, {}, {}});
    QCOMPARE(runs.size(), std::size_t{1});
    QVERIFY(runs[0].sentence.find("2 different runs for 2 parameters") != std::string::npos);
    const auto twice =
        scatteredProblems(two, {{parameter, ColumnRole::time, ColumnRole::time, response}, {}, {}});
    QCOMPARE(twice.size(), std::size_t{1});
    QVERIFY(twice[0].sentence.find("another column is the time") != std::string::npos);
}

void ScatteredColumnsTest::aColumnOfFilesIsLookedForInTheFolder()
{
    const Folder folder;
    std::filesystem::create_directory(folder / "results");
    std::string csv = "id,a,vtu\n";
    for (int i = 0; i < 6; ++i) {
        const auto name = fmt::format("{}.txt", i);
        writeText(folder / ("results/" + name), fmt::format("{}", 1 + i * i));
        csv += fmt::format("{},{},{}\n", 100 - i, i, name);
    }
    writeText(folder / "t.csv", csv);
    auto step = stepOf(folder);
    step.columns.file = "vtu";
    step.columns.ignored = {"id"};
    QVERIFY(sentenceOf([&] { scatteredStep(step, readingNumbers()); }).find("there is no file")
            != std::string::npos);
    step.folder = folder / "results";
    const auto report = scatteredStep(step, readingNumbers());
    QCOMPARE(report.runs, std::size_t{6});
    QCOMPARE(Study::open(step.study).description().space.parameters().size(), std::size_t{1});
}

void ScatteredColumnsTest::runsOutsideAGivenRangeAreLeftOut()
{
    const auto cells = TextTable("a,b\n0,1\n1,2\n2,2.5\n9,4\n", "t.csv");
    ScatteredReading reading{{parameter, response}, {{"a", {-1, 5}}}, {}};
    const auto table = scatteredTable(cells, reading);
    QCOMPARE(table.runs.size(), std::size_t{3});
    QCOMPARE(table.parameters[0].low, -1.0);
    QCOMPARE(table.parameters[0].high, 5.0);
    QVERIFY2(says(table.notes, "a row is left out, for a parameter is outside its range there: "
                               "t.csv, line 5"),
             linesOf(table.notes).c_str());
    reading.ranges["a"] = {20, 30};
    QVERIFY(sentenceOf([&] { scatteredTable(cells, reading); }).find("widen") != std::string::npos);
    reading.ranges = {{"b", {0, 1}}};
    QVERIFY(sentenceOf([&] { scatteredTable(cells, reading); }).find("no parameter of t.csv")
            != std::string::npos);
}

GRIDHELM_TEST(ScatteredColumnsTest)
#include "tst_scattered_columns.moc"
